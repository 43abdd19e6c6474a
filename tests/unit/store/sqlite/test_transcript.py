"""The transcript in SQLite: nothing in it can be changed, and damage is refused, never served."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import IN_MEMORY, event, place, sqlite
from tacit.errors import StoreDamaged, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.model.event import Record
    from tacit.store.sqlite.transcript import SqliteStore

    Reading = Callable[[SqliteStore], object]

PAGE = 4096
TEXTS = "id session project client turn kind tool agent origin via".split()
MARKED = {name: f"mark-of-{name}" for name in TEXTS}
VALUES = {
    **{name: f"{name} || 'x'" for name in TEXTS},
    "at": "at + 1",
    "received": "received - 1",
    "digest": "zeroblob(32)",
    "chain": "zeroblob(32)",
}
CHANGES = {
    name: f"UPDATE events SET {name} = {value}"  # noqa: S608  (columns of our own)
    for name, value in VALUES.items()
}
LOSSES = [f"UPDATE events SET {name} = NULL" for name in ("turn", "tool", "agent")]  # noqa: S608


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return a store with two events, the first of them buried."""
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a"), event("b", place=place("/one", "project-1"))])
        opened.bury([1], at=7, reason="asked")
        yield opened


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """Return the file of a store with three events; in the second every text is marked."""
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a"), event("b", **MARKED), event("c")])
    return tmp_path / "transcript.db"


def tamper(file: Path, script: str) -> None:
    """Change a database as somebody would who does not care for its rules."""
    with closing(apsw.Connection(str(file))) as plain:
        triggers = plain.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        for name in [row[0] for row in triggers]:
            plain.execute(f"DROP TRIGGER {name}")
        plain.execute(script)


def read_marked(store: SqliteStore, *, without: str) -> list[Record]:
    """Read the marked event by what still stands there."""
    if without == "id":
        return store.of_session(MARKED["session"])
    return store.find([MARKED["id"]])


def served(directory: Path) -> list[list[Record]]:
    """Return what a store serves of session-1, each way of reading on its own."""
    with closing(sqlite(directory)) as opened:
        return [
            opened.of_session("session-1"),
            opened.find(["a", "b", "c"]),
            list(opened.first_prompts().values()),
            opened.lately("session-1", 99, 99),
        ]


def is_refused_or_right(directory: Path, content: bytes, expected: list[Record]) -> bool:
    """Say whether a store of this content serves nothing but what was written, each once."""
    file = directory / "transcript.db"
    file.write_bytes(content)
    for suffix in ("-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    try:
        readings = served(directory)
    except StoreError:
        return True
    return all(
        all(record in expected for record in records)
        and len({record.seq for record in records}) == len(records)
        for records in readings
    )


def flipped(content: bytes, position: int, bit: int) -> bytes:
    """Return the content with one bit of it turned over."""
    return content[:position] + bytes([content[position] ^ bit]) + content[position + 1 :]


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Return a directory for many small databases, one after the other."""
    with TemporaryDirectory(dir=IN_MEMORY) as directory:
        yield Path(directory)


@pytest.fixture
def written(scratch: Path) -> tuple[bytes, list[Record]]:
    """Return a store's file as it was written, and its records."""
    with closing(sqlite(scratch)) as opened:
        opened.append([event("a"), event("b", place=place("/one", "project-1")), event("c")])
        opened.bury([1], at=7, reason="asked")
        records = list(opened.records())
    return (scratch / "transcript.db").read_bytes(), records


@pytest.mark.parametrize(
    "statement",
    [
        *CHANGES.values(),
        *LOSSES,
        "UPDATE events SET seq = seq + 10",
        "UPDATE OR REPLACE events SET id = 'b'",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 2",
        "UPDATE payloads SET body = x'00'",
        "UPDATE payloads SET salt = x'00'",
        "UPDATE payloads SET seq = 1",
        "DELETE FROM payloads",
        "DELETE FROM payloads WHERE seq = 2",
        "UPDATE tombstones SET reason = 'other'",
        "UPDATE tombstones SET seq = 2",
        "DELETE FROM tombstones",
        "INSERT INTO payloads SELECT 99, salt, body FROM payloads",
        "INSERT OR REPLACE INTO payloads SELECT seq, salt, x'00' FROM payloads",
        "INSERT OR REPLACE INTO tombstones SELECT seq, at, 'other', seal FROM tombstones",
        """
        INSERT OR REPLACE INTO events SELECT seq, id, at, received, 'other', project, client, turn,
        kind, tool, agent, origin, via, digest, chain FROM events
        """,
    ],
)
def test_no_statement_changes_what_stands_in_the_transcript(
    store: SqliteStore, statement: str
) -> None:
    before = (list(store.records()), store.buried())

    with pytest.raises(apsw.ConstraintError), store.transaction():
        store.connection.value(statement)

    assert (list(store.records()), store.buried()) == before


def test_a_body_can_be_deleted_where_a_tombstone_names_it(store: SqliteStore) -> None:
    with store.transaction():
        store.connection.value("INSERT INTO tombstones VALUES (2, 7, 'asked', x'00')")
        store.connection.value("DELETE FROM payloads WHERE seq = 2")

    assert store.counts().payloads == 0


@pytest.mark.parametrize("name", CHANGES)
def test_an_event_of_which_any_column_was_changed_is_refused(
    closed: Path, tmp_path: Path, name: str
) -> None:
    tamper(closed, CHANGES[name] + " WHERE seq = 2")

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged, match="Event 2 in"):
        read_marked(opened, without=name)


