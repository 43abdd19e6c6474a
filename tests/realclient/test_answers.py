"""What the model is told: our prepared brief where one is due, and not a word besides."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from realclient.api import FULL, Say, Use, bash, delegate
from realclient.client import conversing
from realclient.terminal import Terminal
from rig import Home

if TYPE_CHECKING:
    from realclient.api import Script
    from realclient.client import Client, Ended

PROMPT, AGENT = "Look at the project", "Look at the other one"
BRIEF = "This project keeps its notes in a folder called heron."
# ids of sessions, machines and subagents, and how long something took
VARYING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{64}\b|\ba[0-9a-f]{16}\b|duration_ms: \d+"
)
OF_ONE_RUN = re.compile(r"_ms$|^uuid$|^session_id$")


def _script(home: Home) -> Script:
    note = str(home.project / "note.txt")
    return {
        PROMPT: [
            Use("Write", {"file_path": note, "content": "a note"}),
            Use("Read", {"file_path": note}),
            bash("cat nothing"),
            delegate(AGENT),
            Say("Looked at."),
        ],
        AGENT: [bash("echo elsewhere"), Say("Nothing to see.")],
    }


def _prepare_a_brief(home: Home) -> None:
    home.configure(f"brief\tmain\tprepared\t{home.project}\n", prepared=BRIEF)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """One conversation, held three times: without us, with us, and with a brief of ours."""

    alone: tuple[Client, Ended]
    with_us: tuple[Client, Ended]
    briefed: tuple[Client, Ended]


def _ran(home: Home, *, hooked: bool) -> tuple[Client, Ended]:
    with conversing(home, _script(home), hooked=hooked) as client:
        return client, client.say(PROMPT)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    homes = [Home(tmp_path_factory.mktemp(name)) for name in ("alone", "hooked", "briefed")]
    _prepare_a_brief(homes[2])
    return Runs(
        alone=_ran(homes[0], hooked=False),
        with_us=_ran(homes[1], hooked=True),
        briefed=_ran(homes[2], hooked=True),
    )


def _asked(client: Client) -> str:
    """Return all that the model was asked, with what differs from run to run made equal."""
    scratch = str(client.home.scratch)
    slug = re.sub("[^A-Za-z0-9]", "-", scratch)
    found = json.dumps([request.body for request in client.api.requests], indent=1)
    return VARYING.sub("?", found.replace(scratch, "SCRATCH").replace(slug, "SLUG"))


def _printed(ended: Ended) -> dict[str, Any]:
    """Return what the client says at its end, without times and ids."""
    return {name: told for name, told in ended.told.items() if not OF_ONE_RUN.search(name)}


def test_the_model_reads_what_it_would_read_without_us(runs: Runs) -> None:
    asked = _asked(runs.with_us[0])

    assert asked == _asked(runs.alone[0])


def test_with_a_brief_the_model_reads_nothing_else_besides(runs: Runs) -> None:
    asked = _asked(runs.briefed[0])

    for event, told in (("SessionStart", BRIEF), ("SubagentStart", f"{BRIEF}, agent")):
        asked = asked.replace(f"{event} hook additional context: {told}\\n\\n", "")

    assert asked == _asked(runs.alone[0])


@pytest.mark.parametrize("run", ["with_us", "briefed"])
def test_the_client_ends_and_prints_as_it_would_without_us(runs: Runs, run: str) -> None:
    ended: Ended = getattr(runs, run)[1]
    alone = runs.alone[1]

    assert (ended.code, ended.err) == (alone.code, alone.err) == (0, "")
    assert _printed(ended) == _printed(alone)


def test_the_brief_reaches_the_model_before_its_first_word(runs: Runs) -> None:
    first = runs.briefed[0].api.requests[0]

    assert first.shows(BRIEF)


def test_the_brief_reaches_the_subagent_before_its_first_word(runs: Runs) -> None:
    requests = runs.briefed[0].api.requests

    first = next(request for request in requests if AGENT in request.user_text())

    assert first.shows(f"SubagentStart hook additional context: {BRIEF}, agent")


def test_it_is_kept_which_brief_was_told_to_whom(runs: Runs) -> None:
    entries = runs.briefed[0].home.entries

    answered = [(entry.event, entry.answered) for entry in entries if entry.answered != "-"]

    assert answered == [("SessionStart", "b-prepared"), ("SubagentStart", "a-prepared")]


def test_a_model_that_was_compacted_is_told_the_brief_again(home: Home) -> None:
    _prepare_a_brief(home)
    script: Script = {PROMPT: [bash("echo all of it", tokens=FULL), Say("Looked at.")]}

    with conversing(home, script) as client:
        client.say(PROMPT)

    assert [request.shows(BRIEF) for request in client.api.requests] == [True] * 3
    assert len(client.api.requests[2].body["messages"]) == len(
        client.api.requests[0].body["messages"]
    )


def test_a_person_sees_on_the_screen_that_the_last_session_did_not_land(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = Home(tmp_path_factory.mktemp("unlanded"))
    _prepare_a_brief(home)
    home.configure(f"brief\tmain\tprepared\t{home.project}\n", prepared=f"{BRIEF}\nunlanded")

    with conversing(home, _script(home)) as client, Terminal(client) as terminal:
        terminal.until(lambda: "tacit queue" in terminal.screen(), "the notice")
        shown = terminal.screen()

    assert "Tacit could not make memories of a turn of the last session." in shown
    assert "heron" not in shown
