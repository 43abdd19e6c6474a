"""Verbs that answer a client: what a session is told as it goes on, and what a prompt is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.capture.conf import Conf, read_text
from tacit.curate.feed import CURSOR
from tacit.deliver import brief as briefs
from tacit.deliver import surfacing
from tacit.recall.question import Question
from tacit.recall.search import search
from tacit.store.index_port import Scope
from tacit.transcript.turns import text_of
from tacit.verbs.delivery import keys_at
from tacit.verbs.recall import RecallVerbs

if TYPE_CHECKING:
    from tacit.deliver.brief import Brief
    from tacit.deliver.surfacing import Surfacing
    from tacit.recall.question import Hit, Seek
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.told_port import Heard
    from tacit.transcript.ledger import Ledger

FOUND = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a user has said to a client: in which session, and where."""

    text: str
    session: str = ""
    directory: str = ""


class SurfacingVerbs(RecallVerbs):
    """What a client is answered while a session goes on."""

    def asked(self, group: str, prompt: Prompt) -> Question:
        """Return what is searched for when a prompt comes, in whatever project it does."""
        found = self._read(group, lambda ledger: _question(ledger.store, prompt))
        return found or Question(text=prompt.text)

    def surface(
        self,
        group: str,
        prompt: Prompt,
        seek: Seek = lambda: None,
        question: Question | None = None,
    ) -> Surfacing:
        """Return what a prompt is answered with; by words alone unless its meaning is found.

        All that needs no meaning comes first: it may be sought meanwhile.
        """
        least = surfacing.least(self._chosen().surface_threshold)  # what is below is never told
        asked = replace(question or self.asked(group, prompt), least=least)
        before = self._before(group, prompt)
        found = self.ask(
            group, lambda store, find: search(asked, store, find, seek, self._now_ns())
        )
        return self._surfacing(prompt, found.hits if found else [], before)

    def surfacing(self, group: str, prompt: Prompt, hits: list[Hit]) -> Surfacing:
        """Return which of these a prompt is answered with, and why the others are not."""
        return self._surfacing(prompt, hits, self._before(group, prompt))

    def _before(self, group: str, prompt: Prompt) -> tuple[set[str], str]:
        """Return what a session knows already, and what was said in it before."""

        def read(store: SqliteMemory, ledger: Ledger) -> tuple[set[str], str]:
            return self._heard(store, ledger.store, prompt), _before(ledger.store, prompt.session)

        found = self._read(
            group, lambda ledger: self._memories.ask(group, lambda store: read(store, ledger))
        )
        return found or (set(), "")

    def _surfacing(
        self, prompt: Prompt, hits: list[Hit], before: tuple[set[str], str]
    ) -> Surfacing:
        heard, said = before
        return surfacing.surfacing(
            surfacing.doubted(hits, prompt.text, said),
            heard,
            self._parts.key,
            session=prompt.session,
            threshold=self._chosen().surface_threshold,
        )

    def tell(self, group: str, prompt: Prompt, answer: Surfacing) -> None:
        """Write down what a prompt is answered with, until it is known whether it was heard."""
        if answer.id:
            telling = answer.telling(None, prompt.session, self._now_ns())
            self._memories.ask(group, lambda store: store.told.put(telling))

    def told_again(self, group: str, prompt: Prompt, *, is_new: bool) -> Brief:
        """Return what a session is told that goes on: all, if it is new to it, else the news."""
        found = self._read(
            group,
            lambda ledger: self._memories.ask(
                group, lambda store: self._again(group, store, ledger, prompt, is_new=is_new)
            ),
        )
        return found or briefs.nothing(self._now_ns())

    def _again(
        self, group: str, store: SqliteMemory, ledger: Ledger, prompt: Prompt, *, is_new: bool
    ) -> Brief:
        keys = keys_at(ledger.store, prompt.directory)
        preparer = self._preparer(group)
        asked = preparer.asked(ledger.store, keys, self._now_ns())
        if is_new:
            made = preparer.full(store, asked)
        else:
            heard = _heard_in(store, prompt.session)
            briefed = [each.at for each in heard if each.surface == "brief"]
            last_said = _last_said(store, ledger.store, prompt.session)
            since = max(briefed, default=last_said or self._now_ns())
            known = {each.memory for each in heard} | _learned_in(store, prompt.session)
            known |= {each.id for each in store.actions.found("session", prompt.session)}
            made = briefs.news(store, asked, self._parts.key, known, since)
        if made.id:
            project = keys[0] if keys else None
            told = briefs.telling(made, "brief", project, self._now_ns())
            store.told.put(replace(told, session=None if is_new else prompt.session))
        return made

    def _heard(self, store: SqliteMemory, transcript: Store, prompt: Prompt) -> set[str]:
        """Return what a session knows: from us, from its own user, and what it was just told.

        What was told since the session last said something may not be written down yet; what is
        older and was never heard came too late. A session that has said nothing began here.
        """
        found = _heard_in(store, prompt.session)
        heard = {each.memory for each in found} | _learned_in(store, prompt.session)
        last_said = _last_said(store, transcript, prompt.session)
        told = [each for each in store.told.made_for(prompt.session) if each.made > last_said]
        if not last_said and not any(each.surface == "brief" for each in found):
            brief = store.told.get(self._prepared(prompt.directory) or "")
            told += [brief] if brief else []
        return heard.union(memory for each in told for memory, _ in each.memories)

    def _prepared(self, directory: str) -> str | None:
        """Return the id of the brief that a session in a directory begins with."""
        file = Conf(read_text(self._root, self._parts.key) or "").brief(directory)
        text = state.read_stamped(self._root, file, self._parts.key) if file else None
        return text.partition(b"\n")[0].decode("ascii", "replace") if text else None

    def is_empty(self, group: str) -> bool:
        """Say whether a group remembers nothing: then no prompt has to wait."""
        return not self._of_memory(group, lambda store: store.told.standing())

    def surface_every(self) -> int:
        """Return which prompts are answered: every so many; 0 is none."""
        return self._chosen().surface_every


def _question(store: Store, prompt: Prompt) -> Question:
    keys = keys_at(store, prompt.directory)
    return Question(
        text=surfacing.question(prompt.text, _before(store, prompt.session)),
        scope=Scope(
            layers=("memory",), projects=keys or None, is_everywhere=None if keys else True
        ),
        limit=FOUND,
    )


def _heard_in(store: SqliteMemory, session: str) -> list[Heard]:
    """Return what a session still knows from us; its subagents heard their own.

    It is told all again only where a compaction took what it knew: what came before that is gone.
    """
    heard = [each for each in store.told.heard_in(session) if each.surface != "agent"]
    whole = [each.at for each in heard if each.told.startswith(briefs.WHOLE)]
    return [each for each in heard if each.at >= max(whole, default=0)]


def _learned_in(store: SqliteMemory, session: str) -> set[str]:
    """Return what a session has taught: it was said there."""
    return {each.id for each in store.memories.learned_in(session)} if session else set()


def _last_said(store: SqliteMemory, transcript: Store, session: str) -> int:
    """Return when a session last said something that was curated; 0 if it has not.

    By then it is written down what the session had heard before.
    """
    behind = store.jobs.number(CURSOR) + 1
    records = transcript.lately(session, behind, 1) if session else []
    return records[-1].received if records else 0


def _before(store: Store, session: str) -> str:
    """Return what was said last in a session."""
    records = store.lately(session, store.head().seq + 1, 2) if session else []
    said = [text_of(record) for record in records if record.body is not None]
    return " ".join(reversed(said))
