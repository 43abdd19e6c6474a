"""Tool events: nothing of our own tools, and no mention of an excluded directory goes unseen."""

from __future__ import annotations

from posixpath import relpath
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.capture import tools
from tacit.paths import is_under

if TYPE_CHECKING:
    from tacit.guard.fastjson import Json

OURS = "[tacit's own output]"
PRIVATE = "/srv/private"
PATHS = st.lists(st.text("abyz09é_", min_size=1, max_size=4), min_size=1, max_size=4).map(
    lambda names: "/" + "/".join(names)
)


def bash(command: str, **fields: Any) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}, **fields}


def mentions(text: str, directory: str = PRIVATE, cwd: str = "/opt", home: str = "/me") -> bool:
    """Say whether a command that is run in *cwd* mentions the directory."""
    return tools.mentions(bash(text), [directory], cwd, home)


@pytest.mark.parametrize("tool", ["mcp__tacit__search", "mcp__plugin_tacit_tacit__search"])
def test_nothing_is_left_of_our_own_tool(tool: str) -> None:
    payload: Json = {"tool_name": tool, "tool_response": "our words"}

    left = tools.without_own(payload)

    assert left is None


@pytest.mark.parametrize("tool", ["mcp__tacitus__search", "mcp__other__tacit", "Read", "", None])
def test_all_is_left_of_a_tool_of_somebody_else(tool: str | None) -> None:
    payload: Json = {"tool_name": tool, "tool_response": "their words"}

    left = tools.without_own(payload)

    assert left == {"tool_name": tool, "tool_response": "their words"}


@pytest.mark.parametrize("payload", ["tacit", ["mcp__tacit__search"], 7, 1.5, True, None, {}])
def test_what_is_no_tool_event_is_left_as_it_is(payload: Json) -> None:
    left = tools.without_own(payload)

    assert left == payload


@pytest.mark.parametrize("field", ["tool_response", "error", "tool_result", "output"])
def test_a_command_that_runs_tacit_is_left_without_its_result(field: str) -> None:
    payload = bash("tacit status", session_id="s-1") | {field: {"stdout": "our words"}}

    left = tools.without_own(payload)

    assert left == bash("tacit status", session_id="s-1") | {field: OURS}


def test_a_command_that_is_about_to_run_tacit_is_left_as_it_is() -> None:
    left = tools.without_own(bash("tacit status"))

    assert left == bash("tacit status")


def test_a_command_that_only_lists_a_directory_of_our_name_keeps_its_result() -> None:
    payload = bash("ls /srv/tacit", tool_response={"stdout": "their words"})

    left = tools.without_own(payload)

    assert left == bash("ls /srv/tacit", tool_response={"stdout": "their words"})


@pytest.mark.parametrize("arguments", ["tacit status", ["tacit status"], None, {}, {"command": 7}])
def test_arguments_without_a_command_run_nothing(arguments: Json) -> None:
    payload: Json = {"tool_name": "Odd", "tool_input": arguments, "tool_response": "their words"}

    left = tools.without_own(payload)

    assert left == {"tool_name": "Odd", "tool_input": arguments, "tool_response": "their words"}


def test_our_own_tool_is_left_out_of_a_batch() -> None:
    theirs: Json = {"tool_name": "Read", "tool_response": "their words"}
    ours: Json = {"tool_name": "mcp__tacit__search", "tool_response": "our words"}
    plugin: Json = {"tool_name": "mcp__plugin_tacit_tacit__search", "tool_response": "our words"}

    left = tools.without_own({"session_id": "s-1", "tool_calls": [ours, theirs, plugin]})

    assert left == {"session_id": "s-1", "tool_calls": [theirs]}


def test_a_command_that_runs_tacit_is_left_without_its_result_in_a_batch_too() -> None:
    theirs = bash("ls", tool_response="their words")
    ours = bash("tacit status", tool_use_id="t-2", tool_response="our words")

    left = tools.without_own({"tool_calls": [theirs, ours]})

    kept = bash("tacit status", tool_use_id="t-2", tool_response=OURS)
    assert left == {"tool_calls": [theirs, kept]}


