"""The embedded curator: all rules over one turn, in order, with what is known."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tacit.curate import explicit, trust
from tacit.curate.extract import Context, Draft, Extracted, Extractor, Later
from tacit.curate.rules import followups, outcomes, statements, summary
from tacit.curate.rules.across import joined, procedures
from tacit.curate.rules.across.recovered import recovered
from tacit.curate.rules.across.terse import corrected
from tacit.curate.rules.kin import Statement, verdict
from tacit.curate.rules.view import View, view
from tacit.curate.rules.words import stems
from tacit.mind import in_mind
from tacit.model.memory import trust as weight

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tacit.curate.reading import Said, TurnText
    from tacit.store.memory_port import Known

NAME = "rules-1"
_ALIKE = 0.6
_FEWEST = 2
_FIXES = frozenset(("bugfix", "discovery"))


def rules(boring_tools: Collection[str] = ()) -> Extractor:
    """Return the embedded curator; the use of a boring tool teaches it nothing."""
    return Extractor(
        name=NAME, extract=partial(extract, boring=boring_tools), summarise=summary.summary_of
    )


def extract(turn: TurnText, context: Context, boring: Collection[str] = ()) -> Extracted:
    """Return what a turn teaches, leaves to do, has done and came to."""
    seen = view(turn, context, boring)
    known = Later(lambda: [_told(each.content, each.kind, each.session) for each in context.known])
    found = list(_distinct(_drafts(turn, seen, context, known)))
    drafts = tuple(_weighed(related(found, seen, context.known, known), seen))
    return Extracted(
        drafts=drafts,
        follow_ups=tuple(
            each for each in followups.left_to_do(seen) if _is_backed(each.content, each.said, seen)
        ),
        done=tuple(action.id for action in followups.done_in(seen, context.waiting)),
        note=summary.note_of(seen, only_tells=bool(drafts)),
    )


def _weighed(drafts: Iterator[Draft], seen: View) -> Iterator[Draft]:
    """Yield drafts with whether something supports what is not the user's own word."""
    for draft in drafts:
        yield replace(draft, is_supported=_is_backed(draft.content, draft.said, seen))


def _is_backed(content: str, said: Said, seen: View) -> bool:
    return weight(said.origin) >= weight("user") or trust.is_backed(content, seen)


@in_mind(512)
def _told(text: str, kind: str, session: str) -> Statement:
    """Return what is known as it is compared, the same for turn after turn."""
    return Statement(text, kind, session)


def _drafts(
    turn: TurnText, seen: View, context: Context, known: Sequence[Statement]
) -> Iterator[Draft]:
    """Yield what all rules find, the most explicit first."""
    yield from procedures.kept(seen, context.did)  # "remember to do it this way" says too little
    yield from explicit.extract(turn).drafts
    yield from joined.decided(seen, context.before, context.known)
    yield from corrected(seen, context.known)
    yield from statements.of_user(seen, known)
    yield from outcomes.installed(seen)
    yield from _of_work(seen)


def _of_work(seen: View) -> Iterator[Draft]:
    """Yield what work came to; that something passes again, only where nobody tells why."""
    told = [*outcomes.committed(seen)]
    told += [each for each in statements.of_reply(seen) if trust.is_supported(each.quote, seen)]
    yield from told
    if not any(each.kind in _FIXES for each in told):
        yield from recovered(seen)


def _distinct(drafts: Iterator[Draft]) -> Iterator[Draft]:
    """Yield each thing once: not the same words twice, nor an echo of what was just said."""
    kept: list[Draft] = []
    for draft in drafts:
        if not explicit.is_lead(draft.quote) and not any(_overlap(draft, one) for one in kept):
            kept.append(draft)
            yield draft


def _overlap(draft: Draft, other: Draft) -> bool:
    """Say whether two drafts cite the same words, or say much the same."""
    if draft.said.event == other.said.event:
        return draft.start < other.start + len(other.quote) and other.start < draft.start + len(
            draft.quote
        )
    one, two = stems(draft.content), stems(other.content)
    shared = len(one & two)
    return shared >= _FEWEST and shared >= _ALIKE * min(len(one), len(two))


def related(
    drafts: Sequence[Draft], seen: View, known: Sequence[Known], told: Sequence[Statement]
) -> Iterator[Draft]:
    """Yield drafts with the known memory that each says again, or replaces.

    What an agent only repeats is an echo, and no evidence; and it replaces nothing a person said.
    """
    for draft in drafts:
        origin = draft.said.origin
        new = Statement(draft.content, draft.kind, seen.turn.session, seen.about(), origin)
        if draft.same_as or draft.replaces or draft.is_separate:  # its kin is known already
            yield draft
            continue
        found = verdict(new, told)
        old = known[found.at] if found else None
        is_weaker = old is not None and weight(draft.said.origin) < weight(old.origin)
        if found is None or old is None:
            yield draft
        elif found.relation == "same":
            is_echo = is_weaker and weight(draft.said.origin) < weight("user")
            yield from [] if is_echo else [replace(draft, same_as=old.id)]
        elif found.relation == "replaced":
            others = tuple(known[at].id for at in found.others)
            named = replace(draft, replaces=old.id, also_replaces=others)
            yield draft if is_weaker else named
        elif found.relation == "unclear":
            yield replace(draft, contradicts=old.id)


OFF = Extractor(name="off-1", extract=lambda _turn, _context: Extracted())
