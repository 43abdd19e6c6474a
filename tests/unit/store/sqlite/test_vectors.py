"""Vectors in SQLite: what is held in mind follows the file, whoever writes to it, and however."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from contract.conftest import fresh, sqlite_memory
from contract.memories import fact, put
from contract.passages import (
    MODEL,
    SIZE,
    clustered,
    message,
    names,
    near,
    row_of,
    understand,
    vector,
    vectors,
    write,
)
from tacit.store.index_port import Scope
from tacit.store.sqlite import matrix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return an empty memory."""
    with fresh(sqlite_memory) as opened:
        yield opened


@pytest.fixture
def three(tmp_path: Path) -> Iterator[SqliteMemory]:
    """Return a memory of three passages that are understood, and were searched."""
    with closing(sqlite_memory(tmp_path)) as opened:
        write(opened.index, *(message(name, name) for name in ("red", "green", "blue")))
        understand(opened.index, {"red": vector(1, 0), "green": vector(1, 1), "blue": vector(0, 1)})
        assert near(opened.index, vector(1, 0)) == ["red", "green", "blue"]
        yield opened


def held(memory: SqliteMemory) -> int:
    """Return the number of vectors that stand in the file."""
    return int(str(memory.connection.value("SELECT COUNT(*) FROM vectors")))


