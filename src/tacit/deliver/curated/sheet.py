"""A page, laid out: its fixed headings, each section's lines, never more lines than the page has.

Every heading always stands there, so nothing that is remembered changes which there are. What is
pinned comes first, then each section has its share; one that is cut says how much more there is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.deliver.share import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.deliver.curated.names import Page, Section


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a page, and the memory or the action that it tells; some tell neither."""

    line: str
    id: str = ""


def _none(_count: int) -> Sequence[Entry]:
    return ()


@dataclass(frozen=True, slots=True)
class Part:
    """What may stand in a section; its lines are made when it is known how many there is room for.

    The most wanted come first, the pinned ones before them; of *unread* more nothing is known.
    """

    count: int = 0
    pinned: int = 0
    unread: int = 0
    first: Callable[[int], Sequence[Entry]] = _none


@dataclass(frozen=True, slots=True)
class Filled:
    """A section with what stands in it."""

    section: Section
    entries: Sequence[Entry]
    more: int

    @property
    def lines(self) -> list[str]:
        """Return its lines without the heading."""
        return [*(each.line for each in self.entries), *more_line(self.more)]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as it is written down."""

    page: Page
    filled: list[Filled]
    lines: list[Entry] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the page."""
        return "\n".join(each.line for each in self.lines) + "\n"

    @property
    def is_empty(self) -> bool:
        """Say whether no section has anything to say."""
        return not any(each.entries for each in self.filled)


def laid_out(page: Page, parts: Mapping[str, Part]) -> Sheet:
    """Return a page with as much of each part as it has room for."""
    found = [parts.get(section.part, Part()) for section in page.sections]
    taken = shared(
        [[1] * part.count for part in found],
        [section.share for section in page.sections],
        page.room,
        [part.pinned for part in found],
    )
    filled = [
        Filled(section, part.first(count), part.count - count + part.unread)
        for section, part, count in zip(page.sections, found, taken, strict=True)
    ]
    return Sheet(page, filled, _lines(page, filled))


def more_line(count: int) -> list[str]:
    """Return the line that says how much more there is, if there is more."""
    return [f"- {count} more in memory: `tacit search`"] if count > 0 else []


def _lines(page: Page, filled: Sequence[Filled]) -> list[Entry]:
    lines = [Entry(f"# {page.title}"), Entry(""), Entry(page.note)]
    for each in filled:
        lines += [Entry(""), Entry(f"## {each.section.title}")]
        if each.entries:
            lines += [Entry(""), *each.entries, *map(Entry, more_line(each.more))]
    return lines
