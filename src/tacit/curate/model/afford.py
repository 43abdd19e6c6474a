"""What a call may cost: by what is really sent, and by an answer that the budget has room for.

Caps are hard: what is reserved is the most that it can be. An answer may be as long as was asked
for, or as can be paid; one too short for its turns would break off, and is not asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.llm.form import at_most
from tacit.llm.port import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.llm.port import Request

_BESIDES, _OF_TURN, _SHORT = 400, 40, 1500  # tokens of an answer: fewer would not do


def shortest(request: Request, turns: int) -> Request:
    """Return a request whose answer is as short as one about so many turns can be."""
    least = min(_SHORT, _BESIDES + _OF_TURN * turns)
    return replace(request, most_tokens=min(request.most_tokens, least))


def fitted(request: Request, turns: int, left: float, price: Callable[[Usage], float]) -> Request:
    """Return a request whose answer may be as long as can be paid, and no shorter than it must."""
    short = shortest(request, turns)
    more = price(Usage(output_tokens=request.most_tokens - short.most_tokens))
    room = left - price(at_most(short))
    if room >= more:
        return request
    share = int((request.most_tokens - short.most_tokens) * max(0.0, room) / more)
    return replace(short, most_tokens=max(short.most_tokens, short.most_tokens + share - 1))
