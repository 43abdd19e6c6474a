"""Prices: the usual models of each provider, and what a reply has cost.

One table, in which a model is found whoever sells it and however its name is written. One that is
not in it is counted like the dearest that is, so that a budget is never overrun unseen;
`llm.usd_per_million` corrects that. A server on this machine costs nothing, unless the model is one
that is paid for: then there is a proxy in between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tacit.llm.port import Tier, Usage

    PerMillion = tuple[float, float]


class Price(NamedTuple):
    """Dollars for a million tokens."""

    input: float
    output: float
    cached: float
    written: float


USUAL: dict[str, dict[Tier, str]] = {
    "anthropic": {"small": "claude-haiku-4-5", "large": "claude-sonnet-4-6"},
    "openai": {"small": "gpt-4.1-mini", "large": "gpt-4.1"},
    "claude-cli": {"small": "haiku", "large": "sonnet"},
}
# As the provider's own client counts them (2.1.325), and OpenAI's published list.
PRICES = {
    "claude-fable-5-2": Price(8, 40, 0.20, 10),
    "claude-fable-5": Price(10, 50, 1, 12.50),
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125),
    "claude-sonnet-5-5": Price(2, 10, 0.10, 2.50),
    "claude-opus-5-5": Price(4, 20, 0.20, 5),
    "claude-sonnet-5": Price(2, 10, 0.20, 2.50),
    "claude-haiku-4-5": Price(1, 5, 0.10, 1.25),
    "claude-sonnet-4-6": Price(3, 15, 0.30, 3.75),
    "claude-sonnet-4-5": Price(3, 15, 0.30, 3.75),
    "claude-opus-4-8": Price(5, 25, 0.50, 6.25),
    "claude-opus-4-7": Price(5, 25, 0.50, 6.25),
    "claude-opus-4-6": Price(5, 25, 0.50, 6.25),
    "claude-opus-4-5": Price(5, 25, 0.50, 6.25),
    "claude-opus-4-1": Price(15, 75, 1.50, 18.75),
    "claude-opus-4": Price(15, 75, 1.50, 18.75),
    "claude-sonnet-4": Price(3, 15, 0.30, 3.75),
    "claude-3-7-sonnet": Price(3, 15, 0.30, 3.75),
    "claude-3-5-haiku": Price(0.80, 4, 0.08, 1),
    "gpt-4.1": Price(2, 8, 0.50, 2),
    "gpt-4.1-mini": Price(0.40, 1.60, 0.10, 0.40),
    "gpt-4.1-nano": Price(0.10, 0.40, 0.025, 0.10),
    "gpt-4o": Price(2.50, 10, 1.25, 2.50),
    "gpt-4o-mini": Price(0.15, 0.60, 0.075, 0.15),
}
_DEAREST = max(PRICES.values())
_FREE = Price(0, 0, 0, 0)
_WRITING = 1.25  # of reading: what putting into a cache costs where it costs anything
_FAMILIES = ("haiku", "sonnet", "opus")  # whose newest model goes by this name alone
_SELLER = re.compile(r".*/|(?:[a-z-]+\.)?anthropic\.")
_VERSION = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest))?(?:-v\d+)?(?::\w+)?(?:\[\w+\])?")


def usd(
    model: str, usage: Usage, given: PerMillion | None = None, *, is_local: bool = False
) -> float:
    """Return what a reply has cost in dollars."""
    price = _price(model, given, is_local=is_local)
    total = (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cached_tokens * price.cached
        + usage.written_tokens * price.written
    )
    return total / 1_000_000


def is_known(model: str) -> bool:
    """Say whether a model has a price in the table."""
    return _listed(model) is not None


def _price(model: str, given: PerMillion | None, *, is_local: bool) -> Price:
    if given is not None:
        return Price(given[0], given[1], given[0], given[0] * _WRITING)
    return _listed(model) or (_FREE if is_local else _DEAREST)


def _listed(model: str) -> Price | None:
    """Return the price of a model of the table, or of one of its versions."""
    name = _SELLER.sub("", model, count=1).replace(".", "-")
    for known, price in PRICES.items():
        if _is_version(name, known.replace(".", "-")):
            return price
    family = next((each for each in _FAMILIES if _is_version(name, each)), None)
    return _dearest_of(family) if family else None


def _is_version(name: str, known: str) -> bool:
    return name.startswith(known) and _VERSION.fullmatch(name[len(known) :]) is not None


def _dearest_of(family: str) -> Price:
    """Return the price of a family's dearest model: which one its name stands for may change."""
    return max(price for name, price in PRICES.items() if family in name)
