"""Segments: the rows of each day as they were committed, kept until a later verified backup.

With the last backup they give the whole transcript back. One JSON object a line: a record, or a
tombstone. A line that was cut by a crash is passed over. Erasing rewrites them.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tacit.capture import state
from tacit.model.event import RECORD, Place, Record
from tacit.transcript import files as _files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.transcript.files import Files

LARGEST = 32 << 20
_MANY = 500
_NAME = re.compile(r"[0-9]{8}-[0-9]{4}-[0-9]{2}-[0-9]{2}\.jsonl")
_BYTES = ("digest", "chain", "salt")
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A body that must stay gone."""

    id: str
    at: int
    reason: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A record, and where it happened."""

    record: Record
    place: Place | None


Line = Kept | Tombstone


def append(files: Files, records: Sequence[Record], places: Mapping[str, Place], day: str) -> None:
    """Write rows that were just committed; when this returns, they stay."""
    lines = [_dumped(record, places.get(record.id)) for record in records]
    _append(_current(files, day), lines)


def append_tombstones(files: Files, stones: Sequence[Tombstone], day: str) -> None:
    """Write down which bodies must stay gone."""
    _append(_current(files, day), [_stone(each) for each in stones])


def _current(files: Files, day: str) -> Path:
    """Return the segment to write to: the day's last, or a new one when that is large."""
    last = listed(files)[-1:]
    if last and last[0].stem.endswith(day) and last[0].stat().st_size < LARGEST:
        return last[0]
    return _next(files, day)


def _next(files: Files, day: str) -> Path:
    """Return a new segment; numbered, so that they sort as they were written."""
    numbers = [int(file.stem.partition("-")[0]) for file in listed(files)]
    return files.done / f"{max(numbers, default=0) + 1:08d}-{day}.jsonl"


def _append(file: Path, lines: Sequence[str]) -> None:
    if not lines:
        return
    is_new = not file.exists()
    descriptor = os.open(file, _APPEND, 0o600)
    try:
        state.write_all(descriptor, "".join(f"{line}\n" for line in _whole(file, lines)).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if is_new:
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        os.fsync(folder)
        os.close(folder)


def _whole(file: Path, lines: Sequence[str]) -> Sequence[str]:
    """Begin a new line if a crash has cut the last one."""
    with file.open("rb") as old:
        size = old.seek(0, os.SEEK_END)
        old.seek(max(0, size - 1))
        is_torn = size > 0 and old.read(1) != b"\n"
    return ["", *lines] if is_torn else lines


def read(files: Files) -> Iterator[Line]:
    """Yield what the segments hold, the oldest first; what cannot be read is passed over."""
    for file in listed(files):
        with file.open("rb") as lines:
            for number, line in enumerate(lines):
                parsed = _parsed(line)
                if parsed:
                    yield parsed
                if files.beat and number % _MANY == 0:
                    files.beat()


def listed(files: Files) -> list[Path]:
    """Return the segments, the oldest first."""
    found = files.done.iterdir() if files.done.is_dir() else []
    return sorted(file for file in found if _NAME.fullmatch(file.name))


def prune(files: Files, upto: int) -> int:
    """Remove the segments that hold nothing behind a sequence number; return how many."""
    removed = 0
    for file in listed(files)[:-1]:  # the last one may still be written to
        with file.open("rb") as lines:
            newest = max((_seq(line) for line in lines), default=0)
        if newest > upto:
            break
        file.unlink()
        removed += 1
    return removed


def rewrite(
    files: Files,
    records: Iterable[Record],
    places: Mapping[str, Place],
    stones: Sequence[Tombstone],
    day: str,
) -> None:
    """Begin anew with these rows: what stood at other places of the chain is gone."""
    old = listed(files)
    newest = _next(files, day)
    temporary = files.done / ".rewriting"
    with open(temporary, "wb", opener=_private) as out:
        out.writelines(
            (_dumped(record, places.get(record.id)) + "\n").encode() for record in records
        )
        out.writelines((_stone(stone) + "\n").encode() for stone in stones)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(newest)
    for file in old:
        file.unlink()


def erase(files: Files, ids: Collection[str]) -> int:
    """Take bodies out of the segments; return how many files were rewritten."""
    rewritten = 0
    for file in listed(files):
        lines = file.read_bytes().splitlines(keepends=True)
        left = [_without_body(line, ids) for line in lines]
        if left != lines:
            _files.replace(file, b"".join(left))
            rewritten += 1
    return rewritten


def _without_body(line: bytes, ids: Collection[str]) -> bytes:
    """Return a line without what must go; a torn one could hold it, so it goes as a whole."""
    parsed = _parsed(line)
    if isinstance(parsed, Kept) and parsed.record.id in ids and parsed.record.body is not None:
        bare = replace(parsed.record, salt=None, body=None)
        return (_dumped(bare, parsed.place) + "\n").encode()
    return b"" if parsed is None else line


def _seq(line: bytes) -> int:
    """Return at which sequence number a line stands; 0 for what is no record."""
    parsed = _parsed(line)
    return parsed.record.seq if isinstance(parsed, Kept) else 0


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _stone(stone: Tombstone) -> str:
    return json.dumps({"tombstone": stone.id, "at": stone.at, "reason": stone.reason})


def _dumped(record: Record, place: Place | None) -> str:
    row: dict[str, Any] = {name: getattr(record, name) for name in RECORD}
    for name in _BYTES:
        row[name] = row[name].hex() if row[name] is not None else None
    row["body"] = record.body.decode() if record.body is not None else None
    if place:
        row["place"] = {name: getattr(place, name) for name in place.__slots__}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _parsed(line: bytes) -> Line | None:
    try:
        row = json.loads(line)
        if "tombstone" in row:
            return Tombstone(str(row["tombstone"]), int(row["at"]), str(row["reason"]))
        place = row.pop("place", None)
        for name in _BYTES:
            row[name] = bytes.fromhex(row[name]) if row[name] is not None else None
        row["body"] = row["body"].encode() if row["body"] is not None else None
        return Kept(Record(**row), Place(**place) if place else None)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
