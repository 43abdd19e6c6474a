"""Groups whose files are gone: named as long as copies exist, and made again from these."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.errors import StoreDamaged
from tacit.paths import PROVING_GROUP
from tacit.store.sqlite import engine
from tacit.transcript import ledgers as ledgers_room
from tacit.transcript import lock, recovery
from tacit.transcript.ledgers import Ledgers
from unit.transcript.events import (
    NOON,
    backed_up,
    events,
    ids,
    lose_lines,
    ruin,
    standing,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.transcript.files import Files


@pytest.fixture
def ledgers(files: Files) -> Iterator[Ledgers]:
    """Return the ledgers of its home, which recover what is damaged."""
    opened = Ledgers(files.home, now_ns=lambda: NOON, auto=True, keep=2)
    yield opened
    opened.close()


def test_a_group_is_lost_whose_files_are_gone_while_copies_of_it_exist(files: Files) -> None:
    found = [recovery.lost_groups(files.home)]
    written(files, 2)
    found.append(recovery.lost_groups(files.home))
    shutil.rmtree(files.directory)
    found.append(recovery.lost_groups(files.home))
    shutil.rmtree(files.done)
    found.append(recovery.lost_groups(files.home))

    assert found == [[], [], ["main"], []]


def test_without_a_mark_what_the_copies_lack_is_counted_all_the_same(files: Files) -> None:
    written(files, 2)
    backed_up(files)
    written(files, 3, first=3)
    lose_lines(files, 4)
    shutil.rmtree(files.directory)
    files.prepare()

    recovered = recovery.recover(files, engine.look(files.home), now_ns=NOON)

    assert (standing(files), recovered.lost) == (["evt-1", "evt-2", "evt-3", "evt-5"], 1)


def test_where_a_backup_was_nothing_is_begun_anew_without_it(files: Files) -> None:
    written(files, 2)
    ruin(backed_up(files))
    shutil.rmtree(files.done)
    shutil.rmtree(files.directory)
    files.prepare()

    with pytest.raises(StoreDamaged, match="tacit restore FILE"):
        recovery.recover(files, engine.look(files.home), now_ns=NOON)

    assert not files.database.exists()


def test_a_group_whose_directory_is_deleted_is_named_and_made_again(
    ledgers: Ledgers, files: Files
) -> None:
    ledgers.get("main").append(events(2), now_ns=NOON)
    shutil.rmtree(files.directory)
    named = ledgers.names(), ledgers.has("main")

    ledgers.let_gone_go()

    assert (named, ids(ledgers.get("main"))) == ((["main"], True), ["evt-1", "evt-2"])


def test_nothing_is_checked_while_another_takes_events_in(
    ledgers: Ledgers, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledgers_room, "_PATIENCE", 0.0)
    ledgers.get("main").append(events(2), now_ns=NOON)
    files.database.unlink()

    with lock.held(files.home, seconds=0):
        ledgers.check("main")
    before = files.database.exists()
    ledgers.check("main")

    assert (before, ids(ledgers.get("main"))) == (False, ["evt-1", "evt-2"])


def test_a_workspace_that_was_given_up_is_no_group_of_the_home(
    files: Files, tmp_path: Path
) -> None:
    place = tmp_path / "papers"
    (place / ".os" / "memory").mkdir(parents=True)
    workspaces = {"papers": str(place)}
    opened = Ledgers(
        files.home, now_ns=lambda: NOON, auto=True, keep=2, workspaces=lambda: workspaces
    )
    opened.get("papers").append(events(2), now_ns=NOON)
    opened.get("papers").back_up(now_ns=NOON)

    workspaces.clear()
    opened.let_gone_go()

    assert (opened.names(), opened.has("papers")) == ([], False)


def test_what_a_killed_proof_left_is_no_lost_group(files: Files) -> None:
    written(files, 2)
    shutil.copytree(files.done, files.done.with_name(f"{PROVING_GROUP}-1"))

    assert recovery.lost_groups(files.home) == []
