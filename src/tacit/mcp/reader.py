"""The reader: answers what an agent asks of the memory, as text.

Short results first, one line each; the whole of one on demand. Everything is one group's and one
project's, normalised, without secrets, and says whose words it is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tacit.capture.brief import aged
from tacit.curate.attention import distinct
from tacit.deliver.choose import waiting
from tacit.deliver.render import action_line, age, safe, whose
from tacit.errors import NotFound, TacitError
from tacit.guard.normalise import normalise
from tacit.mcp.tools import (
    MOST_ACTIONS,
    MOST_HITS,
    MOST_IDS,
    MOST_SESSIONS,
    OUTCOMES,
    RESOLVE,
    TOOLS,
)
from tacit.policy import AGENT, Caller
from tacit.recall.question import Question
from tacit.store.index_port import Scope
from tacit.transcript.turns import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.app import App
    from tacit.model.action import Action, Summary
    from tacit.model.memory import Memory
    from tacit.recall.question import Answer, Hit

    Ask = Callable[[Question], Answer]

_LONGEST_LINE, _LONGEST_TEXT = 240, 4000
_CATCHING_UP = 0.5
_TAKEN = {tool.name: tuple(tool.properties) for tool in (*TOOLS, RESOLVE)}
_UNKNOWN = "Nothing is known yet: no session of this project has been recorded."


class WrongArguments(TacitError):  # noqa: N818  (a state, not a mishap)
    """What a tool was given is not what it takes."""


class Reader:
    """Answers an agent out of one group's memory, as far as it is about one project."""

    def __init__(self, app: App, group: str, directory: str, ask: Ask) -> None:
        self._app = app
        self._group = group
        self._directory = directory
        self._keys: tuple[str, ...] = ()
        self._ask = ask
        self._known: dict[str, Callable[[dict[str, Any]], str]] = {
            "search_memory": self._search,
            "read_memory": self._read,
            "recent_sessions": self._sessions,
            "resolve_action": self._resolve,
        }

    def call(self, name: str, given: dict[str, Any]) -> str:
        """Return what a tool answers, safe to be read."""
        _check_names(name, given)
        self._app.drain(seconds=_CATCHING_UP)
        self._keys = self._app.keys_at(self._group, self._directory)  # it may be known only now
        told = self._known[name](given)
        aged_text = aged(told.encode("utf-8", "replace"), time.time()).decode()
        return self._app.redact(normalise(aged_text).encode()).decode("utf-8", "replace")

    def _search(self, given: dict[str, Any]) -> str:
        query = _text(given, "query")
        limit = _limit(given, 10, MOST_HITS)
        answer = self._ask(Question(text=query, scope=self._scope(), limit=limit))
        about = [hit for hit in answer.hits if hit.is_about]
        if not about:
            return "Nothing was found." if self._keys else _UNKNOWN
        return "\n".join(_line(hit) for hit in about)

    def _read(self, given: dict[str, Any]) -> str:
        ids = given.get("ids")
        if not isinstance(ids, list) or not 1 <= len(ids) <= MOST_IDS:
            raise WrongArguments(f"`ids` must be a list of 1 to {MOST_IDS} ids.")
        return "\n\n".join(self._told(str(each)) for each in ids)

    def _told(self, name: str) -> str:
        try:
            return self._memory(name) if name.startswith("mem-") else self._event(name)
        except NotFound:
            return f"{safe(name, 80)}: there is nothing of that id here."

    def _memory(self, name: str) -> str:
        why = self._app.why(self._group, name)
        memory = why.memory
        if not self._is_readable(memory):
            raise NotFound(name)
        lines = [
            f"{memory.id} [{memory.kind}] {safe(memory.content, _LONGEST_TEXT)}",
            f"{memory.state}, importance {memory.importance}, {age(memory.created_at)}",
        ]
        for each in why.cited:
            row = each.evidence
            lines.append(f'{whose(row.origin)}, {age(row.at)}: "{safe(row.quote, 500)}"')
        chain = [one for one in why.chain if self._is_readable(one)]
        for one in chain if len(chain) > 1 else ():
            sign = "->" if one.id == memory.id else "  "
            lines.append(f"{sign} {age(one.valid_from)}: {safe(one.content)}")
        return "\n".join(lines)

    def _is_readable(self, memory: Memory) -> bool:
        """Say whether a memory is about this project or the user, and nobody keeps it back."""
        is_here = memory.project in {None, *self._keys}
        return is_here and memory.state not in {"quarantined", "forgotten"}

    def _event(self, name: str) -> str:
        """Return what was said in one message, or what a session came to."""
        records = self._app.ask(self._group, lambda _store, find: find([name])) or []
        for record in records:
            if record.project in self._keys:
                said = safe(text_of(record), _LONGEST_TEXT)
                return f"{record.id}, {whose(record.origin)}, {age(record.at)}: {said}"
        for each in self._app.summaries(self._group):
            if each.session == name and each.project in self._keys:
                parts = (each.request, each.completed, each.learned, each.next_steps)
                if said := " ".join(part for part in parts if part):
                    return f"session {_came_to(each)}: {safe(said, 2000)}"
        raise NotFound(name)

    def _sessions(self, given: dict[str, Any]) -> str:
        limit = _limit(given, 5, MOST_SESSIONS)
        found = [each for each in self._app.summaries(self._group) if each.project in self._keys]
        told = [(each, said) for each in found if (said := _short(each))]
        lines = [f"{_came_to(each)}: {said}" for each, said in told[:limit]]
        none = "No session of this project has a summary yet." if self._keys else _UNKNOWN
        return "\n".join(lines) or none

    def _resolve(self, given: dict[str, Any]) -> str:
        pending = self._app.ask(self._group, lambda store, _find: waiting(store, self._keys)) or []
        if not given:
            return _listed(distinct(pending))
        outcome = _text(given, "outcome")
        if outcome not in OUTCOMES:
            raise WrongArguments(f"`outcome` must be one of {', '.join(OUTCOMES)}.")
        name = _text(given, "id")
        if name not in {each.id for each in pending}:
            raise NotFound(
                f"Nothing of the id {safe(name, 80)!r} is pending here. "
                "Call resolve_action with no arguments to see what is."
            )
        caller = Caller(surface="mcp", profile=AGENT)
        close = self._app.resolve if outcome == "acted_on" else self._app.dismiss
        return f"{outcome}: {safe(close(self._group, name, caller).content)}"

    def _scope(self) -> Scope:
        return Scope(projects=self._keys or None, is_everywhere=None if self._keys else True)


