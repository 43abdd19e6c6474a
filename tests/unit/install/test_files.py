"""Files of somebody else: written in one piece, never over a change of theirs."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tacit.errors import InstallRefused
from tacit.install import files

if TYPE_CHECKING:
    from pathlib import Path


def modes(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_what_is_not_there_is_read_as_nothing(tmp_path: Path) -> None:
    assert files.read(tmp_path / "none") is None


@pytest.mark.parametrize("held", [b"", b"{}", b"\xef\xbb\xbf{}\r\n", b"\xff\xfe\x00 no text"])
def test_whatever_the_bytes_are_they_come_and_go_unharmed(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "file").write_bytes(held)

    text = files.read(tmp_path / "file")
    assert text is not None
    files.write(tmp_path / "copy", None, text)

    assert (tmp_path / "copy").read_bytes() == held


def test_a_new_file_is_closed_to_others_and_its_directory_is_made(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "file"

    files.edit(file, lambda text: text + "more")

    assert (file.read_text(encoding="utf-8"), modes(file)) == ("{}\nmore", 0o600)


def test_a_file_that_has_changed_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("theirs", encoding="utf-8")

    assert not files.write(file, "what it was", "ours")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert file.read_text(encoding="utf-8") == "theirs"


def test_an_edit_begins_again_with_what_others_wrote_meanwhile(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("1", encoding="utf-8")
    seen: list[str] = []

    def change(text: str) -> str:
        seen.append(text)
        if len(seen) == 1:
            file.write_text("2", encoding="utf-8")
        return f"{text} and ours"

    assert files.edit(file, change) == ("2", "2 and ours")
    assert seen == ["1", "2"]


def test_a_file_that_never_rests_is_refused_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "file"

    def change(text: str) -> str:
        file.write_text(f"{time.monotonic_ns()}", encoding="utf-8")
        return f"{text} and ours"

    with pytest.raises(InstallRefused, match="Try again"):
        files.edit(file, change)


def test_a_file_that_is_as_it_should_be_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("same", encoding="utf-8")
    before = file.stat()

    files.edit(file, lambda text: text)

    assert file.stat() == before


def test_a_link_stays_a_link_and_the_modes_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)

    files.edit(link, lambda _: "fresh")

    assert link.is_symlink()
    assert (real.read_text(encoding="utf-8"), modes(real)) == ("fresh", 0o640)


def test_of_a_link_what_it_leads_to_is_removed(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    files.edit(link, lambda _: "fresh")

    files.remove(link)
    files.remove(link)

    assert (real.exists(), link.is_symlink()) == (False, True)


def test_what_a_client_locks_is_waited_for(tmp_path: Path) -> None:
    file, lock = tmp_path / "servers.json", tmp_path / "servers.json.lock"
    file.write_text("{}", encoding="utf-8")
    lock.mkdir()
    order: list[str] = []

    def client() -> None:
        time.sleep(0.2)
        file.write_text('{"theirs": 1}', encoding="utf-8")
        order.append("client")
        lock.rmdir()

    thread = threading.Thread(target=client)
    thread.start()
    _, after = files.edit(file, lambda text: f"{text} ", is_locked=True)
    order.append("we")
    thread.join()

    assert (order, after) == (["client", "we"], '{"theirs": 1} ')
    assert not lock.exists()


def test_of_two_that_count_under_the_lock_neither_loses_a_step(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text('{"n": 0}', encoding="utf-8")
    steps = 60

    def count() -> None:
        for _ in range(steps):
            files.edit(
                file, lambda text: json.dumps({"n": json.loads(text)["n"] + 1}), is_locked=True
            )

    threads = [threading.Thread(target=count) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert json.loads(file.read_bytes()) == {"n": 2 * steps}


def test_a_lock_that_was_left_behind_does_not_hold_us_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    file, lock = tmp_path / "servers.json", tmp_path / "servers.json.lock"
    lock.mkdir()

    files.edit(file, lambda _: "{}", is_locked=True)

    assert (file.read_text(encoding="utf-8"), lock.is_dir()) == ("{}", True)


def test_a_lock_goes_with_the_edit_that_fails(tmp_path: Path) -> None:
    def refuse(_: str) -> str:
        raise InstallRefused("no")

    with pytest.raises(InstallRefused):
        files.edit(tmp_path / "servers.json", refuse, is_locked=True)

    assert os.listdir(tmp_path) == []  # noqa: PTH208  (names are wanted)
