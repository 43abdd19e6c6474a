"""The checks of the doctor: each fine and not, and what mends it."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from tacit import checks as tacit_checks
from tacit.capture import failures
from tacit.install.standing import Finding
from tacit.transcript import bad
from tacit.transcript.recovery import Recovered
from tacit.workspace.standing import Standing
from unit.transcript.events import DAY_NS, NOON, backed_up, ruin

if TYPE_CHECKING:
    from rig import Home
    from tacit.checks import Check
    from tacit.transcript.files import Files
    from tacit.transcript.ledgers import Ledgers

MINUTE_NS = 60 * 1_000_000_000
RECOVERED = Recovered(at=NOON, reason="damaged", backup=None, replayed=3, lost=0, quarantine=None)


class Doctor:
    """Looks at one home."""

    def __init__(self, home: Home, root: int, ledgers: Ledgers) -> None:
        self.home = home.path
        self.root = root
        self.ledgers = ledgers

    def checks(self, *waiting: str, now_ns: int = NOON) -> list[Check]:
        """Look at everything."""
        return tacit_checks.checks(self.home, self.root, self.ledgers, list(waiting), now_ns)

    def look(self, name: str, *waiting: str, now_ns: int = NOON) -> Check:
        """Look at everything; return what was found about one thing in the end."""
        return [each for each in self.checks(*waiting, now_ns=now_ns) if each.name == name][-1]


@pytest.fixture
def doctor(home: Home, root: int, ledgers: Ledgers) -> Doctor:
    """Return a doctor for the test's home."""
    return Doctor(home, root, ledgers)


def waiting(at_ns: int) -> str:
    """Return the name of a spool file of that time."""
    return f"{at_ns:020d}-000001-7-aaaa"


def remember(files: Files, **changes: Any) -> None:
    """Leave the memory of a recovery."""
    told = asdict(RECOVERED) | changes
    (files.directory / "recovered.json").write_text(json.dumps(told), encoding="utf-8")


def test_in_a_new_home_everything_is_fine_and_nothing_is_to_be_mended(doctor: Doctor) -> None:
    checks = doctor.checks()

    names = ["settings", "permissions", "engine", "disk", "spool", "bad", "daemon", "hook"]
    assert [each.name for each in checks] == names
    assert [each for each in checks if not each.is_fine or each.fix] == []


def test_in_a_home_with_a_backup_of_today_everything_is_fine(doctor: Doctor, files: Files) -> None:
    backed_up(files)

    checks = doctor.checks(now_ns=NOON + DAY_NS - 1)

    assert [each for each in checks if not each.is_fine or each.fix] == []
    assert checks[-1].text == "2 events can be read, journal wal"


def test_failures_are_over_once_an_event_was_recorded_after_them(
    doctor: Doctor, files: Files
) -> None:
    backed_up(files)
    failures.write(doctor.root, "Stop OSError: gone wrong")

    before = doctor.look("hook")
    after = doctor.look("hook", waiting(time.time_ns() + MINUTE_NS))

    assert (before.is_fine, after.is_fine) == (False, True)
    assert after.text.endswith("gone wrong; recorded again since")


def test_what_went_wrong_a_moment_after_an_event_is_not_over(doctor: Doctor) -> None:
    recorded = waiting(time.time_ns())
    time.sleep(0.01)
    failures.write(doctor.root, "Stop OSError: gone wrong")
    failures.count_loss(doctor.root, "ENOSPC")

    assert [doctor.look(name, recorded).is_fine for name in ("hook", "lost")] == [False, False]
    time.sleep(0.01)
    later = waiting(time.time_ns())
    assert [doctor.look(name, later).is_fine for name in ("hook", "lost")] == [True, True]


def test_what_was_lost_is_counted_dated_and_explained(doctor: Doctor) -> None:
    for _ in range(2):
        failures.count_loss(doctor.root, "ENOSPC")

    before = doctor.look("lost")
    after = doctor.look("lost", waiting(time.time_ns() + MINUTE_NS))

    assert before.text.startswith("2 events were lost because the disk was full (20")
    assert (before.is_fine, after.is_fine) == (False, True)


