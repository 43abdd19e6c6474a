"""A selection: which memories of a page come first, and which may be left out, as somebody chose.

It is a list of ids and nothing else: what is no known memory is ignored, every memory stays in its
own section, pinned ones always stand, and what was learned since comes first. One that would lose
more than a quarter of a page is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.deliver.curated.names import PAGES
from tacit.errors import FileRefused
from tacit.store.told_port import Candidates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.store.told_port import Wording

MOST_LOST = 0.25


@dataclass(frozen=True, slots=True)
class Selection:
    """The memories of a page in their order, those left out on purpose, and when that was."""

    chosen: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    at: int = 0


def made(
    page: str, found: Mapping[str, Candidates], shown: Sequence[str], ids: Sequence[str], now: int
) -> Selection:
    """Return a selection; refuse one that loses too much of what is *shown* on the page now."""
    known = _standing(page, found)
    chosen = tuple(dict.fromkeys(name for name in ids if name in known))
    standing = [name for name in shown if name in known]
    left = tuple(name for name in standing if name not in chosen and not known[name].pinned)
    if len(left) > MOST_LOST * len(standing):
        raise FileRefused(
            f"The selection for {page} would lose {len(left)} of {len(standing)} entries, more "
            "than a quarter. Select more of them."
        )
    return Selection(chosen, left, now)


def applied(
    found: Mapping[str, Candidates], selected: Mapping[str, Selection]
) -> dict[str, Candidates]:
    """Return what may stand in each part, in the order that was selected."""
    parts = dict(found)
    for page, selection in selected.items():
        for section in PAGES[page].sections:
            if section.part in parts:
                parts[section.part] = _ordered(parts[section.part], selection)
    return parts


def _ordered(part: Candidates, selection: Selection) -> Candidates:
    """Return a part: pinned ones first, then what is newer than the selection, then as selected."""
    places = {name: place for place, name in enumerate(selection.chosen)}
    left = set(selection.left)

    def place(each: Wording) -> tuple[int, int]:
        if each.pinned or each.created_at > selection.at:
            return (0 if each.pinned else 1, 0)
        return (2, places[each.id]) if each.id in places else (3, 0)

    kept = [each for each in part.memories if each.pinned or each.id not in left]
    return Candidates(sorted(kept, key=place), part.total)


def _standing(page: str, found: Mapping[str, Candidates]) -> dict[str, Wording]:
    """Return the memories that may stand on a page."""
    parts = [found[each.part] for each in PAGES[page].sections if each.part in found]
    return {each.id: each for part in parts for each in part.memories}
