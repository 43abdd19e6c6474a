"""The identity of an event: what it is, never when it came, so twice delivered is once.

Tool events by (session, event, tool use, agent), prompts by (session, prompt), messages of bridges
and importers by (source, given id), everything else by its whole payload, cleaned but not trimmed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit.digest import blake2b

if TYPE_CHECKING:
    from tacit.transcript.wire import Payload, Wire

_BYTES = 16


def event_id(wire: Wire, payload: Payload, client: str) -> str:
    """Return the id of an event."""
    if wire.given_id:
        return _hashed("given", wire.via, client, wire.given_id)
    if wire.tool_use:
        return _hashed("tool", wire.session, wire.name, wire.tool_use, wire.agent or "")
    if wire.prompt and wire.name in {"UserPromptSubmit", "UserPromptExpansion"}:
        return _hashed("prompt", wire.session, wire.name, wire.prompt)
    return _hashed("payload", wire.name, canonical(payload))


def canonical(payload: Payload) -> str:
    """Return the one way to write this payload."""
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def short_hash(text: str) -> str:
    """Return a short name for a long text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _hashed(*parts: str) -> str:
    sized = "".join(f"{len(part)}:{part}" for part in parts)
    return "evt-" + blake2b(sized.encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()
