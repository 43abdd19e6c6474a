"""`tacit init`: one command, said again as often as one likes, and never by an agent."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home
    from unit.cli.conftest import Program


def test_a_directory_becomes_a_workspace_and_says_so(home: Home, program: Program) -> None:
    place = home.scratch / "My Papers"

    first, again = program("init", str(place)), program("init", str(place), "--template")

    assert (
        first.stdout.decode().splitlines()[0] == f"{place} is a workspace now: the group my-papers."
    )
    assert again.stdout.decode().splitlines() == [
        f"{place} was a workspace already: the group my-papers.",
        *(
            f"  made {folder}/README.txt"
            for folder in ("documents", "ocr", "extractions", "artifacts", "projects")
        ),
    ]
    assert (first.returncode, again.returncode) == (0, 0)


def test_programs_get_it_as_json(home: Home, program: Program) -> None:
    place = home.scratch / "papers"

    told = json.loads(program("init", str(place), "--json").stdout)

    assert (told["name"], told["directory"], told["is_new"]) == ("papers", str(place), True)
    assert "documents/" in told["made"]


def test_a_directory_is_named_from_where_one_is(home: Home, program: Program) -> None:
    ended = program("init", ".")

    assert ended.returncode == 0
    assert (home.project / ".os" / "memory").is_dir()


@pytest.mark.parametrize("name", ["", " "])
def test_without_a_name_nothing_is_made(home: Home, program: Program, name: str) -> None:
    ended = program("init", name)

    assert (ended.returncode, b"Name one: `tacit init DIR`" in ended.stderr) == (28, True)
    assert not (home.project / ".os").exists()


@pytest.mark.parametrize("above", ["", ".."])
def test_the_user_s_home_and_what_holds_it_are_no_workspace(
    home: Home, program: Program, above: str
) -> None:
    user = home.scratch / "users" / "ann"
    user.mkdir(parents=True)

    ended = program("init", str(user / above), env=home.environment(HOME=str(user)))

    assert (ended.returncode, b"cannot be a workspace" in ended.stderr) == (28, True)
    assert not (user / ".os").exists()


def test_where_nothing_can_be_made_it_says_what_to_do(home: Home, program: Program) -> None:
    ended = program("init", "/proc/papers")

    assert ended.returncode == 28
    assert b"/proc/papers cannot be made a workspace: " in ended.stderr
    assert b"Choose a directory that you can write to" in ended.stderr
    assert not (home.path / "config.toml").exists()


def test_an_agent_cannot_make_a_workspace(home: Home, program: Program) -> None:
    ended = program("init", ".", env=home.environment(CLAUDECODE="1"), input=b"")

    assert (ended.returncode, b"needs the owner at a terminal" in ended.stderr) == (7, True)
    assert not (home.project / ".os").exists()
    assert not (home.path / "config.toml").exists()


def test_a_clone_with_a_memory_of_its_own_is_not_adopted_unasked(
    home: Home, program: Program
) -> None:
    place = home.scratch / "a clone"
    planted = place / ".os" / "memory"
    planted.mkdir(parents=True)
    (planted / "transcript.db").write_bytes(b"planted")

    refused, asked = program("init", str(place)), program("init", str(place), "--adopt")

    assert (refused.returncode, asked.returncode) == (28, 0)
    assert f"`tacit init '{place}' --adopt`".encode() in refused.stderr
    assert b"may come from somebody else" in refused.stderr
    assert b"--adopt" in refused.stderr


@pytest.mark.parametrize(
    "name", ["VERSION", "config.toml", "memory/transcript.db", "notes.txt", "home.marker"]
)
def test_an_os_that_came_with_a_clone_is_refused_and_stays_as_it_is(
    name: str, home: Home, program: Program
) -> None:
    file = home.scratch / "clone" / ".os" / name
    file.parent.mkdir(parents=True)
    file.write_text("theirs", encoding="utf-8")
    places = [home.scratch / "clone", home.scratch / "clone" / ".os", file.parent, file]
    for place in places:
        place.chmod(0o755)
    before = [(place.stat().st_mode, place.stat().st_mtime_ns) for place in places]

    ended = program("init", str(home.scratch / "clone"))

    assert (ended.returncode, b"--adopt" in ended.stderr) == (28, True)
    assert [(place.stat().st_mode, place.stat().st_mtime_ns) for place in places] == before
    assert not (home.path / "config.toml").exists()


def test_an_os_that_is_a_link_is_refused_and_what_it_leads_to_stays_as_it_is(
    home: Home, program: Program
) -> None:
    (home.scratch / "clone").mkdir()
    (home.scratch / "clone" / ".os").symlink_to(home.project)
    home.project.chmod(0o755)

    for options in ((), ("--adopt",)):
        ended = program("init", str(home.scratch / "clone"), *options)
        assert ended.returncode == 28

    assert (home.project.stat().st_mode & 0o777, list(home.project.iterdir())) == (0o755, [])


def made_foreign(place: Path) -> None:
    place.mkdir()
    os.chown(place, 12345, 12345)


OBSTACLES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "a memory that is a link": (".os/memory", lambda place: place.symlink_to("/"), "is a link"),
    "a memory that is a file": (".os/memory", Path.touch, "is not a directory"),
    "an os that is a file": (".os", Path.touch, "is not a directory"),
    "an os that is a link": (".os", lambda place: place.symlink_to("/"), "is a link"),
    "documents that are a link": ("documents", lambda place: place.symlink_to("/"), "is a link"),
    "projects that are a file": ("projects", Path.touch, "is not a directory"),
}
FOREIGN = {
    f"{part or 'everything'} of another user": (part, made_foreign, "belongs to another user")
    for part in ("", ".os", ".os/memory")
}


def snapshot(place: Path) -> list[tuple[str, int, int]]:
    """Return every name below a directory with its mode and its age."""
    found = [place, *sorted(place.rglob("*"))]
    return [(str(each), each.lstat().st_mode, each.lstat().st_mtime_ns) for each in found]


@pytest.mark.parametrize(
    ("part", "put", "wrong"),
    [
        *(pytest.param(*each, id=name) for name, each in OBSTACLES.items()),
        *(
            pytest.param(
                *each,
                id=name,
                marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can give away"),
            )
            for name, each in FOREIGN.items()
        ),
    ],
)
def test_what_stands_in_the_way_is_told_in_one_sentence_and_nothing_is_changed(
    part: str, put: Callable[[Path], object], wrong: str, home: Home, program: Program
) -> None:
    place = home.scratch / "papers"
    (place / part).parent.mkdir(parents=True, exist_ok=True)
    put(place / part)
    program("status")
    before = snapshot(home.scratch)

    ended = program("init", str(place), "--adopt", "--template")

    assert (ended.returncode, ended.stdout) == (28, b"")
    assert f"{place / part if part else place} {wrong}. " in ended.stderr.decode()
    assert ended.stderr.count(b"\n") == 1
    assert snapshot(home.scratch) == before


def test_settings_that_nothing_can_be_put_into_leave_the_directory_as_it_is(
    home: Home, program: Program
) -> None:
    place = home.scratch / "papers"
    place.mkdir()
    program("status")
    (home.path / "config.toml").write_text("workspaces = {}\n", encoding="utf-8")
    before = snapshot(place)

    ended = program("init", str(place))

    assert (ended.returncode, b"written so that nothing" in ended.stderr) == (28, True)
    assert snapshot(place) == before
