"""Turns: one prompt with its tool uses and its reply, as a view of the transcript.

A turn is open while something of it may still come: until its reply, or while a tool runs, however
long. It may end with no reply at all: with the next prompt, the session's end, or ten idle minutes.
What comes late opens it again for as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.guard import fastjson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.guard.fastjson import Json
    from tacit.model.event import Record

IDLE_NS = 600 * 1_000_000_000
STATES = ("open", "finished", "failed", "interrupted")
_ENDS = frozenset(("reply", "reply_failure"))
_COMPACTIONS = ("compact_start", "compact")  # a client may tell of both ends, or of one
_TELLING = (
    "command", "file_path", "stdout", "stderr", "content", "result", "pattern", "prompt", "url",
)  # fmt: skip
_RESULTS = frozenset(("tool_use", "tool_failure"))
_WORK = _RESULTS | {"tool_call", "tool_batch", "agent_start", "agent_reply"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One tool use: which tool, by which subagent, how it went."""

    seq: int
    tool: str
    agent: str | None
    failed: bool
    given: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One prompt with its tool uses and its reply."""

    id: str
    session: str
    state: str
    origin: str
    started: int
    last: int
    last_seq: int
    prompt: str
    reply: str
    steps: list[Step]
    compactions: int


def turns(records: Sequence[Record], now_ns: int) -> list[Turn]:
    """Return the turns of one session, in the order in which they began."""
    parts: dict[str, list[Record]] = {}
    for record in records:
        if record.turn is not None:
            parts.setdefault(record.turn, []).append(record)
    ended = max((record.seq for record in records if record.kind == "end"), default=0)
    prompts = [record.seq for record in records if record.kind == "prompt"]
    return [_turn(name, part, now_ns, ended, prompts) for name, part in parts.items()]


def _turn(name: str, part: list[Record], now_ns: int, ended: int, prompts: list[int]) -> Turn:
    prompt = next((record for record in part if record.kind == "prompt"), None)
    reply = next((record for record in reversed(part) if record.kind in _ENDS), None)
    begun = prompt.seq if prompt else part[0].seq
    is_over = ended > begun or any(seq > part[-1].seq for seq in prompts)
    return Turn(
        id=name,
        session=part[0].session,
        state=_state(part, now_ns, is_over=is_over),
        origin=prompt.origin if prompt else "system",
        started=part[0].at,
        last=max(record.at for record in part),
        last_seq=part[-1].seq,
        prompt=text_of(prompt) if prompt else "",
        reply=text_of(reply) if reply else "",
        steps=[_step(record) for record in part if record.kind in _RESULTS],
        compactions=max(sum(record.kind == kind for record in part) for kind in _COMPACTIONS),
    )


def _state(part: list[Record], now_ns: int, *, is_over: bool) -> str:
    """Return the state of a turn."""
    reply = next((record for record in reversed(part) if record.kind in _ENDS), None)
    late = [record for record in part if record.kind in _WORK and reply and record.seq > reply.seq]
    is_quiet = is_over or now_ns - max(record.received for record in part) >= IDLE_NS
    if reply and not (late and not is_quiet):
        return "finished" if reply.kind == "reply" else "failed"
    if _runs(part) and not is_over:
        return "open"
    return "interrupted" if is_quiet else "open"


def _runs(part: list[Record]) -> bool:
    """Say whether a tool was called that has not come back."""
    called = {_field(record, "tool_use_id") for record in part if record.kind == "tool_call"}
    back = {_field(record, "tool_use_id") for record in part if record.kind in _RESULTS}
    return bool(called - back - {""})


def _step(record: Record) -> Step:
    payload = payload_of(record)
    result = payload.get("tool_response", payload.get("error"))
    return Step(
        seq=record.seq,
        tool=record.tool or "unknown",
        agent=record.agent,
        failed=record.kind == "tool_failure",
        given=shown(payload.get("tool_input")),
        result=shown(result),
    )


def payload_of(record: Record) -> dict[str, Json]:
    """Return what a record's body says; nothing if it was erased."""
    if record.body is None:
        return {}
    payload = fastjson.loads(record.body)
    return payload if isinstance(payload, dict) else {}


def text_of(record: Record) -> str:
    """Return what was said in a prompt, a reply or a message."""
    return text_in(record, payload_of(record))


def text_in(record: Record, payload: dict[str, Json]) -> str:
    """Return what was said in a record whose *payload* was read before."""
    if record.body is None:
        return "[erased]"
    for name in ("prompt", "last_assistant_message", "text", "compact_summary", "error"):
        value = payload.get(name)
        if isinstance(value, str):
            return value
    return ""


def _field(record: Record, name: str) -> str:
    value = payload_of(record).get(name)
    return value if isinstance(value, str) else ""


def shown(value: Json) -> str:
    """Return the telling part of a tool's input or output."""
    if isinstance(value, dict):
        blocks = value.get("content")
        if isinstance(blocks, list):
            return "\n".join(_block(block) for block in blocks)
        for name in _TELLING:
            if isinstance(value.get(name), str) and value[name]:
                return str(value[name])
    if isinstance(value, str):
        return value
    return "" if value is None else fastjson.dumps(value)


def _block(block: Json) -> str:
    """Return the text of one block of a message."""
    text = block.get("text") if isinstance(block, dict) else block
    return text if isinstance(text, str) else fastjson.dumps(block)
