"""Somebody outside changes the curated files: it is seen, and told to nobody until accepted."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from flow.keeping import opened
from flow.outside import BESIDE, ORDER, WAYS, WORD
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


@dataclass(frozen=True)
class Place:
    """Where the six files lie, and whose they are: a group's in the home, or a workspace's."""

    group: str
    files: Path


@pytest.fixture(params=["main", "project"])
def place(home: Home, request: pytest.FixtureRequest) -> Place:
    """Let something be known and deployed, in the home or in a workspace."""
    group = str(request.param)
    files = home.path / "groups" / "main" / "files"
    with opened(home.path) as app:
        if group != "main":
            assert app.init(str(home.project), OWNER).name == group
            files = home.project / ".os" / "memory"
        home.hook("SessionStart", {})
        app.drain(seconds=None)
        texts = {"soul.md": f"Be kind. {RULE}.\n", "os.md": f"One rule. {RULE}.\n"}
        app.deploy(group, Deployment(texts=texts), OWNER)
        for kind in ("instruction", "correction", "decision", "tool", "fact"):
            app.remember(group, Said(text=f"{RULE}, says the {kind}", kind=kind), OWNER)
        app.remember(group, Said(text=RULE, kind="fact", tags=("files",)), OWNER)
    return Place(group, files)


def delivered(app: App, home: Home, place: Place) -> str:
    """Return all that any agent is told, by whatever way."""
    briefs = home.path / "groups" / place.group / "briefs"
    folders = (briefs, place.files / "told", place.files / "relevant")
    lying = [
        place.files / "relevant.md",
        *(each for folder in folders for each in folder.iterdir()),
    ]
    texts = [each.read_text("utf-8") for each in lying]
    for where in (None, str(home.project)):
        texts.append(app.brief(place.group, where).text)
        texts.append(app.boot(place.group, where, tokens=100_000).text)
    return "\n".join(texts)


@pytest.mark.parametrize("way", WAYS)
def test_s28_a_change_from_outside_is_shown_and_told_to_nobody(
    way: str, place: Place, home: Home
) -> None:
    WAYS[way](place.files)
    say(home, "Where do I push?", "t-1")

    with opened(home.path) as app:
        app.drain(seconds=None)
        states = {each.name: each.state for each in app.files(place.group)}
        everything = delivered(app, home, place) + told(home) + told(home, "SubagentStart")

    assert {states[name] for name in SIX} <= {"edited", "refused"} or way in UNTOUCHED
    assert "edited" in states.values() or "refused" in states.values()
    assert WORD not in everything.casefold()
    assert RULE in everything


@pytest.mark.parametrize("way", BESIDE)
def test_s28_what_is_written_into_what_clients_are_given_goes(
    way: str, place: Place, home: Home
) -> None:
    say(home, "Where do I push?", "t-1")
    with opened(home.path) as app:
        app.drain(seconds=None)
        BESIDE[way](place.files)
        say(home, "And where to from there?", "t-2")
        app.drain(seconds=None)
        everything = delivered(app, home, place)

    assert WORD not in everything.casefold()
    assert everything.count(RULE) > len(SIX)


@pytest.mark.parametrize("way", WAYS)
def test_s28_rejected_it_is_gone_from_every_file(way: str, place: Place, home: Home) -> None:
    with opened(home.path) as app:
        before = {name: (place.files / name).read_text("utf-8") for name in RENDERED}
        WAYS[way](place.files)
        for each in app.edits(place.group):
            app.reject_edits(place.group, each.name, OWNER)

        found = {name: (place.files / name).read_text("utf-8") for name in RENDERED}
        left = [each.trouble for each in app.edits(place.group)]
        text = app.boot(place.group).text

    assert found == before
    assert left == ([LOST] * 2 if way == "with the copies" else [])
    assert WORD not in text + "".join(each.read_text("utf-8") for each in place.files.glob("*.md"))


def test_s28_it_stays_in_the_file_whatever_is_learned_meanwhile(place: Place, home: Home) -> None:
    WAYS["a line behind"](place.files)
    with opened(home.path) as app:
        for number in range(3):
            app.remember(place.group, Said(text=f"Taste {number}", kind="preference"), OWNER)
        app.rebuild(place.group)
        added = [line for each in app.edits(place.group) for line in each.added]

    assert set(added) == {f"- {ORDER}"}
    assert all(ORDER in (place.files / name).read_text("utf-8") for name in SIX)


def test_s28_once_the_owner_accepts_it_it_is_told(place: Place, home: Home) -> None:
    WAYS["under instructions"](place.files)

    with opened(home.path) as app:
        before = app.boot(place.group).text
        app.edits(place.group, seen_by=OWNER)
        app.accept_edits(place.group, "user", OWNER)
        after = app.boot(place.group).text

    assert (WORD in before, WORD in after) == (False, True)


def test_s28_the_command_line_shows_it_and_an_agent_cannot_accept_it(
    place: Place, home: Home
) -> None:
    WAYS["a line behind"](place.files)

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
