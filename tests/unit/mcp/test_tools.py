"""The tools: few, small, told in words that change only on purpose."""

from __future__ import annotations

import hashlib
import json

from tacit.mcp.tools import INSTRUCTIONS, RESOLVE, TOOLS, offered

NAMES = {tool.name for tool in TOOLS}
ALL = [[each.name, each.description, each.schema, each.is_reading] for each in (*TOOLS, RESOLVE)]
# What models are told. Whoever changes it has read it anew, as an attacker and as a model would.
PINNED = "d9c4400056459b866692041b8e94d6a5f4e9cbf540e4ee92c1806df2fb7ebdd2"


def test_the_owner_says_which_tools_there_are() -> None:
    few = offered({"search_memory"}, resolving=False)
    all_ = offered(NAMES, resolving=True)

    assert [tool.name for tool in few] == ["search_memory"]
    assert {tool.name for tool in all_} == NAMES | {RESOLVE.name}
    assert [tool.name for tool in all_ if not tool.is_reading] == [RESOLVE.name]


def test_all_schemas_together_are_small() -> None:
    assert len(json.dumps(ALL)) <= 4096


def test_the_instructions_say_when_to_search() -> None:
    assert "Search it when" in INSTRUCTIONS
    assert "before you ask the user again" in INSTRUCTIONS


def test_what_models_are_told_of_the_tools_is_pinned() -> None:
    told = json.dumps([INSTRUCTIONS, *ALL], sort_keys=True)

    assert hashlib.sha256(told.encode()).hexdigest() == PINNED
