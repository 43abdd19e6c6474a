"""`tacit actions`: what waits for attention, the most urgent first, until somebody closes it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tacit.model.action import Action

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind


def waiting(mind: Mind, number: int, **changes: Any) -> str:
    """Let something wait for attention; return its id."""
    fields: dict[str, Any] = {
        "id": f"act-{number}",
        "content": f"Mend the roof {number}",
        "session": "s-1",
        "event": f"evt-{number}",
        "quote": "mend the roof",
        "origin": "user",
        "created_at": time.time_ns() + number,
    }
    action = Action(**fields | changes)
    with mind.opened() as store:
        store.actions.put(action)
    return action.id


@pytest.fixture
def three(mind: Mind) -> None:
    """Let three things wait, the most urgent last."""
    for number in range(3):
        waiting(mind, number, priority=2 - number)


def test_where_nothing_waits_it_says_so(cli: Cli) -> None:
    assert cli("actions") == (0, "Nothing waits for attention.\n", "")


@pytest.mark.usefixtures("three")
def test_the_most_urgent_comes_first(cli: Cli) -> None:
    head, *rows = cli("actions").out.splitlines()

    assert head.split() == ["action", "priority", "status", "since", "what"]
    assert [row.split()[:3] for row in rows] == [
        ["act-2", "urgent", "pending"],
        ["act-1", "high", "pending"],
        ["act-0", "normal", "pending"],
    ]
    assert rows[0].endswith("  Mend the roof 2")


@pytest.mark.usefixtures("three")
def test_programs_get_every_field(cli: Cli) -> None:
    first = cli.json("actions")[0]

    assert {name: first[name] for name in ("id", "priority", "status", "session", "origin")} == {
        "id": "act-2",
        "priority": 0,
        "status": "pending",
        "session": "s-1",
        "origin": "user",
    }


@pytest.mark.parametrize(
    ("verb", "said", "status"),
    [("resolve", "Done", "acted_on"), ("dismiss", "Dismissed", "dismissed")],
)
@pytest.mark.usefixtures("three")
def test_what_is_closed_waits_no_longer(verb: str, said: str, status: str, cli: Cli) -> None:
    told = cli("actions", verb, "act-1")

    assert told == (0, f"{said}: Mend the roof 1\n", "")
    assert [each["id"] for each in cli.json("actions")] == ["act-2", "act-0"]
    (closed,) = cli.json("actions", "--status", status)
    assert (closed["id"], closed["closed_at"] > 0) == ("act-1", True)


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("pending", ["act-1", "act-0"]),
        ("acted_on", ["act-2"]),
        ("completed", ["act-2"]),
        ("dismissed", []),
        ("all", ["act-2", "act-1", "act-0"]),
    ],
)
@pytest.mark.usefixtures("three")
def test_those_of_a_status_can_be_asked_for(status: str, found: list[str], cli: Cli) -> None:
    cli("actions", "resolve", "act-2")

    assert [each["id"] for each in cli.json("actions", "--status", status)] == found


def test_a_status_that_is_none_is_refused(cli: Cli) -> None:
    told = cli("actions", "--status", "soon")

    sentence = "'soon' is no status of an action. Use pending, acted_on, dismissed."
    assert told == (9, "", f"tacit: {sentence}\n")


@pytest.mark.parametrize("verb", ["resolve", "dismiss"])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("act-404", "There is no action 'act-404'. See `tacit actions`."),
        ("", "There is no action ''. See `tacit actions`."),
        ("act-", "'act-' begins more than one id: say more of it."),
    ],
    ids=["unknown", "empty", "ambiguous"],
)
@pytest.mark.usefixtures("three")
def test_an_action_that_is_not_there_is_refused(
    verb: str, name: str, sentence: str, mind: Mind, cli: Cli
) -> None:
    before = mind.transcript()

    told = cli("actions", verb, name)

    assert told == (6, "", f"tacit: {sentence}\n")
    assert mind.transcript() == before


def test_a_memory_is_no_action(mind: Mind, cli: Cli) -> None:
    memory = mind.plant("The sky is blue")

    told = cli("actions", "resolve", memory.id)

    assert told == (6, "", f"tacit: There is no action {memory.id!r}. See `tacit actions`.\n")


def test_a_closed_action_is_closed_once(mind: Mind, cli: Cli) -> None:
    waiting(mind, 0)
    cli("actions", "dismiss", "act-0")

    cli("actions", "resolve", "act-0")

    assert cli.json("actions", "--status", "all")[0]["status"] == "dismissed"


def test_a_closed_action_is_not_told_as_closed_anew(mind: Mind, cli: Cli) -> None:
    waiting(mind, 0)
    cli("actions", "dismiss", "act-0")

    told = cli("actions", "resolve", "act-0")

    assert "Done" not in told.out


@pytest.mark.parametrize("verb", ["", "resolve", "dismiss"])
def test_nothing_in_an_action_reaches_the_terminal_as_it_is(
    verb: str, hostile: str, mind: Mind, cli: Cli
) -> None:
    name = waiting(mind, 0, content=hostile, quote=hostile, session=hostile)

    told = cli.at_terminal("actions", *([verb, name] if verb else []))

    assert (told.code, told.strange) == (0, set())
    assert len(told.out.splitlines()) == (1 if verb else 2)


@pytest.mark.usefixtures("three", "agent")
def test_an_agent_may_not_close_an_action(cli: Cli) -> None:
    told = cli("actions", "resolve", "act-0")

    assert (told.code, len(cli.json("actions"))) == (7, 3)
    assert "mcp.resolve_actions" in told.err


@pytest.mark.usefixtures("three", "agent")
def test_an_agent_may_say_that_it_has_acted_where_the_owner_lets_it(cli: Cli, home: Home) -> None:
    (home.path / "config.toml").write_text("[mcp]\nresolve_actions = true\n", encoding="utf-8")

    told = cli("actions", "resolve", "act-0")

    assert (told.code, len(cli.json("actions"))) == (0, 2)
    assert [each["origin"] for each in cli.json("audit")] == ["agent"]


@pytest.mark.parametrize("verb", ["resolve", "dismiss"])
def test_the_verbs_behind_it_explain_themselves(verb: str, cli: Cli) -> None:
    told = cli("actions", verb, "--help")

    assert (told.code, f"tacit actions {verb} [OPTIONS] ACTION" in told.out) == (0, True)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [("completed", "No action is acted_on.\n"), ("all", "There is no action yet.\n")],
)
def test_where_no_action_is_of_a_status_that_is_said(status: str, sentence: str, cli: Cli) -> None:
    assert cli("actions", "--status", status).out == sentence
