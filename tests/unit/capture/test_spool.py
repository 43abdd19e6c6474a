"""The spool: whole files, owner-only, in the order of time, and nothing half-written in sight."""

from __future__ import annotations

import os
import resource
import threading
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.capture import state
from tacit.capture.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

# where flushing costs nothing: it is not what these examples are about
IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
NOON = 1_790_000_000_000_000_000


@contextmanager
def fresh_spool() -> Iterator[Spool]:
    """Open a spool in a home that is thrown away: one for each example."""
    with TemporaryDirectory(dir=IN_MEMORY) as directory:
        root = state.open_home(directory)
        spool = Spool(root)
        try:
            yield spool
        finally:
            spool.close()
            os.close(root)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file of this process grow beyond *room* bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def publish(spool: Spool, payload: bytes = b"{}", received_ns: int = NOON) -> str:
    return spool.publish(payload, event="Stop", received_ns=received_ns, client="claude-code")


def left_behind(home: Home) -> list[Path]:
    return list((home.path / "spool" / "tmp").iterdir())


def test_a_published_event_is_a_header_line_and_the_payload_as_it_came(
    home: Home, spool: Spool
) -> None:
    payload = b'{"prompt":"two\\nlines"}\n\x00\xff'

    name = spool.publish(
        payload,
        event="SessionStart",
        received_ns=NOON,
        client="claude-code",
        group="work",
        answered="b7-1",
    )

    header = f"tacit1 {NOON} SessionStart claude-code {os.getpid()} work b7-1\n"
    assert (home.path / "spool" / "new" / name).read_bytes() == header.encode() + payload


def test_without_a_group_and_an_answer_the_header_says_main_and_a_dash(spool: Spool) -> None:
    name = publish(spool)

    header = spool.read(name).split(b"\n")[0].split(b" ")
    assert header[-2:] == [b"main", b"-"]


def test_a_published_event_is_for_its_owner_alone(home: Home, root: int) -> None:
    os.umask(0)
    spool = Spool(root)

    publish(spool)
    spool.close()

    modes = {path.stat().st_mode & 0o777 for path in (home.path / "spool").glob("**/*")}
    assert (modes, home.spooled[0].stat().st_mode & 0o777) == ({0o700, 0o600}, 0o600)


def test_a_published_event_leaves_no_temporary_file(home: Home, spool: Spool) -> None:
    publish(spool)

    assert left_behind(home) == []


def test_a_thousand_events_of_the_same_moment_stay_in_order() -> None:
    with fresh_spool() as spool:
        published = [publish(spool) for _ in range(1000)]

        waiting = spool.waiting()

    assert waiting == published


@settings(max_examples=25, deadline=None)
@given(times=st.lists(st.integers(min_value=0, max_value=2**63), max_size=12))
def test_names_sort_by_time_and_then_by_the_order_of_publishing(times: list[int]) -> None:
    with fresh_spool() as spool:
        published = [(time, publish(spool, received_ns=time)) for time in times]

        waiting = spool.waiting()

    assert waiting == [name for _, name in sorted(published, key=lambda event: event[0])]


def test_what_came_earlier_sorts_first_though_it_is_published_later(spool: Spool) -> None:
    late = publish(spool, received_ns=NOON)

    early = publish(spool, received_ns=NOON - 3600 * 1_000_000_000)

    assert spool.waiting() == [early, late]


def test_a_time_before_all_time_still_gives_a_name(spool: Spool) -> None:
    name = publish(spool, received_ns=-5)

    assert (spool.waiting(), name[:20]) == ([name], "0" * 20)


def test_spools_of_one_home_never_choose_the_same_name(root: int) -> None:
    spools = [Spool(root) for _ in range(5)]

    names = {publish(spool) for spool in spools}
    for spool in spools:
        spool.close()

    assert len(names) == 5


def test_a_failed_write_leaves_no_temporary_file_and_no_event(home: Home, spool: Spool) -> None:
    payload = b"x" * 10_000

    with full_disk(room=4096), pytest.raises(OSError, match="too large"):
        publish(spool, payload)

    assert (left_behind(home), spool.waiting()) == ([], [])


