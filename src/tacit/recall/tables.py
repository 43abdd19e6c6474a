"""Tables: the words that say nothing, by language."""

from __future__ import annotations

import tomllib
from functools import cache

from tacit.shipped import shipped

# whose words are told apart by the small ones among them; the first wins where none is ahead
LANGUAGES = (
    "english", "german", "french", "spanish", "italian", "portuguese", "polish", "dutch",
)  # fmt: skip


@cache
def _tables() -> dict[str, str]:
    text = shipped(__package__, "stop.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the words of a language that say nothing by themselves."""
    return frozenset(_tables().get(language, "").casefold().split())


@cache
def languages_saying() -> dict[str, tuple[str, ...]]:
    """Return for each word that says nothing by itself the languages that have it."""
    words = frozenset().union(*map(stop_words, LANGUAGES))
    return {word: tuple(each for each in LANGUAGES if word in stop_words(each)) for word in words}
