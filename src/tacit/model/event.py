"""An event of the transcript, and the chain that makes every later change of one visible.

The chain runs over the metadata and a salted digest of the body, so a body can be erased and the
chain still holds; and once the salt has gone with the body, nobody can guess what it was.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from tacit.digest import sha256

GENESIS = bytes(32)
SALT_BYTES = 16

# names of fields that payloads and decisions are made of: they are nobody's words
VOCABULARY = frozenset((
    "about", "additionalContext", "agent_id", "agent_transcript_path", "agent_type", "at",
    "background_tasks", "command", "compact_summary", "content", "context_tokens",
    "custom_instructions", "cwd", "decision", "description", "duration_ms", "effort", "erased",
    "error", "events", "file", "filePath", "file_path", "hook_event_name", "id", "importance",
    "interrupted", "isImage", "is_interrupt", "kind", "last_assistant_message", "level",
    "message", "model", "newString", "new_string", "noOutputExpected", "notification_type",
    "numLines", "oldString", "old_string", "originalFile", "output_file", "pattern",
    "permission_mode", "project", "prompt", "prompt_id", "reason", "replace_all", "role",
    "run_in_background", "session", "session_crons", "session_id", "source", "startLine",
    "stderr", "stdout", "stop_hook_active", "structuredPatch", "subagent_type", "surface", "tags",
    "text", "timeout", "tool_calls", "tool_input", "tool_name", "tool_response", "tool_use_id",
    "totalLines", "transcript_path", "trigger", "type", "url", "value", "verb", "whose", "why",
))  # fmt: skip

# who said it: `tool:NAME` beside these
ORIGINS = ("user", "owner", "assistant", "agent", "system")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an event happened: a directory, and the project it belongs to."""

    directory: str
    project: str
    root: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is known of an event besides its body: the chain runs over it."""

    id: str
    at: int
    received: int
    session: str
    project: str
    client: str
    turn: str | None
    kind: str
    tool: str | None
    agent: str | None
    origin: str
    via: str


TOLD = tuple(field.name for field in fields(Told))


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Told):
    """One thing that happened in a session, cleaned and trimmed."""

    salt: bytes
    body: bytes
    place: Place | None = None

    @property
    def digest(self) -> bytes:
        """Return the salted digest of the body."""
        return digest(self.salt, self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Told):
    """An event as it stands in the transcript; its body is gone if it was erased."""

    seq: int
    digest: bytes
    chain: bytes
    salt: bytes | None
    body: bytes | None

    def is_sound(self, previous: bytes) -> bool:
        """Say whether the record is what was written, given the chain before it."""
        return self.chain == link(previous, self.seq, self, self.digest) and self.has_its_body

    @property
    def has_its_body(self) -> bool:
        """Say whether the body is the one that was written, or was erased."""
        if self.body is None or self.salt is None:
            return self.body is None and self.salt is None
        return digest(self.salt, self.body) == self.digest


RECORD = tuple(field.name for field in fields(Record))


def digest(salt: bytes, body: bytes) -> bytes:
    """Return the salted digest of a body."""
    return sha256(len(salt).to_bytes(8) + salt + body).digest()


def link(previous: bytes, seq: int, event: Told, body_digest: bytes) -> bytes:
    """Return the chain value of an event that follows the chain value *previous*."""
    values = [seq, *(getattr(event, name) for name in TOLD)]
    sized = "".join(["-," if value is None else f"{len(str(value))}:{value}," for value in values])
    return sha256(previous + body_digest + sized.encode()).digest()
