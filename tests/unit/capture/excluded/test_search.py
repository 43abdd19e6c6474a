"""Searches: which program reads a tree, from where, and whether it may hide the paths."""

from __future__ import annotations

import pytest

from tacit.capture.excluded import search


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("ls -l", ["ls", "-l"]),
        ("/bin/ls", ["ls"]),
        ("X=1 sudo -E ls a", ["ls", "a"]),
        ("timeout 5 ls", ["ls"]),
        ("then cd a", ["cd", "a"]),
        ("X=1", []),
        ("", []),
    ],
)
def test_the_program_of_a_command_is_known(command: str, program: list[str]) -> None:
    assert search.program(command.split()) == program


@pytest.mark.parametrize(
    "command", ["ls", "tree", "du -a", "grep -r x", "grep --recursive x", "rg"]
)
def test_what_shows_directories_is_known(command: str) -> None:
    assert search.reads_directories(command.split())


@pytest.mark.parametrize("command", ["cat", "grep x", "echo -r", "wc -l", ""])
def test_what_shows_only_files_is_known(command: str) -> None:
    assert not search.reads_directories(command.split())


@pytest.mark.parametrize(
    ("command", "roots"),
    [
        ("grep -rh x", ["."]),
        ("grep -rh x a b", ["a", "b"]),
        ("grep -r --no-filename x a", []),
        ("rg -I x a", ["a"]),
        ("git grep -h x", ["."]),
        ("grep -h x a", []),
        ("grep -r x a", []),
        ("find a -name x", []),
        ("ls", []),
        ("", []),
    ],
)
def test_a_search_that_is_told_to_print_no_paths_begins_somewhere(
    command: str, roots: list[str]
) -> None:
    assert search.hidden_roots(command.split(), is_hiding=False) == roots


@pytest.mark.parametrize(
    ("command", "roots"),
    [
        ("find", ["."]),
        ("find a b -name x", ["a", "b"]),
        ("fd x", ["x"]),
        ("grep -r x a", ["a"]),
        ("rg x", ["."]),
        ("git ls-files", ["."]),
        ("ls -R a", ["a"]),
        ("ls a", []),
        ("cat a", []),
    ],
)
def test_a_search_whose_output_goes_further_begins_somewhere(
    command: str, roots: list[str]
) -> None:
    assert search.hidden_roots(command.split(), is_hiding=True) == roots


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("find . -exec cat {} +", True),
        ("find . | xargs cat", True),
        ("cat $(find .)", True),
        ("grep -r x . | cut -d: -f2", True),
        ("grep -r x . | head", False),
        ("find . -name x", False),
    ],
)
def test_output_that_goes_further_is_known(text: str, *, is_it: bool) -> None:
    assert search.is_hiding(text) is is_it
