"""Saying: how much a prompt says by itself, and whether it points at what was said before it.

"And for the other one?" is nothing without the talk before; "push the image" is spoilt by it. What
counts are the words that name something, and an identifier counts as two. The talk tells in which
language. Whoever only thanks points at nothing.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache

from tacit.recall.analyse import language_of
from tacit.recall.tables import stop_words
from tacit.shipped import shipped

ENOUGH = 2  # words that name something, for a prompt to be about it
PLENTY = 4  # and so many say it so well that chance finds little
_CHUNK = re.compile(r"[^\W_](?:[\w./:@\\-]*[^\W_])?")
_NAME = re.compile(r"[./:@\\_]|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]")  # part of an identifier
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff]")
# what is about a word in scripts without spaces; what is written in hiragana is mostly grammar
_UNSPACED_WORD = re.compile(
    "[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2}|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{5}"
)


def naming(prompt: str, before: str) -> int:
    """Return how many words of a prompt name something."""
    pointing = _pointing(language_of(f"{prompt} {before}"))
    return sum(_naming(chunk, pointing) for chunk in _chunks(prompt))


def is_pointing(prompt: str, before: str) -> bool:
    """Say whether a prompt is understood only with what was said before it."""
    return naming(prompt, before) < ENOUGH and not _is_thanking(prompt, before)


def _is_thanking(prompt: str, before: str) -> bool:
    """Say whether a prompt does nothing but thank or praise."""
    said = {chunk.casefold() for chunk in _chunks(prompt)}
    rest = said - stop_words(language_of(f"{prompt} {before}"))
    return bool(said & _thanking()) and rest <= _thanking() and "?" not in prompt


def _chunks(prompt: str) -> list[str]:
    return _CHUNK.findall(unicodedata.normalize("NFKC", prompt))


def _naming(chunk: str, pointing: frozenset[str]) -> int:
    """Return how many words a chunk has that name something."""
    if _UNSPACED.search(chunk):
        return len(_UNSPACED_WORD.findall(chunk.translate(_small_signs())))
    if _NAME.search(chunk):
        return ENOUGH
    words = chunk.casefold().split("-")
    return sum(len(word) > 1 and word not in pointing for word in words)


@cache
def _pointing(language: str) -> frozenset[str]:
    """Return the words of a language that name nothing."""
    return stop_words(language) | frozenset(_tables().get(language, "").casefold().split())


@cache
def _thanking() -> frozenset[str]:
    return frozenset(_tables()["thanking"].split())


@cache
def _small_signs() -> dict[int, str]:
    return str.maketrans(dict.fromkeys(_tables()["signs"], " "))


@cache
def _tables() -> dict[str, str]:
    text = shipped(__package__, "pointing.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
