"""What an agent may not do itself: both stay, linked, and an action asks the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.model.memory import LONGEST_CONTENT
from unit.curate.saying import NOON, SECOND_NS, SPACES, TABS, digest

if TYPE_CHECKING:
    from tacit.model.action import Action
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk, Room

# whose memories an agent may not touch, and whose it may
THEIRS = [{"origin": "user"}, {"origin": "owner"}, {"origin": "tool:Bash", "pinned": True}]
FREE = [{"origin": "agent"}, {"origin": "assistant"}, {"origin": "tool:Bash"}]


def known(room: Room, *, pinned: bool = False, **changes: Any) -> Memory:
    """Return a memory, pinned by the owner if asked."""
    memory = room.learn(1, **changes)
    if pinned:
        room.decide(2, "pin", memory)
    return room.now(memory)


def by_agent(room: Room, verb: str, *about: Memory, **changes: Any) -> None:
    room.decide(3, verb, *about, origin="agent", caller="s-9", **changes)


def asked(room: Room) -> list[Action]:
    return room.store.actions.wanted("pending")


@pytest.mark.parametrize("whose", THEIRS, ids=str)
def test_an_agent_s_correction_stands_beside_a_person_s_memory(
    whose: dict[str, Any], room: Room
) -> None:
    memory = known(room, **whose)

    by_agent(room, "correct", memory, text=SPACES)

    (new,) = room.store.memories.stating(digest(SPACES))
    links = [
        (each.source, each.target, each.relation) for each in room.store.memories.links(new.id)
    ]
    assert (room.now(memory), links) == (memory, [(new.id, memory.id, "contradicts")])
    assert (new.origin, new.pinned, new.state) == ("agent", False, "active")


@pytest.mark.parametrize("whose", FREE, ids=str)
def test_an_agent_s_correction_replaces_what_no_person_stands_behind(
    whose: dict[str, Any], room: Room
) -> None:
    memory = known(room, **whose)

    by_agent(room, "correct", memory, text=SPACES)

    assert (room.standing(), asked(room)) == ([SPACES], [])


@pytest.mark.parametrize("whose", THEIRS, ids=str)
def test_an_agent_forgets_no_person_s_memory(whose: dict[str, Any], room: Room) -> None:
    memory = known(room, **whose)

    by_agent(room, "forget", memory)

    assert room.now(memory) == memory


@pytest.mark.parametrize("whose", FREE, ids=str)
def test_an_agent_forgets_what_no_person_stands_behind(whose: dict[str, Any], room: Room) -> None:
    memory = known(room, **whose)

    by_agent(room, "forget", memory)

    assert (room.now(memory).reason, asked(room)) == ("forgotten by agent", [])


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("verb", ["pin", "unpin"])
def test_an_agent_neither_pins_nor_unpins(*, verb: str, pinned: bool, room: Room) -> None:
    memory = known(room, origin="agent", pinned=pinned)

    by_agent(room, verb, memory)

    assert (room.now(memory), len(asked(room))) == (memory, 1)


@pytest.mark.parametrize(
    ("verb", "changes", "content"),
    [
        ("correct", {"text": SPACES}, f"An agent says {SPACES!r} instead: {TABS}"),
        ("forget", {}, f"An agent wants this forgotten: {TABS}"),
        ("pin", {}, f"An agent wants to pin this: {TABS}"),
        ("unpin", {}, f"An agent wants to unpin this: {TABS}"),
    ],
)
def test_the_owner_is_asked_what_an_agent_may_not_do(
    verb: str, changes: dict[str, str], content: str, room: Room
) -> None:
    memory = known(room)

    by_agent(room, verb, memory, **changes)

    (action,) = asked(room)
    assert (action.content, action.memory, action.priority) == (content, memory.id, 1)
    assert (action.origin, action.session, action.event, action.project) == (
        "agent",
        "s-9",
        "evt-3",
        "prj-shop",
    )
    assert (action.quote, action.created_at) == (changes.get("text", ""), NOON + 3 * SECOND_NS)


def test_the_owner_is_asked_however_long_the_words_are(room: Room) -> None:
    memory = known(room, content="x" * LONGEST_CONTENT)

    by_agent(room, "correct", memory, text="y" * LONGEST_CONTENT)

    assert (len(asked(room)), len(room.standing())) == (1, 2)


def test_what_an_agent_asked_about_erased_words_goes_with_them(room: Room) -> None:
    memory = known(room)
    by_agent(room, "pin", memory)

    room.decide(4, "forget", erased=("evt-1",))

    assert asked(room) == []


def test_an_agent_cannot_accept_what_is_held(room: Room) -> None:
    memory = known(room, origin="tool:Bash", reason="It gives orders.")

    by_agent(room, "accept", memory)

    assert room.now(memory) == memory


def test_an_agent_cannot_reject_what_a_person_said(room: Room) -> None:
    memory = known(room, reason="It gives orders.")

    by_agent(room, "reject", memory)

    assert room.now(memory) == memory


@pytest.mark.parametrize("verb", ["undo", "forget"])
@pytest.mark.parametrize("whose", THEIRS, ids=str)
def test_an_agent_takes_back_no_person_s_session(
    verb: str, whose: dict[str, Any], room: Room
) -> None:
    memory = known(room, **whose)

    by_agent(room, verb, session="s-1")

    assert room.now(memory) == memory


@pytest.mark.parametrize("whose", ["user", "owner"])
def test_an_agent_forgets_not_all_that_a_person_said(whose: str, room: Room) -> None:
    memory = known(room, origin=whose)

    by_agent(room, "forget", whose=whose)

    assert room.now(memory) == memory


@pytest.mark.parametrize("whose", THEIRS, ids=str)
def test_an_agent_erases_no_person_s_words(whose: dict[str, Any], room: Room) -> None:
    memory = known(room, **whose)

    by_agent(room, "forget", erased=("evt-1",))

    assert room.store.memories.get(memory.id) == memory


def test_an_agent_erases_no_person_s_words_from_the_transcript(desk: Desk) -> None:
    desk.say(TABS)
    desk.told("forget", erased=("evt-1",), origin="agent")

    desk.curate()

    assert [each.body is None for each in desk.transcript.find(["evt-1"])] == [False]


def test_what_only_calls_itself_a_decision_decides_nothing(desk: Desk) -> None:
    desk.say(TABS)
    body = {"verb": "undo", "session": "s-1"}
    desk.append("decision", body, client="claude-code", origin="system")

    desk.curate()

    assert desk.standing() == [TABS]


def test_what_returns_when_an_agent_is_undone_is_one_with_what_says_the_same(room: Room) -> None:
    by_agent(room, "correct", known(room, origin="agent"), text=SPACES)
    room.learn(5)

    room.decide(6, "undo", session="s-9")

    (memory,) = [
        each for each in room.store.memories.stating(digest(TABS)) if each.state == "active"
    ]
    assert (memory.origin, len(room.store.evidence.of_memory(memory.id))) == ("user", 2)


def test_an_agent_that_repeats_a_person_takes_no_lead(room: Room) -> None:
    memory = known(room)

    by_agent(room, "remember", text=TABS, project="prj-shop")

    now = room.now(memory)
    assert (now.origin, now.confidence, len(room.standing())) == ("user", memory.confidence, 1)


def test_what_an_agent_says_of_a_person_s_memory_s_double_is_no_replacement(room: Room) -> None:
    mine = known(room, origin="agent")
    theirs = room.learn(2, SPACES)

    by_agent(room, "correct", mine, text=SPACES)

    now = room.now(theirs)
    assert (now.origin, now.content, room.standing()) == ("user", SPACES, [SPACES])


def test_an_agent_that_wants_a_session_undone_asks_where_it_is_not_its_own(room: Room) -> None:
    room.learn(1)

    room.decide(2, "undo", session="s-1", origin="agent", caller="s-2")

    (asked,) = room.store.actions.wanted("pending")
    assert (room.standing(), asked.content) == (
        [TABS],
        "An agent wants all undone that session s-1 taught",
    )


def test_an_agent_that_undoes_what_only_agents_said_asks_nobody(room: Room) -> None:
    room.learn(1, origin="agent")

    room.decide(2, "undo", session="s-1", origin="agent", caller="s-2")

    assert (room.standing(), room.store.actions.wanted()) == ([], [])


@pytest.mark.parametrize(
    ("changes", "asked"),
    [
        ({"text": TABS.upper()}, f"An agent says {TABS.upper()!r} instead: {TABS}"),
        (
            {"text": TABS, "kind": "tool", "importance": 5},
            f"An agent says a tool of importance 5 instead: {TABS}",
        ),
    ],
    ids=["words", "kind"],
)
def test_an_agent_that_wants_the_same_said_otherwise_asks(
    changes: dict[str, Any], asked: str, room: Room
) -> None:
    old = room.learn(1)

    room.decide(2, "correct", old, **changes, origin="agent", caller="s-2")

    (action,) = room.store.actions.wanted("pending")
    assert (room.now(old), action.content) == (old, asked)
