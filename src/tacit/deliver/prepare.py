"""Preparing: the files that the hook prints, made again when what they say has changed.

For each project one brief, a shorter one for subagents beside it, and one for everywhere else. A
file is written in one piece and only when it changed; the hook's list of directories follows, and
what is no brief any more goes. The store counts the changes of each project and knows the files by
their inode, size and times, so nothing is made again for nothing, and a file that was deleted or
edited is. One program prepares at a time: a file that is old never replaces a new one.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from tacit import paths
from tacit.capture import compile as capture_conf
from tacit.capture import state
from tacit.capture.brief import FOR_AGENTS, UNLANDED
from tacit.capture.conf import EVERYWHERE, read_text
from tacit.curate.attention import Attention
from tacit.deliver import brief as briefs
from tacit.deliver import ownmemory, render
from tacit.deliver.choose import SESSIONS, Asked, choose
from tacit.errors import StoreBusy
from tacit.store.told_port import UNVERIFIED
from tacit.transcript.files import directory_of
from tacit.transcript.place import key_of
from tacit.transcript.turns import payload_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tacit.deliver.brief import Brief
    from tacit.model.event import Record
    from tacit.store.port import RootRow, Store
    from tacit.store.sqlite.memory import SqliteMemory

MOST = 1000  # so many directories have a brief of their own
PATIENCE = 10.0  # seconds that a decision waits for another program that prepares
_PAUSE = 0.02
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_BRIEFED = "briefed "
_RECENT = 20_000  # so many events back it is looked where the client keeps its own memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a brief may be, and how much of it is held back."""

    entries: int = 50
    sessions: int = SESSIONS
    chars: int = briefs.CHARS
    holdout: int = 0
    agent: str = UNVERIFIED  # where an agent's own rules stand


