"""The mirror under whatever cards and people do, in any order: nobody's words are lost.

What somebody wrote by hand stays until they take it away themselves, what a card last said stands
somewhere, and saying it again writes nothing.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from unit.workspace.desk import Desk, edit, shot, text

if TYPE_CHECKING:
    from tacit.store.sqlite.workspace import Card

CARDS = st.sampled_from(["c1", "c2", "c3"])
TITLES = st.sampled_from(["Plan", "plan", "Tax", "../x", ""])
_IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108


class Machine(RuleBasedStateMachine):
    """Cards that change, and a user who edits, moves and deletes."""

    def __init__(self) -> None:
        super().__init__()
        self._umask = os.umask(0o077)
        self._scratch = TemporaryDirectory(dir=_IN_MEMORY)
        self.desk = Desk(Path(self._scratch.name))
        self._numbers = count(1)
        self.mine: dict[str, str] = {}  # words by hand, and whose file they stand in
        self.said: dict[str, str] = {}  # what each card last said

    def teardown(self) -> None:
        self.desk.close()
        self._scratch.cleanup()
        os.umask(self._umask)

    def _word(self, kind: str) -> str:
        return f"{kind}{next(self._numbers)}x"

    def _file(self, card: str) -> Path | None:
        """Return the file of a card, if it has one."""
        found = self.desk.store.card(card)
        file = self.desk.page(found.path) if found and found.path else None
        return file if file and file.exists() else None

    @rule(card=CARDS, title=TITLES)
    def create(self, card: str, title: str) -> None:
        self.said[card] = self._word("said")
        self.desk.card("create", card, title=title, blocks=text(self.said[card]))
        self.desk.settle()

    @rule(card=CARDS)
    def update(self, card: str) -> None:
        self.said[card] = self._word("said")
        self.desk.card("update", card, blocks=text(self.said[card]))
        self.desk.settle()

    @rule(card=CARDS, title=TITLES)
    def call_otherwise(self, card: str, title: str) -> None:
        self.desk.card("update", card, title=title)
        self.desk.settle()

    @rule(card=CARDS)
    def close(self, card: str) -> None:
        self.desk.card("close", card)
        self.desk.settle()

    @rule(card=CARDS)
    def edit_by_hand(self, card: str) -> None:
        file = self._file(card)
        if file:
            word = self._word("mine")
            edit(file, f"{word}\n")
            self.mine[word] = card

    @rule(card=CARDS)
    def delete_by_hand(self, card: str) -> None:
        file = self._file(card)
        if file:
            self._take_away(file)
            file.unlink()
            self.said.pop(card, None)  # it comes back with the next word

    @rule(card=CARDS)
    def rename_by_hand(self, card: str) -> None:
        file = self._file(card)
        if file:
            file.rename(file.with_name(f"{self._word('name')}.md"))

    @rule(card=CARDS)
    def take_the_card_s_version(self, card: str) -> None:
        found: Card | None = self.desk.store.card(card)
        file = self._file(card)
        if file and found and found.beside and self.desk.page(found.beside).exists():
            self._take_away(file)
            self.desk.page(found.beside).replace(file)

    @rule()
    def lose_what_is_known(self) -> None:
        self.desk.lose_ledger()
        self.desk.settle()

    def _take_away(self, file: Path) -> None:
        """Let the user's own words in a file be gone, by their own will."""
        gone = file.read_text(encoding="utf-8")
        self.mine = {word: card for word, card in self.mine.items() if word not in gone}

    def _everything(self) -> str:
        files = [file for file in (self.desk.place / "projects").rglob("*") if file.is_file()]
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    @invariant()
    def nobody_s_words_are_lost(self) -> None:
        text_of_all = self._everything()
        assert [word for word in self.mine if word not in text_of_all] == []

    @invariant()
    def what_cards_say_stands_somewhere(self) -> None:
        text_of_all = self._everything()
        assert [word for word in self.said.values() if word not in text_of_all] == []

    @invariant()
    def saying_it_again_writes_nothing(self) -> None:
        before = shot(self.desk.place)
        self.desk.settle()
        assert shot(self.desk.place) == before

    @invariant()
    def nothing_half_made_is_left(self) -> None:
        names = [file.name for file in (self.desk.place / "projects").rglob("*")]
        assert [name for name in names if name.startswith(".")] == []


Machine.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestMirror = Machine.TestCase
