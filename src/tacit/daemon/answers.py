"""Answers: what the daemon says when it is asked over its line.

A question that nobody knows, or that cannot be answered now, meets silence: whoever asks goes on
without. The model may still be loading; then words answer alone, and the answer says so.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.errors import EmbedderUnavailable
from tacit.recall import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.app import App
    from tacit.recall.question import Meaning

SEARCH = "Search"
_PATIENCE = 1.0  # so long at most a question waits for its turn
_LOADING = 1.0  # and for the model


class Answers:
    """Answers questions, one after the other, with an open home of its own."""

    def __init__(self, open_app: Callable[[], App]) -> None:
        self._open = open_app
        self._app: App | None = None
        self._turn = threading.Lock()
        self.known: dict[str, Callable[[str, bytes], tuple[str, bytes] | None]] = {
            SEARCH: self._search
        }

    def answer(self, event: str, group: str, payload: bytes) -> tuple[str, bytes] | None:
        """Return (id, text) of an answer, or nothing to say."""
        known = self.known.get(event)
        return known(group, payload) if known else None

    def _search(self, group: str, payload: bytes) -> tuple[str, bytes] | None:
        question = wire.question(payload)
        with self._held() as app:
            if app is None:
                return None
            meaning = _in_time(lambda: app.meaning(question.text), _LOADING)
            return "search", wire.told(app.search(group, question, meaning=meaning))

    @contextmanager
    def _held(self) -> Iterator[App | None]:
        """Yield the open home, for one question at a time; None if others take too long."""
        if not self._turn.acquire(timeout=_PATIENCE):
            yield None
            return
        try:
            if self._app is None:
                self._app = self._open()
            yield self._app
        finally:
            self._turn.release()


def _in_time(ask: Callable[[], Meaning | None], seconds: float) -> Meaning | None:
    """Return what a question means, if that is known in time; it is found out all the same."""
    found: list[Meaning | None] = []

    def find() -> None:
        try:
            found.append(ask())
        except EmbedderUnavailable:  # told by status; words go on
            found.append(None)

    thread = threading.Thread(target=find, name="meaning of a question", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else None
