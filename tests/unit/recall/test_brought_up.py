"""What only a tool said brings up the prompt of its turn: the tool's own words are never a hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.recall.indexing import Indexer
from tacit.recall.meaning import understand
from tacit.recall.weights import BROUGHT_UP
from tacit.store.index_port import Scope
from unit.recall.finding import Counting, ask

if TYPE_CHECKING:
    from unit.curate.saying import Desk

BUILD = "Why does the build of the shop fail?"


def play(desk: Desk, prompt: str, *printed: str, session: str = "s-1") -> None:
    """Let a turn run commands, each of which prints something."""
    turn = desk.prompt(prompt, session=session)
    for each in printed:
        given = {"tool_input": {"command": "make"}, "tool_response": {"stdout": each}}
        desk.append("tool_use", given, turn=turn, tool="Bash", origin="tool:Bash", session=session)
    desk.append(
        "reply", {"last_assistant_message": "The drawer was renamed."}, turn=turn, session=session
    )
    Indexer(desk.transcript, desk.store).advance()


@pytest.mark.parametrize("is_understood", [False, True])
def test_an_error_that_only_a_tool_printed_finds_its_turn(
    desk: Desk, *, is_understood: bool
) -> None:
    embedder = Counting()
    play(desk, BUILD, "src/till.ts(3,1): error TS2345: no such drawer")
    play(desk, "Paint the door green", "done")
    if is_understood:
        understand(desk.store, desk.transcript.find, embedder)
    meaning = embedder.meaning("TS2345") if is_understood else None

    (hit, *_) = ask(desk, "TS2345", meaning).hits

    assert (hit.content, hit.layer) == (BUILD, "message")
    assert hit.relevance > 0.3


def test_a_prompt_that_says_it_itself_stands_before_one_whose_tool_did(desk: Desk) -> None:
    play(desk, BUILD, "error TS2345")
    play(desk, "What does TS2345 mean?", "no idea")

    first, second, *_ = ask(desk, "TS2345").hits

    assert [first.content, second.content] == ["What does TS2345 mean?", BUILD]


def test_nothing_is_brought_up_from_outside_the_scope(desk: Desk) -> None:
    play(desk, BUILD, "error TS2345")

    assert ask(desk, "TS2345", scope=Scope(projects=("elsewhere",))).hits == []
    assert ask(desk, "TS2345", scope=Scope(layers=("memory",))).hits == []
    (prompt,) = [each for each in desk.transcript.behind(0, 9) if each.kind == "prompt"]
    assert BUILD not in {
        hit.content for hit in ask(desk, "TS2345", scope=Scope(since=prompt.at + 1)).hits
    }


def test_a_turn_that_says_it_often_does_not_hide_another(desk: Desk) -> None:
    play(desk, BUILD, *["error TS2345"] * (BROUGHT_UP + 1))
    play(desk, "Look at the till", "error TS2345, and much more of what it may be about today")

    assert len(ask(desk, "TS2345").hits) == 2


def test_only_the_best_few_turns_are_brought_up(desk: Desk) -> None:
    for number in range(BROUGHT_UP + 4):
        play(desk, f"Look at part {number} of the till", "error TS2345", session=f"s-{number}")

    assert len(ask(desk, "TS2345", limit=50).hits) == BROUGHT_UP
