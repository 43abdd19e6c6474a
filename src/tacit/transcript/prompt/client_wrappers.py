"""Client wrappers: the parts of a prompt that the client wrote, not the user.

The tags and sentences are data in `client_wrappers.toml`. A wrapper that is not closed runs to the
end of the text.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATA = tomllib.loads(shipped(__package__, "client_wrappers.toml").read_text(encoding="utf-8"))
_TAGS = "|".join(sorted(_DATA["tags"].split(), key=len, reverse=True))
_UNWRAPPED = "|".join(_DATA["unwrapped"].split())
_REST, _BRACKETS = ("|".join(map(re.escape, _DATA[name])) for name in ("to_the_end", "brackets"))
_TAG = re.compile(rf"</?(?P<tag>{_TAGS}|memory-[0-9a-f]{{16}})(?:\s[^>\n]*)?>|</?(?:{_UNWRAPPED})>")
_SENTENCE = re.compile(
    rf"^[^\S\n]*(?:{_REST}|(?:\w+ ){{1,2}}hook feedback:)"
    rf"|^[^\S\n]*(?P<one>(?:{_BRACKETS})[^\]\n]*\]?)",
    re.MULTILINE,
)
_HINTS = ("hook feedback:", *(each[:8] for each in (*_DATA["to_the_end"], *_DATA["brackets"])))


def client_parts(text: str) -> list[tuple[int, int]]:
    """Return where the client's own text stands in a prompt, in order."""
    found = list(_tagged(text)) if "<" in text else []
    if any(hint in text for hint in _HINTS):
        found += [
            (each.start(), each.end() if each["one"] else len(text))
            for each in _SENTENCE.finditer(text)
        ]
    return sorted(found)


def is_client_made(text: str) -> bool:
    """Say whether the client wrote all of a prompt."""
    at = 0
    for start, stop in client_parts(text):
        if text[at:start].strip():
            return False
        at = max(at, stop)
    return not text[at:].strip()


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while (at := text.find("<", at)) >= 0:
        found = _TAG.match(text, at)
        stop = _end(text, found) if found else 0
        if stop:
            yield at, stop
        at = stop or at + 1


def _end(text: str, found: re.Match[str]) -> int:
    """Return where a wrapper ends; 0 if it is only named in a sentence."""
    tag = found["tag"]
    if not tag or found.group().startswith("</"):
        return found.end()
    closing = f"</{tag}>"
    stop = text.find(closing, found.end())
    if stop >= 0:
        return stop + len(closing)
    line = text.rfind("\n", 0, found.start()) + 1
    return 0 if text[line : found.start()].strip() else len(text)
