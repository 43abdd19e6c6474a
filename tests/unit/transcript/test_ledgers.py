"""The ledgers of a home: opened once, mended and changed only under the home's lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound, StoreBusy, StoreDamaged, WorkspaceGone
from tacit.transcript import ledgers as ledgers_room
from tacit.transcript import lock
from tacit.transcript.ledgers import Ledgers
from unit.pages import pages
from unit.transcript.events import (
    NOON,
    backed_up,
    copied,
    descriptors,
    event,
    events,
    ids,
    put_back,
    ruin,
    tamper,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.transcript.files import Files


@pytest.fixture
def ledgers(files: Files) -> Iterator[Ledgers]:
    """Return the ledgers of its home."""
    opened = Ledgers(files.home, now_ns=lambda: NOON, auto=True, keep=2)
    yield opened
    opened.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for a lock that is not free."""
    monkeypatch.setattr(ledgers_room, "_PATIENCE", 0.0)


def test_a_group_is_opened_once(ledgers: Ledgers) -> None:
    first = ledgers.get("main")

    assert ledgers.get("main") is first
    assert ledgers.held("main") is first


def test_whoever_holds_the_lock_opens_a_group_without_asking_for_it(ledgers: Ledgers) -> None:
    with lock.held(ledgers.files("main").home, seconds=0):
        ledger = ledgers.held("main")

    assert ids(ledger) == []


def test_groups_know_nothing_of_each_other(ledgers: Ledgers) -> None:
    ledgers.get("work").append(events(2), now_ns=NOON)

    ledgers.get("play").append([event(3)], now_ns=NOON)

    assert [ids(ledgers.get(name)) for name in ("work", "play")] == [["evt-1", "evt-2"], ["evt-3"]]


def test_the_groups_with_a_transcript_are_named(ledgers: Ledgers) -> None:
    for name in ("work", "play"):
        ledgers.get(name)

    assert ledgers.names() == ["play", "work"]
    asked = ("play", "work", "main", "..", "")
    assert [name for name in asked if ledgers.has(name)] == ["play", "work"]


@pytest.mark.parametrize("name", ["", "../up", "a b"])
def test_a_group_without_a_proper_name_is_not_opened(name: str, ledgers: Ledgers) -> None:
    with pytest.raises(NotFound, match="no name of a group"):
        ledgers.get(name)


def test_the_engine_is_that_of_the_home(ledgers: Ledgers) -> None:
    assert ledgers.engine == ledgers.get("main").engine


def test_as_many_backups_are_kept_as_was_chosen(ledgers: Ledgers) -> None:
    ledger = ledgers.get("main")

    for number in range(4):
        ledger.back_up(now_ns=NOON + number)

    assert len(list(ledger.files.backups.iterdir())) == 2


def test_a_damaged_group_is_mended_by_who_gets_it(ledgers: Ledgers, files: Files) -> None:
    written(files, 2)
    ruin(files.database)

    assert ids(ledgers.get("main")) == ["evt-1", "evt-2"]


@pytest.mark.usefixtures("impatient")
def test_a_damaged_group_is_left_to_the_one_who_holds_the_lock(
    ledgers: Ledgers, files: Files
) -> None:
    written(files, 2)
    ruin(files.database)
    before = files.database.read_bytes()

    with lock.held(files.home, seconds=0), pytest.raises(StoreDamaged):
        ledgers.get("main")

    assert files.database.read_bytes() == before


@pytest.mark.usefixtures("impatient")
def test_a_group_can_be_read_while_another_takes_events_in(ledgers: Ledgers, files: Files) -> None:
    written(files, 2)

    with lock.held(files.home, seconds=0):
        assert ids(ledgers.get("main")) == ["evt-1", "evt-2"]


@pytest.mark.usefixtures("impatient")
def test_a_group_first_read_while_the_lock_was_taken_is_mended_later(
    ledgers: Ledgers, files: Files
) -> None:
    written(files, 2)
    with lock.held(files.home, seconds=0):
        ledgers.get("main")
    files.database.unlink()

    ledgers.held("main").append([event(3)], now_ns=NOON)

    assert ids(ledgers.get("main")) == ["evt-1", "evt-2", "evt-3"]


