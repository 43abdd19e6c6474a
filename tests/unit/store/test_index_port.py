"""The index's port: a scope that asks for nothing is plain, and any wish makes it another."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from contract.conftest import fresh, sqlite_memory
from contract.passages import message, write
from tacit.store.index_port import LAYERS, Scope

WISHES: dict[str, Any] = {
    "layers": ("memory",),
    "projects": (),
    "is_everywhere": False,
    "kinds": (),
    "tags": ("red",),
    "states": ("active", "superseded"),
    "since": 0,
    "until": 0,
    "as_of": 0,
}


def test_a_scope_that_asks_for_nothing_is_plain() -> None:
    assert Scope().is_plain


def test_there_is_a_wish_for_each_field() -> None:
    assert set(WISHES) == {field.name for field in fields(Scope)}


@pytest.mark.parametrize("name", WISHES)
def test_any_wish_makes_a_scope_one_that_is_not_plain(name: str) -> None:
    assert not Scope(**{name: WISHES[name]}).is_plain


@pytest.mark.parametrize("made", [Scope(), message("a")], ids=["scope", "passage"])
def test_what_was_made_cannot_be_changed(made: Any) -> None:
    first = fields(made)[0].name

    with pytest.raises(FrozenInstanceError):
        setattr(made, first, None)


def test_every_layer_that_is_named_can_be_written() -> None:
    with fresh(sqlite_memory) as memory:
        write(memory.index, *(message(layer, layer=layer) for layer in LAYERS))

        assert memory.index.layers() == dict.fromkeys(LAYERS, 1)
