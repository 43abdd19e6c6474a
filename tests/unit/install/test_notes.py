"""Notes about files: what they were before us, for nobody else to read."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tacit import paths
from tacit.install import files, notes
from tacit.install.clients import Asked
from tacit.install.notes import Note

FILE = Path("/nowhere/ann/.claude/settings.json")
ASKED = Asked(client="claude-code", scope="project", directory="/srv/shop", environment={})


def bare(text: str) -> str:
    return text.replace(" ours", "")


def test_what_a_file_was_before_us_is_remembered(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, "theirs", "theirs ours", bare)

    kept = notes.kept(tmp_path, FILE)

    after = (files.digest("theirs ours"),)
    assert kept == Note(file=str(FILE), before="theirs", after=after, made="/nowhere")
    assert notes.known(tmp_path) == [FILE]


def test_a_repair_remembers_what_was_there_before_the_first_time(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, "theirs ", "theirs  ours", bare)

    notes.keep(tmp_path, FILE, "theirs  ours", "theirs  ours!", bare)

    kept = notes.kept(tmp_path, FILE)
    assert kept is not None
    assert (kept.before, kept.is_as_written("theirs  ours!")) == ("theirs ", True)


def test_until_a_repair_is_written_the_file_is_known_as_it_is(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, "theirs ", "theirs  ours", bare)

    notes.keep(tmp_path, FILE, "theirs  ours", "theirs  ours!", bare)

    kept = notes.kept(tmp_path, FILE)
    assert kept is not None
    assert kept.is_as_written("theirs  ours")
    assert not kept.is_as_written("theirs ")


@pytest.mark.parametrize("left", ["", "{}", " {\n}\n"])
def test_a_file_that_we_have_made_and_mended_is_still_ours_alone(tmp_path: Path, left: str) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare)

    notes.keep(tmp_path, FILE, f"{left} ours", "ours", bare)

    kept = notes.kept(tmp_path, FILE)
    assert kept is not None
    assert kept.before is None


def test_what_was_asked_for_is_remembered(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare, ASKED)

    assert [note.asked for note in notes.all_kept(tmp_path)] == [ASKED]


def test_a_note_of_an_older_version_is_understood(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare)
    (note,) = (tmp_path / paths.INSTALLED).iterdir()
    old = {"file": str(FILE), "before": "theirs", "after": files.digest("ours")}
    note.write_text(json.dumps(old), encoding="utf-8")

    assert notes.kept(tmp_path, FILE) == Note(
        file=str(FILE), before="theirs", after=(files.digest("ours"),)
    )


def test_a_file_that_others_have_changed_since_is_remembered_without_us(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare)

    notes.keep(tmp_path, FILE, "changed ours", "changed ours ours", bare)

    kept = notes.kept(tmp_path, FILE)
    assert kept is not None
    assert kept.before == "changed"


def test_the_notes_are_closed_to_others(tmp_path: Path) -> None:
    notes.keep(tmp_path / "home", FILE, "a key", "a key ours", bare)

    (note,) = (tmp_path / "home" / paths.INSTALLED).iterdir()

    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert stat.S_IMODE(note.parent.stat().st_mode) == 0o700


def test_what_is_forgotten_is_not_known(tmp_path: Path) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare)

    notes.forget(tmp_path, FILE)
    notes.forget(tmp_path, FILE)

    assert (notes.kept(tmp_path, FILE), notes.known(tmp_path)) == (None, [])


@pytest.mark.parametrize("spoiled", ["", "{", "[]", "null", "{}", '{"after": 1}'])
def test_a_note_that_cannot_be_read_is_none(tmp_path: Path, spoiled: str) -> None:
    notes.keep(tmp_path, FILE, None, "ours", bare)
    (note,) = (tmp_path / paths.INSTALLED).iterdir()
    note.write_text(spoiled, encoding="utf-8")

    assert (notes.kept(tmp_path, FILE), notes.known(tmp_path)) == (None, [])