def test_a_group_that_is_not_to_be_mended_is_not(files: Files) -> None:
    written(files, 2)
    ruin(files.database)
    ledgers = Ledgers(files.home, now_ns=lambda: NOON, auto=False, keep=7)

    for opening in (ledgers.get, ledgers.held):
        with pytest.raises(StoreDamaged):
            opening("main")


def test_who_changes_a_group_holds_the_lock_meanwhile(ledgers: Ledgers, files: Files) -> None:
    written(files, 1)

    with ledgers.locked("main") as ledger, lock.held(files.home, seconds=0) as is_free:
        ledger.append([event(2)], now_ns=NOON)

    with lock.held(files.home, seconds=0) as is_free_again:
        pass
    assert (is_free, is_free_again) == (False, True)


@pytest.mark.usefixtures("impatient")
def test_a_group_is_not_changed_while_another_takes_events_in(
    ledgers: Ledgers, files: Files
) -> None:
    with (
        lock.held(files.home, seconds=0),
        pytest.raises(StoreBusy, match="Try again"),
        ledgers.locked("main"),
    ):
        pass

    assert not files.database.exists()


def test_a_group_that_is_not_there_is_not_made_by_who_wants_to_change_it(
    ledgers: Ledgers,
) -> None:
    with pytest.raises(NotFound, match="There is no group other"), ledgers.locked("other"):
        pass

    assert ledgers.names() == []


def test_a_group_found_damaged_while_it_was_read_is_made_again(
    ledgers: Ledgers, files: Files
) -> None:
    written(files, 2)
    ledgers.get("main")
    tamper(files.database, "UPDATE payloads SET body = zeroblob(3) WHERE seq = 2")

    mended = ledgers.mended("main")

    assert (mended.verify().findings, ids(mended)) == ([], ["evt-1", "evt-2"])


def test_a_group_found_damaged_stays_so_where_mending_is_off(files: Files) -> None:
    written(files, 2)
    ledgers = Ledgers(files.home, now_ns=lambda: NOON, auto=False, keep=7)
    before = files.database.read_bytes()

    with pytest.raises(StoreDamaged, match="Run `tacit restore --group main`"):
        ledgers.mended("main")

    assert files.database.read_bytes() == before


@pytest.mark.usefixtures("impatient")
def test_a_group_that_was_short_while_the_lock_was_taken_is_filled_in_later(
    ledgers: Ledgers, files: Files
) -> None:
    written(files, 1)
    copy = copied(files)
    written(files, 2, first=2)
    put_back(files, copy)
    with lock.held(files.home, seconds=0):
        before = ids(ledgers.get("main"))

    after = ids(ledgers.held("main"))

    assert (before, after) == (["evt-1"], ["evt-1", "evt-2", "evt-3"])


def test_a_group_without_a_backup_is_restored_from_what_was_taken_in(
    ledgers: Ledgers, files: Files
) -> None:
    written(files, 2)
    ruin(files.database)

    recovered = ledgers.restore("main", None, exact=False)

    assert (recovered.replayed, ids(ledgers.get("main"))) == (2, ["evt-1", "evt-2"])


def test_a_restored_group_has_what_its_backup_and_its_segments_have(
    ledgers: Ledgers, files: Files
) -> None:
    ledgers.get("main").append(events(2), now_ns=NOON)
    backup = ledgers.get("main").back_up(now_ns=NOON)
    ledgers.get("main").append([event(3)], now_ns=NOON)

    recovered = ledgers.restore("main", backup.path, exact=False)

    assert (ids(ledgers.get("main")), recovered.replayed) == (["evt-1", "evt-2", "evt-3"], 1)
    assert len(list(files.quarantine.iterdir())) == 1


