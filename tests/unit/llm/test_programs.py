"""Programs: by their whole path, or in places that no session's surroundings choose."""

from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING

import pytest

from tacit.llm import programs

if TYPE_CHECKING:
    from pathlib import Path

ACCOUNT = pwd.getpwuid(os.geteuid())
EVIL = {"HOME": "/evil", "PATH": "/evil/bin", "USER": "evil", "LANG": "C", "A_KEY": "k"}


def put(directory: Path, name: str = "claude") -> str:
    directory.mkdir(exist_ok=True)
    program = directory / name
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def test_a_daemon_s_surroundings_are_the_account_s() -> None:
    known = programs.surroundings(EVIL, is_users_program=False)

    assert "evil" not in str(known)
    assert (known["HOME"], known["LANG"], known["A_KEY"]) == (ACCOUNT.pw_dir, "C", "k")
    assert known["PATH"].split(":")[0] == f"{ACCOUNT.pw_dir}/.local/bin"


def test_a_user_s_surroundings_are_the_user_s() -> None:
    assert programs.surroundings(EVIL, is_users_program=True) == EVIL


@pytest.mark.parametrize("name", ["bin/claude", "./claude", "../claude", "nowhere"])
def test_what_depends_on_where_we_are_is_not_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path)
    put(tmp_path / "bin")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / ("deep" if name.startswith("..") else "."))

    assert programs.found(name, {"PATH": str(tmp_path)}) is None


def test_a_whole_path_is_found_whatever_path_says(tmp_path: Path) -> None:
    program = put(tmp_path)

    assert programs.found(program, {"PATH": "/nowhere"}) == program


def test_what_only_the_user_finds_is_told_by_its_path(tmp_path: Path) -> None:
    program = put(tmp_path)
    around = {"PATH": f"{tmp_path}:/usr/bin:/bin"}

    found = [programs.unseen(name, around) for name in ("claude", program, "sh", "nowhere")]

    assert found == [program, None, None, None]


def test_a_script_finds_what_lies_beside_it(tmp_path: Path) -> None:
    known = programs.beside(put(tmp_path), {"PATH": "/usr/bin", "LANG": "C"})

    assert known == {"PATH": f"{tmp_path}:/usr/bin", "LANG": "C"}
