"""Caps: hard, over all sessions and groups; one session that has spent its share stops no other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model import calls
from tacit.curate.model.calls import Call
from tacit.errors import ModelBusy, ModelStrange
from tacit.llm.port import Usage
from unit.curate.model.scripted import Scripted, answer, capped
from unit.curate.saying import MINUTE_NS, NOON, SECOND_NS

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


def test_a_call_without_an_end_counts_as_what_was_reserved(desk: ReadingDesk) -> None:
    rules(desk, "s-1", "s-2")
    capped(desk, daily_usd=0.5, session_usd=0.5)

    def die(_request: Request) -> object:
        raise KeyboardInterrupt

    desk.model = Scripted(die, usd=0.3)
    with pytest.raises(KeyboardInterrupt):
        desk.ask()

    assert kinds(desk) == [calls.CALL]
    desk.model = Scripted(answer(), usd=0.3)
    assert not desk.ask()
    assert [each.usd for each in desk.spent()] == [0.3]


def priced(desk: ReadingDesk, *answers: object) -> None:
    """Let a token cost a thousandth of a dollar."""
    desk.model = Scripted(*answers)
    desk.model.price = lambda usage: (
        (usage.input_tokens + usage.written_tokens + usage.output_tokens) / 1000
    )


def test_no_cap_is_gone_over_though_an_answer_is_as_long_as_it_may_be(desk: ReadingDesk) -> None:
    rules(desk, *(f"s-{number}" for number in range(30)))
    capped(desk, daily_usd=30.0, session_usd=20.0)

    def at_length(request: Request) -> dict[str, Any]:
        sent = request.system + request.state + request.text
        desk.model.usage = Usage(
            input_tokens=len(sent.encode()) // 4, output_tokens=request.most_tokens
        )
        return answer()

    priced(desk, at_length)
    for _ in range(40):
        desk.ask()
        desk.clock.pass_(SECOND_NS)

    spent = sum(each.usd for each in desk.spent())
    assert 20.0 < spent <= 30.0


@pytest.mark.parametrize("text", ["\u7d04\u675f\u3092\u5b88\u308b\u3002" * 300, "ok " * 600])
def test_a_call_is_reserved_at_what_it_may_cost_in_any_script(desk: ReadingDesk, text: str) -> None:
    desk.talk(f"{RULE} {text}")
    desk.end()
    priced(desk, answer())
    capped(desk, daily_usd=1e6, session_usd=1e6)

    desk.ask()

    (request,) = desk.model.asked
    letters = sum(1 if ord(char) > 255 else 0.25 for char in request.text + request.system)
    assert desk.about(calls.CALL)[0]["usd"] * 1000 > letters + request.most_tokens


def test_a_session_that_has_spent_its_share_holds_no_other_up(desk: ReadingDesk) -> None:
    rules(desk, "s-1", "s-2", "s-3")
    desk.elsewhere = [Call(id="x", at=NOON, provider="p", model="m", session="s-1", usd=0.05)]

    read = [desk.ask() for _ in range(5)]

    assert read.count(True) == 2
    assert [call["session"] for call in desk.about(calls.CALL)] == ["s-2", "s-3"]
    assert tried(desk) == [("s-1", 0, False)]
    assert [told["cap"] for told in desk.about(calls.CAPPED)] == ["the session's 0.05 dollars"]


def test_what_a_session_spent_days_ago_counts(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    priced(desk, answer())
    desk.model.price = lambda _usage: 0.04
    desk.ask()
    desk.clock.pass_(2 * DAY_NS)
    rules(desk, "s-1")

    assert not desk.ask()


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        ({"daily_usd": 0.0}, "the day's 0.00 dollars"),
        ({"calls_per_hour": 0}, "0 calls an hour"),
    ],
)
def test_a_cap_is_told_once_a_day_and_then_nothing_is_looked_at_for_a_while(
    desk: ReadingDesk, caps: dict[str, float], told: str
) -> None:
    rules(desk, "s-1")
    capped(desk, **caps)

    for _ in range(400):
        desk.ask()
        desk.clock.pass_(MINUTE_NS)

    assert [each["cap"] for each in desk.about(calls.CAPPED)] in ([told], [told, told])
    assert (desk.model.asked, desk.patience.trouble) == (
        [],
        f"The budget is reached ({told}). The rules go on alone.",
    )
    (action,) = [each for each in desk.store.actions.wanted("pending") if told in each.content]
    assert "tacit cost" in action.content
    capped(desk, daily_usd=1.0, calls_per_hour=60)
    assert desk.read(answer())
    assert [each for each in desk.store.actions.wanted("pending") if "budget" in each.content] == []


def gated(desk: ReadingDesk, *answers: object, usd: float) -> None:
    """Let a cheap model judge, and a better one read."""
    desk.how = replace(desk.how, gate="model")
    desk.model = Scripted(*answers, usd=usd)


def test_no_judge_is_paid_if_the_better_model_cannot_be(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    capped(desk, session_usd=0.015)
    gated(desk, answer(), usd=0.01)

    assert desk.ask()

    (asked,) = desk.model.asked
    assert (asked.tier, asked.name) == ("small", "remember")


def test_no_judge_is_asked_by_the_last_call_of_an_hour(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    capped(desk, calls_per_hour=1)
    gated(desk, answer(), usd=0.01)

    assert desk.ask()

    assert [each.name for each in desk.model.asked] == ["remember"]


def test_a_judgement_is_paid_for_once_though_the_better_model_fails(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    busy = ModelBusy("No.", None)
    gated(desk, {"chunks": [{"id": "c1", "worth": True}]}, busy, busy, answer(), usd=0.001)

    for _ in range(3):
        desk.ask()
        desk.clock.pass_(MINUTE_NS)

    assert [each.name for each in desk.model.asked] == ["judge", *["remember"] * 3]
    assert len(desk.about(calls.REPLY)) == 1


def test_an_answer_may_be_as_long_as_can_be_paid(desk: ReadingDesk) -> None:
    rules(desk, "s-1", "s-2")
    priced(desk, answer())
    desk.model.price = lambda usage: usage.output_tokens / 1000
    capped(desk, daily_usd=3.9, session_usd=3.5)

    desk.model.usage = Usage(output_tokens=2000)
    read = [desk.ask(), desk.ask()]

    assert read == [True, True]
    first, second = (each.most_tokens for each in desk.model.asked)
    assert (first, 1800 < second < 1900) == (3000, True)


def test_a_model_without_a_price_says_so_where_a_cap_forbids_it(desk: ReadingDesk) -> None:
    rules(desk, "s-1")
    desk.model = Scripted(answer(), usd=0.25)
    desk.model.has_price = False

    assert not desk.ask()

    assert desk.model.asked == []
    assert desk.patience.trouble == (
        "The price of scripted-small is not known: it counts like the dearest model, for which "
        "there is no room (the session's 0.05 dollars). Write `usd_per_million = [read, written]` "
        "under [llm] in config.toml. The rules go on alone."
    )
