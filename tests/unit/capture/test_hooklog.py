"""The hook's own log: one capped line for each failure, and never a word of a payload."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.capture import hooklog
from tacit.capture.state import Refused

if TYPE_CHECKING:
    from rig import Home

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
LINE = len("2026-01-02T03:04:05Z told\n")


def fill(home: Home, size: int) -> Path:
    """Fill the log up to *size* bytes."""
    file = home.path / "logs" / "hook.log"
    file.parent.mkdir()
    file.write_bytes((b"x" * 63 + b"\n") * (size // 64) + b"x" * (size % 64))
    return file


def sizes(home: Home) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in (home.path / "logs").iterdir()}


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_a_failure_is_one_line_with_time_event_and_name(home: Home, root: int) -> None:
    failure = ZeroDivisionError()

    hooklog.append(root, "Stop", failure)

    assert re.fullmatch(STAMP + " Stop ZeroDivisionError", "|".join(home.log))


def test_what_the_system_said_of_a_failure_is_told(home: Home, root: int) -> None:
    failure = FileNotFoundError(2, "No such file or directory", "redaction.key")

    hooklog.append(root, "Stop", failure)

    assert home.log[0].endswith("FileNotFoundError: No such file or directory redaction.key")


def test_our_own_refusal_is_told(home: Home, root: int) -> None:
    failure = Refused("spool belongs to somebody else")

    hooklog.append(root, "Stop", failure)

    assert home.log[0].endswith("Refused: spool belongs to somebody else")


@pytest.mark.parametrize(
    "failure",
    [
        ValueError("the prompt said hush"),
        KeyError("hush"),
        UnicodeDecodeError("utf-8", b"hush", 0, 1, "hush"),
        RuntimeError({"prompt": "hush"}),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_what_other_errors_quote_is_never_told(failure: Exception, home: Home, root: int) -> None:
    hooklog.append(root, "Stop", failure)

    assert b"hush" not in home.bytes_on_disk()


@pytest.mark.parametrize(
    "breaking", ["\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028"]
)
def test_a_file_name_with_line_breaks_stays_on_one_line(
    breaking: str, home: Home, root: int
) -> None:
    failure = FileNotFoundError(2, "No such file", f"brief{breaking}forged line")

    hooklog.append(root, "Stop", failure)

    assert len(home.log) == 1


def test_a_long_line_is_cut(home: Home, root: int) -> None:
    told = "settings " + "x" * 10_000

    hooklog.write(root, told)

    assert [len(line) for line in home.log] == [400]


def test_text_that_is_not_ascii_is_written_as_question_marks(home: Home, root: int) -> None:
    told = "settings /srv/géheim \udcff"

    hooklog.write(root, told)

    assert home.log[0].endswith("settings /srv/g?heim ?")


def test_lines_follow_one_another(root: int) -> None:
    hooklog.write(root, "first")
    hooklog.write(root, "second")

    told = [line.split()[-1] for line in hooklog.lines(root)]

    assert told == ["first", "second"]


def test_a_home_without_failures_has_no_lines(root: int) -> None:
    assert hooklog.lines(root) == []


def test_a_full_log_makes_room_for_a_new_one(home: Home, root: int) -> None:
    file = fill(home, hooklog.LARGEST)

    hooklog.write(root, "one")
    hooklog.write(root, "two")

    assert ([line.split()[-1] for line in home.log], file.with_name("hook.log.1").exists()) == (
        ["one", "two"],
        True,
    )


def test_lines_of_the_full_log_come_before_those_of_the_new_one(home: Home, root: int) -> None:
    fill(home, hooklog.LARGEST)
    hooklog.write(root, "one")
    hooklog.write(root, "two")

    told = [line.split()[-1] for line in hooklog.lines(root)]

    assert (len(told), told[-2:]) == (hooklog.LARGEST // 64 + 2, ["one", "two"])


def test_a_line_that_just_fits_fills_the_log_to_the_last_byte(home: Home, root: int) -> None:
    fill(home, hooklog.LARGEST - LINE)

    hooklog.write(root, "told")

    assert sizes(home) == {"hook.log": hooklog.LARGEST}


def test_a_line_that_does_not_fit_begins_a_new_log(home: Home, root: int) -> None:
    fill(home, hooklog.LARGEST - LINE + 1)

    hooklog.write(root, "told")

    assert sizes(home) == {"hook.log": LINE, "hook.log.1": hooklog.LARGEST - LINE + 1}


def test_the_log_and_its_predecessor_are_all_there_ever_is(home: Home, root: int) -> None:
    file = fill(home, hooklog.LARGEST)
    hooklog.write(root, "told")
    file.write_bytes(b"x" * hooklog.LARGEST)

    hooklog.write(root, "told")
    hooklog.write(root, "told")

    assert sizes(home) == {"hook.log": 2 * LINE, "hook.log.1": hooklog.LARGEST}


def test_the_log_is_for_its_owner_alone(home: Home, root: int) -> None:
    hooklog.write(root, "told")

    modes = [(home.path / name).stat().st_mode & 0o777 for name in ("logs", "logs/hook.log")]

    assert modes == [0o700, 0o600]


def test_a_log_that_is_a_link_is_refused(home: Home, root: int) -> None:
    elsewhere = home.scratch / "elsewhere"
    elsewhere.touch()
    fill(home, 0).unlink()
    (home.path / "logs" / "hook.log").symlink_to(elsewhere)

    with pytest.raises(OSError, match=r"hook\.log"):
        hooklog.write(root, "told")

    assert elsewhere.read_bytes() == b""


def test_a_refused_log_keeps_no_descriptor_open(home: Home, root: int) -> None:
    fill(home, 64)
    os.link(home.path / "logs" / "hook.log", home.scratch / "second name")
    before = open_descriptors()

    for use in (lambda: hooklog.write(root, "told"), lambda: hooklog.lines(root)):
        with pytest.raises(Refused):
            use()

    assert open_descriptors() == before


def test_writing_and_reading_keep_no_descriptor_open(root: int) -> None:
    before = open_descriptors()

    hooklog.write(root, "told")
    hooklog.lines(root)

    assert open_descriptors() == before
