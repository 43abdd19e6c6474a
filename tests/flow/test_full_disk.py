"""On a full disk the loss itself is counted, dated and told, and the daemon can be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flow.daemons import Disk, full
from flow.keeping import tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

PROMPTS = 9
LONG = "a prompt that fits nowhere " * 400


@pytest.fixture
def disk(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(home.scratch / "disk")
    if not made.is_small:
        pytest.skip("no disk can be mounted here that could be full")
    monkeypatch.setenv("TACIT_HOME", str(made.home.path))
    made.home.hook("UserPromptSubmit", {"prompt": "Remember that we ship on Tuesdays."})
    made.home.hook("Stop", {})
    tacit(made.home.path, "list")
    try:
        with made.daemons:
            yield made
            made.free()
    finally:
        made.close()


def prompt(disk: Disk) -> int:
    return disk.home.hook("UserPromptSubmit", {"prompt": LONG}).code


def test_prompts_that_could_not_be_kept_are_counted_while_the_disk_is_full(disk: Disk) -> None:
    with full(disk):
        codes = [prompt(disk) for _ in range(PROMPTS)]
        status = tacit(disk.home.path, "status")
        doctor = tacit(disk.home.path, "doctor")

    assert codes == [0] * PROMPTS
    assert (status.returncode, doctor.returncode) == (0, 1)
    for told in (status.stdout, doctor.stdout):
        assert f"{PROMPTS} events were lost because the disk was full (20" in told


def test_the_count_outlives_the_full_disk_and_needs_nobody_once_it_records_again(
    disk: Disk,
) -> None:
    with full(disk):
        prompt(disk)
    disk.home.hook("Stop", {"last_assistant_message": "there is room again"})

    status = tacit(disk.home.path, "status", "--json").stdout
    doctor = tacit(disk.home.path, "doctor").stdout.splitlines()

    assert '"reason": "the disk was full"' in status
    assert [line[:4] for line in doctor if "was lost because" in line] == ["ok  "]


def test_the_daemon_can_be_stopped(disk: Disk) -> None:
    disk.daemons.start()

    with full(disk):
        stopped = tacit(disk.home.path, "daemon", "stop")
        status = tacit(disk.home.path, "status").stdout

    assert (stopped.returncode, stopped.stdout) == (0, "The daemon has stopped.\n")
    assert disk.daemons.alive() == []
    assert "stopped by hand; `tacit daemon start`" in status
