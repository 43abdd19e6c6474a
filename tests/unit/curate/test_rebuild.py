"""Rebuilding: the same content from the transcript alone; until it is whole, the old one stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.passages import ANY, vector
from tacit.curate import explicit, rebuild
from tacit.curate.extract import Extracted
from tacit.errors import StoreBusy
from tacit.model.action import Action, Summary
from tacit.recall.analyse import tokens
from tacit.store.sqlite.memory import open_memory
from tacit.transcript.turns import IDLE_NS
from unit.curate.saying import NOON, SPACES, TABS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.curate.reading import TurnText
    from unit.curate.saying import Desk


def history(desk: Desk) -> None:
    """Let much happen: said, repeated, remembered, corrected, pinned, forgotten, taken back."""
    desk.say(TABS, SPACES)
    desk.say(TABS, session="s-2")
    desk.told("remember", text="No indent", tags=("style",), project="prj-shop")
    desk.curate()
    desk.told("correct", desk.only(SPACES), text="The shop uses two spaces")
    desk.told("pin", desk.only(TABS))
    desk.told("forget", desk.only("No indent"), origin="agent", caller="s-9")
    desk.say("all is lost", session="s-3")
    desk.curate()
    desk.told("undo", session="s-3")
    desk.say("The shop sells tea", "Number nine counts", session="s-3")
    desk.curate()
    desk.told("forget", desk.only("Number nine counts"))
    desk.curate()


def understood(desk: Desk) -> dict[tuple[str, str], list[float]]:
    """Return what is known to mean what, by its layer and its id."""
    index = desk.store.index
    numbers, vectors = index.vectors("a model", index.latest(ANY, -1))
    subjects = {row.number: (row.layer, row.subject) for row in index.rows(numbers)}
    return {subjects[at]: each for at, each in zip(numbers, vectors.tolist(), strict=True)}


def test_what_is_made_again_is_what_was(desk: Desk) -> None:
    history(desk)
    before = desk.content()

    told = desk.rebuild()

    assert (told.is_same, told.before, told.missed, desk.content()) == (True, before, [], before)


def test_a_rebuild_tells_what_it_came_to(desk: Desk) -> None:
    history(desk)

    told = desk.rebuild()

    active = len(desk.standing())
    assert (told.events, told.turns, told.memories) == (desk.transcript.head().seq, 4, active)


def test_what_was_understood_is_not_asked_about_again_after_a_rebuild(desk: Desk) -> None:
    history(desk)
    index = desk.store.index
    unread = index.unread("a model", 1000)
    index.understand("a model", [(each, vector(1, each.digest[0])) for each in unread])
    before = understood(desk)

    desk.rebuild()

    assert {layer for layer, _ in before} == {"memory", "message"}
    assert understood(desk) == before
    assert index.unread("a model", 1000) == []
    assert index.is_in_step()


def test_an_empty_transcript_makes_an_empty_memory(desk: Desk) -> None:
    told = desk.rebuild()

    assert (told.events, told.turns, told.memories, told.is_same) == (0, 0, 0, True)


def test_what_got_in_past_the_transcript_is_gone(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.learn(99, "Invented")

    told = desk.rebuild()

    assert (told.is_same, desk.standing()) == (False, [TABS])


def test_a_rebuild_tells_how_far_it_has_come(desk: Desk) -> None:
    history(desk)
    seen: list[tuple[int, int]] = []

    rebuild.rebuild(
        desk.transcript,
        desk.store,
        desk.engine,
        desk.tools,
        lambda done, total: seen.append((done, total)),
    )

    assert (seen == sorted(seen), seen[-1]) == (True, (desk.transcript.head().seq,) * 2)


def test_all_that_is_open_sees_what_was_made(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.learn(99, "Invented")
    other = open_memory(desk.path, desk.engine, tokens)
    before = rebuild.content_digest(other)

    desk.rebuild()

    assert (before != rebuild.content_digest(other), rebuild.content_digest(other)) == (
        True,
        desk.content(),
    )
    other.close()


def test_whoever_reads_meanwhile_sees_the_old_one(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    other = open_memory(desk.path, desk.engine, tokens)
    before = rebuild.content_digest(other)
    seen = []

    def look(turn: TurnText) -> Extracted:
        seen.append(rebuild.content_digest(other))
        return explicit.extract(turn)

    desk.extract = look
    desk.rebuild()

    assert seen == [before]
    other.close()


def test_work_goes_on_behind_a_rebuild(desk: Desk) -> None:
    history(desk)
    desk.rebuild()
    seen = len(desk.seen)

    desk.say("The shop sells tea")
    desk.curate()

    assert (len(desk.seen), len(desk.only("The shop sells tea").id)) == (seen + 1, 40)


class Killed(BaseException):
    """What ends a program in the middle: no handler catches it."""


@pytest.mark.parametrize("at", range(4))
def test_killed_in_the_middle_the_old_one_stays_and_nothing_is_left_over(
    at: int, desk: Desk
) -> None:
    history(desk)
    before, files = desk.content(), {each.name for each in desk.path.parent.iterdir()}
    calls = iter(range(at))

    def die(turn: TurnText) -> Extracted:
        if next(calls, None) is None:
            raise Killed
        return explicit.extract(turn)

    desk.extract = die
    with pytest.raises(Killed):
        desk.rebuild()

    left = {each.name for each in desk.path.parent.iterdir()}
    assert (desk.content(), left) == (before, files)


def test_what_a_killed_rebuild_left_over_is_in_nobody_s_way(desk: Desk) -> None:
    history(desk)
    scratch = [desk.path.with_name(f"memory.new{each}") for each in ("", "-wal", "-shm")]
    for each in scratch:
        each.write_bytes(b"left over")

    told = desk.rebuild()

    assert (told.is_same, [each for each in scratch if each.exists()]) == (True, [])


def test_two_do_not_rebuild_at_once(desk: Desk) -> None:
    desk.say(TABS)
    refused = []

    def another(turn: TurnText) -> Extracted:
        with pytest.raises(StoreBusy, match="Another rebuild is under way"):
            desk.rebuild()
        refused.append(turn.turn)
        return explicit.extract(turn)

    desk.extract = another
    desk.rebuild()

    assert (desk.standing(), refused) == ([TABS], ["t-1"])


def test_decisions_that_find_nothing_any_more_are_told(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.told("pin", desk.only(TABS))
    desk.curate()
    desk.extract = lambda _turn: Extracted()

    told = desk.rebuild()

    assert [(each.decision.verb, each.origin) for each in told.missed] == [("pin", "owner")]


def test_a_decision_finds_its_memory_by_its_words_when_the_names_are_others(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.told("pin", desk.only(TABS))

    def otherwise(turn: TurnText) -> Extracted:
        found = explicit.extract(turn)
        cut = [replace(each, quote=each.quote[:-1]) for each in found.drafts]
        return Extracted(drafts=tuple(cut))

    desk.extract = otherwise
    told = desk.rebuild()

    assert (told.missed, desk.only(TABS).pinned) == ([], True)


def test_a_turn_that_always_fails_does_not_hold_a_rebuild_up(desk: Desk) -> None:
    def fail(turn: TurnText) -> Extracted:
        if turn.turn == "t-1":
            raise RuntimeError("no")
        return explicit.extract(turn)

    desk.say(TABS)
    desk.say(SPACES)
    desk.extract = fail

    desk.rebuild()

    assert (desk.standing(), desk.jobs()) == ([SPACES], {"dead": 1, "done": 1})


def test_a_correction_outlives_the_erased_words_that_it_corrected(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    known = {
        "kind": "fact",
        "importance": 4,
        "project": "prj-shop",
        "tags": ("shop",),
    }  # all its own
    desk.told("correct", desk.only(TABS), text=SPACES, **known)
    desk.told("forget", erased=("evt-1",))
    desk.curate()

    told = desk.rebuild()

    assert (told.is_same, desk.standing()) == (True, [SPACES])


def test_a_turn_that_failed_at_first_teaches_the_same_in_the_end(desk: Desk) -> None:
    def fail(turn: TurnText) -> Extracted:
        if turn.turn == "t-1":
            raise RuntimeError("no")
        return explicit.extract(turn)

    desk.extract = fail
    desk.say(TABS)
    desk.say(TABS)
    desk.curate()
    desk.told("correct", desk.only(TABS), text=SPACES)
    desk.curate()
    desk.extract = explicit.extract
    desk.clock.pass_(IDLE_NS)
    desk.curate()

    told = desk.rebuild()

    assert (told.is_same, desk.standing()) == (True, [SPACES])


CHANGES: list[Callable[[Desk], object]] = [
    lambda desk: desk.learn(9, "Another"),
    lambda desk: desk.store.memories.change(desk.only(TABS), pinned=True),
    lambda desk: desk.store.memories.change(desk.only(TABS), state="quarantined"),
    lambda desk: desk.store.memories.change(desk.only(TABS), state="forgotten"),
    lambda desk: desk.store.memories.change(desk.only(TABS), importance=1),
    lambda desk: desk.store.memories.change(desk.learn(9, "Gone"), state="superseded", pinned=True),
    lambda desk: desk.store.actions.put(_action(status="pending")),
    lambda desk: desk.store.actions.put_summary(
        Summary(session="s-1", project=None, request="Build", updated_at=NOON)
    ),
]


def _action(**changes: Any) -> Action:
    fields: dict[str, Any] = {
        "id": "act-1",
        "content": "Fix it",
        "session": "s-1",
        "event": "evt-1",
        "quote": "Fix it",
        "origin": "user",
        "created_at": NOON,
    }
    return Action(**(fields | changes))


@pytest.mark.parametrize("change", CHANGES)
def test_the_digest_sees_all_that_counts(change: Callable[[Desk], object], desk: Desk) -> None:
    desk.learn(1)
    before = desk.content()

    change(desk)

    assert desk.content() != before


def test_the_digest_does_not_see_what_is_lost_on_purpose(desk: Desk) -> None:
    memory = desk.learn(1)
    before = desk.content()

    desk.store.memories.use(memory.id, NOON)
    desk.store.memories.change(desk.learn(2, SPACES), state="superseded")
    desk.store.memories.change(desk.learn(3, "No indent"), state="forgotten")

    assert desk.content() == before


def test_the_digest_sees_an_action_that_was_closed(desk: Desk) -> None:
    desk.store.actions.put(_action())
    before = desk.content()

    desk.store.actions.put(_action(status="acted_on", closed_at=NOON))

    assert desk.content() != before


def test_what_the_files_of_a_workspace_ask_is_kept(desk: Desk) -> None:
    history(desk)
    desk.store.actions.put(_action(id="act-2", event="rule:workspace-stale", status="dismissed"))
    desk.store.actions.put(_action(id="act-3", event="rule:workspace-stale"))

    rebuilt = desk.rebuild()

    kept = {each.id: each.status for each in desk.store.actions.wanted()}
    assert (kept["act-2"], kept["act-3"], rebuilt.is_same) == ("dismissed", "pending", True)
