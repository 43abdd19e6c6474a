"""Verbs about memories that say the same: merged by their meaning, split again by the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate import alike
from tacit.curate.decide import Decider
from tacit.curate.decisions import Decision
from tacit.curate.learn import Learner
from tacit.errors import NotFound
from tacit.policy import SYSTEM, Caller
from tacit.store.index_port import Scope
from tacit.verbs.upkeep import UpkeepVerbs

if TYPE_CHECKING:
    from tacit.curate.alike import Alike
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

MERGED_UPTO, MERGED_OF = "merged upto", "merged of"  # passages: the newest, and how many
_MOST = 200  # in one night
_SPLIT, _GONE = "split", "gone"  # instead of the memory that stands for another
_ITSELF = Caller(surface="daemon", profile=SYSTEM)


class MergingVerbs(UpkeepVerbs):
    """What says the same in other words becomes one, and can be two again."""

    def is_merge_due(self, group: str) -> bool:
        """Return whether meanings are known that were not compared yet, and curating is on."""
        embedder = self._parts.embedder
        if embedder is None or self._chosen().mode == "off":
            return False
        model = embedder.model

        def is_due(store: SqliteMemory) -> bool:
            return store.index.understood(model)[1] != store.jobs.number(MERGED_OF)

        return bool(self._of_memory(group, is_due))

    def merge(self, group: str) -> list[Alike]:
        """Merge memories that say the same, each verdict an event that the owner can undo."""
        embedder = self._parts.embedder
        if embedder is None:
            return []
        model = embedder.model
        verdicts = self._of_memory(group, lambda store: self._verdicts(group, store)) or {}
        apart = frozenset(name for name, verdict in verdicts.items() if verdict == _SPLIT)

        def found(store: SqliteMemory) -> list[Alike]:
            pairs = alike.pairs(store, model, apart, store.jobs.number(MERGED_UPTO))
            return [each for each, _ in zip(pairs, range(_MOST), strict=False)]

        merged = self._of_memory(group, found) or []
        for each in merged:
            about = (self._about(group, each.kept), self._about(group, each.merged))
            why = f"{each.cosine} alike by {model}"
            self._decide(group, Decision(verb="merge", about=about, why=why), _ITSELF)
        self._of_memory(group, lambda store: _note_compared(store, model))
        return merged

    def split(self, group: str, name: str, caller: Caller) -> Memory:
        """Restore a memory that was merged with or replaced by another."""
        memory = self.memory(group, name)
        is_replaced = self._memories.ask(group, lambda store: _is_replaced_by_rules(store, memory))
        verdict = self._memories.ask(group, lambda store: self._verdicts(group, store))
        is_merged = verdict.get(memory.id, _SPLIT) in {memory.superseded_by, _GONE}
        if memory.state != "superseded" or not (is_merged or is_replaced):
            raise NotFound(
                f"{memory.id} was not merged with another, nor replaced by one. "
                "See `tacit list --superseded`."
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


def _is_replaced_by_rules(store: SqliteMemory, memory: Memory) -> bool:
    """Return whether a memory was replaced by what somebody said, not by the owner's correction."""
    rows = store.evidence.of_memory(memory.superseded_by or "")
    return bool(rows) and not any(row.origin == "owner" for row in rows)


def _note_compared(store: SqliteMemory, model: str) -> None:
    """Write down up to which passage memories were compared, once all have a meaning."""
    passages, understood = store.index.understood(model)
    store.jobs.set_number(MERGED_OF, understood)
    if passages == understood:
        numbers = store.index.latest(Scope(layers=("memory",)), -1)
        store.jobs.set_number(MERGED_UPTO, max(numbers, default=0))
