"""What a call may cost: by what is really sent, and by an answer that the budget has room for.

Caps are hard, so an estimate errs upwards: few bytes a token, what may be put into a cache at that
price, an answer as long as it may be. That is as long as was asked for, or as can be paid; but an
answer too short for its turns would break off, and is not asked for.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.llm.port import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.llm.port import Request

_A_TOKEN = 3.2  # bytes: fewer than most texts have
_BESIDES, _OF_TURN, _SHORT = 400, 40, 1500  # tokens of an answer: fewer would not do


def at_most(request: Request) -> Usage:
    """Return how many tokens a call may take at most."""
    lasting = request.system + request.state
    return Usage(
        input_tokens=_tokens(request.text + json.dumps(request.schema)),
        written_tokens=_tokens(lasting),
        output_tokens=request.most_tokens,
    )


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


def _tokens(text: str) -> int:
    return int(len(text.encode("utf-8", "replace")) / _A_TOKEN) + 1
