"""A connection: opened only on a file of our own, never writing to one that was moved under it.

The store relies on its caller's umask for the file that it makes; `compose.py` sets it.
"""

from __future__ import annotations

import os
import resource
import shutil
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import event, sqlite
from tacit.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMoved,
    StoreRefused,
)
from tacit.store.sqlite.connection import Connection, sealed
from tacit.store.sqlite.engine import look
from unit.pages import pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.store.sqlite.transcript import SqliteStore

SOMEBODY_ELSE = 12345
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the store of this test lies."""
    return tmp_path / "transcript.db"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return a store with one event, which stands in its log."""
    with ExitStack() as stack:
        opened = sqlite(tmp_path)
        stack.callback(opened.close)
        opened.append([event("a")])
        yield opened


@pytest.fixture
def reopened(store: SqliteStore, tmp_path: Path) -> Iterator[SqliteStore]:
    """Return the same store, closed well and opened again: its log is empty."""
    store.close()
    with ExitStack() as stack:
        opened = sqlite(tmp_path)
        stack.callback(opened.close)
        yield opened


def itself(file: Path) -> Path:
    return file


def log_of(file: Path) -> Path:
    return file.with_name(file.name + "-wal")


def index_of(file: Path) -> Path:
    return file.with_name(file.name + "-shm")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@contextmanager
def held_by_another(file: Path) -> Iterator[None]:
    """Let another connection write inside."""
    other = apsw.Connection(str(file))
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


@contextmanager
def watched(*files: Path) -> Iterator[Callable[[], list[bytes]]]:
    """Return what reads these files, wherever they have gone meanwhile."""
    descriptors = [os.open(file, os.O_RDONLY) for file in files]
    try:
        yield lambda: [os.pread(each, os.fstat(each).st_size, 0) for each in descriptors]
    finally:
        for each in descriptors:
            os.close(each)


