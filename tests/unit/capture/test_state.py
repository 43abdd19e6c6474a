"""The state directory: only what is safely ours is opened, and no reader sees half a file."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home

SOMEBODY_ELSE = 12345
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_a_missing_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "home"
    os.umask(0)

    os.close(state.open_home(str(path)))

    assert mode(path) == 0o700


def test_a_home_that_others_can_enter_is_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    os.close(state.open_home(str(tmp_path)))

    assert mode(tmp_path) == 0o700


def test_a_home_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")

    with pytest.raises(state.Refused, match="is a link or not a directory"):
        state.open_home(str(link))


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "home"
    file.touch()

    with pytest.raises(state.Refused, match="is a link or not a directory"):
        state.open_home(str(file))


@needs_root
def test_a_home_of_somebody_else_is_refused(tmp_path: Path) -> None:
    os.chown(tmp_path, SOMEBODY_ELSE, -1)

    with pytest.raises(state.Refused, match="belongs to another user"):
        state.open_home(str(tmp_path))


def test_a_missing_directory_is_made_for_its_owner_alone(home: Home, root: int) -> None:
    os.umask(0)

    os.close(state.open_directory(root, "logs"))

    assert mode(home.path / "logs") == 0o700


def test_a_directory_that_others_can_enter_is_closed_to_them(home: Home, root: int) -> None:
    (home.path / "logs").mkdir()
    (home.path / "logs").chmod(0o777)

    os.close(state.open_directory(root, "logs"))

    assert mode(home.path / "logs") == 0o700


def test_a_directory_that_is_a_link_is_refused(home: Home, root: int) -> None:
    (home.path / "logs").symlink_to(home.project)

    with pytest.raises(OSError, match="logs"):
        state.open_directory(root, "logs")


@needs_root
def test_a_directory_of_somebody_else_is_refused(home: Home, root: int) -> None:
    (home.path / "logs").mkdir()
    os.chown(home.path / "logs", SOMEBODY_ELSE, -1)

    with pytest.raises(state.Refused, match="belongs to another user"):
        state.open_directory(root, "logs")


def test_many_who_make_a_directory_at_once_all_get_it(home: Home, root: int) -> None:
    opened: list[int] = []
    start = threading.Barrier(4, timeout=10)

    def open_each() -> None:
        for number in range(50):
            start.wait()
            opened.append(state.open_directory(root, f"room-{number}"))

    threads = [threading.Thread(target=open_each) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for descriptor in opened:
        os.close(descriptor)

    assert (len(opened), len(list(home.path.glob("room-*")))) == (200, 50)


def test_a_new_file_is_for_its_owner_alone_whatever_the_umask(home: Home, root: int) -> None:
    os.umask(0)

    os.close(state.open_file(root, "fresh", os.O_WRONLY | os.O_CREAT | os.O_EXCL))

    assert mode(home.path / "fresh") == 0o600


def test_a_file_that_others_can_read_is_closed_to_them(home: Home, root: int) -> None:
    file = home.path / "open"
    file.touch()
    file.chmod(0o644)

    state.read(root, "open")

    assert mode(file) == 0o600


def link(file: Path, other: Path) -> None:
    file.symlink_to(other)


def second_name(file: Path, other: Path) -> None:
    file.hardlink_to(other)


def directory(file: Path, _other: Path) -> None:
    file.mkdir()


def pipe(file: Path, _other: Path) -> None:
    os.mkfifo(file)


def foreign_file(file: Path, _other: Path) -> None:
    file.touch()
    os.chown(file, SOMEBODY_ELSE, -1)


@pytest.mark.parametrize(
    "made", [link, second_name, directory, pipe, pytest.param(foreign_file, marks=needs_root)]
)
def test_whatever_is_not_a_plain_file_of_our_own_is_refused(
    made: Callable[[Path, Path], None], home: Home, root: int
) -> None:
    other = home.scratch / "other"
    other.write_text("led elsewhere", encoding="utf-8")
    made(home.path / "file", other)

    with pytest.raises(OSError, match="file"):
        state.read(root, "file")


def test_a_refusal_leaves_no_descriptor_open(home: Home, root: int) -> None:
    (home.path / "first").touch()
    (home.path / "second").hardlink_to(home.path / "first")
    before = open_descriptors()

    with pytest.raises(state.Refused):
        state.open_file(root, "second", os.O_RDONLY)

    assert open_descriptors() == before


def test_a_long_file_is_read_whole(home: Home, root: int) -> None:
    long = os.urandom(5 << 19)
    (home.path / "long").write_bytes(long)

    found = state.read(root, "long", limit=1 << 30)

    assert found == long


@pytest.mark.parametrize("limit", [0, 1, 7, 1 << 20])
def test_no_more_is_read_than_the_limit(limit: int, home: Home, root: int) -> None:
    (home.path / "long").write_bytes(b"0123456789" * 300_000)

    found = state.read(root, "long", limit)

    assert len(found) == limit


def test_a_missing_file_is_told_apart_from_a_refused_one(root: int) -> None:
    with pytest.raises(FileNotFoundError):
        state.read(root, "nowhere")


def test_a_replaced_file_is_for_its_owner_alone_and_holds_the_new_text(
    home: Home, root: int
) -> None:
    os.umask(0)
    state.replace(root, "key", b"old")

    state.replace(root, "key", b"new")

    assert ((home.path / "key").read_bytes(), mode(home.path / "key")) == (b"new", 0o600)


def test_replacing_a_link_leaves_what_it_points_to_untouched(home: Home, root: int) -> None:
    elsewhere = home.scratch / "elsewhere"
    elsewhere.write_bytes(b"untouched")
    (home.path / "key").symlink_to(elsewhere)

    state.replace(root, "key", b"new")

    assert (elsewhere.read_bytes(), (home.path / "key").is_symlink()) == (b"untouched", False)


def test_a_reader_never_sees_half_a_replaced_file(root: int) -> None:
    versions = (b"a" * 100_000, b"b" * 50_000)
    state.replace(root, "file", versions[0])
    stop = threading.Event()

    def replace_on_and_on() -> None:
        while not stop.is_set():
            for version in versions:
                state.replace(root, "file", version)

    writer = threading.Thread(target=replace_on_and_on, daemon=True)
    writer.start()
    seen = [state.open_file(root, "file", os.O_RDONLY) for _ in range(200)]
    texts = {os.read(descriptor, 1 << 20) for descriptor in seen}
    stop.set()
    writer.join()
    for descriptor in seen:
        os.close(descriptor)

    assert texts <= set(versions)


def test_a_failed_replacement_leaves_the_old_state_and_nothing_else(home: Home, root: int) -> None:
    (home.path / "taken").mkdir()
    before = sorted(file.name for file in home.path.iterdir())

    with pytest.raises(OSError, match="taken"):
        state.replace(root, "taken", b"new")

    assert sorted(file.name for file in home.path.iterdir()) == before


def test_all_is_written_even_where_little_fits_at_a_time() -> None:
    sent = os.urandom(300_000)
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        heard: list[bytes] = []
        reader = threading.Thread(target=lambda: heard.append(source.read()))
        reader.start()

        state.write_all(writing, sent)
        os.close(writing)
        reader.join()

    assert heard == [sent]
