"""The hook's own log: one capped line for each failure, and never a word of a payload."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.capture import failures, state
from tacit.capture.state import Refused

if TYPE_CHECKING:
    from rig import Home

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
LINE = len("2026-01-02T03:04:05.678Z told\n")


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

    failures.append(root, "Stop", failure)

    assert re.fullmatch(STAMP + " Stop ZeroDivisionError", "|".join(home.log))


def test_what_the_system_said_of_a_failure_is_told(home: Home, root: int) -> None:
    failure = FileNotFoundError(2, "No such file or directory", "redaction.key")

    failures.append(root, "Stop", failure)

    assert home.log[0].endswith("FileNotFoundError: No such file or directory redaction.key")


def test_our_own_refusal_is_told(home: Home, root: int) -> None:
    failure = Refused("spool belongs to somebody else")

    failures.append(root, "Stop", failure)

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
    failures.append(root, "Stop", failure)

    assert b"hush" not in home.bytes_on_disk()


@pytest.mark.parametrize(
    "breaking", ["\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028"]
)
def test_a_file_name_with_line_breaks_stays_on_one_line(
    breaking: str, home: Home, root: int
) -> None:
    failure = FileNotFoundError(2, "No such file", f"brief{breaking}forged line")

    failures.append(root, "Stop", failure)

    assert len(home.log) == 1


def test_a_long_line_is_cut(home: Home, root: int) -> None:
    told = "settings " + "x" * 10_000

    failures.write(root, told)

    assert [len(line) for line in home.log] == [400]


def test_text_that_is_not_ascii_is_written_as_question_marks(home: Home, root: int) -> None:
    told = "settings /srv/géheim \udcff"

    failures.write(root, told)

    assert home.log[0].endswith("settings /srv/g?heim ?")


def test_lines_follow_one_another(root: int) -> None:
    failures.write(root, "first")
    failures.write(root, "second")

    told = [line.split()[-1] for line in failures.lines(root)]

    assert told == ["first", "second"]


def test_a_home_without_failures_has_no_lines(root: int) -> None:
    assert failures.lines(root) == []


def test_a_full_log_makes_room_for_a_new_one(home: Home, root: int) -> None:
    file = fill(home, failures.LARGEST)

    failures.write(root, "one")
    failures.write(root, "two")

    assert ([line.split()[-1] for line in home.log], file.with_name("hook.log.1").exists()) == (
        ["one", "two"],
        True,
    )


def test_lines_of_the_full_log_come_before_those_of_the_new_one(home: Home, root: int) -> None:
    fill(home, failures.LARGEST)
    failures.write(root, "one")
    failures.write(root, "two")

    told = [line.split()[-1] for line in failures.lines(root)]

    assert (len(told), told[-2:]) == (failures.LARGEST // 64 + 2, ["one", "two"])


def test_a_line_that_just_fits_fills_the_log_to_the_last_byte(home: Home, root: int) -> None:
    fill(home, failures.LARGEST - LINE)

    failures.write(root, "told")

    assert sizes(home) == {"hook.log": failures.LARGEST}


def test_a_line_that_does_not_fit_begins_a_new_log(home: Home, root: int) -> None:
    fill(home, failures.LARGEST - LINE + 1)

    failures.write(root, "told")

    assert sizes(home) == {"hook.log": LINE, "hook.log.1": failures.LARGEST - LINE + 1}


def test_the_log_and_its_predecessor_are_all_there_ever_is(home: Home, root: int) -> None:
    file = fill(home, failures.LARGEST)
    failures.write(root, "told")
    file.write_bytes(b"x" * failures.LARGEST)

    failures.write(root, "told")
    failures.write(root, "told")

    assert sizes(home) == {"hook.log": 2 * LINE, "hook.log.1": failures.LARGEST}


def test_the_log_is_for_its_owner_alone(home: Home, root: int) -> None:
    failures.write(root, "told")

    modes = [(home.path / name).stat().st_mode & 0o777 for name in ("logs", "logs/hook.log")]

    assert modes == [0o700, 0o600]


def test_a_log_that_is_a_link_is_refused(home: Home, root: int) -> None:
    elsewhere = home.scratch / "elsewhere"
    elsewhere.touch()
    fill(home, 0).unlink()
    (home.path / "logs" / "hook.log").symlink_to(elsewhere)

    with pytest.raises(OSError, match=r"hook\.log"):
        failures.write(root, "told")

    assert elsewhere.read_bytes() == b""


def test_a_refused_log_keeps_no_descriptor_open(home: Home, root: int) -> None:
    fill(home, 64)
    os.link(home.path / "logs" / "hook.log", home.scratch / "second name")
    before = open_descriptors()

    for use in (lambda: failures.write(root, "told"), lambda: failures.lines(root)):
        with pytest.raises(Refused):
            use()

    assert open_descriptors() == before


def test_writing_and_reading_keep_no_descriptor_open(root: int) -> None:
    before = open_descriptors()

    failures.write(root, "told")
    failures.lines(root)

    assert open_descriptors() == before


def told(root: int) -> list[tuple[str, int]]:
    return [(each.reason, each.count) for each in failures.losses(root)]


def test_at_first_nothing_is_lost(root: int) -> None:
    assert failures.losses(root) == []


def test_losses_are_counted_by_reason_with_their_times(root: int) -> None:
    before = time.time_ns()
    for reason in ("ENOSPC", "EIO", "ENOSPC", "ENOSPC"):
        failures.count_loss(root, reason)

    found = {each.reason: each for each in failures.losses(root)}

    assert sorted(told(root)) == [("EIO", 1), ("ENOSPC", 3)]
    assert before <= found["ENOSPC"].first_ns <= found["ENOSPC"].last_ns <= time.time_ns()


def test_losses_that_were_counted_by_the_second_are_dated_to_its_end(home: Home, root: int) -> None:
    (home.path / "losses").write_bytes(b"ENOSPC 2 1790000000 1790000060".ljust(127) + b"\n")

    (found,) = failures.losses(root)

    assert (found.count, found.first_ns) == (2, 1_790_000_000_999_999_999)
    assert found.last_ns == 1_790_000_060_999_999_999


@pytest.mark.parametrize(
    ("line", "at_ns"),
    [
        ("2026-09-21T13:33:20.250Z Stop KeyError", 1_789_997_600_250_999_999),
        ("2026-09-21T13:33:20Z Stop KeyError", 1_789_997_600_999_999_999),
        ("2026-09-21T13:33:20.xZ Stop KeyError", 0),
        ("no time at all", 0),
        ("", 0),
    ],
)
def test_a_line_tells_when_it_was_written_at_the_latest(line: str, at_ns: int) -> None:
    assert failures.time_of(line) == at_ns


def test_a_line_is_not_dated_before_it_was_written(root: int) -> None:
    before = time.time_ns()

    failures.write(root, "told")

    assert before <= failures.time_of(failures.lines(root)[0]) < time.time_ns() + 1_000_000


def test_a_loss_is_counted_in_place_so_that_a_full_disk_takes_it(home: Home, root: int) -> None:
    file = home.path / "losses"
    before = file.stat()

    failures.count_loss(root, "ENOSPC")

    after = file.stat()
    assert (after.st_ino, after.st_size, after.st_blocks) == (
        before.st_ino,
        before.st_size,
        before.st_blocks,
    )
    assert before.st_blocks > 0


def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be written to a file that is not there yet: as on a full disk."""
    opened = state.open_file

    def refusing(parent: int, name: str, flags: int) -> int:
        if flags & os.O_CREAT and name not in os.listdir(parent):
            raise OSError(28, "No space left on device", name)
        return opened(parent, name, flags)

    monkeypatch.setattr(state, "open_file", refusing)


