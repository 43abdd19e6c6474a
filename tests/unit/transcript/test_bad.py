"""What could not be understood: its reason first, capped by count and size, the oldest going."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.transcript import bad

if TYPE_CHECKING:
    import pytest

    from rig import Home


def name(number: int) -> str:
    """Return a name as the spool gives them."""
    return f"{number:020d}-000001-1-aaaa"


def kept(home: Home) -> list[str]:
    """Return the names of what is kept, without their leading noughts."""
    return [file.name.partition("-")[0].lstrip("0") for file in bad.listed(home.path)]


def test_an_entry_is_kept_behind_the_reason_why(home: Home) -> None:
    bad.keep(home.path, name(1), "The payload is not JSON.", b"tacit1 \xff\n{")

    (file,) = bad.listed(home.path)
    assert file.read_bytes() == b"The payload is not JSON.\ntacit1 \xff\n{"


def test_the_reason_can_be_read_back(home: Home) -> None:
    bad.keep(home.path, name(1), "The payload is not JSON.", b"x\ny")

    (file,) = bad.listed(home.path)
    assert bad.reason_of(file) == "The payload is not JSON."


def test_a_reason_that_never_ends_is_cut(home: Home) -> None:
    bad.keep(home.path, name(1), "x" * 5000, b"")

    (file,) = bad.listed(home.path)
    assert bad.reason_of(file) == "x" * 1000


def test_what_is_kept_is_for_its_owner_alone(home: Home) -> None:
    bad.keep(home.path, name(1), "Why.", b"")

    (file,) = bad.listed(home.path)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_home_where_all_was_understood_has_nothing_to_list(home: Home) -> None:
    assert bad.listed(home.path) == []


def test_entries_are_listed_the_oldest_first_and_nothing_else_is(home: Home) -> None:
    for number in (3, 1, 2):
        bad.keep(home.path, name(number), "Why.", b"")
    (home.path / "spool" / "bad" / ".DS_Store").touch()

    assert kept(home) == ["1", "2", "3"]


def test_of_too_many_the_oldest_go(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad, "MOST", 3)

    for number in range(1, 6):
        bad.keep(home.path, name(number), "Why.", b"")

    assert kept(home) == ["3", "4", "5"]


def test_of_too_much_the_oldest_go(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad, "LARGEST", 200)

    for number in range(1, 7):
        bad.keep(home.path, name(number), "Why.", b"x" * 95)

    assert kept(home) == ["5", "6"]


def test_erasing_removes_what_holds_a_text_and_leaves_the_rest(home: Home) -> None:
    for number, data in ((1, b"my word is tulip"), (2, b"my word is rose"), (3, b"tulip")):
        bad.keep(home.path, name(number), "Why.", data)

    removed = bad.erase(home.path, b"tulip")

    assert (removed, kept(home)) == (2, ["2"])
