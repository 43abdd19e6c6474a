"""Learning from kin: what is said again or anew changes what is known, if the speaker may."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.learn import NO_KIN, Kin
from tacit.curate.rules.curator import rules
from tacit.store.memory_port import Wanted
from unit.curate.saying import SPACES, TABS, evidence

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk, Room

AGAIN = "As always, tabs in the shop"
NONE = "The shop does not indent at all"


def learn(room: Room, number: int, content: str, *, kin: Kin, **changes: Any) -> Memory:
    """Learn the number-th thing that was said, which is kin of something known."""
    reason = changes.pop("reason", None)
    learned = room.learner.learn(evidence(number, content, **changes), reason=reason, kin=kin)
    assert learned is not None
    return learned


def rows(room: Room, memory: Memory) -> list[str]:
    return [each.id for each in room.store.evidence.of_memory(memory.id)]


def links(room: Room, memory: Memory) -> list[tuple[str, str, str]]:
    found = room.store.memories.links(memory.id)
    return [(each.source, each.target, each.relation) for each in found]


def kin_by(relation: str, name: str) -> Kin:
    return replace(NO_KIN, **{relation: name})  # type: ignore[arg-type]


def questions(room: Room) -> list[tuple[str, str]]:
    return [(each.source, each.target) for each in room.store.memories.contradictions()]


def everything(room: Room) -> list[Memory]:
    return room.store.memories.wanted(Wanted(states=None))


def test_what_is_said_again_in_other_words_is_more_evidence(room: Room) -> None:
    known = room.learn(1)

    memory = learn(room, 2, AGAIN, kin=Kin(same=known.id))

    assert (memory.id, memory.content, memory.confidence) == (known.id, TABS, 0.96)
    assert (room.standing(), rows(room, known)) == ([TABS], ["evi-0001", "evi-0002"])


def test_what_was_said_again_stands_alone_when_the_first_words_go(room: Room) -> None:
    known = room.learn(1)
    learn(room, 2, AGAIN, kin=Kin(same=known.id))

    room.learner.withdraw(["evi-0001"])

    assert [(each.id, each.content) for each in everything(room)] == [("mem-0002", AGAIN)]


def test_who_says_it_again_with_more_trust_leads(room: Room) -> None:
    known = room.learn(1, origin="assistant")

    memory = learn(room, 2, AGAIN, kin=Kin(same=known.id))

    assert (memory.id, memory.content, memory.origin) == (known.id, AGAIN, "user")


def test_the_same_statement_is_one_memory_whatever_kin_it_has(room: Room) -> None:
    known, other = room.learn(1), room.learn(2, SPACES)

    memory = learn(room, 3, TABS, kin=Kin(same=other.id, replaces=known.id))

    assert (memory.id, rows(room, other)) == (known.id, ["evi-0002"])
    assert room.standing() == sorted([TABS, SPACES])


def test_what_replaces_something_supersedes_it_from_when_it_was_said(room: Room) -> None:
    known = room.learn(1)

    memory = learn(room, 2, SPACES, kin=Kin(replaces=known.id))

    old = room.now(known)
    assert (old.state, old.superseded_by, old.valid_to) == (
        "superseded",
        memory.id,
        memory.valid_from,
    )
    assert (room.standing(), questions(room)) == ([SPACES], [])


def test_what_is_replaced_again_and_again_is_a_chain(room: Room) -> None:
    first = room.learn(1)
    second = learn(room, 2, SPACES, kin=Kin(replaces=first.id))

    third = learn(room, 3, NONE, kin=Kin(replaces=second.id))

    assert links(room, second) == [
        (second.id, first.id, "supersedes"),
        (third.id, second.id, "supersedes"),
    ]
    assert room.standing() == [NONE]


def test_what_was_replaced_returns_when_its_successor_is_withdrawn(room: Room) -> None:
    known = room.learn(1)
    learn(room, 2, SPACES, kin=Kin(replaces=known.id))

    room.learner.withdraw(["evi-0002"])

    assert everything(room) == [known]


@pytest.mark.parametrize(
    "changes",
    [{"state": "superseded"}, {"state": "forgotten"}, {"state": "quarantined"}],
)
def test_what_no_longer_stands_is_neither_said_again_nor_replaced(
    changes: dict[str, Any], room: Room
) -> None:
    known = room.store.memories.change(room.learn(1), **changes)

    learn(room, 2, SPACES, kin=Kin(same=known.id, replaces=known.id, contradicts=known.id))

    assert (room.now(known), rows(room, known)) == (known, ["evi-0001"])
    assert (room.standing(), questions(room)) == ([SPACES], [])


def test_older_words_replace_no_newer_ones_but_ask(room: Room) -> None:
    known = room.learn(5)

    learn(room, 2, SPACES, kin=Kin(replaces=known.id))

    assert room.standing() == sorted([TABS, SPACES])
    assert len(questions(room)) == 1


def test_what_is_pinned_is_not_replaced_but_the_owner_is_asked(room: Room) -> None:
    known = room.store.memories.change(room.learn(1), pinned=True)

    memory = learn(room, 2, SPACES, kin=Kin(replaces=known.id))

    assert (room.now(known), links(room, known)) == (
        known,
        [(memory.id, known.id, "contradicts")],
    )
    assert questions(room) == [(memory.id, known.id)]


def test_what_may_contradict_something_stands_beside_it_and_the_owner_is_asked(room: Room) -> None:
    known = room.learn(1)

    memory = learn(room, 2, SPACES, kin=Kin(contradicts=known.id))

    assert (room.standing(), links(room, memory)) == (
        sorted([TABS, SPACES]),
        [(memory.id, known.id, "contradicts")],
    )
    assert questions(room) == [(memory.id, known.id)]
    assert room.store.actions.wanted() == []


def test_a_question_is_asked_once_however_often_it_comes(room: Room) -> None:
    known = room.learn(1)

    for _ in range(2):
        learn(room, 2, SPACES, kin=Kin(contradicts=known.id))

    assert len(questions(room)) == 1


@pytest.mark.parametrize("origin", ["agent", "assistant", "tool:Bash"])
@pytest.mark.parametrize("relation", ["same", "replaces", "contradicts"])
def test_who_is_trusted_less_touches_nothing(relation: str, origin: str, room: Room) -> None:
    known = room.learn(1)

    memory = learn(room, 2, SPACES, kin=kin_by(relation, known.id), origin=origin)

    assert (room.now(known), rows(room, known)) == (known, ["evi-0001"])
    assert (memory.content, links(room, known), questions(room)) == (SPACES, [], [])


@pytest.mark.parametrize("relation", ["same", "replaces", "contradicts"])
def test_what_is_held_touches_nothing(relation: str, room: Room) -> None:
    known = room.learn(1, origin="tool:Bash")

    memory = learn(
        room, 2, SPACES, kin=kin_by(relation, known.id), origin="tool:Bash", reason="An order."
    )

    assert (room.now(known), memory.state) == (known, "quarantined")
    assert (links(room, known), questions(room)) == ([], [])


@pytest.mark.parametrize("relation", ["same", "replaces", "contradicts"])
@pytest.mark.parametrize("name", ["", "mem-unheard-of"])
def test_kin_that_is_not_there_does_not_matter(relation: str, name: str, room: Room) -> None:
    learn(room, 1, SPACES, kin=kin_by(relation, name))

    assert (room.standing(), questions(room)) == ([SPACES], [])


@pytest.mark.parametrize(
    ("there", "here", "state"),
    [
        ("prj-shop", "prj-shop", "superseded"),
        (None, "prj-shop", "active"),
        ("prj-shop", "prj-till", "active"),
        ("prj-shop", None, "active"),
    ],
)
def test_only_what_is_known_here_is_replaced(
    there: str | None, here: str | None, state: str, room: Room
) -> None:
    known = room.learn(1, project=there)

    learn(room, 2, SPACES, kin=Kin(replaces=known.id), project=here)

    assert room.now(known).state == state


def test_what_a_model_confirms_is_no_longer_a_candidate(room: Room) -> None:
    known, other = (room.learn(at, text, is_certain=False) for at, text in ((1, TABS), (2, SPACES)))

    room.learner.confirm(["evi-0001", "evi-unheard-of"])

    assert (known.state, room.now(known).state) == ("candidate", "active")
    assert room.now(other).state == "candidate"


def test_a_candidate_replaces_nothing(room: Room) -> None:
    known = room.learn(1)

    memory = learn(room, 2, SPACES, kin=Kin(replaces=known.id), is_certain=False)

    assert (memory.state, room.now(known).state) == ("candidate", "active")
    assert links(room, memory) == [(memory.id, known.id, "contradicts")]


@pytest.mark.parametrize(
    ("kind", "turns", "becomes"),
    [("correction", 3, "pattern"), ("correction", 2, "correction"), ("fact", 3, "fact")],
)
def test_what_is_corrected_again_and_again_is_a_pattern(
    kind: str, turns: int, becomes: str, room: Room
) -> None:
    for number in range(1, turns + 1):
        memory = room.learn(number, kind=kind, turn=f"t-{number}")

    assert room.now(memory).kind == becomes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The billing service listens on lagoon",
            "The billing service listens on harbor, not lagoon",
        ),
        ("We use Redis for the session cache", "We do not use Redis for the session cache"),
    ],
)
def test_what_the_user_takes_back_is_a_chain_with_its_time(old: str, new: str, desk: Desk) -> None:
    desk.extractor = rules()
    desk.say(old)
    desk.curate()
    first = desk.only(old)

    desk.say(new)
    desk.curate()

    second = desk.only(new)
    assert desk.standing() == [new]
    assert (desk.now(first).superseded_by, desk.now(first).valid_to) == (
        second.id,
        second.valid_from,
    )


def test_another_value_of_the_same_slot_replaces_every_older_one(desk: Desk) -> None:
    desk.extractor = rules()
    desk.say("Our billing service listens on port 9191")
    desk.curate()
    desk.say("For us the billing service is on 9191", session="s-2")
    desk.curate()

    desk.say("The billing service listens on port 9292", session="s-3")
    desk.curate()

    assert desk.standing() == ["The billing service listens on port 9292"]


def test_another_value_of_part_of_a_statement_stands_beside_it_with_a_question(
    desk: Desk,
) -> None:
    desk.extractor = rules()
    desk.say("Our leases go to 7400 and ingredients to 7500")
    desk.curate()
    old = desk.only("Our leases go to 7400 and ingredients to 7500")

    desk.say("Our leases go to 7410", session="s-2")
    desk.curate()

    new = desk.only("Our leases go to 7410")
    assert desk.standing() == sorted([old.content, new.content])
    assert [each.relation for each in desk.store.memories.links(new.id)] == ["contradicts"]
    assert desk.store.actions.wanted() == []


def test_what_a_project_says_shadows_what_holds_everywhere(room: Room) -> None:
    known = room.learn(1, project=None)

    memory = learn(room, 2, SPACES, kin=Kin(replaces=known.id), project="prj-shop")

    assert (room.now(known).state, links(room, known)) == (
        "active",
        [(memory.id, known.id, "supersedes")],
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Remember that Postgres locally is 5434",
            "scrap weasyprint, the docker image with Postgres gets too big, we print locally now",
        ),
        (
            "Never use emojis in commit messages",
            "From now on commit messages are in the imperative mood",
        ),
        ("We use npm for installs", "Always use the npm mirror now instead of the public host"),
    ],
)
def test_words_that_tell_of_a_change_retire_nothing_that_they_do_not_name(
    old: str, new: str, desk: Desk
) -> None:
    desk.extractor = rules()
    desk.say(old)
    desk.curate()
    before = desk.standing()

    desk.say(new, session="s-2")
    desk.curate()

    assert len(before) == 1
    assert before[0] in desk.standing()
    assert desk.store.actions.wanted() == []


def test_what_is_named_is_replaced(desk: Desk) -> None:
    desk.extractor = rules()
    desk.say("We use npm for installs")
    desk.curate()

    desk.say("From now on use pnpm instead of npm", session="s-2")
    desk.curate()

    assert desk.standing() == ["From now on use pnpm instead of npm"]


def test_another_value_that_is_not_sure_stands_beside_it_with_a_question(desk: Desk) -> None:
    desk.extractor = rules()
    desk.say("The billing service listens on port 9191")
    desk.curate()

    desk.say("Remember that maybe the billing service listens on port 9292")
    desk.curate()

    (new,) = [each for each in desk.standing() if "9292" in each]
    made = desk.only(new)
    assert len(desk.standing()) == 2
    assert [each.relation for each in desk.store.memories.links(made.id)] == ["contradicts"]
    assert desk.store.actions.wanted() == []


def test_a_correction_of_case_and_points_is_how_it_is_written_from_then_on(room: Room) -> None:
    old = room.learn(1)

    room.decide(2, "correct", old, text=f"{TABS.upper()}!")
    room.learn(3)

    assert room.standing() == [f"{TABS.upper()}!"]
