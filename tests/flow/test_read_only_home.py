"""A home on a read-only disk can be read, is never written to, and works again afterwards."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Disk, read_only, until
from flow.keeping import tacit

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from rig import Home

VERBS = {
    "list": ("list",),
    "search": ("search", "Tuesdays"),
    "brief": ("brief",),
    "sessions": ("sessions",),
    "overview": (),
}


@pytest.fixture
def disk(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(home.scratch / "disk")
    if not made.is_small:
        pytest.skip("no disk can be mounted here that could be read-only")
    monkeypatch.setenv("TACIT_HOME", str(made.home.path))
    made.home.hook("UserPromptSubmit", {"prompt": "Remember that we ship on Tuesdays."})
    made.home.hook("Stop", {})
    try:
        yield made
    finally:
        made.close()


def run(disk: Disk, *words: str) -> subprocess.CompletedProcess[str]:
    return tacit(disk.home.path, *words, cwd=disk.home.project)


@pytest.mark.parametrize("words", VERBS.values(), ids=VERBS.keys())
def test_what_is_remembered_can_be_read(disk: Disk, words: tuple[str, ...]) -> None:
    run(disk, "list")

    with read_only(disk):
        ended = run(disk, *words)

    assert (ended.returncode, "ship on Tuesdays" in ended.stdout) == (0, True)
    assert ended.stderr.startswith("The home is read-only: it is shown as it was.\n")


def test_where_a_memory_came_from_can_be_read(disk: Disk) -> None:
    (memory,) = json.loads(run(disk, "list", "--json").stdout)

    with read_only(disk):
        ended = run(disk, "why", memory["id"])

    assert (ended.returncode, "«" in ended.stdout) == (0, True)


def test_status_and_doctor_say_that_nothing_is_recorded(disk: Disk) -> None:
    run(disk, "list")

    with read_only(disk):
        status, doctor = run(disk, "status"), run(disk, "doctor")

    assert (status.returncode, doctor.returncode) == (0, 1)
    assert "no: the home is read-only" in status.stdout
    assert "the home is read-only: what is remembered can be read" in doctor.stdout


def test_a_log_that_was_not_folded_in_is_read_as_well(disk: Disk) -> None:
    disk.daemons.start()
    run(disk, "list")
    disk.home.hook("UserPromptSubmit", {"prompt": "Remember that the canary is called Tweety."})
    disk.home.hook("Stop", {})
    disk.daemons.until_taken()
    for pid in disk.daemons.alive():
        os.kill(pid, signal.SIGKILL)
    until(lambda: disk.daemons.alive() == [], "its death")
    database = disk.home.path / "groups" / "main" / "memory.db"
    assert database.with_name("memory.db-wal").stat().st_size > 0

    with read_only(disk):
        listed, shown = run(disk, "list"), run(disk, "sessions")

    assert (listed.returncode, "ship on Tuesdays" in listed.stdout) == (0, True)
    assert shown.returncode == 0


@pytest.mark.parametrize("words", [("list",), ("search", "canary"), ("brief",)], ids=" ".join)
def test_a_log_without_its_index_is_read_as_well(disk: Disk, words: tuple[str, ...]) -> None:
    disk.daemons.start()
    disk.home.hook("UserPromptSubmit", {"prompt": "Remember that the canary is called Tweety."})
    disk.home.hook("Stop", {"last_assistant_message": "noted"})
    until(lambda: "Tweety" in run(disk, "list").stdout, "the memory", patience=30)
    for pid in disk.daemons.alive():
        os.kill(pid, signal.SIGKILL)
    until(lambda: disk.daemons.alive() == [], "its death")
    group = disk.home.path / "groups" / "main"
    for index in group.glob("*-shm"):
        index.unlink()
    assert {log.name for log in group.glob("*-wal") if log.stat().st_size} >= {"memory.db-wal"}
    before = sorted(each.name for each in group.iterdir())

    with read_only(disk):
        ended = run(disk, *words)

    assert (ended.returncode, "Tweety" in ended.stdout) == (0, True), ended.stderr
    assert sorted(each.name for each in group.iterdir()) == before


def test_what_would_write_is_refused_in_a_sentence(disk: Disk) -> None:
    run(disk, "list")

    with read_only(disk):
        ended = run(disk, "remember", "tea")

    assert (ended.returncode, "is read-only. Make its disk writable" in ended.stderr) == (15, True)


def test_afterwards_everything_works_as_before(disk: Disk) -> None:
    run(disk, "list")
    with read_only(disk):
        run(disk, "list")
        lost = disk.home.hook("UserPromptSubmit", {"prompt": "not kept"}).code

    kept = disk.home.hook("UserPromptSubmit", {"prompt": "Remember that we drink tea."}).code
    disk.home.hook("Stop", {"last_assistant_message": "noted"})

    assert (lost, kept, "drink tea" in run(disk, "list").stdout) == (0, 0, True)
