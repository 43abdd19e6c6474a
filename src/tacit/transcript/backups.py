"""Backups: made with SQLite's own backup, verified after writing, the newest seven kept.

A plain copy of a database in use can be torn; these cannot. A backup that does not verify is never
kept and never restored.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tacit.errors import NotFound, StoreDamaged, TacitError
from tacit.leftovers import is_running
from tacit.store.sqlite import opening
from tacit.transcript.files import size_of
from tacit.transcript.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.files import Files
    from tacit.transcript.verify import Verified

_DAY_NS = 24 * 3600 * 1_000_000_000
_FORM = "%Y%m%dT%H%M%S"
_NAME = re.compile(r"[0-9]{6}-[0-9]{8}T[0-9]{6}-[0-9]+\.db")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One kept backup."""

    path: Path
    number: int
    made_ns: int
    seq: int
    size: int


def make(
    store: SqliteStore,
    files: Files,
    engine: Engine,
    now_ns: int,
    progress: Callable[[int, int], object] | None = None,
) -> Backup:
    """Copy the transcript, verify the copy, and keep it."""
    stamp = datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime(_FORM)
    _sweep(files)
    temporary = files.backups / f".{os.getpid()}.tmp"
    try:
        store.connection.copy_to(temporary)
        found = check(temporary, engine, progress)
        if not found.is_sound:
            raise StoreDamaged(
                f"The transcript cannot be backed up: {found.findings[0]} Run `tacit verify`."
            )
        number = max((each.number for each in listed(files)), default=0) + 1
        final = files.backups / f"{number:06d}-{stamp}-{found.head.seq}.db"
        _settle(temporary, final)
    finally:
        for left in files.backups.glob(f"{temporary.name}*"):  # its journal too
            left.unlink()
    return Backup(
        path=final,
        number=number,
        made_ns=now_ns // 1_000_000_000 * 1_000_000_000,
        seq=found.head.seq,
        size=size_of(final),
    )


def check(
    path: Path, engine: Engine, progress: Callable[[int, int], object] | None = None
) -> Verified:
    """Verify a backup; it is not changed."""
    store = opening.open_existing(path, engine)
    try:
        return verify(store, None, progress)
    finally:
        store.close()


def listed(files: Files) -> list[Backup]:
    """Return the kept backups, the newest first."""
    found = files.backups.iterdir() if files.backups.is_dir() else []
    ours = [path for path in found if _NAME.fullmatch(path.name)]
    described = [_described(path) for path in sorted(ours, reverse=True)]
    return [backup for backup in described if backup]  # without one that has just been let go


def time_of(path: Path) -> int:
    """Return when a backup was made: by its name, else by its file."""
    described = _described(path) if _NAME.fullmatch(path.name) else None
    return described.made_ns if described else path.stat().st_mtime_ns


def newest_sound(files: Files, engine: Engine) -> Backup | None:
    """Return the newest backup that verifies."""
    for backup in listed(files):
        try:
            if check(backup.path, engine).is_sound:
                return backup
        except TacitError:
            continue
    return None


def chosen(files: Files, engine: Engine, name: str | None) -> Path:
    """Return the backup that a user named, the newest that verifies if none."""
    if name is None:
        newest = newest_sound(files, engine)
        if newest:
            return newest.path
    for backup in listed(files) if name else []:
        if backup.path.name.startswith(str(name)) or str(backup.path) == name:
            return backup.path
    if name is None and listed(files):
        raise StoreDamaged("No backup verifies. `tacit restore FILE` takes one of your own.")
    raise NotFound("There is no such backup. `tacit backup --list` shows what there is.")


def prune(files: Files, keep: int) -> int:
    """Remove all but the newest; return how many went."""
    old = listed(files)[max(1, keep) :]
    for backup in old:
        backup.path.unlink()
    return len(old)


def is_due(files: Files, now_ns: int) -> bool:
    """Say whether the last backup is older than a day, or from the future."""
    kept = listed(files)
    return not kept or not 0 <= now_ns - kept[0].made_ns < _DAY_NS


def _sweep(files: Files) -> None:
    """Remove what killed programs left half made."""
    for left in files.backups.glob(".*.tmp*"):
        pid = left.name.removeprefix(".").partition(".")[0]
        if not pid.isdigit() or int(pid) == os.getpid() or not is_running(int(pid)):
            left.unlink()


def _settle(temporary: Path, final: Path) -> None:
    """Give a finished copy its name, so that it stays."""
    for path in (temporary, temporary.parent):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if path is temporary:
            temporary.chmod(0o600)
            temporary.rename(final)


def _described(path: Path) -> Backup | None:
    number, when, seq = path.stem.split("-")
    size = size_of(path)
    if not size:
        return None
    made = datetime.strptime(when, _FORM).replace(tzinfo=UTC)
    return Backup(
        path=path,
        number=int(number),
        made_ns=int(made.timestamp()) * 1_000_000_000,
        seq=int(seq),
        size=size,
    )
