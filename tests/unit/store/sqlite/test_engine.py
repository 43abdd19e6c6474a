"""The engine gate: the write-ahead log only where neither engine nor filesystem can spoil it."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from contract.conftest import event, sqlite
from tacit.store.sqlite.engine import Engine, filesystem_of, has_reset_bug, look
from tacit.store.sqlite.opening import open_store

LINE = "{number} 1 0:{number} / {mount} rw,relatime shared:1 master:2 - {kind} source rw\n"


def mounts(directory: Path, *table: tuple[str, str]) -> Path:
    """Write a made-up table of mounts: where, and of which type."""
    file = directory / "mountinfo"
    lines = [
        LINE.format(number=number, mount=mount, kind=kind)
        for number, (mount, kind) in enumerate(table, 20)
    ]
    file.write_text("".join(lines), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "version",
    """
    3.7.0 3.7.17 3.8.11.1 3.9.0 3.35.5 3.40.1 3.43.2 3.44.0 3.44.5 3.45.0 3.45.9 3.46.1 3.49.2
    3.50.0 3.50.6 3.51.0 3.51.1 3.51.2
    """.split(),
)
def test_a_version_with_the_reset_bug_gets_no_write_ahead_log(tmp_path: Path, version: str) -> None:
    engine = look(tmp_path, version, mounts(tmp_path, ("/", "ext4")))

    assert (has_reset_bug(version), engine.journal) == (True, "delete")
    assert engine.reason == (
        f"SQLite {version} has the WAL-reset bug: upgrade with `pip install -U apsw`"
    )


@pytest.mark.parametrize(
    "version",
    "3.6.23 3.6.23.1 3.44.6 3.44.10 3.50.7 3.50.8 3.51.3 3.51.10 3.52.0 3.100.0 4.0.0".split(),
)
def test_a_version_without_the_reset_bug_gets_the_write_ahead_log(
    tmp_path: Path, version: str
) -> None:
    engine = look(tmp_path, version, mounts(tmp_path, ("/", "ext4")))

    assert (has_reset_bug(version), engine.journal, engine.reason) == (False, "wal", None)


def test_the_engine_that_comes_with_the_package_is_past_the_bug() -> None:
    version = apsw.sqlite_lib_version()

    assert not has_reset_bug(version)


def test_without_a_word_the_running_engine_is_looked_at(tmp_path: Path) -> None:
    engine = look(tmp_path, mounts=mounts(tmp_path, ("/", "ext4")))

    assert engine == Engine(
        version=apsw.sqlite_lib_version(),
        source=apsw.sqlite3_sourceid(),
        filesystem="ext4",
        reason=None,
    )


@pytest.mark.parametrize(
    "kind",
    "nfs nfs4 cifs smb3 9p virtiofs fuse.sshfs ceph glusterfs lustre vboxsf".split(),
)
def test_a_network_filesystem_gets_no_write_ahead_log(tmp_path: Path, kind: str) -> None:
    engine = look(tmp_path, "3.54.1", mounts(tmp_path, ("/", "ext4"), (str(tmp_path), kind)))

    assert (engine.filesystem, engine.journal) == (kind, "delete")
    assert engine.reason == f"{kind} is a network filesystem: set TACIT_HOME to a local directory"


@pytest.mark.parametrize("kind", "ext4 xfs btrfs tmpfs overlay zfs apfs fuseblk".split())
def test_a_local_filesystem_gets_the_write_ahead_log(tmp_path: Path, kind: str) -> None:
    engine = look(tmp_path, "3.54.1", mounts(tmp_path, ("/", "nfs"), (str(tmp_path), kind)))

    assert (engine.filesystem, engine.journal, engine.reason) == (kind, "wal", None)


@pytest.mark.parametrize(
    ("directory", "expected"),
    [
        ("/", "ext4"),
        ("/srv", "ext4"),
        ("/srv/share", "nfs4"),
        ("/srv/share/deep/down", "nfs4"),
        ("/srv/shared", "ext4"),
        ("/srv/share/local/disk", "xfs"),
        ("/srv/share/localhost", "nfs4"),
    ],
)
def test_the_innermost_mount_decides(tmp_path: Path, directory: str, expected: str) -> None:
    table = mounts(tmp_path, ("/srv/share/local", "xfs"), ("/", "ext4"), ("/srv/share", "nfs4"))

    found = filesystem_of(Path(directory), table)

    assert found == expected


def test_what_is_mounted_later_in_the_same_place_hides_what_was_there(tmp_path: Path) -> None:
    table = mounts(tmp_path, ("/", "ext4"), ("/srv", "xfs"), ("/srv", "cifs"))

    found = filesystem_of(Path("/srv/home"), table)

    assert found == "cifs"


@pytest.mark.parametrize(
    ("written", "directory"),
    [
        (r"/srv/my\040share", "/srv/my share"),
        (r"/srv/a\040\040b", "/srv/a  b"),
        (r"/srv/a\011b", "/srv/a\tb"),
        (r"/srv/a\012b", "/srv/a\nb"),
        (r"/srv/a\134b", "/srv/a\\b"),
        (r"/srv/a\134040b", r"/srv/a\040b"),
    ],
)
def test_blanks_in_the_name_of_a_mount_are_read_as_such(
    tmp_path: Path, written: str, directory: str
) -> None:
    table = mounts(tmp_path, ("/", "ext4"), (written, "nfs"))

    found = filesystem_of(Path(directory) / "home", table)

    assert found == "nfs"


def test_a_mount_is_looked_up_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "share")
    table = mounts(tmp_path, ("/", "ext4"), (str(tmp_path / "share"), "nfs"))

    found = filesystem_of(tmp_path / "link" / "home", table)

    assert found == "nfs"


def test_without_a_table_of_mounts_nobody_says_and_the_log_is_used(tmp_path: Path) -> None:
    engine = look(tmp_path, "3.54.1", tmp_path / "missing")

    assert (engine.filesystem, engine.journal, engine.reason) == ("unknown", "wal", None)


@pytest.mark.parametrize("text", ["", "\n", "nonsense\n", "a b c d e\n", "\udcff \udcff\n"])
def test_a_table_that_says_nothing_is_no_obstacle(tmp_path: Path, text: str) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(text, encoding="utf-8", errors="surrogateescape")

    found = look(tmp_path, "3.54.1", table)

    assert found.journal == "wal"


@pytest.mark.skipif(not shutil.which("stat"), reason="there is no `stat` to compare with")
def test_the_real_table_is_understood(tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["stat", "--file-system", "--format=%T", tmp_path], capture_output=True, check=True
    )

    found = filesystem_of(tmp_path)

    said = os.fsdecode(mounted.stdout).strip()
    assert said.partition("/")[0][:3] == found[:3]  # `ext2/ext3` is what it calls ext4


def test_a_store_on_a_network_filesystem_works_with_a_rollback_journal(tmp_path: Path) -> None:
    engine = look(tmp_path, "3.54.1", mounts(tmp_path, ("/", "nfs4")))
    store = open_store(tmp_path / "transcript.db", engine, lambda _store: None)

    store.append([event("a")])

    assert store.connection.value("PRAGMA journal_mode") == "delete"
    assert store.connection.value("PRAGMA synchronous") == 2
    assert [record.id for record in store.records()] == ["a"]
    assert not (tmp_path / "transcript.db-wal").exists()
    store.close()


def test_a_store_on_a_local_filesystem_works_with_the_log_in_full_safety(tmp_path: Path) -> None:
    engine = look(tmp_path, "3.54.1", mounts(tmp_path, ("/", "ext4")))
    store = open_store(tmp_path / "transcript.db", engine, lambda _store: None)

    store.append([event("a")])

    assert store.connection.value("PRAGMA journal_mode") == "wal"
    assert store.connection.value("PRAGMA synchronous") == 2
    assert (tmp_path / "transcript.db-wal").stat().st_size > 0
    store.close()


def test_a_store_that_was_moved_to_a_network_filesystem_gives_up_its_log(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    store.append([event("a")])
    store.close()
    engine = replace(look(tmp_path), reason="nfs is a network filesystem")

    store = open_store(tmp_path / "transcript.db", engine, lambda _store: None)
    store.append([event("b")])

    assert store.connection.value("PRAGMA journal_mode") == "delete"
    assert [record.id for record in store.records()] == ["a", "b"]
    store.close()
