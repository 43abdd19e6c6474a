"""Looking: everything that lies in the folders, once, and nothing outside of them."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.workspace import looking, rules
from tacit.workspace.looking import Looker, alike, digest
from unit.transcript.events import NOON

if TYPE_CHECKING:
    from pathlib import Path

    from unit.workspace.desk import Desk


def look(desk: Desk, now_ns: int = NOON) -> int:
    """Look everywhere; return in how many steps."""
    return len(list(Looker(desk.place, desk.store, now_ns).steps()))


def seen(desk: Desk, columns: str = "area || '/' || folder || '/' || name") -> list[object]:
    rows = desk.store.connection.rows(f"SELECT {columns} FROM seen ORDER BY area, folder, name")  # noqa: S608
    return [row[0] if len(row) == 1 else row for row in rows]


def test_files_are_seen_in_all_folders_and_below(desk: Desk) -> None:
    for path in ("documents/a.pdf", "documents/x/y/b.pdf", "ocr/a.txt", "extractions/a.json"):
        desk.put(path)
    desk.put("artifacts/not-looked-at.txt")

    look(desk)

    assert seen(desk) == [
        "documents//a.pdf",
        "documents/x/y/b.pdf",
        "extractions//a.json",
        "ocr//a.txt",
    ]


def test_hidden_files_readmes_and_what_is_archived_are_left_out(desk: Desk) -> None:
    for path in (
        "documents/.hidden",
        "documents/.git/x",
        "documents/README.txt",
        "projects/x.txt",
        "projects/archive/a.md",
        "projects/a.md.conflict",
        "projects/deep/b.md",
    ):
        desk.put(path)

    look(desk)

    assert seen(desk) == ["projects/deep/b.md"]


def test_no_link_is_followed(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.pdf").touch()
    (desk.place / "documents" / "folder").symlink_to(outside)
    (desk.place / "documents" / "file.pdf").symlink_to(outside / "secret.pdf")
    shutil.rmtree(desk.place / "ocr")
    (desk.place / "ocr").symlink_to(outside)

    look(desk)

    assert seen(desk) == []


def test_only_what_changed_is_written_again(desk: Desk) -> None:
    for number in range(5):
        desk.put(f"documents/{number}.pdf", modified=100)
    look(desk, NOON)
    before = desk.store.connection.value("SELECT total_changes()")

    look(desk, NOON + 5)

    assert desk.store.connection.value("SELECT total_changes()") == before


def test_when_a_file_was_first_seen_stays_though_it_changes(desk: Desk) -> None:
    desk.put("documents/a.pdf", "one", modified=100)
    look(desk, NOON)

    desk.put("documents/a.pdf", "another", modified=200)
    look(desk, NOON + 5)

    assert seen(desk, "first, size, modified") == [(NOON, 7, 200 * 10**9)]


def test_what_is_gone_is_forgotten(desk: Desk) -> None:
    for path in ("documents/a.pdf", "documents/b.pdf", "documents/x/c.pdf", "ocr/a.txt"):
        desk.put(path)
    look(desk)

    (desk.place / "documents" / "a.pdf").unlink()
    shutil.rmtree(desk.place / "documents" / "x")
    shutil.rmtree(desk.place / "ocr")
    look(desk)

    assert seen(desk) == ["documents//b.pdf"]


def test_names_that_are_no_text_are_left_out(desk: Desk) -> None:
    (desk.place / "documents" / os.fsdecode(b"caf\xe9.pdf")).touch()
    (desk.place / "documents" / "line\nbreak.pdf").touch()

    look(desk)

    assert seen(desk, "name") == ["line\nbreak.pdf"]


def test_many_files_take_many_steps(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "CHUNK", 10)
    for number in range(95):
        desk.put(f"documents/{number}.pdf", "x" * (number + 1))

    steps = look(desk)

    assert steps >= 10
    assert len(seen(desk)) == 95


def test_of_a_huge_workspace_only_so_much_is_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        desk.put(f"documents/{number}.pdf")
    look(desk)
    monkeypatch.setattr(looking, "CROWDED", replace(rules.CROWDED, threshold=5))

    looker = Looker(desk.place, desk.store, NOON)
    list(looker.steps())

    assert (looker.is_cut, len(seen(desk))) == (True, 9)  # what was seen before is not forgotten


def test_depth_is_bounded(desk: Desk) -> None:
    desk.put("documents/" + "d/" * 11 + "in.pdf")
    desk.put("documents/" + "d/" * 40 + "out.pdf")

    look(desk)

    assert seen(desk, "name") == ["in.pdf"]


def test_only_documents_of_one_size_are_read(desk: Desk) -> None:
    desk.put("documents/a.pdf", "same")
    desk.put("documents/b.pdf", "same")
    desk.put("documents/c.pdf", "else")
    desk.put("documents/d.pdf", "longer")
    desk.put("documents/e.pdf", "")
    desk.put("documents/f.pdf", "")

    look(desk)

    found = dict(desk.store.connection.rows("SELECT name, digest FROM seen"))
    assert found["a.pdf"] == found["b.pdf"] != found["c.pdf"]
    assert {found[name] for name in ("d.pdf", "e.pdf", "f.pdf")} == {None}


def test_a_document_that_changed_is_read_again(desk: Desk) -> None:
    for name in ("a", "b"):
        desk.put(f"documents/{name}.pdf", "same", modified=100)
    look(desk)
    desk.put("documents/b.pdf", "emas", modified=200)

    look(desk)

    assert len(set(seen(desk, "digest"))) == 2


def test_a_large_file_is_read_in_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_WHOLE", 1000)
    monkeypatch.setattr(looking, "_SAMPLE", 100)
    for name, end in (("a", b"x"), ("b", b"x"), ("c", b"y")):
        (tmp_path / name).write_bytes(b"0" * 5000 + end)
    folder = os.open(tmp_path, os.O_RDONLY)

    found = [digest(folder, name) for name in ("a", "b", "c")]
    os.close(folder)

    assert found[0] == found[1] != found[2]


def test_what_is_no_plain_file_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    folder = os.open(tmp_path, os.O_RDONLY)

    for name in ("pipe", "link"):
        with pytest.raises(OSError, match=name):
            digest(folder, name)
    os.close(folder)


@pytest.mark.parametrize(
    ("one", "other", "is_alike"),
    [
        ("Invoice 2024", "invoice_2024", True),
        ("Invoice 2024 (1)", "Invoice 2024", True),
        ("Invoice - Copy", "invoice", True),
        ("Invoice - Copy (2)", "invoice", True),
        ("Rechnung Kopie", "rechnung", True),
        ("Gro\u0308sse", "gr\u00f6sse", True),
        ("invoice 1", "invoice 2", False),
        ("copyright", "right", False),
        ("photocopy", "photo", False),
    ],
)
def test_names_are_alike_if_they_say_the_same(one: str, other: str, *, is_alike: bool) -> None:
    assert (alike(one) == alike(other)) == is_alike


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("documents/Scan.PDF", "scan"),
        ("documents/scan.pdf.zip", "scan.pdf"),
        ("ocr/scan.txt", "scan"),
        ("ocr/Scan.pdf.txt", "scan"),
        ("ocr/report.v2.txt", "report.v2"),
        ("extractions/scan.jpg.json", "scan"),
        ("documents/none", "none"),
    ],
)
def test_a_document_and_what_is_made_of_it_have_one_stem(desk: Desk, path: str, stem: str) -> None:
    desk.put(path)

    look(desk)

    assert seen(desk, "stem") == [stem]


def test_a_project_is_known_by_its_title(desk: Desk) -> None:
    desk.put("projects/a.md", '---\ncard: "c1"\ntitle: "Tax 2026"\n---\nx')
    desk.put("projects/b.md", "no front matter")

    look(desk)

    assert seen(desk, "alike") == ["tax2026", "b.md"]
