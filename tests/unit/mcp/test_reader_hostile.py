"""The reader among hostile words: nothing hides, no line breaks, all say whose they are."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.mcp.reader import Reader
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import Said
from unit.curate.saying import Ticking, publish
from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.app import App

TEXTS = [*BREAKOUTS, *(text for text, _ in HIDDEN)]
HIT = re.compile(
    r"\S+ \d\.\d\d \[[a-z]+\] .*"
    r" \(\d+d ago, the (?:user|owner|assistant|agent|system|tool [A-Za-z]+)\)"
)
WHOSE = re.compile(r"the (?:user|owner|assistant|tool [A-Za-z]+), \d+d ago: ")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Return the verbs of a home to which hostile words came in every way there is."""
    home = tmp_path_factory.mktemp("hostile") / "home"
    root = state.open_home(str(home))
    clock, spool = Ticking(), Spool(root)
    for number, text in enumerate(TEXTS):
        turn = {"session_id": f"s{number}", "cwd": "/srv/shop", "prompt_id": f"t{number}"}
        prompt = {"prompt": f"Remember that box {number} holds {text}"}
        tool = {"tool_name": "Bash", "tool_use_id": f"u{number}", "tool_response": f"box {text}"}
        publish(spool, "UserPromptSubmit", clock(), turn | prompt)
        publish(spool, "PostToolUse", clock(), turn | tool)
        publish(spool, "Stop", clock(), turn | {"last_assistant_message": f"The box holds {text}"})
    spool.close()
    os.close(root)
    opened = open_app(str(home), now_ns=clock)
    opened.drain(seconds=None)
    for number, text in enumerate(TEXTS):
        opened.remember("main", Said(text=f"Shelf {number} holds {text[:300]}"), Caller())
    yield opened
    opened.close()


@pytest.fixture
def reader(app: App) -> Reader:
    return Reader(app, "main", "/srv/shop", lambda question: app.search("main", question))


def hidden(told: str) -> set[str]:
    """Return what of a text nobody would see."""
    return set(told.replace("\n", "")) & FORBIDDEN


@pytest.mark.parametrize("query", ["which box holds", "which shelf holds", "memory", "obey"])
def test_s27_every_hit_is_one_clean_line_that_says_whose_words_it_is(
    reader: Reader, query: str
) -> None:
    told = reader.call("search_memory", {"query": query, "limit": 50})

    assert [line for line in told.split("\n") if not HIT.fullmatch(line)] == []
    assert hidden(told) == set()


def test_s27_what_is_read_in_full_is_clean_and_says_whose_words_it_is(
    reader: Reader, app: App
) -> None:
    memories = [each.id for each in app.list("main", Wanted())]
    found = reader.call("search_memory", {"query": "box", "limit": 50}).split("\n")
    ids = {*memories, *(line.split()[0] for line in found)}

    told = [reader.call("read_memory", {"ids": [each]}) for each in ids]

    assert len(ids) > len(TEXTS)
    assert [each for each in told if hidden(each)] == []
    assert [each for each in told if not WHOSE.search(each)] == []


def test_s27_what_sessions_came_to_is_clean_and_says_whose_words_it_is(reader: Reader) -> None:
    told = reader.call("recent_sessions", {"limit": 50})

    lines = told.split("\n")
    assert len(lines) == 50
    assert [line for line in lines if not WHOSE.search(line)] == []
    assert hidden(told) == set()
