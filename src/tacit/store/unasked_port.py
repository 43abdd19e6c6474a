"""The unasked: finished turns that no model has read yet, as a store keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


LONGEST_NS = 2 * 3600 * 1_000_000_000  # whoever is to wait longer was put off by a wrong clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Unasked:
    """One turn that waits for a model: up to where it goes, since when, how often it was tried."""

    session: str
    turn: str
    upto: int
    at: int
    is_urgent: bool
    tries: int = 0
    due: int = 0
    reason: str | None = None
    is_dead: bool = False


class UnaskedTurns(Protocol):
    """The turns that wait for a model."""

    def put(self, turn: Unasked) -> None:
        """Let a turn wait; one that waits already waits as it is now."""
        ...

    def drop(self, session: str, turn: str, upto: int) -> None:
        """Let a turn wait no more, unless more of it has come since."""
        ...

    def waiting(self, now: int) -> list[Unasked]:
        """Return those that may be asked about now, by session, in order."""
        ...

    def listed(self, limit: int = -1) -> list[Unasked]:
        """Return all that wait or were given up, the oldest first."""
        ...

    def fail(self, turns: Sequence[Unasked], reason: str, due: int | None) -> None:
        """Say that asking about these failed: to be tried again when due, or never."""
        ...

    def put_off(self, turns: Sequence[Unasked], due: int) -> None:
        """Let these wait until then, whatever they were waiting for; no try was made."""
        ...

    def retry(self, now: int) -> int:
        """Give those that were given up another chance; return how many."""
        ...

    def forget_old(self, before: int) -> int:
        """Let those wait no more that are older; return how many."""
        ...
