"""Cues: tables of phrases that say how a clause is meant."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import listed
from tacit.curate.rules.words import SHORT, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FEWEST = 2
_FILLERS = frozenset(listed("fillers"))


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


@lru_cache(maxsize=1024)
def _of_clause(text: str) -> frozenset[str]:
    return frozenset(_found(text))


def _found(text: str) -> set[str]:
    table, said = _table(), words(text)
    found = {
        name
        for at in range(len(said))
        for name in _at(table, said, at)
        if name not in table.at_start
    }
    found.update(name for part, name in table.inside if part in text)
    first = next((at for at, word in enumerate(said) if word not in _FILLERS), 0)
    for at in {0, first} if said else ():
        found.update(name for name in _at(table, said, at) if name in table.at_start)
        found.update(f"{name}-first" for name in _at(table, said, at))
    return found


def _at(table: _Table, said: Sequence[str], at: int) -> Iterator[str]:
    """Return the classes of the phrases that begin at a word."""
    word = said[at]
    for phrase, name in table.by_word.get(word, ()):
        if tuple(said[at : at + len(phrase)]) == phrase:
            yield name
    yield from _beginning(word)


@lru_cache(maxsize=2048)
def _beginning(word: str) -> tuple[str, ...]:
    """Return the classes of the beginnings that a word has."""
    table = _table()
    stops = range(_FEWEST, min(len(word), table.longest) + 1)
    return tuple(name for stop in stops for name in table.by_start.get(word[:stop], ()))


@cache
def _table() -> _Table:
    """Read the tables, once."""
    table = _Table()
    told = tomllib.loads(files(__package__).joinpath("cues.toml").read_text(encoding="utf-8"))
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
