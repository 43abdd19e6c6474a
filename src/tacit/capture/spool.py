"""The spool: events waiting to be taken in.

One file per event, owner-only, published by rename, so a reader never sees half an event and what
is published survives a power cut. Names sort in time order and never collide. Nothing here parses
the payload.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.paths import SPOOL

FORMAT = "tacit1"
FIELDS = 7
_DIGITS = 20
LONGEST_START_NS = 60_000_000_000  # a process is not older than that when it looks at the clock


def _is_name(name: str) -> bool:
    """Say whether a file was published by us: its name begins with the time."""
    when, dash, _ = name.partition("-")
    return bool(dash) and len(when) == _DIGITS and when.isdigit()


def begun(now_ns: int) -> int:
    """Return when this process began: to the tick of the system, then by its number.

    Hooks that the client does not wait for race the next ones, and on a busy machine the later may
    come first to its clock. Where the system does not tell, or tells nonsense, it is *now_ns*.
    """
    try:
        ticks, tick_ns = _ticks()
        booted_ns = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError, ValueError, IndexError):
        return now_ns
    begun_ns = (ticks + booted_ns // tick_ns) * tick_ns + posix.getpid() % tick_ns
    return begun_ns if -tick_ns <= now_ns - begun_ns <= LONGEST_START_NS else now_ns


def _ticks() -> tuple[int, int]:
    """Return after how many ticks of the system this process was started, and how long one is."""
    descriptor = posix.open("/proc/self/stat", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        told = posix.read(descriptor, 1024)
    finally:
        posix.close(descriptor)
    return int(told.rpartition(b")")[2].split()[19]), 1_000_000_000 // posix.sysconf("SC_CLK_TCK")


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
        """Remove what killed hooks left half-written before that time; return how many.

        A file that a live hook still holds open stays, however old it is.
        """
        names = posix.listdir(self._temporary)
        if not names:
            return 0
        from tacit.leftovers import is_leftover

        left = [name for name in names if is_leftover(self._temporary, name, before_ns)]
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

    def _discard(self, name: str) -> None:
        try:
            posix.unlink(name, dir_fd=self._temporary)
        except OSError:
            pass
