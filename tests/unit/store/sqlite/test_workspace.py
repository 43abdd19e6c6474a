"""What a workspace knows, in SQLite: cards as they were put, files as they were seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from tacit.errors import SchemaNewer
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.workspace import (
    Card,
    Found,
    Lying,
    Named,
    Unread,
    open_workspace,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.workspace import SqliteWorkspace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteWorkspace]:
    opened = open_workspace(tmp_path / "workspace.db", look(tmp_path))
    yield opened
    opened.close()


def lying(path: str, *, size: int = 1, modified: int = 1, first: int = 1, alike: str = "") -> Lying:
    area, _, rest = path.partition("/")
    folder, _, name = rest.rpartition("/")
    stem = name.rpartition(".")[0].lower()
    return Lying(area, folder, name, stem, alike, stem, size, modified, first)


def see(store: SqliteWorkspace, *files: Lying) -> None:
    for each in files:
        store.see(each.area, each.folder, [each], ())


def test_nothing_is_known_at_first(store: SqliteWorkspace) -> None:
    assert (store.followed(), store.cards(), store.has_documents()) == ((0, b""), [], False)


def test_how_far_it_was_followed_is_remembered(store: SqliteWorkspace) -> None:
    for seq in (3, 7):
        store.follow(seq, bytes([seq]))

    assert store.followed() == (7, b"\7")


def test_a_card_comes_back_as_it_was_put(store: SqliteWorkspace) -> None:
    full = Card(
        card="c1",
        state="closed",
        path="archive/a.md",
        titled="evt-1",
        filled="evt-2",
        at=5,
        digest="d",
        intended="i",
        beside="a.md.conflict",
        is_due=False,
    )
    bare = Card(card="c2", at=6)
    for card in (Card(card="c1", at=1), full, bare):
        store.put(card)

    assert store.cards() == [full, bare]
    assert (store.card("c1"), store.card("c3")) == (full, None)
    assert (store.due(), store.beside()) == ([bare], [full])


def test_a_file_belongs_to_one_card(store: SqliteWorkspace) -> None:
    store.put(Card(card="c1", path="a.md", at=1))

    with pytest.raises(apsw.ConstraintError):
        store.put(Card(card="c2", path="a.md", at=1))

    assert [store.holder(path) for path in ("a.md", "b.md")] == ["c1", None]


def test_cards_are_found_by_the_events_that_said_their_words(store: SqliteWorkspace) -> None:
    for card, titled, filled in (("c1", "e1", "e2"), ("c2", "e3", None), ("c3", None, "e4")):
        store.put(Card(card=card, titled=titled, filled=filled, at=1))

    found = [[each.card for each in store.said_by(events)] for events in (["e2", "e3"], ["e9"], [])]

    assert found == [["c1", "c2"], [], []]


def test_what_was_seen_in_a_folder_is_known_with_size_and_age(store: SqliteWorkspace) -> None:
    see(store, lying("documents/a.pdf", size=3, modified=4), lying("documents/x/b.pdf"))

    assert store.in_folder("documents", "") == {"a.pdf": (3, 4)}
    assert store.in_folder("documents", "x") == {"b.pdf": (1, 1)}


def test_what_has_gone_is_forgotten(store: SqliteWorkspace) -> None:
    see(store, *(lying(f"documents/{path}") for path in ("a.pdf", "b.pdf", "x/c.pdf", "y/d.pdf")))

    store.see("documents", "", (), ["a.pdf"])
    store.keep_folders("documents", {"", "y"})

    folders = [list(store.in_folder("documents", folder)) for folder in ("", "x", "y")]
    assert folders == [["b.pdf"], [], ["d.pdf"]]


def test_documents_are_found_by_their_telling_word(store: SqliteWorkspace) -> None:
    see(store, lying("documents/scan.pdf"), lying("ocr/scan.txt"), lying("documents/x/tax.pdf"))

    assert store.named(["scan", "other"]) == [Named("", "scan.pdf", "scan")]


def test_what_a_document_holds_counts_until_it_changes(store: SqliteWorkspace) -> None:
    see(store, lying("documents/a.pdf"), lying("documents/b.pdf"), lying("documents/c.pdf", size=9))
    unread = store.unread(10)

    store.read([(each, "same") for each in unread])
    found = store.same()
    see(store, lying("documents/b.pdf", modified=2))

    assert unread == [Unread("", "a.pdf", 1, 1), Unread("", "b.pdf", 1, 1)]
    assert found == [Found("", "a.pdf", 1, "same"), Found("", "b.pdf", 1, "same")]
    assert (store.same(), store.unread(10)) == ([], [Unread("", "b.pdf", 1, 2)])


def test_what_was_read_of_another_file_does_not_count(store: SqliteWorkspace) -> None:
    see(store, lying("documents/a.pdf"), lying("documents/b.pdf"))
    one, _ = store.unread(10)

    store.read([(one._replace(modified=7), "old")])

    assert len(store.unread(10)) == 2


def test_a_schema_that_is_newer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    open_workspace(path, look(tmp_path)).close()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(SchemaNewer):
        open_workspace(path, look(tmp_path))
