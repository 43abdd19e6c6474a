"""The migrator: numbered steps, forward only, each as a whole or not at all."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

import apsw
import pytest

from tacit.errors import SchemaNewer, StoreError
from tacit.store.sqlite.connection import Connection
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.migrate import migrate, refuse_newer, steps, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = (
    "CREATE TABLE first (value TEXT) STRICT;\nINSERT INTO first VALUES ('one');",
    "ALTER TABLE first ADD COLUMN more INTEGER NOT NULL DEFAULT 7;",
    "CREATE TABLE third (value TEXT) STRICT;",
)
# what is wrong with a step may be told in SQLite's words or in ours
FAILURES = (apsw.SQLError, StoreError)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Return a connection to a new file."""
    opened = Connection(tmp_path / "any.db", look(tmp_path))
    opened.prepare()
    yield opened
    opened.close()


def nothing() -> None:
    """Stand for a backup that nobody looks at."""


def tables(connection: Connection) -> list[str]:
    return [row[0] for row in connection.rows("SELECT name FROM sqlite_schema ORDER BY name")]


def test_the_steps_are_numbered_from_one_without_a_gap() -> None:
    folder = resources.files("tacit.store.sqlite").joinpath("migrations").joinpath("transcript")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))

    numbers = [int(name.partition("_")[0]) for name in names]

    assert numbers == list(range(1, len(names) + 1))
    assert all(re.fullmatch(r"\d{4}_[a-z_]+\.sql", name) for name in names)


def test_the_steps_come_in_the_order_of_their_numbers() -> None:
    folder = resources.files("tacit.store.sqlite").joinpath("migrations").joinpath("transcript")
    first = next(each for each in folder.iterdir() if each.name.startswith("0001_"))

    found = steps("transcript")

    assert found[0] == first.read_text(encoding="utf-8")


def test_a_new_file_has_come_nowhere(connection: Connection) -> None:
    found = version_of(connection)

    assert found == 0


def test_a_new_file_takes_every_step(connection: Connection) -> None:
    taken = migrate(connection, STEPS, nothing)

    assert (taken, version_of(connection), tables(connection)) == (3, 3, ["first", "third"])


def test_each_step_is_taken_once(connection: Connection) -> None:
    migrate(connection, STEPS[:1], nothing)

    taken = [migrate(connection, STEPS, nothing), migrate(connection, STEPS, nothing)]

    assert taken == [2, 0]
    assert list(connection.rows("SELECT value, more FROM first")) == [("one", 7)]


@pytest.mark.parametrize(("come", "asked"), [(0, 0), (1, 1), (2, 1), (3, 0)])
def test_a_backup_is_asked_for_once_and_only_before_an_upgrade(
    connection: Connection, come: int, asked: int
) -> None:
    migrate(connection, STEPS[:come], nothing)
    versions: list[int] = []

    migrate(connection, STEPS, lambda: versions.append(version_of(connection)))

    assert versions == [come] * asked


def test_a_step_that_fails_leaves_nothing_of_itself(connection: Connection) -> None:
    failing = "CREATE TABLE half (value TEXT) STRICT; INSERT INTO missing VALUES (1);"
    migrate(connection, STEPS[:1], nothing)

    with pytest.raises(FAILURES, match="no such table: missing"):
        migrate(connection, (STEPS[0], failing, STEPS[2]), nothing)

    assert (version_of(connection), tables(connection)) == (1, ["first"])


def test_the_steps_before_a_failing_one_stay(connection: Connection) -> None:
    with pytest.raises(FAILURES):
        migrate(connection, (*STEPS[:2], "nonsense"), nothing)

    assert version_of(connection) == 2
    assert list(connection.rows("SELECT value, more FROM first")) == [("one", 7)]


def test_a_step_that_failed_can_be_taken_once_it_is_mended(connection: Connection) -> None:
    with pytest.raises(FAILURES):
        migrate(connection, (*STEPS[:2], "nonsense"), nothing)

    taken = migrate(connection, STEPS, nothing)

    assert (taken, tables(connection)) == (1, ["first", "third"])


def test_without_its_backup_no_step_is_taken(connection: Connection) -> None:
    def fail() -> None:
        raise OSError("no room")

    migrate(connection, STEPS[:1], nothing)

    with pytest.raises(OSError, match="no room"):
        migrate(connection, STEPS, fail)

    assert version_of(connection) == 1


def test_a_step_that_somebody_else_took_meanwhile_is_not_taken_again(
    connection: Connection, tmp_path: Path
) -> None:
    migrate(connection, STEPS[:1], nothing)

    def be_overtaken() -> None:
        other = Connection(tmp_path / "any.db", look(tmp_path))
        migrate(other, STEPS, nothing)
        other.close()

    taken = migrate(connection, STEPS, be_overtaken)

    assert (taken, version_of(connection)) == (0, 3)


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_newer_file_is_refused_and_says_both_versions(connection: Connection, known: int) -> None:
    migrate(connection, STEPS, nothing)

    with pytest.raises(SchemaNewer, match=f"has schema 3, this Tacit knows {known}") as refused:
        refuse_newer(connection, STEPS[:known])

    assert "`pip install -U tacit`" in str(refused.value)


def test_a_file_that_is_not_newer_is_not_refused(connection: Connection) -> None:
    migrate(connection, STEPS[:2], nothing)

    refuse_newer(connection, STEPS[:2])
    refuse_newer(connection, STEPS)

    assert version_of(connection) == 2


def test_no_step_is_ever_taken_back(connection: Connection) -> None:
    migrate(connection, STEPS, nothing)

    taken = migrate(connection, STEPS[:1], nothing)

    assert (taken, version_of(connection), tables(connection)) == (0, 3, ["first", "third"])
