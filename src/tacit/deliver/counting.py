"""Counting tokens, from above, without any model's own tokeniser.

Words take few, what looks random takes many: hashes, keys, signs and rare letters. Measured against
two public tokenisers, no text of words, paths, hashes or other scripts was found to take more;
only letters and digits that each stand alone were. Costs are whole hundredths of a token: sums of
them are exact, so two texts together never count more than one after the other.
"""

from __future__ import annotations

import re

from tacit.mind import in_mind

_RUNS = re.compile(
    r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]+|[0-9]+|[A-Z]?[a-z]+|[A-Z]+|[!-~]|\n"
    r"|[^\x00-\x7f]"
)
_BYTES = 3  # of a token, in plain words
_WORD, _CAPITALS, _DIGITS = 6, 2, 2  # letters of a token
_TOKEN = 100  # what a whole token costs
_MIXED = 75  # of a letter among digits
_WIDE = {2: 115, 3: 150}  # of a character, by its bytes
_PICTURE, _RARE = 250, 400
_PICTURES = range(0x1F000, 0x20000)


@in_mind(1024)
def tokens(text: str) -> int:
    """Return how many tokens a text takes at most."""
    return max(
        _rounded_up(len(text.encode()), _BYTES),
        _rounded_up(sum(map(_cost, _RUNS.findall(text))), _TOKEN),
    )


def _rounded_up(amount: int, unit: int) -> int:
    return -(-amount // unit)


def _cost(run: str) -> int:
    """Return what a run of characters costs, in hundredths of a token."""
    if not run.isascii():
        rare = _PICTURE if ord(run) in _PICTURES else _RARE
        return _WIDE.get(len(run.encode()), rare)
    if run.isdigit():
        return _TOKEN * (1 + _rounded_up(len(run), _DIGITS))
    if run.isalpha():
        return _TOKEN * _rounded_up(len(run), _CAPITALS if run.isupper() else _WORD)
    return _TOKEN + _MIXED * len(run) if run.isalnum() else _TOKEN
