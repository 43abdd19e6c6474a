"""Preparing: the files that the hook prints, made again only where something has changed."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state
from tacit.capture.brief import aged
from tacit.curate.attention import Attention
from tacit.deliver.prepare import Limits
from tacit.model.memory import DAY_NS
from tacit.transcript import projects
from tacit.transcript.projects import Change
from unit.curate.saying import NOON, PLACE
from unit.deliver.preparing import KEY, SHOP, TILL, Bench

if TYPE_CHECKING:
    from collections.abc import Callable


GOLDEN = (
    b"brief-%s\n<memory-%s>\\n## Memory Context\\n\\nThe following memories were loaded from"
    b' prior sessions.\\n\\n### Known Facts\\n\\n- [fact] It says \\"tea\\" \xe8\x8c\xb6'
    b" (\x01%d\x01)\\n</memory-%s>"
)


@pytest.fixture
def two(bench: Bench) -> Bench:
    """Return what prepares where two projects are known, each with something to say."""
    bench.visit(PLACE, TILL)
    bench.know("mem-shop", "The shop uses tabs")
    bench.know("mem-till", "The till sells tea", project=TILL.project)
    assert bench() == 0
    return bench


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Return of each file what changes when it is written."""
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in folder.iterdir()}


def changed(folder: Path, before: dict[str, tuple[int, int]]) -> set[str]:
    after = stamps(folder)
    return {name for name in after if after[name] != before.get(name)}


def said(folder: Path, name: str = "prj-shop.md") -> bytes:
    """Return what a file says behind the stamp of the home."""
    text = (folder / name).read_bytes().partition(b"\n")[2]
    path = f"groups/main/briefs/{name}"
    assert (folder / name).read_bytes() == state.stamped(KEY, path, text)
    return text


def test_a_prepared_file_is_these_bytes(bench: Bench, folder: Path) -> None:
    bench.visit(PLACE)
    bench.know("mem-1", 'It says "tea" 茶.', created_at=NOON - 3 * DAY_NS)

    bench()

    found = said(folder)
    fence = found[6:22]
    assert found == GOLDEN % (fence, fence, NOON // 10**9 - 3 * 86_400, fence)
    assert b"(8d ago)" in aged(found, NOON / 1e9 + 5 * 86_400)


def test_a_third_line_says_that_the_last_session_there_did_not_land(
    two: Bench, folder: Path
) -> None:
    last = two.desk.transcript.last_of([SHOP])
    session = last.session if last else ""
    told = []

    for each in ("an-old-one", session):
        Attention(two.desk.store).unlanded(each, "turn-1", NOON)
        two()
        told.append(said(folder).split(b"\n")[2:])
    Attention(two.desk.store).landed(session, "turn-1")
    two()

    assert told == [[], [b"unlanded"]]
    assert said(folder).count(b"\n") == 1


def test_there_is_one_for_each_project_one_for_agents_and_one_for_everywhere(
    two: Bench, folder: Path
) -> None:
    assert {file.name for file in folder.iterdir()} == {
        f"{name}.md{suffix}"
        for name in ("prj-shop", "prj-till", "everywhere")
        for suffix in ("", ".agents")
    }
    assert two.listed() == {
        "/srv/shop": "prj-shop.md",
        "/srv/till": "prj-till.md",
        "*": "everywhere.md",
    }


def test_a_project_hears_nothing_of_another(two: Bench, folder: Path) -> None:
    del two
    shop, till, all_ = (
        said(folder, f"{name}.md") for name in ("prj-shop", "prj-till", "everywhere")
    )

    assert (b"tabs" in shop, b"tea" in shop) == (True, False)
    assert (b"tabs" in till, b"tea" in till) == (False, True)
    assert all_ == b"\n"


def test_nobody_but_the_owner_can_read_them(two: Bench, folder: Path) -> None:
    del two

    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_where_nothing_is_known_nothing_is_made(bench: Bench, folder: Path) -> None:
    bench.visit(PLACE)

    assert (bench(), folder.exists()) == (0, False)


def test_nothing_is_written_again_for_nothing(two: Bench, folder: Path) -> None:
    before = stamps(folder)

    assert (two(), changed(folder, before)) == (0, set())


def test_only_the_project_that_has_changed_is_written_again(two: Bench, folder: Path) -> None:
    before = stamps(folder)

    two.know("mem-2", "The shop is open on Sundays")
    two()

    assert changed(folder, before) == {"prj-shop.md", "prj-shop.md.agents"}


def test_what_changes_nothing_that_is_told_writes_nothing(two: Bench, folder: Path) -> None:
    before = stamps(folder)

    two.know("mem-2", "The shop was green", state="superseded")
    two()

    assert changed(folder, before) == set()


def test_what_holds_everywhere_renews_every_project(two: Bench, folder: Path) -> None:
    before = stamps(folder)

    two.know("mem-2", "Speaks French", project=None)
    two()

    assert changed(folder, before) == before.keys()


def test_another_limit_renews_what_it_changes(two: Bench, folder: Path) -> None:
    two.know("mem-2", "The shop is open on Sundays")
    two()
    before = stamps(folder)

    two.limits = Limits(entries=1)
    two()

    assert "prj-shop.md" in changed(folder, before)
    assert b"1 more: search" in (folder / "prj-shop.md").read_bytes()


def test_what_is_held_back_is_left_out_and_written_down(two: Bench, folder: Path) -> None:
    two.limits = Limits(holdout=100)
    two.know("mem-2", "The shop is open on Sundays", pinned=True)
    two()

    text = said(folder)
    told = two.desk.store.told.get(text.partition(b"\n")[0].decode())
    assert (b"Sundays" in text, b"tabs" in text) == (True, False)
    assert told is not None
    assert told.held == ("mem-shop",)


def test_what_is_prepared_is_written_down_before_anybody_can_hear_it(
    two: Bench, folder: Path
) -> None:
    for name, surface in (("prj-shop.md", "brief"), ("prj-shop.md.agents", "agent")):
        written = said(folder, name).partition(b"\n")[0].decode()
        told = two.desk.store.told.get(written)

        assert told is not None
        assert (told.surface, told.project) == (surface, SHOP)
        assert [memory for memory, _ in told.memories] == ["mem-shop"]
        assert two.preparer().ids() >= {written, ""}


def test_projects_that_are_joined_have_one_brief(two: Bench, folder: Path) -> None:
    change = Change(verb="join", key=TILL.project, value=SHOP, origin="owner")
    projects.apply(two.desk.transcript, change)

    two()

    text = (folder / "prj-shop.md").read_bytes()
    assert (b"tabs" in text, b"tea" in text) == (True, True)
    assert not (folder / "prj-till.md").exists()
    assert two.listed()["/srv/till"] == "prj-shop.md"


def test_what_a_killed_program_left_lying_goes(two: Bench, folder: Path) -> None:
    (folder / ".prj-shop.md.1.ab").write_text("old words", encoding="utf-8")
    (folder / "prj-gone.md").write_text("old words", encoding="utf-8")
    (folder / "directory").mkdir()

    two.know("mem-2", "The shop is open on Sundays")

    assert two() == 0
    assert not any(b"old words" in file.read_bytes() for file in folder.glob("[.p]*"))


def edited_secretly(file: Path) -> None:
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"tabs", b"TABS"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def relinked(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to("elsewhere")


SPOILING: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "edited": lambda file: file.write_bytes(file.read_bytes().replace(b"tabs", b"TABS")),
    "edited, as old as before": edited_secretly,
    "emptied": lambda file: file.write_bytes(b""),
    "opened to others": lambda file: file.chmod(0o644),
    "replaced by a copy of another": lambda file: shutil.copy(file.with_name("prj-till.md"), file),
    "replaced by a link": relinked,
}


@pytest.mark.parametrize("name", ["prj-shop.md", "prj-shop.md.agents", "everywhere.md"])
@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING.keys())
def test_a_file_that_no_longer_counts_is_made_again_and_no_other(
    spoil: Callable[[Path], object], name: str, two: Bench, folder: Path
) -> None:
    before, others = (folder / name).read_bytes(), stamps(folder)
    spoil(folder / name)
    assert name in two.preparer().refused() or name == "everywhere.md"

    assert two() == 0

    assert (folder / name).read_bytes() == before
    assert changed(folder, others) <= {name}
    assert two.preparer().refused() == []
    assert {file.name for file in folder.iterdir()} == others.keys()


