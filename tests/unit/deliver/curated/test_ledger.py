"""The ledger: knows every line that we wrote, holds none of their words, and cannot be forged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated import place
from tacit.deliver.curated.ledger import Ledger, Line, Marker, Record
from tacit.deliver.curated.selection import Selection
from tacit.deliver.curated.sheet import Entry
from tacit.transcript.files import Files
from unit.deliver.preparing import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARKER = Marker(KEY)
FULL = Ledger(
    files={"user.md": Record((Line("a1", "mem-1"), Line("b2")), "c3")},
    before={"os.md": Record((Line("d4"),), "e5")},
    selected={"user.md": Selection(("mem-2", "mem-1"), ("mem-3",), 7)},
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    with place.opened(Files(tmp_path / "home", "main")) as opened:
        yield opened


def test_what_is_written_down_is_read_again(folder: int) -> None:
    ledgers.write(folder, MARKER, FULL)

    assert ledgers.read(folder, MARKER) == FULL


def test_without_one_nothing_is_known(folder: int) -> None:
    assert ledgers.read(folder, MARKER) == Ledger()


def test_one_of_another_home_counts_as_none(folder: int) -> None:
    ledgers.write(folder, Marker(b"x" * 32), FULL)

    assert ledgers.read(folder, MARKER) == Ledger()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("mem-1", "mem-9"),
        lambda text: text[:-5],
        lambda text: text.partition("\n")[2],
        lambda text: "0" * 32 + "\n" + text.partition("\n")[2],
        lambda _text: "",
        lambda _text: "\n\n",
        lambda _text: json.dumps({"files": {}}),
    ],
)
def test_one_that_somebody_has_changed_counts_as_none(change: object, folder: int) -> None:
    ledgers.write(folder, MARKER, FULL)
    text = place.look(folder, ledgers.NAME).text

    place.write(folder, ledgers.NAME, change(text))  # type: ignore[operator]

    assert ledgers.read(folder, MARKER) == Ledger()


def test_it_holds_no_words_of_what_it_knows(folder: int) -> None:
    record = MARKER.record([Entry("- the vault opens to tea", "mem-1")], "the vault opens to tea")

    ledgers.write(folder, MARKER, Ledger(files={"user.md": record}))

    text = place.look(folder, ledgers.NAME).text or ""
    assert ("mem-1" in text, "vault" in text, "tea" in text) == (True, False, False)


def test_a_digest_needs_the_key() -> None:
    assert MARKER.mark("- tea") != Marker(b"x" * 32).mark("- tea")


def test_blank_lines_and_the_ends_of_lines_make_no_difference() -> None:
    lines = MARKER.marked("# A\r\n\r\n- b  \r\n")

    assert [line for _, line in lines] == ["# A", "- b"]
    assert [mark for mark, _ in lines] == [MARKER.mark("# A"), MARKER.mark("- b")]
    assert MARKER.record([Entry("# A"), Entry(""), Entry("- b")], "").marks == [
        mark for mark, _ in lines
    ]


def test_what_was_there_before_is_known_until_the_new_text_is() -> None:
    old, new = Record((Line("a"),), "old"), Record((Line("b"),), "new")
    ledger = Ledger(files={"user.md": new}, before={"user.md": old})

    assert ledger.record("user.md", "old") == old
    assert ledger.record("user.md", "new") == ledger.record("user.md", "edited") == new
    assert ledger.record("os.md", "old") is None
