"""Files of somebody else: read whole, written in one piece, never over a change of theirs.

Links are followed and stay links, modes stay. A file that its owner locks while it writes is locked
by us as well; a lock that nobody lets go of is a leftover, and does not hold us up. A file that is
blank says as little as one that is not there. What the system refuses is told of the file itself.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.digest import sha256
from tacit.errors import InstallRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Edit = Callable[[str], str]
    Keep = Callable[[str | None, str], None]

EMPTY = "{}\n"
PATIENCE = 3.0  # a client holds its lock for milliseconds
_PAUSE = 0.01
_TRIES = 5


def read(file: Path) -> str | None:
    """Return what a file holds, whatever its bytes are; None if there is none."""
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def said(text: str | None, empty: str = EMPTY) -> str:
    """Return what a file says; one that is not there, or blank, says what an empty one does."""
    return text if text and (text.strip() or not empty) else empty


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Tell what the system refuses as a sentence about the file that is meant."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise InstallRefused(
            f"Cannot change {file}: {why}. Mend that, then run the same command again."
        ) from error


def edit(
    file: Path,
    change: Edit,
    *,
    keep: Keep | None = None,
    is_locked: bool = False,
    empty: str = EMPTY,
) -> tuple[str | None, str]:
    """Change a file; what others write meanwhile is never lost. Return it before and after.

    Both are told to *keep* before anything is written.
    """
    for _ in range(_TRIES):
        with naming(file), _held(file) if is_locked else nullcontext():
            before = read(file)
            after = change(said(before, empty))
            if after == said(before, empty):
                return before, before or ""
            if keep:
                keep(before, after)
            if write(file, before, after):
                return before, after
    raise InstallRefused(f"{file} is being changed all the time. Try again in a moment.")


def write(file: Path, before: str | None, after: str) -> bool:
    """Write a file in one piece, unless it is no longer what it was; keep its modes."""
    target = Path(os.path.realpath(file))
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(after.encode("utf-8", "surrogateescape"))
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).chmod(mode)
        if read(file) != before:
            return False
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)
    return True


def remove(file: Path, made: str | None = None) -> None:
    """Remove a file; of a link, what it leads to. Empty directories go up to the one we *made*."""
    with naming(file):
        Path(os.path.realpath(file)).unlink(missing_ok=True)
    with suppress(OSError):  # somebody else has put something there
        for directory in (each for each in file.parents if made and each.is_relative_to(made)):
            directory.rmdir()


def missing(file: Path) -> str | None:
    """Return the first directory on the way to a file that is not there."""
    return next((str(each) for each in reversed(file.parents) if not each.exists()), None)


def is_nothing(text: str) -> bool:
    """Say whether a text says nothing at all: no instruction, no setting."""
    return "".join(text.split()) in {"", "{}"}


def digest(text: str) -> str:
    """Return what a text is known by."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def _held(file: Path) -> Iterator[None]:
    """Hold the lock that a client takes on its own file: a directory beside it."""
    lock = file.with_name(f"{file.name}.lock")
    file.parent.mkdir(parents=True, exist_ok=True)
    is_ours = _is_made(lock)
    until = time.monotonic() + PATIENCE
    while not is_ours and time.monotonic() < until:
        time.sleep(_PAUSE)
        is_ours = _is_made(lock)
    try:
        yield
    finally:
        if is_ours:
            with suppress(FileNotFoundError):  # whoever took it for a leftover
                lock.rmdir()


def _is_made(lock: Path) -> bool:
    try:
        lock.mkdir()
    except FileExistsError:
        return False
    return True
