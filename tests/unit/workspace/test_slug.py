"""Slugs: plain, bounded and unique, whatever a title is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.workspace.slug import LONGEST, fitting, letters, slug, unique

PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
WINDOWS = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
}


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Q3 Plan", "q3-plan"),
        ("  Größe & Übermaß  ", "groesse-uebermass"),
        ("Crème brûlée", "creme-brulee"),
        ("Łódź", "lodz"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 300, "a" * 60),
        ("-rf", "rf"),
        ("x.md", "x-md"),
        ("CON", "card-con"),
        ("com7", "card-com7"),
        ("Archive", "card-archive"),
        ("README", "card-readme"),
    ],
)
def test_a_title_becomes_plain_letters(title: str, found: str) -> None:
    assert slug(title, "c1") == found


@pytest.mark.parametrize("title", ["", "日本語の計画", "...", "\0", "🎉", "مشروع", "\ud800"])
def test_a_title_without_plain_letters_is_known_by_its_card(title: str) -> None:
    one, other = slug(title, "c1"), slug(title, "c2")

    assert re.fullmatch(r"card-[0-9a-f]{12}", one)
    assert one != other


def test_a_title_of_another_script_keeps_its_plain_part_and_is_told_from_others() -> None:
    assert slug("日本語の計画 と 予算 2026", "c1").startswith("2026-")


@given(title=st.text(), card=st.text(min_size=1))
def test_whatever_the_title_is_a_slug_is_plain_and_never_reserved(title: str, card: str) -> None:
    found = slug(title, card)

    assert PLAIN.fullmatch(found)
    assert found not in WINDOWS


@given(wanted=st.from_regex(PLAIN, fullmatch=True), number=st.integers(1, 30))
def test_what_is_taken_is_numbered_and_stays_plain(wanted: str, number: int) -> None:
    taken: set[str] = set()

    for _ in range(number):
        taken.add(unique(wanted, lambda name: name not in taken))

    assert len(taken) == number
    assert all(PLAIN.fullmatch(each) and len(each) <= LONGEST for each in taken)


def test_letters_may_be_none() -> None:
    assert (letters("日本"), letters("A b")) == ("", "a-b")


def test_what_is_put_behind_a_name_cuts_it_if_it_must() -> None:
    long = "\u00e9" * 127 + "x"

    assert (fitting("plan.md", "-2"), fitting(long, ".md")) == ("plan.md-2", "\u00e9" * 126 + ".md")
