"""Answers to a client: what fits a prompt, once; all after a compaction; news after a resume."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture.ask import ask
from tacit.compose import open_app
from tacit.daemon import answers
from tacit.daemon.answers import Answers
from tacit.daemon.line import Line
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from unit.curate.saying import Ticking, publish, talk
from unit.embedding import Sensing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

TEA = "The till sells tea"
SHOP = "/srv/shop"
PATIENCE = 90  # on a machine that is busy with others
PROMPT = {"session_id": "s-9", "cwd": SHOP, "prompt": "which till sells tea"}


class Now(Ticking):
    """The time, which is today."""

    def __init__(self) -> None:
        self.now_ns = time.time_ns()


@pytest.fixture
def clock() -> Now:
    return Now()


def choose(home: Home, **chosen: float) -> None:
    lines = [f"{name} = {value}\n" for name, value in {"max_brief_entries": 1, **chosen}.items()]
    (home.path / "config.toml").write_text("[deliver]\n" + "".join(lines), encoding="utf-8")


@pytest.fixture
def app(home: Home, spool: Spool, clock: Now) -> Iterator[App]:
    """Return the verbs of a home where more is known than stands in the brief."""
    choose(home)
    talk(spool, clock, TEA)
    opened = open_app(str(home.path), embedder=Sensing())
    opened.drain(seconds=None)
    opened.pin("main", opened.remember("main", Said(text="I speak French"), Caller()).id, Caller())
    yield opened
    opened.close()


@pytest.fixture
def known(home: Home, app: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """Return what answers; no question is too late on a busy machine."""
    del app
    monkeypatch.setattr(answers, "_HOOK_PATIENCE", PATIENCE)
    monkeypatch.setattr(answers, "_HOOK_LOADING", PATIENCE)
    monkeypatch.setattr(answers, "_CATCHING_UP", PATIENCE)
    opened: list[App] = []

    def opening() -> App:
        opened.append(open_app(str(home.path)))
        return opened[-1]

    yield Answers(opening)
    for each in opened:
        each.close()


def asked(known: Answers, event: str = "UserPromptSubmit", **fields: Any) -> str:
    """Return what is answered, as the client reads it."""
    payload = json.dumps(PROMPT | fields).encode()
    told = known.answer(event, "main", payload)
    return str(json.loads(b'"' + told[1] + b'"')) if told else ""


def test_a_prompt_is_answered_with_what_fits_it_and_its_age(known: Answers) -> None:
    told = asked(known)

    assert f"- [fact] {TEA} (said by the user, 0d ago)" in told
    assert "\x01" not in told


@pytest.mark.parametrize("prompt", ["", " \n", "Good morning", "rename the variable please"])
def test_what_nothing_fits_is_met_with_silence(prompt: str, known: Answers) -> None:
    assert asked(known, prompt=prompt) == ""


def test_what_was_surfaced_is_not_surfaced_again_in_the_session(known: Answers) -> None:
    found = [asked(known, session_id=session) for session in ("s-9", "s-9", "s-8")]

    assert [TEA in each for each in found] == [True, False, True]


def test_what_stands_in_the_brief_of_the_session_is_not_surfaced(known: Answers) -> None:
    assert asked(known, prompt="do I speak French") == ""


@pytest.mark.parametrize(
    ("every", "answered"),
    [(0, [False] * 4), (1, [True] * 4), (2, [True, False, True, False])],
)
def test_every_so_many_prompts_are_answered(
    every: int, answered: list[bool], known: Answers, home: Home, app: App
) -> None:
    for number in range(4):
        words = f"Room {number} has door {number * 7919}"
        app.remember("main", Said(text=words), Caller())
    choose(home, surface_every=every)

    found = [
        asked(known, prompt=f"which room has door {number * 7919}") != "" for number in range(4)
    ]

    assert found == answered


def test_each_session_counts_its_own_prompts(known: Answers, home: Home) -> None:
    choose(home, surface_every=2)

    found = [asked(known, session_id=each) != "" for each in ("s-1", "s-2", "s-1", "s-3")]

    assert found == [True, True, False, True]


def test_only_so_many_sessions_are_kept_in_mind(
    known: Answers, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_MOST_SESSIONS", 2)
    choose(home, surface_every=3)
    for session in ("s-1", "s-2"):
        asked(known, session_id=session, prompt="Good morning")

    within = asked(known, session_id="s-1")
    for session in ("s-3", "s-4"):
        asked(known, session_id=session)

    assert (within, TEA in asked(known, session_id="s-1")) == ("", True)


def test_an_answer_that_nobody_heard_is_counted_as_late(
    known: Answers, app: App, spool: Spool, clock: Now
) -> None:
    payloads = [PROMPT | {"session_id": session, "prompt_id": "t"} for session in ("s-8", "s-9")]
    ids = [known.answer("UserPromptSubmit", "main", json.dumps(each).encode()) for each in payloads]
    assert ids[1] is not None
    publish(spool, "UserPromptSubmit", clock(), payloads[1], answered=ids[1][0])
    app.drain(seconds=None)
    early = {each.surface: each.late for each in app.uses("main").surfaces}
    later = open_app(now_ns=lambda: time.time_ns() + 61 * 10**9)

    late = {
        each.surface: (each.made, each.heard, each.late) for each in later.uses("main").surfaces
    }
    later.close()

    assert (early["prompt"], late["prompt"]) == (0, (2, 1, 1))


def test_after_a_compaction_all_is_told_with_what_was_just_said(
    known: Answers, spool: Spool, clock: Now, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    talk(spool, clock, "The shop opens at nine", session_id="s-9")

    told = asked(known, "SessionStart", source="compact")

    assert "## Memory Context" in told
    assert [words in told for words in (TEA, "I speak French", "opens at nine")] == [True] * 3


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_after_a_resume_only_what_is_new_is_told(
    source: str, known: Answers, app: App, spool: Spool, clock: Now, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    app.drain(seconds=None)
    start = {"session_id": "s-9", "cwd": SHOP, "source": "startup"}
    publish(spool, "SessionStart", clock(), start, answered=app.brief("main", SHOP).id)
    app.drain(seconds=None)
    before = asked(known, "SessionStart", source=source)
    talk(spool, clock, "The shop opens at nine", session_id="s-2")
    app.drain(seconds=None)

    told = asked(known, "SessionStart", source=source)

    assert before == ""
    assert ("opens at nine" in told, TEA in told) == (True, False)


def test_who_must_wait_too_long_is_met_with_silence(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def opening() -> App:
        begun.set()
        may_go_on.wait(PATIENCE)
        return app

    busy = Answers(opening)
    other = threading.Thread(target=asked, args=(busy,))
    other.start()
    begun.wait(PATIENCE)
    monkeypatch.setattr(answers, "_HOOK_PATIENCE", 0.01)

    found = asked(busy), asked(busy, "SessionStart", source="compact")
    may_go_on.set()
    other.join(PATIENCE)

    assert found == ("", "")


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"5",
        b'"text"',
        b"\xff\x00",
        b"[" * 100_000,
        b'{"prompt": 5, "session_id": [], "cwd": {}}',
        b'{"prompt": "which till sells tea", "cwd": "\\u0000/../x", "session_id": "\\ud800"}',
        b'{"source": "compact", "cwd": 5}',
        b'{"source": "resume", "session_id": null}',
    ],
    ids=lambda payload: repr(payload[:16]),
)
def test_garbage_is_met_with_silence_over_the_line_and_the_next_is_answered(
    payload: bytes,
    event: str,
    known: Answers,
    root: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    line = Line(root, known.answer)
    line.start()

    garbled = ask(root, event, "main", payload, PATIENCE)
    sound = ask(root, "UserPromptSubmit", "main", json.dumps(PROMPT).encode(), PATIENCE, 1 << 20)
    line.close()

    assert garbled is None or b"French" in garbled[1]
    assert sound is not None
    assert TEA.encode() in sound[1]
