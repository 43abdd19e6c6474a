"""Forgetting: what is to go is gone with all that was made of it, and nothing brings it back.

Erased words lie in no byte of the home: databases, free pages, logs, word index, segments, backups,
what was put aside, what killed programs left lying. All else, and every other decision, stays.
"""

from __future__ import annotations

import os
import shutil
import signal
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.curating import (
    START_NS,
    asked,
    drift,
    fact,
    later,
    memory_file,
    talked,
    turn,
    working,
)
from flow.daemons import Daemons
from flow.dying import Steps, forked
from flow.keeping import SECOND_NS, Said, opened, said, spool, tacit
from rig import erased
from tacit.policy import AGENT, Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said as Statement

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

WORD = "quillonborogrove"  # one word, so that the index holds it as it is
TAUGHT = f"the gate opens to {WORD}"
OWNER = Caller()
OTHER = Caller(profile=AGENT, session="s-agent")


def _held(home: Path) -> list[str]:
    """Return the files of a home that hold the word, however it is written."""
    files = [file for file in home.rglob("*") if file.is_file()]
    return [
        str(file.relative_to(home)) for file in files if WORD.encode() in file.read_bytes().lower()
    ]


def _tool(number: int) -> Said:
    """Return an event in which a tool said the word."""
    return said(4 * number + 1, text=f"the page says {WORD} twice", session="s-marked")


def _filled(home: Path, turns: int = 6) -> None:
    """Let the word lie in every corner: turns, tools, memories and their chain, backups, aside."""
    spool(home, [event for number in range(turns) for event in turn(number)])
    spool(home, [*turn(turns, TAUGHT, "s-marked"), _tool(turns)])
    with opened(home, later(0)) as app:
        app.drain(seconds=None)
        app.backup("main")
        memory = app.remember("main", Statement(text=f"The key is {WORD}", tags=(WORD,)), OWNER)
        app.correct("main", memory.id, Statement(text=f"The spare key is {WORD}"), OWNER)
        app.remember("main", Statement(text=f"An agent found {WORD}"), OTHER)
    memory_file(home).write_bytes(b"no database at all " * 1000)  # put aside, made again
    with opened(home, later(1)) as app:
        app.drain(seconds=None)
        app.backup("main")


def _contents(home: Path, clock: int = 9) -> list[str]:
    with opened(home, later(clock)) as app:
        app.drain(seconds=None)
        return sorted(each.content for each in app.list("main", Wanted()))


def _is_sound(home: Path) -> bool:
    with opened(home) as app:
        found = app.verify("main")
    return found is not None and found.is_sound


def _rebuilt(home: Path) -> bool:
    """Make the memory again; say whether it is as it was."""
    with opened(home, later(10)) as app:
        return app.rebuild("main").is_same


def _campaign_of_turns(home: Home, turns: int) -> None:
    _filled(home.path, turns)
    before = _held(home.path)
    untouched = [each for each in _contents(home.path) if WORD not in each.lower()]

    ended = tacit(home.path, "forget", "--matching", WORD, "--erase", "--yes")

    assert {place.split("/")[0] for place in before} == {"groups", "backups", "spool"}
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-1] == "Forgot 4 memories, erased 5 events."
    assert _held(home.path) == []
    assert (_is_sound(home.path), drift(home.path)) == (True, [])
    assert _contents(home.path) == untouched
    assert (_rebuilt(home.path), _contents(home.path), _held(home.path)) == (True, untouched, [])


def test_a_word_erased_among_200_turns_is_nowhere_and_stays_nowhere(home: Home) -> None:
    _campaign_of_turns(home, 200)


@pytest.mark.long
def test_a_word_erased_among_10000_turns_is_nowhere_and_stays_nowhere(home: Home) -> None:
    _campaign_of_turns(home, 10_000)


def test_a_session_erased_takes_all_that_was_made_of_it(home: Home) -> None:
    spool(home.path, [*turn(0), *turn(1, TAUGHT, "s-marked"), _tool(2)])
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)
        app.backup("main")

    ended = tacit(home.path, "forget", "--session", "s-marked", "--erase", "--yes")
    listed = tacit(home.path, "list", "--superseded").stdout

    assert (ended.returncode, WORD in listed.lower()) == (0, False)
    assert (_held(home.path), _is_sound(home.path)) == ([], True)
    assert (_rebuilt(home.path), _contents(home.path)) == (True, [fact(0)])


