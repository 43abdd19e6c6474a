"""The façade over recall: search by words and meaning, and what passages mean, found out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tacit.compose import open_app
from tacit.errors import EmbedderUnavailable
from tacit.policy import Caller
from tacit.recall.meaning import BATCH
from tacit.recall.question import Question
from tacit.store.index_port import Scope
from tacit.verbs.decisions import Said
from unit.curate.saying import TABS, TEA, Ticking, talk
from unit.embedding import Sensing
from unit.verbs.conftest import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.recall.question import Answer

OWNER = Caller()
NETWORK = "The network was mended by another router"
MEMORIES = Scope(layers=("memory",))


@pytest.fixture
def embedder() -> Sensing:
    return Sensing({"wifi": "network", "broken": "mended"})


@pytest.fixture
def app(home: Home, clock: Ticking, embedder: Sensing) -> Iterator[App]:
    """Return the verbs of a home that knows what words mean."""
    del home  # its own
    opened = open_app(now_ns=clock, embedder=embedder)
    yield opened
    opened.close()


def remember(app: App, *texts: str) -> None:
    for text in texts:
        app.remember("main", Said(text=text), OWNER)


def contents(answer: Answer) -> list[str]:
    return [hit.content for hit in answer.hits]


@pytest.mark.parametrize("text", ["", "tea", "  "])
def test_an_empty_home_says_that_nothing_is_recorded(text: str, app: App, home: Home) -> None:
    answer = app.search("main", Question(text=text))

    assert (answer.hits, answer.note) == ([], "Nothing is recorded yet.")
    assert not (home.path / "groups" / "main").exists()


def test_words_find_what_holds_them(app: App) -> None:
    remember(app, TABS, TEA)

    answer = app.search("main", Question(text="who sells tea?"))

    assert contents(answer)[0] == TEA
    assert (answer.by, answer.note) == (("words",), "Searched by words alone.")


def test_memories_and_messages_are_found(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TEA)
    app.drain()

    answer = app.search("main", Question(text="sells tea"))

    assert {hit.layer for hit in answer.hits} >= {"memory", "message"}


def test_meaning_finds_what_is_said_in_other_words(app: App) -> None:
    remember(app, TABS, NETWORK, TEA)
    app.understand("main")

    answer = app.search(
        "main", Question(text="wifi broken", scope=MEMORIES), meaning=app.meaning("wifi broken")
    )

    assert contents(answer)[0] == NETWORK
    assert "meaning" in answer.by
    assert answer.hits[0].parts.meaning


def test_words_alone_do_not_find_it(app: App) -> None:
    remember(app, TABS, NETWORK, TEA)
    app.understand("main")

    answer = app.search("main", Question(text="wifi broken", scope=MEMORIES))

    assert NETWORK not in contents(answer)


def test_what_another_model_understood_is_not_mixed_in(app: App, embedder: Sensing) -> None:
    remember(app, NETWORK)
    app.understand("main")
    embedder.model = "sensing-2"

    answer = app.search(
        "main", Question(text="wifi broken", scope=MEMORIES), meaning=app.meaning("wifi broken")
    )

    assert contents(answer) == []


def test_the_meaning_of_a_question_is_a_vector_of_the_model(app: App, embedder: Sensing) -> None:
    meaning = app.meaning("which till sells tea")

    assert meaning is not None
    assert meaning.model == embedder.model
    assert np.array_equal(meaning.vector, embedder.embed(["which till sells tea"], "query")[0])


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_means_nothing_and_asks_no_model(text: str, app: App, embedder: Sensing) -> None:
    assert (app.meaning(text), embedder.asked) == (None, [])


def test_a_model_that_is_away_is_raised(app: App, embedder: Sensing) -> None:
    remember(app, TEA)
    embedder.trouble = EmbedderUnavailable("It is not there.")

    with pytest.raises(EmbedderUnavailable):
        app.meaning("tea")
    with pytest.raises(EmbedderUnavailable):
        app.understand("main")


def test_without_an_embedder_nothing_has_a_meaning(home: Home, app: App) -> None:
    remember(app, TEA)
    bare = open_app(str(home.path))

    found = (bare.meaning("tea"), bare.understand("main"))
    bare.close()

    assert found == (None, 0)


def test_what_is_understood_is_counted_and_not_done_again(app: App, embedder: Sensing) -> None:
    remember(app, TABS, TEA)

    first = app.understand("main")
    asked = len(embedder.asked)

    assert (first, app.understand("main"), len(embedder.asked)) == (2, 0, asked)


def test_no_time_is_enough_for_nothing(app: App, embedder: Sensing) -> None:
    remember(app, TEA)

    assert (app.understand("main", seconds=0), embedder.asked) == (0, [])


def test_in_a_short_time_a_part_is_understood(app: App, embedder: Sensing) -> None:
    remember(app, *(f"The till number {number} sells tea" for number in range(2 * BATCH)))

    embedder.delay = 0.6

    done = app.understand("main", seconds=0.5)

    assert (done, len(embedder.asked)) == (BATCH, BATCH)


def test_a_group_that_is_not_there_has_nothing_to_understand(app: App, home: Home) -> None:
    assert (app.understand("elsewhere"), file_of(home, "elsewhere").exists()) == (0, False)


def test_groups_are_those_with_a_transcript(app: App, spool: Spool, clock: Ticking) -> None:
    before = app.groups()
    for group in ("main", "work"):
        talk(spool, clock, TEA, group=group)
    app.drain()

    assert (before, app.groups()) == ([], ["main", "work"])
