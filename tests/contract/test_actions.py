"""Actions and summaries: kept as they stand, the most urgent and the latest first."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import FULL_ACTION, FULL_SUMMARY, HOSTILE, TEXT, summed_up, to_do
from tacit.errors import NotFound
from tacit.model.action import STATUSES, Action, Summary

if TYPE_CHECKING:
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=60, deadline=None)
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)
# what can become of an action; where it came from stays
CHANGES: dict[str, Any] = {
    "content": "other words",
    "priority": 1,
    "status": "pending",
    "memory": None,
    "closed_at": None,
    "closed_by": None,
}
SUMMARY_CHANGES: dict[str, Any] = {
    "project": None,
    **dict.fromkeys("request investigated learned completed next_steps notes".split(), "other"),
    "files_read": (),
    "files_edited": ("x", "y"),
    "updated_at": NOON + 5,
    "is_final": False,
}


@pytest.fixture
def queued(memory: MemoryStore) -> MemoryStore:
    """Return a memory in which five actions wait, or waited."""
    for made in (
        to_do("a", created_at=3),
        to_do("b", created_at=2, priority=0, project=None, turn="turn-2"),
        to_do("c", created_at=1, project="project-2", session="session-2"),
        to_do("d", created_at=2, status="dismissed", event="event of a", closed_by="the end"),
        to_do("e", created_at=1, priority=1, status="acted_on", turn=None, closed_by="event of a"),
    ):
        memory.actions.put(made)
    return memory


def names(actions: list[Action]) -> str:
    return "".join(each.id for each in actions)


@pytest.mark.parametrize("made", [FULL_ACTION, to_do("act-plain")], ids=lambda made: made.id)
def test_an_action_comes_back_as_it_was_put(memory: MemoryStore, made: Action) -> None:
    memory.actions.put(made)

    assert memory.actions.get(made.id) == made
    assert memory.actions.wanted() == [made]


@pytest.mark.parametrize("name", CHANGES)
def test_an_action_that_is_put_again_stands_as_it_does_now(memory: MemoryStore, name: str) -> None:
    memory.actions.put(FULL_ACTION)
    other = replace(FULL_ACTION, **{name: CHANGES[name]})

    memory.actions.put(other)

    assert memory.actions.wanted() == [other]


@every_kind
@MANY
@given(texts=st.lists(TEXT, min_size=9, max_size=9))
def test_whatever_text_an_action_holds_comes_back(kind: str, texts: list[str]) -> None:
    columns = "content memory session turn event quote origin project closed_by".split()
    made = to_do("act-1", **dict(zip(columns, texts, strict=True)))

    with fresh(MEMORY_KINDS[kind]) as memory:
        memory.actions.put(made)

        assert memory.actions.get("act-1") == made


def test_an_action_that_nobody_put_is_not_there(queued: MemoryStore) -> None:
    found = [queued.actions.get(name) for name in ("", "%", "A", "aa")]

    assert found == [None] * 4


def test_an_action_is_found_by_how_its_id_begins(memory: MemoryStore) -> None:
    memory.actions.put(to_do("act-12"))
    memory.actions.put(to_do("act-2"))

    found = memory.actions.named("act-1")

    assert found.id == "act-12"


def test_a_whole_id_beats_those_that_only_begin_so(memory: MemoryStore) -> None:
    for name in ("act-12", "act-1", "act-11"):
        memory.actions.put(to_do(name))

    found = memory.actions.named("act-1")

    assert found.id == "act-1"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("act", r"'act' begins more than one id: say more of it\."),
        ("ct-1", r"There is no action 'ct-1'\. See `tacit actions`\."),
        ("", r"There is no action ''\. See `tacit actions`\."),
        ("act_1", r"There is no action 'act_1'\."),
    ],
)
def test_a_name_that_no_one_action_begins_with_is_refused(
    memory: MemoryStore, name: str, told: str
) -> None:
    memory.actions.put(to_do("act-1"))
    memory.actions.put(to_do("act-2"))

    with pytest.raises(NotFound, match=f"^{told}"):
        memory.actions.named(name)


def test_a_removed_action_is_gone(queued: MemoryStore) -> None:
    queued.actions.remove("b")

    assert (queued.actions.get("b"), names(queued.actions.wanted())) == (None, "ecda")


def test_removing_what_is_not_there_changes_nothing(queued: MemoryStore) -> None:
    queued.actions.remove("%")

    assert names(queued.actions.wanted()) == "becda"


@pytest.mark.parametrize(
    ("wish", "fitting"),
    [
        ({}, "becda"),
        ({"status": "pending"}, "bca"),
        ({"status": "acted_on"}, "e"),
        ({"status": "dismissed"}, "d"),
        ({"status": "%"}, ""),
        ({"projects": ["project-2"]}, "bc"),
        ({"projects": ("project-1", "project-2")}, "becda"),
        ({"projects": []}, "b"),
        ({"limit": 2}, "be"),
        ({"limit": 0}, ""),
        ({"status": "pending", "projects": ["project-1"], "limit": 1}, "b"),
    ],
)
def test_the_actions_that_fit_are_found_the_most_urgent_first(
    queued: MemoryStore, wish: dict[str, Any], fitting: str
) -> None:
    found = queued.actions.wanted(**wish)

    assert names(found) == fitting


@every_kind
@MANY
@given(
    made=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(STATUSES), st.integers(0, 3)), max_size=8
    ),
    status=st.none() | st.sampled_from(STATUSES),
)
def test_actions_are_sorted_by_priority_and_then_by_age(
    kind: str, made: list[tuple[int, str, int]], status: str | None
) -> None:
    put = [
        to_do(f"act-{number}", priority=priority, status=each, created_at=at)
        for number, (priority, each, at) in enumerate(made)
    ]
    with fresh(MEMORY_KINDS[kind]) as memory:
        for action in put:
            memory.actions.put(action)

        found = memory.actions.wanted(status)

    fitting = [each for each in put if status in {None, each.status}]
    assert found == sorted(fitting, key=lambda each: (each.priority, each.created_at, each.id))


@pytest.mark.parametrize(
    ("by", "subject", "fitting"),
    [
        ("turn", ("session-1", "turn-1"), "da"),
        ("turn", ("session-1", "turn-2"), "b"),
        ("turn", ("session-2", "turn-2"), ""),
        ("session", ("session-1",), "ebda"),
        ("session", ("session",), ""),
        ("event", ("event of a",), "da"),
        ("event", ("event",), ""),
    ],
)
def test_actions_are_found_by_where_they_came_from(
    queued: MemoryStore, by: str, subject: tuple[str, ...], fitting: str
) -> None:
    found = queued.actions.found(by, *subject)

    assert names(found) == fitting


@pytest.mark.parametrize(
    ("events", "fitting"),
    [
        (("the end",), "d"),
        (("event of a",), "e"),
        (("event of a", "the end"), "ed"),
        (("event",), ""),
        (("",), ""),
        ((), ""),
    ],
)
def test_actions_are_found_by_what_closed_them(
    queued: MemoryStore, events: tuple[str, ...], fitting: str
) -> None:
    found = queued.actions.closed_by(events)

    assert names(found) == fitting


@pytest.mark.parametrize("made", [FULL_SUMMARY, summed_up("plain", project=None)])
def test_a_summary_comes_back_as_it_was_put(memory: MemoryStore, made: Summary) -> None:
    memory.actions.put_summary(made)

    assert memory.actions.summaries() == [made]


@pytest.mark.parametrize("name", SUMMARY_CHANGES)
def test_a_session_has_one_summary_as_it_stands_now(memory: MemoryStore, name: str) -> None:
    memory.actions.put_summary(FULL_SUMMARY)
    other = replace(FULL_SUMMARY, **{name: SUMMARY_CHANGES[name]})

    memory.actions.put_summary(other)

    assert memory.actions.summaries() == [other]


def test_every_field_of_a_summary_but_its_session_can_be_put_anew() -> None:
    known = {each.name for each in fields(Summary)}

    assert known - SUMMARY_CHANGES.keys() == {"session"}


@every_kind
@MANY
@given(texts=st.lists(TEXT, min_size=7, max_size=7), files=st.lists(TEXT, max_size=3).map(tuple))
def test_whatever_text_a_summary_holds_comes_back(
    kind: str, texts: list[str], files: tuple[str, ...]
) -> None:
    columns = "project request investigated learned completed next_steps notes".split()
    written = dict(zip(columns, texts, strict=True))
    made = summed_up("session-1", **written, files_read=files, files_edited=files[:1])

    with fresh(MEMORY_KINDS[kind]) as memory:
        memory.actions.put_summary(made)

        assert memory.actions.summaries() == [made]


@pytest.mark.parametrize(
    ("wish", "fitting"),
    [
        ({}, ["3", "1", "2", "4"]),
        ({"session": "2"}, ["2"]),
        ({"session": "%"}, []),
        ({"projects": ["project-2", "project-3"]}, ["3"]),
        ({"projects": []}, []),
        ({"limit": 2}, ["3", "1"]),
        ({"session": "1", "projects": ["project-2"]}, []),
    ],
)
def test_the_summaries_that_fit_are_found_the_latest_first(
    memory: MemoryStore, wish: dict[str, Any], fitting: list[str]
) -> None:
    for made in (
        summed_up("2", updated_at=5),
        summed_up("1", updated_at=5),
        summed_up("3", updated_at=6, project="project-2"),
        summed_up("4", updated_at=4, project=None),
    ):
        memory.actions.put_summary(made)

    found = memory.actions.summaries(**wish)

    assert [each.session for each in found] == fitting


@pytest.mark.parametrize(
    ("session", "left"), [("session-1", ["session-2"]), ("%", ["session-1", "session-2"])]
)
def test_a_summary_that_is_taken_back_is_gone(
    memory: MemoryStore, session: str, left: list[str]
) -> None:
    for made in ("session-1", "session-2"):
        memory.actions.put_summary(summed_up(made))

    memory.actions.remove_summary(session)

    assert memory.actions.summaries() == [summed_up(each) for each in left]


@pytest.mark.parametrize(
    ("session", "final"),
    [("session-2", [False, True]), ("%", [False, False]), ("session-3", [False, False])],
)
def test_the_summary_of_a_session_that_has_ended_is_final_and_no_other(
    memory: MemoryStore, session: str, final: list[bool]
) -> None:
    put = [summed_up("session-1", notes="the notes"), summed_up("session-2", project=None)]
    for made in put:
        memory.actions.put_summary(made)

    for _ in range(2):
        memory.actions.finish_summary(session)

    assert memory.actions.summaries() == [
        replace(made, is_final=is_final) for made, is_final in zip(put, final, strict=True)
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_statements_of_sql_are_only_words(queued: MemoryStore, text: str) -> None:
    hostile = to_do(text, content=text, session=text, turn=text, event=text, project=text)
    queued.actions.put(hostile)
    queued.actions.put_summary(summed_up(text, project=text, notes=text, files_read=(text,)))

    found = [
        queued.actions.found("turn", text, text),
        queued.actions.found("session", text),
        queued.actions.found("event", text),
        [queued.actions.named(text)],
        [each for each in queued.actions.wanted(projects=[text]) if each.project],
    ]

    assert found == [[hostile]] * 5
    assert [each.notes for each in queued.actions.summaries(text, [text])] == [text]
    assert len(queued.actions.wanted()) == 6
