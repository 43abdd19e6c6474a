"""Every access to the disk, written down: Python's audit events, and SQLite's own way there.

And names that try to lead elsewhere.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import apsw

CHOSEN = [
    "../../../outside",
    "..",
    ".",
    "/",
    "{outside}/absolute",
    "{outside}",
    "a/b",
    "~",
    "$HOME",
    "nul\0byte",
    "line\nbreak",
    "x" * 5000,
    "-rf",
    "--help",
    "lone \ud800 surrogate",
    "byte \udcff",
    "\u202e\u2066right to left",
    "file:{outside}/uri.db?mode=rwc",
    ":memory:",
    "'; DROP TABLE events; --",
    "%2e%2e%2foutside",
    "..\\..\\outside",
    "",
    " ",
    "$(touch {outside}/shell)",
    "`touch {outside}/shell`",
]
PIECES = ["..", "/", "\\", "\0", "~", ".git", "%2e", "$HOME", "file:", "\ud800", "\udcff", "\n"]
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# which arguments of an audit event are paths, each with where its directory descriptor stands
_PATHS: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.mkdir": ((0, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.truncate": ((0, None),),
    "shutil.rmtree": ((0, None),),
}
_NEVER = ("subprocess.Popen", "os.exec", "os.system", "os.posix_spawn", "socket.connect")


class Trace:
    """Writes down every access outside of these places that is more than looking."""

    def __init__(self, *homes: Path) -> None:
        self.homes = tuple(str(home) for home in homes)
        self.outside: list[str] = []

    def begin(self) -> None:
        """Trace from now on."""
        sys.addaudithook(self._audit)
        self._vfs = Traced(self)  # SQLite forgets it when nobody holds it

    def check(self, what: str, path: Any, directory: Any = None) -> None:
        """Judge one path; what is relative to a directory may name nothing but an entry of it."""
        if isinstance(path, int) or path is None:
            return
        text = os.fsdecode(path)
        if isinstance(directory, int) and directory >= 0 and not text.startswith("/"):
            text = f"{Path(f'/proc/self/fd/{directory}').readlink()}/{text}"
        is_entry = "/" not in text and text not in {"..", "."}
        is_inside = os.path.normpath(text).startswith(self.homes)
        if not is_entry and not is_inside and text != os.devnull:
            self.outside.append(f"{what} {text!r:.200}")

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            self.check(event, arguments[0])
        for path, directory in _PATHS.get(event, ()):
            self.check(event, arguments[path], arguments[directory] if directory else None)
        if event in _NEVER:
            self.outside.append(f"{event} {arguments!r:.200}")


class Traced(apsw.VFS):
    """SQLite's way to the disk; a file without a name is its own temporary one."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        super().__init__("traced", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802  (SQLite's name)
        if name is not None:
            self._trace.check("sqlite", name if isinstance(name, str) else name.filename())
        return super().xOpen(name, flags)