def test_an_exactly_restored_group_has_only_what_its_backup_has(ledgers: Ledgers) -> None:
    ledgers.get("main").append(events(2), now_ns=NOON)
    backup = ledgers.get("main").back_up(now_ns=NOON)
    ledgers.get("main").append([event(3)], now_ns=NOON)

    ledgers.restore("main", backup.path, exact=True)

    assert ids(ledgers.get("main")) == ["evt-1", "evt-2"]


def test_a_group_is_restored_into_a_home_that_never_knew_it(ledgers: Ledgers, files: Files) -> None:
    written(files, 2)

    recovered = ledgers.restore("other", backed_up(files), exact=False)

    assert (ids(ledgers.get("other")), recovered.quarantine) == (["evt-1", "evt-2"], None)


def test_a_backup_that_does_not_verify_is_not_restored(ledgers: Ledgers, files: Files) -> None:
    written(files, 2)
    backup = backed_up(files)
    tamper(backup, "UPDATE payloads SET body = zeroblob(3) WHERE seq = 2")
    before = files.database.read_bytes()

    with pytest.raises(StoreDamaged, match=r"does not verify: Event 2 .* Choose another"):
        ledgers.restore("main", backup, exact=False)

    assert files.database.read_bytes() == before


@pytest.mark.usefixtures("impatient")
def test_nothing_is_restored_while_another_takes_events_in(ledgers: Ledgers, files: Files) -> None:
    written(files, 2)
    backup = backed_up(files)
    before = files.database.read_bytes()

    with lock.held(files.home, seconds=0), pytest.raises(StoreBusy, match="Try again"):
        ledgers.restore("main", backup, exact=False)

    assert files.database.read_bytes() == before


def test_closed_ledgers_keep_no_descriptor_open(ledgers: Ledgers) -> None:
    before = descriptors()
    for name in ("work", "play"):
        ledgers.get(name)

    ledgers.close()

    assert descriptors() == before


def test_closed_ledgers_are_opened_anew(ledgers: Ledgers) -> None:
    before = ledgers.get("main")

    ledgers.close()

    assert ledgers.get("main") is not before


def test_at_rest_open_ones_let_their_pages_go_and_stay_open(ledgers: Ledgers, files: Files) -> None:
    ledger = ledgers.get("main")
    ledger.append([event(number, body=b"x" * 4000) for number in range(1, 101)], now_ns=NOON)
    before = pages(files.database)

    ledgers.rest()

    assert pages(files.database) < before / 10
    assert ledgers.get("main") is ledger


def test_a_workspace_is_a_group_like_others_as_long_as_it_is_there(
    files: Files, tmp_path: Path
) -> None:
    written(files, 1)
    place = tmp_path / "papers"
    (place / ".os" / "memory").mkdir(parents=True)
    opened = Ledgers(
        files.home,
        now_ns=lambda: NOON,
        auto=True,
        keep=2,
        workspaces=lambda: {"papers": str(place)},
    )
    opened.get("papers").append(events(2), now_ns=NOON)
    found = [opened.names(), ids(opened.get("papers"))]

    place.rename(tmp_path / "aside")
    opened.let_gone_go()

    assert found == [["main", "papers"], ["evt-1", "evt-2"]]
    assert opened.names() == ["main"]
    with pytest.raises(WorkspaceGone):
        opened.get("papers")
    opened.close()


def test_a_workspace_comes_before_a_group_of_its_name_in_the_home(
    files: Files, tmp_path: Path
) -> None:
    written(files, 1)
    place = tmp_path / "elsewhere"
    (place / ".os" / "memory").mkdir(parents=True)
    workspaces: dict[str, str] = {"main": str(place)}

    opened = Ledgers(
        files.home, now_ns=lambda: NOON, auto=True, keep=2, workspaces=lambda: workspaces
    )
    found = [opened.names()]
    workspaces.clear()
    found.append(opened.names())

    assert found == [[], ["main"]]


def test_a_group_that_was_let_go_is_opened_again(ledgers: Ledgers) -> None:
    first = ledgers.get("main")

    ledgers.let_go("main")
    ledgers.let_go("never opened")

    assert ledgers.get("main") is not first
