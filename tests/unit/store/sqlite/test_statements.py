"""Statements: run by their names, and whatever goes wrong is told in our words."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import fresh, sqlite_memory
from contract.memories import fact, put
from tacit.errors import NotFound, StoreBusy, StoreDamaged, StoreRefused
from tacit.store.sqlite import queries
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.sqlite.memory import SqliteMemory

FILES = ("memories", "evidence", "jobs", "actions", "index", "vectors")
ALL = [(file, name) for file in FILES for name in queries.load(file)]
BOUND = "SCAN JSON_EACH "  # a list that was given, no table
# asked for again and again: none of these may read a whole table
QUICK = [
    *(("memories", name) for name in ("get", "named", "stating", "about", "superseded_by")),
    *(("memories", name) for name in ("statement_of", "drop_tags", "rename")),
    *(("index", name) for name in ("held", "next_place", "change", "place", "remove", "rename")),
    *(("index", name) for name in ("forget_vector", "count", "let_go", "prompts")),
    *(("vectors", name) for name in ("let_go", "put", "of_words", "last", "behind")),
    ("vectors", "put_by_digest"),
    *(("evidence", name) for name in ("memory_of", "of_memory", "of_turn", "of_session")),
    *(("evidence", name) for name in ("of_event", "remove", "refused")),
    *(("jobs", name) for name in ("extend", "finish", "fail", "state_of", "open_turns", "number")),
    *(("jobs", name) for name in ("due", "claim", "holder", "waiting")),
    *(("memories", name) for name in ("learned_in", "known_in", "known_everywhere")),
    *(("actions", name) for name in ("get", "named", "of_turn", "of_session")),
]


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return a memory that holds two memories."""
    with fresh(sqlite_memory) as opened:
        put(opened, fact("a"), fact("b", state="forgotten"))
        yield opened


@pytest.fixture
def ask(memory: SqliteMemory) -> Statements:
    """Return the statements about memories."""
    return Statements(memory.connection, "memories")


def bindings(statement: str) -> dict[str, object]:
    return dict.fromkeys(re.findall(r":(\w+)", statement))


@pytest.mark.parametrize(("file", "name"), ALL)
def test_a_statement_fits_the_schema(memory: SqliteMemory, file: str, name: str) -> None:
    statement = queries.load(file)[name]

    plan = list(memory.connection.rows(f"EXPLAIN {statement}", bindings(statement)))

    assert plan


@pytest.mark.parametrize(("file", "name"), QUICK)
def test_what_is_asked_often_never_reads_a_whole_table(
    memory: SqliteMemory, file: str, name: str
) -> None:
    statement = queries.load(file)[name]

    plan = memory.connection.rows(f"EXPLAIN QUERY PLAN {statement}", bindings(statement))

    scanned = [row[3] for row in plan if row[3].startswith("SCAN")]
    assert [each for each in scanned if not each.startswith(BOUND)] == []


def test_the_rows_of_a_statement_come_one_by_one(ask: Statements) -> None:
    found = ask.rows("counted")

    assert [*found] == [("active", 1), ("forgotten", 1)]


def test_a_value_is_the_first_of_the_first_row_or_none(ask: Statements) -> None:
    found = [ask.value("counted"), ask.value("statement_of", {"id": "missing"})]

    assert found == ["active", None]


def test_a_statement_is_run_for_what_it_does(ask: Statements) -> None:
    ask.run("remove", {"id": "a"})

    assert [*ask.rows("counted")] == [("forgotten", 1)]


def test_a_statement_of_no_such_name_is_an_error(ask: Statements) -> None:
    with pytest.raises(KeyError):
        ask.run("unknown")


@pytest.mark.parametrize("how", ["rows", "value", "run"])
def test_what_does_not_fit_the_tables_is_told_as_damage(
    memory: SqliteMemory, ask: Statements, how: str
) -> None:
    memory.connection.value("ALTER TABLE memories RENAME COLUMN state TO mood")

    with pytest.raises(StoreDamaged, match=r"is damaged \(.*\)\. Run `tacit verify`\.$"):
        list(getattr(ask, how)("counted") or [])


def test_what_is_no_text_is_told_as_not_found(ask: Statements) -> None:
    with pytest.raises(NotFound, match="there is nothing of that name"):
        ask.value("statement_of", {"id": "\ud800"})


def test_a_database_that_another_holds_is_told_as_busy(
    memory: SqliteMemory, ask: Statements
) -> None:
    memory.connection.value("PRAGMA busy_timeout = 20")

    with closing(apsw.Connection(str(memory.connection.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="in use by another program"):
            ask.run("remove", {"id": "a"})


def test_a_database_that_cannot_be_written_is_told_as_refused(
    memory: SqliteMemory, ask: Statements
) -> None:
    memory.connection.value("PRAGMA query_only = ON")

    with pytest.raises(StoreRefused, match="Cannot write"):
        ask.run("remove", {"id": "a"})


def test_rows_that_are_not_read_to_the_end_hold_nothing_up(
    memory: SqliteMemory, ask: Statements
) -> None:
    first = next(iter(ask.rows("counted")))

    put(memory, fact("c"))
    memory.compact()

    assert (first, ask.value("counted")) == (("active", 1), "active")


def test_a_statement_is_prepared_once_whatever_is_bound_to_it(memory: SqliteMemory) -> None:
    path = str(memory.connection.path)
    (raw,) = [each for each in apsw.connections() if each.filename == path]
    prepared: list[int] = []  # SQLite asks for each thing that a statement touches

    def allow(operation: int, *_: object) -> int:
        prepared.append(operation)
        return apsw.SQLITE_OK

    raw.authorizer = allow
    memory.jobs.listed(1)
    once = len(prepared)

    for limit in (1, 2, 3):
        memory.jobs.listed(limit)

    assert len(prepared) == once > 0
