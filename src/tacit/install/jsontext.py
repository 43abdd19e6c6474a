"""Editing JSON that belongs to somebody else: what we do not mean stays byte for byte.

The text is never parsed and written anew: a value is put in, or taken out, at its place, in the
indentation that is there already. What cannot be read as JSON is refused, and so is a name on the
way that stands there twice: whoever reads on heeds one of the two, and we could lose the other.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # where a string ends
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Name = TypeVar("Name", bound=str | int)  # of a member, or the place of an element

_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\n([ \t]+)\S")
_DECODER = json.JSONDecoder()
_USUAL = "  "
_MARK = "\ufeff"  # that some editors put before everything else


class NotJson(ValueError):  # noqa: N818  (a state, not a mishap)
    """The text is no JSON, or not of the shape that is needed."""


@dataclass(frozen=True, slots=True)
class Part:
    """One member of an object, or one element of a list: where it stands, and its value."""

    name: str | None
    start: int  # of its name, or of its value in a list
    value_start: int
    stop: int


def value(text: str) -> Any:
    """Return what a text says."""
    try:
        return json.loads(text.removeprefix(_MARK))
    except json.JSONDecodeError as error:
        raise NotJson(_why(error)) from error
    except (ValueError, RecursionError) as error:
        raise NotJson(f"it is no JSON: {error}.") from error


def _why(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a text, for whoever wrote it."""
    before, rest = error.doc[: error.pos].rstrip(), error.doc[error.pos :].lstrip()
    if rest.startswith(("//", "/*", "#")):
        return f"line {error.lineno} has a comment, and JSON knows none."
    if rest.startswith(("}", "]")) and before.endswith(","):
        return f"line {before.count(chr(10)) + 1} ends with a comma too many."
    if not rest:
        return "it ends before it is complete."
    return f"line {error.lineno}, column {error.colno} is no JSON."


def members(text: str) -> dict[str, Any]:
    """Return what a text says, which must be an object."""
    found = value(text)
    if not isinstance(found, dict):
        raise NotJson("it is no object.")
    return found


def put(text: str, path: tuple[str, ...], new: Any) -> str:
    """Return the text with a value at a path of names; objects on the way are made."""
    value(text)
    at, rest = _deepest(text, path)
    if not rest:
        stop = _end(text, at)
        return text[:at] + _spelled(new, _depth(text, at), text) + text[stop:]
    for name in reversed(rest[1:]):
        new = {name: new}
    return _added(text, at, rest[0], new)


def append(text: str, path: tuple[str, ...], new: Any) -> str:
    """Return the text with one more element in the list at a path; the list is made if need be."""
    value(text)
    at, rest = _deepest(text, path)
    if rest:
        return put(text, path, [new])
    if text[at] != "[":
        raise NotJson(f"{'.'.join(path)} is no list.")
    return _added(text, at, None, new)


def remove(text: str, path: tuple[str | int, ...], is_meant: Callable[[Any], bool]) -> str:
    """Return the text without those elements of the list at a path that are meant."""
    at, rest = _deepest(text, path)
    if rest or text[at] != "[":
        return text
    for part in reversed(list(_parts(text, at))):
        if is_meant(value(text[part.value_start : part.stop])):
            text = _without(text, at, part)
    return text


def drop(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the member at a path."""
    at, rest = _deepest(text, path[:-1])
    if rest or text[at] != "{":
        return text
    found = [part for part in _parts(text, at) if part.name == path[-1]]
    return _without(text, at, _only(found, path)) if found else text


def _deepest(text: str, path: tuple[Name, ...]) -> tuple[int, tuple[Name, ...]]:
    """Return where the last value on a path begins that is there, and what is missing behind it."""
    at = _skip(text, len(_MARK) if text.startswith(_MARK) else 0)
    for depth, name in enumerate(path):
        if text[at : at + 1] != ("[" if isinstance(name, int) else "{"):
            kind = "list" if isinstance(name, int) else "object"
            raise NotJson(f"{'.'.join(map(str, path[:depth])) or 'it'} is no {kind}.")
        parts = enumerate(_parts(text, at))
        found = [part for number, part in parts if name in (part.name, number)]
        if not found:
            return at, path[depth:]
        at = _only(found, path[: depth + 1]).value_start
    return at, ()


def _only(found: list[Part], path: tuple[str | int, ...]) -> Part:
    """Return the one part that a path leads to."""
    if len(found) > 1:
        raise NotJson(
            f"{'.'.join(map(str, path))} stands there twice, and only one of them counts."
        )
    return found[0]


def _parts(text: str, at: int) -> Iterator[Part]:
    """Yield what the object or the list at a place consists of, in order."""
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start, name = at, None
        if is_object:
            name, at = scanstring(text, at + 1)
            at = _skip(text, _skip(text, at) + 1)
        stop = _end(text, at)
        yield Part(name, start, at, stop)
        at = _skip(text, stop)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _end(text: str, at: int) -> int:
    """Return where the value at a place ends."""
    return int(_DECODER.raw_decode(text, at)[1])


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _added(text: str, at: int, name: str | None, new: Any) -> str:
    """Return the text with one more member or element at the end of what begins at a place."""
    parts = list(_parts(text, at))
    close = _end(text, at) - 1
    head = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
    if parts and "\n" not in text[at:close]:  # all on one line: so is what comes
        return text[: parts[-1].stop] + ", " + head + json.dumps(new) + text[parts[-1].stop :]
    depth = _depth(text, at)
    line = _newline(text) + _unit(text) * (depth + 1)
    said = head + _spelled(new, depth + 1, text)
    if parts:
        return text[: parts[-1].stop] + "," + line + said + text[parts[-1].stop :]
    return text[: at + 1] + line + said + _newline(text) + _unit(text) * depth + text[close:]


def _without(text: str, at: int, part: Part) -> str:
    """Return the text without one part of what begins at a place, and without its comma."""
    parts = list(_parts(text, at))
    index = [each.start for each in parts].index(part.start)
    if index:
        return text[: parts[index - 1].stop] + text[part.stop :]
    if len(parts) > 1:
        return text[: part.start] + text[parts[1].start :]
    return text[: at + 1] + text[_end(text, at) - 1 :]


def _spelled(new: Any, depth: int, text: str) -> str:
    """Return a value as it stands at a depth of this text."""
    lines = json.dumps(new, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_newline(text) + _unit(text) * depth).join(lines)


def _depth(text: str, at: int) -> int:
    """Return how deep a place lies: how many objects and lists are open there."""
    depth, here = 0, 0
    while here < at:
        if text[here] == '"':
            _, here = scanstring(text, here + 1)
            continue
        depth += (text[here] in "{[") - (text[here] in "}]")
        here += 1
    return depth


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found.group(1) if found else _USUAL


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
