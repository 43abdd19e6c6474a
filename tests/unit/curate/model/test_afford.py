"""What a call may cost: an estimate that errs upwards, an answer that the budget has room for."""

from __future__ import annotations

import pytest

from tacit.curate.model.afford import fitted, shortest
from tacit.llm.form import at_most
from tacit.llm.port import Request, Usage
from tacit.llm.prices import usd

REQUEST = Request(system="s" * 3200, state="k" * 640, text="t" * 6400, most_tokens=3000)


def price(usage: Usage) -> float:
    return usd("claude-sonnet-4-6", usage)


@pytest.mark.parametrize(("turns", "least"), [(1, 440), (25, 1400), (200, 1500)])
def test_the_more_turns_the_longer_an_answer_is_at_least(turns: int, least: int) -> None:
    assert shortest(REQUEST, turns).most_tokens == least


def test_what_can_be_paid_is_asked_as_it_is() -> None:
    assert fitted(REQUEST, 25, 1.0, price) is REQUEST


@pytest.mark.parametrize("cents", [3.5, 4, 4.5, 5])
def test_an_answer_is_as_long_as_can_be_paid_and_hardly_shorter(cents: float) -> None:
    found = fitted(REQUEST, 25, cents / 100, price)

    assert 1400 <= found.most_tokens < 3000
    assert cents / 100 - 0.0001 < price(at_most(found)) <= cents / 100


@pytest.mark.parametrize("left", [-1.0, 0.0, 0.02])
def test_an_answer_that_would_break_off_is_not_made_to_fit(left: float) -> None:
    assert fitted(REQUEST, 25, left, price) == shortest(REQUEST, 25)


def test_what_costs_nothing_is_never_shortened() -> None:
    assert fitted(REQUEST, 25, 0.0, lambda _usage: 0.0) is REQUEST
