"""Edges: patterns that find a phrase of a list where it stands by itself.

Between blanks a phrase ends where its words do. Kana and kanji have no blanks: there a phrase is
found wherever it stands.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from tacit.curate.rules import tables

_LETTER = r"[^\W\u3040-\u30ff\u4e00-\u9fff]"  # of a script with blanks


def apart(*names: str) -> str:
    """Return a pattern that finds any phrase of these lists that is no part of a longer word."""
    found = "|".join(map(choice, names))
    return rf"(?<!{_LETTER})(?:{found})(?:(?!{_LETTER})|(?<=[\u3040-\u30ff\u4e00-\u9fff]))"


def choice(name: str) -> str:
    """Return a pattern that finds any phrase of a list of what only passes, or of the others."""
    if name not in _passing():
        return tables.choice(name)
    phrases = {" ".join(phrase.split()) for phrase in _passing()[name].split(",")}
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "(?:" + "|".join(map(re.escape, longest_first)).replace(r"\ ", r"\s+") + ")"


@cache
def _passing() -> dict[str, str]:
    """Read the lists of what only passes; the scorer is not learned from them."""
    text = files("tacit.curate.rules").joinpath("passing.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
