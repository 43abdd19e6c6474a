"""How a group's memory stands: fine, failed, out of step, not to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit import checks
from tacit.curate.stores import MemoryStores
from unit.transcript.events import NOON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.transcript.files import Files
    from tacit.transcript.ledgers import Ledgers


@pytest.fixture
def memories(ledgers: Ledgers) -> Iterator[MemoryStores]:
    """Return the memories of the same home."""
    opened = MemoryStores(ledgers, lambda: NOON)
    yield opened
    opened.close()


@pytest.mark.usefixtures("files")
def test_a_memory_that_is_in_step_is_fine(memories: MemoryStores) -> None:
    found = checks.memory_check(memories, "main")

    assert (found.is_fine, found.text) == (True, "0 memories, all in the index")


@pytest.mark.usefixtures("files")
def test_what_failed_for_good_is_told_with_the_way_out(memories: MemoryStores) -> None:
    jobs = memories.get("main").jobs
    jobs.enqueue(("turn", "s", "t"), 1, NOON, partial=False)
    job = jobs.claim(NOON, NOON + 1, "token")
    assert job is not None
    jobs.fail(job, "It broke.", None)

    found = checks.memory_check(memories, "main")

    assert (found.is_fine, found.fix) == (False, "tacit queue retry --group main")


@pytest.mark.usefixtures("files")
def test_an_index_out_of_step_is_told_with_the_way_out(memories: MemoryStores) -> None:
    connection = memories.get("main").connection
    connection.value("DROP TRIGGER passages_added")
    connection.value(
        "INSERT INTO passages VALUES"
        " (1, 'message', 'e', '', '', '', '', '', 0, 0, 0, 0, 1, 'lost', x'')"
    )

    found = checks.memory_check(memories, "main")

    assert (found.is_fine, found.fix) == (False, "tacit rebuild --group main")


def test_a_memory_that_cannot_be_opened_is_told(memories: MemoryStores, files: Files) -> None:
    memories.path("main").mkdir()

    found = checks.memory_check(memories, files.group)

    assert (found.is_fine, found.fix) == (False, "tacit rebuild --group main")
