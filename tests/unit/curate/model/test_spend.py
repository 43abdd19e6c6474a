"""Spending: a call counts as reserved until it is settled; what could go over a cap is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model import calls, spend
from tacit.curate.model.calls import Call
from tacit.curate.model.spend import DAY_NS, HOUR_NS, Caps
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from tacit.model.event import Record
    from unit.curate.model.scripted import ReadingDesk

CAPS = Caps(daily_usd=1.0, session_usd=0.5, calls_per_hour=3)
MIDNIGHT = spend.day_start(NOON)


def call(at: int = NOON, usd: float = 0.1, session: str = "s-1", **more: Any) -> Call:
    return Call(
        id=f"evt-{at}-{usd}-{session}", at=at, provider="p", model="m", session=session, usd=usd,
        **more,
    )  # fmt: skip


def written(desk: ReadingDesk, kind: str, **body: Any) -> Record:
    return desk.transcript.append([desk.event_of(kind, body)])[0]


def test_a_call_costs_what_was_reserved_until_it_is_settled(desk: ReadingDesk) -> None:
    made = written(desk, calls.CALL, provider="p", model="m", session="s-1", usd=0.5)
    open_ = spend.calls(desk.transcript.about_models(0))
    written(desk, calls.SETTLED, call=made.id, usd=0.2, input_tokens=7, output_tokens=3)

    (settled,) = spend.calls(desk.transcript.about_models(0))

    assert [each.usd for each in open_] == [0.5]
    assert (settled.usd, settled.input_tokens, settled.output_tokens) == (0.2, 7, 3)


def test_what_settles_no_call_of_ours_counts_for_nothing(desk: ReadingDesk) -> None:
    written(desk, calls.SETTLED, call="evt-unknown", usd=5)
    written(desk, calls.CALL, usd="much", provider=1)
    written(desk, calls.CALL, usd=-3)

    assert [each.usd for each in spend.calls(desk.transcript.about_models(0))] == [0.0, 0.0]


def test_a_day_begins_at_midnight_of_the_world() -> None:
    assert (MIDNIGHT % DAY_NS, 0 <= NOON - MIDNIGHT < DAY_NS) == (0, True)
    assert spend.since(NOON) <= MIDNIGHT - 7 * DAY_NS


@pytest.mark.parametrize(
    ("made", "usd", "cap"),
    [
        ([], 1.0, None),
        ([], 1.01, "the day's 1.00 dollars"),
        ([call(usd=0.9)], 0.1, None),
        ([call(usd=0.9)], 0.11, "the day's 1.00 dollars"),
        ([call(MIDNIGHT, usd=0.9)], 0.11, "the day's 1.00 dollars"),
        ([call(MIDNIGHT - 1, usd=0.9)], 0.11, None),
        ([call(session="s-2", usd=0.9)], 0.11, "the day's 1.00 dollars"),
        ([call(usd=0)] * 2, 0, None),
        ([call(usd=0)] * 3, 0, "3 calls an hour"),
        ([call(NOON - HOUR_NS, usd=0)] * 3, 0, None),
        ([call(NOON - HOUR_NS + 1, usd=0)] * 3, 0, "3 calls an hour"),
    ],
)
def test_each_cap_is_hard(made: list[Call], usd: float, cap: str | None) -> None:
    assert spend.over(made, usd, CAPS, NOON) == cap


@pytest.mark.parametrize(
    ("made", "usd", "is_over"),
    [
        ([call(usd=0.4)], 0.1, False),
        ([call(usd=0.4)], 0.11, True),
        ([call(session="s-2", usd=0.4)], 0.11, False),
        ([call(NOON - 20 * DAY_NS, usd=0.4)], 0.11, True),  # of however many days
    ],
)
def test_a_session_has_a_cap_of_its_own(made: list[Call], usd: float, is_over: bool) -> None:  # noqa: FBT001
    assert (spend.over_session(made, "s-1", usd, CAPS) is not None) == is_over


def test_what_was_spent_is_told_by_day_and_by_model() -> None:
    dear = Call(id="dear", at=NOON, provider="p", model="large", session="s", usd=0.5)
    made = [
        call(NOON - DAY_NS, input_tokens=5),
        call(usd=0.2),
        call(usd=0.3, output_tokens=7),
        dear,
    ]

    days, models = spend.by_day(made), spend.by_model(made)

    assert [(each.calls, each.usd) for each in days] == [(3, 1.0), (1, 0.1)]
    assert days[0].name > days[1].name
    assert [(each.name, each.calls, each.usd) for each in models] == [
        ("p m", 3, 0.6),
        ("p large", 1, 0.5),
    ]
    assert (models[0].input_tokens, models[0].output_tokens) == (5, 7)


def test_what_each_session_has_cost_is_summed_the_dearest_first() -> None:
    made = [call(NOON, 0.1), call(NOON, 0.2, "s-2"), call(NOON, 0.15), call(NOON, 0.01, "")]

    found = [(each.name, each.calls, each.usd) for each in spend.by_session(made)]

    assert found == [("s-1", 2, 0.25), ("s-2", 1, 0.2), ("", 1, 0.01)]


@pytest.mark.parametrize(
    ("counted", "told"),
    [
        ([1000], None),
        ([1500], None),
        ([500], None),
        ([1501], (1000, 1501)),
        ([499], (1000, 499)),
        ([1900, 1000], None),
        ([1900, 1200], (2000, 3100)),
        ([], None),
        ([0], None),
    ],
    ids=str,
)
def test_estimates_that_are_far_from_what_was_counted_are_told(
    counted: list[int], told: tuple[int, int] | None
) -> None:
    made = [call(input_tokens=each, expected_tokens=1000) for each in counted]

    assert spend.misjudged(made) == told


def test_what_was_expected_stands_in_the_call_and_what_was_counted_in_its_settlement(
    desk: ReadingDesk,
) -> None:
    made = written(desk, calls.CALL, usd=0.5, input_tokens=900)
    written(desk, calls.SETTLED, call=made.id, usd=0.2, input_tokens=700, output_tokens=3)

    (found,) = spend.calls(desk.transcript.about_models(0))

    assert (found.expected_tokens, found.input_tokens) == (900, 700)
