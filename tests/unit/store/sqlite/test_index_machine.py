"""Any sequence of what can be done to an index: it holds what a plain list in Python holds.

After each step passages, words, terms and vectors are those of the list, and all are in step.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from contract.conftest import fresh, sqlite_memory
from contract.memories import fact, put
from contract.passages import ANY, MODEL, message, subjects, vector, write
from tacit.recall.analyse import tokens
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from tacit.store.index_port import Unread, Vector

WORDS = ["red", "lamps", "x'y", "日本語", "snake_case", "src/a.py", "C++", "café", "the", "-"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
MESSAGES = st.sampled_from(["m-1", "m-2", "m-3"])
MEMORIES = st.sampled_from(["f-1", "f-2", "f-3"])
MODELS = st.sampled_from([MODEL, "another"])
ASKED = vector(3, 1)


def meaning(text: str) -> Vector:
    """Return what a text means: the same for the same words."""
    return vector(1, 1 + crc32(text.encode()) % 97)


class Indexed(RuleBasedStateMachine):
    """An index beside a plain list of what it must hold."""

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        self.memory = self.open.enter_context(fresh(sqlite_memory))
        self.index = self.memory.index
        self.held: dict[str, str] = {}
        self.meant: dict[str, str] = {}  # by which model, of those that are understood
        self.seen: list[Unread] = []  # what was asked for at some time, and may be gone by now

    def teardown(self) -> None:
        self.open.close()

    def _put(self, subject: str, text: str) -> None:
        if self.held.get(subject) != text:
            self.meant.pop(subject, None)
        self.held[subject] = text

    @rule(subject=MESSAGES, text=TEXTS, role=st.sampled_from(["user", "assistant"]))
    def put_message(self, subject: str, text: str, role: str) -> None:
        write(self.index, message(subject, text or " ", role=role))
        self._put(subject, text or " ")

    @rule(subject=MEMORIES, text=TEXTS, tags=st.lists(st.sampled_from(WORDS), unique=True))
    def put_memory(self, subject: str, text: str, tags: list[str]) -> None:
        put(self.memory, fact(subject, content=text, tags=tuple(tags)))
        self._put(subject, " ".join((text, *tags)))

    @rule(some=st.lists(MESSAGES, max_size=3))
    def drop(self, some: list[str]) -> None:
        self.index.drop("message", some)
        for each in some:
            self.held.pop(each, None)
            self.meant.pop(each, None)

    @rule(subject=MEMORIES)
    def remove(self, subject: str) -> None:
        self.memory.memories.remove(subject)
        self.held.pop(subject, None)
        self.meant.pop(subject, None)

    @rule(subject=MEMORIES, other=MEMORIES)
    def rename(self, subject: str, other: str) -> None:
        if subject not in self.held or other in self.held:
            return
        self.memory.memories.rename(subject, other)
        for kept in (self.held, self.meant):
            if subject in kept:
                kept[other] = kept.pop(subject)

    @rule(model=MODELS, limit=st.integers(0, 4))
    def ask_what_is_unread(self, model: str, limit: int) -> None:
        self.seen = self.index.unread(model, limit)

    @rule(model=MODELS)
    def understand(self, model: str) -> None:
        """Say what was seen, which may be renamed, changed or gone by now."""
        told = {row.number: row.subject for row in self.index.rows(self._numbers())}
        texts = {each.number: self._read(each, told) for each in self.seen}
        known = [(each, meaning(texts[each.number] or "")) for each in self.seen]
        self.index.understand(model, known)
        self.meant |= {told[number]: model for number, text in texts.items() if text is not None}

    @rule(model=MODELS)
    def recognise(self, model: str) -> None:
        told = {row.number: row.subject for row in self.index.rows(self._numbers())}
        texts = {each.number: self._read(each, told) for each in self.seen}
        known = {self.held[subject] for subject, by in self.meant.items() if by == model}

        fresh = self.index.recognise(model, self.seen)

        expected = [each for each in self.seen if texts[each.number] not in {None, *known}]
        assert [each for each in fresh if texts[each.number] is not None] == expected
        same = {number for number, text in texts.items() if text in known}
        self.meant |= {told[number]: model for number in same}

    @rule()
    def compact(self) -> None:
        self.memory.compact()

    def _numbers(self) -> list[int]:
        return self.index.latest(ANY, -1)

    def _read(self, each: Unread, told: dict[int, str]) -> str | None:
        """Return what a passage says, if it still says what it said when it was seen."""
        statement = "SELECT digest FROM passages WHERE number = :number"
        digest = self.memory.connection.value(statement, {"number": each.number})
        return self.held[told[each.number]] if digest == each.digest else None

    @invariant()
    def passages_are_those_that_were_put(self) -> None:
        rows = {row.subject: row.tokens for row in self.index.rows(self._numbers())}

        assert rows == {name: " ".join(tokens(text)) for name, text in self.held.items()}
        assert self.index.stats() == (
            len(self.held),
            sum(len(tokens(text)) for text in self.held.values()),
        )
        assert {each.id for each in self.memory.memories.wanted(Wanted())} == {
            name for name in self.held if name.startswith("f")
        }
        assert self.index.is_in_step()

    @invariant()
    def words_find_exactly_what_holds_them(self) -> None:
        asked = {token for word in WORDS for token in tokens(word)}
        counted = Counter(token for text in self.held.values() for token in set(tokens(text)))

        assert self.index.frequencies(asked | set(counted)) == counted
        for token in asked:
            numbers = self.index.words([token], ANY, 99)
            holding = [name for name, text in self.held.items() if token in tokens(text)]
            assert sorted(subjects(self.index, numbers)) == sorted(holding)

    @invariant()
    def meanings_are_those_of_the_words(self) -> None:
        total = self.memory.connection.value("SELECT COUNT(*) FROM vectors")
        assert total == len(self.meant)
        for model in (MODEL, "another"):
            known = {
                name: meaning(self.held[name]) for name, by in self.meant.items() if by == model
            }
            numbers, meant = self.index.vectors(model, self._numbers())
            rows = dict(zip(subjects(self.index, numbers), meant.tolist(), strict=True))
            assert rows == {name: each.tolist() for name, each in known.items()}
            near = [number for number, _ in self.index.nearest(ASKED, model, ANY, 99)]
            assert sorted(subjects(self.index, near)) == sorted(known)
            unread = {each.subject for each in self.index.unread(model, 99)}
            assert unread == set(self.held) - set(known)


def test_after_any_sequence_the_index_holds_what_a_plain_list_holds() -> None:
    chosen = settings(max_examples=40, stateful_step_count=20, deadline=None)

    run_state_machine_as_test(Indexed, settings=chosen)


@pytest.mark.long
def test_after_any_long_sequence_the_index_holds_what_a_plain_list_holds() -> None:
    chosen = settings(max_examples=1000, stateful_step_count=50, deadline=None)

    run_state_machine_as_test(Indexed, settings=chosen)
