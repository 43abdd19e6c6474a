"""Decisions: what the owner, or an agent, wants done with memories, as events of the transcript.

A decision names memories by id and by the events they stand on, so that it finds them again when
all are made anew. What is to be erased is never repeated in the decision itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from tacit.curate.model.carry import is_carried
from tacit.guard import fastjson
from tacit.model.event import SALT_BYTES, Event
from tacit.model.memory import (
    DECIDED,
    EDITED,
    USUAL_IMPORTANCE,
    Evidence,
    content_of,
    identity,
    importance_of,
    kind_of,
    tags_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.model.event import Place, Record
    from tacit.model.memory import Memory

KIND = "decision"
CLIENT = "tacit"
VERBS = (
    "remember",
    "correct",
    "forget",
    "pin",
    "unpin",
    "undo",
    "accept",
    "reject",
    "resolve",
    "dismiss",
    "merge",
    "split",
    "choose",
    "keep",
    "purge",
    "archive",
)
BY_ITSELF = frozenset(("merge", "purge", "archive"))  # what Tacit decides by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A memory or an action that is meant: its id, its kind, what it stood on, what that before it.

    By these it is found again when its id is another, or in its place what it had replaced. Of one
    that holds no longer also the keyed digest of what it *says*, and *until* when it held.
    """

    id: str
    kind: str = ""
    events: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    says: str = ""
    until: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What somebody wants done."""

    verb: str
    about: tuple[About, ...] = ()
    text: str = ""
    kind: str = ""
    tags: tuple[str, ...] = ()
    importance: int = 0
    pinned: bool = False  # correct: what was corrected was pinned
    project: str | None = None
    session: str | None = None  # undo and forget: all that this session taught
    whose: str | None = None  # forget: all that is of this origin
    erased: tuple[str, ...] = ()  # forget: events whose bodies go
    replaced: tuple[About, ...] = ()  # forget: what stays replaced, though its successor goes
    statements: tuple[str, ...] = ()  # forget: keyed digests of what is not to be learned again
    why: str = ""
    surface: str = "cli"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision as it stands in the transcript: by whom, when, where."""

    decision: Decision
    event: str
    seq: int
    at: int
    origin: str
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who decides: the owner, or an agent in a session of its own."""

    origin: str
    session: str = ""
    via: str = "cli"


def event(
    decision: Decision,
    who: Who,
    place: Place | None,
    *,
    now_ns: int,
    random: Callable[[int], bytes],
) -> Event:
    """Return the event of a decision; one that Tacit takes by itself is taken nowhere."""
    body = {name: value for name, value in asdict(decision).items() if value}
    return Event(
        id=f"evt-{random(16).hex()}",
        at=now_ns,
        received=now_ns,
        session=who.session,
        project=place.project if place else "",
        client=CLIENT,
        turn=None,
        kind=KIND,
        tool=None,
        agent=None,
        origin=who.origin,
        via=who.via,
        salt=random(SALT_BYTES),
        body=fastjson.encoded(_plain(body)),
        place=place,
    )


def decided(record: Record) -> Decided | None:
    """Return what a record says was decided; None if it was erased or is no decision of ours."""
    said = fastjson.loads(record.body) if record.body is not None else None
    if not isinstance(said, dict) or said.get("verb") not in VERBS or record.client != CLIENT:
        return None
    if record.origin not in ({"system"} if said["verb"] in BY_ITSELF else {"owner", "agent"}):
        return None
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in said.items()
        if name in Decision.__slots__
    }
    for name in ("about", "replaced"):
        known[name] = tuple(_about(row) for row in known.get(name, ()))
    return Decided(
        decision=Decision(**known),
        event=record.id,
        seq=record.seq,
        at=record.at,
        origin=record.origin,
        session=record.session,
    )


def _about(row: dict[str, Any]) -> About:
    return About(
        id=row["id"],
        kind=row.get("kind", ""),
        events=tuple(row.get("events", ())),
        before=tuple(row.get("before", ())),
        says=row.get("says", ""),
        until=row.get("until", 0),
    )


def _plain(value: Any) -> Any:
    """Return a value as JSON knows it."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def stated(decided: Decided, old: Memory | None = None, about: About | None = None) -> Evidence:
    """Return what was said in a decision as evidence; what is not given is as it was."""
    given = decided.decision
    kind = kind_of(given.kind or (old.kind if old else "fact"))
    named = about.id if about else ""
    return Evidence(
        id=identity("evi", decided.at, decided.event, "0", given.text, kind, named),
        event=decided.event,
        seq=decided.seq,
        start=0,
        quote=given.text,
        origin=decided.origin,
        via=given.surface,
        session=decided.session,
        turn=None,
        at=decided.at,
        kind=kind,
        content=content_of(given.text),
        tags=tags_of(given.tags or (old.tags if old else ())),
        importance=importance_of(given.importance or (old.importance if old else USUAL_IMPORTANCE)),
        project=old.project if old else given.project,
        topic=old.topic if old else "",
        extractor=EDITED if given.verb == "correct" else DECIDED,
    )


def weighed(evidence: Evidence, said: Callable[[], str]) -> Evidence:
    """Return evidence with whether the user *said* what an agent wrote down."""
    if evidence.origin != "agent":
        return evidence
    own = said() if evidence.session else ""
    return replace(evidence, is_supported=bool(own) and is_carried(evidence.content, own))
