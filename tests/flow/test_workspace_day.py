"""A day in a workspace, through the real hook and a real daemon: at its end all is as it should be.

Documents come, are read and extracted; cards are made, renamed, edited by hand and closed; the user
corrects, also what stands on the curated pages; somebody edits one of these by hand; the daemon is
stopped, killed and comes back. What files, cards and actions there are in the end, and what the six
curated files say, stands in the tables of `day.py`, and nothing else is there.
"""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from flow.daemons import Daemons, until
from flow.day import (
    ACTIONS,
    BY_HAND,
    CARDS,
    EDIT,
    FILES,
    NEW,
    NEW_LINE,
    OLD,
    OLD_LINE,
    SIX,
    SOUL,
    SUPPLIERS,
)
from flow.keeping import Said, opened, spool, tacit
from flow.working import GROUP, curated, lying, mapping, text
from rig import only_linux

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

pytestmark = only_linux

HOUR_NS = 3600 * 10**9


class Day:
    """The user, the agent and the workspace, as they act."""

    def __init__(self, home: Home, place: Path) -> None:
        self._home = home
        self.place = place
        self._numbers = count(1)
        self._turn = ""

    def hook(self, event: str, **fields: Any) -> None:
        """Let the real hook record something; it never fails, and never takes long."""
        told = {"cwd": str(self.place), "prompt_id": self._turn} | fields
        ended = self._home.hook(event, self._home.payload(event, **told), cwd=self.place)
        assert (ended.code, ended.err) == (0, b"")

    def ask(self, prompt: str) -> None:
        """Begin a turn."""
        self._turn = f"turn-{next(self._numbers)}"
        self.hook("UserPromptSubmit", prompt=prompt)

    def tool(self, name: str, **given: Any) -> None:
        use = f"use-{next(self._numbers)}"
        self.hook("PostToolUse", tool_name=name, tool_use_id=use, tool_input=given,
                  tool_response={"content": [{"type": "text", "text": "ok"}]})  # fmt: skip

    def card(self, does: str, number: int, **given: Any) -> None:
        self.tool(f"mcp__canvas__{does}_card", card_id=f"card-{number}", **given)

    def reply(self, words: str = "Done.") -> None:
        self.hook("Stop", last_assistant_message=words)

    def put(self, path: str, words: str, age: int = 0) -> None:
        """Put a file into the workspace, as old as that."""
        file = self.place / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(words, encoding="utf-8")
        when = time.time() - age
        os.utime(file, (when, when))

    def page(self, name: str) -> Path:
        return self.place / "projects" / name

    def says(self, name: str, words: str) -> bool:
        file = self.page(name)
        return file.exists() and file.read_text(encoding="utf-8").rstrip().endswith(words)


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


@pytest.fixture
def day(home: Home) -> Day:
    place = home.scratch / "papers"
    assert tacit(home.path, "init", str(place)).returncode == 0
    own = "[upkeep]\ncorrections = 6\n"
    (place / ".os" / "config.toml").write_text(own, encoding="utf-8")
    return Day(home, place)


def _seen(place: Path) -> bool:
    """Say whether the daemon has seen the documents."""
    if not (place / ".os" / "memory" / "workspace.db").exists():
        return False
    connection = apsw.Connection(str(place / ".os" / "memory" / "workspace.db"))
    try:
        ((found,),) = connection.execute("SELECT COUNT(*) FROM seen WHERE area = 'documents'")
        return bool(found)
    except apsw.Error:  # it is just being made
        return False
    finally:
        connection.close()


def _morning(day: Day) -> None:
    """Let documents come, be read and be extracted; and the first cards."""
    for path, words in FILES.items():
        if path.startswith("documents/"):
            day.put(path, words, age=9000)
    day.put("documents/invoice-7.pdf", "invoice", age=9000)
    day.hook("SessionStart", source="startup")
    until(lambda: _seen(day.place), "a look at the documents")
    day.ask("I have uploaded some documents: read and extract them")
    day.tool("Read", file_path=f"{day.place}/documents/invoice-7.pdf")
    day.put("ocr/invoice-7.txt", "invoice", age=8000)
    for stem, words in (("invoice-7", '{"total": 100}'), ("letter", "{}"), ("contract", "{}")):
        day.put(f"extractions/{stem}.json", words, age=7000)
        day.tool("Write", file_path=f"{day.place}/extractions/{stem}.json", content=words)
    day.put("extractions/contract (1).json", "{}", age=7000)
    day.card("create", 1, title="First steps", blocks=text("to do"))
    day.card("create", 2, title="Contract review", blocks=text("clause four"))
    day.card("create", 3, title="Notes", blocks=text("first"))
    day.reply()


def _deployed(day: Day, home: Home) -> None:
    """Let the owner say who the agent is, and the user what they like."""
    soul = home.scratch / "soul.md"
    soul.write_text(SOUL, encoding="utf-8")
    done = tacit(home.path, "deploy", str(day.place), "--soul", str(soul), "--version", "2.1")
    assert (done.returncode, done.stdout) == (
        0,
        "Deployed soul.md and os.md for group papers, version 2.1.\n",
    )
    day.ask(OLD)
    day.reply("Noted.")
    until(lambda: OLD_LINE in _user(day), "what the user likes")


