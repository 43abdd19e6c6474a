"""The home of an installed hook is the one written at install: nothing leads it elsewhere."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.hostile import ORDER, clone, everything
from rig import Home, only_linux

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "Stop", "SessionEnd")
STARTED = {"source": "startup", "prompt": "go on"}


def test_a_repository_that_sets_every_variable_changes_nothing(home: Home) -> None:
    hostile = clone(home.project)
    before = everything(hostile.directory)
    home.wake("")  # a daemon that ends at once

    ran = [home.hook(event, STARTED, env=home.environment(**hostile.variables)) for event in EVENTS]

    assert [(each.code, each.out, each.err) for each in ran] == [(0, b"", b"")] * len(EVENTS)
    assert len(home.entries) == len(EVENTS)
    assert everything(hostile.directory) == before
    assert not hostile.ran.exists()


@only_linux
def test_a_daemon_that_a_hook_starts_knows_nothing_of_the_repository(home: Home) -> None:
    hostile = clone(home.project)
    before = everything(hostile.directory)
    home.wake()
    with Daemons(home) as daemons:
        home.hook("SessionStart", STARTED, env=home.environment(**hostile.variables))

        pid = daemons.until_alone()
        until(lambda: home.spooled == [], "an empty spool")
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123  (of the system)
            environment = file.read()

    names = {each.partition(b"=")[0] for each in environment.split(b"\0") if each}
    assert names <= {b"LC_CTYPE"}
    assert everything(hostile.directory) == before
    assert not hostile.ran.exists()


@pytest.mark.parametrize("name", ["capture.conf", "brief", "redaction.key"])
def test_a_file_that_comes_from_elsewhere_counts_for_nothing(home: Home, name: str) -> None:
    hostile = clone(home.project)
    home.hook("Stop", {})
    shutil.copy(hostile.home / name, home.path / name)

    ran = home.hook("SessionStart", STARTED)

    assert (ran.code, ORDER.encode() in ran.out) == (0, False)
    assert not hostile.ran.exists()


def off_for_all(home: Home) -> None:
    (home.path / "paused").write_text("*", encoding="utf-8")


def off_here(home: Home) -> None:
    (home.path / "paused").write_text(str(home.project), encoding="utf-8")


def excluded(home: Home) -> None:
    text = f'[capture]\nexclude = ["{home.project}"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def untouched(_conf: Path) -> None: ...


def emptied(conf: Path) -> None:
    conf.write_bytes(b"")


def unstamped(conf: Path) -> None:
    conf.write_text("sources\t- -\n", encoding="utf-8")


def up_to_date_but_unstamped(conf: Path) -> None:
    lines = conf.read_bytes().splitlines(keepends=True)
    conf.write_bytes(b"".join(line for line in lines if line.startswith(b"sources")))


def open_to_others(conf: Path) -> None:
    conf.chmod(0o644)


def removed(conf: Path) -> None:
    conf.unlink()


def without_its_secret(conf: Path) -> None:
    (conf.parent / "redaction.key").unlink()


@pytest.mark.parametrize("kept_out", [off_for_all, off_here, excluded])
@pytest.mark.parametrize(
    "spoil",
    [
        untouched,
        emptied,
        unstamped,
        up_to_date_but_unstamped,
        open_to_others,
        removed,
        without_its_secret,
    ],
)
def test_off_exclude_and_pause_hold_whatever_becomes_of_what_was_compiled(
    home: Home, kept_out: Callable[[Home], None], spoil: Callable[[Path], None]
) -> None:
    home.make()
    kept_out(home)
    home.hook("Stop", {"last_assistant_message": "off the record"})
    spoil(home.path / "capture.conf")

    ran = home.hook("Stop", {"last_assistant_message": "off the record"})

    assert (ran.code, home.spooled) == (0, [])
    assert b"off the record" not in home.bytes_on_disk()


@pytest.mark.parametrize("has_settings", [True, False])
def test_a_brief_line_without_a_stamp_is_not_carried_over(
    home: Home, *, has_settings: bool
) -> None:
    home.hook("Stop", {})
    if has_settings:
        (home.path / "config.toml").write_text("[backup]\nkeep = 3\n", encoding="utf-8")
    (home.path / "brief").write_text(f"b-1\n{ORDER}", encoding="utf-8")
    (home.path / "capture.conf").write_text("brief\tmain\tbrief\t*\n", encoding="utf-8")

    ran = home.hook("SessionStart", STARTED)

    assert (ran.out, len(home.entries)) == (b"", 2)
    assert b"brief" not in (home.path / "capture.conf").read_bytes()


def test_a_home_that_was_restored_from_a_copy_records_on(home: Home) -> None:
    home.hook("Stop", {})
    shutil.copytree(home.path, home.scratch / "copy")
    shutil.rmtree(home.path)
    (home.scratch / "copy").rename(home.path)

    ran = home.hook("Stop", {})

    assert (ran.code, len(home.entries), home.log) == (0, 2, [])


def test_a_directory_that_is_no_home_is_left_alone_and_the_session_is_told(home: Home) -> None:
    home.path.mkdir(mode=0o755)
    (home.path / "notes.txt").write_text("mine", encoding="utf-8")
    before = (everything(home.path), home.path.stat().st_mode)

    started, stopped = home.hook("SessionStart", STARTED), home.hook("Stop", {})

    assert (started.code, b"tacit doctor" in started.out) == (0, True)
    assert (stopped.code, stopped.out) == (0, b"")
    assert (everything(home.path), home.path.stat().st_mode) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser owns the root of the system")
def test_the_root_of_the_system_is_left_alone(home: Home) -> None:
    before = os.stat("/").st_mode  # noqa: PTH116
    text = home.launcher.read_text(encoding="utf-8").replace(repr(str(home.path)), repr("/"))
    home.launcher.write_text(text, encoding="utf-8")

    ran = home.hook("Stop", {})

    assert (ran.code, os.stat("/").st_mode) == (0, before)  # noqa: PTH116
    assert not any(os.path.exists(f"/{name}") for name in ("spool", "home.marker", "losses"))  # noqa: PTH110
