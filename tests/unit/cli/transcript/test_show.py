"""`tacit show`: a session turn by turn, a turn in full, and nothing that fools a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rig import SESSION
from tacit.cli.main import tacit
from tacit.errors import NotFound

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

FIRST = "0b7e6c1e-44f0-4d0e-9a53-6f1f6f3f9a01"
SECOND = "7a0f8f63-55a9-4a6c-8c5e-1f1a9c3b7e02"
HOSTILE = "\u202e\x07\x1b[31mred\x1b[0m\r\n\u202esecond line\u2066\x9b2J\x07"


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


@pytest.fixture
def talked(home: Home) -> Home:
    """Return a home in which a session of two turns has happened."""
    home.hook("UserPromptSubmit", {"prompt_id": FIRST, "prompt": "fix\nthe importer"})
    command = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "prompt_id": FIRST}
    home.hook("PostToolUseFailure", command | {"tool_use_id": "t1", "error": "2 failed"})
    passed = {"tool_use_id": "t2", "tool_response": {"stdout": "12 passed"}}
    home.hook("PostToolUse", command | passed | {"agent_id": "helper-0123"})
    home.hook("PostCompact", {"compact_summary": "so far", "prompt_id": FIRST})
    home.hook("Stop", {"last_assistant_message": "It reads dates now.", "prompt_id": FIRST})
    home.hook("UserPromptSubmit", {"prompt_id": SECOND, "prompt": "x" * 300})
    return home


def show(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["show", *arguments], catch_exceptions=False).stdout


def for_programs(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(show(*arguments, "--json"))
    return found


@pytest.mark.usefixtures("talked")
def test_a_session_is_shown_turn_by_turn_one_line_a_step() -> None:
    shown = show(SESSION).splitlines()

    assert [line.partition(", ")[0] for line in shown] == [
        f"{FIRST[:8]}  finished",
        "  user: fix the importer",
        "  ✗ Bash: pytest → 2 failed",
        "  ✓ Bash [helper-0]: pytest → 12 passed",
        "  assistant: It reads dates now.",
        "",
        f"{SECOND[:8]}  open",
        f"  user: {'x' * 93}…",
        "",
    ]


@pytest.mark.usefixtures("talked")
def test_a_turn_is_shown_in_full() -> None:
    shown = show(SECOND)

    assert "x" * 300 in shown


@pytest.mark.usefixtures("talked")
def test_the_lines_of_a_turn_in_full_stay_lines() -> None:
    shown = show(FIRST).splitlines()

    assert shown[1:3] == ["  user: fix", "  the importer"]


@pytest.mark.usefixtures("talked")
def test_a_compaction_is_told_with_its_turn() -> None:
    head = show(FIRST).splitlines()[0]

    assert "compacted 1 time" in head


@pytest.mark.usefixtures("talked")
@pytest.mark.parametrize(("name", "turns"), [(SESSION[:4], 2), (FIRST[:4], 1), (SECOND[:8], 1)])
def test_the_beginning_of_an_id_is_enough(name: str, turns: int) -> None:
    found = for_programs(name)

    assert len(found) == turns


@pytest.mark.usefixtures("talked")
def test_the_id_of_a_message_that_search_has_found_shows_its_turn() -> None:
    found = CliRunner().invoke(tacit, ["search", "dates", "--json"], catch_exceptions=False)
    event = next(each["id"] for each in json.loads(found.stdout)["hits"] if each["turn"] == FIRST)

    shown = for_programs(event)

    assert event.startswith("evt-")
    assert [turn["id"] for turn in shown] == [FIRST]


@pytest.mark.usefixtures("talked")
def test_programs_get_every_field() -> None:
    (found,) = for_programs(FIRST)

    times = found.pop("started"), found.pop("last")
    steps = found.pop("steps")
    assert times == tuple(sorted(times))
    assert found == {
        "id": FIRST,
        "session": SESSION,
        "state": "finished",
        "origin": "user",
        "last_seq": 5,
        "prompt": "fix\nthe importer",
        "reply": "It reads dates now.",
        "compactions": 1,
    }
    assert steps[1] == {
        "seq": 3,
        "tool": "Bash",
        "agent": "helper-0123",
        "failed": False,
        "given": "pytest",
        "result": "12 passed",
    }


def test_a_prompt_that_the_client_made_is_not_the_user_s(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "<task-notification>done</task-notification>"})

    shown = show(SESSION).splitlines()

    assert shown[1].startswith("  system: ")


def test_no_turn_is_of_the_future(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    head = show(SESSION).splitlines()[0]

    assert head.partition(", ")[2] in {"now", "1 s ago", "2 s ago", "3 s ago"}


@pytest.mark.parametrize("field", ["prompt", "prompt_id", "tool_name", "agent_id", "command"])
@pytest.mark.parametrize("turns", [1, 2], ids=["in full", "turn by turn"])
def test_no_text_of_a_session_reaches_the_terminal_as_it_is(
    field: str, turns: int, home: Home
) -> None:
    hostile = {"prompt": "hi", "prompt_id": "p", "tool_name": "t", "agent_id": "a"} | {
        field: HOSTILE
    }
    told = {name: hostile[name] for name in ("prompt", "prompt_id")}
    home.hook("UserPromptSubmit", told)
    used = {name: hostile[name] for name in ("prompt_id", "tool_name", "agent_id")}
    given = {"tool_use_id": "t1", "tool_input": {"command": hostile.get("command", "")}}
    home.hook("PostToolUse", used | given | {"tool_response": HOSTILE})
    if turns == 2:
        home.hook("UserPromptSubmit", {"prompt": "more", "prompt_id": "q"})

    shown = show(SESSION)

    assert {char for char in shown if not char.isprintable()} == {"\n"}


@pytest.mark.parametrize("turns", [1, 2], ids=["in full", "turn by turn"])
def test_a_hostile_id_stays_on_the_line_of_its_turn(turns: int, home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "one", "prompt_id": "a\nb"})
    if turns == 2:
        home.hook("UserPromptSubmit", {"prompt": "two", "prompt_id": "c"})

    shown = show(SESSION).splitlines()

    assert (shown[0].startswith("a b"), shown[1]) == (True, "  user: one")


@pytest.mark.usefixtures("talked")
def test_piped_there_is_no_colour(program: Program) -> None:
    ended = program("show", SESSION)

    assert (ended.returncode, b"\x1b" in ended.stdout) == (0, False)


def test_a_text_that_is_no_unicode_can_be_read_by_programs(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", b'{"session_id":"s","prompt":"half \\ud83d of a pair"}')

    ended = program("show", "s", "--json")

    assert [turn["session"] for turn in json.loads(ended.stdout)] == ["s"]


def test_a_session_without_a_turn_is_told_as_such(home: Home) -> None:
    home.hook("SessionStart", {"source": "startup"})

    shown = show(SESSION)

    assert "no turn" in shown


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["people", "programs"])
def test_what_is_not_there_ends_with_6_and_names_the_next_command(
    options: tuple[str, ...], program: Program
) -> None:
    ended = program("show", "nothing", *options)

    told = b"tacit: There is no session or turn 'nothing' in group main. See `tacit sessions`.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (6, b"", told)


@pytest.mark.usefixtures("talked")
@pytest.mark.parametrize("name", ["nothing", "", "%", "_", FIRST[4:]])
def test_only_the_beginning_of_an_id_names_it(name: str) -> None:
    with pytest.raises(NotFound, match="See `tacit sessions`"):
        show(name)


def test_a_beginning_of_more_than_one_id_is_refused(home: Home) -> None:
    for session in ("one-1", "one-2"):
        home.hook("UserPromptSubmit", {"session_id": session, "prompt": "hi"})

    with pytest.raises(NotFound, match="'one' begins more than one id: say more of it"):
        show("one")


@pytest.mark.parametrize("prompt_id", ["one-p", "p"])
def test_a_whole_id_is_never_ambiguous(prompt_id: str, home: Home) -> None:
    for session in ("one", "one-2"):
        home.hook(
            "UserPromptSubmit",
            {"session_id": session, "prompt": "hi", "prompt_id": f"{prompt_id}-{session}"},
        )

    found = for_programs("one")

    assert [turn["session"] for turn in found] == ["one"]


@pytest.mark.parametrize("way", ["option", "variable"])
def test_a_session_of_another_group_is_not_shown(
    way: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "other")

    with pytest.raises(NotFound, match="in group other"):
        show(SESSION, *(["--group", "other"] if way == "option" else []))


def test_a_name_is_needed(program: Program) -> None:
    ended = program("show")

    assert (ended.returncode, b"NAME" in ended.stderr) == (2, True)
