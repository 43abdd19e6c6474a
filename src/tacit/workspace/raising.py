"""Raising: what a rule asks about is queued once, and goes when its reason does.

The id of an action follows from its rule, its subject and the time of its reason. So what somebody
has closed stays closed, also where the memory was made again: the transcript knows who did.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate.decisions import decided
from tacit.model.action import Action
from tacit.model.memory import content_of, identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.curate.attention import Rule
    from tacit.curate.decisions import Decided
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.workspace.rules import Reason

_STATUS = {"resolve": "acted_on", "dismiss": "dismissed"}


class Raiser:
    """Queues what the rules of one workspace ask for."""

    def __init__(self, memory: SqliteMemory, transcript: Store, now_ns: int) -> None:
        self._now_ns = now_ns
        self._actions = memory.actions
        self._memory = memory
        self._transcript = transcript
        self._closed: dict[str, Decided] | None = None

    def settle(self, rule: Rule, reasons: Iterable[Reason]) -> None:
        """Let exactly these reasons of a rule be asked about."""
        wanted = {self._name(rule, each): each for each in reasons}
        raised = {each.id: each for each in self._actions.found("event", rule.name)}
        fresh = [name for name in wanted if name not in raised]
        told = [
            name
            for name in wanted.keys() & raised.keys()
            if raised[name].status == "pending" and raised[name].content != wanted[name].text
        ]
        over = [each.id for each in raised.values() if each.id not in wanted and _waits(each)]
        if not fresh and not told and not over:
            return
        with self._memory.transaction():
            for name in over:
                self._actions.remove(name)
            for name in fresh:
                self._actions.put(self._action(rule, name, wanted[name]))
            for name in told:
                self._actions.put(replace(raised[name], content=content_of(wanted[name].text)))

    def _action(self, rule: Rule, name: str, reason: Reason) -> Action:
        closed = self._closings().get(name)
        return Action(
            id=name,
            content=content_of(reason.text),
            priority=rule.priority,
            status=_STATUS[closed.decision.verb] if closed else "pending",
            session="",
            event=rule.name,
            quote=reason.subject,
            origin="system",
            created_at=self._now_ns,
            closed_at=closed.at if closed else None,
            closed_by=closed.event if closed else None,
        )

    def _closings(self) -> dict[str, Decided]:
        """Return who has closed what, by the id of the action."""
        if self._closed is None:
            told = [decided(record) for record in self._transcript.decisions()]
            self._closed = {
                about.id: each
                for each in told
                if each and each.decision.verb in _STATUS
                for about in each.decision.about
            }
        return self._closed

    def _name(self, rule: Rule, reason: Reason) -> str:
        return identity("act", reason.at, rule.name, reason.subject)


def _waits(action: Action) -> bool:
    return action.status == "pending"
