"""Carrying decisions out: the owner's word counts; an agent's asks where it is not its own.

An agent never replaces, forgets or unpins what the user or the owner said, nor what is pinned: both
stay, and an action asks the owner.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate.attention import Attention
from tacit.curate.decisions import About, stated, weighed
from tacit.model.action import HIGH, Action
from tacit.model.memory import STANDING, Evidence, content_of, identity

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.curate.decisions import Decided
    from tacit.curate.learn import Learner
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

_SHOWN = 500
_PAIR = 2


class Decider:
    """Carries out what was decided, in one group's memory."""

    def __init__(
        self,
        store: SqliteMemory,
        learner: Learner,
        said: Callable[[str, int], str] = lambda _session, _before: "",
    ) -> None:
        self._store = store
        self._learner = learner
        self._said = said  # what the user has said in a session before an event
        self._attention = Attention(store)
        self.missed: list[Decided] = []  # decisions about what is no longer there
        self._verbs: dict[str, Callable[[Decided], object]] = {
            "remember": self._remember,
            "correct": self._correct,
            "forget": self._forget,
            "undo": self._undo,
            "pin": self._pin,
            "unpin": self._pin,
            "accept": self._accept,
            "reject": self._reject,
            "resolve": self._close_actions,
            "dismiss": self._close_actions,
            "merge": self._merge,
            "split": self._split,
            "choose": self._choose,
            "keep": self._keep,
            "purge": self._purge,
            "archive": self._archive,
        }

    def carry_out(self, decided: Decided) -> None:
        """Do what was decided; what is no longer there is passed over."""
        self._verbs[decided.decision.verb](decided)

    def meant(self, about: About) -> Memory | None:
        """Return the memory that is meant: by its id, else by what it stands on."""
        found = self._store.memories.get(about.id)
        if found is not None:
            return found
        for event in about.events:
            for evidence in self._store.evidence.found("event", event):
                name = self._store.evidence.memory_of(evidence)
                memory = self._store.memories.get(name) if name else None
                if memory is not None and memory.kind == about.kind:
                    return memory
        return None

    def _memories(self, decided: Decided) -> list[Memory]:
        return [memory for _, memory in self._pairs(decided) if memory is not None]

    def _pairs(self, decided: Decided) -> list[tuple[About, Memory | None]]:
        """Return what is meant, each with its memory if that is still there."""
        found = [(each, self.meant(each)) for each in decided.decision.about]
        if not decided.decision.erased and any(memory is None for _, memory in found):
            self.missed.append(decided)
        return found

    def _remember(self, decided: Decided) -> None:
        self._learner.learn(self._weighed(stated(decided), decided), is_decided=True)

    def _weighed(self, evidence: Evidence, decided: Decided) -> Evidence:
        """Return what was decided with whether the user's own words support an agent's."""
        return weighed(evidence, lambda: self._said(decided.session, decided.seq))

    def _correct(self, decided: Decided) -> None:
        for about, named in self._pairs(decided):
            if named is None:  # what was corrected is gone: the better statement stands alone
                alone = self._weighed(stated(decided, about=about), decided)
                new = self._learner.learn(alone, is_decided=True)
                self._follow(decided, about, new)
                continue
            old = self._standing(named)
            made = stated(decided, self._learner.as_said(old), about)
            evidence = self._weighed(made, decided)
            if self._learner.digest(evidence.content) == self._learner.digest(old.content):
                self._say_again(decided, old, evidence)
                continue
            new = self._learner.learn(evidence, is_decided=True)
            if new is None or new.id == old.id:
                continue
            if not _may_touch(decided, old):
                self._store.memories.link(new.id, old.id, "contradicts")
                self._ask(decided, old, f"An agent says {new.content[:_SHOWN]!r} instead")
            elif old.state != "forgotten":
                self._learner.supersede(old, new, decided.at)
                if old.pinned:  # the owner wants the corrected one kept in sight
                    self._store.memories.change(new, pinned=True)

    def _follow(self, decided: Decided, about: About, new: Memory | None) -> None:
        """Let a statement replace what stood before the one that it was to replace."""
        if new is not None and decided.decision.pinned and decided.origin == "owner":
            new = self._store.memories.change(new, pinned=True)
        rows = [row for event in about.before for row in self._store.evidence.found("event", event)]
        for name in dict.fromkeys(self._store.evidence.memory_of(row) for row in rows):
            old = self._store.memories.get(name) if name else None
            if old is not None and new is not None and old.state in STANDING and old.id != new.id:
                self._learner.supersede(old, new, decided.at)

    def _say_again(self, decided: Decided, old: Memory, evidence: Evidence) -> None:
        """Let the same be written otherwise, be of another kind or weight, if who says so may."""
        weighs = evidence.importance if decided.decision.importance else old.importance
        before = (old.content, old.kind, old.tags, old.importance)
        said = (evidence.content, evidence.kind, evidence.tags, weighs)
        known = self._store.evidence.memory_of(evidence.id)
        if said == before or known is not None or old.state == "forgotten":
            return
        if _may_touch(decided, old):
            self._store.evidence.add(evidence, old.id)
            self._learner.refresh(old)
        else:
            is_worded = evidence.content != old.content
            how = f"a {evidence.kind} of importance {evidence.importance}"
            how = repr(evidence.content[:_SHOWN]) if is_worded else how
            self._ask(decided, old, f"An agent says {how} instead")

    def _standing(self, memory: Memory) -> Memory:
        """Return what stands in a memory's place now."""
        seen = {memory.id}
        while memory.superseded_by and memory.superseded_by not in seen:
            seen.add(memory.superseded_by)
            memory = self._store.memories.get(memory.superseded_by) or memory
        return memory

    def _forget(self, decided: Decided) -> None:
        if decided.origin == "owner":
            for event in decided.decision.erased:
                self._erase(event, decided.at)
            for statement in decided.decision.statements:
                self._store.evidence.refuse("statement", statement, decided.at)
        if decided.decision.session or decided.decision.whose:
            self._take_back(decided)
        for memory in self._memories(decided):
            if _may_touch(decided, memory):
                self._let_go(decided, memory, f"forgotten by {decided.origin}")
            else:
                self._ask(decided, memory, "An agent wants this forgotten")
        for about in decided.decision.replaced if decided.origin == "owner" else ():
            self._keep_replaced(about)

    def _let_go(self, decided: Decided, memory: Memory, reason: str) -> None:
        rows = self._store.evidence.of_memory(memory.id)
        for words in dict.fromkeys([memory.content, *(row.content for row in rows)]):
            self._refuse(words, decided.at)
        self._store.memories.change(memory, state="forgotten", reason=reason, pinned=False)

    def _undo(self, decided: Decided) -> None:
        self._take_back(decided)
        session = decided.decision.session or ""
        rows = self._store.evidence.found("session", session) if decided.origin != "owner" else []
        names = dict.fromkeys(self._store.evidence.memory_of(row) or "" for row in rows)
        found = [self._store.memories.get(name) for name in names]
        kept = [each for each in found if each is not None and each.state != "forgotten"]
        if kept:  # it is not an agent's to take back
            self._store.actions.put(
                Action(
                    id=identity("act", decided.at, decided.event, session),
                    content=content_of(f"An agent wants all undone that session {session} taught"),
                    priority=HIGH,
                    session=decided.session,
                    event=decided.event,
                    quote=decided.decision.text,
                    origin=decided.origin,
                    project=kept[0].project,
                    created_at=decided.at,
                )
            )

    def _take_back(self, decided: Decided) -> None:
        """Take back all that one session, or one origin, has taught until now."""
        session, whose = decided.decision.session, decided.decision.whose
        by, subject = ("session", session) if session else ("origin", whose or "")
        gone = self._store.evidence.found(by, subject)
        if decided.origin == "owner":
            self._store.evidence.refuse(by, subject, decided.at)
        else:  # an agent takes back only what no person stands behind
            gone = [row for row in gone if self._is_free(decided, row)]
        self._learner.withdraw(gone, reason=f"taken back by {decided.origin}")
        if session and decided.origin == "owner":
            for note in self._store.actions.notes(session):
                self._store.actions.remove_note(session, note.turn)
            self._store.actions.remove_summary(session)
        for action in self._store.actions.found("session", session) if session else []:
            if action.status == "pending" and decided.origin == "owner":
                self._close(action, decided, "dismissed")

    def _is_free(self, decided: Decided, evidence: str) -> bool:
        name = self._store.evidence.memory_of(evidence)
        memory = self._store.memories.get(name) if name else None
        return memory is not None and _may_touch(decided, memory)

    def _erase(self, event: str, at: int) -> None:
        """Remove all that was made of an event, and never make it again."""
        gone = self._store.evidence.found("event", event)
        for name in dict.fromkeys(self._store.evidence.memory_of(row) for row in gone):
            memory = self._store.memories.get(name) if name else None
            if memory is not None:
                self._refuse(memory.content, at)
                for action in self._store.actions.found("memory", memory.id):
                    self._store.actions.remove(action.id)  # it may repeat the words
        self._learner.withdraw(gone)
        for action in self._store.actions.found("event", event):
            self._store.actions.remove(action.id)
        self._store.evidence.refuse("event", event, at)
        self._store.jobs.bare_reasons()

    def _pin(self, decided: Decided) -> None:
        verb = decided.decision.verb
        for memory in self._memories(decided):
            if decided.origin == "owner":
                self._store.memories.change(memory, pinned=verb == "pin")
            else:
                self._ask(decided, memory, f"An agent wants to {verb} this")

    def _accept(self, decided: Decided) -> None:
        """Let what was held stand, on the word of the one who accepts it."""
        for memory in self._memories(decided):
            is_open = memory.state in {"quarantined", "candidate", "archived"}
            if not is_open or decided.origin != "owner":
                continue
            said = replace(decided, decision=replace(decided.decision, text=memory.content))
            evidence = stated(said, self._learner.as_said(memory), About(id=memory.id))
            same = self._learner.same(evidence)
            same = None if same is not None and same.id == memory.id else same
            rows = self._store.evidence.of_memory(memory.id)
            if same is None:
                same = self._store.memories.change(memory, state="active", reason=None)
            else:  # it is known already: this is one more that says so
                self._store.memories.remove(memory.id)
                for row in rows:
                    self._store.evidence.add(row, same.id)
            self._store.evidence.add(evidence, same.id)
            self._learner.refresh(same)

    def _reject(self, decided: Decided) -> None:
        for memory in self._memories(decided):
            is_open = memory.state in {"quarantined", "candidate", "archived"}
            if is_open and _may_touch(decided, memory):
                self._let_go(decided, memory, f"rejected by {decided.origin}")

    def _merge(self, decided: Decided) -> None:
        """Let the first of two memories stand for both; what the owner keeps in sight stays."""
        found = [memory for _, memory in self._pairs(decided)]
        kept, merged = found if len(found) == _PAIR else (None, None)
        if kept is None or merged is None or merged.pinned or kept.id == merged.id:
            return
        if kept.state in STANDING and merged.state in STANDING:
            self._learner.merge(kept, merged, decided.at)

    def _split(self, decided: Decided) -> None:
        """Let a memory that another stands for stand by itself again."""
        for memory in self._memories(decided):
            if memory.state != "superseded":
                continue
            if decided.origin == "owner":
                other = self._store.memories.get(memory.superseded_by or "")
                self._store.memories.change(
                    memory, state="active", superseded_by=None, valid_to=None, reason=None
                )
                if other is not None:
                    self._learner.refresh(other)
            else:
                self._ask(decided, memory, "An agent wants this to stand by itself again")

    def _choose(self, decided: Decided) -> None:
        """Retire the second of two memories in favour of the first, on the owner's word."""
        found = self._memories(decided)
        if len(found) == _PAIR and decided.origin == "owner":
            kept, other = found
            self._learner.supersede(other, kept, decided.at)

    def _keep(self, decided: Decided) -> None:
        """Keep two memories that seemed to contradict each other, on the owner's word."""
        found = self._memories(decided)
        if len(found) == _PAIR and decided.origin == "owner":
            for one, other in (found, found[::-1]):
                self._store.memories.unlink(one.id, other.id, "contradicts")

    def _purge(self, decided: Decided) -> None:
        """Remove what held no longer for long; what was said by then does not bring it back."""
        for about in decided.decision.about:
            memory = self._former(about)
            if memory is None or self._is_never_replaced(memory, about):
                continue
            rows = self._store.evidence.of_memory(memory.id)
            gone = [row for row in rows if row.event in about.events]
            for words in dict.fromkeys(row.content for row in gone):
                self._refuse(words, about.until)
            for old in self._store.memories.superseded_by(memory.id):
                self._store.memories.change(old, superseded_by=memory.superseded_by)
            if len(gone) == len(rows):
                self._store.memories.remove(memory.id)
                continue
            for row in gone:  # it was said again, and nothing says any more that it was replaced
                self._store.evidence.remove(row.id)
            self._learner.refresh(memory)

    def _is_never_replaced(self, memory: Memory, about: About) -> bool:
        """Return whether a memory stands beside the words that older rules let replace it."""
        is_said = self._store.evidence.is_said_at(about.until, memory.id)
        return memory.state in STANDING and is_said

    def _archive(self, decided: Decided) -> None:
        """Put aside what nobody uses."""
        for about in decided.decision.about:
            memory = self.meant(about)
            if memory is not None and memory.state in STANDING:
                self._store.memories.change(memory, state="archived")

    def _keep_replaced(self, about: About) -> None:
        """Let what was replaced stay so, though what had replaced it is gone with its words."""
        memory = self._former(about)
        if memory is None or memory.state not in STANDING:
            return
        if all(row.event in about.events for row in self._store.evidence.of_memory(memory.id)):
            self._store.memories.change(memory, state="superseded", valid_to=about.until)

    def _former(self, about: About) -> Memory | None:
        """Return the memory that says what was meant, of what was said then."""
        found = [
            row for event in about.events for row in self._store.evidence.found("event", event)
        ]
        for name in dict.fromkeys(self._store.evidence.memory_of(row) for row in found):
            for row in self._store.evidence.of_memory(name or ""):
                is_meant = self._learner.digest(row.content).hex() == about.says
                if is_meant and row.event in about.events:
                    return self._store.memories.get(name or "")
        return None

    def _refuse(self, words: str, before: int) -> None:
        """Do not learn a statement again from what was said before."""
        statement = self._learner.digest(words).hex()
        self._store.evidence.refuse("statement", statement, before)

    def _close_actions(self, decided: Decided) -> None:
        status = "acted_on" if decided.decision.verb == "resolve" else "dismissed"
        for each in decided.decision.about:
            action = self._store.actions.get(each.id)
            if action is not None and action.status == "pending":
                self._attention.closed(action, status, decided.event, decided.at)

    def _close(self, action: Action, decided: Decided, status: str) -> None:
        closed = replace(action, status=status, closed_at=decided.at, closed_by=decided.event)
        self._store.actions.put(closed)

    def _ask(self, decided: Decided, memory: Memory, what: str) -> None:
        """Queue an action that asks the owner what an agent may not do itself."""
        self._store.actions.put(
            Action(
                id=identity("act", decided.at, decided.event, memory.id),
                content=content_of(f"{what}: {memory.content[:_SHOWN]}"),
                priority=HIGH,
                memory=memory.id,
                session=decided.session,
                event=decided.event,
                quote=decided.decision.text,
                origin=decided.origin,
                project=memory.project,
                created_at=decided.at,
            )
        )


def _may_touch(decided: Decided, memory: Memory) -> bool:
    """Say whether who decides may change a memory: an agent only what no person stands behind."""
    return decided.origin == "owner" or not (memory.is_trusted or memory.pinned)
