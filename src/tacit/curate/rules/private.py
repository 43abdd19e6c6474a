"""What is private: a secret or a personal number in somebody's words. It is never remembered."""

from __future__ import annotations

import re

from tacit.curate.rules.tables import choice
from tacit.mind import in_mind

_VALUE = r"[\"'`]?(?=[^\s\"'`]{0,63}?[\d_\-!@#$%^&*])[^\s\"'`]{4}"
_GIVEN = re.compile(
    rf"(?<![a-z]){choice('private')}(?![a-z])[\"'`]?[^.!?\n]{{0,24}}?(?:\bis\b|\bist\b|\best\b|\bes\b"
    rf"|\b\u00e8\b|\b\u00e9\b|\bto\b|[:=]|\u306f)\s*{_VALUE}"
    rf"|(?:_|\b)(?:pw|pwd|pass|password|secret|token|key)\s*=\s*{_VALUE}",
    re.IGNORECASE,
)
_INCOME = re.compile(
    r"\b(?:earns?|earning|salary|income|wage|(?:he|she|they)(?:'s|\s+is|'re|\s+are)\s+on)\b[^.!?\n]{0,24}"
    r"(?:\d{4}|\d[.,\s]\d{3}|\d\s?k\b|\bthousand|\bgrand\b)",
    re.IGNORECASE,
)


@in_mind(32)
def is_private(text: str) -> bool:
    """Say whether words give a secret, a personal number or what somebody earns."""
    return bool(_GIVEN.search(text) or _INCOME.search(text))
