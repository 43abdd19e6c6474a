"""The index in SQLite: a passage, its words and its terms are written together or not at all.

What is dropped leaves no byte behind once the file is compacted; what drifts apart is noticed.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import fact, put, summed_up
from contract.passages import ANY, MODEL, found, message, near, row_of, understand, vector, write
from tacit.store.index_port import Scope, Stats
from tacit.store.sqlite import index as module
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

# no other text in a file has three such letters side by side
WORD = "\u057a\u0566\u0584\u057e\u0573\u0583"
TRIGRAM = WORD[:3].encode()


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return an empty memory."""
    with fresh(sqlite_memory) as opened:
        yield opened


def rows(memory: SqliteMemory, statement: str) -> list[tuple[object, ...]]:
    return list(memory.connection.rows(statement))


def everything(memory: SqliteMemory) -> list[list[tuple[object, ...]]]:
    tables = ("passages", "terms", "vectors", "word_index_docsize", "term_index_docsize")
    return [rows(memory, f"SELECT * FROM {table}") for table in tables]  # noqa: S608


def test_a_passage_that_fails_halfway_leaves_nothing(memory: SqliteMemory) -> None:
    write(memory.index, message("a", "the red lamp"))
    understand(memory.index, {"a": vector(1, 0)})
    before = everything(memory)

    for text in ("green", "the red lamp is green"):
        with pytest.raises(apsw.ConstraintError):
            write(memory.index, message("a", text, role=None))  # no role is refused at the end

    assert everything(memory) == before
    assert memory.index.is_in_step()
    assert near(memory.index, vector(1, 0)) == ["a"]


def test_what_is_put_in_a_transaction_that_fails_was_never_there(memory: SqliteMemory) -> None:
    write(memory.index, message("a", "red"))
    before = everything(memory)

    def fail() -> None:
        with memory.transaction():
            write(memory.index, message("b", "red and green"))
            memory.index.drop("message", ["a"])
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()

    assert everything(memory) == before
    assert memory.index.is_in_step()