@pytest.mark.parametrize("spare", ["patterns.bin", "told", "capture.conf"])
def test_where_the_file_is_missing_on_a_full_disk_another_gives_its_place(
    spare: str, home: Home, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.path / "losses").unlink()
    (home.path / spare).write_bytes(b"off /srv/private 1 2\n" * 1000)
    full(monkeypatch)

    for _ in range(2):
        failures.count_loss(root, "ENOSPC")

    assert (told(root), (home.path / spare).exists()) == ([("ENOSPC", 2)], False)
    assert b"private" not in (home.path / "losses").read_bytes()
    assert (home.path / "losses").stat().st_size == state.LOSSES_SIZE


def test_where_nothing_can_give_its_place_the_loss_is_not_counted(
    home: Home, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.path / "losses").unlink()
    full(monkeypatch)

    with pytest.raises(OSError, match="No space left"):
        failures.count_loss(root, "ENOSPC")


def test_however_many_reasons_there_are_the_file_does_not_grow(home: Home, root: int) -> None:
    size = (home.path / "losses").stat().st_size
    for number in range(60):
        failures.count_loss(root, f"reason {number}\n")

    assert (home.path / "losses").stat().st_size == size
    assert sum(count for _, count in told(root)) == 60


@pytest.mark.parametrize("damaged", [b"", b"nonsense", b"\0" * 9000, b"ENOSPC x y z\n" * 400])
def test_a_damaged_file_counts_from_zero(damaged: bytes, home: Home, root: int) -> None:
    (home.path / "losses").write_bytes(damaged)

    failures.count_loss(root, "EIO")

    assert told(root) == [("EIO", 1)]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(28, "full"), "ENOSPC"),
        (OSError("odd"), "OS"),
        (TimeoutError(), "Timeout"),
        (ValueError("secret"), "Value"),
    ],
)
def test_the_reason_is_one_word_and_never_the_text(error: Exception, reason: str) -> None:
    assert failures.reason_of(error) == reason
