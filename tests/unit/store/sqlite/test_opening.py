"""Opening: a store is made, brought up to date or refused; a refused file stays as it is."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import event, sqlite
from tacit.errors import NotFound, SchemaNewer, StoreBusy, StoreDamaged
from tacit.store.sqlite.connection import Connection
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.migrate import steps, version_of
from tacit.store.sqlite.opening import open_existing, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.sqlite.transcript import SqliteStore

LATER = "CREATE TABLE later (value TEXT) STRICT;"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a store with one event, closed well."""
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a")])
    return tmp_path / "transcript.db"


def fingerprint(directory: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that holds something; the index of a log only mirrors it."""
    files = [path for path in directory.iterdir() if not path.name.endswith("-shm")]
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in files if size(path)}


def size(path: Path) -> int:
    return path.stat().st_size


def existing(directory: Path) -> SqliteStore:
    """Open a store only to look at it."""
    return open_existing(directory / "transcript.db", look(directory))


def leave_in_the_log(file: Path, statement: str) -> None:
    """Change a database so that the change stands in its log alone, as after a crash."""
    plain = apsw.Connection(str(file))
    plain.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    plain.execute(statement)
    plain.close()


def overwrite(file: Path, offset: int, content: bytes) -> None:
    before = file.read_bytes()
    file.write_bytes(before[:offset] + content + before[offset + len(content) :])


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_a_missing_store_is_made_as_the_newest_schema_says(tmp_path: Path) -> None:
    with closing(sqlite(tmp_path)) as opened:
        version = version_of(opened.connection)
        integrity = opened.integrity()

    assert (version, integrity) == (len(steps("transcript")), ["ok"])


def test_a_store_is_opened_again_with_what_it_held(file: Path) -> None:
    with closing(sqlite(file.parent)) as opened:
        found = [record.id for record in opened.records()]

    assert found == ["a"]


def test_what_stands_in_the_log_after_a_crash_is_there_again(tmp_path: Path) -> None:
    crashed = sqlite(tmp_path)
    crashed.append([event("a")])
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    crashed.close()
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)

    with closing(sqlite(tmp_path)) as opened:
        found = [record.id for record in opened.records()]

    assert found == ["a"]


@pytest.mark.parametrize(
    "content", [b"garbage", b"garbage" * 2000, b"SQLite format 3\0" + b"\xff" * 4080, b"\0" * 8192]
)
def test_what_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "transcript.db").write_bytes(content)

    with pytest.raises(StoreDamaged, match=r"transcript\.db is damaged .* Run `tacit verify`"):
        sqlite(tmp_path)

    assert (tmp_path / "transcript.db").read_bytes() == content


@pytest.mark.parametrize(
    ("offset", "content"),
    [
        pytest.param(44, b"\0\0\0\x63", id="format of the schema"),
        pytest.param(60, b"\0\0\0\0", id="version of the schema"),
        pytest.param(100, b"\xff" * 12, id="first page"),
    ],
)
def test_a_damaged_header_is_told_as_damage(file: Path, offset: int, content: bytes) -> None:
    overwrite(file, offset, content)

    with pytest.raises(StoreDamaged):
        sqlite(file.parent)


def test_a_damaged_schema_is_told_as_damage(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"received INTEGER", b"recei6ed INTEGER"))

    with pytest.raises(StoreDamaged), closing(sqlite(file.parent)) as opened:
        opened.find(["a"])


@pytest.mark.parametrize("content", [b"garbage" * 2000, b"short"])
def test_a_refused_store_is_not_kept_open(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "transcript.db").write_bytes(content)
    before = open_descriptors()

    with pytest.raises(StoreDamaged) as refused:
        sqlite(tmp_path)

    # whoever keeps the error keeps all that was at hand when it was raised
    assert (open_descriptors(), refused.tb is not None) == (before, True)


def test_no_backup_is_asked_for_a_new_store(tmp_path: Path) -> None:
    asked: list[SqliteStore] = []

    open_store(tmp_path / "transcript.db", look(tmp_path), asked.append).close()

    assert asked == []


def test_no_backup_is_asked_for_a_store_that_is_up_to_date(file: Path) -> None:
    asked: list[SqliteStore] = []

    open_store(file, look(file.parent), asked.append).close()

    assert asked == []


def test_a_backup_is_asked_for_before_an_upgrade(file: Path) -> None:
    known = steps("transcript")
    asked: list[int] = []

    open_store(
        file,
        look(file.parent),
        lambda store: asked.append(version_of(store.connection)),
        (*known, LATER, "SELECT 1;"),
    ).close()

    assert asked == [len(known)]


def test_without_its_backup_nothing_is_upgraded(file: Path) -> None:
    known = steps("transcript")

    def fail(_store: SqliteStore) -> None:
        raise StoreBusy("no backup today")

    with pytest.raises(StoreBusy, match="no backup today"):
        open_store(file, look(file.parent), fail, (*known, LATER))

    with closing(sqlite(file.parent)) as opened:
        assert version_of(opened.connection) == len(known)


def test_a_newer_schema_is_refused_in_a_sentence_that_names_both(file: Path) -> None:
    leave_in_the_log(file, "PRAGMA user_version = 9")

    with pytest.raises(SchemaNewer, match=r"has schema 9, this Tacit knows 1\. Upgrade with"):
        open_store(file, look(file.parent), lambda _store: None, steps("transcript")[:1])


def plainly(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as plain:
        plain.execute("PRAGMA user_version = 9")


def in_the_log(file: Path) -> None:
    leave_in_the_log(file, "PRAGMA user_version = 9")


@pytest.mark.parametrize("written", [plainly, in_the_log])
@pytest.mark.parametrize("opening", [sqlite, existing])
def test_a_newer_schema_is_left_as_it_is_byte_for_byte(
    file: Path, written: Callable[[Path], None], opening: Callable[[Path], object]
) -> None:
    written(file)
    before = fingerprint(file.parent)

    with pytest.raises(SchemaNewer):
        opening(file.parent)

    assert fingerprint(file.parent) == before


def test_looking_at_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="`tacit backup --list` shows what there is"):
        open_existing(tmp_path / "missing.db", look(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_an_existing_store_can_be_read_as_it_is(file: Path) -> None:
    with closing(existing(file.parent)) as opened:
        found = ([record.id for record in opened.records()], opened.integrity())

    assert found == (["a"], ["ok"])


@pytest.mark.parametrize("statement", ["SELECT 1", "CREATE TABLE later (value TEXT) STRICT"])
def test_looking_at_a_store_changes_no_byte_of_it(file: Path, statement: str) -> None:
    leave_in_the_log(file, statement)
    before = fingerprint(file.parent)

    with closing(existing(file.parent)) as opened:
        opened.find(["a"])

    assert fingerprint(file.parent) == before


def test_an_older_store_is_not_upgraded_by_looking_at_it(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as plain:
        plain.execute("PRAGMA user_version = 0")

    with closing(existing(file.parent)) as opened:
        found = version_of(opened.connection)

    assert found == 0


def test_a_store_is_safe_against_a_hostile_schema_and_forgets_what_is_deleted(file: Path) -> None:
    names = "synchronous foreign_keys secure_delete trusted_schema cell_size_check".split()

    with closing(sqlite(file.parent)) as opened:
        found = {name: opened.connection.value(f"PRAGMA {name}") for name in names}

    assert found == {
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
    }


def test_opening_leaves_the_caller_s_umask_alone(tmp_path: Path) -> None:
    os.umask(0o027)

    sqlite(tmp_path).close()

    assert os.umask(0) == 0o027


def test_on_a_read_only_disk_a_log_without_its_index_is_read_and_no_file_is_made(
    file: Path,
) -> None:
    leave_in_the_log(file, "PRAGMA journal_mode = wal")
    leave_in_the_log(file, "CREATE TABLE later (value TEXT); INSERT INTO later VALUES ('kept')")
    file.with_name("transcript.db-shm").unlink(missing_ok=True)
    before = {each.name: each.read_bytes() for each in file.parent.iterdir()}
    engine = replace(look(file.parent), is_read_only=True)

    with closing(Connection(file, engine)) as one, closing(Connection(file, engine)) as other:
        found = [each.value("SELECT value FROM later") for each in (one, other)]

    assert size(file.with_name("transcript.db-wal"))
    assert found == ["kept", "kept"]
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == before
