"""Readings: what is due is read while others work; what fails is told in a word and tried on."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tacit.compose import open_app
from tacit.daemon import readings
from tacit.daemon.readings import Readings
from tacit.errors import HomeRefused, ModelKeyRefused, ModelUnknown
from tacit.log import Log
from unit.curate.model.scripted import Scripted, answer, item
from unit.curate.saying import publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.llm.port import Request

PATIENCE = 90  # on a machine that is busy with others
RULE = "From now on, invoices go out on the first Tuesday of the month."
LEARNED = "Invoices go out on Tuesday"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for long."""
    monkeypatch.setattr(readings, "POLL", 0.02)
    monkeypatch.setattr(readings, "TROUBLED", 0.02)


class At:
    """A model at work in a thread of its own."""

    def __init__(self, home: Home, open_: Callable[[], App]) -> None:
        self._log = home.path / "daemon.log"
        self._stop = threading.Event()
        self.work = Readings(open_, Log(self._log, lambda: 0))
        self.thread = threading.Thread(
            target=self.work.run, args=(self._stop, lambda: False), daemon=True
        )
        self.thread.start()

    @property
    def told(self) -> list[dict[str, Any]]:
        text = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    @property
    def events(self) -> list[str]:
        return [each["event"] for each in self.told]

    def stop(self) -> None:
        self._stop.set()
        self.thread.join(PATIENCE)


@contextmanager
def at_work(home: Home, model: Scripted | None = None, **how: Any) -> Iterator[At]:
    home.make()
    begun = At(home, how.get("open_", lambda: open_app(str(home.path), llm=model)))
    try:
        yield begun
    finally:
        begun.stop()
        assert not begun.thread.is_alive()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def happen(home: Home, spool: Spool, *sessions: str, group: str = "main") -> None:
    """Let sessions happen and be taken in that are worth reading."""
    for session in sessions:
        place = {"session_id": session, "cwd": "/srv/shop", "prompt_id": f"turn-{session}"}
        for event, fields in (
            ("UserPromptSubmit", {"prompt": RULE}),
            ("Stop", {"last_assistant_message": "Ok."}),
            ("SessionEnd", {"reason": "other"}),
        ):
            publish(spool, event, time.time_ns(), place | fields, group=group)
    app = open_app(str(home.path))
    app.drain(seconds=None)
    app.close()


def said() -> dict[str, Any]:
    return answer(item("instruction", LEARNED, RULE))


def test_what_is_due_is_read_whether_or_not_sessions_are_active(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1", "s-2")
    model = Scripted(said())

    with at_work(home, model) as at:
        until(lambda: at.events.count("read by a model") == 2)

        assert (at.work.trouble, at.work.is_ready, at.work.name) == (None, False, "model")
    assert len(model.asked) == 2


def test_what_comes_later_is_read_as_well(home: Home, spool: Spool) -> None:
    with at_work(home, Scripted(said())) as at:
        time.sleep(0.1)
        happen(home, spool, "s-1")

        until(lambda: at.events == ["read by a model"])


def test_without_a_model_it_ends_at_once_and_the_choice_is_noted(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")
    with at_work(home, Scripted(said())) as at:
        until(lambda: at.events == ["read by a model"])

    with at_work(home, None) as at:
        until(lambda: not at.thread.is_alive())
    happen(home, spool, "s-2")

    app = open_app(str(home.path))
    assert app.queue("main").unasked == []
    app.close()


def test_what_cannot_work_is_told_and_not_tried_again(home: Home) -> None:
    def refuse() -> App:
        raise ModelUnknown("llm.base_url needs llm.model. Set it." + "x" * 1000)

    with at_work(home, open_=refuse) as at:
        until(lambda: not at.thread.is_alive())

        assert at.work.trouble is not None
        assert (at.work.trouble[:12], len(at.work.trouble)) == ("llm.base_url", 300)
        assert at.events == ["model trouble"]


@pytest.mark.parametrize("error", [HomeRefused("No."), OSError(28, "No space left")])
def test_a_home_that_cannot_be_opened_now_is_tried_again(
    home: Home, spool: Spool, error: Exception
) -> None:
    happen(home, spool, "s-1")
    tries: list[int] = []

    def open_() -> App:
        tries.append(1)
        if len(tries) < 3:
            raise error
        return open_app(str(home.path), llm=Scripted(said()))

    with at_work(home, open_=open_) as at:
        until(lambda: "read by a model" in at.events)

        assert at.events == ["not opened"] * 2 + ["read by a model"]


def test_a_model_in_trouble_is_told_once_and_the_trouble_ends(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")
    error = ModelKeyRefused("The model does not accept the key.")

    with at_work(home, Scripted(error)) as at:
        until(lambda: at.work.trouble == str(error))
        time.sleep(0.2)

        assert at.events == ["model trouble"]
    assert b"accept the key" not in (home.path / "daemon.log").read_bytes()


def test_while_it_is_not_known_what_one_group_has_spent_nothing_is_asked(
    home: Home, spool: Spool
) -> None:
    for group in ("alpha", "beta"):
        happen(home, spool, "s-1", group=group)
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    database = home.path / "groups" / "alpha" / "transcript.db"
    sound = database.read_bytes()
    database.write_bytes(b"no database" * 1000)
    model = Scripted(said())

    with at_work(home, model) as at:
        until(lambda: len(at.events) == 2)
        time.sleep(0.2)
        assert [(each["event"], each["group"]) for each in at.told] == [
            ("not read", "alpha"),
            ("not read", "beta"),
        ]
        assert model.asked == []
        database.write_bytes(sound)

        until(lambda: "read by a model" in at.events)


def test_a_damaged_group_is_mended_and_read(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")
    database = home.path / "groups" / "main" / "transcript.db"
    database.write_bytes(database.read_bytes()[:-5000])

    with at_work(home, Scripted(said())) as at:
        until(lambda: at.events == ["read by a model"])


def test_a_disk_that_refuses_is_no_end(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")
    (home.path / "asking.lock").mkdir()

    with at_work(home, Scripted(said())) as at:
        until(lambda: at.events == ["not read"])
        (home.path / "asking.lock").rmdir()
        until(lambda: at.events == ["not read", "read by a model"])


def test_a_server_that_hangs_holds_only_the_reading_up(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")
    may_go_on = threading.Event()

    def hang(_request: Request) -> dict[str, Any]:
        assert may_go_on.wait(PATIENCE)
        return said()

    model = Scripted(hang)
    with at_work(home, model) as at:
        until(lambda: len(model.asked) == 1)
        happen(home, spool, "s-2")  # as the work of the daemon does
        app = open_app(str(home.path))
        assert len(app.sessions("main")) == 2
        app.close()
        may_go_on.set()

        until(lambda: at.events.count("read by a model") == 2)


def test_the_log_never_has_what_was_said_or_answered(home: Home, spool: Spool) -> None:
    happen(home, spool, "s-1")

    with at_work(home, Scripted(said())) as at:
        until(lambda: at.events == ["read by a model"])

    log = (home.path / "daemon.log").read_bytes()
    assert [word for word in (b"nvoices", b"Tuesday") if word in log] == []
