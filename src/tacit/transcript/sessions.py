"""Sessions: a view of the transcript, never a table of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tacit.store.port import SessionRow

STATES = ("active", "ended", "failed", "interrupted")
_DAY_NS = 24 * 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation of one client in one project."""

    id: str
    state: str
    project: str
    client: str
    started: int
    last: int
    events: int
    prompts: int
    tools: int
    failures: int
    first_prompt: str


def state_of(row: SessionRow, now_ns: int) -> str:
    """Return how a session stands: what happened last decides, then how long ago that was."""
    if row.outcome == "reply_failure":
        return "failed"
    if row.closing == "end":
        return "ended"
    return "interrupted" if now_ns - row.last >= _DAY_NS else "active"


def session_of(row: SessionRow, *, now_ns: int, project: str, first_prompt: str) -> Session:
    """Return a session as people read it."""
    return Session(
        id=row.session,
        state=state_of(row, now_ns),
        project=project,
        client=row.client,
        started=row.started,
        last=row.last,
        events=row.events,
        prompts=row.prompts,
        tools=row.tools,
        failures=row.failures,
        first_prompt=first_prompt,
    )
