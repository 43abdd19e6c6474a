"""The wire: what a client's payload says, read tolerantly.

Shapes of other programs stay here. Unknown events and fields are kept; what a payload claims never
decides its group, its origin or a path. Built from what the client was seen to send.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tacit.capture import message
from tacit.transcript.prompt.client_wrappers import is_client_made

if TYPE_CHECKING:
    from tacit.capture.entry import Entry
    from tacit.guard.fastjson import Json

    Payload = dict[str, Json]

# event of the client -> kind of ours
KINDS = {
    "UserPromptSubmit": "prompt",
    "UserPromptExpansion": "expansion",
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_use",
    "PostToolUseFailure": "tool_failure",
    "PostToolBatch": "tool_batch",
    "PermissionRequest": "permission_request",
    "PermissionDenied": "permission_denied",
    "Stop": "reply",
    "StopFailure": "reply_failure",
    "SubagentStart": "agent_start",
    "SubagentStop": "agent_reply",
    "PreCompact": "compact_start",
    "PostCompact": "compact",
    "SessionStart": "start",
    "SessionEnd": "end",
    "Notification": "notice",
    "MessageDisplay": "display",
}
TOOL_KINDS = frozenset(
    (
        "tool_call",
        "tool_use",
        "tool_failure",
        "tool_batch",
        "permission_request",
        "permission_denied",
    )
)
# these belong to the last prompt's turn if their client does not say to which
_TURNED = TOOL_KINDS | {"reply", "reply_failure", "agent_start", "agent_reply", "compact"}
_ASSISTANT = frozenset(
    (
        "tool_call",
        "permission_request",
        "permission_denied",
        "reply",
        "reply_failure",
        "agent_reply",
        "compact",
        "display",
    )
)
_SURFACES = frozenset(("http", "mcp", "cli"))
_LONGEST, _LONGEST_PATH = 200, 4096
_FIRST, _LAST = -(1 << 62), 1 << 62
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """What one payload says."""

    name: str
    kind: str
    session: str
    prompt: str | None
    tool: str | None
    tool_use: str | None
    agent: str | None
    origin: str
    via: str
    given_id: str | None
    at: int
    directory: str
    opens_turn: bool
    belongs_to_turn: bool


def is_echo(entry: Entry, payload: Payload) -> bool:
    """Say whether this is the subagent's end that every compaction fires: a copy of its summary."""
    return entry.event == "SubagentStop" and payload.get("agent_type") == ""


def understand(entry: Entry, payload: Payload) -> Wire:
    """Return what a payload says."""
    if entry.event == message.EVENT:
        return _message(entry, payload)
    kind = KINDS.get(entry.event) or _kind(entry.event)
    tool = _word(payload.get("tool_name"))
    return Wire(
        name=entry.event,
        kind=kind,
        session=_text(payload.get("session_id")) or "unknown",
        prompt=_text(payload.get("prompt_id")),
        tool=tool,
        tool_use=_text(payload.get("tool_use_id")),
        agent=_text(payload.get("agent_id")),
        origin=_origin(kind, tool, payload),
        via="live",
        given_id=None,
        at=entry.received_ns,
        directory=_directory(payload.get("cwd")),
        opens_turn=kind == "prompt",
        belongs_to_turn=kind in _TURNED,
    )


def _message(entry: Entry, payload: Payload) -> Wire:
    """Return what a message of a bridge or an importer says."""
    role = payload.get("role")
    kinds = {"user": ("prompt", "user"), "assistant": ("reply", "assistant")}
    kind, origin = kinds.get(str(role), ("message", "system"))
    if role == "tool":
        origin = f"tool:{_word(entry.client) or 'unknown'}"
    return Wire(
        name=entry.event,
        kind=kind,
        session=_text(payload.get("session")) or "unknown",
        prompt=None,
        tool=None,
        tool_use=None,
        agent=None,
        origin=origin,
        via=entry.client if entry.client in _SURFACES else f"import:{entry.client}",
        given_id=_text(payload.get("id")),
        at=_when(payload.get("at"), entry.received_ns),
        directory=_directory(payload.get("project")),
        opens_turn=kind == "prompt",
        belongs_to_turn=kind != "prompt",
    )


def _origin(kind: str, tool: str | None, payload: Payload) -> str:
    """Return who said it: decided by the event alone."""
    if kind in {"prompt", "expansion"}:
        text = payload.get("prompt")
        is_made = isinstance(text, str) and bool(text.strip()) and is_client_made(text)
        return "system" if is_made else "user"
    if kind in _ASSISTANT:
        return "assistant"
    if kind in TOOL_KINDS:
        return f"tool:{tool or 'unknown'}"
    return "system"


def _kind(event: str) -> str:
    """Return our name of an event that is not in the table: `ConfigChange`, `config_change`."""
    parts = "".join(f"_{char.lower()}" if char.isupper() else char for char in event)
    return parts.strip("_")[:64] or "unknown"


def _text(value: Json) -> str | None:
    """Return an id that a client gave; shortened if it is absurd, None if it is none."""
    if not isinstance(value, str) or not value:
        return None
    clean = value.encode("utf-8", "replace").decode().replace("\0", "")
    if len(clean) <= _LONGEST:
        return clean or None
    from tacit.transcript.identity import short_hash  # noqa: PLC0415  (it builds on this module)

    return f"{clean[: _LONGEST - 20]}~{short_hash(clean)}"


def _word(value: Json) -> str | None:
    """Return a name that may stand in an origin: letters, digits and a few signs."""
    text = _text(value)
    if text is None:
        return None
    return "".join(char if char in _WORD else "_" for char in text)


def _directory(value: Json) -> str:
    """Return the directory that a payload names, if it can be one."""
    if not isinstance(value, str) or not value.startswith("/") or len(value) >= _LONGEST_PATH:
        return ""
    return "" if "\0" in value else value.encode("utf-8", "replace").decode()


def _when(value: Json, received_ns: int) -> int:
    """Return when a message was said: ISO 8601, or the time at which it came."""
    try:
        said = datetime.fromisoformat(str(value))
    except ValueError:
        return received_ns
    said = said if said.tzinfo else said.replace(tzinfo=UTC)
    since = said - datetime(1970, 1, 1, tzinfo=UTC)
    when = (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000
    return when if _FIRST < when < _LAST else received_ns
