"""Compiles `capture.conf` from the settings and the pauses.

Called by the command line, by the daemon, and by the hook itself when a source is newer than the
result or the result is not stamped by this home, so that a path just excluded is excluded at once
and no foreign file counts. What cannot be written is still compiled: it counts for this event.
"""

from __future__ import annotations

import os
import posix
import time
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock

from tacit import settings
from tacit.capture import state
from tacit.capture.conf import escape, read_text, sources
from tacit.capture.intake import key as key_of
from tacit.paths import CAPTURE_CONF, CONFIG_LAST, PAUSED, PROVING, is_proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BRIEF = "brief\t"
_TRIES, _PAUSE = 50, 0.002  # how long a compilation waits for another one
_LONGEST_PROBLEM = 400


def refresh(root: int, home: str) -> str:
    """Compile `capture.conf` anew, keeping its stamped brief lines; return its text."""
    with _lock(root):
        return _write(root, home, _kept(root, home))


def set_briefs(root: int, home: str, group: str, briefs: dict[str, str]) -> None:
    """Write which file holds the brief of a group for each directory."""
    own = _line("brief", group).rstrip("\n") + "\t"
    lines = [_line("brief", group, file, directory) for directory, file in briefs.items()]
    with _lock(root):
        _write(root, home, [*_kept(root, home, own), *lines])


def _write(root: int, home: str, briefs: list[str]) -> str:
    """Write `capture.conf` with these brief lines, if it can be written; return its text."""
    stamp = sources(root)  # before anything is read: a change meanwhile is noticed by the next
    paused = [_line("off", *directory) for directory in pauses(root)]
    chosen = settings.load(home)
    rules = [*_rules(chosen), *_proofs(home)]
    text = "".join([_line("sources", stamp), *paused, *rules, *briefs])
    with suppress(OSError):  # on a full or read-only disk it counts without being kept
        key = key_of(root)
        if read_text(root, key) != text:
            data = text.encode("utf-8", "surrogateescape")
            state.replace(root, CAPTURE_CONF, state.stamped(key, CAPTURE_CONF, data))
        _keep_settings(root, chosen)
    return text


def _keep_settings(root: int, chosen: settings.Settings) -> None:
    """Keep a copy of settings without a problem: it counts where a later edit cannot be read."""
    if chosen.problems:
        return
    if chosen.source is None:
        with suppress(FileNotFoundError):
            posix.unlink(CONFIG_LAST, dir_fd=root)
    elif _read(root, CONFIG_LAST) != chosen.source:
        state.replace(root, CONFIG_LAST, chosen.source)


def _rules(chosen: settings.Settings) -> list[str]:
    rules = [_line("problem", _plain(chosen.problems[0].text))] if chosen.problems else []
    rules += [_line("exclude", path) for path in chosen.exclude]
    rules += [] if chosen.redacts_numbers else [_line("keep", "numbers")]
    return rules + [
        _line("group", name, path) for name, places in chosen.places().items() for path in places
    ]


def _plain(text: str) -> str:
    """Return a text that can stand in JSON as it is: ASCII, without quotes and backslashes."""
    quoted = text.replace('"', "'").replace("\\", "/").encode("ascii", "replace").decode()
    return "".join(char if char.isprintable() else " " for char in quoted)[:_LONGEST_PROBLEM]


def _kept(root: int, home: str, but: str = "") -> list[str]:
    """Return the brief lines of a stamped `capture.conf`, but for those that begin so."""
    try:
        text = read_text(root, key_of(root)) or ""
    except OSError:
        text = ""
    return [
        f"{line}\n"
        for line in text.split("\n")
        if line.startswith(_BRIEF)
        and not (but and line.startswith(but))
        and not _is_left(home, line)
    ]


@contextmanager
def _lock(root: int) -> Iterator[None]:
    """Let one program compile at a time; a hook that waits too long goes on without."""
    descriptor = posix.open(".", posix.O_RDONLY | posix.O_CLOEXEC, dir_fd=root)
    try:
        for _ in range(_TRIES):
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_PAUSE)
        yield
    finally:
        posix.close(descriptor)


def _proofs(home: str) -> list[str]:
    """Return a group line for each proof that is under way: its directory bears its name."""
    try:
        names = sorted(filter(is_proof, posix.listdir(f"{home}/{PROVING}")))
    except OSError:
        return []
    homes = sorted({home, os.path.realpath(home)})
    return [_line("group", name, f"{each}/{PROVING}/{name}") for name in names for each in homes]


def _is_left(home: str, line: str) -> bool:
    """Return whether a line is about the group of a proof that is over."""
    group = line.split("\t")[1]
    return is_proof(group) and not os.path.isdir(f"{home}/{PROVING}/{group}")


def _line(*fields: str) -> str:
    return "\t".join(escape(field) for field in fields) + "\n"


def _read(root: int, name: str) -> bytes | None:
    try:
        return state.read(root, name)
    except FileNotFoundError:
        return None


def pauses(root: int) -> list[list[str]]:
    """Return what is paused: an empty list stands for everything, else a directory."""
    lines = (_read(root, PAUSED) or b"").decode("utf-8", "surrogateescape").split("\0")
    return [[] if line == "*" else [line] for line in lines if line]


def set_pauses(root: int, paused: list[list[str]]) -> None:
    """Remember what is paused."""
    lines = [(each[0] if each else "*") for each in paused]
    state.replace(root, PAUSED, "\0".join(lines).encode("utf-8", "surrogateescape"))