def rename(path: Path) -> None:
    path.rename(path.with_name("aside"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def remove(path: Path) -> None:
    path.unlink()


AWAY = [rename, replace, remove]


@pytest.mark.parametrize("target", ["victim", "missing"])
def test_a_database_that_is_a_link_is_refused(tmp_path: Path, file: Path, target: str) -> None:
    (tmp_path / "victim").write_bytes(b"")
    file.symlink_to(tmp_path / target)

    with pytest.raises(StoreRefused, match=r"is not a plain file of your own\. Move it away"):
        sqlite(tmp_path)

    assert (tmp_path / "victim").read_bytes() == b""
    assert not (tmp_path / "missing").exists()


def test_a_database_with_a_second_name_is_refused(tmp_path: Path, file: Path) -> None:
    (tmp_path / "victim").write_bytes(b"")
    file.hardlink_to(tmp_path / "victim")

    with pytest.raises(StoreRefused, match="not a plain file"):
        sqlite(tmp_path)

    assert (tmp_path / "victim").read_bytes() == b""


@needs_root
def test_a_database_of_somebody_else_is_refused(tmp_path: Path, file: Path) -> None:
    file.touch()
    os.chown(file, SOMEBODY_ELSE, -1)

    with pytest.raises(StoreRefused, match="not a plain file"):
        sqlite(tmp_path)

    assert file.read_bytes() == b""


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_refused(
    tmp_path: Path, file: Path, make: Callable[[Path], None]
) -> None:
    make(file)

    with pytest.raises(StoreRefused, match="not a plain file"):
        sqlite(tmp_path)


@pytest.mark.parametrize("wide", [0o644, 0o660, 0o606, 0o601])
def test_a_database_that_others_can_open_is_closed_to_them(
    tmp_path: Path, file: Path, wide: int
) -> None:
    sqlite(tmp_path).close()
    file.chmod(wide)

    sqlite(tmp_path).close()

    assert mode(file) == 0o600


def test_every_file_of_a_store_is_for_its_owner_alone(tmp_path: Path, file: Path) -> None:
    os.umask(0)
    file.touch(mode=0o600)

    store = sqlite(tmp_path)
    store.append([event("a")])

    assert {path.name: mode(path) for path in tmp_path.iterdir()} == dict.fromkeys(
        [file.name, log_of(file).name, index_of(file).name], 0o600
    )
    store.close()


def test_a_file_where_no_directory_is_is_refused_in_our_words(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match=r"Cannot write .*unable to open database file"):
        sqlite(tmp_path / "missing")


@pytest.mark.parametrize("of", [itself, log_of])
@pytest.mark.parametrize("away", AWAY)
def test_a_database_that_or_whose_log_went_away_is_written_to_no_more(
    store: SqliteStore, file: Path, away: Callable[[Path], None], of: Callable[[Path], Path]
) -> None:
    with watched(file, log_of(file)) as orphans:
        before = orphans()
        away(of(file))

        with pytest.raises(StoreMoved, match="Run `tacit verify`"):
            store.append([event("b")])
        store.close()

        assert orphans() == before


@pytest.mark.parametrize("of", [itself, log_of])
@pytest.mark.parametrize("away", AWAY)
def test_what_went_away_before_the_first_write_is_missed_as_well(
    reopened: SqliteStore, file: Path, away: Callable[[Path], None], of: Callable[[Path], Path]
) -> None:
    with watched(file, log_of(file)) as orphans:
        before = orphans()
        away(of(file))

        with pytest.raises(StoreMoved):
            reopened.append([event("b")])
        reopened.close()

        assert orphans() == before


@pytest.mark.parametrize("away", AWAY)
def test_a_database_whose_log_has_lost_its_index_is_written_to_no_more(
    store: SqliteStore, file: Path, away: Callable[[Path], None]
) -> None:
    away(index_of(file))

    with pytest.raises(StoreMoved):
        store.append([event("b")])


@pytest.mark.parametrize("away", AWAY)
def test_a_log_is_never_folded_into_a_database_that_went_away(
    store: SqliteStore, file: Path, away: Callable[[Path], None]
) -> None:
    with watched(file) as orphans:
        before = orphans()
        away(file)

        with pytest.raises(StoreMoved):
            store.connection.checkpoint()

        assert orphans() == before


def test_a_database_that_did_not_move_is_written_to_again_and_again(
    reopened: SqliteStore, file: Path
) -> None:
    reopened.append([event("b")])
    reopened.connection.checkpoint()

    reopened.append([event("c")])
    reopened.compact()
    reopened.append([event("d")])

    assert [record.id for record in reopened.records()] == ["a", "b", "c", "d"]
    assert file.exists()


def test_a_store_that_another_program_holds_is_busy(store: SqliteStore, file: Path) -> None:
    store.connection.value("PRAGMA busy_timeout = 20")

    with held_by_another(file), pytest.raises(StoreBusy, match="in use by another program"):
        store.append([event("b")])

    assert [record.id for record in store.append([event("b")])] == ["b"]


def test_a_store_that_another_program_holds_can_be_read(store: SqliteStore, file: Path) -> None:
    with held_by_another(file):
        found = store.find(["a"])

    assert [record.id for record in found] == ["a"]


def test_a_busy_store_is_waited_for_some_seconds(store: SqliteStore) -> None:
    waits = store.connection.value("PRAGMA busy_timeout")

    assert waits == 5000


def test_a_full_disk_is_told_and_leaves_nothing_half_written(store: SqliteStore) -> None:
    pages = store.connection.value("PRAGMA page_count")
    store.connection.value(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreFull, match=r"The disk is full\. Free some space"):
        store.append([event("b"), event("c", body=os.urandom(100_000))])

    assert ([record.id for record in store.records()], store.integrity()) == (["a"], ["ok"])


def test_after_a_full_disk_writing_goes_on(store: SqliteStore) -> None:
    pages = store.connection.value("PRAGMA page_count")
    store.connection.value(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        store.append([event("b", body=os.urandom(100_000))])
    store.connection.value("PRAGMA max_page_count = 1000000")

    added = store.append([event("b", body=os.urandom(100_000))])

    assert [record.seq for record in added] == [2]


def test_a_file_that_may_not_grow_is_not_called_damaged(store: SqliteStore) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))

    try:
        with pytest.raises(StoreError) as refused:
            store.append([event("b", body=os.urandom(200_000))])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert not isinstance(refused.value, StoreDamaged)


def test_a_store_that_cannot_be_written_is_told(store: SqliteStore) -> None:
    store.connection.value("PRAGMA query_only = ON")

    with pytest.raises(StoreRefused, match=r"Cannot write .*\. See `tacit status`"):
        store.append([event("b")])


def test_a_log_is_folded_in_when_the_store_is_closed(store: SqliteStore, file: Path) -> None:
    store.close()

    left = sorted(path.name for path in file.parent.iterdir())

    assert left == [file.name]


def test_a_store_can_be_closed_twice(store: SqliteStore) -> None:
    store.close()

    store.close()


def test_a_copy_holds_what_stands_in_the_log_and_needs_none(
    store: SqliteStore, file: Path, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()

    store.connection.copy_to(copies / file.name)

    assert [path.name for path in copies.iterdir()] == [file.name]
    assert (copies / file.name).read_bytes()[
        18:20
    ] == b"\x01\x01"  # a rollback journal, says SQLite
    copied = sqlite(copies)
    assert list(copied.records()) == list(store.records())
    copied.close()


def test_a_copy_that_cannot_be_made_is_told(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="Cannot write"):
        store.connection.copy_to(tmp_path / "missing" / "copy.db")


def test_a_connection_returns_the_first_value_or_none(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "any.db", look(tmp_path))

    found = [
        connection.value("SELECT :a UNION ALL SELECT 2", {"a": 1}),
        connection.value("SELECT 1 WHERE 0"),
    ]

    assert found == [1, None]
    connection.close()


def test_a_seal_differs_wherever_a_column_does() -> None:
    rows = [(1, "a", None), (1, "a", ""), (1, "a", "-"), (1, "a", "None"), (1, "a"), (1, "a,", 1)]

    seals = {sealed(*row) for row in rows}

    assert len(seals) == len(rows)


def test_a_seal_is_made_of_the_text_and_not_of_how_this_python_shows_it() -> None:
    # an older Python shows a character that it does not know by its number
    shown_otherwise = type("str", (str,), {"__repr__": lambda _self: "?"})

    found = sealed(shown_otherwise("\U0001fae8"))

    assert found == sealed("\U0001fae8")


def test_pages_that_are_only_kept_are_let_go(store: SqliteStore, file: Path) -> None:
    store.append([event(f"event-{number}", body=b"x" * 4000) for number in range(200)])
    before = pages(file)

    store.connection.rest()

    assert pages(file) < before / 10
    assert store.head().seq == 201
