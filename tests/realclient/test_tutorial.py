"""The first ten minutes: each command of the tutorial is run, by a user whose home is empty.

The checkout is installed into a virtual environment of its own, with the packages of this one
beside it. Claude Code is the real one and its model a script. What a command shows is what the
page says that it shows.
"""

from __future__ import annotations

import os
import site
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from realclient.api import Api, Say
from realclient.client import SEARCHED, program, surroundings
from realclient.following import Reader, fits, masked, steps
from realclient.hearing import told, until_prepared
from realclient.reading import ask
from rig import ROOT, Home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realclient.api import Request, Script
    from realclient.following import Seen, Step

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
STEPS = steps(PAGE)
LATENCY = 0.2  # of the model: longer than a hook takes to start
SCRIPT: Script = {
    "Remember that the staging database listens on port 5433.": [Say("I will.")],
    "We use pnpm here, never npm.": [Say("Noted.")],
    "Which port does the staging database listen on?": [Say("It listens on port 5433.")],
}
# what is prepared for the next session once all of a prompt's session was taken in
PREPARED = ("port 5433", "pnpm", "pnpm")  # who only asks leaves nothing behind
# the packages are those of this environment, and nothing is fetched
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # as pip spells it: not isolated
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A user who has followed the page: what each command showed, and what the model was asked."""

    user: Path
    seen: list[Seen]
    requests: list[Request]
    alive: list[int]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Followed]:
    scratch = tmp_path_factory.mktemp("tutorial")
    home, user = Home(scratch), scratch / "ann"
    home.path = user / ".local" / "share" / "tacit"
    with Daemons(home) as daemons, Api(SCRIPT, LATENCY) as api:
        reader = Reader(where=ROOT, environment=_environment(scratch, api), state=scratch / "state")
        seen = [_follow(reader, step, home) for step in STEPS]
        assert api.unscripted == []
        yield Followed(user=user, seen=seen, requests=api.requests, alive=daemons.alive())


def _environment(scratch: Path, api: Api) -> dict[str, str]:
    """Return what a user's terminal knows: an empty home, Python, and the client."""
    places = [scratch / name for name in ("ann", "tmp", "programs")]
    for place in places:
        place.mkdir()
    user, temporary, programs = places
    (programs / "claude").symlink_to(program())
    python = Path(sys._base_executable).parent  # type: ignore[attr-defined]  # noqa: SLF001
    found = os.pathsep.join([str(programs), str(python), SEARCHED])
    return surroundings(user, temporary, api) | OFFLINE | {"PATH": found, "SHELL": "/bin/bash"}


def _follow(reader: Reader, step: Step, home: Home) -> Seen:
    """Follow one step; then take the time that a reader takes."""
    if step.command.startswith("tacit search"):
        until(lambda: "meaning" in ask(home, "search", "port")["by"], "a search by meaning")
    seen = reader.follow(step)
    if "-m venv" in step.command:
        (packages,) = (home.scratch / "ann").glob(".venvs/tacit/lib/python*/site-packages")
        beside = "\n".join(site.getsitepackages())
        (packages / "beside.pth").write_text(beside, encoding="utf-8")
    for prompt, text in zip(SCRIPT, PREPARED, strict=True):
        if prompt in step.command:
            until_prepared(home, text)
    return seen


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[step.command for step in STEPS])
def test_a_command_shows_what_the_page_says(followed: Followed, number: int) -> None:
    seen = followed.seen[number]

    shown, here = masked(STEPS[number].shown), masked(seen.lines, followed.user)

    assert seen.code == 0, seen.lines
    assert fits(shown, here), "\n".join(here)


def test_the_third_session_was_told_what_the_first_two_have_taught(followed: Followed) -> None:
    first, _, third = followed.requests

    (brief,) = told(third)

    assert told(first) == []
    assert "- [fact] The staging database listens on port 5433" in brief
    assert "- [instruction] We use pnpm here, never npm" in brief


def test_what_was_installed_is_the_checkout_in_its_own_environment(followed: Followed) -> None:
    packages = followed.user.glob(".venvs/tacit/lib/python*/site-packages/tacit/cli/main.py")

    (installed,) = packages

    assert installed.read_bytes() == (ROOT / "src" / "tacit" / "cli" / "main.py").read_bytes()


def test_in_the_end_no_process_and_no_hook_is_left(followed: Followed) -> None:
    client = followed.user / ".claude"

    assert followed.alive == []
    assert not (client / "settings.json").exists()
    assert not (client / "tacit-hook.py").exists()
    assert "mcpServers" not in (followed.user / ".claude.json").read_text(encoding="utf-8")


def test_the_page_goes_the_way_that_the_readme_names() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = "\n".join(step.command for step in STEPS)

    assert "docs/tutorial.md" in readme
    for command in ("pip install .", "tacit install", "tacit uninstall"):
        assert command in readme
        assert command in commands


def test_it_tries_the_verbs_that_a_newcomer_needs() -> None:
    verbs = {step.command.split()[1] for step in STEPS if step.command.startswith("tacit ")}

    assert verbs >= {"install", "list", "search", "why", "correct", "brief", "doctor", "uninstall"}
    assert [step.command for step in STEPS].count("tacit") == 2
    assert sum(step.command.startswith("claude -p ") for step in STEPS) == 3


def test_a_page_that_shows_something_else_does_not_fit() -> None:
    (step,) = steps("Type:\n\n```\n$ tacit list\nmem-01a1-22  4 s ago  Tea\n…\nend\n```\n")

    assert (step.command, step.shown) == ("tacit list", ["mem-01a1-22  4 s ago  Tea", "…", "end"])
    assert fits(masked(step.shown), masked(["mem-77ff-00  now     Tea", "more", "more", "end"]))
    assert not fits(masked(step.shown), masked(["mem-77ff-00  now     Coffee", "end"]))
    assert not fits(masked(step.shown), masked(["mem-77ff-00  now     Tea", "end", "more"]))
