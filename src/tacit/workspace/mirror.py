"""The mirror: a file for each card, a projection of the transcript that undoes nobody's edits.

What a card is to say is written down before it is said, and that it has said it afterwards; so,
whatever is killed when, a file is known as ours or as changed by hand, nothing is written twice,
and a card that says nothing new touches nothing. A file keeps its place when its card gets another
title, and is followed when somebody gives it another name. Changed by hand, it stays, and what the
card says is put beside it. The file of a closed card goes to the archive as it is. A file that
cannot be written stays due, with the reason, and holds no other one up.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.errors import WorkspaceRefused
from tacit.store.sqlite.workspace import CLOSED
from tacit.workspace import page
from tacit.workspace.canvas import words
from tacit.workspace.layout import ARCHIVE
from tacit.workspace.shelf import Shelf, is_path
from tacit.workspace.slug import SUFFIX, fitting, slug, unique
from tacit.workspace.space import Changed, Missing, Plain

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.store.sqlite.workspace import Card, SqliteWorkspace
    from tacit.workspace.canvas import Canvas
    from tacit.workspace.space import Lies

CONFLICT = ".conflict"
_CLOSED_TO_US = "its folder is a link, no directory, or closed to you"


class Mirror:
    """Keeps the files of one workspace's cards."""

    def __init__(
        self, workspace: Path, transcript: SqliteStore, store: SqliteWorkspace, canvas: Canvas
    ) -> None:
        self._workspace = workspace
        self._transcript = transcript
        self._store = store
        self._canvas = canvas

    def settle(self, until: float | None = None) -> int:
        """Let the files say what their cards do, until then at most; return how many are left.

        What could not be written before is tried again and counts as none of these.
        """
        due = self._store.due()
        if not due:
            return 0
        with Shelf(self._workspace) as shelf:
            shelf.sweep(card.path or "" for card in due)
            for done, card in enumerate(due):
                if until is not None and time.monotonic() >= until:
                    return sum(each.trouble is None for each in due[done:])
                try:
                    self._settle(shelf, card)
                except (OSError, WorkspaceRefused) as error:
                    self._hold(card, error)
        return 0

    def _hold(self, card: Card, error: OSError | WorkspaceRefused) -> None:
        """Let a card whose file cannot be written wait, and say why."""
        why = _CLOSED_TO_US if isinstance(error, WorkspaceRefused) else error.strerror
        known = self._store.card(card.card) or card
        held = replace(known, is_due=True, trouble=why or type(error).__name__)
        if held != known:
            self._store.put(held)

    def conflicts(self) -> list[Card]:
        """Return the cards whose words still lie beside their file."""
        told = self._store.beside()
        if not told:
            return []
        with Shelf(self._workspace) as shelf:
            over = [card for card in told if _is_over(shelf, card)]
        for card in over:
            self._store.put(replace(card, beside=None))
        return [card for card in told if card not in over]

    def follow_names(self) -> None:
        """Find the files again to which somebody gave another name."""
        known = [card for card in self._store.cards() if card.path]
        if not known:
            return
        with Shelf(self._workspace) as shelf:
            for card in known:
                with suppress(OSError, WorkspaceRefused):  # settling it says what is wrong
                    place = self._place(shelf, card)
                    if place is not None and place != card.path:
                        self._store.put(replace(card, path=place))

    def _settle(self, shelf: Shelf, card: Card) -> None:
        place = self._place(shelf, card)
        card = replace(card, path=place or (card.path if is_path(card.path) else None))
        if card.titled or card.filled:
            card = self._say(shelf, card)
        self._store.put(replace(self._put_away(shelf, card), is_due=False, trouble=None))

    def _place(self, shelf: Shelf, card: Card) -> str | None:
        """Return where the file of a card lies: where it was, else where one says it is of it."""
        if card.path and not shelf.is_missing(card.path):
            return card.path
        name = (card.path or "").rpartition("/")[2]
        moved = f"{ARCHIVE}/{name}" if name and card.state == CLOSED else ""
        for path in (shelf.pages().get(card.card, ""), moved):
            is_free = self._store.holder(path) in {None, card.card}
            if path and is_free and not shelf.is_missing(path):
                return path
        return None

    def _say(self, shelf: Shelf, card: Card) -> Card:
        """Let the file of a card say what the card does; changed by hand, another one beside it."""
        title, body = self._words(card)
        text = page.render(card.card, title, body)
        wanted = page.digest(text)
        if card.digest == wanted and card.intended is None:
            return card
        card = replace(card, path=card.path or self._fresh(shelf, card, title))
        while True:
            try:
                beside = self._written(shelf, card, text)
            except Changed:  # whoever was quicker has written something of their own
                continue
            return replace(card, digest=wanted, intended=None, beside=beside)

    def _written(self, shelf: Shelf, card: Card, text: bytes) -> str | None:
        """Write the page of a card, beside its file if that was changed by hand; return where."""
        path = card.path or ""
        lies = shelf.look(path)
        is_ours = _is_ours(card, lies) or (isinstance(lies, Plain) and page.agrees(lies.text, text))
        known = page.digest(lies.text) if isinstance(lies, Plain) and is_ours else card.digest
        noted = replace(card, digest=known, intended=page.digest(text))
        if noted != self._store.card(card.card):
            self._store.put(noted)
        if not is_ours:
            return _put_beside(shelf, card, path, text)
        if not isinstance(lies, Plain) or lies.text != text:
            shelf.write(path, text, lies)
        return card.beside

    def _words(self, card: Card) -> tuple[str, str]:
        """Return the title and the text of a card, as the transcript has them."""
        names = [name for name in (card.titled, card.filled) if name]
        said = {each.id: words(each, self._canvas) for each in self._transcript.find(names)}
        title, _ = said.get(card.titled or "", (None, None))
        _, body = said.get(card.filled or "", (None, None))
        return title or "", body or ""

    def _fresh(self, shelf: Shelf, card: Card, title: str) -> str:
        """Return a path that nobody has, after a title."""

        def is_free(stem: str) -> bool:
            places = (f"{stem}{SUFFIX}", f"{ARCHIVE}/{stem}{SUFFIX}")
            return all(
                shelf.is_free(place) and self._store.holder(place) is None for place in places
            )

        return unique(slug(title, card.card), is_free) + SUFFIX

    def _put_away(self, shelf: Shelf, card: Card) -> Card:
        """Let the file of a closed card lie in the archive, that of an open one not."""
        is_closed = card.state == CLOSED
        is_away = (card.path or "").startswith(f"{ARCHIVE}/")
        if not card.path or is_away == is_closed or shelf.is_missing(card.path):
            return card
        wanted = ARCHIVE if is_closed else ""

        def is_taken(path: str) -> bool:
            return self._store.holder(path) not in {None, card.card}

        moved = replace(card, path=shelf.move(card.path, wanted, is_taken))
        if card.beside and not shelf.is_missing(card.beside):
            moved = replace(moved, beside=shelf.move(card.beside, wanted, is_taken))
        return moved


def _is_over(shelf: Shelf, card: Card) -> bool:
    """Say whether nothing lies beside the file of a card any more; where nobody can look, not."""
    try:
        return shelf.is_missing(card.beside or "")
    except (OSError, WorkspaceRefused):
        return False


def _is_ours(card: Card, lies: Lies) -> bool:
    """Say whether a file may be written: there is none, or it is as we have left it."""
    if not isinstance(lies, Plain):
        return isinstance(lies, Missing)
    known = {card.digest, card.intended} - {None}
    if known:
        return page.digest(lies.text) in known
    return page.is_whole(lies.text) and page.read_head(lies.text).card == card.card


def _put_beside(shelf: Shelf, card: Card, path: str, text: bytes) -> str:
    """Put what a card says beside its file; return where. What somebody changed there stays."""
    number = 1
    while True:
        within, slash, name = path.rpartition("/")
        place = within + slash + fitting(name, CONFLICT + (f"-{number}" if number > 1 else ""))
        lies = shelf.look(place)
        if _is_ours(replace(card, digest=None, intended=None), lies):
            if not isinstance(lies, Plain) or lies.text != text:
                shelf.write(place, text, lies)
            return place
        number += 1
