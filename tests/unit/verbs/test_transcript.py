"""The façade over the transcript: which group, what happened, and how it is kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig import erased
from tacit.compose import open_app
from tacit.errors import NotFound, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.transcript.turns import Turn

SECOND_NS = 1_000_000_000
HOUR_NS = 3600 * SECOND_NS
NOW_NS = 1_790_000_000 * SECOND_NS


class Clock:
    """The time, as a test sets it."""

    now_ns = NOW_NS

    def __call__(self) -> int:
        return self.now_ns


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(home: Home, clock: Clock) -> Iterator[App]:
    """Return the verbs of the test's home, by the test's clock."""
    del home  # its own
    opened = open_app(now_ns=clock)
    yield opened
    opened.close()


def say(
    spool: Spool, prompt: str, *, session: str = "s1", group: str = "main", **rest: Any
) -> None:
    """Let a prompt wait in the spool."""
    at = rest.pop("at", NOW_NS)
    payload = {"session_id": session, "cwd": "/srv/shop", "prompt": prompt} | rest
    spool.publish(
        json.dumps(payload).encode(),
        event="UserPromptSubmit",
        received_ns=at,
        client="claude-code",
        group=group,
    )


def prompts(turns: list[Turn]) -> list[str]:
    return [turn.prompt for turn in turns]


def choose(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def test_a_group_that_is_chosen_is_the_one_that_is_meant(app: App) -> None:
    assert app.group("work", "/srv/shop") == "work"


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", "x" * 65])
def test_a_name_that_is_none_of_a_group_is_refused(name: str, app: App) -> None:
    with pytest.raises(NotFound, match="is no name of a group"):
        app.group(name, "/srv/shop")


@pytest.mark.parametrize(
    ("directory", "group"),
    [
        ("/nowhere/shop/src", "work"),
        ("/nowhere/shop", "work"),
        ("/nowhere/shop/own/x", "own"),
        ("/nowhere/shopping", "main"),
        ("/", "main"),
    ],
)
def test_without_a_choice_the_longest_directory_above_decides(
    directory: str, group: str, app: App, home: Home
) -> None:
    choose(home, '[groups]\nwork = ["/nowhere/shop"]\nown = ["/nowhere/shop/own"]\n')

    assert app.group(None, directory) == group


@pytest.mark.parametrize("name", ["100%25", "a%20b", "tab\\tbed", "50%"])
def test_the_group_of_a_directory_is_the_one_that_the_hook_finds(
    name: str, app: App, home: Home
) -> None:
    directory = home.project / name.replace("\\t", "\t")
    directory.mkdir()
    choose(home, f'[groups]\nwork = ["{home.project}/{name}"]\n')
    home.hook("Stop", {"cwd": str(directory)}, cwd=directory)

    found = app.group(None, str(directory))

    assert (found, [entry.group for entry in home.entries]) == ("work", ["work"])


def test_draining_takes_in_what_waits_and_says_what_it_did(app: App, spool: Spool) -> None:
    for prompt in ("one", "two", "two"):
        say(spool, prompt)
    spool.publish(b"no JSON", event="Stop", received_ns=NOW_NS, client="claude-code")
    echo = b'{"session_id": "s1", "agent_type": ""}'
    spool.publish(echo, event="SubagentStop", received_ns=NOW_NS, client="claude-code")

    done = app.drain()

    found = (done.taken, done.known, done.bad, done.echoes, done.waiting)
    assert (found, spool.waiting()) == ((2, 1, 1, 1, 0), [])


def test_a_drain_without_time_takes_nothing_in_and_counts_what_waits(
    app: App, spool: Spool
) -> None:
    say(spool, "one")

    done = app.drain(seconds=0)

    assert (done.taken, done.waiting) == (0, 1)


def test_a_drain_tells_how_far_it_has_come(app: App, spool: Spool) -> None:
    for prompt in ("one", "two"):
        say(spool, prompt)
    told: list[tuple[int, int]] = []

    app.drain(progress=lambda done, total: told.append((done, total)))

    assert told == [(2, 2)]


def test_each_group_has_sessions_of_its_own(app: App, spool: Spool) -> None:
    say(spool, "open", session="s1")
    say(spool, "walled", session="s2", group="work")
    app.drain()

    found = {group: [each.id for each in app.sessions(group)] for group in ("main", "work", "no")}

    assert found == {"main": ["s1"], "work": ["s2"], "no": []}


def test_a_session_is_interrupted_when_nothing_was_heard_for_a_day(
    app: App, spool: Spool, clock: Clock
) -> None:
    say(spool, "one")
    app.drain()

    states = []
    for hours in (23, 24):
        clock.now_ns = NOW_NS + hours * HOUR_NS
        states += [each.state for each in app.sessions("main")]

    assert states == ["active", "interrupted"]


def test_the_sessions_of_one_project_are_found_by_its_name(app: App, spool: Spool) -> None:
    say(spool, "one", session="s1")
    say(spool, "two", session="s2", cwd="/srv/other")
    app.drain()

    found = [each.id for each in app.sessions("main", "other")]

    assert found == ["s2"]


def test_a_session_begins_with_what_its_user_said_first(app: App, spool: Spool) -> None:
    say(spool, "<task-notification>made by the client</task-notification>")
    say(spool, "said by the user")
    app.drain()

    (found,) = app.sessions("main")

    assert found.first_prompt == "said by the user"


def test_a_session_is_shown_with_all_its_turns_and_a_turn_alone(app: App, spool: Spool) -> None:
    for name in ("one", "two"):
        say(spool, name, prompt_id=f"turn-{name}")
    app.drain()

    found = prompts(app.show("main", "s1")), prompts(app.show("main", "turn-t"))

    assert found == (["one", "two"], ["two"])


@pytest.mark.parametrize(("group", "name"), [("main", "nothing"), ("work", "s1"), ("main", "")])
def test_what_is_not_there_is_not_shown(group: str, name: str, app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()

    with pytest.raises(NotFound, match="See `tacit sessions`"):
        app.show(group, name)


def test_projects_are_listed_and_changed(app: App, spool: Spool) -> None:
    say(spool, "one")
    say(spool, "two", session="s2", cwd="/srv/other")
    app.drain()

    now = app.project("main", "rename", "shop", "store", origin="owner")

    assert (now.name, {each.name for each in app.projects("main")}) == ("store", {"store", "other"})


def test_a_group_without_a_transcript_has_no_projects(app: App) -> None:
    assert app.projects("work") == []


def test_a_group_without_a_transcript_has_nothing_to_verify(app: App, home: Home) -> None:
    found = app.verify("work")

    assert (found, (home.path / "groups").exists()) == (None, False)


def test_a_transcript_verifies_as_far_as_it_reaches(app: App, spool: Spool) -> None:
    for prompt in ("one", "two"):
        say(spool, prompt)
    app.drain()

    found = app.verify("main")

    assert found is not None
    assert (found.is_sound, found.events, found.head.seq) == (True, 2, 2)


def test_a_backup_is_kept_and_listed(app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()

    made = app.backup("main")

    assert (app.backups("main"), made.seq, made.made_ns) == ([made], 1, NOW_NS)


def test_where_there_is_no_transcript_there_is_no_backup(app: App) -> None:
    with pytest.raises(NotFound, match="nothing to back up"):
        app.backup("main")


@pytest.mark.parametrize(
    ("hours", "is_due"), [(0, False), (23, False), (24, True), (-1, True)], ids=str
)
def test_a_backup_is_due_after_a_day_or_when_the_clock_went_back(
    *, hours: int, is_due: bool, app: App, spool: Spool, clock: Clock
) -> None:
    say(spool, "one")
    app.drain()
    app.backup("main")

    clock.now_ns = NOW_NS + hours * HOUR_NS

    assert app.is_backup_due("main") == is_due


def test_a_backup_is_due_where_there_is_none(app: App) -> None:
    assert app.is_backup_due("main")


def test_a_restore_replays_what_came_after_the_backup(app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()
    app.backup("main")
    say(spool, "two")
    app.drain()

    told = app.restore("main", None)

    assert (told.replayed, told.lost, prompts(app.show("main", "s1"))) == (1, 0, ["one", "two"])


def test_an_exact_restore_replays_nothing(app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()
    app.backup("main")
    say(spool, "two")
    app.drain()

    told = app.restore("main", None, exact=True)

    assert (told.replayed, told.lost, prompts(app.show("main", "s1"))) == (0, 0, ["one"])


def test_a_file_of_the_user_s_own_can_be_restored(
    app: App, spool: Spool, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(spool, "one")
    app.drain()
    shutil.move(app.backup("main").path, home.scratch / "mine.db")
    monkeypatch.chdir(home.scratch)

    told = app.restore("main", "mine.db")

    assert told.backup == "mine.db"


def test_a_backup_that_is_damaged_is_not_restored(app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()
    path = app.backup("main").path
    path.write_bytes(path.read_bytes()[:4096])

    with pytest.raises(StoreDamaged):
        app.restore("main", None)

    assert prompts(app.show("main", "s1")) == ["one"]


def test_an_erased_text_is_nowhere_any_more(app: App, spool: Spool, home: Home) -> None:
    say(spool, "my canary sings")
    app.drain()
    app.backup("main")
    say(spool, "another canary waits")

    went = erased(app, "main", matching="canary")

    assert (went, b"canary" in home.bytes_on_disk()) == (2, False)


def test_an_erased_session_is_still_there_without_its_words(app: App, spool: Spool) -> None:
    say(spool, "one", session="s1")
    say(spool, "two", session="s2")
    app.drain()

    went = erased(app, "main", session="s1")

    found = [prompts(app.show("main", session)) for session in ("s1", "s2")]
    assert (went, found) == (1, [["[erased]"], ["two"]])


def test_what_is_erased_leaves_the_chain_whole(app: App, spool: Spool) -> None:
    say(spool, "one")
    app.drain()
    erased(app, "main", matching="one")

    found = app.verify("main")

    assert found is not None
    assert (found.is_sound, found.erased, found.bodies) == (True, 1, 1)  # the decision


def test_the_settings_are_told_as_they_are_now(app: App, home: Home) -> None:
    choose(home, "[backup]\nkeep = 3\n")

    found = {name: (value, source) for name, value, source in app.config()}

    assert found["backup.keep"] == (3, "config.toml")


def test_a_new_home_needs_no_doctor(app: App) -> None:
    found = app.doctor()

    assert [check.name for check in found if not check.is_fine] == []


def test_the_status_tells_each_group(app: App, spool: Spool) -> None:
    say(spool, "open")
    say(spool, "walled", group="work")
    app.drain()

    found = {each.name: (each.events, each.trouble) for each in app.status().groups}

    assert found == {"main": (1, None), "work": (1, None)}


def test_a_closed_home_keeps_no_database_open(home: Home, spool: Spool) -> None:
    del home  # its own
    before = len(list(Path("/dev/fd").iterdir()))
    say(spool, "one")
    opened = open_app()
    opened.drain()

    opened.close()

    assert len(list(Path("/dev/fd").iterdir())) == before
