"""Edges: patterns that find a phrase of a list where it stands by itself.

Between blanks a phrase ends where its words do. Kana and kanji have no blanks: there a phrase is
found wherever it stands.
"""

from __future__ import annotations

from tacit.curate.rules.tables import choice

_LETTER = r"[^\W\u3040-\u30ff\u4e00-\u9fff]"  # of a script with blanks


def apart(*names: str) -> str:
    """Return a pattern that finds any phrase of these lists that is no part of a longer word."""
    found = "|".join(choice(name) for name in names)
    return rf"(?<!{_LETTER})(?:{found})(?:(?!{_LETTER})|(?<=[\u3040-\u30ff\u4e00-\u9fff]))"
