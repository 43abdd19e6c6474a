"""Counting tokens, from above, without any model's own tokeniser.

Words take few, what looks random takes many: hashes, keys, signs and rare letters. Measured against
two public tokenisers, no text of words, paths, hashes or other scripts was found to take more;
only letters and digits that each stand alone were.
"""

from __future__ import annotations

import re
from math import ceil

from tacit.mind import in_mind

_RUNS = re.compile(
    r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]+|[0-9]+|[A-Z]?[a-z]+|[A-Z]+|[!-~]|\n"
    r"|[^\x00-\x7f]"
)
_BYTES = 3  # of a token, in plain words
_WORD, _CAPITALS, _DIGITS = 6, 2, 2  # letters of a token
_MIXED = 0.75  # tokens of a letter among digits
_WIDE = {2: 1.15, 3: 1.5}  # tokens of a character, by its bytes
_PICTURE, _RARE = 2.5, 4.0
_PICTURES = range(0x1F000, 0x20000)


@in_mind(1024)
def tokens(text: str) -> int:
    """Return how many tokens a text takes at most."""
    return ceil(max(len(text.encode()) / _BYTES, sum(map(_cost, _RUNS.findall(text)))))


def _cost(run: str) -> float:
    if not run.isascii():
        rare = _PICTURE if ord(run) in _PICTURES else _RARE
        return _WIDE.get(len(run.encode()), rare)
    if run.isdigit():
        return 1 + ceil(len(run) / _DIGITS)
    if run.isalpha():
        return ceil(len(run) / (_CAPITALS if run.isupper() else _WORD))
    return 1 + _MIXED * len(run) if run.isalnum() else 1
