"""Notes in our home about every file that installing has changed: what it was before us.

They are the backup that uninstalling goes by, owner-only like the rest of the home: a client's
settings may hold keys. Each says what the installation was asked for by, so that all of them can be
taken back at once.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import paths
from tacit.errors import HomeRefused
from tacit.install import files
from tacit.install.clients import CLIENTS, Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is remembered of one file."""

    file: str
    before: str | None  # what it held; None if there was none
    after: tuple[str, ...]  # what it is known by as long as nobody else has changed it
    made: str | None = None  # the first directory that was not there either
    asked: Asked | None = None

    def is_as_written(self, text: str) -> bool:
        """Say whether nobody has changed the file since."""
        return files.digest(text) in self.after


def prepare(home: Path) -> None:
    """Make room for notes, so that nothing is changed where none can be kept."""
    with _refused(home):
        (home / paths.INSTALLED).mkdir(mode=0o700, parents=True, exist_ok=True)


def keep(
    home: Path,
    file: Path,
    before: str | None,
    after: str,
    bare: Callable[[str], str],
    asked: Asked | None = None,
) -> None:
    """Remember how a file was before us, also when it was ours already and is only mended.

    To be called before it is written: a file that then cannot be is still known to be as it was.
    """
    known = kept(home, file)
    written: tuple[str, ...] = (files.digest(after),)
    first = bare(before) if before and before.strip() else before
    if known is not None and before is not None:
        if known.is_as_written(before):
            first = known.before
            written = (files.digest(before), *written)
        elif known.before is None and files.is_nothing(first or ""):
            first = None
    made = known.made if known is not None else files.missing(file)
    told = Note(file=str(file), before=first, after=written, made=made, asked=asked)
    prepare(home)
    note = _note(home, file)
    with _refused(home):
        files.write(note, files.read(note), json.dumps(asdict(told)))


def kept(home: Path, file: Path) -> Note | None:
    """Return what is remembered of a file; None if that is nothing."""
    return _read(_note(home, file))


def forget(home: Path, file: Path) -> None:
    """Remember a file no longer."""
    with _refused(home):
        _note(home, file).unlink(missing_ok=True)


def known(home: Path) -> list[Path]:
    """Return the files that something is remembered of."""
    return [Path(note.file) for note in all_kept(home)]


def all_kept(home: Path) -> list[Note]:
    """Return everything that is remembered."""
    notes = sorted((home / paths.INSTALLED).glob("*.json"))
    return [found for note in notes if (found := _read(note))]


@contextmanager
def _refused(home: Path) -> Iterator[None]:
    """Tell as a sentence that no notes can be kept."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise HomeRefused(
            f"Cannot keep what files held in {home / paths.INSTALLED}: {why}. "
            "Mend that, then run the same command again."
        ) from error


def _read(note: Path) -> Note | None:
    try:
        found = json.loads(files.read(note) or "null")
        return _parsed(found) if isinstance(found, dict) else None
    except (ValueError, TypeError, KeyError):
        return None


def _parsed(found: dict[str, Any]) -> Note:
    """Return a note; one of an older Tacit says less."""
    after, asked = found["after"], found.get("asked")
    return Note(
        file=found["file"],
        before=found["before"],
        after=(after,) if isinstance(after, str) else tuple(after),
        made=found.get("made"),
        asked=Asked(**asked) if asked and asked["client"] in CLIENTS else None,
    )


def _note(home: Path, file: Path) -> Path:
    return home / paths.INSTALLED / f"{files.digest(str(file))[:16]}.json"
