"""Grounded: which words of an agent stand in what its tools gave.

A number, a name or a path that a tool printed and the agent repeats is a finding rather than an
opinion. Two of them in one clause, where nothing was changed and something was asked or explained,
tell of a discovery even if the words around them are plain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.features import EDITS
from tacit.curate.rules.tables import choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.rules.view import Act, View

_VALUE = re.compile(
    r"(?<!\w)\d[\d.,:/-]*\d|`[^`\n]{2,80}`|\w[\w-]*[_/.][\w/.-]*\w|\b[a-z]+[A-Z]\w+"
    r"|(?<=\w\s)[A-Z]\w{2,}"
)
_PATH = re.compile(r"(?!\w+://)[^\s'\"]{0,200}[\w-]{2,}\.[A-Za-z]\w{0,7}")
_ASKING = re.compile(rf"\s*{choice('asking')}\b|[^.!\n]*[?\uff1f]", re.IGNORECASE)
_RULES = {"cue=standing", "cue=ever", "cue=onward", "cue=taste", "cue=remember", "cue=asked"}
ENOUGH = 2  # one value may stand in both by chance


def shared_values(text: str, acts: Sequence[Act]) -> int:
    """Return how many numbers, names and paths of a text stand in what tools gave."""
    return shared_with(text, [act.result for act in acts if not act.is_failed])


def names_file(text: str, acts: Sequence[Act]) -> bool:
    """Say whether a text names a file that a tool has worked on: it was there to be worked on."""
    given = [value for act in acts if not act.is_failed for value in act.given.values()]
    paths = [value for value in given if isinstance(value, str) and _PATH.fullmatch(value)]
    names = {path.rpartition("/")[2].casefold() for path in paths}
    return any(_stands(name, text.casefold()) for name in names)


def shared_with(text: str, given: Sequence[str]) -> int:
    """Return how many numbers, names and paths of a text stand in others."""
    values = {found.strip("`.,:").casefold() for found in _VALUE.findall(text)}
    folded = [each.casefold() for each in given] if values else []
    return sum(any(_stands(value, each) for each in folded) for value in values)


def _stands(value: str, text: str) -> bool:
    """Say whether a value stands in a text by itself: 12 is not in 4120, but 83 is in 83.1."""
    if value not in text:
        return False
    edge = r"\d" if value[:1].isdigit() else r"\w"
    return bool(re.search(rf"(?<!{edge}){re.escape(value)}(?!{edge})", text))


def is_finding(clause: str, seen: set[str], view: View) -> bool:
    """Say whether a clause tells what tools gave: a cause, or values of theirs as an answer."""
    if "has=question" in seen or seen & _RULES or not view.acts:
        return False  # what reads like a rule must be likely for its words
    if "cue=cause" in seen:
        return True
    if any(act.tool in EDITS for act in view.acts):
        return False  # what was changed is work, and no finding
    is_answer = any(_ASKING.match(said.text) for said in view.prompts)
    is_told = is_answer or "cue=found" in seen
    return is_told and shared_values(clause, view.acts) >= ENOUGH
