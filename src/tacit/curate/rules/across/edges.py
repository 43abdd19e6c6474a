"""Edges: patterns that find a phrase of a list where it stands by itself.

Between blanks a phrase ends where its words do. Kana and kanji have no blanks: there a phrase is
found wherever it stands.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property

from tacit.curate.rules import tables
from tacit.shipped import shipped

_BESIDE = ("passing.toml", "leaving.toml", "halves.toml", "replacing.toml", "speech_acts.toml")
# A letter of a script with blanks, before or behind a phrase of such a script. Kanji count as one:
# a class of that many signs takes a millisecond to compile, and beside such a phrase stand kana.
_LETTER = r"(?-i:[^\W\u3040-\u30ff])"
_WIDE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


class Shape:
    """A pattern of such lists, compiled when it is first asked: most programs curate nothing."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _made(self) -> re.Pattern[str]:
        return re.compile(self._text, re.IGNORECASE)

    def match(self, text: str) -> re.Match[str] | None:
        """Return where a text begins with it."""
        return self._made.match(text)

    def search(self, text: str, start: int = 0, stop: int | None = None) -> re.Match[str] | None:
        """Return where it stands first in a text, between these places."""
        return self._made.search(text, start, len(text) if stop is None else stop)

    def parted(self, text: str) -> list[str]:
        """Return what stands before it in a text, and behind it; the whole where it is not."""
        return self._made.split(text, maxsplit=1)


def apart(*names: str) -> str:
    """Return a pattern that finds any phrase of these lists that is no part of a longer word."""
    wanted = list(dict.fromkeys(phrase for name in names for phrase in phrases(name)))
    wide = [phrase for phrase in wanted if _WIDE.search(phrase)]
    others = [phrase for phrase in wanted if not _WIDE.search(phrase)]
    found = [rf"(?<!{_LETTER}){tables.either(others)}(?!{_LETTER})"] if others else []
    return "(?:" + "|".join([*found, *map(re.escape, wide)]) + ")"


def choice(name: str) -> str:
    """Return a pattern that finds any phrase of a list."""
    return tables.either(phrases(name))


def phrases(name: str) -> list[str]:
    """Return the phrases of a list: of those beside the tables, or of these."""
    if name not in _beside():
        return tables.listed(name)
    return [" ".join(phrase.split()) for phrase in _beside()[name].split(",")]


@cache
def _beside() -> dict[str, str]:
    """Read the lists that the scorer is not learned from."""
    texts = [shipped("tacit.curate.rules", name).read_text("utf-8") for name in _BESIDE]
    return {name: phrases for text in texts for name, phrases in tomllib.loads(text).items()}
