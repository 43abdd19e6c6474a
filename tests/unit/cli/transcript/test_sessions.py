"""`tacit sessions`: what happened, one clean line a session; every field for programs."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rig import SESSION
from tacit.cli.main import tacit
from tacit.errors import NotFound

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool
    from unit.cli.conftest import Program

HOUR_NS = 3600 * 1_000_000_000
HOSTILE = "\x1b[31mred\x1b[0m\r\n\u202esecond line\u2066\x9b2J\x07"


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


def sessions(*arguments: str) -> list[dict[str, str]]:
    """Return the lines for people, by the names of their columns."""
    shown = CliRunner().invoke(tacit, ["sessions", *arguments], catch_exceptions=False).stdout
    head, *lines = shown.splitlines()
    starts = [head.index(name) for name in head.replace("began with", "began_with").split()[:-1]]
    starts = [*starts, head.index("began with")]
    ends = [*starts[1:], None]
    parts = list(zip(starts, ends, strict=True))
    names = [head[start:end].strip() for start, end in parts]
    cells = [[line[start:end].strip() for start, end in parts] for line in lines]
    return [dict(zip(names, row, strict=True)) for row in cells]


def for_programs(*arguments: str) -> list[dict[str, Any]]:
    shown = CliRunner().invoke(tacit, ["sessions", "--json", *arguments], catch_exceptions=False)
    found: list[dict[str, Any]] = json.loads(shown.stdout)
    return found


def publish(spool: Spool, age_ns: int, event: str = "UserPromptSubmit", **fields: str) -> None:
    """Let an event have happened so long ago."""
    payload = json.dumps({"session_id": SESSION, "cwd": "/srv/shop"} | fields).encode()
    received_ns = time.time_ns() - age_ns
    spool.publish(payload, event=event, received_ns=received_ns, client="claude-code")


def test_a_session_is_one_line(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "fix the importer", "prompt_id": "p1"})
    home.hook("PostToolUse", {"tool_name": "Bash", "tool_use_id": "t1"})
    home.hook("PostToolUseFailure", {"tool_name": "Bash", "tool_use_id": "t2", "error": "no"})
    home.hook("Stop", {"last_assistant_message": "done", "prompt_id": "p1"})

    found = sessions()

    (line,) = found
    assert line.pop("last").removesuffix(" ago") in {"now", "1 s", "2 s", "3 s"}
    assert line == {
        "session": SESSION[:8],
        "state": "active",
        "project": "project",
        "turns": "1",
        "tools": "2",
        "failed": "1",
        "began with": "fix the importer",
    }


def test_programs_get_every_field(home: Home) -> None:
    home.hook("SessionStart", {"source": "startup"})
    home.hook("UserPromptSubmit", {"prompt": "fix\nit", "prompt_id": "p1"})

    (found,) = for_programs()

    times = found.pop("started"), found.pop("last")
    assert times == tuple(sorted(times))
    assert found == {
        "id": SESSION,
        "state": "active",
        "project": "project",
        "client": "claude-code",
        "events": 2,
        "prompts": 1,
        "tools": 0,
        "failures": 0,
        "first_prompt": "fix\nit",
    }


def test_the_last_active_session_comes_first(home: Home) -> None:
    for session, prompt in (("first", "hi"), ("second", "hi"), ("first", "again")):
        home.hook("UserPromptSubmit", {"session_id": session, "prompt": prompt})

    found = [line["session"] for line in sessions()]

    assert found == ["first", "second"]


@pytest.mark.parametrize(
    ("age_ns", "last", "state"),
    [
        (0, "UserPromptSubmit", "active"),
        (23 * HOUR_NS, "UserPromptSubmit", "active"),
        (24 * HOUR_NS, "UserPromptSubmit", "interrupted"),
        (24 * HOUR_NS, "SessionEnd", "ended"),
        (0, "SessionEnd", "ended"),
        (0, "StopFailure", "failed"),
    ],
)
def test_a_session_is_in_the_state_that_its_last_word_left_it_in(
    age_ns: int, last: str, state: str, spool: Spool
) -> None:
    publish(spool, age_ns, prompt="hi", prompt_id="p1")
    publish(spool, age_ns, event=last, prompt="more", prompt_id="p2")

    found = [line["state"] for line in sessions()]

    assert found == [state]


def test_a_session_of_the_future_was_just_now(spool: Spool) -> None:
    publish(spool, -48 * HOUR_NS, prompt="hi")

    found = [(line["last"], line["state"]) for line in sessions()]

    assert found == [("now", "active")]


def test_a_prompt_cannot_fool_the_terminal(home: Home) -> None:
    home.hook("UserPromptSubmit", {"session_id": HOSTILE, "prompt": HOSTILE})

    found = [(line["session"], line["began with"]) for line in sessions()]

    assert found == [("red", "red second line")]


def test_piped_there_is_no_colour_and_no_control_character(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", {"session_id": HOSTILE, "prompt": HOSTILE})

    shown = program("sessions").stdout.decode()

    assert [char for char in shown if not char.isprintable()] == ["\n", "\n"]


def test_a_prompt_that_is_no_unicode_can_be_read_by_programs(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", b'{"session_id":"s","prompt":"half \\ud83d of a pair"}')

    ended = program("sessions", "--json")

    assert [each["id"] for each in json.loads(ended.stdout)] == ["s"]


def test_a_directory_that_is_no_unicode_holds_nothing_up(home: Home, program: Program) -> None:
    home.hook("Stop", b'{"session_id":"odd","cwd":"/srv/caf\\udce9","last_assistant_message":"x"}')
    home.hook("UserPromptSubmit", {"prompt": "after it"})

    ended = program("sessions")

    assert (ended.returncode, b"after it" in ended.stdout) == (0, True)


def test_so_many_are_listed(home: Home) -> None:
    for number in range(3):
        home.hook("UserPromptSubmit", {"session_id": f"s{number}", "prompt": "hi"})

    found = [line["session"] for line in sessions("--limit", "2")]

    assert found == ["s2", "s1"]


def test_programs_get_so_many_too(home: Home) -> None:
    for number in range(2):
        home.hook("UserPromptSubmit", {"session_id": f"s{number}", "prompt": "hi"})

    found = [each["id"] for each in for_programs("--limit", "1")]

    assert found == ["s1"]


def test_less_than_one_session_is_a_wrong_use(program: Program) -> None:
    ended = program("sessions", "--limit", "0")

    assert (ended.returncode, b"--limit" in ended.stderr) == (2, True)


@pytest.mark.parametrize("way", ["name", "directory", "from here", "from below"])
def test_only_the_sessions_of_a_project_are_listed(
    way: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = home.scratch / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "src").mkdir()
    home.hook("UserPromptSubmit", {"session_id": "there", "cwd": str(shop), "prompt": "hi"})
    home.hook("UserPromptSubmit", {"session_id": "here", "prompt": "hi"})
    monkeypatch.chdir(shop / "src")
    named = {"name": "shop", "directory": str(shop), "from here": "..", "from below": "."}

    found = [line["session"] for line in sessions("--project", named[way])]

    assert found == ["there"]


def test_an_unknown_project_is_refused_with_the_way_out(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    with pytest.raises(NotFound, match=r"no project 'nothing'\. `tacit project list`"):
        sessions("--project", "nothing")


@pytest.mark.parametrize("way", ["option", "variable", "directory"])
def test_only_the_sessions_of_the_group_are_listed(
    way: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = home.project / "deep"
    inside.mkdir()
    home.make()
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{inside}"]\n', encoding="utf-8")
    for session, directory in (("open", home.project), ("walled", inside)):
        home.hook(
            "UserPromptSubmit",
            {"session_id": session, "cwd": str(directory), "prompt": "hi"},
            cwd=directory,
        )
    monkeypatch.chdir(inside if way == "directory" else home.project)
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "work")

    found = sessions(*(["--group", "work"] if way == "option" else []))

    assert [line["session"] for line in found] == ["walled"]
