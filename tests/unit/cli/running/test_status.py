"""`tacit status`: whether it records, what is kept, what waits, what went wrong."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from click.testing import CliRunner

from rig import erased
from tacit.capture import failures
from tacit.cli.main import tacit
from tacit.cli.running.status import lines
from tacit.compose import open_app
from tacit.embed.local import MODEL
from tacit.install.command import write_launcher

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool
    from unit.cli.conftest import Program

MINUTE_NS = 60 * 1_000_000_000
HOUR_NS = 60 * MINUTE_NS
NOW_NS = 1_790_000_000 * 1_000_000_000


def status(*arguments: str) -> dict[str, list[str]]:
    """Return the lines for people, by their name."""
    shown = CliRunner().invoke(tacit, ["status", *arguments], catch_exceptions=False).stdout
    found: dict[str, list[str]] = {}
    for line in shown.splitlines():
        found.setdefault(line[:12].strip(), []).append(line[12:])
    return found


def status_for_programs(*arguments: str) -> dict[str, Any]:
    shown = CliRunner().invoke(tacit, ["status", "--json", *arguments], catch_exceptions=False)
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


def waiting() -> str:
    """Return what people are told about the spool as it is now, nothing taken in."""
    app = open_app(now_ns=lambda: NOW_NS)
    told = dict(lines(app.status(), NOW_NS))["waiting"]
    app.close()
    return told


def publish(spool: Spool, age_ns: int) -> None:
    spool.publish(b"{}", event="Stop", received_ns=NOW_NS - age_ns, client="claude-code")


def test_in_a_new_home_nothing_is_recorded_and_it_says_how_to_begin(home: Home) -> None:
    shown = CliRunner().invoke(tacit, ["status"], catch_exceptions=False).stdout

    assert shown.splitlines() == [
        f"home        {home.path}",
        "recording   no client runs our hooks: `tacit install` lets Claude Code",
        "waiting     no events",
        "hook        no failures",
        f"meaning     {MODEL}, nothing to understand yet",
        "reading     by rules alone: llm.provider is none",
        f"engine      SQLite {apsw.sqlite_lib_version()}, journal wal",
        "sizes       nothing",
        "",
        "Nothing is recorded yet. Run `tacit install`, then work as always.",
    ]


def test_with_hooks_in_the_client_s_settings_it_records_and_says_where(home: Home) -> None:
    settings = home.scratch / "user" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"hooks": {"Stop": ["tacit-hook.py"]}}', encoding="utf-8")

    found = status()

    assert (found["recording"], found["hooked in"]) == (["yes"], [str(settings)])


def test_where_hooks_record_in_another_home_it_does_not_claim_to_record(home: Home) -> None:
    client = home.scratch / "user" / ".claude"
    write_launcher(client / "tacit-hook.py", home.scratch / "other")
    (client / "settings.json").write_text('{"hooks": {"Stop": ["tacit-hook.py"]}}')

    found = status()

    told = f"hooks record in {home.scratch}/other; only commands use this home"
    assert (found["recording"], found["elsewhere"]) == (["not in this home"], [told])


def test_programs_get_every_field(home: Home) -> None:
    found = status_for_programs()

    assert found.pop("free") > 0
    assert found == {
        "home": str(home.path),
        "recording": True,
        "paused": [],
        "excluded": [],
        "events_waiting": 0,
        "oldest_waiting_ns": None,
        "events_bad": 0,
        "hook_failures": 0,
        "last_hook_failure": None,
        "lost": [],
        "settings_problems": [],
        "is_failing": False,
        "is_read_only": False,
        "daemon_stopped": False,
        "temporary_files_removed": 0,
        "engine": f"SQLite {apsw.sqlite_lib_version()}",
        "journal": "wal",
        "journal_reason": None,
        "sizes": {"groups": 0, "spool": 0, "done": 0, "bad": 0, "backups": 0, "logs": 0},
        "embedder": MODEL,
        "embedder_trouble": None,
        "llm": "none",
        "llm_trouble": None,
        "groups": [],
        "memories": [],
        "hooked": [],
        "workspaces": [],
    }


def test_programs_get_every_field_of_a_group(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    (found,) = status_for_programs()["groups"]

    assert (found.pop("size") > 0, found.pop("done_size") > 0) == (True, True)
    assert found.pop("recorded_ns") > 0
    assert found == {
        "name": "main",
        "events": 1,
        "sessions": 1,
        "erased": 0,
        "last_backup_ns": None,
        "backups": 0,
        "journal": "wal",
        "recovered": None,
        "trouble": None,
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

    assert waiting() == told


@pytest.mark.parametrize("name", [".DS_Store", "README", "-", "x-1-2-3"])
def test_files_that_are_no_events_are_not_counted(name: str, home: Home, spool: Spool) -> None:
    publish(spool, 3 * MINUTE_NS)
    (home.path / "spool" / "new" / name).touch()

    assert waiting() == "1 event in the spool, the oldest 3 min old"


def test_what_waits_is_taken_in_first(home: Home) -> None:
    home.hook("UserPromptSubmit", {"session_id": "one", "prompt": "hi"})
    home.hook("UserPromptSubmit", {"session_id": "two", "prompt": "hi"})

    found = status()

    assert (found["waiting"], found["group"]) == (
        ["no events"],
        ["main: 2 events, 2 sessions, no backup yet"],
    )


def test_what_could_not_be_understood_is_counted(home: Home) -> None:
    home.hook("Stop", b"no JSON at all")

    found = status()

    assert found["bad"] == ["1 events not understood: see `tacit doctor`"]


@pytest.mark.parametrize(
    ("age_ns", "told"), [(3 * HOUR_NS, "3 h ago"), (50 * HOUR_NS, "2 d ago"), (-HOUR_NS, "now")]
)
def test_the_age_of_the_last_backup_is_told(age_ns: int, told: str, home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    app = open_app(now_ns=lambda: time.time_ns() - age_ns)
    app.drain()
    app.backup("main")
    app.close()

    found = status()

    assert found["group"] == [f"main: 1 event, 1 session, last backup {told}"]


def test_what_was_erased_is_counted(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "to be forgotten"})
    app = open_app()
    app.drain()
    erased(app, "main", matching="forgotten")
    app.close()

    found = status()

    assert found["group"] == ["main: 2 events, 1 session, 1 erased, no backup yet"]


def test_a_recovery_is_told_with_what_was_lost(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    status()
    (home.path / "groups" / "main" / "transcript.db").write_bytes(b"no database" * 1000)

    found = status()

    told = r"main: recovered \(damaged\), 1 events? replayed, nothing lost; the old file is in .*"
    assert re.fullmatch(told, found["recovery"][0])


def test_a_group_that_cannot_be_read_does_not_hide_the_rest(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    status()
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    (home.path / "groups" / "main" / "transcript.db").write_bytes(b"no database" * 1000)
    home.hook("UserPromptSubmit", {"prompt": "more"})

    found = status()

    assert ("is damaged" in found["group"][0], found["waiting"][0][:20]) == (
        True,
        "1 event in the spool",
    )


def test_one_group_may_be_asked_for(home: Home) -> None:
    place = home.project / "walled"
    place.mkdir()
    home.make()
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{place}"]\n', encoding="utf-8")
    for directory in (home.project, place):
        home.hook("UserPromptSubmit", {"cwd": str(directory), "prompt": "hi"}, cwd=directory)

    found = [group["name"] for group in status_for_programs("--group", "work")["groups"]]

    assert (found, len(status_for_programs()["groups"])) == (["work"], 2)


def test_the_sizes_of_what_is_kept_are_told(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    found = status()

    kept = [part.split()[0] for part in found["sizes"][0].split(", ")]
    assert kept == ["groups", "done"]


def test_failures_of_the_hook_are_counted_and_the_last_is_told(root: int) -> None:
    failures.append(root, "Stop", ValueError())
    failures.append(root, "Stop", KeyError())

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
