"""Selecting: what an answer selects waits until the files show it, and is what was learned last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.model.reply import Answer
from tacit.curate.model.selecting import is_seen, note, take, waiting
from unit.curate.model.scripted import answer

if TYPE_CHECKING:
    from unit.curate.model.scripted import ReadingDesk


def select(desk: ReadingDesk, *names: str) -> None:
    """Let a model read a turn, and select these for a file."""
    desk.say("The harbour ferry leaves at noon", session=f"s-{desk.clock()}")
    assert desk.read(answer(files={"user.md": list(names)}, kept=["d1"]))


def known(desk: ReadingDesk) -> str:
    """Return the one memory that later sessions are told of."""
    desk.say("The ferry of the harbour has a parrot", session="s-0")
    assert desk.read(answer(kept=["d1"]))
    return desk.only("The ferry of the harbour has a parrot").id


def test_what_is_selected_waits_until_it_is_taken(desk: ReadingDesk) -> None:
    name = known(desk)
    select(desk, "m1")

    before = waiting(desk.transcript, desk.store)
    take(desk.store, "user.md")

    assert (before, waiting(desk.transcript, desk.store)) == ({"user.md": (name,)}, {})


def test_a_memory_that_is_made_anew_has_the_files_made_anew(desk: ReadingDesk) -> None:
    name = known(desk)
    select(desk, "m1")
    take(desk.store, "user.md")

    desk.rebuild()

    assert waiting(desk.transcript, desk.store) == {"user.md": (name,)}


def test_the_last_selection_counts(desk: ReadingDesk) -> None:
    name = known(desk)
    select(desk, "m1")
    take(desk.store, "user.md")
    select(desk)
    empty = waiting(desk.transcript, desk.store)
    select(desk, "m1")

    assert (empty, waiting(desk.transcript, desk.store)) == (
        {"user.md": ()},
        {"user.md": (name,)},
    )


def test_a_selection_of_an_erased_answer_is_none(desk: ReadingDesk) -> None:
    known(desk)
    select(desk, "m1")

    desk.bury([each.id for each in desk.transcript.about_models(0) if each.kind == "model_reply"])

    assert waiting(desk.transcript, desk.store) == {}


def test_a_file_is_seen_as_long_as_it_is_as_it_was_shown(desk: ReadingDesk) -> None:
    before = is_seen(desk.store, "user.md", 7)
    note(desk.store, Answer(seen={"user.md": 7}), 1)

    assert (before, is_seen(desk.store, "user.md", 7)) == (False, True)
    assert (is_seen(desk.store, "user.md", 8), is_seen(desk.store, "tools.md", 7)) == (False, False)
