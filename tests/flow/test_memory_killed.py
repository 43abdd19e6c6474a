"""The memory at work, killed, stopped and done by several at once: each turn is learned once.

Every turn ends as done or dead, no answer of an extractor is asked for twice without need, and
memories, words and index agree whatever happened. Made again, the memory is what it was.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flow.curating import (
    PLACES,
    START_NS,
    WASTING,
    asked,
    drift,
    fact,
    later,
    marked,
    memory_file,
    talked,
    troubles,
    turn,
    working,
)
from flow.daemons import Daemons, until
from flow.dying import Process, Steps, forked
from flow.keeping import NOW_NS, SECOND_NS, opened, spool, tacit
from tacit.errors import StoreBusy
from tacit.policy import AGENT, Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App

FEWEST_KILLS = 10
OWNER, OTHER = Caller(), Caller(profile=AGENT, session="s-agent")


def _campaign_of_places(home: Home, kills: int) -> None:
    turns = 5 * kills // 4 + 5
    talked(home.path, turns)

    killed = []
    for number in range(kills):
        place = PLACES[number % len(PLACES)]
        ended = working(home.path, clock=later(number), dies=place, nth=2).ended()
        killed += [place] if ended.is_killed else []
    last = working(home.path, clock=later(kills)).ended()

    assert (len(killed), last.code) == (kills, 0)
    assert troubles(home.path, turns) == []
    wasted = sum(place in WASTING for place in killed)
    assert len(marked(home.path, "call")) - wasted <= 1.05 * turns


def test_a_worker_killed_60_times_at_four_places_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_places(home, 60)


@pytest.mark.long
def test_a_worker_killed_1000_times_at_four_places_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_places(home, 1000)


def _campaign_of_moments(home: Home, turns: int) -> None:
    talked(home.path, turns)
    moments = random.Random(turns)  # noqa: S311
    kills = 0

    for generation in range(turns):  # where all is slow, the last one is let live
        worker = working(home.path, clock=later(generation), pause=0.002)
        time.sleep(moments.uniform(0.02, 0.12))
        worker.send(signal.SIGKILL)
        if not worker.ended().is_killed:
            break
        kills += 1
    working(home.path, clock=later(turns)).ended()

    gone = "SELECT CAST(SUBSTR(turn, 6) AS INTEGER) FROM jobs WHERE state = 'dead'"
    dead = frozenset(row[0] for row in asked(home.path, gone))
    assert troubles(home.path, turns, dead) == []
    assert len(marked(home.path, "call")) <= turns + kills
    assert kills >= FEWEST_KILLS


def test_a_worker_killed_at_random_moments_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_moments(home, 160)


@pytest.mark.long
def test_a_worker_killed_at_very_many_moments_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_moments(home, 5000)


@pytest.mark.parametrize("place", PLACES[:3])
def test_a_turn_that_kills_whoever_works_on_it_is_dead_after_five_times(
    home: Home, place: str
) -> None:
    talked(home.path, 4)

    killed = [
        working(home.path, clock=later(number), dies=place).ended().is_killed for number in range(5)
    ]
    working(home.path, clock=later(5)).ended()

    assert killed == [True] * 5
    assert troubles(home.path, 4, dead=frozenset((0,))) == []
    reasons = asked(home.path, "SELECT reason FROM jobs WHERE state = 'dead'")
    assert reasons == [("It was begun five times and never ended.",)]


def test_a_dead_turn_is_learned_when_it_is_tried_again(home: Home) -> None:
    talked(home.path, 4)
    for number in range(5):
        working(home.path, clock=later(number), dies="after reply").ended()
    working(home.path, clock=later(5)).ended()

    with opened(home.path, later(6)) as app:
        tried = app.retry("main")
        app.curate("main")

    assert (tried, troubles(home.path, 4)) == (1, [])


@pytest.mark.parametrize("orders", [{"says": "Half of it: "}, {"kind": "decision"}], ids=str)
def test_the_end_of_a_turn_replaces_what_was_learned_when_it_was_compacted(
    home: Home, orders: dict[str, str]
) -> None:
    prompt, end = turn(0)
    compaction = replace(
        end, event="PreCompact", payload=end.payload.replace(b'"Stop"', b'"PreCompact"')
    )
    for number, (event, learned) in enumerate(((prompt, {}), (compaction, orders), (end, {}))):
        spool(home.path, [event])
        with opened(home.path) as app:
            app.drain(seconds=None, curating=False)
        working(home.path, clock=lambda: NOW_NS + SECOND_NS, **learned).ended()
        assert len(marked(home.path, "call")) == number

    assert troubles(home.path, 1) == []
    assert asked(home.path, "SELECT kind FROM memories") == [("fact",)]


def _is_refused(home: Path, go: Path) -> bool:
    """Stop a worker past its lease while another does its work; say whether all is well."""
    stopped = working(home, clock=later(0), waits_for=go, says="Too late: ")
    until(lambda: marked(home, "call") != [], "the first call")
    stopped.send(signal.SIGSTOP)
    other = working(home, clock=later(1)).ended()
    go.touch()
    stopped.send(signal.SIGCONT)
    late = stopped.ended()
    told = (other.text, late.text) == ("3 done, 0 failed", "0 done, 0 failed")
    return told and troubles(home, 3) == []


def _campaign_of_stops(home: Home, times: int) -> None:
    talked(home.path, 3)

    refused = []
    for number in range(times):
        copy = shutil.copytree(home.path, home.scratch / f"copy-{number}")
        refused.append(_is_refused(copy, home.scratch / f"go-{number}"))
        shutil.rmtree(copy)

    assert refused == [True] * times


def test_a_result_that_comes_after_the_lease_is_refused_10_times(home: Home) -> None:
    _campaign_of_stops(home, 10)


@pytest.mark.long
def test_a_result_that_comes_after_the_lease_is_refused_50_times(home: Home) -> None:
    _campaign_of_stops(home, 50)


def test_a_worker_that_is_interrupted_holds_nobody_up(home: Home) -> None:
    talked(home.path, 3)
    worker = working(home.path, clock=later(0), waits_for=home.scratch / "never")
    until(lambda: marked(home.path, "call") != [], "the first call")

    worker.send(signal.SIGINT)
    worker.ended()
    with opened(home.path, lambda: START_NS + SECOND_NS) as app:
        app.curate("main")

    assert troubles(home.path, 3) == []


@pytest.mark.parametrize("workers", [2, 6])
def test_workers_beside_each_other_do_each_turn_once(home: Home, workers: int) -> None:
    talked(home.path, 100)

    started = [working(home.path, pause=0.002) for _ in range(workers)]
    codes = [each.ended().code for each in started]

    assert codes == [0] * workers
    assert troubles(home.path, 100) == []
    calls = marked(home.path, "call")
    assert [name for name in set(calls) if calls.count(name) > 1] == []


def _rebuilt(home: Path, last: int) -> tuple[int, str]:
    """Rebuild, dying at a step; 0: it lives."""
    steps = Steps(last)
    steps.watch()
    with opened(home, later(2)) as app:
        told = app.rebuild("main")
    return 0, f"{told.is_same} {steps.taken}"


def _list(home: Path) -> list[str]:
    with opened(home, later(3)) as app:
        app.drain(seconds=None)
        return sorted(each.content for each in app.list("main", Wanted()))


def _campaign_of_rebuilds(home: Home, most: int) -> None:
    talked(home.path, 6)
    working(home.path, clock=later(1)).ended()
    whole = shutil.copytree(home.path, home.scratch / "whole")
    steps = len(forked(lambda: _rebuilt(whole, 0)).steps)

    wrong, killed = {}, 0
    for last in sorted({1 + number * (steps - 1) // (most - 1) for number in range(most)}):
        copy = shutil.copytree(home.path, home.scratch / "copy")
        killed += forked(lambda copy=copy, last=last: _rebuilt(copy, last)).is_killed  # type: ignore[misc]
        wrong[last] = _list(copy) != [fact(number) for number in range(6)] or drift(copy)
        shutil.rmtree(copy)

    assert {last: found for last, found in wrong.items() if found} == {}
    assert killed == len(wrong)


def test_a_rebuild_killed_at_12_steps_leaves_a_whole_memory(home: Home) -> None:
    _campaign_of_rebuilds(home, 12)


@pytest.mark.long
def test_a_rebuild_killed_at_any_step_leaves_a_whole_memory(home: Home) -> None:
    _campaign_of_rebuilds(home, 1000)


def _rebuild(home: Path) -> tuple[int, str]:
    """Rebuild; to be told that another one is at it is no mishap."""
    with opened(home, time.time_ns) as app, suppress(StoreBusy):
        app.rebuild("main")
    return 0, ""


def test_rebuilds_beside_each_other_leave_a_whole_memory(home: Home) -> None:
    talked(home.path, 60)
    working(home.path).ended()

    started = [Process(lambda: _rebuild(home.path)) for _ in range(3)]
    ends = [each.ended() for each in started]

    assert [end.text for end in ends if end.code] == []
    assert troubles(home.path, 60) == []


def test_ten_owners_who_say_something_at_once_are_all_heard(home: Home) -> None:
    texts = [f"The answer to question {number} is known" for number in range(10)]
    command = [sys.executable, "-m", "tacit", "remember"]

    started = [
        subprocess.Popen([*command, text], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for text in texts
    ]
    ends = [(*each.communicate(), each.returncode) for each in started]

    assert [(code, err) for _, err, code in ends] == [(0, b"")] * 10
    assert _list(home.path) == texts
    assert drift(home.path) == []


def test_an_owner_beside_the_daemon_loses_nothing_and_sees_no_error(home: Home) -> None:
    ends = []
    with Daemons(home) as daemons:
        daemons.start()
        for number in range(4):
            spool(home.path, [event for nth in range(8) for event in turn(8 * number + nth)])
            ends.append(tacit(home.path, "remember", f"The owner said {number}"))
            made = ends[-1].stdout.rpartition("(")[2].rstrip(")\n")
            verb = (["correct", made, f"The owner means {number}"], ["forget", made])[number % 2]
            ends.append(tacit(home.path, *verb))
        until(lambda: home.spooled == [], "an empty spool")
        until(lambda: tacit(home.path, "queue").stdout.count("0 events not read") == 1, "its end")

    assert [(end.returncode, end.stderr) for end in ends] == [(0, "")] * 8
    said = ["The owner means 0", "The owner means 2"]
    assert _list(home.path) == sorted([*said, *(fact(number) for number in range(32))])
    assert drift(home.path) == []
    assert os.listdir(home.path / "groups" / "main" / "quarantine") == []  # noqa: PTH208


def _lived(app: App) -> None:
    """Let owner and agent do all that can be done with memories."""
    ids = {each.content: each.id for each in app.list("main", Wanted())}
    app.correct("main", ids[fact(0)], Said(text="Fact zero was wrong"), OWNER)
    app.pin("main", ids[fact(1)], OWNER)
    app.correct("main", ids[fact(1)], Said(text="Fact one was wrong", kind="context"), OWNER)
    app.forget("main", Which(ids=(ids[fact(2)],)), OWNER)
    app.forget("main", Which(matching="0003"), OWNER)
    app.forget("main", Which(matching="0004"), OWNER, erase=True)
    app.forget("main", Which(session="s-2"), OWNER)
    app.undo("main", "s-3", OWNER)
    said = app.remember("main", Said(text="The owner likes tabs", tags=("editor",)), OWNER)
    app.pin("main", said.id, OWNER)
    app.unpin("main", said.id, OWNER)
    app.correct("main", said.id, Said(text="The owner likes spaces"), OTHER)
    app.remember("main", Said(text="The build is slow", kind="discovery"), OTHER)
    app.pin("main", ids[fact(5)], OTHER)
    first, _ = app.actions("main")
    app.dismiss("main", first.id, OWNER)
    app.forget("main", Which(origin="agent"), OWNER)
    app.remember("main", Said(text=fact(2)), OWNER)  # said anew


def _rows(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that counts, read with SQLite alone."""
    columns = (
        "id, kind, content, statement, importance, confidence, tags, project, origin, via, "
        "session, turn, quote, topic, extractor, created_at, valid_from, valid_to, superseded_by, "
        "state, reason, pinned"
    )
    standing = "state IN ('active', 'quarantined') OR pinned = 1"
    return {
        "memories": asked(home, f"SELECT {columns} FROM memories WHERE {standing} ORDER BY id"),  # noqa: S608
        "actions": asked(home, "SELECT * FROM actions ORDER BY id"),
        "summaries": asked(home, "SELECT * FROM summaries ORDER BY session"),
    }


@pytest.mark.parametrize("way", ["rebuild", "lost", "damaged"])
def test_after_all_that_can_be_decided_the_memory_is_made_again_as_it_was(
    home: Home, way: str
) -> None:
    sessions = [f"s-{1 + number // 6}" for number in range(18)]
    turns = [turn(number, session=session) for number, session in enumerate(sessions)]
    spool(home.path, [event for each in turns for event in each])
    with opened(home.path, later(0)) as app:
        app.drain(seconds=None)
        _lived(app)
    before = _rows(home.path)

    if way == "lost":
        memory_file(home.path).unlink()
    if way == "damaged":
        memory_file(home.path).write_bytes(b"no database at all " * 1000)
    with opened(home.path, later(1)) as app:
        app.rebuild("main") if way == "rebuild" else app.drain(seconds=None)

    assert _rows(home.path) == before
    assert drift(home.path) == []
    assert sorted(row[2] for row in before["memories"] if row[-3] == "active") == [
        fact(2),
        fact(5),
        "Fact one was wrong",
        "Fact zero was wrong",
        "The owner likes tabs",
    ]
