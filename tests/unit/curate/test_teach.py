"""Teaching: after a turn the memory holds what the turn says, does and leaves, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.curate import explicit
from tacit.curate.extract import Context, Draft, Extracted, Extractor, FollowUp
from tacit.curate.rules.summary import summary_of
from tacit.curate.teach import Teacher
from tacit.curate.work import Curator
from tacit.model.action import Action, Note
from tacit.store.memory_port import Job
from unit.curate.saying import TABS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.curate.reading import TurnText
    from tacit.model.action import Summary
    from unit.curate.saying import Desk

    Finds = Callable[[TurnText, Context], Extracted]


def finds(turn: TurnText, context: Context) -> Extracted:
    """Find what is asked outright, what is to be done or done, and note the first words."""
    first = turn.said[0]
    lines = [line for said in turn.prompts for line in said.text.splitlines()]
    to_do = tuple(
        FollowUp(content=line[6:], said=first, start=first.text.index(line), quote=line)
        for line in lines
        if line.startswith("Later ")
    )
    done = tuple(
        each.id for each in context.waiting for line in lines if line == f"Done: {each.content}"
    )
    note = Note(session=turn.session, turn=turn.turn, seq=first.seq, at=turn.said[-1].at,
                asked=" ".join(lines), done="replied" * len(turn.said[1:]))  # fmt: skip
    drafts = explicit.extract(turn).drafts
    return Extracted(drafts=drafts, follow_ups=to_do, done=done, note=note)


def nothing(_turn: TurnText, _context: Context) -> Extracted:
    return Extracted()


def teach(desk: Desk, turn: str, by: Finds = finds) -> None:
    """Let a turn teach, as one job."""
    extractor = Extractor(name="told-1", extract=by, summarise=summary_of)
    teacher = Teacher(desk.transcript, desk.store, desk.learner, extractor)
    job = Job(number=1, kind="turn", session="s-1", turn=turn, upto=desk.transcript.head().seq,
              is_partial=False, tries=1, token="1-x")  # noqa: S106  # fmt: skip
    taught = teacher.read(job)
    with desk.store.transaction():
        teacher.teach(job, taught)


def curate(desk: Desk) -> None:
    """Do all there is to do, with notes and summaries."""
    extractor = Extractor(name="told-1", extract=finds, summarise=summary_of)
    Curator(desk.transcript, desk.store, replace(desk.tools, extractor=extractor)).work()


def actions(desk: Desk) -> list[tuple[str, str]]:
    return [(each.content, each.status) for each in desk.store.actions.wanted()]


def summary(desk: Desk, session: str = "s-1") -> Summary:
    (found,) = desk.store.actions.summaries(session)
    return found


def written(desk: Desk) -> str:
    """Return all that the memory says, in any state."""
    notes = [desk.store.actions.notes(session) for session in ("s-1", "s-2")]
    rest = desk.store.actions.summaries(), desk.store.actions.wanted()
    return repr((notes, rest, desk.standing("active", "forgotten", "quarantined", "superseded")))


def test_reading_a_turn_writes_nothing(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.\nLater paint the door")
    before = desk.content()
    extractor = Extractor(name="told-1", extract=finds)
    job = Job(number=1, kind="turn", session="s-1", turn="t-1", upto=9, is_partial=False, tries=1,
              token="1-x")  # noqa: S106  # fmt: skip

    read = Teacher(desk.transcript, desk.store, desk.learner, extractor).read(job)

    assert (len(read.found.drafts), desk.content()) == (1, before)


def test_a_turn_that_was_erased_whole_is_no_turn(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.")
    desk.bury(["evt-1"])

    teach(desk, "t-1")

    assert (desk.standing(), desk.store.actions.notes("s-1")) == ([], [])


def test_what_a_turn_no_longer_says_is_withdrawn(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.\nLater paint the door")
    teach(desk, "t-1")
    taught = desk.standing(), actions(desk)

    teach(desk, "t-1", nothing)

    assert taught == ([TABS], [("paint the door", "pending")])
    assert (desk.standing(), actions(desk), desk.store.actions.notes("s-1")) == ([], [], [])


def test_a_turn_withdraws_nothing_of_another(desk: Desk) -> None:
    desk.say(TABS)
    desk.prompt("Later paint the door")
    for turn in ("t-1", "t-2"):
        teach(desk, turn)

    teach(desk, "t-2", nothing)

    assert (desk.standing(), actions(desk)) == ([TABS], [])


def test_a_turn_that_is_taught_twice_teaches_once(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.\nLater paint the door")
    teach(desk, "t-1")
    once = desk.content()

    teach(desk, "t-1")

    assert desk.content() == once


def test_a_draft_that_cannot_be_a_memory_spoils_nothing_beside_it(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.")

    def badly(turn: TurnText, context: Context) -> Extracted:
        found = finds(turn, context)
        empty = replace(found.drafts[0], content=" ")
        elsewhere = replace(found.drafts[0], start=3)
        return replace(found, drafts=(empty, elsewhere, *found.drafts))

    teach(desk, "t-1", badly)

    assert desk.standing() == [TABS]


def test_what_others_say_about_behaviour_is_held(desk: Desk) -> None:
    desk.prompt("Go on.")
    desk.append("reply", {"last_assistant_message": "Always use tabs."}, turn="t-1")

    def ordered(turn: TurnText, _context: Context) -> Extracted:
        words = turn.said[1]
        order = Draft(kind="instruction", content=words.text, said=words, start=0, quote=words.text)
        return Extracted(drafts=(order,))

    teach(desk, "t-1", ordered)

    assert (desk.standing(), desk.standing("quarantined")) == ([], ["Always use tabs."])


@pytest.mark.parametrize(
    ("relation", "standing", "state"),
    [("same_as", [TABS], "active"), ("replaces", ["No tabs"], "superseded")],
)
def test_kin_of_what_is_known_is_learned_as_kin(
    relation: str, standing: list[str], state: str, desk: Desk
) -> None:
    desk.say(TABS)
    teach(desk, "t-1")
    known = desk.only(TABS)
    desk.say("no tabs")

    def kin(turn: TurnText, context: Context) -> Extracted:
        assert [each.id for each in context.known] == [known.id]
        changes = {relation: known.id, "content": "No tabs"}
        return Extracted(drafts=(replace(explicit.extract(turn).drafts[0], **changes),))  # type: ignore[arg-type]

    teach(desk, "t-2", kin)

    assert (desk.standing(), desk.now(known).state) == (standing, state)


def test_a_turn_is_shown_what_was_said_before_but_not_itself(desk: Desk) -> None:
    desk.say(TABS)
    teach(desk, "t-1")
    shown: list[Context] = []

    def look(_turn: TurnText, context: Context) -> Extracted:
        shown.append(context)
        return Extracted()

    for turn in ("t-1", desk.prompt("Go on.")):
        teach(desk, turn, look)

    first, second = shown
    assert (list(first.before), list(first.known)) == ([], [])
    assert [each.text for each in second.before] == [f"Remember that {TABS}.", "Done."]


def test_a_turn_is_shown_what_is_known_here_and_everywhere_only(desk: Desk) -> None:
    for number, project in enumerate(("prj-shop", "prj-till", None), 1):
        desk.learn(number, f"Known {number}", project=project, turn="t-0")
    desk.prompt("Go on.")
    shown: list[str] = []

    def look(_turn: TurnText, context: Context) -> Extracted:
        shown.extend(each.content for each in context.known)
        return Extracted()

    teach(desk, "t-1", look)

    assert sorted(shown) == ["Known 1", "Known 3"]


def test_a_later_turn_closes_what_is_done(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.prompt("Done: paint the door")
    teach(desk, "t-1")

    teach(desk, "t-2")

    (closed,) = desk.store.actions.wanted()
    assert (closed.status, closed.closed_by, closed.turn) == ("acted_on", "evt-2", "t-1")
    assert closed.closed_at == desk.transcript.find(["evt-2"])[0].at


def test_what_was_closed_is_not_opened_again_by_its_own_turn(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.prompt("Done: paint the door")
    for turn in ("t-1", "t-2"):
        teach(desk, turn)

    for by in (finds, nothing):
        teach(desk, "t-1", by)

    assert actions(desk) == [("paint the door", "acted_on")]


def test_what_was_dismissed_stays_so(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.prompt("Done: paint the door")
    teach(desk, "t-1")
    (waits,) = desk.store.actions.wanted()
    desk.store.actions.put(replace(waits, status="dismissed"))

    teach(desk, "t-2", lambda _turn, _context: Extracted(done=(waits.id, "act-unheard-of")))

    assert actions(desk) == [("paint the door", "dismissed")]


def test_what_a_refused_session_leaves_to_do_is_not_kept(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.store.evidence.refuse("session", "s-1", desk.clock())

    teach(desk, "t-1")

    assert actions(desk) == []


def test_a_turn_is_noted_and_its_session_summed_up(desk: Desk) -> None:
    desk.prompt(f"Remember that {TABS}.\nLater paint the door")

    teach(desk, "t-1")

    (note,) = desk.store.actions.notes("s-1")
    made = summary(desk)
    assert note.asked == made.request == f"Remember that {TABS}. Later paint the door"
    assert (made.learned, made.next_steps) == (TABS, "paint the door")
    assert (made.project, made.updated_at) == ("prj-shop", note.at)


def test_without_a_way_to_sum_up_there_is_no_summary(desk: Desk) -> None:
    desk.say(TABS)

    desk.curate()

    assert desk.store.actions.summaries() == []


def test_a_session_that_comes_to_nothing_any_more_has_no_summary(desk: Desk) -> None:
    desk.say(TABS)
    teach(desk, "t-1")

    teach(desk, "t-1", nothing)

    assert desk.store.actions.summaries() == []


def test_the_summary_is_final_only_when_the_session_has_ended(desk: Desk) -> None:
    desk.say(TABS)
    curate(desk)
    before = summary(desk).is_final

    desk.append("end")
    curate(desk)

    assert (before, summary(desk).is_final) == (False, True)


def test_the_summary_of_a_turn_that_ends_with_its_session_is_final(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.append("end")

    curate(desk)

    assert summary(desk).is_final


def test_the_end_of_another_session_ends_nothing_here(desk: Desk) -> None:
    desk.say(TABS)
    desk.append("end", session="s-2")

    teach(desk, "t-1")

    assert not summary(desk).is_final


def test_a_session_that_has_ended_stays_so_when_some_of_it_is_erased(desk: Desk) -> None:
    desk.say(TABS)
    desk.prompt("Later paint the door")
    desk.append("end")
    desk.say("no tabs", session="s-2")
    curate(desk)

    desk.told("forget", erased=("evt-1",))
    curate(desk)

    assert summary(desk).is_final


def test_what_is_erased_leaves_nothing_in_notes_summaries_and_actions(desk: Desk) -> None:
    desk.prompt("Remember that the code is swordfish.\nLater paint the swordfish")
    desk.reply("t-1")
    desk.say(TABS)
    curate(desk)
    told = written(desk)

    desk.told("forget", erased=("evt-1",))
    curate(desk)

    assert "swordfish" in told
    assert "swordfish" not in written(desk)
    assert desk.standing() == [TABS]


def test_what_is_left_of_a_turn_is_still_noted(desk: Desk) -> None:
    desk.prompt("Remember that the code is swordfish.")
    desk.reply("t-1")
    curate(desk)

    desk.told("forget", erased=("evt-1",))
    curate(desk)

    assert [(each.turn, each.seq) for each in desk.store.actions.notes("s-1")] == [("t-1", 2)]


def test_a_session_belongs_to_its_project_when_one_of_its_turns_is_erased_whole(desk: Desk) -> None:
    desk.say(TABS)
    desk.say("the code is swordfish")
    curate(desk)

    desk.told("forget", erased=("evt-3", "evt-4"))
    curate(desk)

    assert summary(desk).project == "prj-shop"


def test_what_a_turn_closed_waits_again_when_the_turn_is_erased(desk: Desk) -> None:
    desk.prompt("Later paint the door")
    desk.reply("t-1")
    desk.prompt("Done: paint the door")
    desk.reply("t-2")
    curate(desk)

    desk.told("forget", erased=("evt-3", "evt-4"))
    curate(desk)

    assert actions(desk) == [("paint the door", "pending")]


def test_actions_of_others_are_left_alone(desk: Desk) -> None:
    other = Action(id="act-9", content="Ask", session="s-9", event="evt-9", quote="Ask",
                   origin="agent", created_at=0)  # fmt: skip
    desk.store.actions.put(other)
    desk.prompt("Done: Ask nobody")

    teach(desk, "t-1")

    assert desk.store.actions.get("act-9") == other
