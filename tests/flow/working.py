"""What the tests of workspaces share: one in a home of its own, events in it, and what lies there.

Files and rows are read here with Python and SQLite alone, so that what is checked and what checks
it have nothing in common.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import apsw

from flow.keeping import NOW_NS, SECOND_NS, Said, opened
from tacit.policy import Caller

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "papers"
SIX = ("soul.md", "os.md", "tools.md", "files.md", "user.md", "context.md")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def made(home: Path, place: Path) -> None:
    """Make a workspace and register it in a home."""
    with opened(home) as app:
        assert app.init(str(place), Caller()).name == GROUP


class Cards:
    """Tool calls about cards, each an event of its own, in order."""

    def __init__(self, place: Path, first: int = 1) -> None:
        self._place = place
        self._numbers = count(first)

    def say(self, does: str, card: Any, **given: Any) -> Said:
        """Return the event of a tool that does something with a card."""
        number = next(self._numbers)
        payload = {
            "session_id": "s-1",
            "cwd": str(self._place),
            "hook_event_name": "PostToolUse",
            "tool_name": f"mcp__canvas__{does}_card",
            "tool_use_id": f"use-{number}",
            "tool_input": {"card_id": card} | given,
            "tool_response": {"content": [{"type": "text", "text": "ok"}]},
        }
        return Said(
            key=f"use-{number}",
            text="",
            event="PostToolUse",
            payload=json.dumps(payload).encode(),
            received_ns=NOW_NS + number * SECOND_NS,
            group=GROUP,
        )


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "content": words}]


def lying(place: Path) -> dict[str, str]:
    """Return all plain files of the user's folders, by what stands below their front matter.

    Looked at again if one goes while it is read: the daemon gives a page its place by a new name.
    """
    while True:
        with suppress(FileNotFoundError):
            return _lying(place)


def _lying(place: Path) -> dict[str, str]:
    files = [file for file in sorted(place.rglob("*")) if file.is_file() and not file.is_symlink()]
    own = [file for file in files if ".os" not in file.relative_to(place).parts]
    return {str(file.relative_to(place)): _body(file.read_text(encoding="utf-8")) for file in own}


def curated(place: Path) -> dict[str, list[str]]:
    """Return the lines of the six files that say something, each day as the same one."""
    memory = place / ".os" / "memory"
    texts = {name: (memory / name).read_text(encoding="utf-8") for name in SIX}
    return {
        name: [_DAY.sub("DAY", line) for line in text.splitlines() if line.strip()]
        for name, text in texts.items()
    }


def _body(page: str) -> str:
    front, ends, body = page.partition("\n---\n")
    return (body if front.startswith("---\ncard: ") and ends else page).strip()


def mapping(place: Path) -> dict[str, tuple[str, str | None, str | None]]:
    """Return which card lies where: (state, file, what lies beside it)."""
    connection = apsw.Connection(str(place / ".os" / "memory" / "workspace.db"))
    try:
        rows = connection.execute("SELECT card, state, path, beside FROM cards WHERE is_due = 0")
        return {card: (state, path, beside) for card, state, path, beside in rows}
    finally:
        connection.close()
