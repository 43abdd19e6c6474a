"""A memory of its own for each test of the room, and a desk that curates one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.curate.saying import Desk, Room


@pytest.fixture
def room(desk: Desk) -> Room:
    """Return an empty memory, and who learns and decides in it."""
    return desk
