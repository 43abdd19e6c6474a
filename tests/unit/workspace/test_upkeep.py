"""Upkeep: folders made, questions asked and taken back, and nothing else changed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.memories import fact, put, said
from tacit.curate.attention import Attention
from tacit.settings import Settings
from tacit.workspace import looking, rules, upkeep
from tacit.workspace.upkeep import Upkeep
from unit.transcript.events import NOON
from unit.workspace.desk import Desk, shot

if TYPE_CHECKING:
    from tacit.model.memory import Evidence

HOUR = 3600 * 10**9
SOON, LATE = NOON + HOUR, NOON + 30 * HOUR
ORPHANED = (
    "`documents/scan.pdf` has neither OCR text nor an extraction, and nobody has named it for "
    "24 hours: is it still to be read?"
)
STALE = "`documents/x/scan.pdf` is newer than its OCR text `ocr/scan.txt`: read it again."
SAME = (
    "`documents/a.pdf`, `documents/c (1).pdf`, `documents/c.pdf` and 1 more hold the same: "
    "which one counts?"
)
ALIKE = (
    "`documents/Tax (1).pdf`, `documents/tax.pdf` and `documents/deep/tax.pdf` have names that say "
    "the same: are they one document?"
)
CORRECTED = "10 corrections of extractions about `gross`: should the extraction rule change?"
CONFLICT = (
    "`projects/plan.md` was changed by hand and by its card, whose text lies in "
    "`projects/plan.md.conflict`: put them together, then remove that one."
)


def tend(desk: Desk, now_ns: int = SOON, **chosen: int) -> list[str]:
    """Look after everything once; return what is asked."""
    settings = Settings(values={f"upkeep.{name}": value for name, value in chosen.items()})
    desk.follow()
    made = Upkeep(desk.place, desk.store, desk.ledger.store, desk.memory, settings)
    for _ in made.steps(desk.raiser(now_ns), now_ns):
        pass
    return sorted(desk.asked())


def correction(
    desk: Desk, number: int, file: str = "extractions/x.json", **fields: Any
) -> Evidence:
    """Let something be corrected in a turn in which a tool touched a file."""
    turn = f"turn-{number}"
    desk.say("tool_use", "Read", tool_input={"file_path": f"{desk.place}/{file}"}, turn=turn)
    usual = {"kind": "correction", "session": "s-1", "tags": ("gross", "total")}
    row = said(f"evi-{number}", turn=turn, at=NOON + number * 24 * HOUR, **usual | fields)
    if desk.memory.memories.get("mem-1") is None:
        put(desk.memory, fact("mem-1"))
    desk.memory.evidence.add(row, "mem-1")
    return row


def test_missing_folders_are_made_silently(desk: Desk) -> None:
    for name in ("documents", "projects"):
        shutil.rmtree(desk.place / name)

    asked = tend(desk)

    made = [(desk.place / name).is_dir() for name in ("documents", "projects")]
    assert (asked, made) == ([], [True, True])


def test_nothing_that_lies_there_is_ever_changed(desk: Desk) -> None:
    for path in ("documents/a.pdf", "documents/a (1).pdf", "ocr/a.txt", "projects/x.md"):
        desk.put(path, modified=100)
    before = shot(desk.place)

    tend(desk)
    tend(desk, LATE)

    assert shot(desk.place) == before


def test_a_document_that_nobody_reads_is_asked_about_after_a_day(desk: Desk) -> None:
    desk.put("documents/scan.pdf")

    asked = [tend(desk, SOON), tend(desk, SOON + 23 * HOUR), tend(desk, SOON + 24 * HOUR)]

    assert asked == [[], [], [ORPHANED]]


@pytest.mark.parametrize(
    "made", ["ocr/scan.txt", "ocr/deep/SCAN.md", "ocr/scan.pdf.txt", "extractions/scan.json"]
)
def test_text_or_an_extraction_of_its_name_is_enough(desk: Desk, made: str) -> None:
    desk.put("documents/scan.pdf", modified=100)
    tend(desk, SOON)
    asked = tend(desk, LATE)

    desk.put(made)

    assert (asked, tend(desk, LATE)) == ([ORPHANED], [])


def test_whoever_names_a_document_puts_the_question_off_for_a_day(desk: Desk) -> None:
    desk.put("documents/scan.pdf")
    tend(desk, NOON - 30 * HOUR)

    desk.say("prompt", prompt="what is in scan.pdf?")

    assert (tend(desk, SOON), tend(desk, LATE)) == ([], [ORPHANED])


def test_how_long_is_the_user_s_to_choose(desk: Desk) -> None:
    desk.put("documents/scan.pdf")

    assert len(tend(desk, SOON, orphaned_hours=0)) == 1


def test_it_is_over_when_the_document_is_gone(desk: Desk) -> None:
    file = desk.put("documents/scan.pdf")
    tend(desk, SOON)
    tend(desk, LATE)

    file.unlink()

    assert tend(desk, LATE) == []


def test_very_many_of_them_are_not_as_many_questions(desk: Desk) -> None:
    for number in range(60):
        desk.put(f"documents/{number}.pdf", "x" * (number + 1))

    asked = tend(desk, SOON, orphaned_hours=0)

    assert len(asked) == 11
    assert "The same goes for 50 more documents (orphaned)." in asked


def test_a_document_that_is_newer_than_its_text_is_asked_about(desk: Desk) -> None:
    desk.put("documents/x/scan.pdf", modified=200)
    desk.put("ocr/scan.txt", modified=100)

    assert tend(desk) == [STALE]


def test_one_newer_text_is_enough(desk: Desk) -> None:
    desk.put("documents/scan.pdf", modified=200)
    desk.put("ocr/old/scan.txt", modified=100)
    desk.put("ocr/scan.txt", modified=300)

    assert tend(desk) == []


def test_a_text_in_a_folder_of_the_same_name_comes_first(desk: Desk) -> None:
    for number, written in ((1, 300), (2, 100)):
        desk.put(f"documents/{number}/scan.pdf", f"scan {number}", modified=200)
        desk.put(f"ocr/{number}/scan.txt", modified=written)

    assert tend(desk) == [
        (
            "`documents/1/scan.pdf` and `documents/2/scan.pdf` have names that say the same: "
            "are they one document?"
        ),
        "`documents/2/scan.pdf` is newer than its OCR text `ocr/2/scan.txt`: read it again.",
    ]


def test_it_is_over_when_the_text_is_made_again(desk: Desk) -> None:
    desk.put("documents/x/scan.pdf", modified=200)
    desk.put("ocr/scan.txt", modified=100)
    asked = tend(desk)

    desk.put("ocr/scan.txt", modified=300)

    assert (asked, tend(desk)) == ([STALE], [])


def test_documents_that_hold_the_same_are_asked_about_once(desk: Desk) -> None:
    for path in ("a.pdf", "deep/b.pdf", "c (1).pdf", "c.pdf"):
        desk.put(f"documents/{path}", "same words")
        desk.put(f"ocr/{path}.txt")

    assert tend(desk) == [SAME]


def test_documents_of_like_names_are_asked_about_wherever_they_lie(desk: Desk) -> None:
    for path in ("Tax (1).pdf", "tax.pdf", "tax.txt", "deep/tax.pdf"):
        desk.put(f"documents/{path}", f"words of {path}")

    assert tend(desk) == [ALIKE]


def test_it_is_over_when_one_of_two_is_gone(desk: Desk) -> None:
    one = desk.put("documents/a.pdf", "same")
    desk.put("documents/b.pdf", "same")
    asked = tend(desk)

    one.unlink()

    assert (len(asked), tend(desk)) == (1, [])


def test_projects_of_one_title_are_asked_about(desk: Desk) -> None:
    for name, title in (("a", "Tax 2026"), ("b", "TAX-2026"), ("c", "Tax 2025")):
        desk.put(f"projects/{name}.md", f'---\ncard: "{name}"\ntitle: "{title}"\n---\n')

    assert tend(desk) == [
        "`projects/a.md` and `projects/b.md` are called the same: are they one project?"
    ]


def test_projects_of_one_name_in_two_folders_are_asked_about(desk: Desk) -> None:
    for path in ("plan.md", "old/plan.md", "archive/plan.md"):
        desk.put(f"projects/{path}", f"words of {path}")

    assert tend(desk) == [
        "`projects/plan.md` and `projects/old/plan.md` are called the same: are they one project?"
    ]


def test_documents_too_large_to_be_read_whole_only_seem_to_hold_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_WHOLE", 1000)
    monkeypatch.setattr(looking, "_SAMPLE", 10)
    for name in ("a", "b"):
        desk.put(f"documents/{name}.pdf", f"{'0' * 2000}{name}{'0' * 2000}")
        desk.put(f"ocr/{name}.txt")

    assert tend(desk) == [
        (
            "`documents/a.pdf` and `documents/b.pdf` seem to hold the same, too large to be read "
            "whole: which one counts?"
        )
    ]


def test_ten_corrections_of_extractions_ask_about_their_rule_once(desk: Desk) -> None:
    for number in range(9):
        correction(desk, number)
    before = tend(desk)

    correction(desk, 9)

    assert (before, tend(desk)) == ([], [CORRECTED])


def test_corrections_of_anything_else_do_not_count(desk: Desk) -> None:
    for number in range(12):
        correction(desk, number, file="src/code.py")

    assert tend(desk) == []


def test_how_many_corrections_is_the_user_s_to_choose(desk: Desk) -> None:
    for number in range(3):
        correction(desk, number)

    assert len(tend(desk, corrections=3)) == 1


def test_it_is_over_when_corrections_are_taken_back(desk: Desk) -> None:
    rows = [correction(desk, number) for number in range(10)]
    asked = tend(desk)

    desk.memory.evidence.remove(rows[0].id)

    assert (asked, tend(desk)) == ([CORRECTED], [])


def test_what_the_memory_has_asked_already_is_not_asked_again(desk: Desk) -> None:
    rows = [correction(desk, number, tags=("gross",)) for number in range(10)]

    Attention(desk.memory).corrected(rows[-1:])

    assert tend(desk) == ["10 corrections about gross in 30 days: should a rule change?"]


def test_a_conflict_is_asked_about_while_it_lasts(desk: Desk) -> None:
    desk.card("create", title="Plan", blocks="one")
    desk.settle()
    desk.page("plan.md").write_text("mine", encoding="utf-8")
    desk.card("update", blocks="two")
    desk.settle()

    upkeep.conflicts(desk.raiser(), desk.mirror.conflicts())
    asked = desk.asked()
    desk.page("plan.md.conflict").unlink()
    upkeep.conflicts(desk.raiser(), desk.mirror.conflicts())

    assert (asked, desk.asked()) == ([CONFLICT], [])


def test_more_files_than_are_looked_at_are_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        desk.put(f"documents/{number}.pdf", "x" * (number + 1))
    monkeypatch.setattr(looking, "CROWDED", replace(rules.CROWDED, threshold=5))

    assert tend(desk) == [
        "The workspace holds more than 200000 files: the others are not looked after."
    ]
