"""The official inspector, in its mode for programs, asks our server over stdin and stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from conformance.line import COMMAND
from conformance.suite import MODULES, PATIENCE, node

if TYPE_CHECKING:
    from rig import Home

INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build"
REFUSED = 5  # its exit code for a tool that could not do what was asked


def inspected(home: Home, *asked: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Return the inspector's exit code, the result that it prints, and what it says went wrong."""
    ran = subprocess.run(
        [
            *(node(), str(INSPECTOR / "index.js"), "--cli", sys.executable, *COMMAND),
            *("-e", f"TACIT_HOME={home.path}", "--format", "json", "--method", *asked),
        ],
        capture_output=True,
        check=False,
        cwd=home.project,
        env={"PATH": os.defpath, "HOME": str(home.scratch)},
        timeout=PATIENCE,
        encoding="utf-8",
    )
    result = json.loads(ran.stdout)["result"] if ran.stdout else {}
    error = json.loads(ran.stderr)["error"] if ran.stderr else {}
    return ran.returncode, result, error


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_it_lists_the_tools_and_finds_no_fault_with_their_schemas(home: Home, era: str) -> None:
    code, result, error = inspected(home, "tools/list", "--strict", "--protocol-era", era)

    assert (code, error) == (0, {})
    assert {tool["name"]: tool["inputSchema"].get("required", []) for tool in result["tools"]} == {
        "search_memory": ["query"],
        "read_memory": ["ids"],
        "recent_sessions": [],
    }


def test_it_finds_what_was_said(told: Home) -> None:
    asked = ("--tool-name", "search_memory", "--tool-arg", "query=which till sells tea", "limit=1")

    code, result, error = inspected(told, "tools/call", *asked)

    (content,) = result["content"]
    assert (code, error, result["isError"]) == (0, {}, False)
    assert "The till sells tea" in content["text"]


def test_wrong_arguments_are_answered_in_words(home: Home) -> None:
    given = json.dumps({"query": "tea", "limit": "many"})

    code, result, error = inspected(
        home, "tools/call", "--tool-name", "search_memory", "--tool-args-json", given
    )

    assert (code, error["code"], result["isError"]) == (REFUSED, "tool_is_error", True)
    assert "`limit` must be a number" in result["content"][0]["text"]


def test_a_tool_that_there_is_not_is_told(home: Home) -> None:
    code, result, error = inspected(home, "tools/call", "--tool-name", "delete_memory")

    assert (code, error["code"], result) == (REFUSED, "tool_not_found", {})
