"""Somebody outside changes the curated files: it is seen, and told to nobody until accepted."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flow.keeping import opened
from flow.outside import ORDER, WAYS, WORD
from flow.test_brief import say, told
from tacit.deliver.curated.deployed import Deployment
from tacit.deliver.curated.names import RENDERED, SIX
from tacit.policy import Caller
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App

OWNER = Caller()
RULE = "Never push to main"
LOST = "it was removed, and what was deployed is not known any more: deploy it again"
UNTOUCHED = {"within our own lines"}  # some files hold no such line


@pytest.fixture
def files(home: Home) -> Path:
    """Let something be known and deployed; return where the six files lie."""
    home.hook("SessionStart", {})
    with opened(home.path) as app:
        app.drain(seconds=None)
        texts = {"soul.md": f"Be kind. {RULE}.\n", "os.md": f"One rule. {RULE}.\n"}
        app.deploy("main", Deployment(texts=texts), OWNER)
        for kind in ("instruction", "correction", "decision", "tool", "fact"):
            app.remember("main", Said(text=f"{RULE}, says the {kind}", kind=kind), OWNER)
        app.remember("main", Said(text=RULE, kind="fact", tags=("files",)), OWNER)
    return home.path / "groups" / "main" / "files"


def delivered(app: App, home: Home) -> str:
    """Return all that any agent is told, by whatever way."""
    folder = home.path / "groups" / "main"
    pages = [folder / "files" / "relevant.md", *(folder / "files" / "relevant").iterdir()]
    texts = [each.read_text("utf-8") for each in (*(folder / "briefs").iterdir(), *pages)]
    here = str(home.project)
    told = [app.boot("main", tokens=100_000).text, app.boot("main", here).text]
    return "\n".join([*texts, *told, app.brief("main").text, app.brief("main", here).text])


@pytest.mark.parametrize("way", WAYS)
def test_s28_a_change_from_outside_is_shown_and_told_to_nobody(
    way: str, files: Path, home: Home
) -> None:
    WAYS[way](files)
    say(home, "Where do I push?", "t-1")

    with opened(home.path) as app:
        app.drain(seconds=None)
        states = {each.name: each.state for each in app.files("main")}
        everything = delivered(app, home) + told(home) + told(home, "SubagentStart")

    assert {states[name] for name in SIX} <= {"edited", "refused"} or way in UNTOUCHED
    assert "edited" in states.values() or "refused" in states.values()
    assert WORD not in everything.casefold()
    assert RULE in everything


@pytest.mark.parametrize("way", WAYS)
def test_s28_rejected_it_is_gone_from_every_file(way: str, files: Path, home: Home) -> None:
    with opened(home.path) as app:
        before = {name: (files / name).read_text("utf-8") for name in RENDERED}
        WAYS[way](files)
        for each in app.edits("main"):
            app.reject_edits("main", each.name, OWNER)

        found = {name: (files / name).read_text("utf-8") for name in RENDERED}
        left = [each.trouble for each in app.edits("main")]
        text = app.boot("main").text

    assert found == before
    assert left == ([LOST] * 2 if way == "with the copies" else [])
    assert WORD not in text + "".join(each.read_text("utf-8") for each in files.glob("*.md"))


def test_s28_it_stays_in_the_file_whatever_is_learned_meanwhile(files: Path, home: Home) -> None:
    WAYS["a line behind"](files)
    with opened(home.path) as app:
        for number in range(3):
            app.remember("main", Said(text=f"Taste {number}", kind="preference"), OWNER)
        app.rebuild("main")
        added = [line for each in app.edits("main") for line in each.added]

    assert set(added) == {f"- {ORDER}"}
    assert all(ORDER in (files / name).read_text("utf-8") for name in SIX)


def test_s28_once_the_owner_accepts_it_it_is_told(files: Path, home: Home) -> None:
    WAYS["under instructions"](files)

    with opened(home.path) as app:
        before = app.boot("main").text
        app.edits("main", seen_by=OWNER)
        app.accept_edits("main", "user", OWNER)
        after = app.boot("main").text

    assert (WORD in before, WORD in after) == (False, True)


def test_s28_the_command_line_shows_it_and_an_agent_cannot_accept_it(
    files: Path, home: Home
) -> None:
    WAYS["a line behind"](files)

    def run(*arguments: str, **extra: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "tacit", *arguments],
            cwd=home.project,
            env=home.environment(**extra),
            capture_output=True,
            check=False,
        )

    assert run("files").stdout.count(b"edited by hand") == len(SIX)
    assert run("files", "diff").stdout.count(f"+ - {ORDER}".encode()) == len(SIX)
    assert run("files", "accept", "user", CLAUDECODE="1").returncode == 7
    assert WORD.encode() not in run("boot").stdout


def test_there_are_enough_ways() -> None:
    assert len(WAYS) >= 30
