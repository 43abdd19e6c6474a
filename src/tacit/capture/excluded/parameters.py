"""Parameters: what `${name/a/b}`, `${name#a}`, `${name:1:2}` and `${name^^}` make of a value.

Plain patterns are followed exactly. Where a pattern has wildcards, or a value is not known, all is
returned that is known to be possible, and UNKNOWN around what is put in.
"""

from __future__ import annotations

from tacit.capture.excluded.pattern import UNKNOWN, is_pattern

_REPLACING = ("//", "/#", "/%", "/")
_CUTTING = ("##", "#", "%%", "%")
_CASES = ("^^", ",,", "^", ",")
_MOST_SPLITS = 8


def split_change(change: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the operator of a change, and each (pattern, text put in) that it can mean.

    A slash may have been escaped, which is no longer seen: then there are several.
    """
    for mark in (*_REPLACING, *_CUTTING, *_CASES, ":"):
        if not change.startswith(mark):
            continue
        rest = change[len(mark) :]
        if mark not in _REPLACING:
            return mark, [(rest, "")]
        ends = _slashes(rest)[: 1 if "$" in rest else _MOST_SPLITS]
        return mark, [(rest[:end], rest[end + 1 :]) for end in ends] or [(rest, "")]
    return "", [("", "")]


def _slashes(text: str) -> list[int]:
    """Return where the slashes are that are not between braces."""
    found, depth = [], 0
    for position, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "/" and not depth:
            found.append(position)
    return found


def changed(mark: str, value: str, pattern: str, put: str) -> list[str]:
    """Return what a value can be after a change."""
    is_known = not is_pattern(pattern) and UNKNOWN not in value and UNKNOWN not in put
    result = _exact(mark, value, pattern, put) if is_known else None
    if result is not None:
        return [result]
    if mark in _REPLACING and put:
        return [value, UNKNOWN + put + UNKNOWN]
    parts: list[str] = []
    if mark in {"%", "%%"}:  # cut off at its end: `${PWD%/*}`
        parts = [value[:end] for end in range(1, len(value)) if value[end] == "/"]
    elif mark in {"#", "##"}:  # or at its beginning: `${PWD##*/}`
        starts = [start for start in range(len(value)) if value[start] == "/"]
        parts = [value[start + more :] for start in starts for more in (0, 1)]
    return [value, *parts, UNKNOWN]


def _exact(mark: str, value: str, pattern: str, put: str) -> str | None:
    """Return what a plain change makes of a known value; None if that cannot be told."""
    if mark in _REPLACING:
        return _replaced(mark, value, pattern, put)
    if mark in {"#", "##"}:
        return value.removeprefix(pattern)
    if mark in {"%", "%%"}:
        return value.removesuffix(pattern)
    if mark == ":":
        return _substring(value, pattern)
    if mark in _CASES and not pattern:
        head, tail = (value, "") if len(mark) > 1 else (value[:1], value[1:])
        return (head.upper() if mark[0] == "^" else head.lower()) + tail
    return None


def _replaced(mark: str, value: str, pattern: str, put: str) -> str:
    if mark == "/#":
        return put + value[len(pattern) :] if value.startswith(pattern) else value
    if mark == "/%":
        return value.removesuffix(pattern) + put if value.endswith(pattern) else value
    return value.replace(pattern, put, -1 if mark == "//" else 1) if pattern else value


def _substring(value: str, numbers: str) -> str | None:
    """Return the part of a value that `offset:length` means."""
    first, colon, second = numbers.partition(":")
    try:
        start = int(first or "0")
        length = int(second or "0") if colon else len(value)
    except ValueError:
        return None
    start = max(len(value) + start, 0) if start < 0 else start
    return value[start : start + length] if length >= 0 else value[start:length]
