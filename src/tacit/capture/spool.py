"""The spool: events waiting to be taken in.

One file per event, owner-only, published by rename, so a reader never sees half an event and what
is published survives a power cut. Names sort in time order and never collide. Nothing here parses
the payload.
"""

from __future__ import annotations

import posix

from tacit.capture import state
from tacit.paths import SPOOL

FORMAT = "tacit1"
FIELDS = 7
_DIGITS = 20


def _is_name(name: str) -> bool:
    """Say whether a file was published by us: its name begins with the time."""
    when, dash, _ = name.partition("-")
    return bool(dash) and len(when) == _DIGITS and when.isdigit()


class Spool:
    """The spool of one home, held open by its descriptor."""

    def __init__(self, home: int) -> None:
        self._root = state.open_directory(home, SPOOL)
        self._temporary = state.open_directory(self._root, "tmp")
        self._new = state.open_directory(self._root, "new")
        self._serial = 0
        self.is_hasty = False  # who is, does not wait for the disk
        self.is_published = self.is_unsure = False  # the last event; and whether the disk has it

    def publish(
        self,
        payload: bytes,
        *,
        event: str,
        received_ns: int,
        client: str,
        group: str = "main",
        answered: str = "-",
    ) -> str:
        """Put one event on disk; when this returns, it stays, unless we are hasty.

        Returns its name.
        """
        self._serial += 1
        self.is_published = self.is_unsure = False
        pid = posix.getpid()
        name = f"{max(received_ns, 0):020d}-{self._serial:06d}-{pid}-{posix.urandom(4).hex()}"
        header = f"{FORMAT} {received_ns} {event} {client} {pid} {group} {answered}\n"
        fields = header[:-1].split(" ")
        if header.split() != fields or len(fields) != FIELDS or not header.isascii():
            raise ValueError(f"A field of this header is not one plain word: {header.strip()!r}.")
        descriptor = state.open_file(
            self._temporary, name, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL
        )
        try:
            state.write_all(descriptor, header.encode("ascii") + payload)
            self._settle(descriptor)
            posix.rename(name, name, src_dir_fd=self._temporary, dst_dir_fd=self._new)
            self.is_published = True
        except BaseException:
            self._discard(name)
            raise
        finally:
            posix.close(descriptor)
        self._settle(self._new)
        return name

    def waiting(self) -> list[str]:
        """Return the names of all published events, oldest first."""
        return sorted(name for name in posix.listdir(self._new) if _is_name(name))

    def oldest(self) -> int | None:
        """Return since when the first of all published events waits; its name may say less."""
        name = min(filter(_is_name, posix.listdir(self._new)), default="")
        try:
            return posix.stat(name, dir_fd=self._new).st_mtime_ns if name else None
        except FileNotFoundError:  # it has just been taken in
            return None

    def read(self, name: str) -> bytes:
        """Return one published event: its header line and its payload."""
        return state.read(self._new, name, limit=1 << 30)

    def remove(self, name: str) -> None:
        """Let one event go, once it has been taken in."""
        posix.unlink(name, dir_fd=self._new)

    def sweep(self, before_ns: int) -> int:
        """Remove what killed hooks left half-written before that time; return how many."""
        left = [name for name in posix.listdir(self._temporary) if self._age(name) < before_ns]
        for name in left:
            self._discard(name)
        return len(left)

    def close(self) -> None:
        """Let the descriptors go."""
        for descriptor in (self._new, self._temporary, self._root):
            posix.close(descriptor)

    def _settle(self, descriptor: int) -> None:
        """Wait until the disk has it."""
        if self.is_hasty:
            self.is_unsure = True
        else:
            posix.fsync(descriptor)

    def _age(self, name: str) -> int:
        try:
            return posix.stat(name, dir_fd=self._temporary, follow_symlinks=False).st_mtime_ns
        except FileNotFoundError:
            return 0

    def _discard(self, name: str) -> None:
        try:
            posix.unlink(name, dir_fd=self._temporary)
        except OSError:
            pass
