"""What the tests of workspaces share: a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.workspace.desk import Desk, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def made(desk: Desk) -> Desk:
    """Return a desk with one card and its file."""
    desk.card("create", title="Plan", blocks=text("one"))
    desk.settle()
    return desk