@pytest.mark.parametrize("loss", LOSSES)
def test_an_event_that_lost_a_column_is_refused(closed: Path, tmp_path: Path, loss: str) -> None:
    tamper(closed, loss + " WHERE seq = 2")

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged, match="Event 2 in"):
        opened.find([MARKED["id"]])


READINGS: dict[str, Reading] = {
    "find": lambda store: store.find(["a"]),
    "of_session": lambda store: store.of_session("session-1"),
    "of_turn": lambda store: store.of_session("session-1", "turn-1"),
    "first_prompts": lambda store: store.first_prompts(),
}


DAMAGES = [
    "UPDATE payloads SET body = CAST(body || ' ' AS BLOB) WHERE seq = 1",
    "UPDATE payloads SET salt = zeroblob(16) WHERE seq = 1",
    "UPDATE payloads SET salt = zeroblob(300) WHERE seq = 1",
    "UPDATE events SET at = at + 1 WHERE seq = 1",
    "DELETE FROM payloads WHERE seq = 1",
]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_way_of_reading_refuses_a_damaged_event(
    closed: Path, tmp_path: Path, reading: str, damage: str
) -> None:
    tamper(closed, damage)

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged, match="`tacit verify`"):
        READINGS[reading](opened)


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_was_sound_when_it_was_read_before_is_refused_when_it_no_longer_is(
    closed: Path, tmp_path: Path, damage: str
) -> None:
    with closing(sqlite(tmp_path)) as opened:
        (sound,) = opened.find(["a"])
        again = opened.find(["a"])
        tamper(closed, damage)

        with pytest.raises(StoreDamaged, match="Event 1 in"):
            opened.find(["a"])

    assert again == [sound]


def test_an_event_whose_forerunner_is_gone_is_refused(closed: Path, tmp_path: Path) -> None:
    tamper(closed, "DELETE FROM events WHERE seq = 2")

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged, match="Event 3 in"):
        opened.find(["c"])


def test_records_are_read_unchecked_so_that_verification_sees_all(
    closed: Path, tmp_path: Path
) -> None:
    tamper(closed, "UPDATE events SET at = at + 1 WHERE seq = 1")

    with closing(sqlite(tmp_path)) as opened:
        found = [record.seq for record in opened.records()]

    assert found == [1, 2, 3]


@pytest.mark.parametrize("bit", [0x01, 0x80])
@pytest.mark.parametrize("name", TEXTS)
def test_a_flipped_bit_in_any_text_is_refused(
    closed: Path, tmp_path: Path, name: str, bit: int
) -> None:
    mark = MARKED[name].encode()
    content = closed.read_bytes()
    closed.write_bytes(content.replace(mark, flipped(mark, 0, bit)))

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged):
        read_marked(opened, without=name)


