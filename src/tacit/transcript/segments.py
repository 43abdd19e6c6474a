"""Segments: the rows of each day as they were committed, kept until a later verified backup.

With the last backup they give the whole transcript back. One JSON object a line: a record, or a
tombstone. A line that was cut by a crash is passed over. Erasing rewrites them.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tacit.capture import state
from tacit.model.event import Place, Record
from tacit.transcript import files as _files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.transcript.files import Files

LARGEST = 32 << 20
_BYTES = ("digest", "chain", "salt")
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A body that must stay gone."""

    seq: int
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
    lines = [
        json.dumps({"tombstone": each.seq, "at": each.at, "reason": each.reason}) for each in stones
    ]
    _append(_current(files, day), lines)


def _current(files: Files, day: str) -> Path:
    """Return the segment to write to: the day's last, or a new one when that is large."""
    todays = sorted(files.done.glob(f"{day}-*.jsonl"))
    if todays and todays[-1].stat().st_size < LARGEST:
        return todays[-1]
    return files.done / f"{day}-{len(todays):04d}.jsonl"


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
            for line in lines:
                parsed = _parsed(line)
                if parsed:
                    yield parsed


def listed(files: Files) -> list[Path]:
    """Return the segments, the oldest first."""
    return sorted(files.done.glob("*.jsonl")) if files.done.is_dir() else []


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


def erase(files: Files, seqs: Collection[int]) -> int:
    """Take bodies out of the segments; return how many files were rewritten."""
    rewritten = 0
    for file in listed(files):
        lines = file.read_bytes().splitlines(keepends=True)
        left = [_without_body(line) if _seq(line) in seqs else line for line in lines]
        if left != lines:
            _files.replace(file, b"".join(left))
            rewritten += 1
    return rewritten


def _without_body(line: bytes) -> bytes:
    parsed = _parsed(line)
    if isinstance(parsed, Kept):
        return (_dumped(replace(parsed.record, salt=None, body=None), None) + "\n").encode()
    return b"" if parsed is None else line  # a torn line could hold what must go


def _seq(line: bytes) -> int:
    """Return which record a line is about; 0 if nobody can tell."""
    parsed = _parsed(line)
    if isinstance(parsed, Kept):
        return parsed.record.seq
    return parsed.seq if parsed else 0


def _dumped(record: Record, place: Place | None) -> str:
    row: dict[str, Any] = {name: getattr(record, name) for name in record.__slots__}
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
            return Tombstone(int(row["tombstone"]), int(row["at"]), str(row["reason"]))
        place = row.pop("place", None)
        for name in _BYTES:
            row[name] = bytes.fromhex(row[name]) if row[name] is not None else None
        row["body"] = row["body"].encode() if row["body"] is not None else None
        return Kept(Record(**row), Place(**place) if place else None)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
