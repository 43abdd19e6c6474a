"""`capture.conf`: what the hook must know, as plain lines that need no parser.

    stamp <digest>                keyed by the home's secret; a file without it counts for nothing
    sources <stamp>               what the file was made from, to notice that it is out of date
    off                           record nothing anywhere
    off <directory>               nor in this directory and below
    exclude <directory>           the same, and no tool event that touches it from elsewhere
    group <name> <directory>      events from there belong to this group
    workspace <name> <directory>  this group's databases lie there; no matter of the hook's
    brief <group> <file> <directory>  what a session there is told (`*`: everywhere else in it)
    keep numbers                  payment cards, IBANs, PINs and government ids are not redacted
    problem <text>                what is wrong with config.toml, for whoever starts a session

Fields are parted by tabs and percent-escaped. Unknown lines are passed over, so that an older hook
can live with a newer file.
"""

from __future__ import annotations

import posix

from tacit.capture import state
from tacit.paths import CAPTURE_CONF, CONFIG, PAUSED, is_under

EVERYWHERE = "*"
NO_SOURCES = "- -"
_FIELDS = {"off": (0, 1), "exclude": (1,), "group": (2,)}
_BRIEF, _BRIEF_FIELDS = "brief\t", 4


class Conf:
    """The lines of one `capture.conf`, as the hook asks for them."""

    __slots__ = ("_briefs", "_rules", "excluded", "keeps_numbers", "problem", "sources")

    def __init__(self, text: str) -> None:
        self.sources = NO_SOURCES
        self.problem = ""
        self.keeps_numbers = False
        self._rules: list[list[str]] = []
        self._briefs: list[str] = []  # read when one is asked for: most events never do
        for line in text.split("\n"):
            if line.startswith(_BRIEF):
                self._briefs.append(line)
                continue
            kind, *fields = [unescape(field) for field in line.split("\t")]
            if kind == "sources":
                self.sources = fields[0] if fields else NO_SOURCES
            elif kind == "keep":
                self.keeps_numbers = fields == ["numbers"]
            elif kind == "problem":
                self.problem = fields[0] if fields else ""
            elif kind in _FIELDS and len(fields) in _FIELDS[kind]:
                self._rules.append([kind, *fields])
        self.excluded = [rule[1] for rule in self._rules if rule[0] == "exclude"]

    def is_off(self, directories: list[str]) -> bool:
        """Say whether nothing of these directories may be recorded."""
        return any(
            rule[0] in {"off", "exclude"}
            and (len(rule) == 1 or any(is_under(each, rule[1]) for each in directories))
            for rule in self._rules
        )

    def group(self, directory: str) -> str:
        """Return the group of a directory: that of the longest listed one above it."""
        rule = _nearest([rule for rule in self._rules if rule[0] == "group"], directory)
        return rule[1] if rule else "main"

    def brief(self, directory: str) -> str | None:
        """Return the file of the brief for a directory, else of the one for everywhere."""
        group = self.group(directory)
        told = [[unescape(field) for field in line.split("\t")] for line in self._briefs]
        own = [rule for rule in told if len(rule) == _BRIEF_FIELDS and rule[1] == group]
        rule = _nearest(own, directory) or _nearest(own, EVERYWHERE)
        return rule[2] if rule else None


def _nearest(rules: list[list[str]], directory: str) -> list[str] | None:
    """Return the rule of the longest directory that this one lies in."""
    fitting = [rule for rule in rules if is_under(directory, rule[-1])]
    return max(fitting, key=lambda rule: len(rule[-1]), default=None)


def escape(field: str) -> str:
    """Return a field with what would end it or its line made harmless."""
    for char in "%\t\n":
        field = field.replace(char, f"%{ord(char):02X}")
    return field


def unescape(field: str) -> str:
    """Undo `escape`."""
    if "%" not in field:
        return field
    head, *parts = field.split("%")
    try:
        return head + "".join(chr(int(part[:2], 16)) + part[2:] for part in parts)
    except ValueError:  # not one of ours
        return field


def read_text(root: int, key: bytes) -> str | None:
    """Return the text of `capture.conf`; None if it is missing or not stamped by this home."""
    text = state.read_stamped(root, CAPTURE_CONF, key)
    return None if text is None else text.decode("utf-8", "surrogateescape")


def sources(root: int) -> str:
    """Return a stamp of what `capture.conf` is made from: it changes when they do."""
    return f"{_stamp(root, CONFIG)} {_stamp(root, PAUSED)}"


def _stamp(root: int, name: str) -> str:
    try:
        found = posix.stat(name, dir_fd=root)
    except OSError:
        return "unreadable" if state.is_there(root, name) else "-"
    return f"{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_size}.{found.st_ino}"
