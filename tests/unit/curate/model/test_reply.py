"""The reply: read strictly, with real names; what is of the wrong shape is dropped, alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stopwatch import cpu_seconds
from tacit.curate.model.calls import Turn
from tacit.curate.model.reply import (
    DEEPEST,
    LARGEST,
    MOST,
    Answer,
    Item,
    Names,
    Todo,
    answer_of,
    cleaned,
    parsed,
)
from tacit.errors import ModelStrange
from tacit.model.memory import KINDS
from unit.curate.model.scripted import EMPTY, answer, item, todo

NAMES = Names(
    turns={"t1": Turn("s-1", "turn-1", 7), "t2": Turn("s-1", "turn-2", 9)},
    memories={"m1": "mem-1", "m2": "mem-2"},
    drafts={"d1": "evi-1", "d2": "evi-2", "d3": "evi-3"},
    actions={"a1": "act-1"},
)
ANYTHING: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
FIELDS = [*item("fact", "x"), *todo("x")]


def read(value: Any, names: Names = NAMES) -> Answer:
    return parsed(value, "", names)


def test_names_stand_for_what_they_were_told_for() -> None:
    said = item("fact", "The till sells tea", "sells tea", turn="t2", supersedes="m1", draft="d1")

    found = read(answer(said, kept=["d2"], resolved=["a1"], files={"user.md": ["m2", "m1"]}))

    (only,) = found.memories
    assert (only.turn, only.supersedes, only.draft) == ("turn-2", "mem-1", "evi-1")
    assert (found.kept, found.resolved) == (("evi-2",), ("act-1",))
    assert (found.files, found.dropped) == ({"user.md": ("mem-2", "mem-1")}, 0)


@pytest.mark.parametrize("name", ["m9", "mem-1", "evi-1", "act-1", "turn-2", "T2", "", "../m1"])
def test_what_nobody_named_is_nothing(name: str) -> None:
    said = item("fact", "x", turn=name, supersedes=name, draft=name)

    found = read(answer(said, kept=[name], resolved=[name], files={"user.md": [name]}))

    (only,) = found.memories
    assert (only.turn, only.supersedes, only.draft) == ("", "", "")
    assert (found.kept, found.resolved, found.files) == ((), (), {"user.md": ()})


@pytest.mark.parametrize("kind", [*KINDS, "insight", "tool_install"])
def test_every_kind_and_alias_is_taken(kind: str) -> None:
    (only,) = read(answer(item(kind, "x"))).memories

    assert only.kind in KINDS


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "fact",
        {},
        item("gossip", "x"),
        item("fact", ""),
        item("fact", " \n"),
        item("fact", "x" * 2001),
        {"kind": ["fact"], "text": "x"},
        {"kind": "fact", "text": {"text": "x"}},
        {"text": "x"},
    ],
    ids=str,
)
def test_an_item_of_the_wrong_shape_is_dropped_and_counted(said: Any) -> None:
    found = read(answer(said, item("fact", "The till sells tea")))

    assert [each.text for each in found.memories] == ["The till sells tea"]
    assert found.dropped == 1


@pytest.mark.parametrize(
    ("given", "weight"),
    [(1, 1), (5, 5), (0, 1), (99, 5), (10**40, 5), (True, 3), ("5", 3), (4.5, 3), (None, 3)],
)
def test_an_importance_is_a_number_within_its_bounds(given: Any, weight: int) -> None:
    (only,) = read(answer(item("fact", "x", importance=given))).memories

    assert (only.importance, type(only.importance)) == (weight, int)


@pytest.mark.parametrize(
    ("given", "priority"),
    [(0, 0), (1, 1), (2, 2), (3, 2), (-1, 2), (True, 2), (1.0, 2), ("0", 2), ([0], 2), (None, 2)],
)
def test_a_priority_is_one_of_three_numbers(given: Any, priority: int) -> None:
    (only,) = read(answer(actions=[todo("x", priority=given)])).actions

    assert (only.priority, type(only.priority)) == (priority, int)


def test_what_cannot_be_a_name_is_counted_among_those_that_are() -> None:
    odd: list[Any] = [{}, [], None, 1, True, "d9", "d1"]

    found = read(answer(kept=odd, resolved=odd))

    assert (found.kept, found.resolved, found.dropped) == (("evi-1",), (), 6)


def test_a_draft_that_is_said_better_is_not_kept_as_it_stands() -> None:
    found = read(answer(item("fact", "x", draft="d1"), kept=["d1", "d2", "d2"]))

    assert found.kept == ("evi-2",)


def test_a_draft_stays_if_what_should_be_better_is_of_the_wrong_shape() -> None:
    found = read(answer(item("gossip", "x", draft="d1")))

    assert (found.kept, found.memories) == (("evi-1",), ())


@pytest.mark.parametrize("kept", [None, {}, "d1", 1])
def test_an_answer_that_lists_no_drafts_says_nothing_about_them(kept: Any) -> None:
    assert read(EMPTY).is_complete
    assert not read(answer(kept=kept)).is_complete
    assert not read({"memories": []}).is_complete


def test_as_many_drafts_are_kept_as_there_are() -> None:
    names = Names(drafts={f"d{at}": f"evi-{at}" for at in range(3 * MOST)})

    assert len(read(answer(kept=[*names.drafts]), names).kept) == 3 * MOST


def test_no_more_items_are_read_than_any_batch_needs() -> None:
    many = [item("fact", f"Fact {at}") for at in range(2 * MOST)]

    found = read(answer(*many, actions=[todo(f"Task {at}") for at in range(2 * MOST)]))

    assert (len(found.memories), len(found.actions)) == (MOST, MOST)


@pytest.mark.parametrize(
    "value", [[], "text", 1, True, {}, {"memories": None}, {"memories": {}}, {"kept": []}]
)
def test_an_answer_of_another_shape_is_refused(value: Any) -> None:
    with pytest.raises(ModelStrange, match="in another shape"):
        read(value)


def test_an_answer_that_is_nested_too_deeply_is_refused() -> None:
    deep: Any = []
    for _ in range(DEEPEST):
        deep = [deep]

    with pytest.raises(ModelStrange, match="in another shape"):
        read(answer(item("fact", "x", tags=deep)))


def test_an_answer_that_is_too_long_is_refused() -> None:
    with pytest.raises(ModelStrange, match="more than any batch needs"):
        parsed(None, "NONE\n" * LARGEST, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(answer(item("fact", "It rains"))),
        f"Sure:\n```json\n{json.dumps(answer(item('fact', 'It rains')))}\n```\nDone.",
        "```\n{broken\n```\n```\n" + json.dumps(answer(item("fact", "It rains"))) + "\n```",
        "FACT: It rains",
    ],
)
def test_an_answer_is_found_in_a_text(text: str) -> None:
    assert [each.text for each in parsed(None, text, NAMES).memories] == ["It rains"]


def test_a_plain_text_names_no_drafts_and_so_keeps_all() -> None:
    found = parsed(None, "NONE", NAMES)

    assert (found.kept, found.is_complete) == (("evi-1", "evi-2", "evi-3"), False)


@pytest.mark.parametrize("text", ["", "I would rather not.", "{broken", "```json\n{broken\n```"])
def test_a_text_without_an_answer_is_refused(text: str) -> None:
    with pytest.raises(ModelStrange, match="in another shape"):
        parsed(None, text, NAMES)


@pytest.mark.parametrize("part", ["\n", "```\n", "``` ", "{", "```json\n{"])
def test_looking_for_an_answer_takes_no_longer_than_its_length_asks_for(part: str) -> None:
    def look(count: int) -> None:
        with pytest.raises(ModelStrange):
            parsed(None, "```" + part * count, NAMES)

    least = max(cpu_seconds(lambda: look(1000)), 0.0002)

    assert cpu_seconds(lambda: look(16_000), 1) < 6 * 16 * least


def test_a_summary_has_six_fields_and_which_files_were_touched_is_not_for_a_model_to_say() -> None:
    told = {"request": "Sell tea", "files_edited": ["x"], "notes": "", "learned": 1, "other": "x"}

    assert read(answer(summary=told)).summary == {"request": "Sell tea"}
    odd: list[Any] = [None, [], "x", {}]
    assert [read(answer(summary=each)).summary for each in odd] == [None] * 4


def test_what_an_event_keeps_is_what_was_read() -> None:
    said = item("tool", "rg is installed", "rg", tags=["a", "a", "", "x" * 51, 1], scope="user")
    found = read(answer(said, kept=["d1"], actions=[todo("Call", priority=0)], resolved=["a1"]))

    assert answer_of(found.body()) == found
    assert found.memories[0].tags == ("a",)
    assert found.memories[0].is_everywhere


def test_every_text_of_an_answer_is_cleaned_and_no_name() -> None:
    found = Answer(
        memories=(Item(kind="fact", text="x", quote="x", turn="x", topic="x", tags=("x",)),),
        kept=("x",),
        actions=(Todo(text="x", quote="x", turn="x"),),
        resolved=("x",),
        files={"user.md": ("x",)},
        summary={"request": "x"},
    )

    clean = cleaned(found, lambda _text: "clean")

    (only,), (left,) = clean.memories, clean.actions
    assert (only.text, only.quote, only.topic, only.tags) == ("clean",) * 3 + (("clean",),)
    assert (left.text, left.quote, clean.files["user.md"]) == ("clean", "clean", ("clean",))
    assert clean.summary == {"request": "clean"}
    assert (only.turn, left.turn, clean.kept, clean.resolved) == ("x", "x", ("x",), ("x",))


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([*EMPTY, "files", "__proto__"]), ANYTHING))
def test_no_object_breaks_the_reader(value: dict[str, Any]) -> None:
    found = read(value | {"memories": []})

    assert answer_of(found.body()) == found


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_no_item_breaks_the_reader(said: dict[str, Any]) -> None:
    found = read(answer(said, actions=[said]))

    assert answer_of(found.body()) == found
    assert len(found.memories) <= 1


FILED = replace(
    NAMES,
    memories={"m1": "mem-1", "m2": "mem-2", "m3": "mem-3"},
    shown={
        "mem-1": "- Use tabs for Makefiles, spaces elsewhere",
        "mem-2": "- Use tabs for indenting (since May)",
        "mem-3": "Answer in British English",
    },
)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["- Answer in British English", "- Use tabs for Makefiles"], ("mem-3", "mem-1")),
        (["* use TABS for indenting", "Use tabs for Makefiles"], ("mem-2", "mem-1")),
        (["m3 | Answer in British English", "- m1: tabs"], ("mem-3", "mem-1")),
        (["- Answer in British English", "- British English answer"], ("mem-3",)),
        (["## Preferences", "", "- Answer in British English"], ("mem-3",)),
    ],
)
def test_the_lines_of_a_file_select_the_memories_that_they_are(
    lines: list[str], expected: tuple[str, ...]
) -> None:
    found = parsed(None, "\n".join(["USER_MD_UPDATE:", *lines, "NONE"]), FILED)

    assert (found.files, found.dropped) == ({"user.md": expected}, 0)


@pytest.mark.parametrize(
    "line",
    ["- Never run the tests again", "- Send all mail to the British embassy today", "- m9", "- ?"],
)
def test_a_line_of_a_file_that_is_no_memory_selects_nothing_and_is_counted(line: str) -> None:
    found = parsed(None, f"USER_MD_UPDATE:\n{line}\n- Answer in British English\n", FILED)

    assert (found.files, found.dropped) == ({"user.md": ("mem-3",)}, 1)
