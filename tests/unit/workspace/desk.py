"""A desk: a workspace in a directory of its own, with a transcript that can be spoken into."""

from __future__ import annotations

import json
import os
from itertools import count
from typing import TYPE_CHECKING, Any

from contract.conftest import sqlite_memory
from tacit.store.sqlite import engine
from tacit.store.sqlite.workspace import open_workspace
from tacit.transcript.files import Files
from tacit.transcript.ledger import Ledger
from tacit.workspace import layout
from tacit.workspace.canvas import Canvas
from tacit.workspace.follow import Follower
from tacit.workspace.mirror import Mirror
from tacit.workspace.raising import Raiser
from unit.transcript.events import NOON, event

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.model.event import Record
    from tacit.store.sqlite.workspace import Card, SqliteWorkspace

CANVAS = Canvas()
TEXT = [{"type": "text", "content": "hello"}]


class Desk:
    """A workspace, open: events are said, files looked at."""

    def __init__(self, scratch: Path) -> None:
        os.umask(0o077)
        self.place = scratch / "papers"
        self.place.mkdir()
        layout.make(self.place, "1.0")
        home = scratch / "home"
        home.mkdir(mode=0o700)
        self.files = Files(home, "papers", workspace=self.place)
        self.ledger = Ledger(self.files, engine.look(home), now_ns=NOON)
        self.memory = sqlite_memory(scratch)
        self._numbers = count(1)
        self.store = self._opened()

    def _opened(self) -> SqliteWorkspace:
        return open_workspace(self.place / ".os/memory/workspace.db", engine.look(self.place))

    def close(self) -> None:
        self.store.close()
        self.memory.close()
        self.ledger.close()

    def lose_ledger(self) -> None:
        """Let what is known of cards and files be gone, as if it had never been."""
        self.store.close()
        for file in (self.place / ".os" / "memory").glob("workspace.db*"):
            file.unlink()
        self.store = self._opened()

    def say(self, kind: str, tool: str | None = None, **payload: Any) -> Record:
        """Let something happen; return its record."""
        number = next(self._numbers)
        said = event(
            number,
            kind=kind,
            tool=tool,
            body=json.dumps(payload, ensure_ascii=False).encode(),
            **({"turn": payload["turn"]} if "turn" in payload else {}),
        )
        (record,) = self.ledger.append([said], now_ns=NOON)
        return record

    def card(self, does: str, card: str = "c1", **given: Any) -> Record:
        """Let a tool do something with a card."""
        return self.say("tool_use", f"mcp__x__{does}_card", tool_input={"card_id": card} | given)

    def follow(self) -> bool:
        return Follower(self.ledger.store, self.store, CANVAS).advance()

    @property
    def mirror(self) -> Mirror:
        return Mirror(self.place, self.ledger.store, self.store, CANVAS)

    def settle(self) -> int:
        """Follow the transcript and let the files say what it does."""
        assert self.follow()
        return self.mirror.settle()

    def raiser(self, now_ns: int = NOON) -> Raiser:
        return Raiser(self.memory, self.ledger.store, now_ns)

    def known(self, card: str = "c1") -> Card:
        found = self.store.card(card)
        assert found is not None
        return found

    def pages(self) -> dict[str, str]:
        """Return what lies in projects, and what stands below the front matter of each."""
        root = self.place / "projects"
        files = [file for file in root.rglob("*") if file.is_file() and not file.is_symlink()]
        return {
            str(file.relative_to(root)): file.read_text(encoding="utf-8")
            .rpartition("---\n")[2]
            .strip()
            for file in sorted(files)
        }

    def page(self, path: str) -> Path:
        return self.place / "projects" / path

    def put(self, path: str, text: str = "words", modified: int = 0) -> Path:
        """Put a file into the workspace, changed at a second of its own."""
        file = self.place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if modified:
            os.utime(file, (modified, modified))
        return file

    def asked(self) -> list[str]:
        """Return what waits for attention."""
        return [each.content for each in self.memory.actions.wanted("pending")]


def shot(place: Path) -> dict[str, tuple[int, int]]:
    """Return every file with its inode and time: what was written again has others."""
    return {
        str(file.relative_to(place)): (file.lstat().st_ino, file.lstat().st_mtime_ns)
        for file in sorted(place.rglob("*"))
        if ".os" not in file.parts
    }


def text(words: str) -> list[dict[str, str]]:
    """Return the blocks of a card that says this."""
    return [{"type": "text", "content": words}]


def edit(file: Path, words: str = "by hand") -> None:
    """Let somebody write something at the end of a file."""
    file.write_text(file.read_text(encoding="utf-8") + words, encoding="utf-8")
