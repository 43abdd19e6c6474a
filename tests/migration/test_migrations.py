"""Upgrading a store: its content stays the same, a backup comes first, a newer file is left alone.

The later steps are made up, so that every rule is held before the first real one comes.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from dataclasses import astuple
from hashlib import sha256
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON, event, place
from tacit.errors import SchemaNewer, StoreError
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.migrate import steps, version_of
from tacit.store.sqlite.opening import open_store
from tacit.transcript import backups
from tacit.transcript.files import Files
from tacit.transcript.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig import Home
    from tacit.store.sqlite.migrate import Steps
    from tacit.store.sqlite.transcript import SqliteStore

KNOWN = steps("transcript")
COLUMN = "ALTER TABLE events ADD COLUMN mood TEXT;"
TABLE = "CREATE TABLE notes (seq INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;"
FILLED = f"{TABLE}\nINSERT INTO notes SELECT seq, kind FROM events;"  # noqa: S608  (of our own)
FAILING = f"{FILLED}\nINSERT INTO missing VALUES (1);"
# what a failing step is told as may be in SQLite's words or in ours
FAILURES = (apsw.SQLError, StoreError)

UPGRADER = f"""
import sys
from pathlib import Path
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.migrate import steps
from tacit.store.sqlite.opening import open_store
path = Path(sys.argv[1])
known = (*steps("transcript"), {FILLED!r})
print("ready", flush=True)
sys.stdin.readline()
open_store(path, look(path.parent), lambda store: None, known).close()
"""


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a group whose transcript holds some events."""
    files = Files(tmp_path / "home", "main")
    files.prepare()
    with closing(opened(files, KNOWN)) as store:
        store.append([event(f"e{n}", place=place("/one", "project-1")) for n in range(20)])
        store.append([event("other", session="session-2", tool="Bash", turn=None)])
        store.bury([3, 5], at=7, reason="asked")
    return files


def opened(files: Files, known: Steps) -> SqliteStore:
    """Open a group's transcript as one who knows these steps, with a real backup before any."""
    engine = look(files.home)

    def back_up(store: SqliteStore) -> None:
        backups.make(store, files, engine, NOON)

    return open_store(files.database, engine, back_up, known)


def content(store: SqliteStore) -> str:
    """Return a digest of all that a store holds."""
    held = [astuple(record) for record in store.records()]
    rest = (store.buried(), store.projects(), store.sessions(), store.place("/one"))
    return sha256(repr((held, rest)).encode()).hexdigest()


def content_of(files: Files, known: Steps) -> tuple[int, str]:
    with closing(opened(files, known)) as store:
        return version_of(store.connection), content(store)


def fingerprint(files: Files) -> dict[str, str]:
    """Return the SHA-256 of the transcript and of its log."""
    found = files.directory.glob("transcript.db*")
    return {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in found
        if not path.name.endswith("-shm") and path.stat().st_size
    }


def make_newer(files: Files) -> None:
    """Let a newer Tacit have written the transcript last."""
    with closing(apsw.Connection(str(files.database))) as plain:
        plain.execute(f"PRAGMA user_version = {len(KNOWN) + 7}")


def make_newer_in_the_log(files: Files) -> None:
    """Let a newer Tacit have been killed behind its last commit."""
    with closing(apsw.Connection(str(files.database))) as plain:
        plain.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        plain.execute(f"PRAGMA user_version = {len(KNOWN) + 7}")


NEWER = [make_newer, make_newer_in_the_log]


@pytest.mark.parametrize(
    "later", [(COLUMN,), (TABLE,), (FILLED,), (COLUMN, TABLE), (TABLE, COLUMN, "SELECT 1;")]
)
def test_an_upgrade_keeps_the_content(files: Files, later: Steps) -> None:
    before = content_of(files, KNOWN)

    after = content_of(files, KNOWN + later)

    assert after == (before[0] + len(later), before[1])


@pytest.mark.parametrize("later", [(COLUMN,), (TABLE,)])
def test_an_upgraded_transcript_verifies(files: Files, later: Steps) -> None:
    with closing(opened(files, KNOWN + later)) as store:
        found = verify(store, None)

    assert found.findings == []


def test_an_upgraded_transcript_goes_on(files: Files) -> None:
    with closing(opened(files, (*KNOWN, COLUMN, FILLED))) as store:
        added = store.append([event("after")])

        assert [record.seq for record in added] == [22]
        assert store.find(["after"]) == added


def test_a_backup_is_made_before_an_upgrade_and_verifies(files: Files) -> None:
    before = content_of(files, KNOWN)

    opened(files, (*KNOWN, COLUMN)).close()

    (backup,) = backups.listed(files)
    with closing(open_store(backup.path, look(files.home), lambda _store: None, KNOWN)) as store:
        assert (version_of(store.connection), content(store)) == before
        assert verify(store, None).findings == []


