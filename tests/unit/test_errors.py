"""Errors: a family with one code each, all of them in the tree that the module draws."""

from __future__ import annotations

import pytest

from tacit import errors
from tacit.errors import (
    DaemonSilent,
    EmbedderUnavailable,
    FileRefused,
    HomeRefused,
    InstallRefused,
    MemoryRefused,
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
    NotAllowed,
    NotFound,
    NothingToResume,
    SchemaNewer,
    SettingsUnreadable,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMoved,
    StoreRefused,
    TacitError,
    WorkspaceGone,
    WorkspaceRefused,
)

CODES: dict[type[TacitError], int] = {
    TacitError: 1,
    SettingsUnreadable: 3,
    HomeRefused: 4,
    NothingToResume: 5,
    NotFound: 6,
    NotAllowed: 7,
    DaemonSilent: 8,
    MemoryRefused: 9,
    StoreError: 10,
    StoreDamaged: 11,
    StoreMoved: 12,
    StoreBusy: 13,
    StoreFull: 14,
    StoreRefused: 15,
    SchemaNewer: 16,
    EmbedderUnavailable: 17,
    InstallRefused: 18,
    ModelUnavailable: 19,
    ModelKeyRefused: 20,
    ModelUnknown: 21,
    ModelBusy: 22,
    ModelUnreachable: 23,
    ModelStrange: 24,
    FileRefused: 26,
    WorkspaceGone: 27,
    WorkspaceRefused: 28,
}
FAMILY = [error for error in CODES if error is not TacitError]


def below(error: type[TacitError]) -> set[type[TacitError]]:
    """Return all errors that the module derives from this one."""
    own = [each for each in error.__subclasses__() if each.__module__ == errors.__name__]
    return {*own, *(deeper for each in own for deeper in below(each))}


def test_the_family_is_complete() -> None:
    assert below(TacitError) == set(FAMILY)


@pytest.mark.parametrize(("error", "code"), CODES.items())
def test_each_error_ends_with_its_own_code(error: type[TacitError], code: int) -> None:
    assert error.exit_code == code


def test_no_code_stands_for_two_errors_nor_for_what_the_shell_says() -> None:
    codes = [error.exit_code for error in CODES]

    assert (len(set(codes)), {0, 2, 130} & set(codes)) == (len(codes), set())


@pytest.mark.parametrize("error", FAMILY)
def test_each_error_stands_in_the_tree_that_the_module_draws(error: type[TacitError]) -> None:
    assert f"── {error.__name__} " in (errors.__doc__ or "")


@pytest.mark.parametrize("error", FAMILY)
def test_an_error_says_the_sentence_it_was_given(error: type[TacitError]) -> None:
    raised = error("Cannot do that. Run `tacit status`.")

    assert str(raised) == "Cannot do that. Run `tacit status`."


@pytest.mark.parametrize(
    "error", [StoreDamaged, StoreMoved, StoreBusy, StoreFull, StoreRefused, SchemaNewer]
)
def test_whatever_is_wrong_with_a_database_is_an_error_of_the_store(
    error: type[TacitError],
) -> None:
    assert issubclass(error, StoreError)


@pytest.mark.parametrize(
    "error", [ModelKeyRefused, ModelUnknown, ModelBusy, ModelUnreachable, ModelStrange]
)
def test_whatever_is_wrong_with_a_model_is_one_family(error: type[TacitError]) -> None:
    assert issubclass(error, ModelUnavailable)


def test_a_busy_model_says_when_to_come_back() -> None:
    assert (ModelBusy("Later.").retry_after, ModelBusy("Later.", 7.0).retry_after) == (None, 7.0)
