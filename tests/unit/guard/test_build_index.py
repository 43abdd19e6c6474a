"""The index: made from the rows, and never left to drift from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tacit.guard import build_index, index
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS


def test_the_index_in_the_tree_is_what_the_rows_make() -> None:
    written = Path(index.__file__).read_text(encoding="utf-8")

    assert written == build_index.build()


def test_the_program_prints_the_index() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tacit.guard.build_index"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    assert printed.stdout == build_index.build()


def test_every_keyword_of_every_row_is_indexed() -> None:
    keywords = [keyword for row in (*ROWS, *CONTEXT) for keyword in row[1]]

    built = build_index.build()

    assert [keyword for keyword in keywords if repr(keyword) not in built] == []


def test_the_rows_that_the_gate_knows_by_rank_are_those() -> None:
    ranks = (index.NAMED, index.HEADING, index.BASIC, index.URI)

    judges = [CONTEXT[rank - len(ROWS)][2] for rank in ranks]

    assert judges == ["assigned", "column", "basic", "in_uri"]
