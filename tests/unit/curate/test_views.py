"""What the owner sees of a memory: its words where they stand, its chain, who decided what."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tacit.curate import views
from unit.curate.saying import NOON, SECOND_NS, SPACES, TABS

if TYPE_CHECKING:
    from tacit.curate.views import Why
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk, Room


def why(desk: Desk, memory: Memory) -> Why:
    return views.why(desk.store, desk.transcript, memory)


def remembered(desk: Desk, content: str = TABS) -> Memory:
    desk.curate()
    return desk.only(content)


def chained(room: Room, *texts: str) -> list[Memory]:
    """Return memories of which each has replaced the one before, two seconds after it was said."""
    found = [room.learn(2 * number, text) for number, text in enumerate(texts, 1)]
    for old, new in pairwise(found):
        room.learner.supersede(room.now(old), new, new.valid_from)
    return [room.now(each) for each in found]


def test_a_memory_is_explained_by_its_words_where_they_stand(desk: Desk) -> None:
    desk.prompt(f"Good morning. Remember that {TABS}. Thanks.")
    desk.reply("t-1")

    found = why(desk, remembered(desk))

    (cited,) = found.cited
    assert (cited.before, cited.evidence.quote, cited.after) == (
        "Good morning. Remember that ",
        TABS,
        ". Thanks.",
    )


def test_only_a_few_words_around_are_shown(desk: Desk) -> None:
    desk.prompt(f"{'a' * 500}. Remember that {TABS}. {'b' * 500}")
    desk.reply("t-1")

    (cited,) = why(desk, remembered(desk)).cited

    assert (len(cited.before), len(cited.after)) == (160, 160)


def test_all_that_a_memory_stands_on_is_cited_in_order(desk: Desk) -> None:
    desk.say(TABS)
    desk.say(TABS, session="s-2")

    found = why(desk, remembered(desk))

    assert [each.evidence.session for each in found.cited] == ["s-1", "s-2"]


def test_a_decision_is_cited_with_its_text(desk: Desk) -> None:
    desk.told("remember", text=TABS)

    found = why(desk, remembered(desk))

    assert [(each.evidence.quote, each.before, each.after) for each in found.cited] == [
        (TABS, "", "")
    ]


@pytest.mark.parametrize("is_erased", [True, False])
def test_words_that_are_gone_are_not_made_up(*, is_erased: bool, desk: Desk) -> None:
    if is_erased:
        desk.say(TABS)
        memory = remembered(desk)
        desk.bury(["evt-1"])
    else:
        memory = desk.learn(7)

    (cited,) = why(desk, memory).cited

    assert (cited.before, cited.after) == ("", "")


def test_why_tells_who_decided_about_it_and_no_other(desk: Desk) -> None:
    desk.told("remember", text=TABS)
    desk.say(SPACES)
    desk.curate()
    desk.told("pin", desk.only(TABS))
    desk.told("pin", desk.only(SPACES))

    found = why(desk, remembered(desk))

    assert [(each.decision.verb, each.origin) for each in found.decisions] == [
        ("remember", "owner"),
        ("pin", "owner"),
    ]


def test_why_tells_what_was_decided_under_an_earlier_name(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.told("pin", desk.only(TABS))
    desk.say(TABS, at=NOON, via="import:chat", session="s-old")

    found = why(desk, remembered(desk))

    assert [each.decision.verb for each in found.decisions] == ["pin"]


def test_why_tells_links_and_how_often_it_was_looked_at(desk: Desk) -> None:
    old, new = chained(desk, TABS, SPACES)
    desk.store.memories.use(new.id, NOON)

    found = why(desk, new)

    assert ([(each.target, each.relation) for each in found.links], found.chain) == (
        [(old.id, "supersedes")],
        [old, new],
    )
    assert (found.accessed, found.last_accessed) == (1, NOON)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_chain_is_the_same_from_wherever_one_looks(which: int, room: Room) -> None:
    memories = chained(room, TABS, SPACES, "No indent")

    found = views.chain(room.store, memories[which])

    assert found == memories


def test_a_chain_with_a_gap_is_what_is_left_of_it(room: Room) -> None:
    first, second, _ = chained(room, TABS, SPACES, "No indent")
    room.store.memories.remove("mem-0006")

    assert views.chain(room.store, first) == [first, second]


@pytest.mark.parametrize(
    ("second", "content"),
    [(1, None), (2, TABS), (3, TABS), (4, SPACES), (5, SPACES), (6, "No indent"), (9, "No indent")],
)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_as_of_a_time_it_is_what_stood_there_then(
    which: int, second: int, content: str | None, room: Room
) -> None:
    memories = chained(room, TABS, SPACES, "No indent")

    found = views.as_of(room.store, memories[which], NOON + second * SECOND_NS)

    assert (found.content if found else None) == content


def test_what_is_forgotten_stood_at_no_time(room: Room) -> None:
    (memory,) = chained(room, TABS)
    room.decide(5, "forget", memory)

    assert views.as_of(room.store, room.now(memory), NOON + 3 * SECOND_NS) is None


def test_what_stood_by_itself_is_not_taken_for_what_was_replaced_with_it(room: Room) -> None:
    one, two = room.learn(1, TABS), room.learn(2, SPACES)
    for old in (one, two):
        room.decide(5, "correct", old, text="No indent")

    found = [views.as_of(room.store, room.now(each), NOON + 3 * SECOND_NS) for each in (one, two)]

    assert [each.id for each in found if each] == [one.id, two.id]


def test_what_stood_beside_its_successor_is_what_it_was(room: Room) -> None:
    one, two = room.learn(1, TABS), room.learn(2, SPACES)
    room.decide(5, "correct", one, text=SPACES)

    found = views.as_of(room.store, room.now(one), NOON + 3 * SECOND_NS)

    assert (found and found.id, room.now(one).superseded_by) == (one.id, two.id)


def test_a_session_s_difference_is_what_it_added_replaced_lost_and_has_on_hold(
    room: Room,
) -> None:
    room.learn(1, "Elsewhere", session="s-2")
    old, new = chained(room, TABS, SPACES)
    room.learn(7, "Held", reason="It gives orders.")
    room.decide(9, "forget", room.learn(8, "Lost"))

    found = views.diff(room.store, "s-1")

    assert {each.content for each in found.added} == {TABS, SPACES}
    assert (found.superseded, new.state) == ([old], "active")
    assert [each.content for each in found.forgotten] == ["Lost"]
    assert [each.content for each in found.quarantined] == ["Held"]


def test_what_a_session_only_repeated_is_not_its_own(room: Room) -> None:
    room.learn(1)
    room.learn(2, session="s-2")

    assert views.diff(room.store, "s-2").added == []


@pytest.mark.parametrize(("session", "verbs"), [(None, ["pin", "undo"]), ("s-9", ["undo"])])
def test_an_audit_is_what_was_decided_in_order(
    session: str | None, verbs: list[str], desk: Desk
) -> None:
    desk.told("pin")
    desk.append("decision", {"verb": "destroy"}, session="s-9", client="tacit")
    desk.told("undo", session="s-1", origin="agent", caller="s-9")

    found = views.audit(desk.transcript, session)

    assert [each.decision.verb for each in found] == verbs
