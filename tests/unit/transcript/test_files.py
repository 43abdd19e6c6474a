"""Where a group lies: names checked before a path is made of them, directories our own, sizes."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound, WorkspaceGone
from tacit.transcript import files
from tacit.transcript.files import Files, moment_of
from unit.transcript.events import descriptors, files_in, flushed

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc", "a b", "ä", "a\n", "x" * 65])
def test_a_group_whose_name_could_lead_elsewhere_is_refused(name: str, home: Home) -> None:
    with pytest.raises(NotFound, match="no name of a group"):
        Files(home.path, name)

    assert not home.path.exists()


@pytest.mark.parametrize("name", ["main", "A-1_b", "x" * 64])
def test_everything_of_a_group_lies_below_the_home_under_its_name(name: str, home: Home) -> None:
    group = Files(home.path, name)

    places = [group.database, group.quarantine, group.backups, group.done]

    assert [str(place.relative_to(home.path)) for place in places] == [
        f"groups/{name}/transcript.db",
        f"groups/{name}/quarantine",
        f"backups/{name}",
        f"spool/done/{name}",
    ]


def test_the_directories_of_a_group_are_for_their_owner_alone(home: Home) -> None:
    os.umask(0)

    files_in(home.path)

    places = [home.path, *(each for each in home.path.rglob("*") if each.is_dir())]
    assert {place.stat().st_mode & 0o777 for place in places} == {0o700}


def test_directories_that_are_there_already_are_taken_as_they_are(home: Home) -> None:
    group = files_in(home.path)
    (group.done / "kept").touch()

    group.prepare()

    assert (group.done / "kept").exists()


@pytest.mark.parametrize("linked", ["groups", "groups/main", "backups", "spool/done"])
def test_a_link_on_the_way_is_refused_and_nothing_is_made_behind_it(
    linked: str, home: Home
) -> None:
    (home.path / linked).parent.mkdir(parents=True, exist_ok=True)
    (home.path / linked).symlink_to(home.project)

    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        Files(home.path, "main").prepare()

    assert list(home.project.iterdir()) == []


def test_a_refused_directory_keeps_no_descriptor_open(home: Home) -> None:
    home.path.mkdir()
    (home.path / "groups").touch()
    before = os.dup(0)
    os.close(before)

    with pytest.raises(NotADirectoryError):
        files.make_directory(home.path, home.path / "groups" / "main")

    after = os.dup(0)
    os.close(after)
    assert after == before


def test_directories_and_files_that_were_made_keep_no_descriptor_open(home: Home) -> None:
    group = files_in(home.path)
    before = descriptors()

    group.prepare()
    files.replace(group.directory / "mark", b"new")

    assert descriptors() == before


def test_a_home_without_groups_has_none(home: Home) -> None:
    assert files.groups(home.path) == []


def test_groups_are_listed_in_order_if_there_is_or_was_a_transcript(home: Home) -> None:
    for name, file in (
        ("work", "transcript.db"),
        ("gone", "transcript.mark"),  # its database was lost, so somebody must look after it
        ("empty", "notes.txt"),
        ("no name!", "transcript.db"),
    ):
        (home.path / "groups" / name).mkdir(parents=True)
        (home.path / "groups" / name / file).touch()
    (home.path / "groups" / ".DS_Store").touch()

    found = files.groups(home.path)

    assert found == ["gone", "work"]


def test_a_replaced_file_has_the_new_content_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "mark"
    file.write_bytes(b"a longer text that was there before")

    files.replace(file, b"new")

    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"mark": b"new"}


def test_a_replaced_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    os.umask(0)

    files.replace(tmp_path / "mark", b"new")

    assert (tmp_path / "mark").stat().st_mode & 0o777 == 0o600


def test_a_replaced_file_is_flushed_to_disk_with_its_name(tmp_path: Path) -> None:
    with flushed() as found:
        files.replace(tmp_path / "mark", b"new")

    assert found == {tmp_path.stat().st_ino, (tmp_path / "mark").stat().st_ino}


def test_a_file_in_a_linked_directory_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        files.replace(tmp_path / "link" / "mark", b"new")

    assert list((tmp_path / "real").iterdir()) == []


def test_the_size_of_a_directory_is_that_of_all_files_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"x" * 10)
    (tmp_path / "deep" / "deeper" / "two").write_bytes(b"x" * 7)

    sizes = (files.size_of(tmp_path), files.size_of(tmp_path / "one"))

    assert sizes == (17, 10)


def test_the_size_of_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    assert files.size_of(tmp_path / "nothing") == 0


def test_a_link_is_counted_as_itself_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 100_000)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "large")

    assert files.size_of(tmp_path / "folder") < 5000


def test_a_size_is_had_while_events_come_and_go(tmp_path: Path) -> None:
    stop = threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            events = [tmp_path / f"{number}" for number in range(20)]
            for event in events:
                event.touch()
            for event in events:
                event.unlink()

    hooks = threading.Thread(target=come_and_go, daemon=True)
    hooks.start()
    try:
        sizes = [files.size_of(tmp_path) for _ in range(300)]
    finally:
        stop.set()
        hooks.join()

    assert set(sizes) == {0}


def workspace_in(scratch: Path) -> Path:
    """Make the directory of a workspace's memory; return that of the workspace."""
    place = scratch / "papers"
    (place / ".os" / "memory").mkdir(parents=True)
    return place


