"""Trimming: of long tool text the head and the tail, with the length and digest of the whole.

Prompts and replies stay whole up to a megabyte. Comes after redaction, so no secret is cut in half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.digest import blake2b
from tacit.guard import fastjson
from tacit.transcript.wire import TOOL_KINDS

if TYPE_CHECKING:
    from tacit.guard.fastjson import Json
    from tacit.transcript.wire import Payload

LARGEST_TEXT = 1 << 20
_TOOL_FIELDS = ("tool_input", "tool_response", "tool_calls", "error", "permission_suggestions")
_MANY = 16  # so many times the limit may all texts of a field have together


def trimmed(payload: Payload, kind: str, limit: int) -> Payload:
    """Return the payload with its long texts trimmed; itself if there are none."""
    changed = {
        name: _field(value, limit if kind in TOOL_KINDS and name in _TOOL_FIELDS else LARGEST_TEXT)
        for name, value in payload.items()
    }
    return changed if any(changed[name] is not payload[name] for name in payload) else payload


def _field(value: Json, limit: int) -> Json:
    """Return one field of a payload with its long texts trimmed."""
    short = _leaves(value, limit)
    if isinstance(short, (dict, list)) and len(fastjson.dumps(short)) > _MANY * limit:
        return text_of(fastjson.dumps(value), limit * 2)
    return short


def _leaves(value: Json, limit: int) -> Json:
    if isinstance(value, str):
        return text_of(value, limit) if len(value) > limit else value
    if isinstance(value, list):
        items = [_leaves(item, limit) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    if isinstance(value, dict):
        fields = {name: _leaves(item, limit) for name, item in value.items()}
        return value if all(fields[name] is value[name] for name in value) else fields
    return value


def text_of(text: str, limit: int) -> str:
    """Return head and tail of a text, and what they are of."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    note = f"\n[trimmed: {len(text)} characters in all, blake2b {digest}]\n"
    head = max(0, limit - len(note)) * 2 // 3
    tail = max(0, limit - len(note)) - head
    return text[:head] + note + (text[-tail:] if tail else "")
