"""A connection to one database file: opened safely, watched, and its troubles told in our words.

The file must be our own and no link. Before each transaction it is looked whether the file is still
the one that was opened: what was renamed, replaced or lost its log under us is let go, never
written to.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw

from tacit.digest import sha256
from tacit.errors import (
    NotFound,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMoved,
    StoreRefused,
)
from tacit.store.sqlite.engine import is_read_only

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from tacit.store.sqlite.engine import Engine

    Stamp = tuple[int, ...] | None

BUSY_MS = 5000
_AGAIN = 0.01  # seconds
_LOOKING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
LARGEST_LOG = 64 << 20
_PREPARED = 1024  # statements run, until one that was not run again is forgotten
_JOINED = nullcontext()  # a transaction inside another
_STEPS = 200_000  # of SQLite's machine: some milliseconds
# Our statements are fixed: one that does not fit the tables says that these are not as they were.
_DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError)
_REFUSED = (
    apsw.ReadOnlyError,
    apsw.CantOpenError,
    apsw.PermissionsError,
    apsw.AuthError,
    apsw.IOError,
)
_UNREADABLE = frozenset(
    (
        apsw.SQLITE_IOERR_READ,
        apsw.SQLITE_IOERR_SHORT_READ,
        apsw.SQLITE_IOERR_CORRUPTFS,
        apsw.SQLITE_IOERR_DATA,
    )
)


class Connection:
    """One database file, open."""

    def __init__(self, path: Path, engine: Engine, *, is_frozen: bool = False) -> None:
        """Open it; a frozen one is only looked at, as it lies there, without its log.

        On a read-only disk it is read with its log, if it has one.
        """
        self.path = path
        self._files = str(path), *_beside(path)
        self._engine = engine
        check_own(path)
        with told(path):
            self._raw = (
                _open_to_read(path, is_frozen=is_frozen)
                if is_frozen or engine.is_read_only
                else apsw.Connection(str(path), statementcachesize=_PREPARED)
            )
            # a log is folded in by whoever is sure that the file is still the right one
            self._raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            # else SQLite prepares each statement with a bound limit anew whenever it is run
            self._raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._raw.set_busy_timeout(BUSY_MS)
            self._raw.create_scalar_function("SEAL", sealed, deterministic=True)
            if engine.beat:
                self._raw.set_progress_handler(self._beaten, _STEPS)
        self._seen = _identity(path)
        self._beside: list[tuple[int, int] | None] = [None, None]
        self._left: list[Stamp] = []  # how the files looked when we last looked
        self._version: object = None
        self._is_altered = False
        self.is_open = True
        self._is_ours = False
        self.journal = ""  # as SQLite says, which may refuse the one that was asked for

    @property
    def is_read_only(self) -> bool:
        """Return whether nothing can be written where the file is."""
        return self._engine.is_read_only

    @property
    def is_outdated(self) -> bool:
        """Return whether it was opened on a read-only disk that can be written to again."""
        return self._engine.is_read_only and not is_read_only(self.path.parent)

    def prepare(self, *, durability: str = "FULL") -> None:
        """Choose the journal and the safety level; only once the schema is known to be ours."""
        if self._engine.is_read_only:
            with told(self.path):
                self.journal = str(self.value("PRAGMA journal_mode"))
            return
        with told(self.path):
            self.journal = self._choose_journal()
            for setting in (
                f"synchronous = {durability}",
                "foreign_keys = ON",
                "secure_delete = ON",
                "trusted_schema = OFF",
                "cell_size_check = ON",
                f"journal_size_limit = {LARGEST_LOG}",
            ):
                self.value(f"PRAGMA {setting}")
            self._version = self.value("PRAGMA data_version")
        self._is_ours = True

    def _choose_journal(self) -> str:
        """Ask for the engine's journal; where another program asks too, SQLite waits for nobody."""
        until = time.monotonic() + BUSY_MS / 1000
        while True:
            try:
                return str(self.value(f"PRAGMA journal_mode = {self._engine.journal}"))
            except apsw.BusyError:
                if time.monotonic() >= until:
                    raise
                time.sleep(_AGAIN)

    def _beaten(self) -> bool:
        """Say that work goes on; never that a statement should end."""
        if self._engine.beat:
            self._engine.beat()
        return False

    def settle(self) -> None:
        """Remember the files as they are now: what is open from here on must stay in place."""
        self._beside = [_identity(each) for each in self._files[1:]]
        self._left = self._stamps()

    def rows(self, statement: str, bindings: Mapping[str, object] | None = None) -> apsw.Cursor:
        """Run a statement; its rows can be iterated."""
        return self._raw.execute(statement, bindings)

    def value(self, statement: str, bindings: Mapping[str, object] | None = None) -> object:
        """Return the first column of the first row; None if there is no row."""
        for row in self.rows(statement, bindings):
            return row[0]
        return None

    def run_all(self, statement: str, bindings: Iterable[Mapping[str, object]]) -> None:
        """Run a statement once for each of these."""
        for _ in self._raw.executemany(statement, bindings):
            pass

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside; nested ones join the outer."""
        return _JOINED if self._raw.in_transaction else self._whole()

    @contextmanager
    def _whole(self) -> Iterator[None]:
        self.watch()
        with told(self.path):
            self._raw.execute("BEGIN IMMEDIATE")
            try:
                self.watch()
                self._note_alteration()
                yield
                self._raw.execute("COMMIT")
            finally:
                self._roll_back()
        self.settle()

    def _roll_back(self) -> None:
        if self._raw.in_transaction:  # neither committed nor rolled back by SQLite itself
            self._raw.execute("ROLLBACK")

    def take_alteration(self) -> bool:
        """Return whether anything but a commit has changed the file or its log since last asked."""
        with told(self.path):
            self._note_alteration()
        is_altered, self._is_altered = self._is_altered, False
        return is_altered

    def _note_alteration(self) -> None:
        """Note whether the files have changed though nobody has committed anything."""
        stamps = self._stamps()
        if self._left and stamps != self._left:
            version = self.value("PRAGMA data_version")  # differs if another program committed
            self._is_altered = self._is_altered or version == self._version
            self._left, self._version = stamps, version

    def _stamps(self) -> list[Stamp]:
        """Return what changes whenever somebody writes to the file or its log.

        Not the time at which the log's inode changed: SQLite sets its owner when root opens it.
        """
        file, log = (_stamp(each) for each in self._files[:2])
        return [file, log[:2] if log else None]

    @property
    def is_moved(self) -> bool:
        """Return whether the file, or its log, is no longer the one that was opened."""
        seen, *beside = (_identity(each) for each in self._files)
        is_other = any(old and new != old for old, new in zip(self._beside, beside, strict=True))
        return seen != self._seen or is_other

    def watch(self) -> None:
        """Refuse to go on if the file, or its log, is no longer the one that was opened."""
        if self.is_moved:
            raise StoreMoved(
                f"{self.path} was moved, replaced or lost its log while it was open. "
                "Run `tacit verify`."
            )

    def checkpoint(self) -> None:
        """Fold the log into the file and empty it."""
        self.watch()
        with told(self.path):
            self._raw.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        self.settle()

    def copy_to(self, target: Path, step: int = 2000) -> None:
        """Copy the whole database with SQLite's own backup, which sees a consistent state."""
        with told(target):
            into = apsw.Connection(str(target))
            try:
                with into.backup("main", self._raw, "main") as backup:
                    while not backup.done:
                        backup.step(step)
                        self._beaten()
                into.execute("PRAGMA journal_mode = delete")
            finally:
                into.close()

    def take_over(self, other: Connection) -> None:
        """Become a copy of another database, in one transaction."""
        self.watch()
        with told(self.path), self._raw.backup("main", other._raw, "main") as copying:
            while not copying.done:
                copying.step(-1)
        self.settle()

    def rest(self) -> None:
        """Let go the pages that are only kept to be read again."""
        with told(self.path):
            self.value("PRAGMA shrink_memory")

    def close(self) -> None:
        """Let it go; the log is folded in if the file is ours and the one that was opened."""
        if not self.is_open:
            return
        self.is_open = False
        try:
            self.watch()
            self._raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(not self._is_ours))
        except StoreMoved:
            pass
        self._raw.close()


