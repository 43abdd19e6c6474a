"""When upkeep asks for attention: rules as data, and in which words they ask.

A file's name is somebody else's text: it is shown on one line, quoted and short, and not at all if
it reads like an order. What it is about stands in the action itself, for those who look there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.attention import OF_WORKSPACES, Rule
from tacit.curate.trust import may_order
from tacit.guard.normalise import one_line
from tacit.model.action import HIGH, NORMAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CONFLICT = Rule(
    name=f"{OF_WORKSPACES}conflict",
    threshold=1,
    priority=HIGH,
    text="{what} was changed by hand and by its card, whose text lies in {other}: "
    "put them together, then remove that one.",
)
UNWRITTEN = Rule(
    name=f"{OF_WORKSPACES}unwritten",
    threshold=1,
    priority=HIGH,
    text="{what} cannot say what its card does ({why}): `tacit doctor` says how to mend it.",
)
ORPHANED = Rule(
    name=f"{OF_WORKSPACES}orphaned",
    threshold=24,  # hours
    priority=NORMAL,
    text="{what} has neither OCR text nor an extraction, and nobody has named it for {hours} "
    "hours: is it still to be read?",
)
STALE = Rule(
    name=f"{OF_WORKSPACES}stale",
    threshold=1,
    priority=NORMAL,
    text="{what} is newer than its OCR text {other}: read it again.",
)
SAME = Rule(
    name=f"{OF_WORKSPACES}same",
    threshold=2,
    priority=NORMAL,
    text="{what} hold the same: which one counts?",
)
SEEMING = "{what} seem to hold the same, too large to be read whole: which one counts?"
ALIKE = Rule(
    name=f"{OF_WORKSPACES}alike",
    threshold=2,
    priority=NORMAL,
    text="{what} have names that say the same: are they one document?",
)
PROJECTS = Rule(
    name=f"{OF_WORKSPACES}projects",
    threshold=2,
    priority=NORMAL,
    text="{what} are called the same: are they one project?",
)
EXTRACTION = Rule(
    name=f"{OF_WORKSPACES}extraction",
    threshold=10,
    priority=HIGH,
    text="{count} corrections of extractions about {topic}: should the extraction rule change?",
)
CROWDED = Rule(
    name=f"{OF_WORKSPACES}crowded",
    threshold=200_000,  # files
    priority=NORMAL,
    text="The workspace holds more than {count} files: the others are not looked after.",
)
RULES = (CONFLICT, UNWRITTEN, ORPHANED, STALE, SAME, ALIKE, PROJECTS, EXTRACTION, CROWDED)
MOST = 10  # so many of one rule are told one by one
MORE = "more"
_SHOWN, _LONGEST = 3, 80
_BETWEEN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is asked: about what, since when, in which words."""

    subject: str
    at: int
    text: str


def shown(path: str) -> str:
    """Return a path as it may stand in a sentence that an agent reads."""
    line = one_line(path).replace("`", "'")
    if may_order(_BETWEEN.sub(" ", line.rpartition("/")[2])):
        return f"A file in {line.partition('/')[0]}/ whose name reads like an order"
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"


def several(paths: Sequence[str]) -> str:
    """Return some paths in a row, and how many more there are."""
    told = [shown(path) for path in paths[:_SHOWN]]
    more = len(paths) - len(told)
    told += [f"{more} more"] if more else []
    return f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else told[0]


def bounded(rule: Rule, reasons: Iterable[Reason], what: str) -> list[Reason]:
    """Return so many as are told one by one, and one that says how many more there are."""
    found = list(reasons)
    if len(found) <= MOST:
        return found
    left = found[MOST:]
    text = f"The same goes for {len(left)} more {what} ({rule.name.rpartition('-')[2]})."
    return [*found[:MOST], Reason(MORE, min(each.at for each in left), text)]
