"""The terms: what is paid, also for what is thrown away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tacit.llm import form
from tacit.llm.form import Unusable
from tacit.llm.port import Usage
from tacit.llm.terms import Terms
from tacit.llm.told import Who
from tacit.net.trouble import Broken, Garbled, Late, Refused, TooLong, Trouble, Unreachable
from unit.llm.asking import REQUEST

TERMS = Terms(
    who=Who(name="It", key="", model="", place=""),
    models={"small": "claude-haiku-4-5", "large": "claude-sonnet-4-6"},
    usd_per_million=None,
    is_local=False,
    seconds=5,
)


def test_each_tier_has_the_price_of_its_model() -> None:
    used = Usage(input_tokens=1_000_000)

    assert (TERMS.usd("small", used), TERMS.usd("large", used)) == (1, 3)


@pytest.mark.parametrize(
    ("more", "is_priced"),
    [
        ({"models": {"small": "claude-haiku-4-5"}}, True),
        ({"models": {"small": "Qwen/Qwen3-8B"}}, False),
        ({"models": {"small": "Qwen/Qwen3-8B"}, "is_local": True}, True),
        ({"models": {"small": "Qwen/Qwen3-8B"}, "usd_per_million": (1, 2)}, True),
    ],
    ids=str,
)
def test_a_price_is_known_by_the_list_by_the_owner_or_by_the_place(
    more: dict[str, Any],
    is_priced: bool,  # noqa: FBT001  (a row)
) -> None:
    assert replace(TERMS, **more).is_priced("small") is is_priced


@pytest.mark.parametrize("trouble", [Late(), TooLong(), Garbled(), Broken("breaks off")])
def test_an_answer_that_was_not_read_whole_counts_as_long_as_it_could_be(trouble: Trouble) -> None:
    assert TERMS.failure(REQUEST, trouble).usd == TERMS.usd("small", form.at_most(REQUEST)) > 0


@pytest.mark.parametrize("trouble", [Refused(429), Unreachable("cannot be reached")])
def test_a_question_that_nobody_took_costs_nothing(trouble: Trouble) -> None:
    assert TERMS.failure(REQUEST, trouble).usd == 0


def test_an_answer_that_is_thrown_away_costs_what_it_did() -> None:
    unusable = Unusable("refuses to answer")
    unusable.usd = 0.25

    assert TERMS.failure(REQUEST, unusable).usd == 0.25
