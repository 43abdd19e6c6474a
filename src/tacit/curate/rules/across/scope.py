"""Scope: whether a statement holds in this project, in every project, or is about the user."""

from __future__ import annotations

from tacit.curate.rules.across.edges import Shape, apart

_EVERYWHERE = Shape(apart("everywhere_told"))
_HERE = Shape(rf"{apart('here_told')}|\b{apart('this_one')}\s+{apart('here')}")
_PERSONAL = Shape(rf"\W*(?:{apart('fillers', 'asides')}\W+)*{apart('personal')}")


def scope_of(text: str, *, is_fact: bool) -> bool | None:
    """Return whether a statement holds everywhere; None if it does not say so."""
    if _EVERYWHERE.search(text):
        return True
    if _HERE.search(text):
        return False
    return True if is_fact and _PERSONAL.match(text) else None
