"""The brief as the hook tells it: the file of the event, its ages of today, or nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tacit.capture import brief, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig import Home

DAY = 86_400
KEY = b"k" * 32


def write(root: int, name: str, text: bytes) -> None:
    """Write a brief as a home with that key stamps it."""
    state.replace(root, name, state.stamped(KEY, name, text))


@pytest.mark.parametrize(
    ("text", "now", "told"),
    [
        (b"", 0, b""),
        (b"no age", 5, b"no age"),
        (b"(\x010\x01)", 0, b"(0d ago)"),
        (b"(\x01100\x01)", 100 + DAY - 1, b"(0d ago)"),
        (b"(\x01100\x01)", 100 + DAY, b"(1d ago)"),
        (b"\x010\x01 \x01%d\x01" % DAY, 30 * DAY, b"30d ago 29d ago"),
        (b"(\x01999\x01)", 0, b"(0d ago)"),
        (b"\xe8\x8c\xb6 \x010\x01", DAY, b"\xe8\x8c\xb6 1d ago"),
    ],
)
def test_the_marks_become_days(text: bytes, now: int, told: bytes) -> None:
    assert brief.aged(text, now) == told


@pytest.mark.parametrize(
    ("event", "source", "asked"),
    [
        ("SessionStart", "startup", (False, True)),
        ("SessionStart", "clear", (False, True)),
        ("SessionStart", "", (False, True)),
        ("SessionStart", "compact", (True, True)),
        ("SessionStart", "resume", (True, False)),
        ("SessionStart", "fork", (True, False)),
        ("SubagentStart", "resume", (False, True)),
        ("SubagentStart", "compact", (False, True)),
    ],
)
def test_who_is_asked_depends_on_how_a_session_begins(
    event: str, source: str, asked: tuple[bool, bool]
) -> None:
    payload = b'{"session_id": "s", "source": "%s"}' % source.encode()

    assert brief.is_asked(event, payload) == asked


def test_a_session_is_told_its_file_and_a_subagent_the_one_beside_it(home: Home) -> None:
    root = home.make()
    write(root, "b.md", b"brief-1\nOld: \x01%d\x01" % (int(time.time()) - 3 * DAY - 9))
    write(root, "b.md.agents", b"agent-1\nShort")

    told = [brief.brief(root, event, "b.md", KEY) for event in ("SessionStart", "SubagentStart")]

    assert told == [("brief-1", b"Old: 3d ago", False), ("agent-1", b"Short", False)]


@pytest.mark.parametrize("head", [b"", b"br ief", b"brief_1", b"\xff", b"-\t", b"brief\x01"])
def test_what_has_no_plain_name_is_not_told(head: bytes, home: Home) -> None:
    root = home.make()
    write(root, "b.md", head + b"\nWords")

    assert brief.brief(root, "SessionStart", "b.md", KEY) == ("", b"", False)


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (b"brief-1\nWords\nunlanded", ("brief-1", b"Words", True)),
        (b"\n\nunlanded", ("", b"", True)),
        (b"brief-1\nWords\nelse", ("brief-1", b"Words", False)),
        (b"", ("", b"", False)),
    ],
)
def test_a_third_line_says_that_the_last_session_did_not_land(
    file: bytes, told: tuple[str, bytes, bool], home: Home
) -> None:
    root = home.make()
    write(root, "b.md", file)

    assert brief.brief(root, "SessionStart", "b.md", KEY) == told


@pytest.mark.parametrize("text", [b"brief-1\n\x01x\x01", b"brief-1\n\x01\x01"])
def test_a_mark_that_is_no_time_is_an_error_that_the_hook_knows(text: bytes, home: Home) -> None:
    root = home.make()
    write(root, "b.md", text)

    with pytest.raises(ValueError, match="invalid literal"):
        brief.brief(root, "SessionStart", "b.md", KEY)


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.write_bytes(file.read_bytes().replace(b"Words", b"Order")),
        lambda file: file.write_bytes(file.read_bytes().partition(b"\n")[2]),
        lambda file: file.rename(file.with_name("other.md")),
        lambda file: file.chmod(0o644),
        lambda file: file.unlink(),
    ],
    ids=["changed", "without its stamp", "of another name", "open to others", "gone"],
)
def test_only_what_the_home_has_stamped_is_told(
    change: Callable[[Path], object], home: Home
) -> None:
    root = home.make()
    write(root, "b.md", b"brief-1\nWords")
    change(home.path / "b.md")
    name = "b.md" if (home.path / "b.md").exists() else "other.md"

    with pytest.raises(state.Refused, match="not a brief of this home"):
        brief.brief(root, "SessionStart", name, KEY)


def test_a_stamp_of_another_home_counts_for_nothing(home: Home) -> None:
    root = home.make()
    write(root, "b.md", b"brief-1\nWords")

    with pytest.raises(state.Refused):
        brief.brief(root, "SessionStart", "b.md", b"other" * 6)


def test_a_daemon_that_is_not_there_is_silent(home: Home) -> None:
    root = home.make()

    told = brief.fresh(root, "SessionStart", "main", b"{}")

    assert told is None
