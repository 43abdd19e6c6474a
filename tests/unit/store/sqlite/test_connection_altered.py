"""An alteration: a change of the file or its log that no commit explains, noted until it is asked.

Commits of this connection and of others explain a change; whatever else writes to the files does
not.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from contract.conftest import event, sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.sqlite.transcript import SqliteStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the store of this test lies."""
    return tmp_path / "transcript.db"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return a store with one event, which stands in its log."""
    os.umask(0o077)  # as programs do: else whoever opens the file closes it to others
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a")])
        yield opened


def write_to(file: Path) -> None:
    """Write the first bytes of a file again: nothing else than its times changes."""
    with file.open("r+b") as opened:
        first = opened.read(16)
        opened.seek(0)
        opened.write(first)


def test_a_store_that_was_just_opened_is_not_altered(store: SqliteStore) -> None:
    assert not store.connection.take_alteration()


def test_commits_of_our_own_are_no_alteration(store: SqliteStore) -> None:
    store.append([event("b")])
    store.connection.checkpoint()
    store.append([event("c")])
    store.compact()

    assert not store.connection.take_alteration()


def test_commits_of_others_are_no_alteration(store: SqliteStore, tmp_path: Path) -> None:
    found = []
    for name in ("b", "c"):
        with closing(sqlite(tmp_path)) as other:
            other.append([event(name)])
            found.append(store.connection.take_alteration())
        found.append(store.connection.take_alteration())

    assert found == [False] * 4


def test_readers_alter_nothing(store: SqliteStore, tmp_path: Path) -> None:
    with closing(sqlite(tmp_path)) as other:
        assert len(list(other.records())) == 1

    assert not store.connection.take_alteration()


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_whatever_else_writes_to_the_files_is_one_and_told_once(
    store: SqliteStore, file: Path, suffix: str
) -> None:
    write_to(file.with_name(file.name + suffix))

    assert [store.connection.take_alteration() for _ in range(2)] == [True, False]


def test_a_time_that_was_put_back_hides_nothing(store: SqliteStore, file: Path) -> None:
    before = file.stat()
    write_to(file)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert store.connection.take_alteration()


def test_a_commit_that_comes_after_it_does_not_hide_it(store: SqliteStore, file: Path) -> None:
    write_to(file)

    store.append([event("b")])

    assert store.connection.take_alteration()
