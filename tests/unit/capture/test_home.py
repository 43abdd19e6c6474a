"""Which directory may be a home: what is refused keeps every byte and mode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.capture import home as homes
from tacit.capture import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home

    Make = Callable[[Path], None]

SOMEBODY_ELSE = 54321
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")


def look(place: Path) -> list[tuple[str, int, int, bytes]]:
    """Return everything about a directory that must stay as it is."""
    found = [place, *sorted(place.rglob("*"))]
    return [
        (
            str(each),
            each.lstat().st_mode,
            each.lstat().st_mtime_ns,
            each.read_bytes() if each.is_file() else b"",
        )
        for each in found
    ]


def opened(place: Path, *, is_proven: Callable[[], bool] = lambda: False) -> None:
    os.close(state.open_home(str(place), is_proven=is_proven))


def write(place: Path, **files: str) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / name.replace("_", ".")).write_text(text, encoding="utf-8")


def old_home(place: Path) -> None:
    """Make a home as it was before there were markers."""
    (place / "spool" / "new").mkdir(parents=True)
    (place / "spool" / "tmp").mkdir()
    (place / "redaction.key").write_bytes(b"k" * 32)


def copied_home(place: Path) -> None:
    """Put a copy of another home there: its marker was made for another inode."""
    other = place.with_name("original")
    opened(other)
    shutil.copytree(other, place)


def repository(place: Path) -> None:
    write(place / ".git", HEAD="ref: refs/heads/main")
    write(place, README_md="A project.")


def shipped_home(place: Path) -> None:
    """Put there what a repository could ship to be taken for a home."""
    copied_home(place)
    write(
        place, capture_conf="daemon\t/bin/false\nbrief\tmain\tbrief.md\t*\n", brief_md="b-1\nObey."
    )
    repository(place)


FOREIGN: dict[str, Make] = {
    "a directory with a file": lambda place: write(place, notes_txt="mine"),
    "a directory with a folder of a name of ours": lambda place: write(place / "spool", x="x"),
    "a repository": repository,
    "a home that a repository ships": shipped_home,
    "a moved home": copied_home,
    "a home without a marker": old_home,
    "settings alone": lambda place: write(place, config_toml="[llm]"),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN.keys())
def test_what_was_not_made_here_is_refused_and_stays_as_it_is(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)
    place.chmod(0o755)
    before = look(place)

    with pytest.raises(state.Refused):
        opened(place)

    assert look(place) == before


@pytest.mark.parametrize("make", [copied_home, old_home, shipped_home])
def test_what_looks_like_a_home_is_refused_with_the_command_that_adopts_it(
    make: Make, tmp_path: Path
) -> None:
    make(tmp_path / "place")

    with pytest.raises(state.Moved, match=f"run `tacit adopt {tmp_path}/place`"):
        opened(tmp_path / "place")


@pytest.mark.parametrize("make", [lambda place: place.mkdir(), lambda _place: None])
def test_a_new_or_empty_directory_becomes_a_home(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)

    opened(place)
    write(place, notes_txt="mine")

    opened(place)
    assert place.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "make",
    [copied_home, old_home, FOREIGN["settings alone"]],
    ids=["copied", "of before", "settings alone"],
)
def test_the_path_that_was_written_at_install_is_proof_enough(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)

    opened(place, is_proven=state.proven)

    opened(place)  # marked now


@pytest.mark.parametrize(
    "make", [FOREIGN["a directory with a file"], repository], ids=["a file", "a repository"]
)
def test_even_there_a_directory_that_is_no_home_is_refused(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)
    before = look(place)

    with pytest.raises(state.Refused, match="is not empty and is not a home"):
        opened(place, is_proven=state.proven)

    assert look(place) == before


def test_a_marker_alone_is_moved_with_no_directory(tmp_path: Path) -> None:
    opened(tmp_path / "mine")
    (tmp_path / "theirs").mkdir()
    shutil.copy(tmp_path / "mine" / "home.marker", tmp_path / "theirs")

    with pytest.raises(state.Moved):
        opened(tmp_path / "theirs")


def test_a_marker_is_no_link_and_has_no_second_name(tmp_path: Path) -> None:
    opened(tmp_path / "mine")
    marker = tmp_path / "mine" / "home.marker"
    marker.rename(tmp_path / "marker")

    marker.symlink_to(tmp_path / "marker")
    with pytest.raises(state.Refused):
        opened(tmp_path / "mine")
    marker.unlink()
    marker.hardlink_to(tmp_path / "marker")
    with pytest.raises(state.Refused):
        opened(tmp_path / "mine")


def test_the_user_s_own_directory_is_never_a_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    before = look(tmp_path)

    with pytest.raises(state.Refused, match="cannot be a home"):
        opened(tmp_path, is_proven=state.proven)

    assert look(tmp_path) == before


def test_the_root_of_the_system_is_never_a_home() -> None:
    before = Path("/").stat()

    with pytest.raises(state.Refused, match="cannot be a home"):
        opened(Path("/"), is_proven=state.proven)

    assert (Path("/").stat().st_mode, Path("/home.marker").exists()) == (before.st_mode, False)


@needs_root
def test_a_directory_of_another_user_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir(mode=0o777)
    os.chown(place, SOMEBODY_ELSE, -1)
    before = look(place)

    with pytest.raises(state.Refused, match="belongs to another user"):
        opened(place, is_proven=state.proven)

    assert look(place) == before


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_link_to_it_is_refused_as_well(make: Make, tmp_path: Path) -> None:
    make(tmp_path / "place")
    (tmp_path / "link").symlink_to(tmp_path / "place")
    before = look(tmp_path / "place")

    with pytest.raises(state.Refused, match="is a link"):
        opened(tmp_path / "link", is_proven=state.proven)

    assert look(tmp_path / "place") == before


@pytest.mark.parametrize("make", [copied_home, old_home, shipped_home])
def test_a_moved_home_is_adopted_once(make: Make, tmp_path: Path) -> None:
    make(tmp_path / "place")

    homes.adopt(str(tmp_path / "place"))

    opened(tmp_path / "place")


@pytest.mark.parametrize("make", [repository, lambda _place: None, lambda place: place.mkdir()])
def test_what_is_no_home_cannot_be_adopted(make: Make, tmp_path: Path) -> None:
    make(tmp_path / "place")

    with pytest.raises(OSError, match="place"):
        homes.adopt(str(tmp_path / "place"))

    assert not (tmp_path / "place" / "home.marker").exists()


def test_many_who_make_a_home_at_once_all_get_it(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom tacit.capture import state\n"
        "from tacit.capture.spool import Spool\n"
        "for number in range(40):\n"
        "    Spool(state.open_home(f'{sys.argv[1]}/{number}'))\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stderr=subprocess.PIPE)
        for _ in range(4)
    ]

    ended = [(each.communicate()[1], each.returncode) for each in started]

    assert ended == [(b"", 0)] * 4


def test_a_marker_that_cannot_be_written_is_no_reason_not_to_record(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_home: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(homes, "mark", full)
    home.path.mkdir()

    opened(home.path, is_proven=state.proven)
    with pytest.raises(OSError, match="No space left"):
        opened(home.path)


@pytest.mark.parametrize("left", [None, b"", b"ENOSPC 2 1790000000 1790000060".ljust(128)])
def test_the_file_that_counts_losses_is_made_whole_when_the_home_is_opened(
    left: bytes | None, tmp_path: Path
) -> None:
    opened(tmp_path)
    file = tmp_path / "losses"
    file.unlink()
    if left is not None:
        file.write_bytes(left)

    opened(tmp_path)

    assert file.read_bytes() == (left or b"").ljust(state.LOSSES_SIZE, b"\0")


@pytest.mark.parametrize("make", [repository, shipped_home, copied_home])
def test_what_opening_would_refuse_is_refused_by_a_check_too(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)
    before = look(place)

    with pytest.raises(state.Refused):
        homes.check_home(str(place), lambda: False)

    assert look(place) == before


@pytest.mark.parametrize("make", [old_home, copied_home])
def test_a_check_marks_nothing(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    make(place)
    before = look(place)

    homes.check_home(str(place), lambda: True)

    assert look(place) == before


def test_what_can_be_made_passes_a_check_and_is_not_made(tmp_path: Path) -> None:
    homes.check_home(str(tmp_path / "new" / "home"), lambda: False)

    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_made_is_refused_by_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(state.Refused):
        homes.check_home(str(tmp_path / "file" / "home"), lambda: False)
    monkeypatch.setattr(os, "access", lambda *_: False)

    with pytest.raises(PermissionError, match=f"{tmp_path} cannot be written"):
        homes.check_home(str(tmp_path / "new" / "home"), lambda: False)
