"""The high-water mark: read back as written, and never believed when it is garbage."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.store.port import Head
from tacit.transcript import mark
from unit.transcript.events import files_in

if TYPE_CHECKING:
    from rig import Home

CHAIN = bytes(range(32))


def test_a_mark_is_read_back_as_it_was_written(home: Home) -> None:
    files = files_in(home.path)

    mark.write(files, Head(1234, CHAIN))

    assert mark.read(files) == Head(1234, CHAIN)


def test_a_later_mark_takes_the_place_of_an_earlier_one(home: Home) -> None:
    files = files_in(home.path)
    mark.write(files, Head(1000, CHAIN))

    mark.write(files, Head(7, CHAIN[::-1]))

    assert mark.read(files) == Head(7, CHAIN[::-1])


def test_without_a_mark_nobody_knows_how_far_the_transcript_had_come(home: Home) -> None:
    files = files_in(home.path)

    assert mark.read(files) is None


@pytest.mark.parametrize(
    "garbage", [b"", b"\n", b"12", b"twelve 00ff", b"12 no-hex", b"12 0ff", b"\xff\xfe", b"\0" * 80]
)
def test_garbage_is_no_mark(garbage: bytes, home: Home) -> None:
    files = files_in(home.path)

    (files.directory / "transcript.mark").write_bytes(garbage)

    assert mark.read(files) is None


def test_each_group_has_a_mark_of_its_own(home: Home) -> None:
    work, play = files_in(home.path, "work"), files_in(home.path, "play")

    mark.write(work, Head(3, CHAIN))

    assert (mark.read(work), mark.read(play)) == (Head(3, CHAIN), None)


def test_a_copy_of_the_mark_outlives_the_group_s_directory(home: Home) -> None:
    files = files_in(home.path)
    mark.write(files, Head(1000, CHAIN))
    mark.write(files, Head(7, CHAIN))

    shutil.rmtree(files.directory)

    assert (mark.read(files), mark.read_copy(files)) == (None, Head(7, CHAIN))


def test_a_copy_that_cannot_be_written_holds_nothing_up(home: Home) -> None:
    files = files_in(home.path)
    (home.path / "reached").mkdir()
    (home.path / "reached" / "main").symlink_to(home.scratch / "elsewhere")

    mark.write(files, Head(7, CHAIN))

    assert (mark.read(files), mark.read_copy(files)) == (Head(7, CHAIN), None)
    assert not (home.scratch / "elsewhere").exists()
