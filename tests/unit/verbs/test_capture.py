"""The façade: status, pause, resume, redact and what waits, on one open home."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from tacit.capture import failures
from tacit.compose import open_app
from tacit.embed.local import MODEL
from tacit.errors import NothingToResume
from tacit.health import Status
from tacit.install.standing import Around

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool

NOW_NS = 1_790_000_000_000_000_000
HOUR_NS = 3600 * 1_000_000_000


def choose(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def compiled(home: Home) -> list[str]:
    """Return the lines of `capture.conf` behind its stamp and what it was made from."""
    return (home.path / "capture.conf").read_text(encoding="utf-8").splitlines()[2:]


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def publish(spool: Spool, received_ns: int, payload: bytes = b"{}") -> None:
    spool.publish(payload, event="Stop", received_ns=received_ns, client="claude-code")


def test_the_status_of_a_new_home_is_all_quiet(home: Home) -> None:
    status = open_app(now_ns=lambda: NOW_NS).status()

    assert status == Status(
        home=str(home.path),
        recording=True,
        paused=[],
        excluded=[],
        events_waiting=0,
        oldest_waiting_ns=None,
        events_bad=0,
        hook_failures=0,
        last_hook_failure=None,
        lost=[],
        is_failing=False,
        settings_problems=[],
        is_read_only=False,
        daemon_stopped=False,
        temporary_files_removed=0,
        engine=f"SQLite {apsw.sqlite_lib_version()}",
        journal="wal",
        journal_reason=None,
        sizes={"groups": 0, "spool": 0, "done": 0, "bad": 0, "backups": 0, "logs": 0},
        free=status.free,
        embedder=MODEL,
        groups=[],
    )
    assert status.free > 0


def test_the_status_counts_what_waits_and_tells_the_oldest(spool: Spool) -> None:
    for received_ns in (NOW_NS, NOW_NS - 5, NOW_NS + 5):
        publish(spool, received_ns)

    status = open_app(now_ns=lambda: NOW_NS).status()

    assert (status.events_waiting, status.oldest_waiting_ns) == (3, NOW_NS - 5)


def test_files_that_are_no_events_do_not_wait(home: Home, spool: Spool) -> None:
    publish(spool, NOW_NS)
    for name in (".DS_Store", "README"):
        (home.path / "spool" / "new" / name).touch()
    app = open_app(now_ns=lambda: NOW_NS)

    status = app.status()

    assert (status.events_waiting, status.oldest_waiting_ns, len(app.waiting())) == (1, NOW_NS, 1)


def test_the_status_counts_failures_and_tells_the_last(root: int) -> None:
    failures.write(root, "first")
    failures.write(root, "second")

    status = open_app(now_ns=lambda: NOW_NS).status()

    assert (status.hook_failures, (status.last_hook_failure or "").split()[-1]) == (2, "second")


def test_the_status_sweeps_what_was_left_behind_an_hour_ago(home: Home, spool: Spool) -> None:
    del spool  # is there
    temporary = home.path / "spool" / "tmp"
    for name, age_ns in (("left", HOUR_NS + 1), ("at work", HOUR_NS)):
        (temporary / name).touch()
        os.utime(temporary / name, ns=(NOW_NS - age_ns, NOW_NS - age_ns))

    status = open_app(now_ns=lambda: NOW_NS).status()

    left = [file.name for file in temporary.iterdir()]
    assert (status.temporary_files_removed, left) == (1, ["at work"])


def test_the_status_makes_the_settings_count(home: Home) -> None:
    app = open_app(now_ns=lambda: NOW_NS)
    choose(home, '[capture]\nexclude = ["/nowhere/private"]')

    status = app.status()

    assert (status.excluded, compiled(home)) == (
        ["/nowhere/private"],
        ["exclude\t/nowhere/private"],
    )


def test_the_status_names_settings_that_cannot_be_read(home: Home) -> None:
    app = open_app(now_ns=lambda: NOW_NS)
    choose(home, '[llm]\nprovdier = "openai"\n')

    (problem,) = app.status().settings_problems

    assert "llm.provdier; did you mean llm.provider?" in problem


def test_the_status_counts_and_dates_what_was_lost(root: int) -> None:
    for _ in range(3):
        failures.count_loss(root, "ENOSPC")

    (lost,) = open_app(now_ns=lambda: NOW_NS).status().lost

    assert (lost.reason, lost.count) == ("the disk was full", 3)
    assert abs(lost.last_ns - time.time_ns()) < HOUR_NS


def test_the_status_says_that_the_daemon_was_stopped(home: Home) -> None:
    app = open_app(now_ns=lambda: NOW_NS)
    (home.path / "daemon.stopped").touch()

    assert app.status().daemon_stopped


def test_what_is_paused_is_told_place_by_place(home: Home) -> None:
    del home  # its own
    app = open_app(now_ns=lambda: NOW_NS)
    for place in ("/srv/a", None, "/srv/b", "/srv/a"):
        app.pause(place)

    status = app.status()

    assert (status.recording, status.paused) == (False, ["/srv/b", "/srv/a"])


def test_a_pause_counts_for_the_hook_at_once(home: Home) -> None:
    home.hook("Stop", {})

    open_app(now_ns=lambda: NOW_NS).pause(str(home.project))

    home.hook("Stop", {})
    assert len(home.entries) == 1


def test_a_resumed_place_is_recorded_again_and_the_others_are_not(home: Home) -> None:
    app = open_app(now_ns=lambda: NOW_NS)
    for place in ("/srv/a", "/srv/b"):
        app.pause(place)

    app.resume("/srv/a")

    assert compiled(home) == ["off\t/srv/b"]


@pytest.mark.parametrize(
    ("place", "told"), [(None, "not paused everywhere"), ("/srv/a/b", "not paused in /srv/a/b")]
)
def test_only_what_was_paused_can_be_resumed(place: str | None, told: str, home: Home) -> None:
    del home  # its own
    app = open_app(now_ns=lambda: NOW_NS)
    app.pause("/srv/a")

    with pytest.raises(NothingToResume, match=told):
        app.resume(place)


def test_what_waits_is_read_oldest_first(spool: Spool) -> None:
    publish(spool, 2, b"second")
    publish(spool, 1, b"first")

    waiting = open_app(now_ns=lambda: NOW_NS).waiting()

    assert [(entry.received_ns, entry.payload) for entry in waiting] == [
        (1, b"first"),
        (2, b"second"),
    ]


def test_text_is_redacted_with_the_key_of_the_home(home: Home) -> None:
    text = b"The staging password is Vq7-tulip-Lamp42."
    first = open_app(now_ns=lambda: NOW_NS).redact(text)

    again, elsewhere = (open_app(str(path)).redact(text) for path in (home.path, home.project))

    assert (again == first, elsewhere == first, b"tulip" in first) == (True, False, False)


def test_a_closed_home_keeps_no_descriptor_open(home: Home) -> None:
    del home  # its own
    open_app(now_ns=lambda: NOW_NS).close()
    before = open_descriptors()
    app = open_app(now_ns=lambda: NOW_NS)
    app.pause(None)

    app.close()

    assert open_descriptors() == before


def test_a_closed_home_is_used_no_longer(home: Home) -> None:
    del home  # its own
    app = open_app(now_ns=lambda: NOW_NS)

    app.close()

    with pytest.raises(OSError, match="Bad file descriptor"):
        app.status()


def test_the_doctor_looks_at_clients_if_it_is_said_from_where(home: Home) -> None:
    app = open_app(now_ns=lambda: NOW_NS)
    around = Around(environment={"HOME": str(home.scratch)}, directory=home.project, home=home.path)

    found = [[each.name for each in app.doctor(None, each)] for each in (None, around)]

    assert found[1] == [*found[0], "claude-code"]


def test_the_doctor_tells_what_the_daemon_says_of_its_model(home: Home) -> None:
    del home  # its own
    app = open_app(now_ns=lambda: NOW_NS)

    wrong = [each for each in app.doctor(trouble="It cannot be loaded.") if not each.is_fine]

    assert [(each.name, "It cannot be loaded." in each.text) for each in wrong] == [
        ("embedder", True)
    ]
