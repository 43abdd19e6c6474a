"""Actions, what waits for somebody's attention, and summaries, what a session came to."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.errors import MemoryRefused
from tacit.guard.normalise import one_line

STATUSES = ("pending", "acted_on", "dismissed")
ALIASES = {"completed": "acted_on"}
URGENT, HIGH, NORMAL = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something queued for the agent's or the user's attention."""

    id: str
    content: str
    priority: int = NORMAL
    status: str = "pending"
    memory: str | None = None
    session: str
    turn: str | None = None
    event: str
    quote: str
    origin: str
    project: str | None = None
    created_at: int
    closed_at: int | None = None
    closed_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What one session came to, in eight fields."""

    session: str
    project: str | None
    request: str = ""
    investigated: str = ""
    learned: str = ""
    completed: str = ""
    next_steps: str = ""
    files_read: tuple[str, ...] = ()
    files_edited: tuple[str, ...] = ()
    notes: str = ""
    updated_at: int
    is_final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What one turn came to: a summary is made of these."""

    session: str
    turn: str
    seq: int
    at: int
    asked: str = ""
    done: str = ""
    looked: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    files_edited: tuple[str, ...] = ()


def status_of(name: str) -> str:
    """Return the status that is meant; aliases are taken in."""
    status = ALIASES.get(name, name)
    if status not in STATUSES:
        raise MemoryRefused(
            f"{one_line(name)!r} is no status of an action. Use {', '.join(STATUSES)}."
        )
    return status


def priority_of(number: int) -> int:
    """Return a priority that is one."""
    if not URGENT <= number <= NORMAL:
        raise MemoryRefused(
            f"Priority is {URGENT} (urgent), {HIGH} (high) or {NORMAL} (normal), not {number}."
        )
    return number
