"""Memories of these tests: each with something in every table, and what they hold."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pytest

from contract.conftest import NOON
from contract.memories import fact, noted, put, said, summed_up, to_do, told
from tacit.recall.analyse import tokens
from tacit.store.index_port import Scope
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from tacit.store.unasked_port import Unasked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

TABLES = """
memories tags links evidence actions summaries notes jobs open_turns progress refusals usage
passages terms vectors told surfaced changes unasked stale
""".split()
# what the index notes for itself, in progress
NOTED = "name NOT IN ('generation', 'passages', 'tokens') AND name NOT LIKE 'vectors dropped %'"
STALE = "INSERT INTO stale VALUES (:session) ON CONFLICT DO NOTHING"  # else only triggers do
VECTOR = np.array([0.6, 0.8], np.float32)


def with_a_log(path: Path) -> SqliteMemory:
    return open_memory(path, look(path.parent), tokens)


def without_a_log(path: Path) -> SqliteMemory:
    return open_memory(path, replace(look(path.parent), reason="there is none here"), tokens)


both = pytest.mark.parametrize("opening", [with_a_log, without_a_log])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the memory of this test lies."""
    return tmp_path / "memory.db"


@pytest.fixture
def memory(file: Path) -> Iterator[SqliteMemory]:
    """Return a memory that is filled with something old."""
    with closing(with_a_log(file)) as opened:
        fill(opened, "old")
        yield opened


@pytest.fixture
def made(tmp_path: Path) -> Iterator[SqliteMemory]:
    """Return another memory, which is filled with something young."""
    with closing(with_a_log(tmp_path / "made.db")) as opened:
        fill(opened, "young", count=3)
        yield opened


def fill(store: SqliteMemory, word: str, count: int = 1) -> None:
    """Write something that is made of this word into every table."""
    with store.transaction():
        for number in range(count):
            name = f"{word}-{number}"
            texts = {"content": word, "session": word, "turn": word, "origin": word, "quote": word}
            put(store, fact(name, tags=(word,), topic=word, superseded_by=word, **texts))
            store.evidence.add(said(name, tags=(word,), event=word, project=word, **texts), name)
            store.memories.link(name, f"{word}-0", "related")
            store.memories.use(name, NOON)
            store.actions.put(to_do(name, memory=word, event=word, project=word, **texts))
            store.actions.put_summary(summed_up(name, notes=word, files_read=(word,)))
            store.actions.put_note(noted(name, session=word, asked=word, looked=(word,)))
            store.jobs.enqueue(("turn", word, name), 1, NOON, partial=False)
            store.jobs.open_turn(word, name, 1, 1)
            store.jobs.set_number(name, 1)
            store.evidence.refuse("statement", name, NOON)
            store.told.put(told(name, session=word, memories=((name, 1),)))
            store.told.hear(name, word, NOON)
            store.unasked.put(Unasked(session=word, turn=name, upto=1, at=NOON, is_urgent=False))
            store.connection.value(STALE, {"session": word})
        unread = store.index.unread("a model", count)
        store.index.understand("a model", [(each, VECTOR) for each in unread])


def subjects(store: SqliteMemory, word: str) -> set[tuple[str, str]]:
    """Return what is found by a word: each its layer and its id."""
    found = store.index.words(tokens(word), Scope(), 1000)
    return {(row.layer, row.subject) for row in store.index.rows(found)}


def content(store: SqliteMemory) -> str:
    """Return a digest of all that a memory holds, as of one moment."""
    with store.transaction():
        held = [list(store.connection.rows(f"SELECT * FROM {each}")) for each in TABLES]  # noqa: S608
        found = store.connection.rows("SELECT rowid FROM word_index WHERE word_index MATCH 'young'")
        return sha256(repr((held, list(found))).encode()).hexdigest()


def schema(store: SqliteMemory) -> list[object]:
    return list(store.connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name"))


def counts(store: SqliteMemory) -> dict[str, int]:
    """Return how many rows each table has, without what the index notes for itself."""
    asked = dict.fromkeys(TABLES, "TRUE") | {"progress": NOTED}
    statements = {name: f"SELECT COUNT(*) FROM {name} WHERE {asked[name]}" for name in TABLES}  # noqa: S608
    return {name: int(str(store.connection.value(each))) for name, each in statements.items()}