def test_the_tokens_are_those_of_the_analyser_it_was_opened_with(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(open_memory(path, look(tmp_path), lambda text: text[::-1].split())) as memory:
        write(memory.index, message("a", "red lamp"))

        assert row_of(memory.index, "a").tokens == "pmal der"
        assert (found(memory.index, "der"), found(memory.index, "red")) == (["a"], [])
        assert memory.index.is_in_step()


def test_a_renamed_passage_is_found_under_its_other_name(memory: SqliteMemory) -> None:
    put(memory, fact("old", content="red"))
    understand(memory.index, {"old": vector(1, 0)})
    write(memory.index, message("old", "green"))

    memory.memories.rename("old", "new")

    assert (found(memory.index, "red"), near(memory.index, vector(1, 0))) == (["new"], ["new"])
    assert found(memory.index, "green") == ["old"]
    assert memory.index.is_in_step()


def test_an_emptied_index_holds_nothing_and_is_filled_anew(memory: SqliteMemory) -> None:
    write(memory.index, message("a", "red"), message("b", "green"))
    understand(memory.index, {"a": vector(1, 0)})
    near(memory.index, vector(1, 0))

    memory.index.empty()

    assert everything(memory) == [[], [], [], [], []]
    assert memory.index.stats() == Stats(0, 0)
    assert (found(memory.index, "red"), near(memory.index, vector(1, 0))) == ([], [])
    assert memory.index.is_in_step()
    write(memory.index, message("a", "red"))
    assert (found(memory.index, "red"), memory.index.is_in_step()) == (["a"], True)


def test_what_is_in_no_index_is_told_in_the_order_in_which_it_came(memory: SqliteMemory) -> None:
    put(memory, fact("b"), fact("a"), fact("c"))
    for session in ("s-2", "s-1"):
        memory.actions.put_summary(summed_up(session))
    before = memory.index.unfound()

    memory.index.drop("memory", ["a", "b"])
    memory.index.drop("summary", ["s-1"])

    assert before == ([], [])
    assert memory.index.unfound() == (["b", "a"], ["s-1"])
    assert memory.index.is_in_step() is False


def test_the_prompts_of_a_turn_are_what_the_user_said_in_it(memory: SqliteMemory) -> None:
    write(
        memory.index,
        message("a", is_placed=True),
        message("b", role="assistant", is_placed=True),
        message("c", role="tool"),
        message("d", turn="turn-2", is_placed=True),
        message("e", session="session-2", is_placed=True),
        message("f", is_placed=True),
    )

    prompts = memory.index.prompts("session-1", ["turn-1", "turn-3"], Scope())

    assert sorted(row.subject for row in memory.index.rows(prompts)) == ["a", "f"]
    assert memory.index.prompts("session-1", [], Scope()) == []
    assert memory.index.prompts("session-1", ["turn-1"], Scope(layers=("memory",))) == []


def test_the_passages_of_each_layer_are_counted(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"))
    memory.actions.put_summary(summed_up("s-1"))
    write(memory.index, *(message(name) for name in "abc"))

    assert memory.index.layers() == {"memory": 2, "message": 3, "summary": 1}


def test_what_is_understood_is_counted_by_its_model(memory: SqliteMemory) -> None:
    write(memory.index, message("a"), message("b"), message("c", role="tool"))
    understand(memory.index, {"a": vector(1, 0)})

    counted = [memory.index.understood(model) for model in (MODEL, "another")]

    assert counted == [(2, 1), (2, 0)]


def test_tokens_that_nearly_all_hold_find_the_newest(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranking them all would be dear, and none of them tells anything."""
    write(memory.index, *(message(name, f"red {'red ' * at}") for at, name in enumerate("edcba")))
    monkeypatch.setattr(module, "_DEAR", 5)
    ranked = found(memory.index, "red")

    monkeypatch.setattr(module, "_DEAR", 4)

    assert sorted(ranked) == list("abcde")
    assert found(memory.index, "red", limit=3) == ["a", "b", "c"]


@pytest.mark.parametrize("many", [2, 3, 4])
def test_however_many_are_looked_at_first_those_that_fit_are_found(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    write(memory.index, *(message(f"other-{number}", "red red") for number in range(8)))
    write(memory.index, message("a", "a red lamp beside the wall", project="here"))
    monkeypatch.setattr(module, "_MANY", many)

    fitting = found(memory.index, "red", scope=Scope(projects=("here",)), limit=2)

    assert fitting == ["a"]


def test_the_better_half_is_enough_where_nearly_all_fit(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(memory, *(fact(f"old-{number}", content="red", state="superseded") for number in range(9)))
    put(memory, fact("a", content="a red lamp"), fact("b", content="a red lamp beside the wall"))
    monkeypatch.setattr(module, "_SPARE", 0)

    assert [found(memory.index, "red", limit=limit) for limit in (1, 2, 5)] == [
        ["a"],
        ["a", "b"],
        ["a", "b"],
    ]


@pytest.mark.parametrize("how", ["drop", "change", "empty"])
def test_no_byte_of_an_erased_word_is_left_once_it_is_compacted(tmp_path: Path, how: str) -> None:
    path = tmp_path / "memory.db"
    with closing(sqlite_memory(tmp_path)) as memory:
        write(memory.index, message("kept", "a kept word"), message("a", f"the word is {WORD}"))
        understand(memory.index, {"a": vector(1, 0)})
        memory.connection.checkpoint()
        tokens = rows(memory, f"SELECT term FROM terms WHERE term LIKE '{WORD[:3]}%'")  # noqa: S608
        before = path.read_bytes().count(TRIGRAM)

        match how:
            case "drop":
                memory.index.drop("message", ["a"])
            case "change":
                write(memory.index, message("a", "another word"))
            case _:
                memory.index.empty()
        memory.compact()

        files = {each.name for each in tmp_path.iterdir() if TRIGRAM in each.read_bytes()}
        assert (len(tokens), files) == (1, set())
        assert before >= 4  # in the passage, the term, and in both indexes
        assert memory.index.is_in_step()
        assert memory.index.alike(WORD, 9) == []
        assert how == "empty" or found(memory.index, "kept") == ["kept"]


def test_a_compacted_index_finds_all_that_it_found(memory: SqliteMemory) -> None:
    with memory.transaction():
        write(memory.index, *(message(f"m-{at}", f"red {at}", at=NOON + at) for at in range(50)))
        understand(memory.index, {"m-7": vector(1, 0)})
    memory.index.drop("message", [f"m-{at}" for at in range(0, 50, 2)])
    before = found(memory.index, "red"), memory.index.latest(ANY, -1), memory.index.alike("red", 9)

    memory.compact()

    after = found(memory.index, "red"), memory.index.latest(ANY, -1), memory.index.alike("red", 9)
    assert (len(before[0]), after) == (25, before)
    assert near(memory.index, vector(1, 0)) == ["m-7"]
    assert memory.index.is_in_step()
