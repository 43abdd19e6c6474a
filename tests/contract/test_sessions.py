"""Sessions: counted over their events, the last active first, and found by the start of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract.conftest import event, place
from tacit.errors import NotFound
from tacit.store.port import SessionRow

if TYPE_CHECKING:
    from tacit.store.port import Store


def named(store: Store, project: str | None = None) -> list[str]:
    return [row.session for row in store.sessions(project)]


def test_a_session_is_counted_over_its_events(store: Store) -> None:
    kinds = "start prompt tool_use tool_use tool_failure reply prompt reply_failure end".split()
    received = [50, 10, 20, 30, 40, 60, 70, 90, 80]

    store.append(
        [
            event(f"event-{number}", kind=kind, received=when)
            for number, (kind, when) in enumerate(zip(kinds, received, strict=True))
        ]
    )

    assert store.sessions() == [
        SessionRow(
            session="session-1",
            project="project-1",
            client="claude-code",
            started=10,
            last=90,
            events=9,
            prompts=2,
            tools=3,
            failures=2,
            outcome="reply_failure",
            closing="end",
        )
    ]


def test_sessions_do_not_count_each_other_s_events(store: Store) -> None:
    store.append([event("a"), event("b", session="session-2"), event("c", kind="tool_use")])

    found = {row.session: (row.events, row.prompts, row.tools) for row in store.sessions()}

    assert found == {"session-1": (2, 1, 1), "session-2": (1, 1, 0)}


def test_the_last_active_session_comes_first_whatever_the_clock_said(store: Store) -> None:
    store.append([event("a", session="old", received=999), event("b", session="new", received=1)])
    before = named(store)

    store.append([event("c", session="old", received=5)])

    assert (before, named(store)) == (["new", "old"], ["old", "new"])


@pytest.mark.parametrize(
    ("kinds", "outcome", "closing"),
    [
        ("tool_use", None, None),
        ("start", None, "start"),
        ("start prompt", "prompt", "prompt"),
        ("start prompt reply", "reply", "prompt"),
        ("prompt reply_failure", "reply_failure", "prompt"),
        ("prompt reply prompt", "prompt", "prompt"),
        ("prompt reply tool_use", "reply", "prompt"),
        ("prompt reply end", "reply", "end"),
        ("prompt end start", "prompt", "start"),
        ("prompt end prompt", "prompt", "prompt"),
    ],
)
def test_how_a_session_stands_follows_from_its_last_events(
    store: Store, kinds: str, outcome: str | None, closing: str | None
) -> None:
    store.append([event(f"e{n}", kind=kind) for n, kind in enumerate(kinds.split())])
    store.append([event("x", kind="reply", session="2"), event("y", kind="end", session="2")])

    row = next(row for row in store.sessions() if row.session == "session-1")

    assert (row.outcome, row.closing) == (outcome, closing)


def test_the_owner_s_own_events_are_no_session(store: Store) -> None:
    store.append([event("a", session="", kind="project"), event("b")])

    found = named(store)

    assert found == ["session-1"]


def test_the_sessions_of_one_project_are_listed_alone(store: Store) -> None:
    store.append([event("a"), event("b", session="session-2", project="project-2")])
    store.append([event("c", session="session-3")])

    found = named(store, "project-1")

    assert found == ["session-3", "session-1"]


@pytest.mark.parametrize("project", ["unknown", "project-", "%", "", "' OR 1=1 --"])
def test_a_project_that_nobody_knows_has_no_sessions(store: Store, project: str) -> None:
    store.append([event("a")])

    found = named(store, project)

    assert found == []


def test_the_sessions_of_a_joined_project_are_those_of_the_other(store: Store) -> None:
    store.append([event("a", place=place("/one", "project-1"))])
    store.append([event("b", session="2", project="project-2", place=place("/two", "project-2"))])

    store.join("project-2", "project-1")

    assert {row.session: row.project for row in store.sessions()} == {
        "session-1": "project-1",
        "2": "project-1",
    }
    assert (named(store, "project-1"), named(store, "project-2")) == (["2", "session-1"], [])


def test_a_project_that_is_let_go_again_has_its_sessions_back(store: Store) -> None:
    store.append([event("a", place=place("/one", "project-1"))])
    store.locate([place("/two", "project-2")])
    store.join("project-1", "project-2")

    store.join("project-1", None)

    assert named(store, "project-1") == ["session-1"]


def test_a_session_is_found_by_how_its_id_begins(store: Store) -> None:
    store.append([event("a", session="66fbdfb8-16b6", turn=None), event("b", session="77")])

    found = store.named("66fb")

    assert found == ("66fbdfb8-16b6", None)


def test_a_turn_is_found_by_how_its_id_begins_with_its_session(store: Store) -> None:
    store.append([event("a", turn="abc-1"), event("b", turn="xyz-2"), event("c", turn="abc-1")])

    found = store.named("abc")

    assert found == ("session-1", "abc-1")


@pytest.mark.parametrize("name", ["unknown", "ession", "SESSION", "session-11", ""])
def test_what_no_id_begins_with_is_not_found(store: Store, name: str) -> None:
    store.append([event("a")])

    found = store.named(name)

    assert found == (None, None)


@pytest.mark.parametrize(
    "name", ["%", "_", "s%", "session_1", "*", "[s]", "\\", "session-1' OR '1"]
)
def test_wildcards_and_quotes_in_a_name_are_only_letters(store: Store, name: str) -> None:
    store.append([event("a"), event("b", session="session-2")])

    found = store.named(name)

    assert found == (None, None)


@pytest.mark.parametrize("name", ["50%_done", "it's", "日本語", "a\\b"])
def test_a_name_of_any_letters_is_found(store: Store, name: str) -> None:
    store.append([event("a", session=f"{name}-1", turn=None), event("b", session="other")])

    found = store.named(name)

    assert found == (f"{name}-1", None)


def test_a_name_that_several_sessions_begin_with_is_refused(store: Store) -> None:
    store.append([event("a", session="abc-1"), event("b", session="abc-2")])

    with pytest.raises(NotFound, match="'ab' begins more than one id"):
        store.named("ab")


def test_a_name_that_a_session_and_a_turn_begin_with_is_refused(store: Store) -> None:
    store.append([event("a", session="abc-1", turn="abd-1")])

    with pytest.raises(NotFound, match="say more of it"):
        store.named("ab")


def test_a_turn_of_the_same_name_in_two_sessions_is_refused(store: Store) -> None:
    store.append([event("a", session="1", turn="t"), event("b", session="2", turn="t")])

    with pytest.raises(NotFound, match="say more of it"):
        store.named("t")


def test_a_whole_session_id_beats_those_that_only_begin_so(store: Store) -> None:
    store.append([event(f"e{n}", session=f"abc{n}", turn=None) for n in range(5)])
    store.append([event("z", session="abc", turn=None)])

    found = store.named("abc")

    assert found == ("abc", None)


def test_a_whole_turn_id_beats_those_that_only_begin_so(store: Store) -> None:
    store.append([event(f"e{n}", session="first", turn=f"abc{n}") for n in range(5)])
    store.append([event("z", session="second", turn="abc")])

    found = store.named("abc")

    assert found == ("second", "abc")


def test_a_whole_session_id_beats_its_own_turns_that_begin_so(store: Store) -> None:
    store.append([event("a", session="abc", turn="abc:1"), event("b", session="abc", turn="abc:2")])

    found = store.named("abc")

    assert found == ("abc", None)


def test_the_owner_s_own_events_are_not_found_as_a_session(store: Store) -> None:
    store.append([event("a", session="", turn="own-1", kind="project")])

    found = store.named("own")

    assert found == (None, None)
