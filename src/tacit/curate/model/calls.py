"""Calls of a model as events of the transcript: what was chosen, reserved, spent and answered.

A call is reserved before it is made and settled after, so whoever is killed in between has spent
what was reserved. The answer stands in an event of its own: it holds words and can be erased, what
was spent stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacit.guard import fastjson
from tacit.model.event import SALT_BYTES, Event

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tacit.llm.port import Usage
    from tacit.model.event import Record

CHOSEN, CALL, SETTLED = "model_chosen", "model_call", "model_settled"
REPLY, CAPPED = "model_reply", "model_capped"
KINDS = (CHOSEN, CALL, SETTLED, REPLY, CAPPED)
CLIENT = "tacit"
NONE = "none"  # the provider of whoever wants no model


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as a call names it: of a session, up to a sequence number."""

    session: str
    turn: str
    upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that was reserved: for whom, at which price at most."""

    id: str
    at: int
    provider: str
    model: str
    session: str
    usd: float
    input_tokens: int = 0
    output_tokens: int = 0
    expected_tokens: int = 0  # to be read, as was thought before


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """What a model answered about turns, with real names in the place of those it was told."""

    event: str
    seq: int
    at: int
    model: str
    turns: tuple[Turn, ...]
    answer: dict[str, Any]


def event(kind: str, body: dict[str, Any], *, now_ns: int, random: Callable[[int], bytes]) -> Event:
    """Return an event about a model; it belongs to no session, and nobody's words are in it.

    But for a reply, which repeats what turns say.
    """
    return Event(
        id=f"evt-{random(16).hex()}",
        at=now_ns,
        received=now_ns,
        session="",
        project="",
        client=CLIENT,
        turn=None,
        kind=kind,
        tool=None,
        agent=None,
        origin="system",
        via="live",
        salt=random(SALT_BYTES),
        body=fastjson.encoded(body),
    )


def settling(call: str, usd: float, usage: Usage, reply: str = "") -> dict[str, Any]:
    """Return what a settlement says: what a call has cost, and where its answer stands."""
    return {
        "call": call,
        "reply": reply,
        "usd": round(usd, 6),
        "input_tokens": usage.input_tokens + usage.cached_tokens + usage.written_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
    }


def told(record: Record) -> dict[str, Any]:
    """Return what an event about a model says; nothing if it was erased or is not ours."""
    said = fastjson.loads(record.body) if record.body is not None else None
    is_ours = record.client == CLIENT and record.kind in KINDS and record.origin == "system"
    return said if is_ours and isinstance(said, dict) else {}


def replied(record: Record) -> Replied | None:
    """Return the reply that a record holds; None if it holds none any more."""
    said = told(record) if record.kind == REPLY else {}
    answer, turns = said.get("answer"), said.get("turns")
    if not isinstance(answer, dict) or not isinstance(turns, list):
        return None
    return Replied(
        event=record.id,
        seq=record.seq,
        at=record.at,
        model=str(said.get("model", "")),
        turns=tuple(Turn(str(each[0]), str(each[1]), int(each[2])) for each in turns),
        answer=answer,
    )


def cited(record: Record) -> set[str]:
    """Return the events whose words a reply may repeat."""
    return {str(each) for each in told(record).get("events", [])}


def repeating(records: Sequence[Record], events: Collection[str]) -> list[str]:
    """Return the replies that may repeat the words of these events."""
    replies = [record for record in records if record.kind == REPLY]
    return [each.id for each in replies if not cited(each).isdisjoint(events)]


def read_by(records: Sequence[Record], replies: Collection[str]) -> list[tuple[str, str]]:
    """Return the turns that these replies were about, be the replies themselves erased.

    Each by its session and its name.
    """
    settled = [told(record) for record in records if record.kind == SETTLED]
    made = {said.get("call") for said in settled if said.get("reply") in replies}
    found = [told(record) for record in records if record.kind == CALL and record.id in made]
    rows = [row for said in found for row in said.get("turns", [])]
    return list(dict.fromkeys((str(row[0]), str(row[1])) for row in rows))


def last_settled(records: Sequence[Record]) -> dict[str, Any]:
    """Return what the last settlement says: also how long a server is to be left alone."""
    return next((told(each) for each in reversed(records) if each.kind == SETTLED), {})


def judged(records: Sequence[Record], turns: Sequence[object]) -> dict[int, set[int]]:
    """Return which chunks of each part of exactly these turns were found worth reading."""
    since = read_again_from(records)
    made = {
        each.id
        for each in records
        if each.kind == CALL and each.seq > since and told(each).get("turns") == turns
    }
    settled = [told(each) for each in records if each.kind == SETTLED]
    found = [said for said in settled if said.get("call") in made and "worth" in said]
    return {int(said["part"]): set(said["worth"]) for said in found}


def read_again_from(records: Sequence[Record]) -> int:
    """Return behind which sequence number models have read everything once more; 0 if they never.

    What they had answered before counts no longer.
    """
    again = [each.seq for each in records if each.kind == CHOSEN and told(each).get("again")]
    return max(again, default=0)
