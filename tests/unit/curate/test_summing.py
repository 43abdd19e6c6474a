"""Summing up: what was forgotten is told in no summary, wherever it was told before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate import explicit, rebuild
from tacit.curate.extract import Extracted, Extractor
from tacit.curate.rules.summary import summary_of
from tacit.curate.summing import tells
from tacit.curate.work import Curator
from tacit.model.action import Note
from unit.curate.saying import SPACES, TABS, TEA

if TYPE_CHECKING:
    from tacit.curate.extract import Context
    from tacit.curate.reading import TurnText
    from tacit.curate.rebuild import Rebuilt
    from tacit.curate.work import Tools
    from tacit.model.action import Summary
    from unit.curate.saying import Desk


def finds(turn: TurnText, _context: Context) -> Extracted:
    """Find what is asked outright; note the whole prompt as what was asked, and done."""
    said = " ".join(each.text for each in turn.prompts)
    note = Note(session=turn.session, turn=turn.turn, seq=turn.said[0].seq, at=turn.said[-1].at,
                asked=said, done=f"Did: {said}")  # fmt: skip
    return Extracted(drafts=explicit.extract(turn).drafts, note=note)


def tools(desk: Desk) -> Tools:
    return replace(
        desk.tools, extractor=Extractor(name="told-1", extract=finds, summarise=summary_of)
    )


def curate(desk: Desk) -> None:
    Curator(desk.transcript, desk.store, tools(desk)).work()


def rebuilt(desk: Desk) -> Rebuilt:
    return rebuild.rebuild(desk.transcript, desk.store, desk.engine, tools(desk))


def summary(desk: Desk, session: str = "s-1") -> Summary:
    (found,) = desk.store.actions.summaries(session)
    return found


def told(desk: Desk) -> str:
    """Return all that summaries say, and what they are found by."""
    found = desk.store.connection.rows("SELECT tokens FROM passages WHERE layer = 'summary'")
    return f"{desk.store.actions.summaries()} {list(found)}"


def decide(desk: Desk, verb: str, content: str, **changes: Any) -> None:
    desk.told(verb, desk.only(content), **changes)
    curate(desk)


def test_what_was_forgotten_is_told_in_no_summary(desk: Desk) -> None:
    desk.say("My doctor is Quigley")
    desk.say(TEA)
    curate(desk)
    before = told(desk)

    decide(desk, "forget", "My doctor is Quigley")

    assert ("Quigley" in before, "quigl" in told(desk).lower()) == (True, False)
    assert (summary(desk).learned, TEA in summary(desk).request) == (TEA, True)


def test_what_was_forgotten_is_told_in_no_summary_after_a_rebuild(desk: Desk) -> None:
    desk.say("My doctor is Quigley")
    curate(desk)
    decide(desk, "forget", "My doctor is Quigley")

    found = rebuilt(desk)

    assert (found.is_same, "quigl" in told(desk).lower()) == (True, False)


def test_what_two_sessions_said_is_told_in_the_summary_of_neither(desk: Desk) -> None:
    desk.say("My doctor is Quigley")
    desk.say("My doctor is Quigley", session="s-2")
    curate(desk)

    decide(desk, "forget", "My doctor is Quigley")

    assert "quigl" not in told(desk).lower()


def test_what_was_corrected_is_not_what_was_learned(desk: Desk) -> None:
    desk.say(TABS)
    curate(desk)

    decide(desk, "correct", TABS, text=SPACES)

    assert (summary(desk).learned, rebuilt(desk).is_same) == ("", True)


def test_what_holds_again_is_what_was_learned(desk: Desk) -> None:
    desk.say(TABS)
    curate(desk)
    decide(desk, "correct", TABS, text=SPACES, origin="owner", caller="s-9")

    desk.told("undo", session="s-9")
    curate(desk)

    assert (summary(desk).learned, rebuilt(desk).is_same) == (TABS, True)


def test_what_comes_late_of_a_session_that_was_taken_back_has_no_summary(desk: Desk) -> None:
    turn = desk.say(TABS)
    curate(desk)
    desk.told("undo", session="s-1")
    curate(desk)

    desk.append("tool_use", {"tool_input": {}}, turn=turn, at=desk.clock.now_ns - 10**12)
    desk.reply(turn, at=desk.clock.now_ns - 10**12)
    curate(desk)

    assert (desk.store.actions.summaries(), rebuilt(desk).is_same) == ([], True)


def test_a_summary_that_is_made_anew_stays_final_and_in_its_project(desk: Desk) -> None:
    desk.say(TABS)
    desk.append("end")
    curate(desk)

    decide(desk, "forget", TABS)

    assert (summary(desk).is_final, summary(desk).project) == (True, "prj-shop")


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Remember that my doctor is Quigley, then go on", True),
        ("Quigley: that is the doctor", True),
        ("Which doctor is open today?", False),
        ("", False),
    ],
)
def test_a_text_tells_a_statement_if_it_has_all_its_words(text: str, *, is_told: bool) -> None:
    assert tells(text, ["My doctor is Quigley", "of the"]) is is_told
