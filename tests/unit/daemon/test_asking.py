"""Asking the daemon: its answer or nothing, in time, and the caller stands where it stood."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.daemon import asking
from tacit.daemon.answers import SEARCH
from tacit.daemon.line import Line
from tacit.recall import wire
from tacit.recall.question import MOST, Answer, Hit, Parts, Question
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home
    from tacit.daemon.line import Answer as Answering

    Listening = Callable[[Answering], None]

QUESTION = Question(
    text="which till sells tea",
    scope=Scope(layers=("memory",), tags=("shop",), since=5),
    limit=7,
    least=0.5,
)
HIT = Hit(
    id="mem-1",
    layer="memory",
    kind="fact",
    content="The till sells tea",
    behavioral=False,
    tags=("shop",),
    created_at=1,
    relevance=0.9,
    origin="user",
    project=None,
    session="s-1",
    turn=None,
    state="active",
    parts=Parts(words=0.5, matched=("till",), meaning=0.4, score=0.7),
)
ANSWER = Answer(hits=[HIT], by=("words", "meaning"), note="A note.")


@pytest.fixture
def listening(
    root: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Answering], None]]:
    """Return what lets a daemon listen; we stand in a directory of our own."""
    monkeypatch.chdir(tmp_path)
    begun: list[Line] = []

    def begin(answer: Answering) -> None:
        begun.append(Line(root, answer))
        begun[-1].start()
        monkeypatch.chdir(tmp_path)

    yield begin
    monkeypatch.chdir(tmp_path / "home")  # where its socket is
    for each in begun:
        each.close()


def test_without_a_daemon_there_is_no_answer(root: int) -> None:
    assert asking.search(root, "main", QUESTION) is None


def test_the_daemon_s_answer_comes_back_whole(root: int, listening: Listening) -> None:
    listening(lambda *_: ("search", wire.told(ANSWER)))

    assert asking.search(root, "main", QUESTION) == ANSWER


def test_the_question_arrives_whole(root: int, listening: Listening) -> None:
    heard: list[tuple[str, str, Question]] = []
    listening(lambda event, group, said: heard.append((event, group, wire.question(said))))

    asking.search(root, "work", QUESTION)

    assert heard == [(SEARCH, "work", QUESTION)]


@pytest.mark.parametrize("letter", ["a", "ü", "語", "😀"])
def test_the_longest_answer_that_there_can_be_comes_back(
    letter: str, root: int, listening: Listening
) -> None:
    longest = Answer(hits=[replace(HIT, content=letter * 2000)] * MOST, by=("words",))
    listening(lambda *_: ("search", wire.told(longest)))

    assert asking.search(root, "main", QUESTION, 10.0) == longest


def test_silence_is_no_answer(root: int, listening: Listening) -> None:
    listening(lambda *_: None)

    assert asking.search(root, "main", QUESTION) is None


def test_who_is_too_slow_has_no_answer(root: int, listening: Listening) -> None:
    listening(lambda *_: time.sleep(1))

    assert asking.search(root, "main", QUESTION, 0.05) is None


@pytest.mark.parametrize(
    "said",
    [
        b"hello",
        b"[]",
        b"null",
        b"{}",
        b'{"hits": 5, "by": [], "note": ""}',
        b'{"hits": [5], "by": [], "note": ""}',
        b'{"hits": [{}], "by": [], "note": ""}',
        json.dumps(asdict(ANSWER) | {"hits": [asdict(HIT) | {"colour": "red"}]}).encode(),
    ],
    ids=lambda said: repr(said[:40]),
)
def test_an_answer_of_another_version_is_none(said: bytes, root: int, listening: Listening) -> None:
    listening(lambda *_: ("search", said))

    assert asking.search(root, "main", QUESTION) is None


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda *_: ("search", wire.told(ANSWER)), id="answered"),
        pytest.param(lambda *_: None, id="silence"),
        pytest.param(lambda *_: ("search", b"garbage"), id="garbage"),
    ],
)
def test_asking_leaves_us_where_we_are(
    answer: Answering, root: int, tmp_path: Path, listening: Listening
) -> None:
    listening(answer)

    asking.search(root, "main", QUESTION)

    assert Path.cwd() == tmp_path


def test_asking_leaves_us_where_we_are_if_nobody_listens_any_more(
    home: Home, root: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (home.path / "daemon.sock").touch()

    answer = asking.search(root, "main", QUESTION)

    assert (answer, Path.cwd()) == (None, tmp_path)


def test_asking_leaves_us_where_we_are_if_it_fails(
    root: int, tmp_path: Path, listening: Listening
) -> None:
    listening(lambda *_: None)

    with pytest.raises(UnicodeEncodeError):
        asking.search(root, "\ud800", QUESTION)

    assert Path.cwd() == tmp_path


def test_who_stands_in_a_directory_that_is_deleted_is_answered(
    root: int, tmp_path: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening(lambda *_: ("search", wire.told(ANSWER)))
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    answer = asking.search(root, "main", QUESTION)
    monkeypatch.chdir(tmp_path)

    assert answer == ANSWER
