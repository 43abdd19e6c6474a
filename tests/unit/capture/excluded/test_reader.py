"""The reader: paths, directories and searches of commands, in their order."""

from __future__ import annotations

import pytest

from tacit.capture.excluded.pattern import UNKNOWN
from tacit.capture.excluded.reader import Reader


def read(*texts: str, cwd: str = "/desk") -> Reader:
    reader = Reader(cwd, "/home/me", lambda _: "")
    for text in texts:
        reader.read(text)
    return reader


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("cat a/b", "a/b"),
        ("cat --file=a/b", "a/b"),
        ("cat -Ia/b", "a/b"),
        ("git show HEAD:a/b", "a/b"),
        ("curl -d @a/b", "a/b"),
        ("X=/a; cat $X/b", "/a/b"),
        ("for x in a b; do cat $x/c; done", "b/c"),
        ("while read x; do cat a/$x; done", f"a/{UNKNOWN}"),
        ("set -- a; cat $1/b", "a/b"),
        ("bash -c 'cat */b'", "*/b"),
        ("x 'cat */b'", f"{UNKNOWN}/b"),
        ("x 'y \"cat a/b c\"'", "a/b"),
    ],
)
def test_a_path_of_a_command_is_found(text: str, path: str) -> None:
    assert path in read(text).paths


@pytest.mark.parametrize(
    ("text", "bases"),
    [
        ("ls", ["/desk"]),
        ("cd a", ["/desk", "/desk/a"]),
        ("cd a; cd ../b", ["/desk", "/desk/a", "/desk/b"]),
        ("(cd a); cd b", ["/desk", "/desk/a", "/desk/b"]),
        ("x=$(cd a; pwd); cd b", ["/desk", "/desk/a", "/desk/b"]),
        ("cd /srv; cd -", ["/desk", "/srv"]),
        ("cd -P /srv", ["/desk", "/srv"]),
        ("git -C a log", ["/desk", "/desk/a"]),
        ("cat /srv/x", ["/desk", "/srv/x"]),
        ("cat /srv/*", ["/desk"]),
    ],
)
def test_a_directory_that_paths_may_start_from_is_found(text: str, bases: list[str]) -> None:
    assert read(text).bases == bases


def test_each_text_begins_in_the_directory_of_the_event() -> None:
    reader = read("cd /srv", "cd a")

    assert reader.bases == ["/desk", "/srv", "/desk/a"]


def test_of_many_directories_the_first_and_the_last_are_kept() -> None:
    reader = read("".join(f"cd /a{number};" for number in range(1000)))

    assert len(reader.bases) == 32
    assert reader.bases[:2] == ["/desk", "/a0"]
    assert reader.bases[-1] == "/a999"
    assert reader.bases_above("/a500/x") == ["/a500"]


def test_a_command_that_shows_directories_is_remembered_with_its_paths() -> None:
    reader = read("cat a b", "ls b c")

    assert {path: reader.paths[path] for path in "abc"} == {"a": False, "b": True, "c": True}


def test_a_path_that_is_known_in_full_has_its_start() -> None:
    reader = read("cd a; cat b c*")

    assert ("/desk/a", "b") in reader.files
    assert ("/desk/a", "c*") not in reader.files


def test_a_search_that_may_hide_its_paths_has_its_root() -> None:
    reader = read("cd a; grep -rh x .. b")

    assert list(reader.roots) == ["/desk", "/desk/a/b"]


def test_a_pattern_of_a_tool_is_no_glob_of_a_shell() -> None:
    reader = Reader("/desk", "/home/me", lambda _: "")

    reader.read_pattern("**/a*.md")

    assert f"{UNKNOWN}{UNKNOWN}/a{UNKNOWN}.md" in reader.paths
