"""Answers: by words and meaning, by words alone if the model is slow, and otherwise silence."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from tacit.capture.ask import ask
from tacit.compose import open_app
from tacit.daemon import answers
from tacit.daemon.answers import SEARCH, Answers
from tacit.daemon.line import Line
from tacit.errors import EmbedderUnavailable, HomeRefused
from tacit.recall import wire
from tacit.recall.question import Answer, Question
from unit.curate.saying import Ticking, talk
from unit.embedding import Sensing
from unit.pages import pages
from unit.transcript.events import descriptors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

PATIENCE = 90  # on a machine that is busy with others
TEA = "The till sells tea"
ASKED = wire.asked(Question(text="which till sells tea"))
WORDS_ALONE = "Searched by words alone."


@pytest.fixture
def embedder() -> Sensing:
    return Sensing()


@pytest.fixture
def opened(home: Home, spool: Spool, embedder: Sensing) -> Iterator[list[App]]:
    """Return the homes that were opened to answer; something is known there."""
    talk(spool, Ticking(), "the till sells tea")
    app = open_app(str(home.path), embedder=embedder)
    app.drain(seconds=None)
    app.understand("main")
    app.close()
    embedder.asked.clear()
    homes: list[App] = []
    yield homes
    embedder.may_go_on.set()
    for each in homes:
        each.close()


@pytest.fixture
def known(home: Home, embedder: Sensing, opened: list[App]) -> Answers:
    def opening() -> App:
        opened.append(open_app(str(home.path), embedder=embedder))
        return opened[-1]

    return Answers(opening)


def told(answer: tuple[str, bytes] | None) -> Answer:
    """Return the answer that was sent."""
    assert answer is not None
    assert answer[0] == "search"
    return wire.answer(answer[1])


@pytest.mark.parametrize("event", ["", "search", "Weather", "Stop"])
def test_a_question_that_nobody_knows_meets_silence_and_opens_nothing(
    event: str, known: Answers, opened: list[App]
) -> None:
    assert (known.answer(event, "main", ASKED), opened) == (None, [])


def test_a_search_is_answered_by_words_and_meaning(known: Answers) -> None:
    answer = told(known.answer(SEARCH, "main", ASKED))

    assert TEA in [hit.content for hit in answer.hits]
    assert (answer.by, answer.note) == (("words", "meaning"), "")


def test_the_home_is_opened_once_for_all_questions(known: Answers, opened: list[App]) -> None:
    for _ in range(3):
        known.answer(SEARCH, "main", ASKED)

    assert len(opened) == 1


def test_a_group_that_has_nothing_has_an_answer_that_says_so(known: Answers) -> None:
    answer = told(known.answer(SEARCH, "elsewhere", ASKED))

    assert (answer.hits, answer.note) == ([], "Nothing is recorded yet.")


def test_an_empty_question_asks_no_model(known: Answers, embedder: Sensing) -> None:
    answer = told(known.answer(SEARCH, "main", wire.asked(Question(text=" "))))

    assert (answer.by, embedder.asked) == (("time",), [])
    assert answer.hits


def test_a_model_that_is_slow_is_not_waited_for(
    known: Answers, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_LOADING", 0.05)
    embedder.may_go_on.clear()

    answer = told(known.answer(SEARCH, "main", ASKED))

    assert TEA in [hit.content for hit in answer.hits]
    assert (answer.by, answer.note) == (("words",), WORDS_ALONE)


def test_a_model_that_was_slow_is_used_when_it_is_there(
    known: Answers, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_LOADING", 0.05)
    embedder.may_go_on.clear()
    known.answer(SEARCH, "main", ASKED)
    monkeypatch.setattr(answers, "_LOADING", PATIENCE)
    embedder.may_go_on.set()

    answer = told(known.answer(SEARCH, "main", ASKED))

    assert "meaning" in answer.by


def test_a_model_that_is_away_is_done_without(known: Answers, embedder: Sensing) -> None:
    embedder.trouble = EmbedderUnavailable("It is not there.")

    answer = told(known.answer(SEARCH, "main", ASKED))

    assert (answer.by, answer.note) == (("words",), WORDS_ALONE)


def test_one_question_is_answered_at_a_time_and_who_waits_too_long_meets_silence(
    known: Answers, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_PATIENCE", 0.05)
    monkeypatch.setattr(answers, "_LOADING", PATIENCE)
    embedder.may_go_on.clear()
    first: list[tuple[str, bytes] | None] = []
    asking = threading.Thread(target=lambda: first.append(known.answer(SEARCH, "main", ASKED)))
    asking.start()
    end = time.monotonic() + PATIENCE
    while not embedder.asked and time.monotonic() < end:
        time.sleep(0.01)

    second = known.answer(SEARCH, "main", ASKED)
    embedder.may_go_on.set()
    asking.join(PATIENCE)
    third = known.answer(SEARCH, "main", ASKED)

    assert second is None
    assert "meaning" in told(first[0]).by
    assert told(third).hits


def test_a_home_that_cannot_be_opened_keeps_no_later_question_waiting(
    home: Home, embedder: Sensing, opened: list[App], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_PATIENCE", 0.05)
    troubles = [HomeRefused("Not now.")]

    def opening() -> App:
        if troubles:
            raise troubles.pop()
        opened.append(open_app(str(home.path), embedder=embedder))
        return opened[-1]

    known = Answers(opening)
    with pytest.raises(HomeRefused):
        known.answer(SEARCH, "main", ASKED)

    assert told(known.answer(SEARCH, "main", ASKED)).hits


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b'{"text": 5}', b'{"text": "tea"}', b"\xff\x00", b"[" * 100_000],
    ids=lambda payload: repr(payload[:16]),
)
def test_what_is_no_question_meets_silence_over_the_line_and_the_next_is_answered(
    payload: bytes, known: Answers, root: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = Line(root, known.answer)
    line.start()

    garbled = ask(root, SEARCH, "main", payload, PATIENCE)
    sound = ask(root, SEARCH, "main", ASKED, PATIENCE, 1 << 20)
    line.close()

    assert (garbled, sound is not None) == (None, True)


def test_at_rest_the_pages_read_for_answers_go_and_the_next_answer_is_the_same(
    home: Home, known: Answers, opened: list[App]
) -> None:
    file = home.path / "groups" / "main" / "memory.db"
    before = told(known.answer(SEARCH, "main", ASKED))
    read = pages(file)

    known.rest()

    assert pages(file) < read / 10
    assert told(known.answer(SEARCH, "main", ASKED)).hits == before.hits
    assert len(opened) == 1


def test_before_any_question_rest_opens_nothing(known: Answers, opened: list[App]) -> None:
    known.rest()

    assert opened == []


def test_rest_does_not_wait_for_an_answer_under_way(
    known: Answers, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_LOADING", PATIENCE)
    embedder.may_go_on.clear()
    asking = threading.Thread(target=lambda: known.answer(SEARCH, "main", ASKED))
    asking.start()
    end = time.monotonic() + PATIENCE
    while not embedder.asked and time.monotonic() < end:
        time.sleep(0.01)

    known.rest()
    is_still_asking = asking.is_alive()
    embedder.may_go_on.set()
    asking.join(PATIENCE)

    assert is_still_asking


def test_of_a_proof_nothing_is_kept_open_once_it_is_answered(
    home: Home, spool: Spool, known: Answers
) -> None:
    proof = open_app(str(home.path))
    group, _ = proof.begin_proof()
    talk(spool, Ticking(), "the till sells tea", group=group)
    proof.drain(seconds=None)
    proof.rest()
    before = descriptors()
    known.answer(SEARCH, "main", ASKED)
    opened = descriptors()

    answer = told(known.answer(SEARCH, group, ASKED))

    assert TEA in [hit.content for hit in answer.hits]
    assert before < opened == descriptors()
    proof.close()