def test_a_flipped_bit_in_the_type_of_a_column_is_refused(closed: Path, tmp_path: Path) -> None:
    content = closed.read_bytes()
    salt_as_blob, salt_as_text = b"\x04\x00\x2c", b"\x04\x00\x2d"  # how a payload's row begins
    closed.write_bytes(content.replace(salt_as_blob, salt_as_text))

    with closing(sqlite(tmp_path)) as opened, pytest.raises(StoreDamaged):
        opened.find(["a"])


def test_no_flipped_bit_is_ever_served(scratch: Path, written: tuple[bytes, list[Record]]) -> None:
    content, records = written
    used = [position for position, byte in enumerate(content) if byte]

    wrong = [
        position
        for position in used[::11]
        if not is_refused_or_right(scratch, flipped(content, position, 0x01), records)
    ]

    assert wrong == []


def test_no_damaged_index_makes_a_session_tell_an_event_twice(
    scratch: Path, written: tuple[bytes, list[Record]]
) -> None:
    content, records = written
    with closing(apsw.Connection(str(scratch / "transcript.db"))) as plain:
        ((page,),) = plain.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_session'"
        )
    cells = range(page * PAGE - 40, page * PAGE)

    wrong = [
        (position, bit)
        for position in cells
        for bit in (0x01, 0x02, 0x80)
        if not is_refused_or_right(scratch, flipped(content, position, bit), records)
    ]

    assert wrong == []


def test_no_zeroed_page_is_ever_served(scratch: Path, written: tuple[bytes, list[Record]]) -> None:
    content, records = written
    starts = range(0, len(content), PAGE)

    wrong = [
        start // PAGE + 1
        for start in starts
        if not is_refused_or_right(
            scratch, content[:start] + bytes(PAGE) + content[start + PAGE :], records
        )
    ]

    assert wrong == []


def test_no_shortened_file_is_ever_served(
    scratch: Path, written: tuple[bytes, list[Record]]
) -> None:
    content, records = written

    wrong = [
        length
        for length in range(1, len(content), 1500)
        if not is_refused_or_right(scratch, content[:length], records)
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        ("UPDATE tombstones SET reason = 'other'", "tombstone 1 is not what was written"),
        ("UPDATE projects SET name = 'other'", "project project-1 is not what was written"),
        ("UPDATE places SET directory = '/other'", "place /other is not what was written"),
        ("UPDATE payloads SET seq = 77 WHERE seq = 2", "row 77 of payloads points nowhere"),
        ("DROP INDEX events_by_session", "events_by_session is not made as it should be"),
    ],
)
def test_the_integrity_check_names_what_is_not_as_it_was_written(
    store: SqliteStore, tmp_path: Path, damage: str, finding: str
) -> None:
    store.close()
    tamper(tmp_path / "transcript.db", damage)

    with closing(sqlite(tmp_path)) as opened:
        found = opened.integrity()

    assert finding in found


def test_the_integrity_check_misses_a_rule_that_was_taken_away(
    store: SqliteStore, tmp_path: Path
) -> None:
    store.close()
    tamper(tmp_path / "transcript.db", "SELECT 1")

    with closing(sqlite(tmp_path)) as opened:
        found = opened.integrity()

    assert "events_stay is not made as it should be" in found


def test_the_integrity_check_finds_nothing_where_nothing_is_wrong(store: SqliteStore) -> None:
    store.rename("project-1", "mine \u2028 \U0001fae8")

    found = store.integrity()

    assert found == ["ok"]


def test_compacting_leaves_no_trace_of_what_was_buried(tmp_path: Path) -> None:
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a", body=b'{"prompt":"never seen again"}'), event("b")])
        opened.bury([1], at=7, reason="asked")

        opened.compact()

        left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert (b"never seen again" in left, b"the words of b" in left) == (False, True)


def test_compacting_gives_back_the_room_of_what_was_buried(tmp_path: Path) -> None:
    with closing(sqlite(tmp_path)) as opened:
        opened.append([event("a", body=bytes(1_000_000)), event("b")])
        opened.bury([1], at=7, reason="asked")

        opened.compact()

        assert (tmp_path / "transcript.db").stat().st_size < 100_000