def _user(day: Day) -> str:
    file = day.place / ".os" / "memory" / "user.md"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _edited(day: Day, home: Home) -> None:
    """Let somebody write into a curated file: kept and shown, but told only once accepted."""
    file = day.place / ".os" / "memory" / "user.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(*EDIT), encoding="utf-8")
    day.ask(NEW)
    day.reply("Noted.")
    until(lambda: NEW_LINE in _user(day), "the correction")
    assert OLD_LINE not in _user(day)  # replaced, in the same batch
    assert BY_HAND in _user(day)
    assert BY_HAND in _said(home, day, "files", "diff")
    assert BY_HAND not in _said(home, day, "boot")
    assert _said(home, day, "files", "accept", "user").startswith("Accepted user.md: remember 1.")
    assert BY_HAND in _said(home, day, "boot")


def _said(home: Home, day: Day, *arguments: str) -> str:
    """Return what a command says in the workspace."""
    done = tacit(home.path, *arguments, cwd=day.place)
    assert done.returncode == 0
    return done.stdout


def _noon(day: Day) -> None:
    """Let a card get another title, one file another name, and one be edited by hand."""
    until(lambda: day.says("notes.md", "first"), "the first pages")
    day.page("notes.md").rename(day.page("my own name.md"))
    day.ask("Rename the notes, and go on")
    day.card("update", 3, title="Notes of the day", blocks=text("second"))
    until(lambda: day.says("my own name.md", "second"), "the page with another name")
    with day.page("contract-review.md").open("a", encoding="utf-8") as page:
        page.write("my own note\n")
    day.card("update", 2, blocks=text("clause five"))
    day.card("close", 1, blocks=text("all done"))
    day.reply()
    until(lambda: day.says("contract-review.md.conflict", "clause five"), "the other version")
    until(lambda: day.says("archive/first-steps.md", "all done"), "the archive")


def _asleep(day: Day, pid: int) -> None:
    """Let the daemon be stopped for a while: everything goes on, and it catches up."""
    os.kill(pid, signal.SIGSTOP)
    day.ask("And now the taxes")
    day.card("create", 4, title="Tax 2026", blocks=text("the first one"))
    day.card("create", 5, title="TAX-2026", blocks=text("the other one"))
    day.card("create", 6, title="Made while it slept", blocks=text("in its sleep"))
    day.card("update", 3, blocks=text("third"))
    day.reply()
    assert not day.page("tax-2026.md").exists()
    os.kill(pid, signal.SIGCONT)
    until(lambda: day.says("made-while-it-slept.md", "in its sleep"), "what came meanwhile")


def _killed(day: Day, daemons: Daemons, pid: int) -> None:
    """Let the daemon be killed; the next session brings it back."""
    os.kill(pid, signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")
    day.ask("What about named.pdf? And change the tax card")
    day.card("update", 4, blocks=text("after the kill"))
    day.reply()
    daemons.let_hooks_try()
    day.hook("SessionStart", source="startup")
    assert daemons.until_alone() != pid
    until(lambda: day.says("tax-2026.md", "after the kill"), "what the killed one left")


def _evening(day: Day) -> None:
    """Let the user correct an extraction again and again, and change a document."""
    for supplier in SUPPLIERS:
        day.ask(f"That's wrong, the {supplier} total is the gross amount, not the net amount.")
        day.tool("Edit", file_path=f"{day.place}/extractions/invoice-7.json", old_string="100")
        day.reply("Corrected.")
    day.put("extractions/invoice-7.json", '{"total": 119}', age=100)
    day.put("documents/invoice-7.pdf", "invoice, corrected", age=50)
    day.hook("SessionEnd", reason="exit")


def _name_again(home: Home, place: Path, hours: int) -> None:
    """Let somebody name a document once more, so many hours later."""
    payload = home.payload("UserPromptSubmit", prompt="named.pdf?", prompt_id="x", cwd=str(place))
    when = time.time_ns() + hours * HOUR_NS
    spool(
        home.path,
        [Said(key="", text="", event="UserPromptSubmit", payload=payload, received_ns=when,
              group=GROUP)],
    )  # fmt: skip


def _at_the_end(home: Home, hours: int) -> list[str]:
    """Look after everything once more, so many hours later; return what is asked."""
    with opened(home.path, lambda: time.time_ns() + hours * HOUR_NS) as app:
        app.drain(seconds=None)
        assert app.tend(GROUP)
        assert app.mirror(GROUP) == 0
        return sorted(each.content for each in app.actions(GROUP))


def test_a_day_ends_with_these_files_cards_and_actions_and_these_six_pages(
    home: Home, day: Day, daemons: Daemons
) -> None:
    pid = daemons.start()
    _morning(day)
    _deployed(day, home)
    _noon(day)
    _edited(day, home)
    _asleep(day, pid)
    _killed(day, daemons, pid)
    _evening(day)
    until(lambda: home.spooled == [], "an empty spool")
    daemons.stop()
    early = _at_the_end(home, hours=23)
    _name_again(home, day.place, hours=10)

    late = _at_the_end(home, hours=26)

    assert lying(day.place) == FILES
    assert mapping(day.place) == CARDS
    assert curated(day.place) == SIX
    assert (early, late) == ([each for each in ACTIONS if "lost" not in each], ACTIONS)
    assert tacit(home.path, "rebuild", "--yes", cwd=day.place).returncode == 0
    assert (lying(day.place), mapping(day.place)) == (FILES, CARDS)
    assert curated(day.place) == SIX
    assert _at_the_end(home, hours=26) == late
