"""Compiles `capture.conf` from the settings and the pauses.

Called by the command line, later by the daemon, and by the hook itself when a source is newer than
the result, so that a path just excluded is excluded at once. Settings that cannot be read change
nothing, and the hook's log says so.
"""

from __future__ import annotations

import os
import posix

from tacit import settings
from tacit.capture import hooklog, state
from tacit.capture.conf import escape, sources, unescape
from tacit.errors import SettingsUnreadable
from tacit.paths import CAPTURE_CONF, PAUSED, PROVING, PROVING_GROUP

_UNREAD = "unread"  # a line that says: these settings have never been read


def refresh(root: int, home: str) -> None:
    """Write `capture.conf` anew.

    If the settings cannot be read, what it said of them stays; pauses always count.
    """
    stamp = sources(root)  # before anything is read: a change meanwhile is noticed by the next
    paused = [_line("off", *directory) for directory in pauses(root)]
    kept: tuple[str, ...] = ("brief\t", "daemon\t")
    try:
        rules = _chosen(settings.load(home)) + _proof(root, home)
    except SettingsUnreadable as error:
        hooklog.write(root, f"settings {error}")
        kept = (*kept, "exclude\t", "group\t", "workspace\t")
        rules = [_line("off"), _line(_UNREAD)] if _is_unread(root) else []
    rules += [line for line in _lines(root) if line.startswith(kept)]
    text = "".join([_line("sources", stamp), *paused, *rules])
    if text != "".join(_lines(root)):
        state.replace(root, CAPTURE_CONF, text.encode("utf-8", "surrogateescape"))


def set_daemon(root: int, home: str, command: list[str]) -> None:
    """Remember how the daemon is started; without a command, that it is not."""
    _replace(root, home, "daemon\t", [_line("daemon", *command)] if command else [])


def set_briefs(root: int, home: str, group: str, briefs: dict[str, str]) -> None:
    """Remember which file tells a session in a directory what a group knows."""
    own = _line("brief", group).rstrip("\n") + "\t"
    lines = [_line("brief", group, file, directory) for directory, file in briefs.items()]
    if [line for line in _lines(root) if line.startswith(own)] != lines:
        _replace(root, home, own, lines)


def _replace(root: int, home: str, kind: str, lines: list[str]) -> None:
    """Put these lines in the place of those that begin so."""
    refresh(root, home)
    kept = [line for line in _lines(root) if not line.startswith(kind)]
    text = "".join([*kept, *lines])
    state.replace(root, CAPTURE_CONF, text.encode("utf-8", "surrogateescape"))


def _is_unread(root: int) -> bool:
    """Say whether the settings were never read: then nobody knows what is private."""
    lines = _lines(root)
    return _line(_UNREAD) in lines or not any(
        line.startswith("sources\t") and not line.startswith("sources\t-") for line in lines
    )


def _chosen(chosen: settings.Settings) -> list[str]:
    rules = [_line("exclude", path) for path in chosen.exclude]
    rules += [
        _line("group", name, path) for name, places in chosen.places().items() for path in places
    ]
    return rules + [_line("workspace", name, at[0]) for name, at in chosen.workspaces.items()]


def workspaces(root: int) -> dict[str, str]:
    """Return the workspaces that were last known, each with its directory."""
    rows = [line.rstrip("\n").split("\t") for line in _lines(root)]
    own = [[unescape(field) for field in row] for row in rows if row[0] == "workspace"]
    return {row[1]: row[2] for row in own}


def _proof(root: int, home: str) -> list[str]:
    """Return where a proof plays its session, while one is under way."""
    try:
        posix.stat(PROVING, dir_fd=root, follow_symlinks=False)
    except OSError:
        return []
    given = f"{home}/{PROVING}"
    return [_line("group", PROVING_GROUP, path) for path in {given, os.path.realpath(given)}]


def _line(*fields: str) -> str:
    return "\t".join(escape(field) for field in fields) + "\n"


def _lines(root: int) -> list[str]:
    try:
        text = state.read(root, CAPTURE_CONF).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return [line + "\n" for line in text.split("\n") if line]


def pauses(root: int) -> list[list[str]]:
    """Return what is paused: an empty list stands for everything, else a directory."""
    try:
        lines = state.read(root, PAUSED).decode("utf-8", "surrogateescape").split("\0")
    except FileNotFoundError:
        return []
    return [[] if line == "*" else [line] for line in lines if line]


def set_pauses(root: int, paused: list[list[str]]) -> None:
    """Remember what is paused."""
    lines = [(each[0] if each else "*") for each in paused]
    state.replace(root, PAUSED, "\0".join(lines).encode("utf-8", "surrogateescape"))
