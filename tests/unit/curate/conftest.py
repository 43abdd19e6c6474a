"""A memory of its own for each test of the room, and a desk that curates one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.curate.saying import fresh_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unit.curate.saying import Desk, Room


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return an empty transcript, an empty memory, and a curator."""
    with fresh_desk() as desk:
        yield desk


@pytest.fixture
def room(desk: Desk) -> Room:
    """Return an empty memory, and who learns and decides in it."""
    return desk
