"""Named queries: every one in the file is loaded, whole, and is one statement that SQLite takes."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from contract.conftest import sqlite
from tacit.store.sqlite import queries

FOLDER = resources.files("tacit.store.sqlite").joinpath("sql")
NAMES = sorted(Path(each.name).stem for each in FOLDER.iterdir() if each.name.endswith(".sql"))
QUERIES = [(file, name) for file in NAMES for name in queries.load(file)]


def text_of(file: str) -> str:
    return FOLDER.joinpath(f"{file}.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", NAMES)
def test_every_query_of_a_file_is_loaded_under_its_name(file: str) -> None:
    written = re.findall(r"^-- (\w+): ", text_of(file), re.MULTILINE)

    loaded = queries.load(file)

    assert written
    assert list(loaded) == written


@pytest.mark.parametrize("file", NAMES)
def test_nothing_of_a_file_is_left_out(file: str) -> None:
    written = re.sub(r"^-- \w+: .*$", "", text_of(file), flags=re.MULTILINE)

    loaded = "".join(f"{statement};\n" for statement in queries.load(file).values())

    assert loaded.split() == written.split()


@pytest.mark.parametrize(("file", "name"), QUERIES)
def test_a_query_is_one_statement_without_its_comment(file: str, name: str) -> None:
    statement = queries.load(file)[name]

    assert re.match(r"(SELECT|WITH|INSERT|UPDATE|DELETE)\b", statement)
    assert ";" not in statement
    assert "--" not in statement


@pytest.mark.parametrize("name", queries.load("transcript"))
def test_a_query_fits_the_schema(tmp_path: Path, name: str) -> None:
    store = sqlite(tmp_path)
    statement = queries.load("transcript")[name]
    bindings = dict.fromkeys(re.findall(r":(\w+)", statement))

    plan = list(store.connection.rows(f"EXPLAIN {statement}", bindings))

    assert plan
    store.close()


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        queries.load("unknown")
