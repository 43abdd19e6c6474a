"""`capture.conf` is made of the settings and the pauses, and an edit counts at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.capture import compile as capture_conf
from tacit.capture import intake, state
from tacit.capture.conf import Conf, sources
from tacit.paths import PROVING, PROVING_GROUP

if TYPE_CHECKING:
    from rig import Home

BROKEN = "[capture\nexclude ="
ODD_PATHS = ["/srv/a b", "/srv/tab\there", "/srv/new\nline", "/srv/100%", "/srv/\udcff", "/srv/é"]


def choose(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def compiled(home: Home) -> list[str]:
    """Return the lines, without the first two: the stamp, and what they were made from."""
    return (home.path / "capture.conf").read_text(encoding="utf-8").splitlines()[2:]


def problem(home: Home) -> list[str]:
    """Return what the lines say of settings that cannot be read."""
    return [line for line in compiled(home) if line.startswith("problem\t")]


def test_settings_become_lines(home: Home, root: int) -> None:
    choose(
        home,
        '[capture]\nexclude = ["/nowhere/private"]\nredact_numbers = false\n'
        '[groups]\nwork = ["/nowhere/w", "/nowhere/v"]',
    )

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == [
        "exclude\t/nowhere/private",
        "keep\tnumbers",
        "group\twork\t/nowhere/w",
        "group\twork\t/nowhere/v",
    ]


def test_without_settings_and_pauses_there_are_no_lines(home: Home, root: int) -> None:
    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_the_first_lines_are_the_stamp_and_the_sources(home: Home, root: int) -> None:
    choose(home, '[capture]\nexclude = ["/nowhere/private"]')
    capture_conf.set_pauses(root, [[]])

    capture_conf.refresh(root, str(home.path))

    first, text = (home.path / "capture.conf").read_bytes().split(b"\n", 1)
    assert text == f"sources\t{sources(root)}\noff\nexclude\t/nowhere/private\n".encode()
    assert state.stamped(intake.key(root), "capture.conf", text).startswith(first)


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

    assert compiled(home) == [*problem(home), "exclude\t/nowhere/private"]


@pytest.mark.parametrize("text", ['[groups]\nwork = ["/nowhere/w"]', "", BROKEN])
def test_briefs_stay(text: str, home: Home, root: int) -> None:
    home.configure("brief\tb-1\tone.md\t/srv/100%25\n")
    choose(home, text)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home)[-1:] == ["brief\tb-1\tone.md\t/srv/100%25"]


def test_briefs_and_settings_stay_if_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, '[capture]\nexclude = ["/nowhere/p"]\n[groups]\nwork = ["/nowhere/w"]')
    capture_conf.refresh(root, str(home.path))
    capture_conf.set_briefs(root, str(home.path), "main", {"*": "one.md"})
    before = compiled(home)
    choose(home, BROKEN)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == [*problem(home), *before]


@pytest.mark.parametrize(
    "foreign",
    ["brief\tmain\tone.md\t*\n", "stamp 0011\nbrief\tmain\tone.md\t*\n", "sources\t- -\noff\n"],
)
def test_lines_that_this_home_has_not_stamped_are_not_carried_over(
    foreign: str, home: Home, root: int
) -> None:
    (home.path / "capture.conf").write_text(foreign, encoding="utf-8")
    (home.path / "capture.conf").chmod(0o600)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_a_stamped_file_that_others_could_write_counts_for_nothing(home: Home, root: int) -> None:
    home.configure("brief\tmain\tone.md\t*\n")
    (home.path / "capture.conf").chmod(0o666)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_nothing_is_written_twice_by_making_it_anew(home: Home, root: int) -> None:
    home.configure("brief\tb\tone.md\t*\n")
    choose(home, '[capture]\nexclude = ["/nowhere/private"]')
    capture_conf.set_pauses(root, [["/srv/shop"]])
    capture_conf.refresh(root, str(home.path))
    first = compiled(home)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == first


def test_pauses_count_even_if_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, "")
    capture_conf.refresh(root, str(home.path))
    choose(home, BROKEN)
    capture_conf.set_pauses(root, [["/srv/shop"]])

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == ["off\t/srv/shop", *problem(home)]


def test_a_pause_ends_even_if_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, "")
    capture_conf.refresh(root, str(home.path))
    choose(home, BROKEN)
    capture_conf.set_pauses(root, [[], ["/srv/shop"]])
    capture_conf.refresh(root, str(home.path))
    capture_conf.set_pauses(root, [])

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == problem(home)


def test_settings_that_were_never_read_do_not_stop_the_recording(home: Home, root: int) -> None:
    capture_conf.refresh(root, str(home.path))
    choose(home, BROKEN)

    for _ in range(2):
        capture_conf.refresh(root, str(home.path))

    assert compiled(home) == problem(home) != []


def test_settings_that_can_be_read_again_leave_no_problem(home: Home, root: int) -> None:
    choose(home, BROKEN)
    capture_conf.refresh(root, str(home.path))
    choose(home, "")

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == []


def test_a_line_says_that_the_settings_cannot_be_read(home: Home, root: int) -> None:
    choose(home, BROKEN)

    capture_conf.refresh(root, str(home.path))

    assert [str(home.path / "config.toml") in line for line in problem(home)] == [True]


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

    assert (home.path / "capture.conf").read_bytes().count(b"\n") == 3


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

    assert (home.entries, home.log) == ([], [])


def test_the_hook_records_on_when_the_settings_cannot_be_read(home: Home) -> None:
    home.path.mkdir()
    choose(home, "")
    home.hook("Stop", {})
    choose(home, BROKEN)

    for _ in range(3):
        home.hook("Stop", {})

    assert (home.log, len(home.entries)) == ([], 4)


def test_the_hook_notices_a_pause_that_was_made_while_another_one_compiled(
    home: Home, root: int
) -> None:
    before = sources(root)
    capture_conf.set_pauses(root, [[]])
    (home.path / "capture.conf").write_text(f"sources\t{before}\n", encoding="utf-8")

    home.hook("Stop", {"last_assistant_message": "off the record"})

    assert (home.entries, b"off the record" in home.bytes_on_disk()) == ([], False)


def test_the_hook_notices_an_edit_behind_a_link(home: Home) -> None:
    target = home.scratch / "dotfiles.toml"
    target.write_text("# nothing\n", encoding="utf-8")
    home.path.mkdir()
    (home.path / "config.toml").symlink_to(target)
    home.hook("Stop", {})
    target.write_text(f'[capture]\nexclude = ["{home.project}"]', encoding="utf-8")

    home.hook("Stop", {})

    assert len(home.entries) == 1


def test_the_hook_notices_settings_that_are_older_than_what_was_compiled(home: Home) -> None:
    home.path.mkdir()
    choose(home, "")
    home.hook("Stop", {})
    older = home.scratch / "older.toml"
    older.write_text(f'[capture]\nexclude = ["{home.project}"]', encoding="utf-8")
    os.utime(older, ns=(1, 1))
    older.rename(home.path / "config.toml")

    home.hook("Stop", {})

    assert len(home.entries) == 1


def test_the_hook_notices_that_the_settings_are_gone(home: Home) -> None:
    home.path.mkdir()
    choose(home, f'[capture]\nexclude = ["{home.project}"]')
    home.hook("Stop", {})
    (home.path / "config.toml").unlink()

    home.hook("Stop", {})

    assert len(home.entries) == 1


def test_the_hook_leaves_what_is_up_to_date_as_it_is(home: Home) -> None:
    home.path.mkdir()
    choose(home, '[groups]\nwork = ["/nowhere/w"]')
    home.hook("Stop", {})
    made = (home.path / "capture.conf").stat()

    home.hook("Stop", {})

    assert (home.path / "capture.conf").stat().st_ino == made.st_ino


@pytest.mark.parametrize("text", ["", '[capture]\nexclude = ["/nowhere/private"]', BROKEN])
def test_each_group_has_its_own_briefs_and_they_outlive_whatever_is_chosen(
    text: str, home: Home, root: int
) -> None:
    capture_conf.refresh(root, str(home.path))
    capture_conf.set_briefs(root, str(home.path), "main", {"/a": "m/a.md", "*": "m/all.md"})
    capture_conf.set_briefs(root, str(home.path), "mainly", {"/b": "y/b.md"})
    capture_conf.set_briefs(root, str(home.path), "main", {"/c": "m/c.md"})

    choose(home, text)
    capture_conf.set_pauses(root, [["/p"]])
    capture_conf.refresh(root, str(home.path))

    found = [line for line in compiled(home) if line.startswith("brief")]
    assert found == ["brief\tmainly\ty/b.md\t/b", "brief\tmain\tm/c.md\t/c"]


@pytest.mark.parametrize("path", ODD_PATHS)
def test_a_brief_of_any_directory_is_found_again(path: str, home: Home, root: int) -> None:
    capture_conf.set_briefs(root, str(home.path), "main", {path: "m/a.md"})

    text = (home.path / "capture.conf").read_bytes().decode("utf-8", "surrogateescape")
    assert (Conf(text).brief(path), Conf(text).brief("/elsewhere")) == ("m/a.md", None)


def test_briefs_that_have_not_changed_are_not_written_again(home: Home, root: int) -> None:
    capture_conf.set_briefs(root, str(home.path), "main", {"/a": "m/a.md"})
    before = (home.path / "capture.conf").stat()

    capture_conf.set_briefs(root, str(home.path), "main", {"/a": "m/a.md"})

    after = (home.path / "capture.conf").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_each_proof_that_is_under_way_has_a_group_of_its_own(home: Home, root: int) -> None:
    groups = [f"{PROVING_GROUP}-1", f"{PROVING_GROUP}-2"]
    for name in (*groups, ".deleting"):
        (home.path / PROVING / name).mkdir(parents=True)

    capture_conf.refresh(root, str(home.path))

    assert compiled(home) == [f"group\t{name}\t{home.path}/{PROVING}/{name}" for name in groups]


def test_what_was_said_of_a_proof_goes_with_it(home: Home, root: int) -> None:
    gone, runs = f"{PROVING_GROUP}-1", f"{PROVING_GROUP}-2"
    (home.path / PROVING / runs).mkdir(parents=True)
    for group in (gone, runs, "main"):
        capture_conf.set_briefs(root, str(home.path), group, {"*": f"{group}.md"})

    capture_conf.refresh(root, str(home.path))

    assert [line for line in compiled(home) if line.startswith("brief")] == [
        f"brief\t{runs}\t{runs}.md\t*",
        "brief\tmain\tmain.md\t*",
    ]