def sealed(*columns: object) -> bytes:
    """Return the seal of a row: a digest of its columns."""
    sized = [
        "-," if each is None else f"{isinstance(each, int):d}{len(str(each))}:{each},"
        for each in columns
    ]
    return sha256("".join(sized).encode("utf-8", "surrogatepass")).digest()


def check_own(path: Path) -> None:
    """Refuse a database that is a link, somebody else's, or known by another name as well."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_nlink > 1:
        raise StoreRefused(
            f"{path} is not a plain file of your own. Move it away, then run `tacit verify`."
        )
    if found.st_mode & 0o077:
        path.chmod(0o600)


class told:  # noqa: N801  (used like a function; a generator would cost each statement twice)
    """Say in our words what SQLite complains about."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if isinstance(error, UnicodeEncodeError):
            why = "What was asked for is no text: there is nothing of that name."
            raise NotFound(why) from error
        if isinstance(error, UnicodeDecodeError):
            raise _damaged(self._path, "holds text that is none") from error
        told_as = _in_our_words(self._path, error) if isinstance(error, apsw.Error) else None
        if told_as is not None:
            raise told_as from error


def _in_our_words(path: Path, error: apsw.Error) -> StoreError | None:
    is_unread = getattr(error, "extendedresult", 0) in _UNREADABLE
    if isinstance(error, _DAMAGED) or is_unread:
        return _damaged(path, f"is damaged ({error})")
    if isinstance(error, apsw.BusyError):
        return StoreBusy(f"{path} is in use by another program. Try again in a moment.")
    if isinstance(error, apsw.FullError):
        return StoreFull("The disk is full. Free some space; what waits is kept.")
    if isinstance(error, _REFUSED):
        return StoreRefused(f"Cannot write {path}: {error}. See `tacit status`.")
    return None


def _damaged(path: Path, what: str) -> StoreDamaged:
    error = StoreDamaged(f"{path} {what}. Run `tacit verify`.")
    error.path = path
    return error


def _open_to_read(path: Path, *, is_frozen: bool) -> apsw.Connection:
    """Open a database that is only read, with its log unless it is frozen.

    Without a log no index of it is needed. Where there is one without an index, no program has the
    database open, and none can be made on a read-only disk: it is kept in memory, by a connection
    that takes no locks.
    """
    log, index = map(Path, _beside(path))
    has_log = not is_frozen and log.exists() and log.stat().st_size > 0
    address = f"file:{quote(str(path))}"
    if has_log and index.exists():
        return apsw.Connection(address, _LOOKING)
    if not has_log:
        return apsw.Connection(f"{address}?immutable=1", _LOOKING)
    raw = apsw.Connection(f"{address}?vfs=unix-none", _LOOKING)
    raw.pragma("locking_mode", "EXCLUSIVE")
    return raw


def _identity(path: Path | str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _stamp(path: str) -> Stamp:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _beside(path: Path) -> tuple[str, str]:
    """Return the log of a database and the index of that log."""
    return f"{path}-wal", f"{path}-shm"
