"""Leftovers: what no process holds open is removed once it is old, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rig import only_linux
from tacit.leftovers import is_leftover, is_running, remove_leftovers

if TYPE_CHECKING:
    from pathlib import Path

BEFORE_NS = 2_000_000_000_000_000_000


@pytest.fixture(scope="module")
def dead() -> int:
    """Return the id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(folder: Path, name: str, changed_ns: int = BEFORE_NS - 1) -> Path:
    file = folder / name
    file.write_bytes(b"half")
    os.utime(file, ns=(changed_ns, changed_ns))
    return file


@pytest.mark.parametrize(
    "name",
    [
        ".capture.conf.{pid}.0123abcd",
        "01790000000000000000-000001-{pid}-0123abcd",
        "..x.{pid}.0123abcd",
    ],
)
def test_files_of_a_process_that_has_ended_are_removed(
    tmp_path: Path, dead: int, name: str
) -> None:
    file = left(tmp_path, name.format(pid=dead))

    removed = remove_leftovers(tmp_path, BEFORE_NS)

    assert (removed, file.exists()) == (1, False)


@pytest.mark.parametrize(
    "name",
    ["capture.conf", ".gitignore", ".name.0123abcd", ".name.12.0123ABCD", ".12.0123abcd", ".tmp"],
)
def test_files_of_another_name_stay(tmp_path: Path, name: str) -> None:
    file = left(tmp_path, name)

    assert (remove_leftovers(tmp_path, BEFORE_NS), file.exists()) == (0, True)


def test_a_file_that_is_not_old_stays(tmp_path: Path, dead: int) -> None:
    file = left(tmp_path, f".mark.{dead}.0123abcd", BEFORE_NS)

    assert (remove_leftovers(tmp_path, BEFORE_NS), file.exists()) == (0, True)


@only_linux
def test_a_file_stays_as_long_as_its_process_has_it_open(tmp_path: Path) -> None:
    file = left(tmp_path, f".mark.{os.getpid()}.0123abcd")
    with file.open("rb"):
        held = remove_leftovers(tmp_path, BEFORE_NS), file.exists()

    let_go = remove_leftovers(tmp_path, BEFORE_NS), file.exists()

    assert (held, let_go) == ((0, True), (1, False))


@only_linux
def test_a_file_whose_process_id_another_process_has_now_is_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        file = left(tmp_path, f".mark.{other.pid}.0123abcd")

        removed = remove_leftovers(tmp_path, BEFORE_NS)
        other.kill()

    assert (removed, file.exists()) == (1, False)


def test_a_directory_that_is_missing_or_a_link_is_passed_over(tmp_path: Path, dead: int) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = left(folder, f".mark.{dead}.0123abcd")
    (tmp_path / "link").symlink_to(folder)

    removed = [remove_leftovers(tmp_path / name, BEFORE_NS) for name in ("gone", "link")]

    assert (removed, file.exists()) == ([0, 0], True)


def test_a_directory_of_such_a_name_is_not_removed(tmp_path: Path, dead: int) -> None:
    folder = tmp_path / f".mark.{dead}.0123abcd"
    folder.mkdir()
    os.utime(folder, ns=(1, 1))

    assert (remove_leftovers(tmp_path, BEFORE_NS), folder.exists()) == (0, True)


def test_a_file_that_has_gone_is_none(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)

    found = is_leftover(folder, ".mark.1.0123abcd", BEFORE_NS)
    os.close(folder)

    assert not found


def test_a_process_runs_until_it_has_ended(dead: int) -> None:
    assert [is_running(pid) for pid in (os.getpid(), 1, dead, 1 << 40)] == [True, True, False, True]
