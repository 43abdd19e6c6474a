"""Understanding: ready while sessions are active, in slices, patient with a model that is away."""

from __future__ import annotations

import json
import threading
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tacit.compose import open_app
from tacit.daemon import understanding
from tacit.daemon.understanding import Understanding
from tacit.errors import EmbedderUnavailable
from tacit.log import Log
from tacit.recall.analyse import tokens
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from unit.curate.saying import Ticking, talk
from unit.embedding import Sensing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home
    from tacit.capture.spool import Spool

PATIENCE = 90  # on a machine that is busy with others
AWAY = "The model is not there. Run `tacit doctor`."


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for long."""
    monkeypatch.setattr(understanding, "POLL", 0.02)
    monkeypatch.setattr(understanding, "TROUBLED", 0.02)


@pytest.fixture
def embedder() -> Sensing:
    return Sensing()


class At:
    """Understanding at work, and whether sessions are active."""

    def __init__(self, home: Home, embedder: Sensing) -> None:
        self._log = home.path / "daemon.log"
        self._stop = threading.Event()
        self.is_active = False
        self.work = Understanding(
            lambda: open_app(str(home.path), embedder=embedder), embedder, Log(self._log, lambda: 0)
        )
        self.thread = threading.Thread(
            target=self.work.run, args=(self._stop, lambda: self.is_active), daemon=True
        )
        self.thread.start()

    @property
    def told(self) -> list[dict[str, Any]]:
        text = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    @property
    def events(self) -> list[str]:
        return [each["event"] for each in self.told]

    def understood(self) -> int:
        """Return how many passages it told to have understood."""
        return sum(each.get("passages", 0) for each in self.told)

    def stop(self) -> None:
        self._stop.set()
        self.thread.join(PATIENCE)


@contextmanager
def at_work(home: Home, embedder: Sensing) -> Iterator[At]:
    begun = At(home, embedder)
    try:
        yield begun
    finally:
        embedder.may_go_on.set()
        begun.stop()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def happen(home: Home, spool: Spool, *statements: str, group: str = "main") -> int:
    """Let things be said and taken in; return how many passages there are then."""
    talk(spool, Ticking(), *statements, group=group)
    app = open_app(str(home.path))
    app.drain(seconds=None)
    passages = sum(each.passages for each in app.status().memories if each.group == group)
    app.close()
    return int(passages)


def standing(home: Home, embedder: Sensing) -> tuple[int, int]:
    """Return how many passages there are, and how many of them are understood."""
    path = home.path / "groups" / "main" / "memory.db"
    with closing(open_memory(path, look(home.path), tokens)) as store:
        return store.index.understood(embedder.model)


def test_the_model_is_not_touched_while_nothing_needs_it(home: Home, embedder: Sensing) -> None:
    with at_work(home, embedder) as at:
        time.sleep(0.2)

        assert (embedder.asked, at.work.is_ready, at.events) == ([], False, [])


def test_the_model_is_got_ready_once_while_sessions_are_active(
    home: Home, embedder: Sensing
) -> None:
    with at_work(home, embedder) as at:
        at.is_active = True
        until(lambda: at.work.is_ready)
        time.sleep(0.2)

        assert (len(embedder.asked), at.events) == (1, ["model ready"])


def test_what_was_said_is_understood_whether_or_not_sessions_are_active(
    home: Home, spool: Spool, embedder: Sensing
) -> None:
    passages = happen(home, spool, "the till sells tea")

    with at_work(home, embedder) as at:
        until(lambda: at.understood() == passages)

        assert at.work.is_ready
    assert any("till sells tea" in each for each in embedder.asked)


def test_what_comes_later_is_understood_as_well(
    home: Home, spool: Spool, embedder: Sensing
) -> None:
    with at_work(home, embedder) as at:
        time.sleep(0.1)
        passages = happen(home, spool, "the till sells tea")

        until(lambda: standing(home, embedder) == (passages, passages))

    assert at.understood() >= passages > 0  # what changed meanwhile is understood again


def test_it_works_in_slices(
    home: Home, spool: Spool, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "SLICE", 0.1)
    embedder.delay = 0.15
    passages = happen(home, spool, *(f"the till sells tea number {at}" for at in range(40)))

    with at_work(home, embedder) as at:
        until(lambda: at.understood() == passages)

        assert at.events.count("understood") > 1


def test_the_log_never_has_what_was_said(home: Home, spool: Spool, embedder: Sensing) -> None:
    passages = happen(home, spool, "the till sells tea")

    with at_work(home, embedder) as at:
        until(lambda: at.understood() == passages)

    assert b"till" not in (home.path / "daemon.log").read_bytes()


@pytest.mark.parametrize("trouble", [AWAY, "x" * 1000])
def test_a_model_that_is_away_is_told_once_and_tried_again(
    trouble: str, home: Home, embedder: Sensing
) -> None:
    embedder.trouble = EmbedderUnavailable(trouble)

    with at_work(home, embedder) as at:
        at.is_active = True
        until(lambda: len(embedder.asked) >= 4)

        assert at.work.trouble
        assert trouble.startswith(at.work.trouble)
        assert (at.work.is_ready, at.events) == (False, ["not understood"])
    assert b"model is not there" not in (home.path / "daemon.log").read_bytes()


def test_another_trouble_is_told_as_well(home: Home, embedder: Sensing) -> None:
    embedder.trouble = EmbedderUnavailable(AWAY)

    with at_work(home, embedder) as at:
        at.is_active = True
        until(lambda: at.work.trouble == AWAY)
        embedder.trouble = EmbedderUnavailable("It answers nonsense.")
        until(lambda: at.work.trouble == "It answers nonsense.")

        assert at.events == ["not understood"] * 2


def test_a_model_that_comes_back_understands_and_the_trouble_is_over(
    home: Home, spool: Spool, embedder: Sensing
) -> None:
    embedder.trouble = EmbedderUnavailable(AWAY)
    passages = happen(home, spool, "the till sells tea")

    with at_work(home, embedder) as at:
        until(lambda: at.work.trouble == AWAY)
        embedder.trouble = None

        until(lambda: at.understood() == passages)
        until(lambda: at.work.trouble is None)


def test_after_a_failure_nothing_is_tried_for_a_while(
    home: Home, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "TROUBLED", 600.0)
    embedder.trouble = EmbedderUnavailable(AWAY)

    with at_work(home, embedder) as at:
        at.is_active = True
        until(lambda: at.work.trouble == AWAY)
        time.sleep(0.2)

        assert len(embedder.asked) == 1


@pytest.mark.parametrize("seconds", [0.02, 600.0])
def test_it_ends_when_told_however_long_it_would_wait(
    seconds: float, home: Home, embedder: Sensing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "POLL", seconds)
    monkeypatch.setattr(understanding, "TROUBLED", seconds)
    with at_work(home, embedder) as at:
        time.sleep(0.1)

        at.stop()

        assert not at.thread.is_alive()


def test_a_group_that_cannot_be_read_does_not_keep_others_waiting(
    home: Home, spool: Spool, embedder: Sensing
) -> None:
    happen(home, spool, "the first till sells tea", group="alpha")
    passages = happen(home, spool, "the other till sells milk", group="beta")
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    (home.path / "groups" / "alpha" / "transcript.db").write_bytes(b"no database" * 1000)

    with at_work(home, embedder) as at:
        until(lambda: at.understood() == passages)

        assert at.work.trouble is None
