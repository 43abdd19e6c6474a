"""Patience with a server in trouble: it is left alone for longer each time, and nobody is lost.

All batches wait for it, since all go to the same server; each is asked about in its turn, so that
one which brings the server down holds no other up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelBusy, ModelKeyRefused, ModelUnavailable, ModelUnknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.curate.model.batch import Due

_SECOND_NS = 1_000_000_000
_FIRST_WAIT, _LONGEST_WAIT, _PAUSE = 5.0, 600.0, 300.0  # seconds
_LONGEST_OBEYED = 86_400.0
_LONGEST_NS = 26 * 3600 * _SECOND_NS  # whoever is to wait longer was put off by a wrong clock


@dataclass(slots=True)
class Patience:
    """When a server that was in trouble may be asked again, and what its trouble was."""

    until_ns: int = 0
    failures: int = 0
    trouble: str | None = None
    met: set[str] = field(default_factory=set)  # sessions asked about while it lasts

    def is_over(self, now_ns: int) -> bool:
        """Say whether it may be asked now; no clock that is right lets it wait for so long."""
        return not now_ns < self.until_ns <= now_ns + _LONGEST_NS

    def ease(self) -> None:
        """All is well again."""
        self.until_ns, self.failures, self.trouble = 0, 0, None
        self.met.clear()

    def in_turn(self, due: Iterator[Due]) -> Iterator[Due]:
        """Yield batches that were not asked about in this trouble first: none holds others up."""
        again: list[Due] = []
        for each in due:
            if each.session not in self.met:
                yield each
            elif not again:
                again.append(each)
        self.met.clear()
        yield from again

    def told(self) -> dict[str, object]:
        """Return what is written down of it, so that no new start forgets it."""
        return {"until": self.until_ns, "failures": self.failures, "trouble": self.trouble}

    def resume(self, said: dict[str, Any]) -> None:
        """Go on as was written down, if that is longer than it is patient already."""
        until, failures, trouble = said.get("until"), said.get("failures"), said.get("trouble")
        if isinstance(until, int) and isinstance(failures, int) and until > self.until_ns:
            self.until_ns, self.failures, self.trouble = until, failures, str(trouble)

    def pause(self, now_ns: int) -> None:
        """Let nobody be asked for some minutes, whoever forbids it."""
        self.until_ns = now_ns + int(_PAUSE * _SECOND_NS)

    def wait(self, error: ModelUnavailable, now_ns: int, random: Callable[[int], bytes]) -> None:
        """Leave the server alone: as long as it asks for, else longer each time, with a jitter."""
        self.failures += 1
        self.trouble = str(error)
        seconds = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(self.failures - 1, 10))
        if isinstance(error, (ModelKeyRefused, ModelUnknown)):
            seconds = _PAUSE
        jitter = seconds * 0.5 * int.from_bytes(random(2)) / 65_536
        if isinstance(error, ModelBusy) and error.retry_after is not None:
            seconds = max(seconds, min(_LONGEST_OBEYED, error.retry_after))
        self.until_ns = now_ns + int((seconds + jitter) * _SECOND_NS)
