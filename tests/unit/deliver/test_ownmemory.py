"""The client's own index: read where it lies, and nothing else is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.deliver import ownmemory

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return where the index lies beside a transcript."""
    file = tmp_path / "memory" / "MEMORY.md"
    file.parent.mkdir()
    return file


def lines(index: Path, name: str = "a.jsonl") -> tuple[str, ...]:
    return ownmemory.lines([str(index.parent.parent / name)])


def test_the_lines_of_the_index_are_told_without_their_bullets(index: Path) -> None:
    index.write_text("# Memory\n\n- [Style](style.md) uses tabs\n* tea\n\t\n", encoding="utf-8")

    assert lines(index) == ("Memory", "[Style](style.md) uses tabs", "tea")


def test_an_index_is_read_once_for_all_transcripts_beside_it(index: Path) -> None:
    index.write_text("- tea", encoding="utf-8")
    folder = index.parent.parent

    assert ownmemory.lines([f"{folder}/a.jsonl", f"{folder}/b.jsonl"]) == ("tea",)


def test_what_is_no_text_does_no_harm(index: Path) -> None:
    index.write_bytes(b"\xff\xfe\x00 tea\n" + b"x" * (1 << 20))

    found = lines(index)

    assert found[0].endswith("tea")
    assert sum(map(len, found)) <= 64 << 10


@pytest.mark.parametrize("name", ["a.txt", "", "jsonl", "a\0.jsonl"])
def test_only_what_a_transcript_is_called_leads_there(name: str, index: Path) -> None:
    index.write_text("- tea", encoding="utf-8")

    assert lines(index, name) == ()


def test_a_path_that_is_not_absolute_leads_nowhere(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.write_text("- tea", encoding="utf-8")
    monkeypatch.chdir(index.parent.parent)

    assert ownmemory.lines(["a.jsonl", "./a.jsonl"]) == ()


@pytest.mark.parametrize("trap", ["link", "pipe", "directory", "missing", "closed"])
def test_whatever_cannot_be_read_safely_is_nothing(trap: str, index: Path, tmp_path: Path) -> None:
    if trap == "link":
        other = tmp_path / "secret"
        other.write_text("- tea", encoding="utf-8")
        index.symlink_to(other)
    elif trap == "pipe":
        os.mkfifo(index)
    elif trap == "directory":
        index.mkdir()
    elif trap == "closed":
        index.write_text("- tea", encoding="utf-8")
        index.parent.chmod(0)

    found = lines(index)
    index.parent.chmod(0o700)

    assert found == () or (trap == "closed" and os.geteuid() == 0)
