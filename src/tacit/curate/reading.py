"""A turn as the curator reads it: who said what, event by event, up to a point."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.transcript.turns import payload_of, shown, text_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.guard.fastjson import Json
    from tacit.model.event import Record

_HALVES = re.compile("[\ud800-\udfff]")
SPOKEN = frozenset(("prompt", "reply", "reply_failure", "message"))
WORKED = frozenset(("tool_use", "tool_failure"))
_TELLING = SPOKEN | WORKED


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One event of a turn: its text, and for tools what they were given and gave."""

    event: str
    seq: int
    at: int
    kind: str
    origin: str
    via: str
    tool: str | None
    text: str
    payload: dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnText:
    """One turn, in order."""

    session: str
    turn: str
    project: str
    said: tuple[Said, ...]

    @property
    def prompts(self) -> list[Said]:
        """Return what the user said."""
        return [said for said in self.said if said.kind == "prompt" and said.origin == "user"]


def read(records: Sequence[Record], upto: int) -> TurnText | None:
    """Return a turn up to a sequence number; what was erased is not there. None if nothing is."""
    part = [record for record in records if record.seq <= upto and record.body is not None]
    if not part:
        return None
    return TurnText(
        session=part[0].session,
        turn=part[0].turn or "",
        project=part[0].project,
        said=tuple(said_of(record) for record in part),
    )


def words_of(record: Record) -> str:
    """Return what was said, each character in its place; half an emoji is no character.

    What a tool says is what it was given, and below that what it gave.
    """
    return _words_in(record, payload_of(record))


def _words_in(record: Record, payload: dict[str, Json]) -> str:
    if record.kind in WORKED:
        parts = (payload.get("tool_input"), payload.get("tool_response", payload.get("error")))
        said = "\n".join(shown(part) for part in parts)
    else:
        said = text_in(record, payload)
    return said if said.isascii() else _HALVES.sub("\ufffd", said)


def said_of(record: Record) -> Said:
    """Return one event as it is read."""
    payload = payload_of(record)
    return Said(
        event=record.id,
        seq=record.seq,
        at=record.at,
        kind=record.kind,
        origin=record.origin,
        via=record.via,
        tool=record.tool,
        text=_words_in(record, payload) if record.kind in _TELLING else "",
        payload=payload,
    )
