"""A turn as the curator reads it: who said what, event by event, up to a point."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.transcript.prompt import spans
from tacit.transcript.prompt.spans import QUOTED, SYSTEM, USER
from tacit.transcript.turns import payload_of, shown, text_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.guard.fastjson import Json
    from tacit.model.event import Record

_HALVES = re.compile("[\ud800-\udfff]")
SPOKEN = frozenset(("prompt", "reply", "reply_failure", "message"))
WORKED = frozenset(("tool_use", "tool_failure"))
_TELLING = SPOKEN | WORKED
SPEAKERS = frozenset((USER, "assistant"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One event of a turn: its text, and for tools what they were given and gave.

    Of a prompt, the words of one origin.
    """

    event: str
    seq: int
    at: int
    kind: str
    origin: str
    via: str
    tool: str | None
    text: str
    payload: dict[str, Json]

    @property
    def is_mixed(self) -> bool:
        """Say whether it stands beside words of another origin in the same prompt."""
        whole = self.payload.get("prompt")
        is_prompt = self.kind == "prompt" and isinstance(whole, str)
        return is_prompt and self.text.split() != str(whole).split()


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
        said=tuple(said for record in part for said in voices_of(record)),
    )


def voices_of(record: Record) -> list[Said]:
    """Return an event as it is read: a prompt once for each origin of the words in it.

    Each has the words of one origin in their places, and is blank elsewhere.
    """
    return voices(said_of(record))


def voices(said: Said) -> list[Said]:
    """Return a prompt once for each origin of the words in it; anything else as it is."""
    if said.kind != "prompt" or said.origin not in {USER, SYSTEM}:
        return [said]
    found = [
        replace(said, origin=origin, text=text)
        for origin in (USER, QUOTED, SYSTEM)
        if (text := spans.words_of(said.text, origin)).strip()
    ]
    return found or [said]


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
