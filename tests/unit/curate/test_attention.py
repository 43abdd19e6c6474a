"""What is queued for a look: by rules, once, and gone when its reason is."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from contract.conftest import NOON, sqlite_memory
from contract.memories import fact, put, said, to_do
from tacit.curate.attention import (
    CORRECTED,
    OF_WORKSPACES,
    RULES,
    UNLANDED,
    Attention,
    distinct,
    is_kept,
    is_ruled,
)
from tacit.model.memory import DAY_NS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.model.memory import Evidence
    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteMemory]:
    with closing(sqlite_memory(tmp_path)) as opened:
        put(opened, fact("mem-1"))
        yield opened


@pytest.fixture
def attention(store: SqliteMemory) -> Attention:
    return Attention(store)


def corrected(
    store: SqliteMemory, times: int, *, every: int = DAY_NS, topic: str = "dates"
) -> Evidence:
    """Let something be corrected again and again; return the last time."""
    rows = [
        said(
            f"evi-{topic}-{number}",
            kind="correction",
            tags=("format", topic),
            turn=f"turn-{number}",
            at=NOON + number * every,
        )
        for number in range(times)
    ]
    for row in rows:
        store.evidence.add(row, "mem-1")
    return rows[-1]


def pending(store: SqliteMemory) -> list[str]:
    return [each.content for each in store.actions.wanted("pending")]


def test_ten_corrections_on_one_topic_within_a_month_ask_whether_a_rule_should_change(
    store: SqliteMemory, attention: Attention
) -> None:
    last = corrected(store, 10)

    attention.corrected([last])

    assert "10 corrections about dates in 30 days: should a rule change?" in pending(store)
    assert {each.priority for each in store.actions.wanted("pending")} == {CORRECTED.priority}


@pytest.mark.parametrize(("times", "every"), [(9, DAY_NS), (10, 4 * DAY_NS)])
def test_fewer_or_rarer_ones_ask_nothing(
    store: SqliteMemory, attention: Attention, times: int, every: int
) -> None:
    attention.corrected([corrected(store, times, every=every)])

    assert pending(store) == []


def test_corrections_within_one_turn_count_once(store: SqliteMemory, attention: Attention) -> None:
    rows = [
        said(f"evi-{number}", kind="correction", tags=("dates",), turn="turn-1", at=NOON + number)
        for number in range(12)
    ]
    for row in rows:
        store.evidence.add(row, "mem-1")

    attention.corrected(rows)

    assert pending(store) == []


def test_other_statements_about_it_are_no_corrections(
    store: SqliteMemory, attention: Attention
) -> None:
    last = corrected(store, 10)

    attention.corrected([replace(last, kind="preference")])

    assert pending(store) == []


def test_it_is_asked_once_and_not_again_when_it_was_answered(
    store: SqliteMemory, attention: Attention
) -> None:
    attention.corrected([corrected(store, 10)])
    for each in store.actions.wanted("pending"):
        attention.closed(each, "dismissed", "evt-owner", NOON)

    attention.corrected([corrected(store, 12, topic="more")])
    again = corrected(store, 11, topic="dates2")
    attention.corrected([replace(again, tags=("dates",))])

    assert not any("about dates " in each for each in pending(store))


def test_a_turn_that_never_landed_is_told_until_it_has(
    store: SqliteMemory, attention: Attention
) -> None:
    attention.unlanded("session-1", "turn-1", NOON)
    attention.unlanded("session-1", "turn-1", NOON)
    attention.unlanded("session-1", "turn-2", NOON)
    told = pending(store)

    attention.landed("session-1", "turn-1")
    attention.landed("session-1", "turn-2")

    assert told == [UNLANDED.text, UNLANDED.text]
    assert pending(store) == []


def test_sessions_that_did_not_land_are_named_until_somebody_has_seen_to_it(
    store: SqliteMemory, attention: Attention
) -> None:
    attention.unlanded("session-1", "turn-1", NOON)
    attention.unlanded("session-2", "turn-1", NOON)
    named = attention.sessions_unlanded()

    attention.landed("session-1", "turn-1")
    (left,) = store.actions.wanted("pending")
    attention.closed(left, "dismissed", "evt-1", NOON)

    assert (named, attention.sessions_unlanded()) == ({"session-1", "session-2"}, set())


@pytest.mark.parametrize("state", ["forgotten", "superseded"])
def test_a_question_about_what_holds_no_longer_is_settled(
    store: SqliteMemory, attention: Attention, state: str
) -> None:
    store.actions.put(to_do("act-1", memory="mem-1", created_at=NOON))
    store.memories.change(fact("mem-1"), state=state, valid_to=NOON + 1)

    attention.settled("evt-1", NOON + 2)

    closed = store.actions.get("act-1")
    assert closed is not None
    assert (closed.status, closed.closed_by, closed.closed_at) == ("acted_on", "evt-1", NOON + 2)


def test_a_question_that_came_after_it_was_replaced_stays(
    store: SqliteMemory, attention: Attention
) -> None:
    store.memories.change(fact("mem-1"), state="superseded", valid_to=NOON)
    store.actions.put(to_do("act-1", memory="mem-1", created_at=NOON + 1))

    attention.settled("evt-1", NOON + 2)

    assert len(pending(store)) == 1


def test_closing_one_closes_all_that_ask_for_the_same_there(
    store: SqliteMemory, attention: Attention
) -> None:
    first = to_do("act-1", content="Rotate the deploy key", project="project-1")
    store.actions.put(first)
    store.actions.put(to_do("act-2", content="rotate the deploy key.", project="project-1"))
    store.actions.put(to_do("act-3", content="Rotate the deploy key", project="project-2"))
    store.actions.put(to_do("act-4", content="Rotate the log files", project="project-1"))

    attention.closed(first, "acted_on", "evt-1", NOON)

    assert {each.id for each in store.actions.wanted("pending")} == {"act-3", "act-4"}


def test_what_asks_for_the_same_is_listed_once() -> None:
    listed = distinct(
        [
            to_do("act-1", content="Rotate the deploy key"),
            to_do("act-2", content="rotate the deploy key!"),
            to_do("act-3", content="Rotate the deploy key", status="dismissed"),
        ]
    )

    assert [each.id for each in listed] == ["act-1", "act-3"]


def test_rules_are_data_each_with_its_name_and_threshold(store: SqliteMemory) -> None:
    Attention(store).unlanded("session-1", "turn-1", NOON)

    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.threshold >= 1 and rule.text for rule in RULES)
    assert all(is_ruled(each) for each in store.actions.wanted())
    assert not is_ruled(to_do("act-1"))


def test_what_files_have_raised_is_told_from_what_the_memory_has(
    store: SqliteMemory, attention: Attention
) -> None:
    attention.unlanded("s-1", "t-1", NOON)
    (own,) = store.actions.wanted()

    assert (is_kept(own), is_kept(replace(own, event=f"{OF_WORKSPACES}stale"))) == (False, True)
    assert is_ruled(replace(own, event=f"{OF_WORKSPACES}stale"))