def test_without_any_file_all_are_made_again(two: Bench, folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    shutil.rmtree(folder)
    assert len(two.preparer().refused()) == len(before)

    assert two() == 0

    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_without_time_nothing_is_made_and_the_rest_is_told(bench: Bench, folder: Path) -> None:
    bench.visit(PLACE, TILL)
    bench.know("mem-1", "Speaks French", project=None)

    assert bench(time.monotonic()) == 3
    assert list(folder.iterdir()) == []
    assert (bench(), len(list(folder.iterdir()))) == (0, 6)


def test_while_another_prepares_nobody_else_does(two: Bench, folder: Path) -> None:
    two.know("mem-2", "The shop is open on Sundays")
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)

    busy = two(time.monotonic() + 0.1)
    os.close(held)

    assert (busy, two()) == (1, 0)
    assert b"Sundays" in (folder / "prj-shop.md").read_bytes()


def test_who_has_time_waits_for_another_that_prepares(two: Bench, folder: Path) -> None:
    two.know("mem-2", "The shop is open on Sundays")
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    letting_go = threading.Timer(0.2, os.close, [held])

    letting_go.start()
    due = two(time.monotonic() + 60)
    letting_go.join()

    assert due == 0
    assert b"Sundays" in (folder / "prj-shop.md").read_bytes()


def test_no_link_leads_elsewhere(two: Bench, folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"untouched")
    (folder / "prj-shop.md").unlink()
    (folder / "prj-shop.md").symlink_to(victim)

    two.know("mem-2", "The shop is open on Sundays")
    two()

    assert victim.read_bytes() == b"untouched"
    assert not (folder / "prj-shop.md").is_symlink()


@pytest.mark.parametrize("name", ["briefs", "main", "groups"])
def test_a_directory_that_is_a_link_is_refused(
    name: str, bench: Bench, folder: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    trap = {"briefs": folder, "main": folder.parent, "groups": folder.parent.parent}[name]
    trap.parent.mkdir(parents=True, exist_ok=True)
    trap.symlink_to(victim)
    bench.know("mem-1", "The shop uses tabs")

    with pytest.raises((NotADirectoryError, state.Refused)):
        bench()

    assert list(victim.iterdir()) == []


def test_what_the_client_shows_anyway_is_not_prepared(
    bench: Bench, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("- the shop uses tabs\n", encoding="utf-8")
    bench.visit(PLACE)
    bench.desk.append("prompt", {"prompt": "Hi", "transcript_path": f"{tmp_path}/s.jsonl"})
    bench.know("mem-1", "The shop uses tabs")
    bench.know("mem-2", "The shop is open on Sundays")

    bench()

    text = (folder / "prj-shop.md").read_bytes()
    assert (b"tabs" in text, b"Sundays" in text) == (False, True)
