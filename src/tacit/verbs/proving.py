"""Verbs of a proof: a session in a group of its own, removed without a trace.

Each proof has a new group, and one directory holds all its files: nothing that an earlier proof
left can be in its way. Only `begin_proof` makes such a directory. Whoever writes to the group holds
the lock of the ingest, and so does whoever removes it: one rename, after which no other program
finds the group. A proof that runs holds a lock on its directory; without it, it was killed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture import compile as capture_conf
from tacit.capture import state
from tacit.capture.conf import Conf
from tacit.capture.entry import EntryUnreadable, parse
from tacit.errors import StoreBusy, StoreRefused
from tacit.transcript import lock
from tacit.verbs.parts import Verbs

if TYPE_CHECKING:
    from tacit.verbs.parts import Parts

GROUND = "ground"
_PATIENCE = 60.0  # seconds to wait for another program that takes events in
_HURRY = 1.0  # the same, for what can be done later
_REMOVING = 5.0  # seconds in which another program may still write to what is removed
_PAUSE = 0.02
_TRIES = 5


class ProvingVerbs(Verbs):
    """What only a proof does."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._proofs: dict[str, int] = {}  # those of this process: group and locked directory

    def begin_proof(self) -> tuple[str, Path]:
        """Make a group for one proof; return its name and the directory of its sessions.

        What killed proofs have left is removed first, as far as that is possible.
        """
        group = f"{paths.PROVING_GROUP}-{os.urandom(6).hex()}"
        self._remove_left_proofs(_PATIENCE)
        with lock.held(Path(self._home), seconds=_PATIENCE) as is_held:
            if not is_held:
                raise StoreBusy("Another program is taking events in. Try again in a moment.")
            above = state.open_directory(self._root, paths.PROVING)
            try:
                self._proofs[group] = state.open_directory(above, group)
            finally:
                os.close(above)
            fcntl.flock(self._proofs[group], fcntl.LOCK_EX)
        ground = self._ledgers.files(group).directory / GROUND
        with ExitStack() as stack:
            stack.callback(self.end_proof, group)
            ground.mkdir(mode=0o700)
            self._tell_hooks(group, ground)
            stack.pop_all()
        return group, ground

    def end_proof(self, group: str) -> None:
        """Remove all that a proof has made."""
        try:
            with lock.held(Path(self._home), seconds=_PATIENCE) as is_held:
                if not is_held:
                    raise StoreBusy(
                        "Another program is taking events in and does not come to an end. The next "
                        "proof, or the daemon, removes what this one has made."
                    )
                self._remove_proof(group)
        finally:
            os.close(self._proofs.pop(group))
            self._refresh_after_proof()

    def discard_proofs(self) -> list[str]:
        """Remove what killed proofs have left; return their groups."""
        return self._remove_left_proofs(_HURRY)

    def close(self) -> None:
        """Let the home go, and the proofs of this process."""
        for descriptor in self._proofs.values():
            os.close(descriptor)
        self._proofs.clear()
        super().close()

    def _tell_hooks(self, group: str, ground: Path) -> None:
        """Have hooks record sessions on the ground in the group; refuse to go on if they do not."""
        for _ in range(_TRIES):  # another program may be writing the same file
            capture_conf.refresh(self._root, self._home)
            text = state.read(self._root, paths.CAPTURE_CONF).decode("utf-8", "surrogateescape")
            if Conf(text).group(str(ground)) == group:
                return
        raise StoreRefused(f"{paths.CAPTURE_CONF} cannot be brought up to date. Try again.")

    def _remove_left_proofs(self, seconds: float) -> list[str]:
        """Remove what is no running proof's; return the groups. What fails is left for later."""
        if not self._left_proofs():
            return []
        with lock.held(Path(self._home), seconds=seconds) as is_held:
            left = self._left_proofs() if is_held else []
            for name in left:
                with suppress(OSError, StoreRefused):
                    self._remove_proof(name)
        if left:
            self._refresh_after_proof()
        return [name for name in left if paths.is_proof(name)]

    def _left_proofs(self) -> list[str]:
        """Return what lies among the proofs and is none that runs, and what older versions left."""
        inside = Path(self._home) / paths.PROVING
        found = {name for name in _listed(inside) if not _is_locked(inside / name)}
        if any((place / paths.PROVING_GROUP).exists() for place in self._older_places()):
            found.add(paths.PROVING_GROUP)
        return sorted(found)

    def _older_places(self) -> tuple[Path, ...]:
        """Return where the one group of all proofs had its files in older versions."""
        home = Path(self._home)
        return home / paths.GROUPS, home / paths.BACKUPS, home / paths.SPOOL / paths.DONE

    def _remove_proof(self, name: str) -> None:
        """Remove a proof, or what is left of one; whoever calls holds the lock of the ingest."""
        os.close(state.open_directory(self._root, paths.PROVING))
        inside = Path(self._home) / paths.PROVING
        places = [inside]
        if paths.is_proof(name):
            self._close_group(name)
            self._remove_waiting(name)
        if name == paths.PROVING_GROUP:
            places += self._older_places()
        for place in places:
            gone = inside / f".{os.urandom(6).hex()}"
            with suppress(FileNotFoundError):
                (place / name).rename(gone)  # at once, so that nobody finds half of it
            _delete(gone)
        with suppress(OSError):  # other proofs are inside
            inside.rmdir()

    def _remove_waiting(self, group: str) -> None:
        """Remove the events of a group that wait in the spool."""
        for name in self._spool.waiting():
            with suppress(OSError, EntryUnreadable):  # taken in meanwhile, or none of ours
                if parse(self._spool.read(name)).group == group:
                    self._spool.remove(name)

    def _refresh_after_proof(self) -> None:
        """Let hooks, and this process, know nothing of groups that are gone."""
        capture_conf.refresh(self._root, self._home)
        self.groups()


def _listed(place: Path) -> list[str]:
    try:
        return os.listdir(place)  # noqa: PTH208  (names are wanted)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_locked(place: Path) -> bool:
    """Return whether a running proof holds this directory."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _delete(place: Path) -> None:
    """Delete a file or a directory, whatever others still write into it."""
    until = time.monotonic() + _REMOVING
    while os.path.lexists(place):
        try:
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink()
        except OSError as error:
            if time.monotonic() >= until:
                raise StoreRefused(f"Cannot remove {place}: {error.strerror}.") from error
            time.sleep(_PAUSE)
