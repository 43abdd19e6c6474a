"""Tables: the word lists of the rules, and patterns made of them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def _tables() -> dict[str, str]:
    text = files(__package__).joinpath("tables.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def listed(name: str) -> list[str]:
    """Return the phrases of a list, in order."""
    return [" ".join(phrase.split()) for phrase in _tables()[name].split(",")]


def choice(name: str) -> str:
    """Return a pattern that finds any phrase of a list, the longest first."""
    phrases = sorted(dict.fromkeys(listed(name)), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases) + ")"
