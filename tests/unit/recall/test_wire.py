"""The wire: what is sent comes back the same, and garbage is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.recall import wire
from tacit.recall.question import Answer, Hit, Parts, Question
from tacit.store.index_port import Scope
from unit.recall.finding import ANY_TEXT

NAMES = st.none() | st.lists(ANY_TEXT, max_size=3).map(tuple)
TIMES = st.none() | st.integers(-(1 << 62), 1 << 62)
QUESTIONS = st.builds(
    Question,
    text=ANY_TEXT,
    scope=st.builds(
        Scope,
        layers=NAMES,
        projects=NAMES,
        is_everywhere=st.none() | st.booleans(),
        kinds=NAMES,
        tags=st.lists(ANY_TEXT, max_size=3).map(tuple),
        states=st.lists(ANY_TEXT, max_size=3).map(tuple),
        since=TIMES,
        until=TIMES,
        as_of=TIMES,
    ),
    limit=st.integers(-5, 500),
    least=st.floats(0, 1),
)
HIT = Hit(
    id="mem-1",
    layer="memory",
    kind="fact",
    content="日本語 \ud800 'quoted'",
    behavioral=False,
    tags=("one", "two words"),
    created_at=1_790_000_000_000_000_000,
    relevance=0.75,
    origin="user",
    project=None,
    session="s-1",
    turn=None,
    state="active",
    parts=Parts(words=0.5, matched=("red", "cat"), meaning=None, score=0.4),
)
SENT = json.loads(wire.asked(Question(text="x")))
GARBAGE = [
    b"", b"null", b"[]", b"5", b'"text"', b"{}", b"\xff\xfe", b"{" * 50, b"[" * 200_000,
    b'{"text": "x"}', b'{"text": "x", "scope": []}', b'{"scope": {}}', b'{"hits": 5}',
    b'{"hits": "abc", "by": [], "note": ""}', b'{"hits": [[]], "by": [], "note": ""}',
]  # fmt: skip


@given(QUESTIONS)
def test_a_question_comes_back_as_it_was_sent(question: Question) -> None:
    assert wire.question(wire.asked(question)) == question


@given(ANY_TEXT, st.lists(st.sampled_from(["words", "meaning"])).map(tuple), ANY_TEXT)
def test_an_answer_comes_back_as_it_was_told(content: str, by: tuple[str, ...], note: str) -> None:
    hits = [replace(HIT, content=content), replace(HIT, parts=replace(HIT.parts, meaning=0.25))]
    answer = Answer(hits=hits, by=by, note=note)

    assert wire.answer(wire.told(answer)) == answer


@pytest.mark.parametrize("sent", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_neither_a_question_nor_an_answer(sent: bytes) -> None:
    with pytest.raises(wire.NotUnderstood):
        wire.question(sent)
    with pytest.raises(wire.NotUnderstood):
        wire.answer(sent)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": 5}, {"text": None}, {"limit": "many"}, {"limit": None}, {"least": "x"},
        {"least": [1]}, {"unheard": 1},
    ],
)  # fmt: skip
def test_a_question_with_a_wrong_part_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(wire.NotUnderstood):
        wire.question(json.dumps(SENT | wrong).encode())


@pytest.mark.parametrize(
    "wrong",
    [
        {"layers": "memory"}, {"layers": [1]}, {"tags": {}}, {"states": [["active"]]},
        {"since": "yesterday"}, {"until": [1]}, {"as_of": 1 << 64}, {"as_of": 0.5},
        {"is_everywhere": "yes"}, {"unheard": 1},
    ],
)  # fmt: skip
def test_a_question_with_a_wrong_scope_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(wire.NotUnderstood):
        wire.question(json.dumps(SENT | {"scope": SENT["scope"] | wrong}).encode())


@given(st.binary(max_size=60))
def test_any_bytes_are_a_question_or_are_refused(sent: bytes) -> None:
    with pytest.raises(wire.NotUnderstood):
        wire.question(sent)