class Preparer:
    """Prepares the briefs of one group."""

    def __init__(self, root: int, home: str, group: str, key: bytes, limits: Limits) -> None:
        self._root = root
        self._home = home
        self._group = group
        self._key = key
        self._limits = limits

    def prepare(
        self, store: SqliteMemory, transcript: Store, now_ns: int, until: float | None = None
    ) -> int:
        """Make what has changed again, until then at most; return how many are still due."""
        changes, is_listed = store.told.changes(), bool(self._listed())
        is_begun = is_listed or self._is_begun()
        stamp = self._stamp(changes, transcript.roots(), self._seen())
        is_done = store.jobs.number(_BRIEFED) == stamp and is_listed == is_begun
        if is_done or not (changes or is_begun):
            return 0
        patience = PATIENCE if until is None else until - time.monotonic()
        with _alone(self._folder(), patience) as is_ours:
            if not is_ours and until is None:
                raise StoreBusy(
                    "Another program is preparing briefs and does not come to an end. "
                    "See `tacit daemon status`, then try again."
                )
            return self._make(store, transcript, now_ns, until) if is_ours else 1

    def _make(
        self, store: SqliteMemory, transcript: Store, now_ns: int, until: float | None
    ) -> int:
        changes, roots, seen = store.told.changes(), transcript.roots(), self._seen()
        families = _families(roots)

        def stamp(key: str) -> int:
            counts = [changes.get(each) for each in (EVERYWHERE, *families[key])]
            return self._stamp(counts, [seen.get(name) for name in _names(key)])

        due = [key for key in families if store.jobs.number(_BRIEFED + key) != stamp(key)]
        for done, key in enumerate(due):
            if until is not None and time.monotonic() >= until:
                return len(due) - done
            self._write(store, transcript, key, families[key], now_ns)
            found = self._seen(_names(key))
            if len(found) < len(_names(key)):  # deleted meanwhile: to be made again
                return len(due) - done
            seen |= found
            store.jobs.set_number(_BRIEFED + key, stamp(key))
        self._list(families, transcript)
        self._sweep({name for key in families for name in _names(key)})
        found = self._seen()
        if not found.keys() >= {name for key in families for name in _names(key)}:
            return 1
        store.jobs.set_number(_BRIEFED, self._stamp(changes, roots, found))
        return 0

    def refused(self) -> list[str]:
        """Return the files that the hook is told of and does not take: deleted, edited, open."""
        names = {path.rpartition("/")[2] for path in self._listed()}
        return [
            name + suffix
            for name in sorted(names)
            for suffix in ("", FOR_AGENTS)
            if state.read_stamped(self._root, self._path(name + suffix), self._key) is None
        ]

    def ids(self) -> set[str]:
        """Return the ids of what the prepared files say."""
        folder = self._folder()
        try:
            names = os.listdir(folder)  # noqa: PTH208  (of a descriptor)
            found = [_read(folder, name) or b"" for name in names]
        finally:
            os.close(folder)
        return {text.split(b"\n")[1].decode("ascii", "replace") for text in found if b"\n" in text}

    def asked(
        self, transcript: Store, keys: tuple[str, ...], now_ns: int, as_of: int | None = None
    ) -> Asked:
        """Return what is asked for when a brief is made for projects."""
        return Asked(
            projects=keys,
            now=as_of or now_ns,
            as_of=as_of,
            entries=self._limits.entries,
            sessions=self._limits.sessions,
            holdout=self._limits.holdout,
            agent=self._limits.agent,
            known=_shown_anyway(transcript, keys) if keys else (),
        )

    def full(self, store: SqliteMemory, asked: Asked) -> Brief:
        """Return the brief as it is now."""
        return briefs.brief(store, asked, self._key, self._limits.chars)

    def _stamp(self, *parts: object) -> int:
        """Return a number that changes when these do, or the limits, or the home's secret."""
        return crc32(repr((self._limits, self._key, *parts)).encode())

    def _listed(self) -> list[str]:
        """Return the files of this group's briefs that the hook is told of."""
        lines = (read_text(self._root, self._key) or "").split("\n")
        return [line.split("\t")[2] for line in lines if line.startswith(f"brief\t{self._group}\t")]

    def _seen(self, names: Iterable[str] | None = None) -> dict[str, tuple[int, ...]]:
        """Return of each file in the directory, or of these, what changes when it is touched."""
        try:
            folder = os.open(self._path("").rstrip("/"), _DIRECTORY, dir_fd=self._root)
        except OSError:
            return {}
        found: dict[str, tuple[int, ...]] = {}
        try:
            for name in sorted(os.listdir(folder)) if names is None else names:  # noqa: PTH208
                with suppress(OSError):  # it has just gone
                    seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    found[name] = (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        finally:
            os.close(folder)
        return found

    def _write(
        self, store: SqliteMemory, transcript: Store, key: str, keys: tuple[str, ...], now_ns: int
    ) -> None:
        """Write both files of a project, and down what they say."""
        asked = self.asked(transcript, keys, now_ns)
        chosen = choose(store, asked)
        project = key if keys else None
        is_unlanded = _is_unlanded(store, transcript, keys)
        for surface, made, suffix in (
            ("brief", briefs.brief(store, asked, self._key, self._limits.chars, chosen), ""),
            ("agent", briefs.for_agents(store, asked, self._key, chosen), FOR_AGENTS),
        ):
            if made.id:
                store.told.put(briefs.telling(made, surface, project, now_ns))
            self._replace(_name(key) + suffix, made, is_unlanded=is_unlanded)

    def _replace(self, name: str, made: Brief, *, is_unlanded: bool) -> None:
        text = made.id.encode() + b"\n" + render.escaped(made.text)
        text += b"\n" + UNLANDED if is_unlanded else b""
        text = state.stamped(self._key, self._path(name), text)
        folder = self._folder()
        try:
            if _read(folder, name) != text:
                state.replace(folder, name, text)
        finally:
            os.close(folder)

    def _sweep(self, kept: set[str]) -> None:
        """Remove what is no brief any more, and what a killed program left: it holds old words."""
        folder = self._folder()
        try:
            for name in set(os.listdir(folder)) - kept:  # noqa: PTH208  (of a descriptor)
                with suppress(OSError):
                    os.unlink(name, dir_fd=folder)
        finally:
            os.close(folder)

    def _is_begun(self) -> bool:
        """Say whether anything was ever prepared: what is no longer known may still be told."""
        try:
            os.stat(self._file(EVERYWHERE), dir_fd=self._root, follow_symlinks=False)
        except OSError:
            return False
        return True

    def _folder(self) -> int:
        """Return the directory of the briefs, open."""
        place, name = directory_of(self._group)
        groups = state.open_directory(self._root, place)
        try:
            group = state.open_directory(groups, name)
        finally:
            os.close(groups)
        try:
            return state.open_directory(group, paths.BRIEFS)
        finally:
            os.close(group)

    def _list(self, families: dict[str, tuple[str, ...]], transcript: Store) -> None:
        """Tell the hook which directory has which brief."""
        heads = {key: head for head, keys in families.items() for key in keys}
        files = {
            directory: self._file(heads[key])
            for directory, key in _directories(transcript).items()
            if key in heads
        }
        listed = dict(list(files.items())[-MOST:])
        everywhere = {EVERYWHERE: self._file(EVERYWHERE)}
        capture_conf.set_briefs(self._root, self._home, self._group, listed | everywhere)

    def _file(self, key: str) -> str:
        return self._path(_name(key))

    def _path(self, name: str) -> str:
        """Return where a file of the briefs lies in the home."""
        return "/".join((*directory_of(self._group), paths.BRIEFS, name))


@contextmanager
def _alone(folder: int, seconds: float) -> Iterator[bool]:
    """Let no other program prepare meanwhile; say whether that is so within these seconds."""
    until = time.monotonic() + seconds
    try:
        while not (is_ours := _is_locked(folder)) and time.monotonic() < until:
            time.sleep(_PAUSE)
        yield is_ours
    finally:
        os.close(folder)


def _is_locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _name(key: str) -> str:
    return f"{'everywhere' if key == EVERYWHERE else key}.md"


def _names(key: str) -> tuple[str, str]:
    """Return the two files of a project."""
    return _name(key), _name(key) + FOR_AGENTS


def _read(folder: int, name: str) -> bytes | None:
    try:
        return state.read(folder, name)
    except OSError:
        return None


def _families(roots: Iterable[RootRow]) -> dict[str, tuple[str, ...]]:
    """Return the keys of each project with those that were joined to it; `*` stands for none."""
    found: dict[str, list[str]] = {}
    for row in roots:
        found.setdefault(row.joined or row.key, []).append(row.key)
    return {head: tuple(keys) for head, keys in found.items()} | {EVERYWHERE: ()}


def _directories(transcript: Store) -> dict[str, str]:
    """Return the directories that begin a project, each with its key."""
    places = dict(transcript.places())
    found: dict[str, str] = {}
    for row in transcript.roots():
        if row.root.startswith("/") and (row.root in places or _is_whole(row)):
            found.setdefault(row.root, places.get(row.root, row.key))
    for directory, key in places.items():  # the shortest first
        if directory.startswith("/") and _above(found, directory) != key:
            found[directory] = key
    return found


def _is_whole(row: RootRow) -> bool:
    """Say whether all below its root belongs to a project; of one that was split, only a part."""
    root = Path(row.root)
    return row.key in {key_of(root), key_of(root / ".git")}


def _above(found: dict[str, str], directory: str) -> str | None:
    """Return what is found for a directory, or for the nearest one above it."""
    while directory and directory not in found:
        directory = directory.rpartition("/")[0]
    return found.get(directory or "/")


def _is_unlanded(store: SqliteMemory, transcript: Store, keys: tuple[str, ...]) -> bool:
    """Say whether the last session of these projects was not curated as a whole."""
    sessions = Attention(store).sessions_unlanded()
    last = _last(transcript, keys) if keys and sessions else None
    return last is not None and last.session in sessions


def _last(transcript: Store, keys: tuple[str, ...]) -> Record | None:
    """Return the last event of these projects, if it is not long past."""
    return transcript.last_of(keys, max(0, transcript.head().seq - _RECENT))


def _shown_anyway(transcript: Store, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines that the client's own memory of these projects shows."""
    last = _last(transcript, keys)
    path = payload_of(last).get("transcript_path") if last else None
    return ownmemory.lines([path]) if isinstance(path, str) else ()
