"""Segments: every committed row as it was, torn lines passed over, erased bodies out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.model.event import Place, Record
from tacit.transcript import segments
from tacit.transcript.segments import Kept, Tombstone
from unit.transcript.events import (
    PLACE,
    bytes_below,
    chained,
    descriptors,
    events,
    flushed,
    fresh_files,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.transcript.files import Files

MONDAY, TUESDAY = "2026-09-21", "2026-09-22"
RECORDS = chained(events(5))
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBER = st.integers(-(2**63), 2**63 - 1)


def records() -> st.SearchStrategy[Record]:
    """Make records of any text, with and without what may be missing."""
    needed = dict.fromkeys(("id", "session", "project", "client", "kind", "origin", "via"), TEXT)
    maybe = {name: TEXT | st.none() for name in ("turn", "tool", "agent")}
    numbers = dict.fromkeys(("seq", "at", "received"), NUMBER)
    return st.builds(
        Record,
        **needed,
        **maybe,
        **numbers,
        digest=st.binary(),
        chain=st.binary(),
        salt=st.binary() | st.none(),
        body=TEXT.map(str.encode) | st.none(),
    )


def seqs(files: Files) -> list[int]:
    """Return which records the segments hold, in the order of reading."""
    return [line.record.seq for line in segments.read(files) if isinstance(line, Kept)]


def tear(file: Path, left: int) -> None:
    """Cut the last line, as a crash in the middle of writing does."""
    file.write_bytes(file.read_bytes()[:-left])


@settings(max_examples=60, deadline=None)
@given(records=st.lists(records(), max_size=4))
def test_any_record_is_read_back_as_it_was_written(records: list[Record]) -> None:
    with fresh_files() as files:
        segments.append(files, records, {}, MONDAY)

        read = list(segments.read(files))

    assert read == [Kept(record, None) for record in records]


@settings(max_examples=30, deadline=None)
@given(place=st.builds(Place, directory=TEXT, project=TEXT, root=TEXT, name=TEXT))
def test_the_place_of_a_record_is_read_back_with_it(place: Place) -> None:
    with fresh_files() as files:
        segments.append(files, RECORDS[:2], {RECORDS[1].id: place}, MONDAY)

        read = list(segments.read(files))

    assert read == [Kept(RECORDS[0], None), Kept(RECORDS[1], place)]


@settings(max_examples=30, deadline=None)
@given(stones=st.lists(st.builds(Tombstone, id=TEXT, at=NUMBER, reason=TEXT), max_size=3))
def test_tombstones_are_read_back_as_they_were_written(stones: list[Tombstone]) -> None:
    with fresh_files() as files:
        segments.append_tombstones(files, stones, MONDAY)

        read = list(segments.read(files))

    assert read == stones


def test_rows_that_follow_each_other_leave_no_empty_line(files: Files) -> None:
    for record in RECORDS:
        segments.append(files, [record], {}, MONDAY)

    lines = bytes_below(files.done).split(b"\n")

    assert (len(lines), lines.index(b"")) == (6, 5)


def test_rows_are_flushed_to_disk_with_the_name_of_a_new_segment(files: Files) -> None:
    with flushed() as first:
        segments.append(files, RECORDS[:1], {}, MONDAY)
    with flushed() as second:
        segments.append(files, RECORDS[1:], {}, MONDAY)

    file, folder = (place.stat().st_ino for place in (segments.listed(files)[0], files.done))
    assert (first, second) == ({file, folder}, {file})


def test_written_segments_keep_no_descriptor_open(files: Files) -> None:
    before = descriptors()

    segments.append(files, RECORDS, {}, MONDAY)

    assert descriptors() == before


def test_rows_are_read_as_they_were_written_though_a_clock_was_set_back(files: Files) -> None:
    segments.append(files, RECORDS[:3], {}, TUESDAY)

    segments.append(files, RECORDS[3:], {}, MONDAY)

    assert seqs(files) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", ["notes.jsonl", "2026 notes - mine.jsonl", ".hidden-1.jsonl"])
def test_a_file_that_is_no_segment_is_passed_over(name: str, files: Files) -> None:
    (files.done / name).touch()

    segments.append(files, RECORDS, {}, MONDAY)

    assert seqs(files) == [1, 2, 3, 4, 5]


def test_nothing_to_write_makes_no_segment(files: Files) -> None:
    segments.append(files, [], {}, MONDAY)
    segments.append_tombstones(files, [], MONDAY)

    assert segments.listed(files) == []


def test_a_group_that_was_never_written_has_no_segments(files: Files) -> None:
    files.done.rmdir()

    assert list(segments.read(files)) == []


def test_a_segment_is_for_its_owner_alone(files: Files) -> None:
    segments.append(files, RECORDS, {}, MONDAY)

    assert [file.stat().st_mode & 0o777 for file in segments.listed(files)] == [0o600]


def test_a_segment_that_is_a_link_is_not_written_to(files: Files) -> None:
    segments.append(files, RECORDS[:1], {}, MONDAY)
    (file,) = segments.listed(files)
    file.rename(files.home / "elsewhere")
    file.symlink_to(files.home / "elsewhere")
    before = (files.home / "elsewhere").read_bytes()

    with pytest.raises(OSError, match="symbolic links"):
        segments.append(files, RECORDS[1:], {}, MONDAY)

    assert (files.home / "elsewhere").read_bytes() == before


@pytest.mark.parametrize("left", [1, 2, 30])
def test_a_torn_last_line_is_passed_over_and_the_next_begins_anew(left: int, files: Files) -> None:
    segments.append(files, RECORDS[:2], {}, MONDAY)
    tear(segments.listed(files)[0], left)

    segments.append(files, RECORDS[2:], {}, MONDAY)

    complete = [1, 2] if left == 1 else [1]  # a line may lack nothing but its end
    assert seqs(files) == [*complete, 3, 4, 5]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"17",
        b'"text"',
        b"[1,2]",
        b"{}",
        b'{"seq":1}',
        b'{"tombstone":"x","at":"y","reason":""}',
        b'{"tombstone":1}',
        b"\xff\xfe\xfd",
        b"\0" * 64,
        b'{"seq":1,"digest":"zz","chain":"","salt":null,"body":null}',
        b'{"seq":1,"digest":5,"chain":"","salt":null,"body":null}',
    ],
)
def test_a_line_that_is_no_record_is_passed_over(line: bytes, files: Files) -> None:
    segments.append(files, RECORDS[:1], {}, MONDAY)
    with segments.listed(files)[0].open("ab") as file:
        file.write(line + b"\n")
    segments.append(files, RECORDS[1:2], {}, MONDAY)

    found = seqs(files)

    assert found == [1, 2]


def test_a_large_segment_is_followed_by_another(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "LARGEST", 1000)

    for record in RECORDS:
        segments.append(files, [record], {}, MONDAY)

    sizes = [file.stat().st_size for file in segments.listed(files)]
    assert (len(sizes) > 1, max(sizes) < 2000, seqs(files)) == (True, True, [1, 2, 3, 4, 5])


def test_a_following_segment_comes_last_though_earlier_ones_have_gone(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "LARGEST", 1)
    for record in RECORDS[:4]:
        segments.append(files, [record], {}, MONDAY)
    segments.prune(files, upto=3)

    segments.append(files, RECORDS[4:], {}, MONDAY)

    assert seqs(files) == [4, 5]


@pytest.mark.parametrize(
    ("upto", "left"), [(0, [1, 2, 3, 4, 5]), (1, [1, 2, 3, 4, 5]), (2, [3, 4, 5]), (4, [5])]
)
def test_pruning_keeps_every_segment_with_something_behind_the_backup(
    upto: int, left: list[int], files: Files
) -> None:
    for day, part in (("01", RECORDS[:2]), ("02", RECORDS[2:4]), ("03", RECORDS[4:])):
        segments.append(files, part, {}, f"2026-09-{day}")

    removed = segments.prune(files, upto)

    assert (seqs(files), removed) == (left, 3 - len(segments.listed(files)))


def test_pruning_never_takes_the_newest_segment(files: Files) -> None:
    segments.append(files, RECORDS, {}, MONDAY)

    removed = segments.prune(files, upto=1000)

    assert (removed, seqs(files)) == (0, [1, 2, 3, 4, 5])


def test_pruning_goes_by_rows_and_not_by_tombstones(files: Files) -> None:
    segments.append(files, RECORDS[:1], {}, MONDAY)
    segments.append_tombstones(files, [Tombstone("evt-9", 1, "asked")], MONDAY)
    segments.append(files, RECORDS[1:], {}, TUESDAY)

    removed = segments.prune(files, upto=1)

    assert (removed, seqs(files)) == (1, [2, 3, 4, 5])


def test_segments_that_begin_anew_hold_what_they_were_given_and_nothing_else(
    files: Files,
) -> None:
    for day in (MONDAY, TUESDAY):
        segments.append(files, RECORDS[:3], {}, day)
    stone = Tombstone("evt-1", 1, "asked")

    segments.rewrite(files, RECORDS[3:], {RECORDS[4].id: PLACE}, [stone], MONDAY)

    assert list(segments.read(files)) == [Kept(RECORDS[3], None), Kept(RECORDS[4], PLACE), stone]
    assert [file.stat().st_mode & 0o777 for file in files.done.iterdir()] == [0o600]


def test_segments_that_begin_anew_are_flushed_to_disk(files: Files) -> None:
    with flushed() as found:
        segments.rewrite(files, RECORDS, {}, [], MONDAY)

    assert {file.stat().st_ino for file in segments.listed(files)} <= found


@pytest.mark.parametrize("day", [MONDAY, TUESDAY])
def test_what_follows_segments_that_began_anew_comes_behind_them(day: str, files: Files) -> None:
    segments.append(files, RECORDS[:2], {}, MONDAY)
    segments.rewrite(files, RECORDS[:3], {}, [], MONDAY)

    segments.append(files, RECORDS[3:], {}, day)

    assert seqs(files) == [1, 2, 3, 4, 5]


def test_erasing_takes_the_bodies_out_and_leaves_the_rest_as_it_was(files: Files) -> None:
    segments.append(files, RECORDS, {RECORDS[0].id: PLACE}, MONDAY)

    segments.erase(files, {"evt-2", "evt-4"})

    assert list(segments.read(files)) == [
        Kept(replace(record, body=None, salt=None) if record.seq in {2, 4} else record, place)
        for record, place in zip(RECORDS, [PLACE, None, None, None, None], strict=True)
    ]


def test_erasing_a_body_keeps_where_its_event_happened(files: Files) -> None:
    segments.append(files, RECORDS[:1], {RECORDS[0].id: PLACE}, MONDAY)

    segments.erase(files, {"evt-1"})

    assert list(segments.read(files)) == [Kept(replace(RECORDS[0], body=None, salt=None), PLACE)]


def test_erasing_rewrites_only_the_segments_that_hold_a_body(files: Files) -> None:
    segments.append(files, RECORDS[:3], {}, MONDAY)
    segments.append(files, RECORDS[3:], {}, TUESDAY)
    before = [file.stat().st_ino for file in segments.listed(files)]

    rewritten = segments.erase(files, {"evt-2"})

    after = [file.stat().st_ino for file in segments.listed(files)]
    assert (rewritten, after[0] != before[0], after[1] == before[1]) == (1, True, True)


def test_erasing_twice_rewrites_nothing_the_second_time(files: Files) -> None:
    segments.append(files, RECORDS, {}, MONDAY)
    segments.erase(files, {"evt-2"})

    again = segments.erase(files, {"evt-2"})

    assert again == 0


def test_erasing_keeps_the_tombstones(files: Files) -> None:
    stone = Tombstone("evt-2", 1, "asked")
    segments.append(files, RECORDS[:2], {}, MONDAY)
    segments.append_tombstones(files, [stone], MONDAY)

    segments.erase(files, {"evt-2"})

    assert list(segments.read(files))[-1] == stone


def test_erasing_removes_torn_lines_for_they_could_hold_what_must_go(files: Files) -> None:
    segments.append(files, RECORDS[:2], {}, MONDAY)
    tear(segments.listed(files)[0], left=3)

    segments.erase(files, {"evt-2"})

    assert b"word 2" not in bytes_below(files.done)