def test_an_origin_erased_takes_all_that_stood_on_its_words(home: Home) -> None:
    talked(home.path, 1)
    agent = os.environ | {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-agent"}
    tacit(home.path, "remember", TAUGHT, env=agent | {"TACIT_HOME": str(home.path)})
    tacit(home.path, "backup")

    ended = tacit(home.path, "forget", "--origin", "agent", "--erase", "--yes")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert (_held(home.path), _is_sound(home.path)) == ([], True)
    assert (_rebuilt(home.path), _contents(home.path)) == (True, [fact(0)])


def test_an_origin_erased_takes_its_words_from_the_transcript_though_nobody_learned_them(
    home: Home,
) -> None:
    spool(home.path, [*turn(0), _tool(1)])
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)

    tacit(home.path, "forget", "--origin", "tool:Bash", "--erase", "--yes")

    assert (_held(home.path), _is_sound(home.path)) == ([], True)


@pytest.mark.parametrize("which", ["matching", "session", "project", "before"])
def test_forgotten_without_erasing_it_is_gone_from_the_list_and_not_from_the_transcript(
    home: Home, which: str
) -> None:
    spool(home.path, turn(0, TAUGHT, "s-marked"))
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)
        (project,) = app.projects("main")
    value = {"session": "s-marked", "project": project.key, "before": "2150-01-01"}.get(
        which, "gate"
    )

    ended = tacit(home.path, "forget", f"--{which}", value, "--yes")

    assert (ended.returncode, _contents(home.path)) == (0, [])
    assert (_rebuilt(home.path), _contents(home.path)) == (True, [])
    assert any("transcript.db" in place for place in _held(home.path))


def test_what_a_daemon_holds_open_is_erased_as_well(home: Home) -> None:
    _filled(home.path)

    with Daemons(home) as daemons:
        daemons.start()
        ended = tacit(home.path, "forget", "--matching", WORD, "--erase", "--yes")
        left = _held(home.path)

    assert (ended.returncode, ended.stderr, left) == (0, "", [])
    assert _is_sound(home.path)


def test_a_word_that_could_never_be_understood_is_erased_as_well(home: Home) -> None:
    talked(home.path, 1)
    spool(home.path, [replace(said(1), payload=f"no JSON, but {WORD}".encode())])
    with opened(home.path) as app:
        app.drain(seconds=None)
    assert [place.split("/")[:2] for place in _held(home.path)] == [["spool", "bad"]]

    tacit(home.path, "forget", "--matching", WORD, "--erase", "--yes")

    assert _held(home.path) == []


@pytest.mark.parametrize("verb", ["pin", "correct"])
def test_what_an_agent_asked_about_a_memory_is_erased_with_it(home: Home, verb: str) -> None:
    with opened(home.path, later(0)) as app:
        memory = app.remember("main", Statement(text=f"The key is {WORD}"), OWNER)
        if verb == "pin":
            app.pin("main", memory.id, OTHER)
        else:
            app.correct("main", memory.id, Statement(text="The key is lost"), OTHER)
        assert len(app.actions("main")) == 1

        erased(app, "main", matching=WORD)

    assert _held(home.path) == []


def test_the_reason_for_which_a_turn_is_dead_is_erased_with_it(home: Home) -> None:
    spool(home.path, turn(0, TAUGHT))
    with opened(home.path) as app:
        app.drain(seconds=None, curating=False)
    for number in range(5):
        working(home.path, clock=later(number), fails=True).ended()
    assert asked(home.path, "SELECT state FROM jobs") == [("dead",)]

    with opened(home.path, later(6)) as app:
        erased(app, "main", matching=WORD)

    assert _held(home.path) == []


def _half_rebuilt(home: Path) -> tuple[int, str]:
    """Rebuild, dying when all was read and nothing was swapped yet."""

    def die_at_the_end(done: int, total: int) -> None:
        if done == total:
            os.kill(os.getpid(), signal.SIGKILL)

    with opened(home, later(2)) as app:
        app.rebuild("main", die_at_the_end)
    return 0, ""


def test_what_a_killed_rebuild_left_lying_is_erased_too(home: Home) -> None:
    _filled(home.path)
    assert forked(lambda: _half_rebuilt(home.path)).is_killed
    assert any("memory.new" in place for place in _held(home.path))

    with opened(home.path, later(4)) as app:
        erased(app, "main", matching=WORD)

    assert _held(home.path) == []


def test_a_decision_outlives_the_project_in_which_it_was_made(home: Home) -> None:
    talked(home.path, 1)  # of another project
    memory = tacit(home.path, "list").stdout.splitlines()[1].split()[0]
    tacit(home.path, "forget", memory)
    tacit(home.path, "remember", f"The key is {WORD}")

    ended = tacit(home.path, "forget", "--project", str(home.scratch), "--erase", "--yes")

    assert (ended.returncode, _held(home.path)) == (0, [])
    assert (_rebuilt(home.path), _contents(home.path)) == (True, [])


