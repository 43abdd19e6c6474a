"""What status and doctor say of a group whose files are damaged or gone."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tacit import checks
from tacit.transcript import recovery
from unit.transcript.events import NOON, backed_up

if TYPE_CHECKING:
    from tacit.checks import Check
    from tacit.transcript.files import Files
    from tacit.transcript.ledgers import Ledgers


def look(ledgers: Ledgers, files: Files, root: int) -> Check:
    found = checks.checks(files.home, root, ledgers, [], NOON)
    return next(each for each in found if each.name == "group main")


def test_damage_that_was_noted_is_told_with_its_fix(
    ledgers: Ledgers, files: Files, root: int
) -> None:
    backed_up(files)
    recovery.note_damage(files, "Event 1 is not what was written.")

    found = look(ledgers, files, root)

    assert (found.is_fine, found.text) == (False, "Event 1 is not what was written.")
    assert found.fix == "tacit restore --group main"


def test_a_group_whose_directory_is_gone_is_told_with_its_backups(
    ledgers: Ledgers, files: Files, root: int
) -> None:
    backed_up(files)
    backed_up(files)
    shutil.rmtree(files.directory)

    found = look(ledgers, files, root)

    assert (found.is_fine, found.fix) == (False, "tacit restore --group main")
    assert "2 backups exist, the newest from 2026-09-21 14:13 UTC" in found.text


def test_a_group_that_is_gone_without_a_backup_is_told_with_its_segments(
    ledgers: Ledgers, files: Files, root: int
) -> None:
    shutil.rmtree(files.directory)

    found = look(ledgers, files, root)

    assert (found.is_fine, found.fix) == (False, "tacit restore --group main")
    assert f"there is no backup of it, but its segments are in {files.done}" in found.text


def test_briefs_that_the_hook_refuses_are_told_with_what_makes_them_again() -> None:
    fine = checks.brief_check("main", [])
    found = checks.brief_check("main", ["prj-shop.md", "prj-shop.md.agents"])

    assert (fine.is_fine, found.is_fine) == (True, False)
    assert found.text.startswith("2 prepared files were deleted or changed from outside")
    assert (found.fix or "").startswith("tacit list --group main")
