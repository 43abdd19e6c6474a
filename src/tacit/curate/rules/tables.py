"""Tables: the word lists of the rules, and patterns made of them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Iterable


@cache
def _tables() -> dict[str, str]:
    text = shipped(__package__, "tables.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def listed(name: str) -> list[str]:
    """Return the phrases of a list, in order."""
    return [" ".join(phrase.split()) for phrase in _tables()[name].split(",")]


def choice(name: str) -> str:
    """Return a pattern that finds any phrase of a list."""
    return either(listed(name))


def either(phrases: Iterable[str]) -> str:
    """Return a pattern that finds any of these phrases, the longest first."""
    longest_first = sorted(dict.fromkeys(phrases), key=len, reverse=True)
    return "(?:" + "|".join(map(re.escape, longest_first)).replace(r"\ ", r"\s+") + ")"
