"""Compiles `capture.conf` from the settings and the pauses.

Called by the command line, later by the daemon, and by the hook itself when a source is newer than
the result, so that a path just excluded is excluded at once. Settings that cannot be read change
nothing, and the hook's log says so.
"""

from __future__ import annotations

from tacit import settings
from tacit.capture import hooklog, state
from tacit.capture.conf import escape, sources
from tacit.errors import SettingsUnreadable
from tacit.paths import CAPTURE_CONF, PAUSED

_UNREAD = "unread"  # a line that says: these settings have never been read


def refresh(root: int, home: str) -> None:
    """Write `capture.conf` anew.

    If the settings cannot be read, what it said of them stays; pauses always count.
    """
    stamp = sources(root)  # before anything is read: a change meanwhile is noticed by the next
    paused = [_line("off", *directory) for directory in pauses(root)]
    kept: tuple[str, ...] = ("brief\t", "daemon\t")
    try:
        rules = _chosen(settings.load(home))
    except SettingsUnreadable as error:
        hooklog.write(root, f"settings {error}")
        kept = (*kept, "exclude\t", "group\t")
        rules = [_line("off"), _line(_UNREAD)] if _is_unread(root) else []
    rules += [line for line in _lines(root) if line.startswith(kept)]
    text = "".join([_line("sources", stamp), *paused, *rules])
    if text != "".join(_lines(root)):
        state.replace(root, CAPTURE_CONF, text.encode("utf-8", "surrogateescape"))


def set_daemon(root: int, home: str, command: list[str]) -> None:
    """Remember how the daemon is started; without a command, that it is not."""
    refresh(root, home)
    lines = [line for line in _lines(root) if not line.startswith("daemon\t")]
    text = "".join([*lines, _line("daemon", *command)] if command else lines)
    state.replace(root, CAPTURE_CONF, text.encode("utf-8", "surrogateescape"))


def _is_unread(root: int) -> bool:
    """Say whether the settings were never read: then nobody knows what is private."""
    lines = _lines(root)
    return _line(_UNREAD) in lines or not any(
        line.startswith("sources\t") and not line.startswith("sources\t-") for line in lines
    )


def _chosen(chosen: settings.Settings) -> list[str]:
    rules = [_line("exclude", path) for path in chosen.exclude]
    return rules + [
        _line("group", name, path) for name, places in chosen.groups.items() for path in places
    ]


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
