"""Proving: what of a reply's statements may be said, and the words of the turns it stands on.

Each is cited by code: its words decide its origin, and its origin what it may become. What stands
on no words is dropped, and so is an agent's word that no tool bears out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.curate import trust
from tacit.curate.extract import Context, Draft, evidence_of
from tacit.curate.model.cite import cited, is_trusted
from tacit.curate.model.own import in_own_words
from tacit.curate.rules.private import is_private
from tacit.curate.rules.view import view
from tacit.errors import MemoryRefused
from tacit.model.memory import BEHAVIOURAL
from tacit.transcript.prompt.spans import QUOTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.model.cite import Heard, Place
    from tacit.curate.model.reply import Item
    from tacit.curate.reading import TurnText
    from tacit.curate.rules.view import View
    from tacit.model.memory import Evidence

_QUOTED, _FOUND = 0.9, 0.75  # how sure a statement is whose words were quoted, or found by us
_SAID_BY_USERS = frozenset((*BEHAVIOURAL, "fact", "context", "decision"))  # else it tells of work


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A statement with the words that it stands on."""

    draft: Draft
    turn: TurnText
    row: Evidence
    reason: str | None  # why it is held


def proved(items: Sequence[Item], heard: Heard, extractor: str) -> Iterator[Proved | None]:
    """Yield for each statement what it stands on; None for one that is not proved."""
    seen: dict[tuple[str, int, str, str], int] = {}
    views: dict[str, View] = {}
    for item in items:
        found = _stated(item, heard, views)
        if found is None or is_private(found[0].text):
            yield None
            continue
        stated, place = found
        words = (place.said.event, place.start, place.quote, stated.kind)
        seen[words] = seen.get(words, -1) + 1
        is_backed = is_trusted(place.said) or trust.is_backed(
            stated.text, view(place.turn, Context())
        )
        draft = replace(_draft(stated, place), is_supported=is_backed)
        try:
            row = evidence_of(draft, place.turn, extractor, seen[words])
        except MemoryRefused:
            row = None
        reason = trust.held(row) if row else None
        yield Proved(draft=draft, turn=place.turn, row=row, reason=reason) if row else None


def _stated(item: Item, heard: Heard, views: dict[str, View]) -> tuple[Item, Place] | None:
    """Return a statement as it may be said, and the words it stands on; None if on none.

    What is not said as the user did, and only the user can say, is said in the user's words.
    """
    item = _as_told(item, heard)
    is_rule = item.kind in BEHAVIOURAL
    place = cited(item.text, item.quote, heard, item.turn, is_rule=is_rule)
    is_proved = place is not None and _is_supported(item, place, heard, views)
    is_held = is_rule and place is not None and not is_trusted(place.said)
    if is_held or not is_proved:
        own = _in_own_words(item, heard)
        if own is not None:
            return own
    return (item, place) if place is not None and is_proved else None


def _as_told(item: Item, heard: Heard) -> Item:
    """Return a rule that the user only hands on, in a mail or a log, as what it is: information."""
    place = heard.found(item.quote, item.turn) if item.kind in BEHAVIOURAL else None
    is_handed_on = place is not None and place.said.origin == QUOTED
    return replace(item, kind="fact") if is_handed_on else item


def _in_own_words(item: Item, heard: Heard) -> tuple[Item, Place] | None:
    """Return a statement that quotes the user in the words of the quote, if those can stand."""
    if item.kind not in _SAID_BY_USERS or heard.is_watched:
        return None
    place = heard.found(item.quote, item.turn)
    text = in_own_words(item.text, place) if place and is_trusted(place.said) else ""
    return (replace(item, text=text), place) if place and text else None


def _draft(item: Item, place: Place) -> Draft:
    return Draft(
        kind=item.kind,
        content=item.text,
        said=place.said,
        start=place.start,
        quote=place.quote,
        tags=item.tags,
        importance=item.importance,
        confidence=_QUOTED if place.quote.split() == item.quote.split() else _FOUND,
        is_everywhere=item.is_everywhere and place.said.origin == "user",
        topic=item.topic,
        replaces=item.supersedes,
    )


def _is_supported(item: Item, place: Place, heard: Heard, views: dict[str, View]) -> bool:
    """Say whether an agent's words stand on something; everybody else's are their own.

    What tools gave before it spoke counts, in whatever turn of the batch.
    """
    if place.said.origin != "assistant":
        return True
    earlier = [turn for turn in heard.turns if turn.said[0].seq <= place.said.seq]
    for turn in earlier:
        if turn.turn not in views:
            views[turn.turn] = view(turn, Context())
    seen = [views[turn.turn] for turn in earlier]
    return bool(seen) and trust.is_supported(item.text, _together(seen))


def _together(seen: Sequence[View]) -> View:
    """Return the views of several turns as one: what was asked and done in any of them."""
    return replace(
        seen[-1],
        prompts=tuple(said for each in seen for said in each.prompts),
        acts=tuple(act for each in seen for act in each.acts),
        did=tuple(done for each in seen for done in each.did),
    )
