"""Ways by which bytes once got past the hook, or kept it beyond its deadline: closed for good."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from rig import DEADLINE

if TYPE_CHECKING:
    from rig import Home

TOKEN = "ghp_" + "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"


def test_an_envelope_holds_no_field_of_a_tool(home: Home) -> None:
    stdin = f'{{"session_id":"s-1","tool_name":"Bash","tool_input":{{"agent_id":"{TOKEN}",'

    with subprocess.Popen(home.command("PostToolUse"), stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(stdin.encode())
        process.stdin.flush()
        process.wait(timeout=20)

    kept = json.loads(home.entries[0].payload)
    assert (kept["session_id"], kept["tool_name"], "agent_id" in kept) == ("s-1", "Bash", False)
    assert TOKEN.encode() not in home.bytes_on_disk()


HEAVY = {
    "small objects": b'{"tool_name":"x","a":[' + b"[{}]," * 2_500_000 + b"1]}",
    "a field named a million times": b'{"tool_name":"x","a":[' + b'"cwd",' * 2_000_000 + b"1]}",
    "directories changed": json.dumps(
        {"tool_name": "Bash", "tool_input": {"command": " ".join(f"cd a{n};" for n in range(3000))}}
    ).encode(),
}


@pytest.mark.parametrize("stdin", HEAVY.values(), ids=HEAVY.keys())
def test_a_heavy_payload_keeps_the_deadline_and_leaves_its_event(home: Home, stdin: bytes) -> None:
    home.make()
    text = '[capture]\nexclude = ["/srv/private"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")

    started = time.monotonic()
    ran = home.hook("PostToolUse", stdin)

    assert ran.code == 0
    assert time.monotonic() - started < DEADLINE
    assert len(home.entries) == 1


SPELLED = [
    "git -C {above} show HEAD:diary/f",
    "cd {scratch} && cd project && cat diary/f",
    "cat {scratch}/link/f",
    "cd {above}/x && cd .. && cat diary/f",
    "pushd {above} && cat diary/f",
    "gcc -I../project/diary x.c",
    "cat {scratch}//project/./diary/f",
]


@pytest.mark.parametrize("command", SPELLED)
def test_an_excluded_directory_is_known_in_every_spelling(home: Home, command: str) -> None:
    diary = home.project / "diary"
    diary.mkdir()
    (home.scratch / "link").symlink_to(diary)
    home.make()
    text = f"[capture]\nexclude = [{json.dumps(str(diary))}]\n"
    (home.path / "config.toml").write_text(text, encoding="utf-8")
    spelled = command.format(above=home.project, scratch=home.scratch)

    home.hook(
        "PostToolUse",
        {
            "cwd": str(home.scratch / "x"),
            "tool_input": {"command": spelled},
            "tool_response": "c-7",
        },
    )

    assert home.entries == []
    assert b"c-7" not in home.bytes_on_disk()


def test_a_match_that_a_search_found_is_known_by_where_it_searched(home: Home) -> None:
    home.make()
    text = f"[capture]\nexclude = [{json.dumps(str(home.project / 'diary'))}]\n"
    (home.path / "config.toml").write_text(text, encoding="utf-8")

    home.hook(
        "PostToolUse",
        {
            "cwd": "/srv",
            "tool_name": "Grep",
            "tool_input": {"path": str(home.project)},
            "tool_response": "diary/f:1: canary-8",
        },
    )

    assert home.entries == []


@pytest.mark.parametrize(
    "text",
    [
        '[capture]\nexclude = ["{private}"]\nexclud = []\n',
        '[capture]\nexclud = ["{private}"]\n',
        '[capture]\nexclude = "{private}"\n',
        '[capture]\nexclude = ["{private}]\n',
        '[capture\nexclude = ["{private}"]\n',
    ],
)
def test_a_first_typing_error_in_the_settings_stops_nothing_and_excludes_what_it_names(
    home: Home, text: str
) -> None:
    private = home.scratch / "private"
    private.mkdir()
    home.make()
    told = text.format(private=private)
    (home.path / "config.toml").write_text(told, encoding="utf-8")

    started = home.hook("SessionStart", {"source": "startup"})
    home.hook("Stop", {"cwd": str(private), "last_assistant_message": "canary-9"}, cwd=private)

    assert [entry.event for entry in home.entries] == ["SessionStart"]
    assert b"canary-9" not in home.bytes_on_disk()
    assert "config.toml" in json.loads(started.out)["systemMessage"]


def test_a_misspelled_setting_does_not_switch_the_recording_off(home: Home) -> None:
    home.hook("Stop", {})
    (home.path / "config.toml").write_text('[llm]\nprovdier = "openai"\n', encoding="utf-8")

    started = home.hook("SessionStart", {"source": "startup"})
    home.hook("UserPromptSubmit", {"prompt": "go on"})

    assert [entry.event for entry in home.entries] == ["Stop", "SessionStart", "UserPromptSubmit"]
    told = json.loads(started.out)["systemMessage"]
    assert "llm.provdier; did you mean llm.provider?" in told
