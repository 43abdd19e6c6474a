"""`capture.conf` is made of the settings and the pauses, and an edit counts at once."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from tacit.capture import compile as capture_conf

if TYPE_CHECKING:
    from rig import Home

BROKEN = "[capture\nexclude ="
ODD_PATHS = ["/srv/a b", "/srv/tab\there", "/srv/new\nline", "/srv/100%", "/srv/\udcff", "/srv/é"]


def choose(home: Home, text: str) -> None:
    """Edit config.toml, a moment after whatever was compiled before."""
    file = home.path / "config.toml"
    file.write_text(text, encoding="utf-8")
    later = time.time_ns() + 1_000_000_000
    os.utime(file, ns=(later, later))


def compiled(home: Home) -> list[str]:
    return (home.path / "capture.conf").read_text(encoding="utf-8").splitlines()


def test_settings_become_lines(home: Home, root: int) -> None:
    choose(
        home,
        '[capture]\nexclude = ["/nowhere/private"]\n[groups]\nwork = ["/nowhere/w", "/nowhere/v"]',
    )

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == [
        "exclude\t/nowhere/private",
        "group\twork\t/nowhere/w",
        "group\twork\t/nowhere/v",
    ]


def test_without_settings_and_pauses_there_are_no_lines(home: Home, root: int) -> None:
    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_pauses_become_lines_before_all_others(home: Home, root: int) -> None:
    choose(home, '[capture]\nexclude = ["/nowhere/private"]')
    capture_conf.set_pauses(root, [[], ["/srv/shop"]])

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == ["off", "off\t/srv/shop", "exclude\t/nowhere/private"]


def test_paths_are_escaped(home: Home, root: int) -> None:
    choose(home, '[capture]\nexclude = ["/nowhere/a\\tb\\n100%"]')

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == ["exclude\t/nowhere/a%09b%0A100%25"]


def test_settings_that_cannot_be_read_leave_what_was_said_of_them(home: Home, root: int) -> None:
    choose(home, '[capture]\nexclude = ["/nowhere/private"]')
    capture_conf.refresh(root, str(home.path))
    choose(home, BROKEN)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == ["exclude\t/nowhere/private"]


def test_pauses_count_even_if_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, BROKEN)
    capture_conf.set_pauses(root, [["/srv/shop"]])

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == ["off\t/srv/shop"]


def test_a_pause_ends_even_if_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, BROKEN)
    capture_conf.set_pauses(root, [[], ["/srv/shop"]])
    capture_conf.refresh(root, str(home.path))
    capture_conf.set_pauses(root, [])

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_the_log_says_that_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, BROKEN)

    capture_conf.refresh(root, str(home.path))

    assert [str(home.path / "config.toml") in line for line in home.log] == [True]


def test_at_first_nothing_is_paused(root: int) -> None:
    assert capture_conf.pauses(root) == []


@pytest.mark.parametrize("path", ODD_PATHS)
def test_what_is_paused_is_remembered_whatever_its_name(path: str, root: int) -> None:
    capture_conf.set_pauses(root, [[path], []])

    found = capture_conf.pauses(root)

    assert found == [[path], []]


@pytest.mark.parametrize("path", ODD_PATHS)
def test_a_paused_path_of_any_name_is_one_line(path: str, home: Home, root: int) -> None:
    capture_conf.set_pauses(root, [[path]])

    capture_conf.refresh(root, str(home.path))

    assert (home.path / "capture.conf").read_bytes().count(b"\n") == 1


def test_the_hook_notices_at_once_that_a_path_was_excluded(home: Home) -> None:
    home.hook("Stop", {"last_assistant_message": "kept"})
    choose(home, f'[capture]\nexclude = ["{home.project}"]')

    home.hook("Stop", {"last_assistant_message": "dropped"})

    assert (len(home.entries), b"dropped" in home.bytes_on_disk()) == (1, False)


def test_the_hook_notices_at_once_that_a_path_is_excluded_no_longer(home: Home) -> None:
    home.path.mkdir()
    choose(home, f'[capture]\nexclude = ["{home.project}"]')
    home.hook("Stop", {"last_assistant_message": "dropped"})
    choose(home, "")

    home.hook("Stop", {"last_assistant_message": "kept"})

    assert len(home.entries) == 1


def test_the_hook_notices_at_once_that_a_directory_is_of_another_group(home: Home) -> None:
    home.hook("Stop", {})
    choose(home, f'[groups]\nwork = ["{home.project}"]')

    home.hook("Stop", {})

    assert [entry.group for entry in home.entries] == ["main", "work"]


def test_the_hook_keeps_to_the_last_good_settings_when_an_edit_breaks_them(home: Home) -> None:
    home.path.mkdir()
    choose(home, f'[capture]\nexclude = ["{home.project}"]')
    home.hook("Stop", {})
    choose(home, BROKEN)

    home.hook("Stop", {})

    assert (home.entries, len(home.log)) == ([], 1)