@pytest.mark.parametrize("calls", ["mcp__tacit__search", {"tool_name": "mcp__tacit__search"}, None])
def test_a_batch_that_is_no_list_is_left_as_it_is(calls: Json) -> None:
    left = tools.without_own({"tool_calls": calls})

    assert left == {"tool_calls": calls}


def test_the_payload_itself_is_not_changed() -> None:
    payload: Json = {"tool_calls": [bash("tacit status", tool_response="our words")]}

    tools.without_own(payload)

    assert payload == {"tool_calls": [bash("tacit status", tool_response="our words")]}


@pytest.mark.parametrize(
    "command",
    [
        "tacit",
        "tacit search tea",
        "tacit\tstatus",
        "cd /srv && tacit status",
        "false || tacit status",
        "echo $(tacit status)",
        "echo `tacit status`",
        "(cd /srv; tacit status)",
        "{ tacit status; }",
        "ls;tacit status|head",
        "cat x | tacit redact",
        "sleep 1 & tacit status",
        "first\ntacit status",
        "/usr/local/bin/tacit status",
        "./.venv/bin/tacit status",
        '"/usr/local/bin/tacit" status',
        "'tacit' status",
        "TACIT_HOME=/srv/memory tacit status",
        "python -m tacit status",
        "/usr/bin/python3.11 -X dev -m tacit status",
        "python -mtacit status",
        "sudo tacit status",
        "sudo -E tacit status",
        "env X=1 Y=2 tacit status",
        "env -i X=1 python -m tacit status",
        "uv run tacit status",
        "uv run python -m tacit status",
        "poetry run tacit status",
        "pipx run tacit status",
        "time nohup tacit status",
        "ls | xargs -n1 tacit",
    ],
)
def test_a_command_that_runs_us_is_known(command: str) -> None:
    assert tools.runs_tacit(command)


@pytest.mark.parametrize("length", [8_000, 9_000, 1_000_000])
def test_a_command_that_runs_us_is_known_however_long_it_is(length: int) -> None:
    command = "echo " + "x" * length + "; tacit status"

    assert tools.runs_tacit(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        " ",
        "sudo",
        "X=1",
        "ls /srv/tacit",
        "cd /srv/tacit && ls",
        "ls /srv/tacit-notes",
        "cat tacit.md",
        "grep tacitly x",
        "grep -r tacit src",
        "which tacit",
        "pip install tacit",
        "tacitus status",
        "/opt/tacit/bin/other",
        "TOOL=tacit other",
        "python tacit.py",
        "python -m tacitus",
    ],
)
def test_a_command_that_only_speaks_of_us_is_another_s(command: str) -> None:
    assert not tools.runs_tacit(command)


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("cat /srv/private/notes", "/opt"),
        ("cat /srv/private", "/opt"),
        ("cat </srv/private/notes", "/opt"),
        ("cat --file=/srv/private/notes", "/opt"),
        ("cat file:///srv/private/notes", "/opt"),
        ("git -C/srv/private log", "/opt"),
        ("Read /srv/private.", "/opt"),
        ("cat private/notes", "/srv"),
        ("cat './private/notes'", "/srv"),
        ("cat srv/private/notes", "/"),
        ("cat ../private/x", "/srv/shop"),
        ("cat ../../private/x", "/srv/shop/api"),
        ("cat x/../private/x", "/srv"),
        ("cd x\ncat /srv/private/x", "/opt"),
        ("cd x\ncat private/x", "/srv"),
        ("cat\tprivate/x", "/srv"),
        ("cat x\r\nprivate/x", "/srv"),
        ("ls\ncat\n../private/x\n", "/srv/shop"),
        ("cat\t../private/x\tx", "/srv/shop"),
        ("cat\r\n../private\r\n", "/srv/shop"),
        ("cat /srv//private/x", "/opt"),
        ("cat /srv/./private", "/opt"),
        ("cat /opt/../srv/private/x", "/opt"),
        ("cd /srv && cat private/x", "/opt"),
        ("(cd /srv; cat private/x)", "/opt"),
        ("cd   ..  && cat private/x", "/srv/shop"),
        ("cd '/srv' && cat ./private/x", "/opt"),
        ("diff [/srv/private/a,/srv/b]", "/opt"),
    ],
)
def test_an_excluded_directory_is_known_however_it_is_spelled(text: str, cwd: str) -> None:
    assert mentions(text, cwd=cwd)


