"""Kept in mind: asked once, until it is forgotten or others were asked for since."""

from __future__ import annotations

import gc
import weakref

import pytest

from tacit.mind import forget, in_mind


class Asked:
    """A question that counts how often it is worked out."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def __call__(self, word: str) -> str:
        self.words.append(word)
        return word.upper()


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_an_answer_is_worked_out_once(asked: Asked) -> None:
    ask = in_mind(2)(asked)

    answers = [ask("tea"), ask("tea")]

    assert (answers, asked.words) == (["TEA", "TEA"], ["tea"])


def test_no_more_are_kept_than_it_was_said(asked: Asked) -> None:
    ask = in_mind(1)(asked)

    for word in ("tea", "milk", "tea"):
        ask(word)

    assert asked.words == ["tea", "milk", "tea"]


def test_what_is_forgotten_is_worked_out_again_and_the_same(asked: Asked) -> None:
    ask, other = in_mind(2)(asked), in_mind(2)(asked)
    before = [ask("tea"), other("milk")]

    forget()
    after = [ask("tea"), other("milk")]

    assert (after, asked.words) == (before, ["tea", "milk", "tea", "milk"])


def test_a_function_that_is_gone_is_not_held(asked: Asked) -> None:
    ask = in_mind(2)(asked)
    gone = weakref.ref(ask)

    del ask
    gc.collect()

    assert gone() is None
