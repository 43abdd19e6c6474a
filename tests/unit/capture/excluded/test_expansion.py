"""Expansion: every value that a word can have, and an end to how many."""

from __future__ import annotations

import os
import pwd

import pytest

from tacit.capture.excluded.expansion import Expander, is_name
from tacit.capture.excluded.pattern import UNKNOWN, match
from tacit.capture.excluded.shell import QUOTED_STAR

OWN = pwd.getpwuid(os.getuid())
ENVIRONMENT = {"D": "/srv", "PWD": "/work"}


@pytest.fixture
def shell() -> Expander:
    shell = Expander("/home/me", lambda name: ENVIRONMENT.get(name, ""))
    shell.here, shell.before = ["/here"], ["/before"]
    return shell


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("a", ["a"]),
        ("$D/a", ["/srv/a"]),
        ("${D}a", ["/srva"]),
        ("a$D$D", ["a/srv/srv"]),
        ("$X/a", [f"{UNKNOWN}/a"]),
        ("$1$@$?", [UNKNOWN * 3]),
        ("a$", ["a$"]),
        ("$/a", ["$/a"]),
        ("${X:-/a}/b", [f"{UNKNOWN}/b", "/a/b"]),
        ("${D:-/a}", ["/srv", "/a"]),
        ("${D+$D/a}", ["/srv", "/srv/a"]),
        ("${X:=${D:-b}}", [UNKNOWN, "/srv", "b"]),
        ("${#D}", [UNKNOWN]),
        ("${D[0]}", ["/srv", UNKNOWN]),
        ("${PWD%/*}", ["/here", "/work", UNKNOWN]),
        ("${D/srv/x}", ["/x"]),
        ("${D//[rs]/x}", ["/srv", f"{UNKNOWN}x{UNKNOWN}"]),
        ("${X/a/b}", [f"{UNKNOWN}b{UNKNOWN}", UNKNOWN]),
        ("${D:1:2}", ["sr"]),
        ("${D: -2}", ["rv"]),
        ("${D:$X}", ["/srv", UNKNOWN]),
        ("${D#/s}", ["rv"]),
        ("${D%v}", ["/sr"]),
        ("${D^^}", ["/SRV"]),
        ("${D@Q}", ["/srv", UNKNOWN]),
        ("${D", ["/srv"]),
        ("$PWD", ["/here", "/work"]),
        ("$OLDPWD", ["/before"]),
        ("a{b,c}d", ["acd", "abd"]),
        ("{a,b{c,d}}", ["bd", "bc", "a"]),
        ("{a,}b", ["b", "ab"]),
        ("{a..c}", ["*"]),
        ("{a}", ["{a}"]),
        ("a/{}/b", [f"a/{UNKNOWN}/b"]),
        ("}a{", ["}a{"]),
        ("}{a,b}", ["}b", "}a"]),
        (f"{QUOTED_STAR}.md", [f"{UNKNOWN}.md"]),
    ],
)
def test_a_word_has_all_its_values(shell: Expander, word: str, found: list[str]) -> None:
    assert sorted(shell.words(word)) == sorted(found)


def test_a_variable_has_every_value_that_it_was_given(shell: Expander) -> None:
    shell.assign("D", ["/a", "/b"])
    shell.append("X", ["c"])

    assert shell.words("$D") == ["/a", "/b", "/srv"]
    assert shell.words("$X") == [f"{UNKNOWN}c"]


def test_home_is_that_of_the_environment_and_the_user_s_own(shell: Expander) -> None:
    assert shell.homes() == ["/home/me", OWN.pw_dir]
    assert shell.paths("~/a") == ["/home/me/a", f"{OWN.pw_dir}/a"]
    assert shell.words("$HOME") == ["/home/me", OWN.pw_dir]


@pytest.mark.parametrize("home", ["", "relative"])
def test_a_home_that_the_environment_does_not_tell_is_the_user_s_own(home: str) -> None:
    assert Expander(home, lambda _: "").paths("~") == [OWN.pw_dir]


def test_a_home_that_the_command_sets_counts_too(shell: Expander) -> None:
    shell.assign("HOME", ["/srv"])

    assert "/srv/a" in shell.paths("~/a")


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("~+/a", ["/here/a"]),
        ("~-", ["/before"]),
        (f"~{OWN.pw_name}/a", [f"{OWN.pw_dir}/a"]),
        ("~nobody-of-this-name/a", ["~nobody-of-this-name/a"]),
        ("a~/b", ["a~/b"]),
    ],
)
def test_other_directories_have_short_names(shell: Expander, word: str, found: list[str]) -> None:
    assert shell.paths(word) == found


def test_more_values_than_can_be_tried_are_unknown(shell: Expander) -> None:
    shell.assign("X", [str(number) for number in range(100)])

    assert shell.words("$X/a") == [f"{UNKNOWN}/a"]
    assert any(match(word, f"/x/{'ab' * 10}/y")[0] for word in shell.words(f"/x/{'{a,b}' * 20}/y"))
    assert shell.words("$D" * 100) == ["/srv" * 64 + UNKNOWN]


def test_all_words_together_have_an_end(shell: Expander) -> None:
    counts = [len(shell.words(f"{{a,b,c,d}}{{a,b,c,d}}{{a,b,c}}{number}")) for number in range(900)]

    assert counts[0] == 48
    assert max(counts[500:]) <= 4


def test_a_value_does_not_grow_without_end(shell: Expander) -> None:
    shell.assign("X", ["ab"])

    for _ in range(50):
        shell.append("X", shell.words("$X"))

    assert max(len(value) for value in shell.values("X")) <= 4096


@pytest.mark.parametrize(
    ("text", "is_one"), [("A_1", True), ("a", True), ("", False), ("1a", False), ("é", False)]
)
def test_names_of_variables_are_known(text: str, *, is_one: bool) -> None:
    assert is_name(text) is is_one
