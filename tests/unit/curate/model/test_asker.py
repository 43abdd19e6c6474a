"""The asker: reserved before, settled after, asked once; whatever fails, nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model import calls
from tacit.curate.model.batch import MAX_TRIES
from tacit.curate.model.patience import Patience
from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from unit.curate.model.scripted import Scripted, answer, item
from unit.curate.saying import MINUTE_NS, SECOND_NS

if TYPE_CHECKING:
    from tacit.llm.port import Request
    from unit.curate.model.scripted import ReadingDesk

RULE = "From now on, invoices go out on the first Tuesday of the month."
HOUR_NS, DAY_NS = 60 * MINUTE_NS, 24 * 60 * MINUTE_NS
STRANGE = ModelStrange("The model answers with nothing. It is asked again later.")


def rules(desk: ReadingDesk, *sessions: str) -> None:
    """Let each of these sessions have one turn worth reading, and end."""
    for session in sessions:
        desk.talk(f"{RULE} So it is in {session}.", session=session)
        desk.end(session)
    desk.curate()


def tried(desk: ReadingDesk) -> list[tuple[str, int, bool]]:
    return [(each.session, each.tries, each.is_dead) for each in desk.store.unasked.listed()]


def kinds(desk: ReadingDesk) -> list[str]:
    found = [each.kind for each in desk.transcript.about_models(0)]
    return [kind for kind in found if kind != calls.CHOSEN]


def test_a_call_is_written_down_before_it_is_made_and_settled_with_its_answer(
    desk: ReadingDesk,
) -> None:
    seen: list[list[str]] = []
    rules(desk, "s-1")

    def look(_request: Request) -> dict[str, Any]:
        seen.append(kinds(desk))
        return answer(item("instruction", "Invoices go out on Tuesday", "go out on the first"))

    assert desk.read(look)

    assert seen == [[calls.CALL]]
    assert kinds(desk) == [calls.CALL, calls.SETTLED, calls.REPLY]
    ((call,), (settled,), (reply,)) = map(desk.about, (calls.CALL, calls.SETTLED, calls.REPLY))
    assert (call["provider"], call["model"], call["session"]) == (
        "scripted",
        "scripted-small",
        "s-1",
    )
    assert (settled["input_tokens"], settled["output_tokens"]) == (1000, 100)
    assert reply["turns"] == call["turns"]
    assert desk.standing() == ["Invoices go out on Tuesday"]


def test_an_empty_answer_is_an_answer(desk: ReadingDesk) -> None:
    rules(desk, "s-1")

    assert desk.read(answer())
    desk.clock.pass_(DAY_NS)

    assert not desk.ask()
    assert (len(desk.model.asked), tried(desk)) == (1, [])


def test_what_is_not_worth_reading_is_not_asked_about(desk: ReadingDesk) -> None:
    desk.talk("thanks!")
    desk.end()

    assert desk.ask()
    assert (desk.model.asked, kinds(desk), tried(desk)) == ([], [], [])


@pytest.mark.parametrize("told", ["x", "[redacted]"])
def test_what_is_sent_and_what_is_answered_is_cleaned(desk: ReadingDesk, told: str) -> None:
    rules(desk, "s-1")
    desk.redact = lambda text: text.replace("Tuesday", told)

    desk.read(answer(item("instruction", "Invoices go out on the first Tuesday", "the first")))

    assert "Tuesday" not in desk.model.asked[0].text + desk.model.asked[0].state
    assert "Tuesday" not in str(desk.about(calls.REPLY))
    assert desk.standing() == [f"Invoices go out on the first {told}"]


def test_an_answer_about_what_was_erased_meanwhile_is_not_written_down(desk: ReadingDesk) -> None:
    rules(desk, "s-1")

    def erase(_request: Request) -> dict[str, Any]:
        desk.bury([each.id for each in desk.transcript.of_session("s-1", "t-1")])
        return answer(item("instruction", RULE, RULE))

    desk.read(erase)

    assert kinds(desk) == [calls.CALL, calls.SETTLED]
    assert desk.about(calls.SETTLED)[0]["reply"] == ""
    assert desk.read(answer())
    assert tried(desk) == []


def test_an_answer_that_was_not_learned_yet_is_not_asked_for_again(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    waiting = desk.store.unasked.listed()
    desk.asker().ask()
    for each in waiting:  # whoever asked was killed right after the answer was written down
        desk.store.unasked.put(each)

    assert not desk.asker().ask()
    desk.curate()
    assert not desk.asker().ask()
    assert len(desk.model.asked) == 1


def test_a_batch_that_failed_is_asked_for_five_times_later_each_time(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    desk.model = Scripted(STRANGE)
    waits: list[int] = []

    while any(not dead for _, _, dead in tried(desk)):
        before = desk.clock()
        while not desk.model.asked[len(waits) :]:
            desk.ask()
            desk.clock.pass_(SECOND_NS)
        waits.append(desk.clock() - before)

    assert tried(desk) == [("s-1", MAX_TRIES, True)]
    assert len(desk.model.asked) == MAX_TRIES
    assert all(2 * first < then for first, then in pairwise(waits[1:]))
    assert sum(waits) > 20 * 60 * SECOND_NS  # a server that is down for a while takes nothing
    assert desk.store.unasked.listed()[0].reason == str(STRANGE)


def test_what_was_given_up_is_read_when_it_is_tried_again(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    desk.model = Scripted(STRANGE)
    for _ in range(MAX_TRIES):
        desk.ask()
        desk.clock.pass_(HOUR_NS)
    assert not desk.read(answer())

    tries = desk.store.unasked.retry(desk.clock())

    assert (tries, desk.read(answer()), tried(desk)) == (1, True, [])


@pytest.mark.parametrize(
    "error",
    [ModelKeyRefused("No."), ModelUnknown("No."), ModelUnreachable("No."), ModelBusy("No.", 30.0)],
    ids=lambda error: type(error).__name__,
)
def test_a_server_in_trouble_uses_no_tries_and_holds_all_up(
    desk: ReadingDesk, error: ModelUnavailable
) -> None:
    rules(desk, "s-1", "s-2")
    desk.model = Scripted(error)

    for _ in range(3):
        desk.ask()

    assert len(desk.model.asked) == 1
    assert tried(desk) == [("s-1", 0, False), ("s-2", 0, False)]
    assert desk.patience.trouble == "No."
    desk.clock.pass_(DAY_NS)
    assert [desk.read(answer()), desk.read(answer())] == [True, True]
    assert desk.patience == Patience()


def test_a_clock_that_was_wrong_holds_nothing_up_for_ever(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    right = desk.clock()
    desk.clock.now_ns = right + 365 * DAY_NS
    desk.read(STRANGE)
    desk.clock.now_ns = right + SECOND_NS

    assert desk.read(answer())


def test_one_that_cannot_be_read_holds_no_other_up(desk: ReadingDesk) -> None:
    sessions = [f"s-{number}" for number in range(1, 6)]
    rules(desk, *sessions)

    def poisoned(request: Request) -> object:
        return STRANGE if "in s-3." in request.text else answer()

    desk.model = Scripted(poisoned)
    for _ in range(300):
        desk.ask()
        desk.clock.pass_(MINUTE_NS)

    assert tried(desk) == [("s-3", MAX_TRIES, True)]
    assert len(desk.about(calls.REPLY)) == 4
    assert len(desk.model.asked) == 4 + MAX_TRIES


def test_a_batch_that_brings_the_server_down_holds_no_other_up(desk: ReadingDesk) -> None:
    rules(desk, *(f"s-{number}" for number in range(1, 6)))

    def falling(request: Request) -> object:
        is_bad = "in s-1." in request.text or "in s-2." in request.text
        return ModelBusy("No.", None) if is_bad else answer()

    desk.model = Scripted(falling)
    for _ in range(60):
        desk.ask()
        desk.clock.pass_(MINUTE_NS)

    assert tried(desk) == [("s-1", 0, False), ("s-2", 0, False)]
    assert len(desk.about(calls.REPLY)) == 3


@pytest.mark.parametrize("most", [1, 3, 25, 31, 32, 60, 200])
def test_of_a_batch_only_the_turn_that_cannot_be_read_is_given_up(
    desk: ReadingDesk, most: int
) -> None:
    desk.how = replace(desk.how, batch_turns=most)
    for number in range(max(25, most)):
        desk.talk(f"From now on, invoice {number} goes out on the first Tuesday of the month.")
    desk.end()

    def poisoned(request: Request) -> object:
        return STRANGE if "invoice 17 " in request.text.partition("## The turns")[2] else answer()

    desk.model = Scripted(poisoned)
    for _ in range(300):
        desk.ask()
        desk.clock.pass_(MINUTE_NS)

    (left,) = desk.store.unasked.listed()
    assert (left.turn, left.is_dead, left.tries) == ("t-18", True, MAX_TRIES)


def test_what_failed_costs_what_it_has_cost(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    error = ModelStrange("Nothing.")
    error.usd = 0.02

    desk.read(error)

    assert [each.usd for each in desk.spent()] == [0.02]


def test_an_answer_of_another_shape_is_paid_for(desk: ReadingDesk) -> None:
    rules(desk, "s-1")

    desk.read("I would rather not.")

    assert [(each.usd, each.input_tokens) for each in desk.spent()] == [(0.001, 1000)]
    assert tried(desk) == [("s-1", 1, False)]


def test_what_waits_too_long_keeps_what_the_rules_found(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, max_age_days=3)
    rules(desk, "s-1")
    desk.say("x is y", session="s-2")
    desk.clock.pass_(4 * DAY_NS)

    assert not desk.ask()
    assert (desk.model.asked, tried(desk), desk.standing()) == ([], [], ["X is y"])


def judged(*empty: str) -> dict[str, Any]:
    return {"chunks": [{"id": name, "worth": False, "reason": "small talk"} for name in empty]}


def test_with_a_model_for_a_gate_the_better_one_reads_what_is_worth_it(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="model")
    desk.talk(RULE)
    desk.talk(RULE.replace("invoices", "orchids"))
    desk.end()

    assert desk.read(judged("c1"), answer())

    gate, extract = desk.model.asked
    assert (gate.tier, extract.tier) == ("small", "large")
    assert ("invoices" in extract.text.partition("## The turns")[2], tried(desk)) == (False, [])
    assert kinds(desk) == [calls.CALL, calls.SETTLED, calls.CALL, calls.SETTLED, calls.REPLY]


def test_a_gate_that_finds_nothing_worth_it_ends_the_matter(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="model")
    rules(desk, "s-1")

    assert desk.read(judged("c1"))
    assert (len(desk.model.asked), tried(desk)) == (1, [])


def test_what_the_rules_have_found_passes_every_gate(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="model")
    desk.say("x is y")

    assert desk.read(judged("c1"), answer(kept=["d1"]))
    assert (len(desk.model.asked), desk.standing()) == (2, ["X is y"])
