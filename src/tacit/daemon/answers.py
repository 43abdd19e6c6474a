"""Answers: what the daemon says when it is asked over its line.

A question that nobody knows, or that cannot be answered now, meets silence: whoever asks goes on
without. The model may still be loading; then words answer alone, and the answer says so. A hook
waits for a moment only: what it asks for is found within that, or not said.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.capture.brief import aged
from tacit.deliver.render import escaped
from tacit.errors import EmbedderUnavailable
from tacit.paths import is_proof
from tacit.recall import wire
from tacit.verbs.surfacing import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.app import App
    from tacit.deliver.brief import Brief
    from tacit.deliver.surfacing import Surfacing
    from tacit.recall.question import Meaning, Seek

SEARCH = "Search"
_PATIENCE = 1.0  # so long at most a question waits for its turn
_LOADING = 1.0  # and for the model
_HOOK_PATIENCE, _HOOK_LOADING = 0.05, 0.06  # of the moment that a hook waits
_CATCHING_UP = 0.15
_MOST_SESSIONS = 256


class Answers:
    """Answers questions, one after the other, with an open home of its own."""

    def __init__(self, open_app: Callable[[], App]) -> None:
        self._open = open_app
        self._app: App | None = None
        self._turn = threading.Lock()
        self.known: dict[str, Callable[[str, bytes], tuple[str, bytes] | None]] = {
            SEARCH: self._search,
            "SessionStart": self._start,
            "UserPromptSubmit": self._surface,
        }
        self._prompts: dict[str, int] = {}

    def answer(self, event: str, group: str, payload: bytes) -> tuple[str, bytes] | None:
        """Return (id, text) of an answer, or nothing to say."""
        known = self.known.get(event)
        try:
            return known(group, payload) if known else None
        finally:
            if is_proof(group):  # soon gone: nothing of it is kept open
                self.rest()

    def _search(self, group: str, payload: bytes) -> tuple[str, bytes] | None:
        question = wire.question(payload)
        with self._held(_PATIENCE) as app:
            if app is None:
                return None
            meaning = _sought(lambda: app.meaning(question.text), _LOADING)()
            return "search", wire.told(app.search(group, question, meaning=meaning))

    def _start(self, group: str, payload: bytes) -> tuple[str, bytes] | None:
        """Tell a session that goes on what it has lost to a compaction, or what is new to it."""
        prompt, source = _prompt(payload, "source")
        with self._held(_HOOK_PATIENCE) as app:
            if app is None:
                return None
            if source == "compact":  # the turn that goes on was just curated, or is to be
                app.drain(seconds=_CATCHING_UP)
            return _said(app.told_again(group, prompt, is_new=source == "compact"))

    def _surface(self, group: str, payload: bytes) -> tuple[str, bytes] | None:
        """Answer a prompt with the memories that fit it."""
        prompt, _ = _prompt(payload, "prompt")
        with self._held(_HOOK_PATIENCE) as app:
            if app is None or not prompt.text.strip() or not self._is_due(app, prompt.session):
                return None
            if app.is_empty(group):
                return None
            question = app.asked(group, prompt)
            seek = _sought(lambda: app.meaning(question.text), _HOOK_LOADING)
            answer = app.surface(group, prompt, seek, question)
            app.tell(group, prompt, answer)
            return _said(answer)

    def _is_due(self, app: App, session: str) -> bool:
        """Say whether a prompt of a session is one that is answered."""
        every = app.surface_every()
        counted = self._prompts.pop(session, 0)
        self._prompts[session] = counted + 1
        if len(self._prompts) > _MOST_SESSIONS:
            self._prompts.pop(next(iter(self._prompts)))
        return bool(every) and counted % every == 0

    def rest(self) -> None:
        """Let go what is kept only to be fast, unless a question is being answered."""
        if self._turn.acquire(blocking=False):
            try:
                if self._app:
                    self._app.rest()
            finally:
                self._turn.release()

    @contextmanager
    def _held(self, seconds: float) -> Iterator[App | None]:
        """Yield the open home, for one question at a time; None if others take too long."""
        if not self._turn.acquire(timeout=seconds):
            yield None
            return
        try:
            if self._app is None:
                self._app = self._open()
            yield self._app
        finally:
            self._turn.release()


def _prompt(payload: bytes, name: str) -> tuple[Prompt, str]:
    """Return who asks, and one field of what they say; whatever is no text is empty."""
    said = json.loads(payload)
    fields = {
        each: value if isinstance(value := said.get(each), str) else ""
        for each in (name, "session_id", "cwd")
    }
    prompt = Prompt(
        text=fields[name] if name == "prompt" else "",
        session=fields["session_id"],
        directory=fields["cwd"],
    )
    return prompt, fields[name]


def _said(answer: Brief | Surfacing) -> tuple[str, bytes] | None:
    return (answer.id, aged(escaped(answer.text), time.time())) if answer.id else None


def _sought(ask: Seek, seconds: float) -> Seek:
    """Begin to find out what a question means; return what waits for it until it is too late.

    It is found out all the same.
    """
    until = time.monotonic() + seconds
    found: list[Meaning | None] = []

    def find() -> None:
        try:
            found.append(ask())
        except EmbedderUnavailable:  # told by status; words go on
            found.append(None)

    thread = threading.Thread(target=find, name="meaning of a question", daemon=True)
    thread.start()

    def waited() -> Meaning | None:
        thread.join(max(0.0, until - time.monotonic()))
        return found[0] if found else None

    return waited