@pytest.mark.parametrize(
    "text",
    [
        "cat ~/private/x",
        "cat $HOME/private/x",
        "cat ${HOME}/private",
        "cat ~/./private/x",
        "cd ~ && cat private/x",
        "cd $HOME; cat private/x",
    ],
)
@pytest.mark.parametrize("home", ["/srv", "/srv/"])
def test_an_excluded_directory_is_known_from_the_user_s_home(text: str, home: str) -> None:
    assert mentions(text, home=home)


@pytest.mark.parametrize("text", ["cat ~/x", "ls ~", "cat $HOME/x", "ls ${HOME}", "cat /me/x"])
def test_an_excluded_home_is_known_by_its_short_names(text: str) -> None:
    assert mentions(text, directory="/me", home="/me")


@pytest.mark.parametrize(
    ("text", "directory"),
    [
        ('cat "/srv/é\'s/x"', "/srv/é's"),
        ("cat '/srv/é\"x\"/y'", '/srv/é"x"'),
        ("cat '/srv/größe & co/x'", "/srv/größe & co"),
        ("cat 'my own/x'", "/opt/my own"),
        ('cat "~/my (own)/x"', "/me/my (own)"),
        ("cat /srv/世界/x", "/srv/世界"),
    ],
)
def test_an_excluded_directory_is_known_whatever_its_name(text: str, directory: str) -> None:
    assert mentions(text, directory=directory)


@given(directory=PATHS, cwd=PATHS)
def test_an_excluded_directory_is_known_from_everywhere(directory: str, cwd: str) -> None:
    assume(not is_under(cwd, directory))

    assert mentions(f"cat {relpath(directory, cwd)}/x", directory=directory, cwd=cwd)


@pytest.mark.parametrize(
    "payload",
    [
        {"tool_input": {"file_path": "/srv/private/x"}},
        {"tool_calls": [{"tool_input": {"paths": ["/a", ["/srv/private/x"]]}}]},
        {"tool_response": {"files": {"/srv/private/x": 1}}},
        {"tool_response": "found:\n/srv/private/x:12: text"},
        ["/srv/private/x"],
        "/srv/private/x",
    ],
)
def test_a_mention_is_found_wherever_it_stands(payload: Json) -> None:
    assert tools.mentions(payload, [PRIVATE], "/opt", "/me")


def test_each_of_the_excluded_directories_counts() -> None:
    excluded = ["/a", "/b", "/srv/private"]

    assert tools.mentions(bash("cat /srv/private/x"), excluded, "/opt", "/me")


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("cat /srv/privateer/notes", "/opt"),
        ("cat /srv/private-notes", "/opt"),
        ("cat /srv/private_2", "/opt"),
        ("cat /srv/privaté", "/opt"),
        ("cat privateer/notes", "/srv"),
        ("cat very-private/notes", "/srv"),
        ("cat x.private/notes", "/srv"),
        ("cat other/private/notes", "/srv"),
        ("cat private/notes", "/opt"),
        ("cat ../private/notes", "/opt/a"),
        ("cat ../privateer/notes", "/srv/a"),
        ("cd /opt && cat private/notes", "/opt"),
        ("cd", "/opt"),
        ("ls /srv", "/opt"),
        ("ls --private -p", "/srv/a"),
        ("cat ~/private/notes", "/opt"),
        ("", "/opt"),
    ],
)
def test_another_directory_is_no_mention(text: str, cwd: str) -> None:
    assert not mentions(text, cwd=cwd)


@pytest.mark.parametrize("payload", [{"tool_input": {"n": 7, "x": None, "y": True}}, [], 1.5, None])
def test_what_is_no_text_mentions_nothing(payload: Json) -> None:
    assert not tools.mentions(payload, [PRIVATE], "/opt", "/me")
