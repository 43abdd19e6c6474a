"""Prices: the usual models of each provider, and what a reply has cost.

One table. A model that is not in it is counted like the dearest one that is, so that a budget is
never overrun unseen; `llm.usd_per_million` corrects that. A server on this machine costs nothing,
unless the model is one that is paid for: then there is a proxy in between.
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
    "gpt-4.1": Price(2, 8, 0.50, 2),
    "gpt-4.1-mini": Price(0.40, 1.60, 0.10, 0.40),
    "gpt-4.1-nano": Price(0.10, 0.40, 0.025, 0.10),
    "gpt-4o": Price(2.50, 10, 1.25, 2.50),
    "gpt-4o-mini": Price(0.15, 0.60, 0.075, 0.15),
}
_DEAREST = max(PRICES.values())
_FREE = Price(0, 0, 0, 0)
_WRITING = 1.25  # of reading: what putting into a cache costs where it costs anything
_DATED = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)")


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


def _price(model: str, given: PerMillion | None, *, is_local: bool) -> Price:
    if given is not None:
        return Price(given[0], given[1], given[0], given[0] * _WRITING)
    return _listed(model) or (_FREE if is_local else _DEAREST)


def _listed(model: str) -> Price | None:
    """Return the price of a model of the table, or of one of its dated versions."""
    name = model.rpartition("/")[2]
    fitting = [
        price for known, price in PRICES.items() if name == known or _is_version(name, known)
    ]
    return fitting[0] if fitting else None


def _is_version(name: str, known: str) -> bool:
    return name.startswith(known) and _DATED.fullmatch(name[len(known) :]) is not None
