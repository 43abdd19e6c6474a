"""Learning: a memory is what its evidence makes it, and follows it wherever that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.model.action import Action
from tacit.store.memory_port import Wanted
from unit.curate.saying import NOON, SECOND_NS, SPACES, TABS, digest, evidence

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.curate.saying import Room


def everything(room: Room) -> list[Memory]:
    return room.store.memories.wanted(Wanted(states=None))


def rows(room: Room, memory: Memory) -> list[str]:
    return [each.id for each in room.store.evidence.of_memory(memory.id)]


def action(memory: Memory) -> Action:
    """Return an action about a memory."""
    return Action(
        id="act-1",
        content="Ask",
        memory=memory.id,
        session="",
        event="evt-1",
        quote="Ask",
        origin="agent",
        created_at=NOON,
    )


def test_a_statement_becomes_a_memory_with_all_that_is_known_of_it(room: Room) -> None:
    memory = room.learn(1, tags=("style",), importance=4, confidence=0.5, topic="indent")

    assert room.now(memory) == memory
    assert (memory.id, memory.state, memory.content, memory.quote) == (
        "mem-0001",
        "active",
        TABS,
        TABS,
    )
    assert (memory.tags, memory.importance, memory.confidence) == (("style",), 4, 0.5)
    assert (memory.origin, memory.via, memory.session, memory.turn) == (
        "user",
        "live",
        "s-1",
        "t-1",
    )
    assert (memory.created_at, memory.valid_from, memory.valid_to) == (
        NOON + SECOND_NS,
        NOON + SECOND_NS,
        None,
    )
    assert (memory.topic, memory.extractor, memory.project) == ("indent", "told-1", "prj-shop")


def test_the_same_evidence_is_learned_once(room: Room) -> None:
    first = room.learn(1)

    again = room.learn(1)

    assert (again, len(everything(room)), rows(room, first)) == (first, 1, ["evi-0001"])


@pytest.mark.parametrize("other", [TABS, f"  {TABS.upper()}!  ", f"“{TABS}”."])
def test_the_same_statement_in_another_dress_is_one_memory_with_more_confidence(
    other: str, room: Room
) -> None:
    room.learn(1)

    memory = room.learn(2, other)

    assert (len(everything(room)), memory.confidence, memory.content) == (1, 0.96, TABS)
    assert rows(room, memory) == ["evi-0001", "evi-0002"]


def test_another_statement_is_another_memory(room: Room) -> None:
    room.learn(1)

    room.learn(2, SPACES)

    assert room.standing() == sorted([TABS, SPACES])


@pytest.mark.parametrize(
    ("there", "here", "count"),
    [
        ("prj-shop", "prj-shop", 1),
        (None, None, 1),
        (None, "prj-shop", 1),
        ("prj-shop", None, 2),
        ("prj-shop", "prj-till", 2),
    ],
)
def test_what_is_known_here_or_everywhere_is_known(
    there: str | None, here: str | None, count: int, room: Room
) -> None:
    room.learn(1, project=there)

    room.learn(2, project=here)

    assert len(everything(room)) == count


def test_what_is_known_everywhere_stays_so_when_it_is_said_in_one_project(room: Room) -> None:
    room.learn(1, project=None)

    memory = room.learn(2, origin="owner", project="prj-shop")

    assert memory.project is None


@pytest.mark.parametrize(
    ("origins", "lead"),
    [
        (("user", "owner"), "owner"),
        (("owner", "user"), "owner"),
        (("assistant", "user"), "user"),
        (("tool:Bash", "assistant"), "assistant"),
        (("agent", "assistant"), "agent"),
        (("assistant", "tool:Bash", "agent"), "agent"),
    ],
)
def test_the_most_trusted_leads(origins: tuple[str, ...], lead: str, room: Room) -> None:
    for number, origin in enumerate(origins, 1):
        dressed = TABS + "!" * number
        memory = room.learn(number, dressed, origin=origin, session=f"s-{origin}", kind="context")

    expected = TABS + "!" * (origins.index(lead) + 1)
    assert (memory.origin, memory.session, memory.content) == (lead, f"s-{lead}", expected)


def test_the_first_of_equals_leads(room: Room) -> None:
    room.learn(1, kind="preference")

    memory = room.learn(2, kind="fact")

    assert (memory.kind, memory.turn) == ("preference", "t-1")


def test_those_who_are_trusted_less_add_no_weight(room: Room) -> None:
    room.learn(1, confidence=0.5, importance=2)

    memory = room.learn(2, origin="tool:Bash", confidence=0.9, importance=5)

    assert (memory.confidence, memory.importance) == (0.5, 2)


@pytest.mark.parametrize(
    ("turns", "importance"),
    [("ab", 4), ("abc", 5), ("abcd", 5), ("aaa", 3), ("abbc", 5)],
)
def test_what_is_said_again_in_another_turn_is_more_important(
    turns: str, importance: int, room: Room
) -> None:
    for number, turn in enumerate(turns, 1):
        memory = room.learn(number, turn=turn)

    assert memory.importance == importance


def test_tags_are_gathered_the_leading_ones_first_and_ten_at_most(room: Room) -> None:
    room.learn(1, tags=tuple(f"tag-{each}" for each in range(8)))

    memory = room.learn(2, origin="owner", tags=("own", "tag-0", "last"))

    assert memory.tags == ("own", "tag-0", "last", *(f"tag-{each}" for each in range(1, 8)))


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_a_memory_is_the_same_in_whatever_order_its_evidence_comes(
    order: tuple[int, ...], room: Room
) -> None:
    origins = {1: "assistant", 2: "user", 3: "owner"}

    for number in order:
        room.learn(number, origin=origins[number])

    (memory,) = everything(room)
    assert (memory.id, memory.origin, memory.created_at) == (
        "mem-0001",
        "owner",
        NOON + SECOND_NS,
    )


def test_a_statement_with_a_reason_is_held(room: Room) -> None:
    memory = room.learn(1, reason="It gives orders.", origin="tool:Bash")

    assert (memory.state, memory.reason, room.standing()) == ("quarantined", "It gives orders.", [])


def test_what_is_held_does_not_hold_back_what_is_free(room: Room) -> None:
    room.learn(1, reason="It gives orders.", origin="tool:Bash")

    room.learn(2)
    room.learn(3, reason="It gives orders.", origin="tool:Bash")

    found = sorted((each.state, len(rows(room, each))) for each in everything(room))
    assert found == [("active", 1), ("quarantined", 2)]


@pytest.mark.parametrize(
    ("about", "subject"),
    [
        ("statement", digest(TABS).hex()),
        ("session", "s-1"),
        ("origin", "tool:Bash"),
        ("origin", "tool"),
        ("event", "evt-2"),
    ],
)
def test_what_is_refused_is_not_learned_from_old_words_but_from_new_ones(
    about: str, subject: str, room: Room
) -> None:
    room.store.evidence.refuse(about, subject, NOON + 2 * SECOND_NS)

    old = room.learner.learn(evidence(2, origin="tool:Bash"))
    new = room.learner.learn(evidence(3, origin="tool:Bash", event="evt-2"))

    assert (old, new is not None) == (None, True)


@pytest.mark.parametrize(
    ("about", "subject"),
    [
        ("statement", digest(SPACES).hex()),
        ("session", "s-2"),
        ("origin", "tool"),
        ("origin", "us"),
        ("event", "evt-3"),
    ],
)
def test_what_is_refused_for_another_reason_is_learned(
    about: str, subject: str, room: Room
) -> None:
    room.store.evidence.refuse(about, subject, NOON + 9 * SECOND_NS)

    assert room.learner.learn(evidence(2)) is not None


def test_the_last_evidence_taken_back_removes_the_memory(room: Room) -> None:
    memory = room.learn(1)

    for _ in range(2):  # what nobody says can be taken back, too
        room.learner.withdraw(["evi-0001"])

    assert (everything(room), rows(room, memory)) == ([], [])


def test_with_a_reason_the_memory_is_forgotten_and_can_still_be_explained(room: Room) -> None:
    memory = room.learn(1)
    room.store.memories.change(memory, pinned=True)

    room.learner.withdraw(["evi-0001"], reason="taken back by owner")

    now = room.now(memory)
    assert (now.state, now.reason, now.pinned) == ("forgotten", "taken back by owner", False)
    assert rows(room, memory) == ["evi-0001"]


def test_a_memory_that_loses_some_evidence_is_what_the_rest_makes_it(room: Room) -> None:
    room.learn(1, origin="owner", tags=("own",), kind="preference")
    room.learn(2, origin="user", tags=("style",))

    room.learner.withdraw(["evi-0001"], reason="taken back by owner")

    (memory,) = everything(room)
    assert (memory.id, memory.state, memory.origin, memory.tags, memory.kind) == (
        "mem-0002",
        "active",
        "user",
        ("style",),
        "fact",
    )
    assert (memory.created_at, memory.confidence) == (NOON + 2 * SECOND_NS, 0.8)


@pytest.mark.parametrize(
    "kept", [{"state": "quarantined", "reason": "held"}, {"pinned": True}, {"state": "forgotten"}]
)
def test_a_memory_keeps_what_was_decided_about_it_when_its_evidence_changes(
    kept: dict[str, Any], room: Room
) -> None:
    room.learn(1)
    room.store.memories.change(room.learn(2), **kept)

    room.learner.withdraw(["evi-0001"])

    (memory,) = everything(room)
    assert {name: getattr(memory, name) for name in kept} == kept


def test_a_memory_with_another_first_evidence_is_renamed_wherever_it_is_named(room: Room) -> None:
    old = room.learn(5, SPACES)
    memory = room.learn(1)
    room.learn(2)
    room.learner.supersede(old, memory, NOON + 6 * SECOND_NS)
    room.store.actions.put(action(memory))
    room.store.memories.use(memory.id, NOON)

    room.learner.withdraw(["evi-0001"])

    renamed = "mem-0002"
    asked = room.store.actions.get("act-1")
    assert room.store.memories.get("mem-0001") is None
    assert room.now(old).superseded_by == renamed
    assert [link.source for link in room.store.memories.links(old.id)] == [renamed]
    assert asked is not None
    assert asked.memory == renamed


def test_how_often_a_memory_was_looked_at_goes_with_its_name(room: Room) -> None:
    memory = room.learn(1)
    room.learn(2)
    room.store.memories.use(memory.id, NOON)

    room.learner.withdraw(["evi-0001"])

    assert room.store.memories.used("mem-0002") == (1, NOON)


def test_words_said_before_the_first_rename_the_memory_to_them(room: Room) -> None:
    room.learn(5)

    memory = room.learn(1)

    assert (memory.id, [each.id for each in everything(room)]) == ("mem-0001", ["mem-0001"])


def test_what_is_superseded_says_since_when_and_by_what(room: Room) -> None:
    old, new = room.learn(1), room.learn(2, SPACES)

    room.learner.supersede(old, new, NOON + 3 * SECOND_NS)

    now = room.now(old)
    assert (now.state, now.superseded_by, now.valid_to) == (
        "superseded",
        new.id,
        NOON + 3 * SECOND_NS,
    )
    assert [(each.source, each.relation) for each in room.store.memories.links(old.id)] == [
        (new.id, "supersedes")
    ]


def test_nothing_ends_before_it_began(room: Room) -> None:
    old, new = room.learn(3), room.learn(4, SPACES)

    room.learner.supersede(old, new, NOON)

    assert room.now(old).valid_to == old.valid_from


@pytest.mark.parametrize("reason", [None, "taken back by owner"])
def test_what_a_memory_had_replaced_returns_when_it_goes(reason: str | None, room: Room) -> None:
    old, new = room.learn(1), room.learn(2, SPACES)
    room.learner.supersede(old, new, new.valid_from)

    room.learner.withdraw(["evi-0002"], reason=reason)

    assert room.now(old) == old


def test_what_was_forgotten_does_not_return_when_its_successor_goes(room: Room) -> None:
    old, new = room.learn(1), room.learn(2, SPACES)
    room.learner.supersede(old, new, new.valid_from)
    room.store.memories.change(room.now(old), state="forgotten")

    room.learner.withdraw(["evi-0002"])

    assert room.now(old).state == "forgotten"


@pytest.mark.parametrize("reason", [None, "taken back by owner"])
def test_a_link_taken_out_of_a_chain_leaves_one_thing_standing(
    reason: str | None, room: Room
) -> None:
    first, second, third = (
        room.learn(number, text) for number, text in enumerate((TABS, SPACES, "No indent"), 1)
    )
    room.learner.supersede(first, second, second.valid_from)
    room.learner.supersede(second, third, third.valid_from)

    room.learner.withdraw(["evi-0002"], reason=reason)

    assert (room.standing(), room.now(first).superseded_by) == (["No indent"], third.id)
