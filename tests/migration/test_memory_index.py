"""The index of an older memory: once what stands there is indexed anew, all of it is found."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from contract.conftest import NOON, event, sqlite, sqlite_memory
from contract.memories import fact, summed_up
from contract.passages import MODEL, found, names, near, understand, vector
from migration import older
from tacit.recall import indexing
from tacit.recall.analyse import tokens
from tacit.recall.indexing import Indexer
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.migrate import steps, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.transcript import SqliteStore

WORDS = ("cherry", "walnut", "maple", "birch", "cedar")
MEMORIES = [
    fact("mem-1", content="The table is made of cherry", tags=("wood", "kitchen")),
    fact("mem-2", content="The shelf is walnut", project=None, created_at=NOON + 1),
    fact("mem-3", content="The desk is maple", state="superseded", superseded_by="mem-2"),
    fact("mem-4", content="", tags=()),
]
SUMMARIES = [
    summed_up("session-1", request="Build a birch bench", files_edited=("bench.py",)),
    summed_up("session-2", learned="Cedar smells", project=None, is_final=True),
]
# memories, their passages, and those of them that are rows of the index; then the same of all
COUNTED = """
SELECT
    (SELECT COUNT(*) FROM memories),
    (SELECT COUNT(*) FROM passages WHERE layer = 'memory'),
    (
        SELECT COUNT(*) FROM passages JOIN word_index_docsize ON id = number WHERE layer = 'memory'
    ),
    (SELECT COUNT(*) FROM passages),
    (SELECT COUNT(*) FROM word_index_docsize)
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return a directory with a memory of the second version, and the transcript it came from."""
    older.leave(tmp_path / "memory.db", 2, MEMORIES, SUMMARIES)
    with closing(sqlite(tmp_path)) as transcript:
        transcript.append([event(f"evt-{number}") for number in range(indexing.CHUNK + 6)])
        transcript.append(
            [
                event("asked", body=b'{"prompt":"Where does the juniper grow?"}'),
                event("erased"),
                event("tool", kind="tool_use", tool="Bash", body=b'{"tool_response":"poplar"}'),
            ]
        )
        transcript.bury([transcript.find(["erased"])[0].seq], at=NOON, reason="asked")
    return tmp_path


@contextmanager
def opened(directory: Path) -> Iterator[tuple[SqliteStore, SqliteMemory]]:
    with closing(sqlite(directory)) as transcript, closing(sqlite_memory(directory)) as memory:
        yield transcript, memory


def holding(memory: SqliteMemory, word: str) -> list[str]:
    """Return what is found by a word."""
    return found(memory.index, *tokens(word))


def counted(memory: SqliteMemory) -> tuple[int, ...]:
    (row,) = memory.connection.rows(COUNTED)
    return tuple(row)


def test_an_older_memory_opens_with_all_that_it_holds(directory: Path) -> None:
    with opened(directory) as (_, memory):
        kept = {each.id: each for each in memory.memories.wanted(Wanted(states=None))}
        told = sorted(memory.actions.summaries(), key=lambda each: each.session)

        assert version_of(memory.connection) == len(steps("memory"))
        assert kept == {each.id: each for each in MEMORIES}
        assert told == SUMMARIES


def test_nothing_of_the_old_index_is_left(directory: Path) -> None:
    with opened(directory) as (_, memory):
        names = {row[0] for row in memory.connection.rows("SELECT name FROM sqlite_schema")}
        columns = [row[1] for row in memory.connection.rows("PRAGMA table_info(word_index)")]

        assert not {name for name in names if name == "words" or name.startswith("words_")}
        assert columns == ["tokens"]


def test_what_is_not_indexed_yet_is_told_and_not_found(directory: Path) -> None:
    with opened(directory) as (transcript, memory):
        waiting = Indexer(transcript, memory).waiting()

        assert memory.index.unfound() == (
            [each.id for each in MEMORIES],
            [each.session for each in SUMMARIES],
        )
        assert [holding(memory, word) for word in WORDS] == [[]] * len(WORDS)
        assert waiting == indexing.CHUNK + 9


def test_once_it_is_indexed_everything_is_found(directory: Path) -> None:
    with opened(directory) as (transcript, memory):
        indexer = Indexer(transcript, memory)

        indexer.advance()

        finding = [holding(memory, word) for word in (*WORDS, "kitchen", "juniper", "poplar")]
        assert finding == [
            ["mem-1"],
            ["mem-2"],
            [],  # it no longer holds
            ["session-1"],
            ["session-2"],
            ["mem-1"],
            ["asked"],
            ["tool"],
        ]
        assert (indexer.waiting(), memory.index.unfound()) == (0, ([], []))


def test_once_it_is_indexed_memories_passages_and_rows_of_the_index_agree(directory: Path) -> None:
    with opened(directory) as (transcript, memory):
        before = counted(memory)

        Indexer(transcript, memory).advance()

        said = indexing.CHUNK + 8  # all but the one that was erased
        every = len(MEMORIES) + len(SUMMARIES) + said
        assert before == (len(MEMORIES), 0, 0, 0, 0)
        assert counted(memory) == (*[len(MEMORIES)] * 3, every, every)
        assert memory.index.layers() == {"memory": 4, "message": said, "summary": 2}
        assert memory.index.is_in_step()


def test_what_was_indexed_once_is_not_indexed_again(directory: Path) -> None:
    with opened(directory) as (transcript, memory):
        Indexer(transcript, memory).advance()
        understand(memory.index, {"mem-1": vector(1, 0)})
        before = counted(memory)

    with opened(directory) as (transcript, memory):
        Indexer(transcript, memory).advance()

        assert counted(memory) == before
        assert near(memory.index, vector(1, 0)) == ["mem-1"]
        assert "mem-1" not in names(memory.index.unread(MODEL, 99))


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_memory_without_a_transcript_is_found_as_well(
    tmp_path: Path, version: int
) -> None:
    older.leave(tmp_path / "memory.db", version, MEMORIES, SUMMARIES)

    with opened(tmp_path) as (transcript, memory):
        Indexer(transcript, memory).advance()

        assert [holding(memory, word) for word in WORDS[:2]] == [["mem-1"], ["mem-2"]]
        assert memory.index.is_in_step()


def test_an_upgrade_leaves_no_byte_of_words_that_are_removed_after_it(directory: Path) -> None:
    with opened(directory) as (transcript, memory):
        Indexer(transcript, memory).advance()
        memory.connection.checkpoint()
        before = b"walnut" in (directory / "memory.db").read_bytes()

        memory.memories.remove("mem-2")
        memory.memories.change(MEMORIES[2], superseded_by=None)
        memory.compact()

        left = [each.name for each in directory.glob("memory.db*") if b"alnut" in each.read_bytes()]
        assert (before, left) == (True, [])
