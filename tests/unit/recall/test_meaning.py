"""What passages mean: the newest first, each once, and a failing embedder loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract.memories import summed_up
from tacit.errors import EmbedderUnavailable
from tacit.recall.indexing import Indexer
from tacit.recall.meaning import BATCH, understand
from unit.recall.finding import Counting, remember

if TYPE_CHECKING:
    from unit.curate.saying import Desk


def learn(desk: Desk, embedder: Counting, until: float | None = None) -> int:
    """Find what passages mean; return how many were understood."""
    return understand(desk.store, desk.transcript.find, embedder, until)


def index(desk: Desk) -> None:
    Indexer(desk.transcript, desk.store).advance()


def test_everything_that_was_said_or_learned_is_understood_once(desk: Desk) -> None:
    embedder = Counting()
    desk.prompt("the red cat")
    index(desk)
    remember(desk, "a blue dog")
    desk.store.actions.put_summary(summed_up("s-1", request="asked", learned="a green bird"))

    assert learn(desk, embedder) == 3
    assert learn(desk, embedder) == 0

    assert sorted(embedder.asked) == ["a blue dog", "asked a green bird", "the red cat"]
    assert desk.store.index.understood(embedder.model) == (3, 3)


def test_the_newest_come_first_and_memories_before_messages(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "the first memory")
    desk.prompt("the first message")
    desk.prompt("the second message")
    index(desk)
    remember(desk, "the second memory")

    learn(desk, embedder)

    assert embedder.asked == [
        "the second memory",
        "the first memory",
        "the second message",
        "the first message",
    ]


def test_of_many_the_newest_batch_comes_first(desk: Desk) -> None:
    embedder = Counting()
    embedder.fails_after = BATCH
    remember(desk, *(f"memory {number}" for number in range(3 * BATCH)))

    with pytest.raises(EmbedderUnavailable):
        learn(desk, embedder)

    assert embedder.asked == [f"memory {3 * BATCH - 1 - number}" for number in range(BATCH)]


def test_the_same_words_are_asked_once_whenever_they_come(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "the red cat", "the red cat", "the red cat")

    assert learn(desk, embedder) == 3
    remember(desk, "the red cat")
    assert learn(desk, embedder) == 1

    assert embedder.asked == ["the red cat"]
    assert desk.store.index.understood(embedder.model) == (4, 4)


def test_a_failing_embedder_leaves_passages_waiting_until_it_is_back(desk: Desk) -> None:
    embedder = Counting()
    embedder.fails_after = 0
    remember(desk, "the red cat")

    with pytest.raises(EmbedderUnavailable):
        learn(desk, embedder)

    assert desk.store.index.understood(embedder.model) == (1, 0)
    embedder.fails_after = None
    assert learn(desk, embedder) == 1


def test_what_was_understood_before_it_failed_is_kept(desk: Desk) -> None:
    embedder = Counting()
    embedder.fails_after = BATCH
    remember(desk, *(f"memory {number}" for number in range(BATCH + 5)))
    with pytest.raises(EmbedderUnavailable):
        learn(desk, embedder)

    embedder.fails_after = None

    assert learn(desk, embedder) == 5
    assert len(set(embedder.asked)) == len(embedder.asked) == BATCH + 5


def test_when_the_time_is_up_the_rest_waits(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "the red cat")

    assert learn(desk, embedder, until=0.0) == 0
    assert embedder.asked == []


def test_a_memory_that_says_something_else_is_understood_anew(desk: Desk) -> None:
    embedder = Counting()
    (name,) = remember(desk, "the red cat")
    learn(desk, embedder)
    memory = desk.store.memories.get(name)
    assert memory is not None

    desk.store.memories.change(memory, content="a blue dog")
    learn(desk, embedder)

    assert embedder.asked == ["the red cat", "a blue dog"]


def test_another_model_is_asked_about_everything(desk: Desk) -> None:
    one, other = Counting("one/1"), Counting("other/1")
    remember(desk, "the red cat")
    learn(desk, one)

    learn(desk, other)

    assert other.asked == ["the red cat"]
    assert desk.store.index.understood(other.model) == (1, 1)


def test_of_a_reply_the_beginning_is_enough(desk: Desk) -> None:
    embedder = Counting()
    turn = desk.prompt("the question")
    desk.append("reply", {"last_assistant_message": "the answer"}, turn=turn)
    index(desk)

    learn(desk, embedder)

    assert embedder.lengths == {"the question": 128, "the answer": 64}


def test_what_tools_said_is_not_asked_about(desk: Desk) -> None:
    embedder = Counting()
    desk.append("tool_use", {"tool_input": {"command": "make build"}})
    index(desk)

    assert learn(desk, embedder) == 0
    assert embedder.asked == []


def test_a_message_that_was_erased_meanwhile_tells_nothing(desk: Desk) -> None:
    embedder = Counting()
    desk.prompt("the secret plan")
    index(desk)
    desk.bury(["evt-1"])

    learn(desk, embedder)

    assert embedder.asked == [""]