def test_no_backup_is_made_of_a_new_transcript(tmp_path: Path) -> None:
    files = Files(tmp_path / "home", "main")
    files.prepare()

    opened(files, (*KNOWN, COLUMN)).close()

    assert backups.listed(files) == []


def test_no_backup_is_made_where_nothing_is_upgraded(files: Files) -> None:
    opened(files, KNOWN).close()

    assert backups.listed(files) == []


def test_several_steps_at_once_are_covered_by_one_backup(files: Files) -> None:
    opened(files, (*KNOWN, COLUMN, TABLE, "SELECT 1;")).close()

    assert len(backups.listed(files)) == 1


def test_a_step_that_fails_leaves_the_old_version_with_the_old_content(files: Files) -> None:
    before = content_of(files, KNOWN)

    with pytest.raises(FAILURES):
        opened(files, (*KNOWN, FAILING))

    assert content_of(files, KNOWN) == before


def test_of_two_steps_the_one_that_succeeds_stays(files: Files) -> None:
    _, before = content_of(files, KNOWN)

    with pytest.raises(FAILURES):
        opened(files, (*KNOWN, COLUMN, FAILING))

    assert content_of(files, (*KNOWN, COLUMN)) == (len(KNOWN) + 1, before)


def test_an_upgrade_is_never_taken_back(files: Files) -> None:
    opened(files, (*KNOWN, COLUMN)).close()

    with pytest.raises(SchemaNewer):
        opened(files, KNOWN)

    assert content_of(files, (*KNOWN, COLUMN))[0] == len(KNOWN) + 1


def test_two_programs_that_upgrade_at_once_end_with_one_result(files: Files) -> None:
    _, before = content_of(files, KNOWN)
    command = [sys.executable, "-c", UPGRADER, str(files.database)]
    programs = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(4)
    ]
    for program in programs:
        assert program.stdout
        program.stdout.readline()

    ended = [program.communicate(b"\n") and program.returncode for program in programs]

    assert ended == [0] * 4
    assert content_of(files, (*KNOWN, FILLED)) == (len(KNOWN) + 1, before)


@pytest.mark.parametrize("write", NEWER)
def test_a_newer_transcript_is_refused_and_both_versions_are_named(
    files: Files, write: Callable[[Files], None]
) -> None:
    write(files)

    with pytest.raises(SchemaNewer) as refused:
        opened(files, KNOWN)

    said = f"has schema {len(KNOWN) + 7}, this Tacit knows {len(KNOWN)}. Upgrade with `pip install"
    assert said in str(refused.value)


@pytest.mark.parametrize("write", NEWER)
def test_a_newer_transcript_is_left_as_it_is_byte_for_byte(
    files: Files, write: Callable[[Files], None]
) -> None:
    write(files)
    before = fingerprint(files)

    with pytest.raises(SchemaNewer):
        opened(files, KNOWN)

    assert fingerprint(files) == before


@pytest.mark.parametrize("write", NEWER)
def test_beside_a_newer_transcript_the_command_line_refuses_and_changes_nothing(
    home: Home, files: Files, write: Callable[[Files], None]
) -> None:
    write(files)
    before = fingerprint(files)

    ran = subprocess.run(
        [sys.executable, "-m", "tacit", "verify"],
        cwd=home.project,
        capture_output=True,
        check=False,
    )

    assert ran.returncode == SchemaNewer.exit_code
    assert f"has schema {len(KNOWN) + 7}, this Tacit knows {len(KNOWN)}".encode() in ran.stderr
    assert fingerprint(files) == before


@pytest.mark.parametrize("write", NEWER)
def test_beside_a_newer_transcript_the_hook_still_spools(
    home: Home, files: Files, write: Callable[[Files], None]
) -> None:
    write(files)
    before = fingerprint(files)

    ran = home.hook("UserPromptSubmit", {"prompt": "kept until the upgrade"})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert b"kept until the upgrade" in home.spooled[-1].read_bytes()
    assert fingerprint(files) == before


def test_what_was_spooled_beside_a_newer_transcript_stays_spooled(home: Home, files: Files) -> None:
    make_newer(files)
    home.hook("UserPromptSubmit", {"prompt": "kept until the upgrade"})

    subprocess.run(
        [sys.executable, "-m", "tacit", "sessions"],
        cwd=home.project,
        capture_output=True,
        check=False,
    )

    assert [b"kept until the upgrade" in file.read_bytes() for file in home.spooled] == [True]
