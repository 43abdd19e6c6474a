"""Follows a page: its commands are typed into a terminal as a reader would, one after the other.

A fenced block that begins with `$ ` is a stretch of a terminal: a command behind each `$ `, and
below it what is shown. A line of `…` stands for any lines. Whatever is asked is answered as the
page says. What differs from one day or machine to the next is masked: ids, ages, times, relevance
and the home.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PROMPT, ANYTHING = "$ ", "…"
_ROWS, _COLUMNS = 40, 100
_FENCED = re.compile(r"^```\n(\$ .*?)^```$", re.DOTALL | re.MULTILINE)
_QUESTION = b"]: "
_ASKED = re.compile(r"\[[^\]\n]+\]: (\S+)$", re.MULTILINE)
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ID = re.compile(r"\bmem-[0-9a-f][0-9a-f-]*[0-9a-f]")
_MASKS = (
    (re.compile(r"\b(evt-|canary|memory-)[0-9a-f]{12,}"), r"\1*"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "uuid"),
    (re.compile(r"\b(session|turn) [0-9a-f]{8}\b"), r"\1 *"),
    (re.compile(r"\b\d+ (s|min) ago\b|\bnow\b"), "ago"),
    (re.compile(r"\b\d+ ms\b"), "ms"),
    (re.compile(r"^[01]\.\d\d\b"), "relevance"),
    (re.compile(r"\s+"), " "),
)
# runs a command where the last one has left off, and remembers where this one does
_ONE_MORE = """
[ ! -e "$STATE" ] || . "$STATE"
[ ! -e "$STATE.at" ] || cd "$(cat "$STATE.at")"
{command}
code=$?
export -p >"$STATE"; pwd >"$STATE.at"
exit $code
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of a page, what it shows below, and what it answers when asked."""

    command: str
    shown: list[str]

    @property
    def typed(self) -> list[str]:
        """Return what the reader types while it runs."""
        return _ASKED.findall("\n".join(self.shown))


def steps(page: str) -> list[Step]:
    """Return the commands of a page, in order."""
    return [step for block in _FENCED.findall(page) for step in _steps(block)]


def _steps(block: str) -> Iterator[Step]:
    for part in f"\n{block}".split(f"\n{PROMPT}")[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield Step(command=command, shown=shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one command showed on the terminal."""

    code: int
    lines: list[str]


@dataclass(slots=True, kw_only=True)
class Reader:
    """Somebody at a terminal who follows a page."""

    where: Path
    environment: Mapping[str, str]
    state: Path
    ids: dict[str, str] = field(default_factory=dict)  # of the page -> as they are here

    def follow(self, step: Step) -> Seen:
        """Type a command; ids of the page are those that stood in their place here."""
        command = _ID.sub(lambda found: self.ids.get(found[0], found[0]), step.command)
        seen = self._run(command, step.typed)
        self.ids |= dict(zip(_ids(step.shown), _ids(seen.lines), strict=False))
        return seen

    def _run(self, command: str, typed: list[str]) -> Seen:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        with subprocess.Popen(
            ["/bin/bash", "-c", _ONE_MORE.replace("{command}", command)],
            cwd=self.where,
            env={**self.environment, "STATE": str(self.state)},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        ) as running:
            os.close(theirs)
            shown = _read(ours, typed)
            os.close(ours)
        text = _COLOURS.sub("", shown.decode()).replace("\r\n", "\n")
        return Seen(code=running.returncode, lines=text.rstrip("\n").split("\n") if text else [])


def _read(terminal: int, typed: list[str]) -> bytes:
    """Return what is shown until the last program has left; answer what is asked."""
    shown, answers = b"", list(typed)
    while True:
        try:
            some = os.read(terminal, 1 << 16)
        except OSError:  # the other side has gone
            return shown
        if not some:
            return shown
        shown += some
        if shown.endswith(_QUESTION):  # what the page does not answer ends it
            os.write(terminal, f"{answers.pop(0)}\n".encode() if answers else b"\x04")


def _ids(lines: list[str]) -> list[str]:
    """Return the ids in the order in which they first stand there."""
    return list(dict.fromkeys(_ID.findall("\n".join(lines))))


def masked(lines: list[str], home: Path | None = None) -> list[str]:
    """Return lines without what differs from one day or machine to the next."""
    return [_masked(line.replace(str(home), "~") if home else line) for line in lines]


def _masked(line: str) -> str:
    line = _ID.sub("mem-*", line)
    for pattern, mask in _MASKS:
        line = pattern.sub(mask, line)
    return line.strip()


def fits(shown: list[str], seen: list[str]) -> bool:
    """Say whether a page shows what was seen, both masked; a line of … stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == ANYTHING else re.escape(line) + r"\n" for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in seen)) is not None
