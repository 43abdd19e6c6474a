"""The open line: opened once, with the key, and anew after the key was refused."""

from __future__ import annotations

import pytest

from tacit.errors import ModelKeyRefused
from tacit.llm.keys import Keys
from tacit.llm.opened import Opened

KEYED = {"A_KEY": "sk-" + "test-0123456789"}


class Wire:
    """What is opened in these tests."""

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.is_cut = False

    def cut(self) -> None:
        self.is_cut = True


def opened(environment: dict[str, str], *, is_usual: bool = True) -> Opened[Wire]:
    return Opened("models.example", Keys("A_KEY", environment, ()), Wire, is_usual=is_usual)


def test_it_is_opened_once_with_the_key() -> None:
    line = opened(KEYED)

    assert line.get() is line.get()
    assert line.get().key == KEYED["A_KEY"]


def test_a_refused_key_is_asked_for_anew() -> None:
    line = opened(KEYED)
    before = line.get()

    line.let_go()

    assert line.get() is not before


@pytest.mark.parametrize("is_usual", [True, False])
def test_only_the_usual_place_wants_a_key(*, is_usual: bool) -> None:
    line = opened({}, is_usual=is_usual)

    if is_usual:
        with pytest.raises(ModelKeyRefused, match=r"no key for models\.example"):
            line.get()
    else:
        assert line.get().key is None


def test_closing_cuts_what_is_under_way() -> None:
    line = opened(KEYED)
    under_way = line.get()

    line.close()

    assert under_way.is_cut
