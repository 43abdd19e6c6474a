"""Leaving: what the user leaves for later outright, whatever the scorer thinks of its words.

Who asks to be reminded, or says what they are going to do on a day to come, leaves it. Who asks
to be reminded of what they forgot wants an answer, and who tells where they will be, nothing.
"""

from __future__ import annotations

from tacit.curate.rules import dates
from tacit.curate.rules.across.edges import Shape, apart

_LEAD = rf"\W*(?:{apart('fillers', 'polite')}\W+){{0,4}}"
_REMINDER = Shape(rf"{_LEAD}{apart('reminding')}(?!\W*{apart('recalling')})")
_REMINDED = Shape(apart("reminding_at_last"))
_LISTED = Shape(apart("listing"))
_DAY = rf"(?:{apart('soon', 'tomorrow', 'after_tomorrow')}\W+)?"
_PLAN = Shape(rf"{_LEAD}{_DAY}{apart('planning')}\W+(?!{apart('idle')})\w")
_PRESENT = Shape(rf"{_LEAD}(?:i|we)\s+(?!{apart('thoughts')})[a-z]+\s.*{apart('ahead')}")
_SOON = Shape(apart("soon"))
_ANY_DAY = 10**18  # which day it is does not matter where a date is only looked for


def is_left(clause: str) -> bool:
    """Say whether a clause leaves something for later outright."""
    return bool(_REMINDER.match(clause) or _REMINDED.search(clause)) or _is_plan(clause)


def is_listed(clause: str) -> bool:
    """Say whether what was spoken of is put on a list; what that is, others tell."""
    return _LISTED.search(clause) is not None


def _is_plan(clause: str) -> bool:
    """Say whether the speaker tells what they are going to do on a day to come."""
    if "?" in clause:
        return False
    found = _PLAN.match(clause)
    if found is None:
        return _PRESENT.match(clause) is not None
    is_dated = dates.resolved(clause, _ANY_DAY) != clause
    return is_dated or _SOON.search(clause) is not None
