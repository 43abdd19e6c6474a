"""Of what use it was: found in what a session did after it was told, and nowhere else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from contract.memories import fact, put
from contract.memories import told as telling
from tacit.deliver import uses
from unit.curate.saying import Desk, fresh_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = "The staging database listens on port 5433"
STYLE = "Functions stay shorter than forty lines in every module"


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return a desk where a session was told two things, and a third was held back."""
    with fresh_desk() as opened:
        put(
            opened.store,
            fact("port", content=PORT),
            fact("style", content=STYLE),
            fact("held", content="Deploys go through the pipeline called kestrel-9"),
        )
        memories = (("port", 5), ("style", 5))
        opened.store.told.put(telling("brief-1", memories=memories, held=("held",)))
        opened.store.told.hear("brief-1", "s-1", opened.clock())
        yield opened


def found(desk: Desk) -> dict[str, str]:
    """Return what became of each memory: used, repeated, both or nothing."""
    uses.find(desk.store, desk.transcript)
    words = {(False, False): "", (True, False): "used", (False, True): "repeated"}
    return {
        each.memory: words.get((each.used, each.repeated), "both")
        for each in desk.store.told.heard_in("s-1")
    }


def said(desk: Desk, kind: str, text: str, **changes: Any) -> None:
    field = {"prompt": "prompt", "reply": "last_assistant_message"}.get(
        kind, "last_assistant_message"
    )
    payload = {"tool_input": {"command": text}} if kind.startswith("tool") else {field: text}
    desk.append(kind, payload, **changes)


NOTHING = {"port": "", "style": "", "held": ""}


@pytest.mark.parametrize("kind", ["reply", "agent_reply", "tool_use", "tool_failure"])
@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("I connect to 5433 now", "port"),
        ("The functions stay shorter than forty lines in the module", "style"),
        ("It runs in kestrel-9", "held"),
    ],
)
def test_a_name_or_most_words_of_a_memory_in_a_reply_or_a_tool_is_use(
    kind: str, text: str, memory: str, desk: Desk
) -> None:
    said(desk, kind, text)

    assert found(desk) == NOTHING | {memory: "used"}


@pytest.mark.parametrize(
    "given",
    [
        {"file_path": "/a", "content": "port = 5433"},
        {"file_path": "/a", "old_string": "x", "new_string": "port = 5433"},
        "5433",
    ],
)
def test_whatever_a_tool_is_given_is_looked_at(given: Any, desk: Desk) -> None:
    desk.append("tool_use", {"tool_input": given, "tool_response": "done"})

    assert found(desk)["port"] == "used"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("reply", "Good morning, what shall we do today?"),
        ("reply", "The database is a large one"),
        ("reply", ""),
        ("tool_call", "psql -p 5433"),
        ("notice", "5433"),
        ("start", "5433"),
    ],
)
def test_what_has_little_to_do_with_a_memory_is_no_use_of_it(
    kind: str, text: str, desk: Desk
) -> None:
    said(desk, kind, text)

    assert found(desk) == NOTHING


def test_what_a_tool_answers_is_no_use(desk: Desk) -> None:
    desk.append("tool_use", {"tool_input": {"command": "ls"}, "tool_response": "port 5433"})

    assert found(desk) == NOTHING


def test_what_the_user_has_just_said_is_not_taken_for_use(desk: Desk) -> None:
    said(desk, "prompt", "Connect to 5433", turn="t-1")
    said(desk, "reply", "I connect to 5433")

    assert found(desk) == NOTHING


def test_what_the_user_has_just_said_is_known_though_it_was_seen_before(desk: Desk) -> None:
    said(desk, "prompt", "Connect to 5433", turn="t-1")
    found(desk)
    said(desk, "reply", "I connect to 5433")

    assert found(desk) == NOTHING


def test_another_prompt_later_the_same_words_are_use(desk: Desk) -> None:
    said(desk, "prompt", "Connect to 5433", turn="t-1")
    found(desk)
    said(desk, "prompt", "Now run the tests", turn="t-2")
    said(desk, "tool_use", "psql -p 5433")

    assert found(desk)["port"] == "used"


def test_a_user_who_says_it_again_was_not_heard(desk: Desk) -> None:
    said(desk, "prompt", "I said functions stay shorter than forty lines in every module")

    assert found(desk) == NOTHING | {"style": "repeated"}


def test_a_prompt_of_the_client_s_own_repeats_nothing(desk: Desk) -> None:
    said(desk, "prompt", STYLE, origin="assistant")

    assert found(desk) == NOTHING


def test_both_can_be(desk: Desk) -> None:
    said(desk, "reply", STYLE)
    said(desk, "prompt", STYLE, turn="t-1")

    assert found(desk)["style"] == "both"


def test_the_prompt_that_is_answered_with_a_memory_does_not_repeat_it(desk: Desk) -> None:
    put(desk.store, fact("lift", content="The lift in the northern tower is broken"))
    desk.store.told.put(telling("prompt-1", surface="prompt", memories=(("lift", 1),)))
    said(desk, "reply", "The lift in the northern tower is broken")
    said(desk, "prompt", "Is the lift in the northern tower broken?", turn="t-1")
    desk.store.told.hear("prompt-1", "s-1", desk.clock())

    assert found(desk)["lift"] == ""
    said(desk, "prompt", "The lift in the northern tower is broken, I said", turn="t-2")
    assert found(desk)["lift"] == "repeated"


def test_another_session_makes_no_use_of_it(desk: Desk) -> None:
    said(desk, "reply", PORT, session="s-2")

    assert found(desk) == NOTHING


def test_everything_is_looked_at_once(desk: Desk) -> None:
    said(desk, "reply", PORT)
    found(desk)
    (before,) = (each for each in desk.store.told.uses() if each.memory == "port")

    assert desk.store.jobs.number(uses.CURSOR) == desk.transcript.head().seq
    found(desk)
    assert before in desk.store.told.uses()


def test_where_nobody_was_told_anything_nothing_is_read() -> None:
    with fresh_desk() as desk:
        said(desk, "reply", PORT)

        uses.find(desk.store, desk.transcript)

        assert desk.store.jobs.number(uses.CURSOR) == desk.transcript.head().seq


def test_without_time_it_goes_on_later(desk: Desk) -> None:
    said(desk, "reply", PORT)

    uses.find(desk.store, desk.transcript, time.monotonic())

    assert desk.store.jobs.number(uses.CURSOR) == 0
    assert found(desk)["port"] == "used"


def test_more_than_a_chunk_is_read_to_its_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "CHUNK", 2)
    said(desk, "prompt", "Connect to 5433", turn="t-1")
    for _ in range(4):
        said(desk, "reply", "I connect to 5433")
    assert found(desk) == NOTHING

    said(desk, "prompt", "Go on", turn="t-2")
    said(desk, "reply", "I connect to 5433")

    assert found(desk)["port"] == "used"


def test_what_was_erased_is_no_use_and_no_trouble(desk: Desk) -> None:
    said(desk, "reply", PORT)
    desk.bury(["evt-1"])

    assert found(desk) == NOTHING


def test_a_memory_that_is_gone_is_no_trouble(desk: Desk) -> None:
    desk.store.memories.remove("port")
    said(desk, "reply", PORT)

    assert found(desk)["style"] == ""
