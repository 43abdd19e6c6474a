"""Tool events: home directories, links, names, fields, and time that is linear in any payload."""

from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING, Any

import pytest

from stopwatch import grows_within
from tacit.capture.excluded.event import is_named

if TYPE_CHECKING:
    from pathlib import Path

OWN = pwd.getpwuid(os.getuid())
PRIVATE = "/home/me/private"


def event(command: str, output: str = "") -> dict[str, Any]:
    return {"tool_input": {"command": command}, "tool_response": {"stdout": output}}


def is_caught(payload: Any, directory: str = PRIVATE, cwd: str = "/home/me/desk") -> bool:
    return is_named(payload, [directory], cwd, "/home/me", lambda _: "")


@pytest.mark.parametrize("home", ["/nowhere", "", "relative"])
@pytest.mark.parametrize(
    "command",
    ["cat ~/private/a", "cat $HOME/pri*/a", f"cat ~{OWN.pw_name}/private/a", "cd; cat p*/a"],
)
def test_the_user_s_own_home_counts_whatever_the_environment_says(command: str, home: str) -> None:
    private = f"{OWN.pw_dir}/private"

    assert is_named(event(command), [private], "/opt", home, lambda _: "")


@pytest.mark.parametrize("text", ["~/private/a", "$HOME/private/a", "${HOME}/private"])
@pytest.mark.parametrize("home", [OWN.pw_dir, "/nowhere"])
def test_a_path_from_home_is_known_in_output(text: str, home: str) -> None:
    private = f"{OWN.pw_dir}/private"

    assert is_named(event("make", f"see {text}"), [private], "/opt", home, lambda _: "")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat link/a.md", ""),
        ("cat ../desk/link/a.md", ""),
        ("cd link && cat a.md", ""),
        ("cat other/../link/a.md", ""),
        ("grep -R x .", "./link/a.md:1: x"),
        ("cat far/up/a.md", ""),
        ("cat far/../private/a.md", ""),
    ],
)
def test_a_link_into_an_excluded_directory_is_followed(
    tmp_path: Path, command: str, output: str
) -> None:
    tree = tmp_path.resolve()
    for name in ("private", "desk", "elsewhere/deep"):
        (tree / name).mkdir(parents=True)
    (tree / "desk" / "link").symlink_to(tree / "private")
    (tree / "desk" / "far").symlink_to(tree / "elsewhere")
    (tree / "elsewhere" / "up").symlink_to("../private")
    (tree / "elsewhere" / "private").symlink_to("../private")

    assert is_caught(event(command, output), f"{tree}/private", f"{tree}/desk")


def test_an_excluded_directory_that_is_a_link_counts_where_it_leads(tmp_path: Path) -> None:
    tree = tmp_path.resolve()
    (tree / "real").mkdir()
    (tree / "private").symlink_to("real")

    assert is_caught(event(f"cat {tree}/real/a.md"), f"{tree}/private", "/opt")


def test_output_with_thousands_of_paths_is_looked_through_to_its_end() -> None:
    lines = [f"./a{number}/b.md" for number in range(5000)]

    assert not is_caught(event("find .", "\n".join(lines)), cwd="/home/me")
    assert is_caught(event("find .", "\n".join([*lines, "./private/a.md"])), cwd="/home/me")


def test_many_other_directories_do_not_hide_the_one_that_counts() -> None:
    others = " ".join(f"/a{number}" for number in range(500))

    assert is_caught(event(f"cat {others}", f"{others} private/a.md"), cwd="/home/me")


@pytest.mark.parametrize(
    ("path", "directory"),
    [
        ("/srv/[id]/my own/a.md", "/srv/[id]/my own"),
        ("/srv/[id]/my*/a.md", "/srv/[id]/my own"),
        ("'/srv/a*b/x'", "/srv/a*b"),
        ("/srv/my\\ own/a.md", "/srv/my own"),
        ("/srv/{a}/x", "/srv/{a}"),
        ("'/srv/$a/x'", "/srv/$a"),
        ("/srv/größ*/x", "/srv/größe"),
        ("/srv/-x/a", "/srv/-x"),
    ],
)
def test_a_directory_of_any_name_is_known(path: str, directory: str) -> None:
    assert is_caught(event(f"cat {path}"), directory, "/opt")


def test_output_that_names_where_it_searched_is_understood_from_there() -> None:
    output = "Found 1 file in /home/me:\nprivate/a.md"

    assert is_caught(event("search", output), cwd="/opt")


def test_a_diff_names_paths_from_the_top_of_its_repository() -> None:
    output = "diff --git a/private/a.md b/private/a.md\n--- a/private/a.md\n+++ b/private/a.md\n+x"

    assert is_caught(event("git log -p", output), cwd="/home/me/desk/deep")


HOSTILE = {
    "words": "a ", "paths": "a/b ", "stars": "*", "stars and letters": "*a", "globs": "~/p*q/x ",
    "sets": "*[a-z", "brackets": "[", "brace lists": "{a,b}", "open braces": "{",
    "closed braces": "}", "variables": "$a", "variables and paths": "$a/b ", "defaults": "${a:-",
    "assignments": "a=$a$a;", "additions": "a+=$a;", "quotes": "'\"a ", "groups": "$(",
    "backquotes": "`a", "directories": "cd a;", "directories above": "cd ..;", "steps up": "../",
    "searches": "find .;xargs ", "loops": "for a in b;do ", "users": "~a/b ", "colons": "a:b=",
    "escapes": "\\", "unknown starts": "$a/*/b ", "here documents": "cat <<'E'\ndon't * $a\nE\n",
}  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_is_linear_in_a_command(unit: str) -> None:
    small, big = (event(unit * (size // len(unit))) for size in (8_000, 32_000))

    assert grows_within(9, lambda: is_caught(small), lambda: is_caught(big))


@pytest.mark.parametrize("unit", ["a ", "../a/b ", "private ", "/home/me ", "./x/", "── private"])
def test_time_is_linear_in_output(unit: str) -> None:
    small, big = (event("ls", unit * (size // len(unit))) for size in (100_000, 400_000))

    assert grows_within(9, lambda: is_caught(small), lambda: is_caught(big))


def test_time_is_linear_in_paths_that_differ() -> None:
    small, big = (
        event(*[" ".join(f"../a{number}/b{number}*" for number in range(count))] * 2)
        for count in (500, 2000)
    )

    assert grows_within(9, lambda: is_caught(small), lambda: is_caught(big))


def test_more_paths_than_can_be_looked_up_are_not_recorded() -> None:
    output = "\n".join(f"x/a{number}" for number in range(40_000))

    assert is_caught(event("ls", output), cwd="/opt")
