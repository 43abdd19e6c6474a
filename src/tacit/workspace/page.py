"""A page: the file of a card, as text.

Front matter says which card it is and what it is called, each as one JSON string on one line, and
ends with a digest of all that stands on the page. Whatever a card says stands below it, as it is:
nothing in it can be taken for front matter, and a page that somebody has changed is known as such.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tacit.digest import blake2b

UNTITLED = "Untitled"
HEAD_SIZE = 4096
_OURS = ("card", "title", "mirror")
_FRONT = re.compile(
    rb'---\ncard: ("[^\n]*")\ntitle: ("[^\n]*")\nmirror: [0-9a-f]{16}\n---\n(?:\n(.*))?', re.DOTALL
)
_FENCE = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n---[ \t]*(?:\r?\n|\Z)|\Z)", re.DOTALL)
_CARD = re.compile(r'^card:[ \t]*(".*")[ \t]*\r?$', re.MULTILINE)
_TITLE = re.compile(r'^title:[ \t]*(".*")[ \t]*\r?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says of itself: its card and its title, if it says so."""

    card: str | None
    title: str | None


def render(card: str, title: str, body: str) -> bytes:
    """Return the page of a card."""
    front = f"card: {_quoted(card)}\ntitle: {_quoted(title or UNTITLED)}\n"
    text = f"\n{body}" if body else ""
    if body and not body.endswith("\n"):
        text += "\n"
    content = text.encode("utf-8", "replace")
    seal = blake2b(front.encode() + content, digest_size=8).hexdigest()
    return f"---\n{front}mirror: {seal}\n---\n".encode() + content


def digest(page: bytes) -> str:
    """Return by what a page is recognised."""
    return blake2b(page, digest_size=16).hexdigest()


def is_whole(page: bytes) -> bool:
    """Say whether a page is as it was rendered: nobody has changed it since."""
    matched = _FRONT.fullmatch(page)
    if matched is None:
        return False
    try:
        card, title = json.loads(matched[1]), json.loads(matched[2])
        body = (matched[3] or b"").decode()
    except ValueError:
        return False
    return render(str(card), str(title), body) == page


def read_head(text: bytes) -> Head:
    """Return what the beginning of a page says of itself, also of one changed by hand."""
    front = _front(text)
    return Head(_named(_CARD, front), _named(_TITLE, front))


def agrees(page: bytes, wanted: bytes) -> bool:
    """Say whether a page says no more and no less than another, be it by somebody else's hand."""
    front = _front(page)
    is_bare = all(line.split(":")[0] in _OURS for line in front.splitlines() if line.strip())
    is_titled = _named(_TITLE, front) in {None, read_head(wanted).title}
    return is_bare and is_titled and body_of(page) == body_of(wanted)


def body_of(page: bytes) -> str:
    """Return what stands below the front matter, without the space around it."""
    text = page.decode("utf-8", "replace").replace("\r\n", "\n")
    matched = _FENCE.match(text)
    return (text[matched.end() :] if matched else text).strip()


def _front(text: bytes) -> str:
    matched = _FENCE.match(text.decode("utf-8", "replace"))
    return matched[1] if matched else ""


def _named(pattern: re.Pattern[str], front: str) -> str | None:
    matched = pattern.search(front)
    if matched is None:
        return None
    try:
        found = json.loads(matched[1])
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