def test_a_daemon_that_was_stopped_by_hand_is_told_with_what_lifts_it(doctor: Doctor) -> None:
    (doctor.home / "daemon.stopped").touch()

    found = doctor.look("daemon")

    assert (found.is_fine, found.fix) == (False, "tacit daemon start")


def test_settings_that_cannot_be_read_are_told_with_the_file_to_edit(doctor: Doctor) -> None:
    (doctor.home / "config.toml").write_text("[capture", encoding="utf-8")

    found = doctor.look("settings")

    assert (found.is_fine, found.fix) == (False, f"edit {doctor.home / 'config.toml'}")
    assert str(doctor.home / "config.toml") in found.text


def test_settings_behind_a_link_that_leads_nowhere_are_told(doctor: Doctor) -> None:
    (doctor.home / "config.toml").symlink_to(doctor.home.parent / "unmounted.toml")

    found = doctor.look("settings")

    assert (found.is_fine, "unmounted.toml, which does not exist" in found.text) == (False, True)


def test_a_file_that_others_can_read_is_told_with_the_way_to_close_it(doctor: Doctor) -> None:
    (doctor.home / "notes").touch()
    (doctor.home / "notes").chmod(0o640)

    found = doctor.look("permissions")

    assert (found.is_fine, found.fix) == (False, f"chmod -R go-rwx {doctor.home}")
    assert found.text == "1 files can be read by others, 0 are not yours"


def test_a_link_is_not_asked_what_it_leads_to(doctor: Doctor, home: Home) -> None:
    (home.project / "public").touch()
    (home.project / "public").chmod(0o644)
    (doctor.home / "link").symlink_to(home.project / "public")

    assert doctor.look("permissions").is_fine


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_told(doctor: Doctor) -> None:
    (doctor.home / "foreign").touch()
    os.chown(doctor.home / "foreign", 1234, -1)

    found = doctor.look("permissions")

    assert (found.is_fine, found.text) == (
        False,
        "0 files can be read by others, 1 are not yours",
    )


def test_permissions_are_looked_at_while_events_come_and_go(doctor: Doctor) -> None:
    spool = doctor.home / "spool" / "new"
    spool.mkdir(parents=True)
    stop = threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            events = [spool / f"{number}" for number in range(20)]
            for event in events:
                event.touch()
            for event in events:
                event.unlink()

    hooks = threading.Thread(target=come_and_go, daemon=True)
    hooks.start()
    try:
        found = [doctor.look("permissions").is_fine for _ in range(100)]
    finally:
        stop.set()
        hooks.join()

    assert all(found)


def test_the_engine_is_named_with_its_journal(doctor: Doctor) -> None:
    found = doctor.look("engine")

    assert found.text.startswith(f"SQLite {apsw.sqlite_lib_version()} (")
    assert f", {doctor.ledgers.engine.journal} on " in found.text