def _came_to(summary: Summary) -> str:
    """Name a session, and say whose words a summary counts as: of all in it those trusted least."""
    return f"{safe(summary.session, 80)}, {whose('assistant')}, {age(summary.updated_at)}"


def _short(summary: Summary) -> str:
    """Return what a session came to in a few words; nothing if it came to nothing."""
    done = f"Done: {safe(summary.completed, _LONGEST_LINE)}" if summary.completed else ""
    said = " ".join(part for part in (safe(summary.request, _LONGEST_LINE), done) if part)
    learned = safe(summary.learned, _LONGEST_LINE)
    return said or (f"Learned: {learned}" if learned else "")


def _listed(pending: Sequence[Action]) -> str:
    """Return what waits, as the brief tells it, each line behind its id."""
    lines = [f"{each.id} {action_line(each).removeprefix('- ')}" for each in pending]
    more = len(lines) - MOST_ACTIONS
    lines = [*lines[:MOST_ACTIONS], f"{more} more."] if more > 0 else lines
    return "\n".join(lines) or "Nothing is pending."


def _line(hit: Hit) -> str:
    said = safe(hit.content, _LONGEST_LINE)
    kind = hit.kind if hit.layer == "memory" else hit.layer
    kind = f"{kind}, candidate" if hit.state == "candidate" else kind
    return (
        f"{hit.id} {hit.relevance:.2f} [{kind}] {said} ({age(hit.created_at)}, {whose(hit.origin)})"
    )


def _check_names(tool: str, given: dict[str, Any]) -> None:
    """Refuse what a tool does not take: it was meant, and would go unheard."""
    names = _TAKEN[tool]
    if unknown := ", ".join(f"`{safe(name, 40)}`" for name in given if name not in names):
        taken = " and ".join(f"`{name}`" for name in names)
        raise WrongArguments(f"`{tool}` takes {taken}, but not {unknown}.")


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise WrongArguments(f"`{name}` must be a text that is not empty.")
    return value


def _limit(given: dict[str, Any], usual: int, most: int) -> int:
    value = given.get("limit", usual)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise WrongArguments(f"`limit` must be a number from 1 to {most}.")
    return value
