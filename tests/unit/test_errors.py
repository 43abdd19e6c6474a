"""Errors: a family with one code each, all of them in the tree that the module draws."""

from __future__ import annotations

import pytest

from tacit import errors
from tacit.errors import HomeRefused, NothingToResume, SettingsUnreadable, TacitError

FAMILY = [SettingsUnreadable, HomeRefused, NothingToResume]


def test_the_family_is_complete() -> None:
    assert TacitError.__subclasses__() == FAMILY


@pytest.mark.parametrize(
    ("error", "code"),
    [(TacitError, 1), (SettingsUnreadable, 3), (HomeRefused, 4), (NothingToResume, 5)],
)
def test_each_error_ends_with_its_own_code(error: type[TacitError], code: int) -> None:
    assert error.exit_code == code


@pytest.mark.parametrize("error", FAMILY)
def test_each_error_stands_in_the_tree_that_the_module_draws(error: type[TacitError]) -> None:
    assert f"── {error.__name__} " in (errors.__doc__ or "")


@pytest.mark.parametrize("error", FAMILY)
def test_an_error_says_the_sentence_it_was_given(error: type[TacitError]) -> None:
    raised = error("Cannot do that. Run `tacit status`.")

    assert str(raised) == "Cannot do that. Run `tacit status`."
