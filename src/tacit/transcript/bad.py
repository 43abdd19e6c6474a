"""What could not be understood: kept with the reason, capped, the oldest going first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.paths import BAD, SPOOL
from tacit.transcript import files

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 50 << 20
MOST = 1000


def keep(home: Path, name: str, reason: str, data: bytes) -> None:
    """Put an entry aside, its reason in the first line."""
    folder = home / SPOOL / BAD
    files.make_directory(home, folder)
    files.replace(folder / name, f"{reason}\n".encode() + data)
    _cap(folder)


def listed(home: Path) -> list[Path]:
    """Return what was put aside, the oldest first."""
    folder = home / SPOOL / BAD
    return sorted(folder.glob("[0-9]*")) if folder.is_dir() else []


def reason_of(file: Path) -> str:
    """Return why an entry was put aside."""
    with file.open("rb") as opened:
        return opened.readline(1000).decode("utf-8", "replace").strip()


def erase(home: Path, text: bytes) -> int:
    """Remove every entry that holds *text*; return how many went."""
    holding = [file for file in listed(home) if text in file.read_bytes()]
    for file in holding:
        file.unlink()
    return len(holding)


def _cap(folder: Path) -> None:
    kept = sorted(folder.glob("[0-9]*"))
    size = sum(file.stat().st_size for file in kept)
    while kept and (size > LARGEST or len(kept) > MOST):
        oldest = kept.pop(0)
        size -= oldest.stat().st_size
        oldest.unlink(missing_ok=True)
