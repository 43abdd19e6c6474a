"""Verbs about memories that say the same: merged by their meaning, split again by the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate import alike
from tacit.curate.decide import Decider
from tacit.curate.decisions import Decision
from tacit.curate.learn import Learner
from tacit.errors import NotFound
from tacit.policy import SYSTEM, Caller
from tacit.verbs.upkeep import UpkeepVerbs

if TYPE_CHECKING:
    from tacit.curate.alike import Alike
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

MERGED_AT = "merged at"
EVERY_NS = 24 * 3600 * 1_000_000_000
_MOST = 200  # in one night
_SPLIT, _GONE = "split", "gone"  # instead of the memory that stands for another
_ITSELF = Caller(surface="daemon", profile=SYSTEM)


class MergingVerbs(UpkeepVerbs):
    """What says the same in other words becomes one, and can be two again."""

    def is_merge_due(self, group: str) -> bool:
        """Say whether it is a day since memories were last compared."""
        if self._parts.embedder is None:
            return False
        last = self._of_memory(group, lambda store: store.jobs.number(MERGED_AT))
        return last is not None and self._now_ns() - last >= EVERY_NS

    def merge(self, group: str) -> list[Alike]:
        """Merge memories that say the same, each verdict an event that the owner can undo."""
        embedder = self._parts.embedder
        if embedder is None:
            return []
        model = embedder.model
        verdicts = self._of_memory(group, lambda store: self._verdicts(group, store)) or {}
        apart = frozenset(name for name, verdict in verdicts.items() if verdict == _SPLIT)

        def found(store: SqliteMemory) -> list[Alike]:
            pairs = alike.pairs(store, model, apart)
            return [each for each, _ in zip(pairs, range(_MOST), strict=False)]

        merged = self._of_memory(group, found) or []
        for each in merged:
            about = (self._about(group, each.kept), self._about(group, each.merged))
            why = f"{each.cosine} alike by {model}"
            self._decide(group, Decision(verb="merge", about=about, why=why), _ITSELF)
        now = self._now_ns()
        self._of_memory(group, lambda store: store.jobs.set_number(MERGED_AT, now))
        return merged

    def split(self, group: str, name: str, caller: Caller) -> Memory:
        """Let a memory that was merged with another stand by itself again."""
        memory = self.memory(group, name)
        verdict = self._memories.ask(group, lambda store: self._verdicts(group, store))
        stands_for_it = verdict.get(memory.id, _SPLIT)
        is_merged = stands_for_it in {memory.superseded_by, _GONE}
        if memory.state != "superseded" or not is_merged:
            raise NotFound(
                f"{memory.id} was not merged with another. See `tacit list --superseded`."
            )
        return self._on_memory(group, "split", memory.id, caller)

    def _verdicts(self, group: str, store: SqliteMemory) -> dict[str, str]:
        """Return what was last decided about memories: by which they are merged, or split."""
        meant = Decider(store, Learner(store, self._tools(group).digest)).meant
        found: dict[str, str] = {}
        for told in self.audit(group):
            verb, about = told.decision.verb, told.decision.about
            memory = meant(about[-1]) if about and verb in {"merge", "split"} else None
            if memory is not None:
                kept = meant(about[0])
                found[memory.id] = _SPLIT if verb == "split" else kept.id if kept else _GONE
        return found
