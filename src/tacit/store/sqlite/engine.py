"""The engine gate: on which SQLite and on which filesystem the write-ahead log can be trusted.

SQLite 3.7.0 to 3.51.2 can corrupt a database when two connections write and checkpoint at the same
time (the WAL-reset bug; fixed in 3.51.3, 3.50.7 and 3.44.6). On a network filesystem the log's
shared memory does not work. In both cases the rollback journal is used instead, and `status` says
so.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Callable

MOUNTS = Path("/proc/self/mountinfo")
_FIRST, _FIXED = (3, 7, 0), (3, 51, 3)
_BACKPORTS = ((3, 44, 6), (3, 50, 7))
_NETWORK = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "virtiofs",
        "afs",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "beegfs",
        "ncpfs",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "davfs",
        "fuse.davfs2",
        "vboxsf",
        "prl_fs",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What the databases run on, and whether they may use the write-ahead log."""

    version: str
    source: str
    filesystem: str
    reason: str | None
    is_read_only: bool = False  # nothing can be written there: databases are read as they are
    beat: Callable[[], object] | None = None  # called now and then while a statement runs

    @property
    def journal(self) -> str:
        """Return the journal mode to use."""
        return "delete" if self.reason else "wal"


def look(directory: Path, version: str = "", mounts: Path = MOUNTS) -> Engine:
    """Return the engine for databases in *directory*."""
    version = version or apsw.sqlite_lib_version()
    filesystem = filesystem_of(directory, mounts)
    reason = None
    if has_reset_bug(version):
        reason = f"SQLite {version} has the WAL-reset bug: upgrade with `pip install -U apsw`"
    elif filesystem in _NETWORK:
        reason = f"{filesystem} is a network filesystem: set TACIT_HOME to a local directory"
    return Engine(
        version=version,
        source=apsw.sqlite3_sourceid(),
        filesystem=filesystem,
        reason=reason,
        is_read_only=is_read_only(directory),
    )


def is_read_only(directory: Path) -> bool:
    """Return whether nothing can be written to a directory, or where it would be made."""
    while not directory.exists() and directory != directory.parent:
        directory = directory.parent
    return not os.access(directory, os.W_OK)


def has_reset_bug(version: str) -> bool:
    """Say whether this version of SQLite can corrupt a write-ahead log."""
    numbers = tuple(int(part) for part in version.split("."))[:3]
    is_backported = any(numbers[:2] == fixed[:2] and numbers >= fixed for fixed in _BACKPORTS)
    return _FIRST <= numbers < _FIXED and not is_backported


def filesystem_of(directory: Path, mounts: Path = MOUNTS) -> str:
    """Return the type of the filesystem that a directory lies on; "unknown" if nobody says."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return "unknown"
    target = directory.resolve()
    best, found = -1, "unknown"
    for line in lines:
        left, _, right = line.partition(" - ")
        fields, types = left.split(" "), right.split(" ")
        if len(fields) > 4:  # noqa: PLR2004  (the fifth is where it is mounted)
            mount = Path(_unescaped(fields[4]))
            depth = len(mount.parts)
            if depth >= best and target.is_relative_to(mount):
                best, found = depth, types[0]
    return found


def _unescaped(text: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text
