"""A transcript, a memory and its index for each test of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.curate.saying import fresh_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unit.curate.saying import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return an empty transcript and an empty memory."""
    with fresh_desk() as desk:
        yield desk
