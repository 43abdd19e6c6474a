"""Renewal: a memory that older rules have made is made again once, in slices, and loses nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.memories import told
from tacit.curate import explicit, rebuild
from tacit.curate.attention import OF_WORKSPACES
from tacit.curate.decisions import About, Decision, Who, event
from tacit.curate.rebuild import RULES, VERSION
from tacit.curate.rules.curator import OFF, rules
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.memory import open_memory
from unit.curate.saying import NOON, PLACE, SECOND_NS, TABS, TEA, digest, left

if TYPE_CHECKING:
    from tacit.curate.extract import Extracted
    from tacit.curate.reading import TurnText
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk

EMOJIS = "Never use emojis in commit messages"
MOOD = "Commit messages are in the imperative mood"
NPM, PNPM = "We use npm for installs", "Use pnpm instead of npm for installs"


def renew(desk: Desk, seconds: float | None = None) -> int:
    """Go on making the memory again; return how much is left."""
    return rebuild.renew(desk.transcript, desk.store, desk.engine, desk.tools, seconds)


def retired(desk: Desk, old: str = EMOJIS, new: str = MOOD) -> tuple[Memory, Memory]:
    """Let a statement be retired by another that does not name it, as older rules did."""
    desk.extractor = rules()
    desk.say(old)
    desk.curate()
    desk.say(new, session="s-2")
    desk.curate()
    before, after = desk.only(old), desk.only(new)
    desk.learner.supersede(before, after, after.valid_from)
    return desk.now(before), after


def purge(desk: Desk, memory: Memory) -> None:
    """Let a memory be removed that was superseded long ago, as upkeep does."""
    about = About(
        id=memory.id,
        kind=memory.kind,
        events=desk.events_of(memory),
        says=digest(memory.content).hex(),
        until=memory.valid_to or 0,
    )
    made = event(
        Decision(verb="purge", about=(about,)),
        Who(origin="system", via="daemon"),
        PLACE,
        now_ns=desk.clock.pass_(SECOND_NS),
        random=(desk.transcript.head().seq + 1).to_bytes,
    )
    desk.transcript.append([made])
    desk.curate()


def test_what_older_rules_have_retired_stands_again(desk: Desk) -> None:
    old, new = retired(desk)

    assert renew(desk) == 0

    again = desk.now(old)
    assert (again.state, again.superseded_by, again.valid_to) == ("active", None, None)
    assert desk.store.memories.links(new.id) == []
    assert desk.standing() == [MOOD, EMOJIS]


def test_what_contradicts_stands_beside_it_with_a_question(desk: Desk) -> None:
    old, new = retired(desk, "The till is written in Go", "The till is written in Rust")

    renew(desk)

    links = [each.relation for each in desk.store.memories.links(new.id)]
    assert (desk.now(old).state, links) == ("active", ["contradicts"])
    assert desk.store.actions.wanted() == []


def test_what_was_named_stays_retired(desk: Desk) -> None:
    desk.extractor = rules()
    desk.say(NPM)
    desk.curate()
    old = desk.only(NPM)
    desk.say(PNPM, session="s-2")
    desk.curate()

    renew(desk)

    assert (desk.now(old).state, desk.standing()) == ("superseded", [PNPM])


def test_what_the_owner_has_decided_stays_decided(desk: Desk) -> None:
    old, new = retired(desk)
    desk.say(TABS, TEA, session="s-3")
    desk.say("The shop has two tills", session="s-4")
    desk.curate()
    tabs = desk.only(TABS)
    desk.told("correct", tabs, text="The shop uses two spaces")
    desk.told("forget", desk.only(TEA))
    desk.told("undo", session="s-4")
    desk.told("pin", new)
    desk.curate()

    renew(desk)

    assert desk.standing() == [MOOD, EMOJIS, "The shop uses two spaces"]
    assert (desk.now(tabs).state, desk.now(new).pinned, desk.now(old).state) == (
        "superseded", True, "active",
    )  # fmt: skip


def test_it_is_what_a_rebuild_makes(desk: Desk) -> None:
    retired(desk)
    desk.say(TABS, session="s-3")
    desk.curate()
    renew(desk)
    before = desk.content()

    made = desk.rebuild()

    assert (made.is_same, made.after) == (True, before)


def test_it_is_done_once(desk: Desk) -> None:
    retired(desk)
    renew(desk)
    desk.extractor = replace(rules(), extract=_fail)

    assert (renew(desk), desk.store.jobs.number(RULES)) == (0, VERSION)


def _fail(*_: object) -> Extracted:
    raise AssertionError("asked again")


def test_what_was_purged_without_having_been_named_comes_back(desk: Desk) -> None:
    old, _ = retired(desk)
    purge(desk, old)
    gone = desk.store.memories.get(old.id)

    renew(desk)

    assert (gone, desk.standing()) == (None, [MOOD, EMOJIS])
    assert desk.rebuild().is_same


def test_what_was_purged_after_a_correction_stays_purged(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    old = desk.only(TABS)
    desk.told("correct", old, text="The shop uses two spaces")
    desk.curate()
    purge(desk, desk.now(old))

    renew(desk)

    assert desk.store.memories.get(old.id) is None
    assert desk.standing() == ["The shop uses two spaces"]


def test_what_was_purged_stays_purged_when_the_words_that_named_it_are_erased(desk: Desk) -> None:
    desk.extractor = rules()
    desk.say(NPM)
    desk.curate()
    old = desk.only(NPM)
    desk.say(PNPM, session="s-2")
    desk.curate()
    purge(desk, desk.now(old))
    desk.told("forget", erased=desk.events_of(desk.only(PNPM)))
    desk.curate()

    renew(desk)

    assert (desk.standing(), desk.rebuild().is_same) == ([], True)


def test_a_slice_at_a_time_the_old_one_stays_until_all_is_made(desk: Desk) -> None:
    retired(desk)
    for number in range(6):
        desk.say(f"Shelf {number} holds tea", session=f"s-{number + 3}")
    desk.curate()
    before, seen = desk.content(), []

    while renew(desk, seconds=0.0001):
        seen.append(desk.content())

    assert len(seen) > 1
    assert set(seen) == {before}
    assert {EMOJIS, MOOD} < set(desk.standing())


class Killed(BaseException):
    """What ends a program in the middle: no handler catches it."""


@pytest.mark.parametrize("at", range(4))
def test_killed_in_the_middle_it_goes_on_where_it_was(at: int, desk: Desk) -> None:
    desk.say(TABS)
    desk.say(TEA)
    desk.say("The shop has two tills")
    desk.say("The shop has a cat")
    desk.curate()
    before, calls = desk.content(), iter(range(at))

    def die(turn: TurnText) -> Extracted:
        if next(calls, None) is None:
            raise Killed
        return explicit.extract(turn)

    desk.extract = die
    with pytest.raises(Killed):
        renew(desk)
    is_old = desk.content() == before and desk.store.jobs.number(RULES) == 0
    desk.extract = explicit.extract
    desk.seen.clear()
    renew(desk)

    assert (is_old, desk.content(), len(desk.seen)) == (True, before, 4 - at)


def test_what_comes_meanwhile_is_not_lost(desk: Desk) -> None:
    retired(desk)
    while renew(desk, seconds=0.0001) and TABS not in desk.standing():
        desk.say(TABS, session="s-9")
        desk.curate()

    renew(desk)

    assert desk.standing() == [MOOD, EMOJIS, TABS]


def test_an_empty_memory_is_of_the_present_rules(desk: Desk) -> None:
    rebuild.stamp(desk.store)
    desk.say(TABS)
    desk.curate()
    desk.extract = _fail

    assert (renew(desk), desk.store.jobs.number(RULES)) == (0, VERSION)


def test_a_memory_of_older_rules_is_not_taken_for_a_new_one(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()

    rebuild.stamp(desk.store)

    assert desk.store.jobs.number(RULES) == 0


def test_without_rules_nothing_is_made_again(desk: Desk) -> None:
    old, new = retired(desk)
    desk.extractor = OFF

    assert renew(desk) == 0
    assert (desk.now(old).superseded_by, desk.store.jobs.number(RULES)) == (new.id, 0)


@pytest.mark.parametrize("text", [b"left over", b""])
def test_what_was_left_over_is_in_nobody_s_way(text: bytes, desk: Desk) -> None:
    retired(desk)
    scratch = [desk.path.with_name(f"memory.new{each}") for each in ("", "-wal", "-shm")]
    for each in scratch:
        each.write_bytes(text)

    renew(desk)
    is_made = desk.standing() == [MOOD, EMOJIS]
    scratch[0].write_bytes(text)
    renew(desk)

    assert (is_made, [each for each in scratch if each.exists()]) == (True, [])


def test_a_memory_that_other_rules_had_begun_to_make_is_begun_anew(desk: Desk) -> None:
    retired(desk)
    for number in range(6):
        desk.say(f"Shelf {number} holds tea", session=f"s-{number + 3}")
    desk.curate()
    assert renew(desk, seconds=0.0001)
    begun = open_memory(desk.path.with_name("memory.new"), desk.engine, desk.store.analyse)
    begun.jobs.set_number(RULES, VERSION + 1)
    begun.memories.put(replace(desk.only(MOOD), id="mem-other", content="Other"), digest("Other"))
    begun.close()

    renew(desk)

    assert {EMOJIS, MOOD} < set(desk.standing())
    assert "Other" not in desk.standing()


def test_while_another_makes_it_there_is_something_left(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    lefts: list[int] = []

    def another(turn: TurnText) -> Extracted:
        lefts.append(renew(desk))
        return explicit.extract(turn)

    desk.extract = another
    renew(desk)

    assert (lefts, desk.standing()) == ([1], [TABS])


def test_what_no_transcript_tells_is_kept(desk: Desk) -> None:
    _, new = retired(desk)
    action: Any = replace(left("Look at the card"), event=f"{OF_WORKSPACES}card", origin="system")
    desk.store.actions.put(action)
    desk.store.memories.use(new.id, NOON)
    desk.store.told.put(told("brief-1", memories=((new.id, 5), ("mem-gone", 5))))
    desk.store.told.hear("brief-1", "s-9", NOON)
    desk.store.told.use(new.id, "s-9", used=True, repeated=False)
    heard = [each for each in desk.store.told.heard_in("s-9") if each.memory == new.id]
    uses = desk.store.told.uses()

    renew(desk)

    kept = desk.store
    assert kept.memories.used(new.id) == (1, NOON)
    assert (kept.told.heard_in("s-9"), kept.told.uses()) == (heard, uses)
    assert kept.told.get("brief-1") is not None
    assert action in kept.actions.wanted()
    assert kept.index.is_in_step()
    assert len(kept.memories.wanted(Wanted())) == 2
