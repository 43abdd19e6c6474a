"""The work: what waits is taken in and counted, services are called, backups made when due."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

from tacit.compose import open_app
from tacit.daemon import work as work_room
from tacit.daemon.pulse import Pulse
from tacit.daemon.rest import Rest
from tacit.daemon.work import Work
from tacit.errors import StoreBusy
from tacit.log import Log
from tacit.paths import PROVING
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.transcript import ledger as ledger_room
from tacit.verbs.decisions import Said
from unit.embedding import Blunt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.daemon.work import Service


@pytest.fixture
def app(home: Home) -> Iterator[App]:
    opened = open_app(str(home.path))
    yield opened
    opened.close()


@pytest.fixture
def pulse(root: int) -> Pulse:
    return Pulse(root)


def work(home: Home, app: App, pulse: Pulse, *services: Service, rest: Rest | None = None) -> Work:
    log = Log(home.path / "daemon.log", time.time_ns)
    return Work(app, pulse, log, services, rest or Rest((), 0.0))


def told(home: Home) -> list[dict[str, Any]]:
    """Return the lines of the log, without their times."""
    file = home.path / "daemon.log"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [{k: v for k, v in json.loads(line).items() if k != "at"} for line in lines]


def prompt(home: Home, text: str = "hi", session: str = "one") -> None:
    home.hook("UserPromptSubmit", {"session_id": session, "prompt": text})


def damage(home: Home) -> None:
    """Let the transcript be unreadable, and stay so."""
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    (home.path / "groups" / "main" / "transcript.db").write_bytes(b"no database" * 1000)


def test_a_round_without_anything_to_do_says_nothing(home: Home, app: App, pulse: Pulse) -> None:
    taken = work(home, app, pulse).round()

    assert (taken, pulse.taken, told(home)) == (0, 0, [])


def test_what_waits_is_taken_in_and_counted(home: Home, app: App, pulse: Pulse) -> None:
    prompt(home, "one")
    prompt(home, "two", "two")

    taken = work(home, app, pulse).round()

    assert (taken, pulse.taken, home.spooled) == (2, 2, [])


def test_what_was_taken_in_is_counted_over_all_rounds(home: Home, app: App, pulse: Pulse) -> None:
    worker = work(home, app, pulse)

    for number in range(3):
        prompt(home, f"number {number}", f"session-{number}")
        worker.round()

    assert pulse.taken == 3


def test_a_drain_is_told_in_numbers_and_never_in_words(home: Home, app: App, pulse: Pulse) -> None:
    prompt(home, "the quick brown fox")
    home.hook("Stop", b"no JSON at all")

    taken = work(home, app, pulse).round()

    assert (taken, told(home)[0]) == (
        2,
        {"event": "drained", "taken": 1, "known": 0, "bad": 1, "waiting": 0},
    )
    assert b"fox" not in (home.path / "daemon.log").read_bytes()


def test_services_are_called_in_order_each_round_when_events_are_in(
    home: Home, app: App, pulse: Pulse
) -> None:
    called: list[tuple[str, int]] = []
    prompt(home)
    worker = work(
        home,
        app,
        pulse,
        lambda: called.append(("first", pulse.taken)),
        lambda: called.append(("second", pulse.taken)),
    )

    worker.round()
    worker.round()

    assert called == [("first", 1), ("second", 1)] * 2


def test_the_trouble_of_a_service_is_raised(home: Home, app: App, pulse: Pulse) -> None:
    def busy() -> None:
        raise StoreBusy("Another program holds it.")

    with pytest.raises(StoreBusy):
        work(home, app, pulse, busy).round()


def test_the_trouble_of_a_drain_is_told_and_nothing_is_lost(home: Home, pulse: Pulse) -> None:
    prompt(home)
    before = open_app(str(home.path))
    before.drain()
    before.close()
    damage(home)
    prompt(home, "more")
    later = open_app(str(home.path))

    work(home, later, pulse).round()
    later.close()

    assert (pulse.last_failure, len(home.spooled)) == ("StoreDamaged", 1)


def test_a_group_that_is_gone_is_told_once_and_again_after_it_was_back(
    home: Home, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_room, "CURATE_SELDOM", 0.05)
    taken_in(home)
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    app = open_app(str(home.path))
    worker = work(home, app, pulse)
    group, counts = home.path / "groups" / "main", []
    changes = (shutil.rmtree, lambda _: app.restore("main", None, exact=False), shutil.rmtree)
    for change in changes:
        change(group)
        for _ in range(10):
            worker.round()
            time.sleep(0.05)
        counts.append([line["event"] for line in told(home)].count("held up"))
    app.close()

    assert counts == [1, 1, 2]


def test_a_backup_is_made_when_it_is_due_and_told(home: Home, app: App, pulse: Pulse) -> None:
    prompt(home)

    work(home, app, pulse).round()

    (backup,) = app.backups("main")
    assert told(home)[1:] == [
        {"event": "backup", "group": "main", "events": 1, "size": backup.size}
    ]


def test_no_backup_is_made_before_it_is_due(home: Home, app: App, pulse: Pulse) -> None:
    prompt(home)
    app.drain()
    app.backup("main")

    work(home, app, pulse).round()

    assert (len(app.backups("main")), told(home)) == (1, [])


def test_chores_are_not_done_in_each_round(home: Home, app: App, pulse: Pulse) -> None:
    worker = work(home, app, pulse)
    worker.round()
    prompt(home)

    worker.round()

    assert app.backups("main") == []


def test_a_group_without_events_gets_no_backup(home: Home, app: App, pulse: Pulse) -> None:
    (home.path / "groups" / "empty").mkdir(parents=True, mode=0o700)

    work(home, app, pulse).round()

    assert app.backups("empty") == []


def test_what_says_the_same_is_merged_when_it_is_due_and_told_in_numbers(
    home: Home, pulse: Pulse
) -> None:
    app = open_app(str(home.path), embedder=Blunt())
    for text in ("The till sells tea at its database", "The till sells tea at its db"):
        app.remember("main", Said(text=text), Caller())
    app.backup("main")
    app.understand("main")

    work(home, app, pulse).round()
    work(home, app, pulse).round()
    app.close()

    assert told(home) == [{"event": "merged", "group": "main", "memories": 1}]


def test_without_an_embedder_nothing_is_merged(home: Home, app: App, pulse: Pulse) -> None:
    for text in ("The till sells tea at its database", "The till sells tea at its db"):
        app.remember("main", Said(text=text), Caller())
    app.backup("main")

    work(home, app, pulse).round()

    assert (told(home), len(app.list("main", Wanted()))) == ([], 2)


@pytest.mark.parametrize(
    ("waits", "known"), [((60.0, 60.0), 0), ((60.0, 0.0), 1), ((0.0, 60.0), 1)]
)
def test_what_came_is_curated_when_it_is_calm_or_has_waited_long(
    waits: tuple[float, float],
    known: int,
    home: Home,
    app: App,
    pulse: Pulse,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, seconds in zip(("CALM", "HURRY"), waits, strict=True):
        monkeypatch.setattr(work_room, name, seconds)
    monkeypatch.setattr(work_room, "CURATE_EVERY", 60.0)
    worker = work(home, app, pulse)
    worker.round()

    prompt(home, "Remember that shelf 7 holds tea")
    prompt(home, "Thanks")  # ends the turn before it
    worker.round()
    worker.round()

    assert (len(app.list("main", Wanted())), pulse.taken) == (known, 2)


def test_it_rests_when_nothing_has_come_for_a_while(home: Home, app: App, pulse: Pulse) -> None:
    rested: list[float] = []
    clock = [0.0]
    rest = Rest([lambda: rested.append(clock[0])], 30.0, lambda: clock[0])
    worker = work(home, app, pulse, rest=rest)
    prompt(home)

    for seconds in (20.0, 40.0, 60.0, 80.0):
        clock[0] = seconds
        worker.round()

    assert rested == [60.0]


def test_chores_at_rest_are_followed_by_another_rest(
    home: Home, app: App, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_room, "CHORES_EVERY", 0.0)
    rested: list[None] = []
    worker = work(home, app, pulse, rest=Rest([lambda: rested.append(None)], 0.0))

    for _ in range(3):
        worker.round()

    assert len(rested) == 3


def test_while_something_is_to_be_curated_the_daemon_is_not_idle(
    home: Home, app: App, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):  # each prompt ends the turn before it
        prompt(home, f"Remember that shelf {number} holds tea {number}")
    app.drain(seconds=None, curating=False)
    monkeypatch.setattr(work_room, "SLICE", 0.0)

    assert work(home, app, pulse).round() > 0


def test_what_a_killed_proof_left_is_removed_and_told_of_without_blame(
    home: Home, app: App, pulse: Pulse
) -> None:
    killed = open_app(str(home.path))
    killed.begin_proof()
    killed.close()

    work(home, app, pulse).round()

    assert not (home.path / PROVING).exists()
    assert told(home) == [{"event": "removed what killed proofs left", "proofs": 1}]
    assert pulse.failures == 0


def test_a_proof_that_runs_is_left_alone(home: Home, app: App, pulse: Pulse) -> None:
    _, ground = app.begin_proof()

    work(home, app, pulse).round()

    assert (ground.is_dir(), told(home)) == (True, [])


def taken_in(home: Home) -> None:
    """Record a prompt and take it in, in a program that has ended."""
    prompt(home, "the quick brown fox")
    before = open_app(str(home.path))
    before.drain()
    before.backup("main")
    before.close()


def change_a_body(home: Home) -> None:
    """Change what was recorded in its place."""
    file = home.path / "groups" / "main" / "transcript.db"
    text = file.read_bytes()
    with file.open("r+b") as opened:
        opened.write(text.replace(b"quick brown fox", b"quick brown cat"))


def test_damage_is_found_in_the_chores_and_its_recovery_told(
    home: Home, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_room, "CHORES_EVERY", 0.0)
    monkeypatch.setattr(work_room, "CURATE_EVERY", 0.0)
    monkeypatch.setattr(work_room, "CURATE_SELDOM", 0.0)
    taken_in(home)
    app = open_app(str(home.path))
    worker = work(home, app, pulse)
    worker.round()

    change_a_body(home)
    for _ in range(3):
        worker.round()
    last = app.last_recovery("main")
    app.close()

    assert last is not None
    fields = {"reason": "damaged", "backup": last.backup, "replayed": 0, "lost": 0}
    assert told(home) == [{"event": "recovered", "group": "main", **fields}]
    assert pulse.failures == 0


def test_damage_that_nobody_recovers_is_told_once(
    home: Home, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_room, "CHORES_EVERY", 0.0)
    home.make()
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    taken_in(home)
    app = open_app(str(home.path))
    worker = work(home, app, pulse)
    worker.round()

    change_a_body(home)
    for _ in range(3):
        worker.round()
    (group,) = app.status().groups
    app.close()

    assert told(home) == [{"event": "check failed", "group": "main", "error": "StoreDamaged"}]
    assert (pulse.failures, pulse.last_failure) == (1, "StoreDamaged")
    assert "Event 1 is not what was written" in str(group.trouble)


def test_damage_that_a_backup_meets_is_recovered(
    home: Home, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_room, "CHECKED_AT_ONCE", 0)
    taken_in(home)
    for file in (home.path / "backups" / "main").iterdir():
        file.unlink()
    change_a_body(home)
    app = open_app(str(home.path))

    work(home, app, pulse).round()
    found = app.verify("main")
    app.close()

    assert found is not None
    assert found.is_sound
    assert [each["event"] for each in told(home)] == ["chores failed"]
