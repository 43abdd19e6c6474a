"""Cues: tables of phrases that say how a clause is meant."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import listed
from tacit.curate.rules.words import SHORT, words
from tacit.mind import in_mind
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEWEST = 2
_WIDE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff]")  # scripts without blanks
_FILLERS = frozenset(listed("fillers"))
_Opened = tuple[tuple[tuple[tuple[str, ...], str], ...], tuple[str, ...]]
_NOTHING: _Opened = ((), ())  # what most words begin


@dataclass(slots=True)
class _Table:
    """The phrases of all classes, found by their first word, or by its beginning."""

    by_word: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    by_start: dict[str, list[str]] = field(default_factory=dict)
    inside: list[tuple[str, str]] = field(default_factory=list)
    at_start: set[str] = field(default_factory=set)
    longest: int = 0  # of the beginnings


def cues(text: str) -> frozenset[str]:
    """Return the classes of cues in a clause."""
    return _of_clause(text) if len(text) <= SHORT else frozenset(_found(text))


@in_mind(512)
def _of_clause(text: str) -> frozenset[str]:
    return frozenset(_found(text))


def _found(text: str) -> set[str]:
    table, said = _table(), words(text)
    found: set[str] = set()
    for at, word in enumerate(said):
        if _opens(word) is not _NOTHING:
            found.update(_at(said, at))
    found -= table.at_start
    if not text.isascii() and _WIDE.search(text):
        found.update(name for part, name in table.inside if part in text)
    first = next((at for at, word in enumerate(said) if word not in _FILLERS), 0)
    for at in {0, first} if said else ():
        begun = _at(said, at)
        found.update(name for name in begun if name in table.at_start)
        found.update(f"{name}-first" for name in begun)
    return found


def _at(said: Sequence[str], at: int) -> list[str]:
    """Return the classes of the phrases that begin at a word."""
    phrases, begun = _opens(said[at])
    found = [name for phrase, name in phrases if tuple(said[at : at + len(phrase)]) == phrase]
    return [*found, *begun]


@in_mind(2048)
def _opens(word: str) -> _Opened:
    """Return the phrases that may begin with a word, and the classes of the beginnings it has."""
    table = _table()
    stops = range(_FEWEST, min(len(word), table.longest) + 1)
    begun = tuple(name for stop in stops for name in table.by_start.get(word[:stop], ()))
    phrases = tuple(table.by_word.get(word, ()))
    return (phrases, begun) if phrases or begun else _NOTHING


@cache
def _table() -> _Table:
    """Read the tables, once."""
    table = _Table()
    told = tomllib.loads(shipped(__package__, "cues.toml").read_text(encoding="utf-8"))
    for name, told_of in told.items():
        if told_of.get("at_start"):
            table.at_start.add(name)
        for phrase in dict.fromkeys(told_of["phrases"]):
            if phrase.endswith("*") and " " not in phrase:
                table.by_start.setdefault(phrase[:-1], []).append(name)
                table.longest = max(table.longest, len(phrase) - 1)
                continue
            parts = tuple(words(phrase))
            table.by_word.setdefault(parts[0], []).append((parts, name))
        table.inside += [(part, name) for part in told_of.get("inside", ())]
    return table
