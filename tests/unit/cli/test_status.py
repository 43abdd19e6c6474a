"""`tacit status`: whether it records, what waits, what went wrong; for people and programs."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tacit.capture import hooklog
from tacit.cli.main import tacit
from tacit.compose import open_app

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool
    from unit.cli.conftest import Program

MINUTE_NS = 60 * 1_000_000_000


def status() -> dict[str, list[str]]:
    """Return the lines for people, by their name."""
    shown = CliRunner().invoke(tacit, ["status"], catch_exceptions=False).stdout
    lines: dict[str, list[str]] = {}
    for line in shown.splitlines():
        lines.setdefault(line[:12].strip(), []).append(line[12:])
    return lines


def status_for_programs() -> dict[str, Any]:
    shown = CliRunner().invoke(tacit, ["status", "--json"], catch_exceptions=False).stdout
    found: dict[str, Any] = json.loads(shown)
    return found


def publish(spool: Spool, age_ns: int) -> None:
    spool.publish(b"{}", event="Stop", received_ns=time.time_ns() - age_ns, client="claude-code")


def test_a_new_home_records_and_has_nothing_to_tell(home: Home) -> None:
    found = status()

    assert found == {
        "home": [str(home.path)],
        "recording": ["yes"],
        "waiting": ["no events"],
        "hook": ["no failures"],
    }


def test_programs_get_every_field(home: Home) -> None:
    found = status_for_programs()

    assert found == {
        "home": str(home.path),
        "recording": True,
        "paused": [],
        "excluded": [],
        "events_waiting": 0,
        "oldest_waiting_ns": None,
        "hook_failures": 0,
        "last_hook_failure": None,
        "temporary_files_removed": 0,
    }


def test_what_is_paused_and_excluded_is_listed(home: Home) -> None:
    open_app().pause(None)
    open_app().pause("/srv/shop")
    (home.path / "config.toml").write_text(
        '[capture]\nexclude = ["/nowhere/private"]', encoding="utf-8"
    )

    found = status()

    assert (found["recording"], found["paused in"], found["excluded"]) == (
        ["paused: `tacit resume` to go on"],
        ["/srv/shop"],
        ["/nowhere/private"],
    )


@pytest.mark.parametrize(
    ("ages_ns", "told"),
    [
        ([7 * MINUTE_NS + 5], "1 event in the spool, the oldest 7 min old"),
        ([0, 2 * MINUTE_NS, 0], "3 events in the spool, the oldest 2 min old"),
        ([-5 * MINUTE_NS], "1 event in the spool, the oldest 0 min old"),
    ],
)
def test_events_that_wait_are_counted_and_the_oldest_is_told(
    ages_ns: list[int], told: str, spool: Spool
) -> None:
    for age_ns in ages_ns:
        publish(spool, age_ns)

    found = status()

    assert found["waiting"] == [told]


@pytest.mark.parametrize("name", [".DS_Store", "README", "-", "x-1-2-3"])
def test_files_that_are_no_events_are_not_counted(name: str, home: Home, spool: Spool) -> None:
    publish(spool, 3 * MINUTE_NS)
    (home.path / "spool" / "new" / name).touch()

    found = status()

    assert found["waiting"] == ["1 event in the spool, the oldest 3 min old"]


def test_failures_of_the_hook_are_counted_and_the_last_is_told(root: int) -> None:
    hooklog.append(root, "Stop", ValueError())
    hooklog.append(root, "Stop", KeyError())

    found = status()

    assert (found["hook"][0][:22], found["hook"][0][-13:]) == (
        "2 failures, the last: ",
        "Stop KeyError",
    )


def test_a_failure_of_the_real_hook_is_counted(home: Home) -> None:
    home.hook("Stop", b"")

    found = status_for_programs()

    assert (found["hook_failures"], found["last_hook_failure"].split()[1]) == (1, "Stop")


def test_a_directory_s_name_cannot_fool_the_terminal(home: Home) -> None:
    del home  # its own
    open_app().pause("/srv/\x1b[31mred\nrecording   yes\u202e")

    found = status()

    assert found["paused in"] == ["/srv/red recording yes"]


def test_the_process_prints_what_programs_can_read(home: Home, program: Program) -> None:
    ended = program("status", "--json")

    told = json.loads(ended.stdout)
    assert (ended.returncode, ended.stderr, told["home"]) == (0, b"", str(home.path))


def test_the_process_prints_no_colour_into_a_pipe(program: Program) -> None:
    ended = program("status")

    assert (ended.returncode, b"\x1b" in ended.stdout) == (0, False)
