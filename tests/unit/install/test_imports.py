"""Import lines: at the end of instructions, between two marks, and gone without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.install.imports import BEGIN, END, with_imports, without_imports

FILES = (Path("/home/me/user.md"), Path("/home/me/context.md"))


@pytest.mark.parametrize("text", ["", "# Mine\n", "# Mine\n\nUse tabs.\n"])
def test_they_stand_behind_what_is_there_and_go_without_a_trace(text: str) -> None:
    told = with_imports(text, FILES)

    assert told == f"{text}{BEGIN}\n@/home/me/user.md\n@/home/me/context.md\n{END}\n"
    assert without_imports(told) == text


def test_a_space_in_a_path_is_no_end_of_it() -> None:
    told = with_imports("# Mine\n", [Path("/home/Jane  Doe/.tacit/user.md")])

    assert r"@/home/Jane\ \ Doe/.tacit/user.md" in told.splitlines()
    assert without_imports(told) == "# Mine\n"


def test_other_files_replace_those_that_were_imported() -> None:
    told = with_imports(with_imports("# Mine\n", FILES), FILES[:1])

    assert (told.count(BEGIN), "context.md" in told) == (1, False)


def test_what_was_written_behind_them_stays() -> None:
    told = with_imports("# Mine\n", FILES) + "Later.\n"

    assert without_imports(told) == "# Mine\nLater.\n"


@given(st.text())
def test_instructions_that_never_had_them_stay_as_they_are(text: str) -> None:
    assert BEGIN in text or without_imports(text) == text