def test_an_event_that_cannot_be_published_leaves_no_temporary_file(
    home: Home, spool: Spool
) -> None:
    (home.path / "spool" / "new").rmdir()

    with pytest.raises(FileNotFoundError):
        publish(spool)

    assert left_behind(home) == []


def test_failures_keep_no_descriptor_open(home: Home, spool: Spool) -> None:
    (home.path / "spool" / "new").rmdir()
    descriptor = os.dup(0)
    os.close(descriptor)

    with pytest.raises(FileNotFoundError):
        publish(spool)

    following = os.dup(0)
    os.close(following)
    assert following == descriptor


@pytest.mark.parametrize("field", ["event", "client", "group", "answered"])
@pytest.mark.parametrize("word", ["", "two words", "new\nline", "tab\there", "\x1f", "é", "\udcff"])
def test_a_field_that_is_not_one_plain_word_is_refused(
    field: str, word: str, home: Home, spool: Spool
) -> None:
    fields = {"event": "Stop", "client": "claude-code", field: word}

    with pytest.raises(ValueError, match="not one plain word"):
        spool.publish(b"{}", received_ns=NOON, **fields)

    assert (left_behind(home), spool.waiting()) == ([], [])


@pytest.mark.parametrize("name", [".DS_Store", "README", "1-2-3", "0" * 19 + "x-1-2-3", "old.tar"])
def test_a_file_that_is_no_event_does_not_wait(name: str, home: Home, spool: Spool) -> None:
    published = publish(spool)

    (home.path / "spool" / "new" / name).touch()

    assert spool.waiting() == [published]


def test_a_removed_event_waits_no_longer(spool: Spool) -> None:
    first, second = publish(spool), publish(spool)

    spool.remove(first)

    assert spool.waiting() == [second]


def test_a_large_event_is_read_back_whole(spool: Spool) -> None:
    payload = os.urandom(3 << 20)

    name = publish(spool, payload)

    assert spool.read(name).partition(b"\n")[2] == payload


def test_a_spool_that_is_a_link_is_refused(home: Home, root: int) -> None:
    (home.path / "spool").symlink_to(home.project)

    with pytest.raises(OSError, match="spool"):
        Spool(root)


def test_a_sweep_removes_old_temporary_files_only(home: Home, spool: Spool) -> None:
    temporary = home.path / "spool" / "tmp"
    for name, changed_ns in (("old", NOON - 1), ("young", NOON)):
        (temporary / name).touch()
        os.utime(temporary / name, ns=(changed_ns, changed_ns))
    published = publish(spool, received_ns=1)

    removed = spool.sweep(before_ns=NOON)

    left = [file.name for file in left_behind(home)]
    assert (removed, left, spool.waiting()) == (1, ["young"], [published])


def test_a_sweep_leaves_what_it_cannot_remove(home: Home, spool: Spool) -> None:
    stray = home.path / "spool" / "tmp" / "directory"
    stray.mkdir()
    os.utime(stray, ns=(1, 1))

    spool.sweep(before_ns=NOON)

    assert left_behind(home) == [stray]


def test_a_sweep_lives_with_files_that_are_published_meanwhile(home: Home, spool: Spool) -> None:
    temporary = home.path / "spool" / "tmp"
    stop = threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            files = [temporary / f"{number}" for number in range(20)]
            for file in files:
                file.touch()
            for file in files:
                file.unlink(missing_ok=True)

    hooks = threading.Thread(target=come_and_go, daemon=True)
    hooks.start()
    for _ in range(300):
        spool.sweep(before_ns=1)
    stop.set()
    hooks.join()

    assert left_behind(home) == []


def test_the_oldest_is_told_by_when_it_came_and_not_by_its_name(home: Home) -> None:
    spool = Spool(state.open_home(str(home.path)))
    nothing = spool.oldest()

    publish(spool, received_ns=1)
    (home.path / "spool" / "new" / "a-stray-file").touch()

    (file,) = home.spooled[:1]
    assert (nothing, spool.oldest()) == (None, file.stat().st_mtime_ns)
