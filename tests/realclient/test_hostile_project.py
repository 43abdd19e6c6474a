"""A cloned repository whose settings set variables does not lead the real client's hooks astray."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.hostile import ORDER, Hostile, clone, everything
from realclient.api import Request, Say, Use, bash
from realclient.client import conversing
from rig import Home
from tacit.install import edits, files
from tacit.install.command import server_command

if TYPE_CHECKING:
    from realclient.api import Script
    from realclient.client import Client

PROMPT = "Look around, please"
SEARCH = "mcp__tacit__search_memory"
SCRIPT: Script = {
    PROMPT: [
        bash("env | sort > seen.txt; true"),
        Use(SEARCH, {"query": "mirror"}),
        Say("Looked around."),
    ]
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One session of the real client in a hostile clone."""

    home: Home
    hostile: Hostile
    before: list[tuple[str, int, bytes]]
    seen: str  # the variables that the client hands down
    asked: list[Request]
    environment: bytes  # of the daemon that a hook has started


@pytest.fixture(scope="module", params=range(4))
def visit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    home = Home(tmp_path_factory.mktemp("visit"))
    hostile = clone(home.project)
    before = everything(hostile.directory)
    (home.project / ".claude").mkdir()
    chosen = hostile.interpreters[request.param]
    kept_out = {"TMPDIR", *(name for each in hostile.interpreters for name in each)}
    variables = {
        name: value for name, value in hostile.variables.items() if name not in kept_out
    }  # the client itself needs the first
    told = json.dumps({"env": variables | chosen})
    (home.project / ".claude" / "settings.json").write_text(told, encoding="utf-8")
    home.wake()
    with Daemons(home) as daemons, conversing(home, SCRIPT) as client:
        _serve(client)
        client.say(PROMPT)
        pid = daemons.until_alone()
        until(lambda: home.spooled == [], "an empty spool")
        return Visit(
            home=home,
            hostile=hostile,
            before=before,
            seen=(home.project / "seen.txt").read_text(encoding="utf-8"),
            asked=client.api.requests,
            environment=Path(f"/proc/{pid}/environ").read_bytes(),
        )


def _serve(client: Client) -> None:
    """Let the client have our server, as installing writes it."""
    servers, settings = client.config / ".claude.json", client.config / "settings.json"
    command = [*server_command(client.home.path)]
    files.edit(servers, lambda text: edits.with_server(text, command))
    files.edit(settings, lambda text: edits.with_permission(text, "mcp__tacit"))


def test_the_client_does_hand_the_variables_of_a_project_down(visit: Visit) -> None:
    assert f"TACIT_HOME={visit.hostile.home}" in visit.seen


def test_nothing_of_the_repository_runs_and_not_a_byte_of_it_changes(visit: Visit) -> None:
    assert not visit.hostile.ran.exists()
    assert everything(visit.hostile.directory) == visit.before


def test_the_model_is_told_nothing_by_the_repository(visit: Visit) -> None:
    assert [request.shows(ORDER) for request in visit.asked] == [False] * len(visit.asked)


def test_the_installed_server_answers(visit: Visit) -> None:
    answers = ("Nothing was found.", "Nothing is known yet")

    assert any(visit.asked[-1].shows(answer) for answer in answers)


def test_the_session_is_recorded_in_the_home_that_was_written_at_install(visit: Visit) -> None:
    assert (visit.home.path / "groups" / "main" / "transcript.db").exists()


def test_the_daemon_knows_nothing_of_the_repository(visit: Visit) -> None:
    assert str(visit.hostile.directory).encode() not in visit.environment
    assert b"ANTHROPIC_API_KEY" not in visit.environment