def test_the_databases_of_a_workspace_lie_there_and_the_rest_in_the_home(home: Home) -> None:
    place = workspace_in(home.scratch)
    group = Files(home.path, "papers", workspace=place)

    group.prepare()

    assert [group.database, group.quarantine] == [
        place / ".os/memory/transcript.db",
        place / ".os/memory/quarantine",
    ]
    places = [each for each in home.path.rglob("*") if each.parent != home.path or each.is_dir()]
    made = sorted(str(each.relative_to(home.path)) for each in places)
    backups = ["backups", "backups/papers", "backups/papers/workspace"]
    assert made == [*backups, "spool", "spool/done", "spool/done/papers"]
    assert (place / ".os" / "memory").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("part", ["", ".os", ".os/memory"])
def test_a_workspace_that_is_gone_is_not_made(home: Home, part: str) -> None:
    place = workspace_in(home.scratch)
    aside = home.scratch / "aside"
    (place / part).rename(aside)

    with pytest.raises(WorkspaceGone, match="tacit doctor"):
        Files(home.path, "papers", workspace=place).prepare()

    assert not (place / part).exists()
    assert not home.path.exists()


@pytest.mark.parametrize("part", [".os", ".os/memory"])
def test_a_link_in_the_place_of_a_workspace_s_memory_is_not_followed(home: Home, part: str) -> None:
    place = workspace_in(home.scratch)
    aside = home.scratch / "aside"
    (place / part).rename(aside)
    (place / part).symlink_to(aside)
    before = descriptors()

    with pytest.raises(WorkspaceGone):
        Files(home.path, "papers", workspace=place).prepare()

    assert (descriptors(), "quarantine" in {each.name for each in aside.rglob("*")}) == (
        before,
        False,
    )


def test_a_group_is_begun_once_there_is_a_transcript_or_its_mark(home: Home) -> None:
    place = workspace_in(home.scratch)
    group = Files(home.path, "papers", workspace=place)

    found = [group.is_begun]
    (place / ".os" / "memory" / "transcript.mark").touch()
    found.append(group.is_begun)

    assert found == [False, True]


def test_the_group_of_a_proof_is_no_group_of_the_user_s(home: Home) -> None:
    for place in ("groups/tacit-proving", "groups/main", "proving/tacit-proving-1"):
        (home.path / place).mkdir(parents=True)
        (home.path / place / "transcript.mark").touch()

    assert (files.groups(home.path), files.proofs(home.path)) == (["main"], ["tacit-proving-1"])


def test_the_directory_of_a_proof_is_not_made(home: Home) -> None:
    group = Files(home.path, "tacit-proving-1")
    group.home.mkdir()

    with pytest.raises(NotFound, match="no group tacit-proving-1"):
        group.prepare()

    assert (group.is_removed, list(home.path.iterdir())) == (True, [])


def test_what_is_deleted_meanwhile_is_passed_over(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    found = files.paths_below(tmp_path)
    first = next(found)

    for name in ("a", "b", "c"):
        if name != first.name:
            (tmp_path / name / "file").unlink()
            (tmp_path / name).rmdir()

    assert {each.name for each in found} <= {"a", "b", "c", "file"}


def test_the_backups_of_a_workspace_are_marked_as_its_own(home: Home) -> None:
    place = workspace_in(home.scratch)
    Files(home.path, "papers", workspace=place).prepare()

    found = [Files(home.path, "papers").is_of_workspace]
    Files(home.path, "papers").prepare()  # from now on it is a group of the home
    found.append(Files(home.path, "papers").is_of_workspace)

    assert found == [True, False]


def test_a_moment_is_written_to_the_minute() -> None:
    assert moment_of(1_790_000_000_000_000_000) == "2026-09-21 14:13 UTC"
