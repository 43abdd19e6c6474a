"""Verbs of the review: candidates and doubts that wait for the owner's judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.decisions import Decision
from tacit.errors import NotFound
from tacit.store.memory_port import Wanted
from tacit.verbs.merging import MergingVerbs

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from tacit.policy import Caller
    from tacit.store.sqlite.memory import SqliteMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Two active memories that may contradict each other."""

    newer: Memory
    older: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What waits for the owner's judgement: candidates, the newest first, and doubts."""

    candidates: list[Memory]
    doubts: list[Doubt]


class ReviewVerbs(MergingVerbs):
    """What the owner judges: whether a candidate is worth keeping, and which of two holds."""

    def review(self, group: str, *, archived: bool = False) -> Review:
        """Return what waits for a judgement; or the candidates that were put aside."""
        if self._existing(group) is None:
            return Review(candidates=[], doubts=[])
        if archived:
            put_aside = self.list(group, Wanted(states=("archived",)))
            return Review(candidates=put_aside, doubts=[])
        doubts = self._memories.ask(group, _doubts)
        return Review(candidates=self.list(group, Wanted(states=("candidate",))), doubts=doubts)

    def choose(self, group: str, name: str, other: str, caller: Caller) -> Memory:
        """Keep a memory and retire another that it contradicts; return the one that is kept."""
        return self._judge(group, "choose", (name, other), caller)

    def keep(self, group: str, name: str, other: str, caller: Caller) -> Memory:
        """Keep both of two memories that seemed to contradict each other."""
        return self._judge(group, "keep", (name, other), caller)

    def _judge(self, group: str, verb: str, names: tuple[str, str], caller: Caller) -> Memory:
        kept, other = (self.memory(group, name) for name in names)
        if "active" not in {kept.state} & {other.state}:
            raise NotFound("Both must be active. See `tacit review`.")
        about = (self._about(group, kept), self._about(group, other))
        self._decide(group, Decision(verb=verb, about=about), caller)
        return self.memory(group, kept.id)


def _doubts(store: SqliteMemory) -> list[Doubt]:
    """Return the pairs of active memories that may contradict each other."""
    found = []
    for link in store.memories.contradictions():
        one, other = store.memories.get(link.source), store.memories.get(link.target)
        if one is not None and other is not None:
            found.append(Doubt(newer=one, older=other))
    return found
