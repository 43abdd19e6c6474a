"""What workspaces know of cards and files: opened once, made again where it is damaged."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tacit.store.sqlite.workspace import Card
from tacit.transcript.ledgers import Ledgers
from tacit.workspace import layout
from tacit.workspace.stores import WorkspaceStores
from unit.transcript.events import NOON, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    made.mkdir()
    layout.make(made, "1.0")
    return made


@pytest.fixture
def stores(tmp_path: Path, place: Path) -> Iterator[WorkspaceStores]:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    ledgers = Ledgers(
        home, now_ns=lambda: NOON, auto=True, keep=7, workspaces=lambda: {"papers": str(place)}
    )
    with opened(ledgers.files("papers")), closing(WorkspaceStores(ledgers, lambda: NOON)) as made:
        yield made


def put(stores: WorkspaceStores, card: str) -> None:
    stores.ask("papers", lambda store: store.put(Card(card=card, at=1)))


def known(stores: WorkspaceStores) -> list[str]:
    return [card.card for card in stores.ask("papers", lambda store: store.cards())]


def test_it_lies_in_the_workspace_and_stays(stores: WorkspaceStores, place: Path) -> None:
    put(stores, "c1")
    stores.let_go("papers")

    assert known(stores) == ["c1"]
    assert stores.path("papers") == place / ".os" / "memory" / "workspace.db"


def test_one_that_is_damaged_is_put_aside_and_made_again(
    stores: WorkspaceStores, place: Path
) -> None:
    put(stores, "c1")
    stores.let_go("papers")
    stores.path("papers").write_bytes(b"no database" * 1000)

    assert known(stores) == []
    assert len(list((place / ".os" / "memory" / "quarantine").rglob("workspace.db"))) == 1


def test_one_that_was_replaced_is_opened_again(stores: WorkspaceStores, tmp_path: Path) -> None:
    put(stores, "c1")
    stores.let_go("papers")
    shutil.copy(stores.path("papers"), tmp_path / "copy.db")
    put(stores, "c2")
    (tmp_path / "copy.db").replace(stores.path("papers"))

    put(stores, "c3")

    assert "c3" in known(stores)


def test_what_is_gone_is_let_go(stores: WorkspaceStores, place: Path) -> None:
    put(stores, "c1")
    shutil.rmtree(place / ".os")

    stores.let_gone_go()

    assert stores._open == {}  # noqa: SLF001  (that nothing is held is what is promised)
