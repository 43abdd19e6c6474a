"""Prices: the list, its dated versions, and what is not on it."""

from __future__ import annotations

import pytest

from tacit.llm.port import Usage
from tacit.llm.prices import PRICES, USUAL, is_known, usd

MILLION = 1_000_000
READ = Usage(input_tokens=MILLION)
EACH = Usage(
    input_tokens=MILLION, output_tokens=MILLION, cached_tokens=MILLION, written_tokens=MILLION
)


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("claude-haiku-4-5", 1 + 5 + 0.1 + 1.25),
        ("claude-haiku-4-5-20251001", 1 + 5 + 0.1 + 1.25),
        ("claude-sonnet-4-5", 3 + 15 + 0.3 + 3.75),
        ("claude-sonnet-4-6", 3 + 15 + 0.3 + 3.75),
        ("anthropic/claude-sonnet-4-6", 3 + 15 + 0.3 + 3.75),
        ("gpt-4.1-mini", 0.4 + 1.6 + 0.1 + 0.4),
        ("gpt-4.1-mini-2025-04-14", 0.4 + 1.6 + 0.1 + 0.4),
    ],
)
def test_each_kind_of_token_has_its_price(model: str, dollars: float) -> None:
    assert usd(model, EACH) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        ("anthropic/claude-haiku-4.5", "claude-haiku-4-5"),
        ("openrouter/anthropic/claude-sonnet-4.6", "claude-sonnet-4-6"),
        ("anthropic/claude-3.5-haiku:beta", "claude-3-5-haiku"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"),
        ("anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-3-7-sonnet-latest", "claude-3-7-sonnet"),
        ("openai/gpt-4.1-mini", "gpt-4.1-mini"),
        ("haiku", "claude-haiku-4-5"),
        ("sonnet", "claude-sonnet-4-6"),
        ("sonnet[1m]", "claude-sonnet-4-6"),
        ("opus", "claude-opus-4-1"),
    ],
)
def test_a_model_has_its_price_whoever_sells_it_under_whatever_name(
    model: str, listed: str
) -> None:
    assert is_known(model)
    assert usd(model, EACH) == usd(listed, EACH)


@pytest.mark.parametrize("model", ["some-model", "Qwen/Qwen3-8B", "claude-haiku-4-5-pro", "haikus"])
def test_it_is_said_of_what_stands_on_no_list(model: str) -> None:
    assert not is_known(model)


@pytest.mark.parametrize(
    "model", ["some-model", "claude-haiku-4-5-pro", "gpt-4.1-max", "claude-haiku", "", "gpt-4.1/x"]
)
def test_a_model_that_nobody_knows_is_as_dear_as_the_dearest(model: str) -> None:
    dearest = max(usd(known, EACH) for known in PRICES)

    assert usd(model, EACH) == dearest


def test_a_model_of_this_machine_costs_nothing() -> None:
    assert usd("qwen3:8b", EACH, is_local=True) == 0


def test_a_model_that_is_paid_for_costs_the_same_behind_a_proxy_of_this_machine() -> None:
    assert usd("claude-haiku-4-5", READ, is_local=True) == 1


@pytest.mark.parametrize("model", ["some-model", "claude-haiku-4-5"])
@pytest.mark.parametrize("is_local", [True, False])
def test_what_the_owner_says_counts_before_any_list(model: str, is_local: bool) -> None:  # noqa: FBT001
    assert usd(model, EACH, (2, 10), is_local=is_local) == pytest.approx(2 + 10 + 2 + 2.5)


def test_no_use_costs_nothing() -> None:
    assert usd("some-model", Usage()) == 0


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_the_usual_models_are_on_the_list(provider: str) -> None:
    assert set(USUAL[provider].values()) <= PRICES.keys()


def test_putting_into_a_cache_is_never_cheaper_than_reading_from_it() -> None:
    assert [name for name, price in PRICES.items() if price.written < price.cached] == []
