"""Notes in our home about every file that installing has changed: what it was before us.

They are the backup that uninstalling goes by, owner-only like the rest of the home: a client's
settings may hold keys.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import paths
from tacit.install import files

if TYPE_CHECKING:
    from collections.abc import Callable


def keep(
    home: Path, file: Path, before: str | None, after: str, bare: Callable[[str], str]
) -> None:
    """Remember how a file was before us, also when it was ours already and is only mended."""
    known = kept(home, file)
    if known is not None and before is not None and known["after"] == files.digest(before):
        first = known["before"]
    else:
        first = None if before is None else bare(before)
    told = {"file": str(file), "before": first, "after": files.digest(after)}
    note = _note(home, file)
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.write(note, files.read(note), json.dumps(told))


def kept(home: Path, file: Path) -> dict[str, Any] | None:
    """Return what is remembered of a file; None if that is nothing."""
    return _read(_note(home, file))


def forget(home: Path, file: Path) -> None:
    """Remember a file no longer."""
    _note(home, file).unlink(missing_ok=True)


def known(home: Path) -> list[Path]:
    """Return the files that something is remembered of."""
    notes = sorted((home / paths.INSTALLED).glob("*.json"))
    return [Path(found["file"]) for note in notes if (found := _read(note))]


def _read(note: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(files.read(note) or "null")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _note(home: Path, file: Path) -> Path:
    return home / paths.INSTALLED / f"{files.digest(str(file))[:16]}.json"