def test_an_engine_that_cannot_be_trusted_is_told_with_the_upgrade(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.50.0")

    found = doctor.look("engine")

    assert not found.is_fine
    assert "pip install -U apsw" in str(found.fix)


@pytest.mark.parametrize("age_ns", [0, 10 * MINUTE_NS - 1, -5 * MINUTE_NS])
def test_events_may_wait_for_a_while(age_ns: int, doctor: Doctor) -> None:
    found = doctor.look("spool", waiting(NOON - age_ns))

    assert (found.is_fine, found.text) == (True, "1 events wait")


def test_events_that_wait_too_long_are_told_with_what_takes_them_in(doctor: Doctor) -> None:
    found = doctor.look("spool", waiting(NOON - 10 * MINUTE_NS), waiting(NOON))

    assert (found.is_fine, found.text) == (False, "2 events wait, the oldest for 10 min")
    assert "tacit sessions" in str(found.fix)


def test_events_that_were_not_understood_are_told_with_the_last_reason(doctor: Doctor) -> None:
    for number, reason in ((1, "First reason."), (2, "Second reason.")):
        bad.keep(doctor.home, waiting(number), reason, b"")

    found = doctor.look("bad")

    assert (found.is_fine, found.text) == (
        False,
        "2 events could not be understood, the last: Second reason.",
    )
    assert str(doctor.home / "spool" / "bad") in str(found.fix)


def test_failures_of_the_hook_are_told_with_the_last_one(doctor: Doctor) -> None:
    for event in ("Stop", "SessionEnd"):
        failures.append(doctor.root, event, KeyError("x"))

    found = doctor.look("hook")

    assert (found.is_fine, found.text.split(":")[0]) == (False, "2 failures, the last")
    assert found.text.endswith("SessionEnd KeyError")
    assert "logs/hook.log" in str(found.fix)


def test_a_group_without_a_backup_is_told_with_how_to_make_one(
    doctor: Doctor, files: Files
) -> None:
    found = doctor.look(f"group {files.group}")

    assert (found.is_fine, found.text) == (False, "there is no backup")
    assert found.fix == "tacit backup --group main"


def test_a_group_whose_backup_is_old_is_told_with_how_to_make_one(
    doctor: Doctor, files: Files
) -> None:
    backed_up(files)

    found = doctor.look("group main", now_ns=NOON + DAY_NS)

    assert (found.is_fine, found.text) == (False, "the last backup is older than a day")
    assert found.fix == "tacit backup --group main"


def test_a_group_in_which_nothing_happened_needs_no_backup(doctor: Doctor) -> None:
    doctor.ledgers.get("empty")

    found = doctor.look("group empty")

    assert (found.is_fine, found.text) == (True, "0 events can be read, journal wal")


def test_a_group_that_cannot_be_read_is_told_with_the_way_back(
    doctor: Doctor, files: Files
) -> None:
    ruin(files.database)

    found = doctor.look("group main")

    assert (found.is_fine, found.fix) == (False, "tacit restore --group main")
    assert f"{files.database} is damaged" in found.text


def test_a_group_with_another_journal_than_it_should_have_is_told_with_a_fix(
    doctor: Doctor, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    backed_up(files)
    doctor.ledgers.get("main")
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.50.0")

    found = doctor.look("group main")

    assert (found.is_fine, bool(found.fix)) == (False, True)


def test_a_group_whose_transcript_is_gone_is_told(doctor: Doctor, files: Files) -> None:
    files.database.unlink()

    found = doctor.look("group main")

    assert (found.is_fine, found.fix) == (False, "tacit restore --group main")
    assert "is gone" in found.text


def test_a_recovery_is_told_beside_what_is_there(doctor: Doctor, files: Files) -> None:
    backed_up(files)
    remember(files)

    told = [each.text for each in doctor.checks() if each.name == "group main"]

    assert told == [
        "2 events can be read, journal wal",
        "recovered (damaged), 3 events replayed, nothing lost",
    ]


@pytest.mark.parametrize(
    ("model", "trouble", "is_fine", "text"),
    [
        ("minilm/1", None, True, "minilm/1"),
        ("", None, True, "search by words alone: embed.provider is none"),
        ("", "It is gone. Install it.", False, "search goes on by words: It is gone. Install it."),
        ("minilm/1", "It is gone.", False, "search goes on by words: It is gone."),
    ],
)
def test_the_embedder_is_told_with_what_is_wrong_with_it(
    *, doctor: Doctor, model: str, trouble: str | None, is_fine: bool, text: str
) -> None:
    found = tacit_checks.embedder_check(doctor.home, model, trouble)

    assert (found.name, found.is_fine, found.text) == ("embedder", is_fine, text)
    assert (str(doctor.home / "config.toml") in (found.fix or "")) is not is_fine


def test_what_is_found_on_a_client_s_side_is_a_check_like_the_others() -> None:
    found = tacit_checks.client_check(
        "claude-code", Finding(is_fine=False, text="gone", fix="mend")
    )

    assert found == tacit_checks.Check(name="claude-code", is_fine=False, text="gone", fix="mend")


def test_workspaces_are_told_with_what_mends_them_and_what_is_ignored() -> None:
    fine = Standing(name="a", directory="/srv/a", version="1.0")
    gone = Standing(
        name="b", directory="/srv/b", is_there=False, trouble="It is gone.", fix="mount"
    )

    found = tacit_checks.workspace_checks([fine, gone], ["/srv/clone"])

    assert [(each.name, each.is_fine, each.fix) for each in found] == [
        ("workspace a", True, None),
        ("workspace b", False, "mount"),
        ("workspace", True, None),
    ]
    assert "/srv/clone/.os is not registered and is ignored" in found[2].text
