"""Drafts and follow-ups: evidence only if their words stand where they say; origin from the event.

What an extractor claims about who said it, and when, does not exist: it has no way to say it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.curate.extract import Draft, FollowUp, Lately, action_of, evidence_of
from tacit.curate.reading import Said, TurnText
from tacit.errors import MemoryRefused
from tacit.model.memory import LONGEST_CONTENT

TEXT = "Please use tabs. Then fix the till."
SAID = Said(
    event="evt-7",
    seq=7,
    at=1_790_000_000_000_000_000,
    kind="prompt",
    origin="user",
    via="live",
    tool=None,
    text=TEXT,
    payload={},
)
AGAIN = replace(SAID, event="evt-8", seq=8)
SILENT = replace(SAID, event="evt-9", seq=9, text="")
TURN = TurnText(session="s-1", turn="t-1", project="prj-shop", said=(SAID, AGAIN, SILENT))


def draft(**changes: Any) -> Draft:
    """Return a draft that cites "use tabs"."""
    made = Draft(kind="preference", content="Use tabs", said=SAID, start=7, quote="use tabs")
    return replace(made, **changes)


def follow_up(**changes: Any) -> FollowUp:
    """Return a follow-up that cites "fix the till"."""
    made = FollowUp(content="Fix the till", said=SAID, start=22, quote="fix the till")
    return replace(made, **changes)


def test_a_draft_whose_words_stand_there_is_evidence() -> None:
    found = evidence_of(draft(tags=("style",), importance=4, confidence=0.5), TURN, "told-1")

    assert found is not None
    assert (found.kind, found.content, found.quote, found.start) == (
        "preference",
        "Use tabs",
        "use tabs",
        7,
    )
    assert (found.tags, found.importance, found.confidence) == (("style",), 4, 0.5)
    assert (found.session, found.turn, found.extractor) == ("s-1", "t-1", "told-1")


@pytest.mark.parametrize("origin", ["user", "assistant", "tool:Bash", "system"])
def test_whose_words_they_are_when_and_where_comes_from_the_event(origin: str) -> None:
    said = replace(SAID, origin=origin, via="import:chat")

    found = evidence_of(draft(said=said), replace(TURN, said=(said,)), "told-1")

    assert found is not None
    assert (found.origin, found.via, found.at, found.event, found.seq) == (
        origin,
        "import:chat",
        SAID.at,
        "evt-7",
        7,
    )


WRONG = [
    pytest.param({"quote": "use spaces"}, id="other words"),
    pytest.param({"quote": "Use tabs"}, id="other case"),
    pytest.param({"start": 8}, id="one behind"),
    pytest.param({"start": 6}, id="one before"),
    pytest.param({"start": -28}, id="counted from the end"),
    pytest.param({"start": 700}, id="behind the end"),
    pytest.param({"quote": ""}, id="no words"),
    pytest.param({"quote": " ", "start": 6}, id="only a space"),
    pytest.param({"said": SILENT}, id="nothing said"),
    pytest.param({"said": replace(SAID, event="evt-1", seq=1)}, id="said in another turn"),
    pytest.param({"said": replace(SAID, origin="owner")}, id="said by another"),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_draft_whose_words_do_not_stand_there_is_nothing(wrong: dict[str, Any]) -> None:
    assert evidence_of(draft(**wrong), TURN, "told-1") is None


@pytest.mark.parametrize("wrong", WRONG)
def test_a_follow_up_whose_words_do_not_stand_there_is_nothing(wrong: dict[str, Any]) -> None:
    asked = follow_up(start=7, quote="use tabs")

    assert action_of(replace(asked, **wrong), TURN) is None


@settings(deadline=None)
@given(st.integers(-50, 50), st.text(max_size=8))
def test_no_words_no_memory(start: int, quote: str) -> None:
    found = evidence_of(draft(start=start, quote=quote), TURN, "told-1")

    stands = start >= 0 and bool(quote.strip()) and TEXT[start : start + len(quote)] == quote
    assert (found is not None) == stands


def test_the_same_draft_is_the_same_evidence_whenever_it_is_made() -> None:
    assert evidence_of(draft(), TURN, "told-1") == evidence_of(draft(), TURN, "told-1")


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "instruction"},
        {"start": 11, "quote": "tabs"},
        {"quote": "use tabs."},
        {"said": AGAIN},
    ],
    ids="-".join,
)
def test_another_place_or_kind_makes_other_evidence(other: dict[str, Any]) -> None:
    one, two = (evidence_of(each, TURN, "told-1") for each in (draft(), draft(**other)))

    assert one is not None
    assert two is not None
    assert one.id != two.id


def test_two_drafts_of_the_same_words_are_told_apart_by_their_number() -> None:
    one, two = (evidence_of(draft(), TURN, "told-1", nth) for nth in (0, 1))

    assert one is not None
    assert two is not None
    assert one.id != two.id


def test_an_alias_of_a_kind_is_the_kind_and_the_same_evidence() -> None:
    alias, kind = (evidence_of(draft(kind=name), TURN, "told-1") for name in ("learning", "fact"))

    assert alias == kind


@pytest.mark.parametrize(
    ("everywhere", "project", "expected"),
    [(False, "prj-shop", "prj-shop"), (True, "prj-shop", None), (False, "", None)],
)
def test_a_draft_belongs_to_its_project_or_to_all(
    *, everywhere: bool, project: str, expected: str | None
) -> None:
    turn = replace(TURN, project=project)

    found = evidence_of(draft(is_everywhere=everywhere), turn, "told-1")

    assert found is not None
    assert found.project == expected


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"kind": "rumour"}, "is no kind of memory"),
        ({"content": " "}, "needs words"),
        ({"content": "x" * (LONGEST_CONTENT + 1)}, "a memory at most 2000"),
        ({"tags": ("",)}, "A tag has 1 to 50"),
        ({"importance": 6}, "Importance goes from 1 to 5"),
        ({"confidence": 1.1}, "Confidence goes from 0 to 1"),
    ],
    ids=lambda wrong: "-".join(wrong) if isinstance(wrong, dict) else None,
)
def test_a_draft_out_of_bounds_is_refused_with_a_sentence(
    wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(MemoryRefused, match=sentence):
        evidence_of(draft(**wrong), TURN, "told-1")


def test_a_memory_is_one_line_whatever_the_draft_says() -> None:
    found = evidence_of(draft(content="Use\n tabs\x1b[31m\u202e"), TURN, "told-1")

    assert found is not None
    assert found.content == "Use tabs"


def test_a_follow_up_whose_words_stand_there_is_an_action() -> None:
    found = action_of(follow_up(priority=0), TURN)

    assert found is not None
    assert (found.content, found.quote, found.priority, found.status) == (
        "Fix the till",
        "fix the till",
        0,
        "pending",
    )
    assert (found.session, found.turn, found.event, found.origin, found.project) == (
        "s-1",
        "t-1",
        "evt-7",
        "user",
        "prj-shop",
    )
    assert (found.created_at, found.memory) == (SAID.at, None)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [({"content": ""}, "needs words"), ({"priority": 3}, "Priority is 0")],
    ids=lambda wrong: "-".join(wrong) if isinstance(wrong, dict) else None,
)
def test_a_follow_up_out_of_bounds_is_refused_with_a_sentence(
    wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(MemoryRefused, match=sentence):
        action_of(follow_up(**wrong), TURN)


def test_a_follow_up_outside_of_projects_has_none() -> None:
    found = action_of(follow_up(), replace(TURN, project=""))

    assert found is not None
    assert found.project is None


@pytest.mark.parametrize("last", [None, 3])
def test_what_came_last_is_the_same_from_either_end(last: int | None) -> None:
    lately = Lately(lambda: [1, 2, 3], lambda: last)

    assert (list(lately), list(reversed(lately)), len(lately)) == ([1, 2, 3], [3, 2, 1], 3)


def test_who_looks_for_the_last_alone_does_not_fetch_what_came_before() -> None:
    fetched: list[str] = []

    def fetch() -> list[str]:
        fetched.append("all")
        return ["prompt", "reply"]

    last = next(reversed(Lately(fetch, lambda: "reply")))

    assert (last, fetched) == ("reply", [])
