"""Attention: when the owner or the agent is asked to look at something, by rules that are data.

Facts, preferences and files are learned silently; what needs a judgement is queued, once, and goes
when its reason does. What a rule raises depends on nothing but the memory as it stands, so a
rebuild raises the same. What the files of a workspace raise, no transcript tells: a rebuild keeps
it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.curate.statement import words_of
from tacit.model.action import HIGH, NORMAL, Action
from tacit.model.memory import DAY_NS, identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.model.memory import Evidence
    from tacit.store.memory_port import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When something is raised: so often, within so many days, how urgent, in which words."""

    name: str
    threshold: int
    days: int = 0
    priority: int
    text: str


CORRECTED = Rule(
    name="corrected",
    threshold=10,
    days=30,
    priority=HIGH,
    text="{count} corrections about {topic} in {days} days: should a rule change?",
)
UNLANDED = Rule(
    name="unlanded",
    threshold=1,
    priority=HIGH,
    text="A turn of an earlier session could not be curated: see `tacit queue`.",
)
CAPPED = Rule(
    name="capped",
    threshold=1,
    priority=NORMAL,
    text="The budget of the model is reached ({cap}), the rules go on alone: see `tacit cost`.",
)
RULES = (CORRECTED, UNLANDED, CAPPED)
_RULED = "rule:"
OF_WORKSPACES = f"{_RULED}workspace-"


class Attention:
    """Raises and settles what waits for attention in one group's memory."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def corrected(self, rows: Iterable[Evidence], rule: Rule = CORRECTED) -> None:
        """Ask whether a rule should change, where the same thing is corrected again and again."""
        for row in rows:
            if row.kind != "correction":
                continue
            since = row.at - rule.days * DAY_NS
            for topic in row.tags:
                count = self._store.evidence.corrections(topic, since, row.at)
                if count >= rule.threshold and not self._is_raised(rule, topic, since):
                    text = rule.text.format(count=count, topic=topic, days=rule.days)
                    self._raise(rule, topic, row.at, text, row.project)

    def unlanded(self, session: str, turn: str, at: int, rule: Rule = UNLANDED) -> None:
        """Say that a turn could not be curated."""
        if self._store.actions.get(_name(rule, f"{session} {turn}", at)) is None:
            self._raise(rule, f"{session} {turn}", at, rule.text, None)

    def landed(self, session: str, turn: str, rule: Rule = UNLANDED) -> None:
        """Take back that a turn could not be curated."""
        for action in self._store.actions.found("event", _RULED + rule.name):
            if action.quote == f"{session} {turn}":
                self._store.actions.remove(action.id)

    def sessions_unlanded(self, rule: Rule = UNLANDED) -> set[str]:
        """Return the sessions of which a turn could not be curated, while nobody has seen to it."""
        raised = self._store.actions.found("event", _RULED + rule.name)
        return {each.quote.partition(" ")[0] for each in raised if each.status == "pending"}

    def capped(self, cap: str, at: int, rule: Rule = CAPPED) -> None:
        """Say that no more may be spent on the model."""
        self.uncapped()
        self._raise(rule, cap, at, rule.text.format(cap=cap), None)

    def uncapped(self, rule: Rule = CAPPED) -> None:
        """Take back that no more may be spent: it was."""
        for action in self._store.actions.found("event", _RULED + rule.name):
            if action.status == "pending":
                self._store.actions.remove(action.id)

    def settled(self, event: str, at: int) -> None:
        """Close what asks about memories that hold no longer, once somebody has decided."""
        for action in self._store.actions.moot():
            self._store.actions.put(_closed(action, "acted_on", event, at))

    def closed(self, action: Action, status: str, event: str, at: int) -> None:
        """Close an action, and with it all that say the same in the same place."""
        places = (action.project,) if action.project else ()
        for each in self._store.actions.wanted("pending", places):
            if each.id == action.id or is_same(each, action):
                self._store.actions.put(_closed(each, status, event, at))

    def _is_raised(self, rule: Rule, topic: str, since: int) -> bool:
        found = self._store.actions.found("event", _RULED + rule.name)
        return any(each.quote == topic and each.created_at > since for each in found)

    def _raise(self, rule: Rule, subject: str, at: int, text: str, project: str | None) -> None:
        self._store.actions.put(
            Action(
                id=_name(rule, subject, at),
                content=text,
                priority=rule.priority,
                session="",
                event=_RULED + rule.name,
                quote=subject,
                origin="system",
                project=project,
                created_at=at,
            )
        )


def is_ruled(action: Action) -> bool:
    """Say whether a rule has raised an action, rather than somebody's words."""
    return action.event.startswith(_RULED)


def is_kept(action: Action) -> bool:
    """Say whether files have raised an action, so that no transcript can raise it again."""
    return action.event.startswith(OF_WORKSPACES)


def is_same(one: Action, other: Action) -> bool:
    """Say whether two actions ask for the same, in the same place."""
    return one.project == other.project and words_of(one.content) == words_of(other.content)


def distinct(actions: Sequence[Action]) -> list[Action]:
    """Return actions, of those that ask for the same in the same state the first."""
    found: dict[tuple[object, ...], Action] = {}
    for each in actions:
        found.setdefault((each.project, each.status, *words_of(each.content)), each)
    return list(found.values())


def _closed(action: Action, status: str, event: str, at: int) -> Action:
    return replace(action, status=status, closed_at=at, closed_by=event)


def _name(rule: Rule, subject: str, at: int) -> str:
    return identity("act", at, _RULED + rule.name, subject)
