"""What is private: a secret or a personal number in somebody's words. It is never remembered."""

from __future__ import annotations

import re

from tacit.curate.rules.tables import choice
from tacit.mind import in_mind

_VALUE = r"[\"'`]?(?=[^\s\"'`]{0,63}?[\d_\-!@#$%^&*])[^\s\"'`]{4}"
_IS = r"(?:\b(?:is|ist|lautet|est|es|\u00e8|\u00e9|jest|to)\b|[:=]|\u306f)"
_GIVEN = re.compile(
    rf"(?<![a-z]){choice('private')}(?![a-z])[\"'`]?[^.!?\n]{{0,24}}?{_IS}\s*{_VALUE}"
    rf"|(?<![a-z]){choice('private')}(?![a-z])[^.!?\n]{{0,24}}?\s{_VALUE}[^\s\"'`]{{0,60}}\s+(?:ist|lautet)\b"
    rf"|(?<![a-z]){choice('passwords')}\s+[\"'`]?(?:(?=[^\s\"'`]{{0,63}}?[!@#$%^&*])[^\s\"'`]{{6}}"
    r"|(?=[a-z]{0,63}\d)(?=\d{0,63}[a-z])\w{6})|\bpin\s+(?:code\s+)?\d{4,8}(?![.\d])"
    rf"|(?:_|\b)(?:pw|pwd|pass|password|secret|token|key)\s*=\s*{_VALUE}",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[\d_\-!@#$%^&*]")  # no value is without one
_INCOME = re.compile(
    r"\b(?:earns?|earning|salary|income|wage|verdient|gehalt|gagne|salaire|gana|sueldo|salario"
    r"|guadagna|stipendio|ganha|sal\u00e1rio|zarabia|(?:he|she|they)(?:'s|\s+is|'re|\s+are)\s+on)\b[^.!?\n]{0,24}"
    r"(?:\d{4}|\d[.,\s]\d{3}|\d\s?k\b|\bthousand|\bgrand\b)",
    re.IGNORECASE,
)


@in_mind(32)
def is_private(text: str) -> bool:
    """Say whether words give a secret, a personal number or what somebody earns."""
    is_given = _SIGN.search(text) is not None and _GIVEN.search(text) is not None
    return is_given or _INCOME.search(text) is not None
