"""`capture.conf`: what the hook must know, as plain lines that need no parser.

    off                           record nothing anywhere
    off <directory>               nor in this directory and below
    exclude <directory>           the same, and no tool event that touches it from elsewhere
    group <name> <directory>      events from there belong to this group
    brief <id> <file> <directory> what a session there is told (`*`: everywhere else)
    daemon <program> <argument>…  how to start the daemon

Fields are parted by tabs and percent-escaped. Unknown lines are passed over, so that an older hook
can live with a newer file.
"""

from __future__ import annotations

from tacit.paths import is_under

EVERYWHERE = "*"


class Conf:
    """The lines of one `capture.conf`, as the hook asks for them."""

    __slots__ = ("_rules", "daemon", "excluded")

    def __init__(self, text: str) -> None:
        self._rules: list[list[str]] = []
        self.excluded: list[str] = []
        self.daemon: list[str] = []
        for line in text.split("\n"):
            fields = [unescape(field) for field in line.split("\t")]
            if fields[0] == "daemon":
                self.daemon = fields[1:]
            elif fields[0]:
                self._rules.append(fields)
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
        rule = self._nearest("group", directory)
        return rule[1] if rule else "main"

    def brief(self, directory: str) -> tuple[str, str] | None:
        """Return (id, file) of the brief for a directory, else of the one for everywhere."""
        rule = self._nearest("brief", directory) or self._nearest("brief", EVERYWHERE)
        return (rule[1], rule[2]) if rule else None

    def _nearest(self, kind: str, directory: str) -> list[str] | None:
        fitting = [
            rule for rule in self._rules if rule[0] == kind and is_under(directory, rule[-1])
        ]
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
    return head + "".join(chr(int(part[:2], 16)) + part[2:] for part in parts)
