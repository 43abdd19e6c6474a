"""Verbs of upkeep: what held no longer for long is removed, what nobody uses is put aside.

Each is an event of the transcript that names what was meant, so a rebuild does the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import settings
from tacit.curate.decisions import Decision
from tacit.policy import SYSTEM, Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import DecisionVerbs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

_TOLD_DAYS = 90
_DAY_NS = 24 * 3600 * 1_000_000_000
_MOST = 200  # so many are named in one decision
_ITSELF = Caller(surface="daemon", profile=SYSTEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkept:
    """What upkeep did: memories removed, and put aside."""

    purged: int
    archived: int


class UpkeepVerbs(DecisionVerbs):
    """What is done from time to time, by rules that the owner sets."""

    def upkeep(self, group: str) -> Upkept:
        """Remove what was superseded long ago, and put aside what nobody uses, if that is asked.

        What sessions were told long ago goes as well, but for what new ones are still told.
        """
        if self._existing(group) is None:
            return Upkept(purged=0, archived=0)
        chosen, now = settings.load(self._home), self._now_ns()
        kept = self._preparer(group).ids()
        self._memories.ask(
            group, lambda store: store.told.forget_old(now - _TOLD_DAYS * _DAY_NS, kept)
        )
        since = now - chosen.purge_superseded_days * _DAY_NS
        old = self._memories.ask(group, lambda store: _old(store, since))
        self._decide_about(group, "purge", old)
        unused: list[Memory] = []
        if chosen.candidate_days:
            since = now - chosen.candidate_days * _DAY_NS
            unused = self._memories.ask(group, lambda store: _unconfirmed(store, since))
            self._decide_about(group, "archive", unused)
        if chosen.archive_unused_days:
            since = now - chosen.archive_unused_days * _DAY_NS
            idle = self._memories.ask(group, lambda store: _unused(store, since))
            self._decide_about(group, "archive", idle)
            unused += idle
        return Upkept(purged=len(old), archived=len(unused))

    def _decide_about(self, group: str, verb: str, memories: Sequence[Memory]) -> None:
        """Decide something about memories, in as many events as it takes."""
        for at in range(0, len(memories), _MOST):
            about = tuple(self._former(group, each) for each in memories[at : at + _MOST])
            self._decide(group, Decision(verb=verb, about=about), _ITSELF)


def _old(store: SqliteMemory, before: int) -> list[Memory]:
    """Return what was superseded long ago; pinned ones stay."""
    return store.memories.wanted(Wanted(states=("superseded",), is_pinned=False, ended=before))


def _unconfirmed(store: SqliteMemory, before: int) -> list[Memory]:
    """Return the candidates that nobody said again since."""
    return store.memories.wanted(Wanted(states=("candidate",), is_pinned=False, before=before))


def _unused(store: SqliteMemory, before: int) -> list[Memory]:
    """Return what was neither learned nor looked at since; pinned ones stay."""
    old = store.memories.wanted(Wanted(is_pinned=False, before=before))
    return [each for each in old if (store.memories.used(each.id)[1] or 0) < before]
