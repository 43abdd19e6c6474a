"""What can be saved of a settings file that cannot be read, and what a misspelled name meant.

Only looks at text: nothing here decides what counts. Loaded only where something is wrong.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from typing import Any

from tacit.settings_table import TABLE

_AT = re.compile(r"at line (\d+)")
_MOST_TRIES = 200
_QUOTED = re.compile(r"[\"']([~/][^\"']*)")
_STATEMENT = re.compile(r"\s*(?:\[|[\w.\"'-]+\s*=)")
_ALIKE = 0.75


def closest(name: str) -> str:
    """Return the setting that a name is most like; nothing if it is like none."""
    table, _, last = name.rpartition(".")
    own = {each.rpartition(".")[2]: each for each in TABLE if each.startswith(f"{table}.")}
    everywhere = {each.rpartition(".")[2]: each for each in reversed(TABLE)}
    whole = {} if own else {each: each for each in TABLE}
    for said, known in ((last, own), (name, whole), (last, everywhere)):
        found = get_close_matches(said, list(known), 1, _ALIKE)
        if found:
            return known[found[0]]
    return ""


def salvage(text: str) -> tuple[dict[str, Any], list[str]]:
    """Return what the readable lines of a file say, and the paths that the others exclude."""
    lines = text.splitlines()
    whole = list(lines)
    left_out: set[int] = set()
    for _ in range(_MOST_TRIES):
        try:
            return tomllib.loads("\n".join(lines)), _excluded(whole, left_out)
        except RecursionError:
            break
        except ValueError as error:
            at = _line_of(str(error), lines)
            if at is None:
                break
            left_out.add(at)
            lines[at] = ""
    return {}, _excluded(whole, set(range(len(whole))))


def _line_of(told: str, lines: list[str]) -> int | None:
    """Return the line that an error is about; the last that says something if it names none."""
    found = _AT.search(told)
    last = int(found[1]) - 1 if found else len(lines) - 1
    return next((at for at in range(min(last, len(lines) - 1), -1, -1) if lines[at].strip()), None)


def _excluded(lines: list[str], left_out: set[int]) -> list[str]:
    """Return the paths of the lines that were left out and belong to a setting that excludes."""
    found: list[str] = []
    is_excluding = False
    for at, line in enumerate(lines):
        if _STATEMENT.match(line):
            is_excluding = "excl" in line.lower()
        if is_excluding and at in left_out:
            found += [path.rstrip("], ") for path in _QUOTED.findall(line)]
    return found
