"""Any sequence of what owner, user and agents may do: the memory is what a naive model says.

After each step the same statements stand, at several times the same ones were true, words and index
agree, and from time to time all is made again, or its file is gone, and the content is the same.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from flow.naive import Known, Model, Row, asks, meaning, shown
from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.curate.rebuild import content_digest
from tacit.errors import MemoryRefused, NotFound
from tacit.policy import Caller
from tacit.recall.analyse import tokens
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from tacit.app import App

NOON = 1_790_000_000_000_000_000
MINUTE_NS = 60_000_000_000
DAY_NS = 24 * 60 * MINUTE_NS
IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
OWNER = Caller()
# two that a search finds at once, and yet no two about the same: none is taken for another
STATEMENTS = ("Alpha is first", "Beta is second", "Gamma is third", "Alpha beta gamma")
DRESSES = (str, str.upper, lambda text: text + "!")
SESSIONS = ("s-one", "s-two")
AGENTS = ("a-one", "a-two")

texts = st.builds(
    lambda text, dress: dress(text), st.sampled_from(STATEMENTS), st.sampled_from(DRESSES)
)
choices = st.integers(0, 10_000)


class Memory(RuleBasedStateMachine):
    """A home on which things are said and decided, beside a model of it."""

    def __init__(self) -> None:
        super().__init__()
        self.umask = os.umask(0o077)
        self.place = TemporaryDirectory(dir=IN_MEMORY)
        self.now = NOON
        self.model = Model()
        self.turns: list[dict[str, str]] = []
        self.times: list[int] = []
        self.root = state.open_home(self.place.name, is_proven=state.proven)
        self.spool = Spool(self.root)
        self.app: App = self._opened()

    def teardown(self) -> None:
        self.app.close()
        self.spool.close()
        os.close(self.root)
        self.place.cleanup()
        os.umask(self.umask)

    def _opened(self) -> App:
        return open_app(self.place.name, now_ns=self._tick)

    def _tick(self) -> int:
        self.now += 1_000_000
        return self.now

    def _publish(self, event: str, payload: dict[str, Any]) -> int:
        at = self._tick()
        body = json.dumps(payload).encode()
        self.spool.publish(body, event=event, received_ns=at, client="claude-code", group="main")
        return at

    def _chosen(self, choice: int) -> tuple[Known, str]:
        """Return one of the memories, and its name: each began at a time of its own."""
        known = self.model.known[choice % len(self.model.known)]
        names = {each.created_at: each.id for each in self.app.list("main", Wanted(states=None))}
        return known, next(names[at] for at in known.begun if at in names)

    def _caller(self, agent: str | None) -> Caller:
        """Return who decides; an agent takes its time, so that it keeps to its pace for ever."""
        if agent is None:
            return OWNER
        self.now += 2 * MINUTE_NS
        return Caller(profile="agent", session=agent)

    def _decided_at(self) -> int:
        return self.app.audit("main")[-1].at

    @initialize()
    def begin(self) -> None:
        """Let the project be known, so that something can be remembered in it."""
        self.say(STATEMENTS[0], SESSIONS[0], answered=True)
        self.project = self.app.list("main", Wanted())[0].project
        self.model.known[0].rows[0].project = self.project

    @rule(text=texts, session=st.sampled_from(SESSIONS), answered=st.booleans())
    def say(self, text: str, session: str, *, answered: bool) -> None:
        """Let the user ask for something to be remembered."""
        turn = {"session_id": session, "cwd": "/srv/shop", "prompt_id": f"turn-{self.now}"}
        at = self._publish("UserPromptSubmit", turn | {"prompt": f"Remember that {text}"})
        if answered:
            self._publish("Stop", turn)
        self.app.drain(seconds=None)
        if not answered:
            self.now += 11 * MINUTE_NS
            self.app.drain(seconds=None)
        self.turns.append(turn)
        content = text.strip("!")
        project = getattr(self, "project", None)
        self.model.learn(Row(at, "user", session, content, project))

    @rule(choice=choices)
    def hear_late(self, choice: int) -> None:
        """Let something more of an old turn come: it is done again, and nothing changes."""
        turn = self.turns[choice % len(self.turns)]
        self._publish("PostToolUse", turn | {"tool_name": "Bash", "tool_use_id": str(self.now)})
        self.now += 11 * MINUTE_NS
        self.app.drain(seconds=None)

    @rule(text=texts, agent=st.none() | st.sampled_from(AGENTS), everywhere=st.booleans())
    def remember(self, text: str, agent: str | None, *, everywhere: bool) -> None:
        caller = self._caller(agent)
        project = None if everywhere and not agent else self.project
        self.app.remember("main", Said(text=text, project=project), caller)
        row = Row(self._decided_at(), caller.origin, caller.session, text, project)
        self.model.learn(row)

    @rule(choice=choices, text=texts, agent=st.none() | st.sampled_from(AGENTS))
    def correct(self, choice: int, text: str, agent: str | None) -> None:
        known, name = self._chosen(choice)
        caller = self._caller(agent)
        if known.stands.state == "forgotten" and known.state != "forgotten":
            return  # what this leads to is for the unit tests to say
        if known.state == "forgotten":
            with pytest.raises(NotFound):
                self.app.correct("main", name, Said(text=text), caller)
            return
        decided = len(self.app.audit("main"))
        self.app.correct("main", name, Said(text=text), caller)
        if len(self.app.audit("main")) == decided:  # it says that already: nothing to write down
            assert meaning(text) == known.says
            return
        self.model.correct(known, Row(self._decided_at(), caller.origin, caller.session, text))

    @rule(texts=st.permutations(STATEMENTS))
    def argue(self, texts: list[str]) -> None:
        """Let two agents and the owner correct one another: a chain of three."""
        self.remember(texts[0], AGENTS[0], everywhere=False)
        for text, agent in ((texts[1], AGENTS[1]), (texts[2], None)):
            self.correct(len(self.model.known) - 1, text, agent)

    @rule(choice=choices, verb=st.sampled_from(["pin", "unpin", "accept", "reject"]))
    def decide(self, choice: int, verb: str) -> None:
        """Pin or unpin; what is forgotten, or not held, is not there to be decided about."""
        known, name = self._chosen(choice)
        if known.state == "forgotten" or verb in {"accept", "reject"}:
            with pytest.raises(NotFound):
                getattr(self.app, verb)("main", name, OWNER)
            return
        if verb == "pin" and known.state != "active":
            with pytest.raises(MemoryRefused):
                self.app.pin("main", name, OWNER)
            return
        getattr(self.app, verb)("main", name, OWNER)
        known.pinned = verb == "pin"

    @rule(choice=choices)
    def ask_by_agent(self, choice: int) -> None:
        known, name = self._chosen(choice)
        if known.state == "active":
            self.app.pin("main", name, self._caller(AGENTS[0]))
            self.model.ask(known, "An agent wants to pin this", self._decided_at(), AGENTS[0])

    @precondition(lambda self: self.model.asked)
    @rule(verb=st.sampled_from(["resolve", "dismiss"]))
    def answer(self, verb: str) -> None:
        action = self.app.actions("main")[0]
        getattr(self.app, verb)("main", action.id, OWNER)
        key = (action.project, asks(action.content))
        self.model.asked = [each for each in self.model.asked if each.key != key]

    @rule(choice=choices)
    def forget(self, choice: int) -> None:
        known, name = self._chosen(choice)
        self.app.forget("main", Which(ids=(name,)), OWNER)
        known.state, known.pinned = "forgotten", False

    @rule(text=st.sampled_from(["first", "second", "Alpha", "ALPHA"]))
    def forget_matching(self, text: str) -> None:
        self.app.forget("main", Which(matching=text), OWNER)
        for known in self.model.known:
            if text in known.content and known.state != "forgotten":
                known.state, known.pinned = "forgotten", False

    @rule(session=st.sampled_from(SESSIONS))
    def forget_session(self, session: str) -> None:
        taught = [
            each
            for each in self.model.known
            if each.state != "forgotten" and session in {row.session for row in each.rows}
        ]
        try:
            self.app.forget("main", Which(session=session), OWNER)
        except NotFound:  # it has not spoken yet
            return
        if taught:
            self.model.take_back(session)
        for known in taught:
            known.state, known.pinned = "forgotten", False

    @rule(session=st.sampled_from(SESSIONS + AGENTS))
    def undo(self, session: str) -> None:
        try:
            self.app.undo("main", session, OWNER)
        except NotFound:  # it has not spoken yet
            return
        self.model.take_back(session)
        self.model.asked = [each for each in self.model.asked if each.session != session]

    @rule()
    def purge(self) -> None:
        """Let so much time pass that what was superseded goes."""
        self.now += 91 * DAY_NS
        gone = self.model.purge(self.now - 90 * DAY_NS)
        assert self.app.upkeep("main").purged == gone

    @rule()
    def rebuild(self) -> None:
        told = self.app.rebuild("main")
        assert (told.is_same, told.missed) == (True, [])

    @rule(is_lost=st.booleans())
    def reopen(self, *, is_lost: bool) -> None:
        """Close and open again; if it is lost, the memory's file is gone meanwhile."""
        before = self._content()
        self.app.close()
        if is_lost:
            for each in Path(self.place.name, "groups", "main").glob("memory.db*"):
                each.unlink()
        self.app = self._opened()
        self.app.drain(seconds=None)

        assert self._content() == before

    def _content(self) -> str:
        """Return the digest of all that counts; memories, words and index agree meanwhile."""
        home = Path(self.place.name)
        store = open_memory(home / "groups" / "main" / "memory.db", look(home), tokens)
        try:
            assert store.index.is_in_step()
            return content_digest(store)
        finally:
            store.close()

    @invariant()
    def the_memory_is_what_the_model_says(self) -> None:
        if not self.model.known:
            return
        found = self.app.list("main", Wanted(states=None))
        assert sorted((shown(each.content, each.state), each.pinned) for each in found) == sorted(
            (shown(each.content, each.state), each.pinned) for each in self.model.known
        )
        self.model.settle()
        asked = sorted(
            (each.project or "", asks(each.content)) for each in self.app.actions("main")
        )
        assert asked == sorted({(each.project or "", asks(each.text)) for each in self.model.asked})
        self._content()

    @invariant()
    def the_past_is_what_the_model_says(self) -> None:
        self.times.append(self._tick())
        for when in [NOON, *self.times[:: max(1, len(self.times) // 4)], self.times[-1]]:
            wanted = Wanted(states=("active", "superseded"), as_of=when)
            found = sorted(each.content for each in self.app.list("main", wanted))
            assert found == self.model.true_at(when)


def test_after_any_sequence_the_memory_is_what_a_naive_model_says() -> None:
    chosen = settings(max_examples=40, stateful_step_count=20, deadline=None)

    run_state_machine_as_test(Memory, settings=chosen)


@pytest.mark.long
def test_after_any_long_sequence_the_memory_is_what_a_naive_model_says() -> None:
    chosen = settings(max_examples=400, stateful_step_count=40, deadline=None)

    run_state_machine_as_test(Memory, settings=chosen)
