"""On a full disk the loss itself is counted, dated and told, and the daemon can be stopped."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Disk, full
from flow.keeping import tacit
from tacit.capture import failures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def deleted(home: Home) -> None:
    (home.path / "losses").unlink()


def of_before(home: Home) -> None:
    """Let the home be as the release before the first that counts losses left it."""
    for name in ("home.marker", "losses", "capture.conf"):
        (home.path / name).unlink()


def of_before_without_patterns(home: Home) -> None:
    of_before(home)
    (home.path / "patterns.bin").unlink(missing_ok=True)
    (home.path / "told").write_bytes(b"1\tsomebody\n")


@pytest.mark.parametrize("lack", [deleted, of_before, of_before_without_patterns])
def test_prompts_are_counted_where_the_file_for_that_is_missing(
    disk: Disk, lack: Callable[[Home], None]
) -> None:
    disk.home.hook("UserPromptSubmit", {"prompt": "export DB_PASSWORD=Hn4_orchard_99xK"})
    tacit(disk.home.path, "list")
    lack(disk.home)
    with full(disk):
        codes = [prompt(disk) for _ in range(PROMPTS)]
        recorded = len(disk.home.spooled)  # in the room of what gave its place

    lost = [(each.reason, each.count) for each in failures.losses(disk.home.make())]
    assert codes == [0] * PROMPTS
    assert lost == [("ENOSPC", PROMPTS - recorded)]


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


@pytest.fixture
def few_files(home: Home) -> Iterator[Disk]:
    made = Disk(home.scratch / "disk", "nr_inodes=150")
    if not made.is_small:
        pytest.skip("no disk can be mounted here that could be full")
    try:
        with made.daemons:
            yield made
            for file in made.home.scratch.glob("filler*"):
                file.unlink()
    finally:
        made.close()


def use_up_files(disk: Disk) -> None:
    """Make files until there can be no more."""
    with suppress(OSError):
        for number in count():
            (disk.home.scratch / f"filler{number}").touch()


@pytest.mark.parametrize("is_started_by_hook", [True, False], ids=["by a hook", "by a command"])
def test_the_daemon_of_a_new_home_can_be_stopped_where_no_file_can_be_made(
    few_files: Disk, *, is_started_by_hook: bool
) -> None:
    home = few_files.home
    if is_started_by_hook:
        home.wake()
        home.hook("SessionStart", {"source": "startup"})
        few_files.daemons.until_alone()
    else:
        few_files.daemons.start()
    assert not (home.path / "patterns.bin").exists()
    use_up_files(few_files)

    stopped = tacit(home.path, "daemon", "stop")
    home.hook("SessionStart", {"source": "startup"})
    status = tacit(home.path, "status").stdout

    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (
        0,
        "The daemon has stopped.\n",
        "",
    )
    assert few_files.daemons.alive() == []
    assert "stopped by hand; `tacit daemon start`" in status


def test_what_is_excluded_stays_so_where_a_file_gave_its_place(few_files: Disk) -> None:
    home = few_files.home
    few_files.daemons.start()
    (home.path / "config.toml").write_text(
        f'[capture]\nexclude = ["{home.project}"]\n', encoding="utf-8"
    )
    use_up_files(few_files)
    tacit(home.path, "daemon", "stop")

    home.hook("UserPromptSubmit", {"prompt": "off the record"})

    assert (home.path / "daemon.stopped").read_bytes().startswith(b"stamp ")
    assert b"off the record" not in home.bytes_on_disk()