@pytest.mark.parametrize("is_rebuilt", [False, True], ids=["as it is", "rebuilt"])
@pytest.mark.parametrize("erase", [False, True], ids=["forgotten", "erased"])
def test_what_was_forgotten_is_not_learned_from_an_old_turn_that_comes_late(
    home: Home, *, erase: bool, is_rebuilt: bool
) -> None:
    spool(home.path, turn(0, TAUGHT))
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)
        app.forget("main", Which(matching="gate"), OWNER, erase=erase)
        if is_rebuilt:
            app.rebuild("main")

    spool(home.path, turn(1, TAUGHT, "s-late"))

    assert _contents(home.path) == []


def test_what_was_forgotten_is_learned_from_a_new_statement(home: Home) -> None:
    spool(home.path, turn(0, TAUGHT))
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)
        app.forget("main", Which(matching="gate"), OWNER)

    spool(home.path, [replace(each, received_ns=START_NS + SECOND_NS) for each in turn(1, TAUGHT)])

    assert _contents(home.path) == [TAUGHT.capitalize()]
    assert (_rebuilt(home.path), _contents(home.path)) == (True, [TAUGHT.capitalize()])


def _erase(home: Path, last: int) -> tuple[int, str]:
    """Erase as the owner does, dying at a step; 0: it lives."""
    steps = Steps(last)
    steps.watch()
    with opened(home, later(3)) as app:
        went = erased(app, "main", matching=WORD)
    return 0, f"{went} {steps.taken}"


def _left(home: Path) -> list[str]:
    """Return what is wrong once the next programs, and the owner once more, have run."""
    with opened(home, later(5)) as app:
        app.drain(seconds=None)
        is_begun = any(each.decision.verb == "forget" for each in app.audit("main"))
    wrong = [f"begun, and in {place}" for place in _held(home)] if is_begun else []
    with opened(home, later(6)) as app:
        erased(app, "main", matching=WORD)
    wrong += [f"asked again, and in {place}" for place in _held(home)]
    wrong += [] if _is_sound(home) else ["not sound"]
    wrong += [] if _rebuilt(home) else ["not the same when rebuilt"]
    return wrong + drift(home) + [each for each in _contents(home) if WORD in each.lower()]


class Dying:
    """An erasure that can be killed at any of its steps, each time in a copy of the same home."""

    def __init__(self, home: Home) -> None:
        spool(home.path, [*turn(0), *turn(1, TAUGHT), *turn(2)])
        with opened(home.path, later(0)) as app:
            app.drain(seconds=None)
            app.backup("main")
        self._home = home
        self.copy = home.scratch / "copy"
        self.kill_at(0)
        self.steps = len(self._ended.steps)

    def kill_at(self, last: int) -> bool:
        """Erase, to be killed at a step; say whether it was."""
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self._home.path, self.copy)
        self._ended = forked(lambda: _erase(self.copy, last))
        return self._ended.is_killed

    def has_forgotten(self, last: int) -> bool:
        """Say whether an erasure that is killed at a step has forgotten the memory by then."""
        self.kill_at(last)
        found = asked(self.copy, "SELECT state FROM jobs WHERE kind = 'decision'")
        return found == [("done",)]


def _campaign_of_kills(home: Home, most: int) -> None:
    dying = Dying(home)

    wrong, killed = {}, 0
    for last in sorted({1 + number * (dying.steps - 1) // (most - 1) for number in range(most)}):
        killed += dying.kill_at(last)
        wrong[last] = _left(dying.copy)

    assert {last: found for last, found in wrong.items() if found} == {}
    assert killed == len(wrong)


def test_an_erasure_killed_at_10_steps_is_finished_or_can_be_asked_for_again(home: Home) -> None:
    _campaign_of_kills(home, 10)


@pytest.mark.long
def test_an_erasure_killed_at_any_step_is_finished_or_can_be_asked_for_again(home: Home) -> None:
    _campaign_of_kills(home, 1000)


def test_an_erasure_killed_when_it_has_just_forgotten_leaves_no_word_in_the_index(
    home: Home,
) -> None:
    dying = Dying(home)
    steps = range(1, dying.steps + 1)

    first = steps[bisect_left(steps, x=True, key=dying.has_forgotten)]
    killed = dying.kill_at(first)

    assert (killed, _left(dying.copy)) == (True, [])
