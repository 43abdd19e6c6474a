"""Where one group's transcript lies, and what keeps it.

Group names are checked before a path is made of them; nothing else in a path ever comes from
outside. The databases of a workspace lie in its own directory, everything else in the home. That
directory is never made here: one that is gone, or not mounted, stays so. The same holds for the
group of a proof: all its files are in one directory, and only a new proof makes one.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture import state
from tacit.errors import NotFound, WorkspaceGone
from tacit.guard.names import is_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# a database, its log, the index of that log, and the log of another journal mode
SUFFIXES = ("", "-wal", "-shm", "-journal")
_MARKS = (paths.TRANSCRIPT, paths.MARK)  # one alone says that there was a transcript
_OF_WORKSPACE = "workspace"  # beside the backups of a workspace, so that they count as its own
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one group in one home."""

    home: Path
    group: str
    beat: Callable[[], object] | None = None  # called now and then while long work goes on
    workspace: Path | None = None  # whose directory holds the databases

    def __post_init__(self) -> None:
        if not is_name(self.group):
            raise NotFound(f"{self.group!r} is no name of a group: use letters, digits, _ and -.")

    @property
    def directory(self) -> Path:
        """Return the group's directory."""
        if self.workspace is not None:
            return self.workspace / paths.OS / paths.OS_MEMORY
        return self.home.joinpath(*directory_of(self.group))

    @property
    def database(self) -> Path:
        """Return the transcript."""
        return self.directory / paths.TRANSCRIPT

    @property
    def quarantine(self) -> Path:
        """Return where damaged files are put aside."""
        return self.directory / paths.QUARANTINE

    @property
    def backups(self) -> Path:
        """Return where the group's backups lie."""
        if self.is_proof:
            return self.directory / paths.BACKUPS
        return self.home / paths.BACKUPS / self.group

    @property
    def done(self) -> Path:
        """Return where the group's segments lie."""
        if self.is_proof:
            return self.directory / paths.DONE
        return self.home / paths.SPOOL / paths.DONE / self.group

    @property
    def is_proof(self) -> bool:
        """Return whether the group belongs to a run of `tacit doctor --prove`."""
        return paths.is_proof(self.group)

    @property
    def is_removed(self) -> bool:
        """Return whether the group belongs to a proof that is over."""
        return self.is_proof and not self.directory.is_dir()

    def half_made(self) -> list[Path]:
        """Return what killed programs left half made."""
        found = [
            *self.directory.glob(f"{paths.SCRATCH}*"),
            *self.directory.glob(f"{paths.MEMORY_SCRATCH}*"),
            *self.directory.glob(".*"),
            *self.backups.glob(".*"),
            *self.done.glob(".*"),
        ]
        return [each for each in found if not each.is_dir()]

    def prepare(self) -> None:
        """Make the directories, each our own and closed to others."""
        if self.is_proof:
            self._prepare_proof()
            return
        own = [] if self.workspace else [self.directory, self.quarantine]
        if self.workspace:
            descriptor = open_memory_of(self.workspace)
            os.close(state.open_directory(descriptor, paths.QUARANTINE))
            os.close(descriptor)
        for place in (*own, self.backups, self.done):
            make_directory(self.home, place)
        note = self.backups / _OF_WORKSPACE
        if self.workspace is None:
            note.unlink(missing_ok=True)
        elif not note.exists():
            replace(note, os.fsencode(self.workspace) + b"\n")

    @property
    def is_of_workspace(self) -> bool:
        """Return whether the databases are in a workspace, even one that was given up."""
        return self.workspace is not None or (self.backups / _OF_WORKSPACE).exists()

    def _prepare_proof(self) -> None:
        """Make the directories inside that of a proof; refuse if that is gone."""
        try:
            descriptor = os.open(self.directory, _DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise NotFound(f"There is no group {self.group}. See `tacit status`.") from error
        try:
            for name in (paths.QUARANTINE, paths.BACKUPS, paths.DONE):
                os.close(state.open_directory(descriptor, name))
        finally:
            os.close(descriptor)

    @property
    def is_begun(self) -> bool:
        """Say whether there is a transcript, or was one."""
        return any((self.directory / mark).exists() for mark in _MARKS)


def make_directory(home: Path, place: Path) -> None:
    """Make a directory below the home, checking every step: no links, nobody else's."""
    descriptor = state.open_home(str(home), is_proven=state.proven)
    try:
        for part in place.relative_to(home).parts:
            inner = state.open_directory(descriptor, part)
            os.close(descriptor)
            descriptor = inner
    finally:
        os.close(descriptor)


def open_memory_of(workspace: Path) -> int:
    """Open where the memory of a workspace lies: nothing is made, and below it no link followed."""
    try:
        above = os.open(workspace, _DIRECTORY)
        try:
            own = os.open(paths.OS, _DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
        finally:
            os.close(above)
        try:
            return _own_directory(own, paths.OS_MEMORY)
        finally:
            os.close(own)
    except OSError as error:
        raise WorkspaceGone(
            f"The workspace {workspace} is not there: {error.strerror}. Bring it back, or take it "
            "out of config.toml; what happens in it waits. See `tacit doctor`."
        ) from error


def _own_directory(parent: int, name: str) -> int:
    """Open a directory that is ours, closed to others from now on."""
    descriptor = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    if os.fstat(descriptor).st_uid != os.geteuid():
        os.close(descriptor)
        raise PermissionError(errno.EPERM, "it belongs to somebody else")
    os.fchmod(descriptor, 0o700)
    return descriptor


def directory_of(group: str) -> tuple[str, str]:
    """Return the path from the home to the directory of a group that is no workspace."""
    return (paths.PROVING if paths.is_proof(group) else paths.GROUPS), group


def groups(home: Path) -> list[str]:
    """Return the groups that have a transcript in the home itself, without those of proofs."""
    found = [name for name in _names_in(home / paths.GROUPS) if not paths.is_proof(name)]
    return [name for name in found if Files(home, name).is_begun]


def proofs(home: Path) -> list[str]:
    """Return the groups of proofs that have a transcript."""
    found = [name for name in _names_in(home / paths.PROVING) if paths.is_proof(name)]
    return [name for name in found if Files(home, name).is_begun]


def _names_in(folder: Path) -> list[str]:
    """Return what in a directory could be a group, sorted; nothing if there is none."""
    try:
        return sorted(name for name in os.listdir(folder) if is_name(name))  # noqa: PTH208
    except (FileNotFoundError, NotADirectoryError):
        return []


def replace(file: Path, data: bytes) -> None:
    """Write a file anew, so that a reader sees the old or the new one, and it stays."""
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        state.replace(folder, file.name, data)
        os.fsync(folder)
    finally:
        os.close(folder)


def put_aside(database: Path, quarantine: Path, now_ns: int) -> str | None:
    """Move a database and its log into quarantine; return where they lie now."""
    stamp = datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime("%Y%m%dT%H%M%S")
    place = quarantine / f"{stamp}-{now_ns % 1_000_000_000:09d}"
    moved = False
    for suffix in SUFFIXES:
        damaged = database.with_name(database.name + suffix)
        if damaged.exists():
            place.mkdir(mode=0o700, exist_ok=True)
            shutil.move(damaged, place / damaged.name)
            moved = True
    return str(place) if moved else None


def day_of(now_ns: int) -> str:
    """Return the day of a moment, as it stands in names and rows."""
    return datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime("%Y-%m-%d")


def moment_of(now_ns: int) -> str:
    """Return a moment as people read it, to the minute."""
    return datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def size_of(place: Path) -> int:
    """Return how many bytes lie in a file or below a directory."""
    if place.is_dir():
        return sum(map(_size, paths_below(place)))
    return _size(place)


def paths_below(place: Path) -> Iterator[Path]:
    """Yield all files and directories below a directory; others may be deleting some of them."""
    for directory, inside, files in os.walk(place):
        for name in (*inside, *files):
            yield Path(directory, name)


def _size(file: Path) -> int:
    """Return the size of a plain file; nothing for one that has just gone."""
    try:
        found = file.lstat()
    except FileNotFoundError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
