"""A group's files, and its ledger, for each test of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.transcript.events import fresh_files, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.transcript.files import Files
    from tacit.transcript.ledger import Ledger


@pytest.fixture
def files() -> Iterator[Files]:
    """Return the files of a group."""
    with fresh_files() as files:
        yield files


@pytest.fixture
def ledger(files: Files) -> Iterator[Ledger]:
    """Return the group's ledger, empty."""
    with opened(files) as ledger:
        yield ledger
