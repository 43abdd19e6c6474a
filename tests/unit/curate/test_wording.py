"""Wording: every word and the order count, but for what is known to change nothing."""

from __future__ import annotations

import pytest

from tacit.curate.wording import is_same
from unit.curate.sayings import FACTS, TWO, WISHES

FOUND_WISHES, FOUND_FACTS = 11, 9  # of those that say the same, so many are seen to


def pair(each: tuple[str, str]) -> str:
    return " / ".join(each)


@pytest.mark.parametrize("is_wish", [True, False])
@pytest.mark.parametrize("two", TWO, ids=pair)
def test_what_says_something_else_is_never_the_same(
    two: tuple[str, str],
    is_wish: bool,  # noqa: FBT001
) -> None:
    one, other = two

    both_ways = (is_same(one, other, is_wish=is_wish), is_same(other, one, is_wish=is_wish))

    assert both_ways == (False, False)


def test_most_wishes_that_say_the_same_are_found() -> None:
    found = [each for each in WISHES if is_same(*each, is_wish=True)]

    assert len(found) >= FOUND_WISHES


def test_most_facts_that_say_the_same_are_found() -> None:
    found = [each for each in FACTS if is_same(*each, is_wish=False)]

    assert len(found) >= FOUND_FACTS


@pytest.mark.parametrize("each", WISHES + FACTS, ids=pair)
def test_it_does_not_matter_which_is_first(each: tuple[str, str]) -> None:
    one, other = each

    assert is_same(one, other, is_wish=True) == is_same(other, one, is_wish=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs", "We use tabs"),
        ("The lock should be released", "Release the lock"),
        ("Run the tests before a release", "Always run the tests before each release"),
        ("Never sign commits", "Do not sign commits"),
    ],
)
def test_what_is_one_as_a_wish_is_two_as_facts(one: str, other: str) -> None:
    wish, fact = is_same(one, other, is_wish=True), is_same(one, other, is_wish=False)

    assert (wish, fact) == (True, False)


@pytest.mark.parametrize(
    "text",
    ["", ".", ",", "?!", "for", "be", "is", "a a a", "»«", "\ud800", "\x00", "for ing", "In , we"],
)
def test_any_text_is_the_same_as_itself(text: str) -> None:
    assert is_same(text, text, is_wish=True)
    assert is_same(text, text, is_wish=False)


@pytest.mark.parametrize("text", ["私はタブが好きです", "Я люблю табы", "אני אוהב טאבים"])
def test_of_other_scripts_only_the_same_words_are_one(text: str) -> None:
    assert is_same(text, f"{text}.", is_wish=True)
    assert not is_same(text, text[:-1], is_wish=True)