def fill(memory: SqliteMemory, made: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> None:
    subjects = [f"m-{at:04}" for at in range(len(made))]
    with memory.transaction():
        write(memory.index, *(message(subject) for subject in subjects))
        understand(memory.index, dict(zip(subjects, made, strict=True)))


def test_beyond_the_limit_nine_of_the_ten_nearest_are_found_with_their_cosines(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clustered(3000, 30)
    fill(memory, made)
    asking = clustered(20, 30, seed=4)
    exact = [memory.index.nearest(asked, MODEL, Scope(), 10) for asked in asking]

    monkeypatch.setattr(matrix, "EXACT", 100)
    with closing(sqlite_memory(memory.connection.path.parent)) as reopened:
        close = [reopened.index.nearest(asked, MODEL, Scope(), 10) for asked in asking]

    cosines = [dict(each) for each in exact]
    kept = sum(len(dict(each).keys() & known) for each, known in zip(close, cosines, strict=True))
    assert kept / 200 >= 0.9
    for each, known in zip(close, cosines, strict=True):
        assert len(each) == 10
        assert each == sorted(each, key=lambda one: (-one[1], one[0]))
        both = dict(each).keys() & known
        assert np.allclose([dict(each)[n] for n in both], [known[n] for n in both], atol=1e-5)


@pytest.mark.parametrize("limit", [1, 20, 500])
def test_beyond_the_limit_as_many_are_found_as_were_asked_for_and_fit(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(matrix, "EXACT", 100)
    fill(memory, vectors(600, SIZE))
    with memory.transaction():
        write(memory.index, *(message(f"m-{at:04}", project="here") for at in range(0, 600, 4)))
    (asked,) = vectors(1, SIZE, seed=5)

    everywhere = near(memory.index, asked, limit=limit)
    here = near(memory.index, asked, Scope(projects=("here",)), limit)

    assert len(everywhere) == len(set(everywhere)) == limit
    assert len(here) == len(set(here)) == min(limit, 150)
    assert {int(name[2:]) % 4 for name in here} == {0}


def test_a_vector_that_is_removed_is_found_no_more_and_others_come_after_it(
    three: SqliteMemory,
) -> None:
    three.index.drop("message", ["green"])
    after = near(three.index, vector(1, 0))
    write(three.index, message("grey", "grey"))
    understand(three.index, {"grey": vector(1, 2)})

    assert after == ["red", "blue"]
    assert near(three.index, vector(1, 0)) == ["red", "grey", "blue"]


def test_what_another_writes_and_removes_is_noticed(three: SqliteMemory) -> None:
    with closing(sqlite_memory(three.connection.path.parent)) as other:
        write(other.index, message("grey", "grey"))
        understand(other.index, {"grey": vector(1, 2)})
        added = near(three.index, vector(1, 0))
        other.index.drop("message", ["red"])

    assert added == ["red", "green", "grey", "blue"]
    assert near(three.index, vector(1, 0)) == ["green", "grey", "blue"]


def test_another_file_that_is_taken_over_is_noticed(three: SqliteMemory, tmp_path: Path) -> None:
    """It has as many vectors under the same serials, and none was ever dropped from it."""
    (tmp_path / "made").mkdir()
    with closing(sqlite_memory(tmp_path / "made")) as made:
        write(made.index, *(message(name, name) for name in ("one", "two", "three")))
        understand(made.index, {"one": vector(0, 1), "two": vector(1, 1), "three": vector(1, 0)})

        three.become(made)

    assert near(three.index, vector(1, 0)) == ["three", "two", "one"]
    assert three.index.is_in_step()


def test_what_is_to_be_understood_after_a_take_over_is_told(
    three: SqliteMemory, tmp_path: Path
) -> None:
    before = three.index.unread(MODEL, 9)
    (tmp_path / "made").mkdir()
    with closing(sqlite_memory(tmp_path / "made")) as made:
        write(made.index, *(message(name, name) for name in ("one", "two", "three")))

        three.become(made)

    assert before == []
    assert names(three.index.unread(MODEL, 9)) == ["three", "two", "one"]


def test_what_is_made_anew_keeps_what_was_understood_of_the_same_words(
    three: SqliteMemory, memory: SqliteMemory
) -> None:
    write(three.index, message("unread", "a grey wall"))
    write(
        memory.index,
        message("first", "blue"),
        message("second", "red"),
        message("third", "red"),
        message("fourth", "purple"),
        message("fifth", "a grey wall"),
    )

    memory.index.keep_vectors(three.index)

    assert near(memory.index, vector(1, 0)) == ["second", "third", "first"]
    assert names(memory.index.unread(MODEL, 9)) == ["fifth", "fourth"]
    assert held(three) == 3
    assert memory.index.is_in_step()


def test_what_is_kept_takes_nothing_away_that_is_known(
    three: SqliteMemory, memory: SqliteMemory
) -> None:
    write(memory.index, message("a", "red"), message("b", "blue"))
    understand(memory.index, {"a": vector(0, 1)})
    understand(memory.index, {"b": vector(1, 1, 1)}, "another model")

    for _ in range(2):
        memory.index.keep_vectors(three.index)

    assert held(memory) == 2
    assert near(memory.index, vector(0, 1)) == ["a"]
    assert near(memory.index, vector(1, 1, 1), model="another model") == ["b"]


def test_what_tools_have_said_is_given_no_meaning_by_what_was_kept(
    three: SqliteMemory, memory: SqliteMemory
) -> None:
    write(memory.index, message("tool", "red", role="tool"), message("user", "red"))

    memory.index.keep_vectors(three.index)

    assert near(memory.index, vector(1, 0)) == ["user"]
    assert memory.index.understood(MODEL) == (1, 1)


def test_a_renamed_memory_keeps_its_meaning(memory: SqliteMemory) -> None:
    put(memory, fact("old"), fact("other"))
    understand(memory.index, {"old": vector(1, 0), "other": vector(0, 1)})
    near(memory.index, vector(1, 0))

    memory.memories.rename("old", "new")

    assert near(memory.index, vector(1, 0)) == ["new", "other"]
    assert memory.index.unread(MODEL, 9) == []


def test_what_fails_halfway_is_not_understood_at_all(three: SqliteMemory) -> None:
    write(three.index, message("grey", "grey"), message("pink", "pink"))
    first, second = three.index.unread(MODEL, 9)

    def failing() -> Iterator[tuple[object, object]]:
        yield first, vector(1, 0)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        three.index.understand(MODEL, failing())  # type: ignore[arg-type]

    assert held(three) == 3
    assert three.index.unread(MODEL, 9) == [first, second]
    assert near(three.index, vector(1, 0)) == ["red", "green", "blue"]


def test_no_search_reads_all_vectors_from_the_file_again(three: SqliteMemory) -> None:
    """What is held in mind is told from what the file says by its stamp alone."""
    number = row_of(three.index, "red").number
    three.connection.value("DROP TRIGGER vectors_removed")
    three.connection.value(f"DELETE FROM vectors WHERE passage = {number}")  # noqa: S608

    unnoticed = near(three.index, vector(1, 0))
    three.connection.value("UPDATE progress SET number = number + 1 WHERE name = 'generation'")

    assert unnoticed == ["red", "green", "blue"]
    assert near(three.index, vector(1, 0)) == ["green", "blue"]
