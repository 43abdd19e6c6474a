"""The words of the cues are whole, and in the form in which they are compared."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt import speech_cues as cues


@pytest.mark.parametrize(
    "name", ["SPEAKING", "TOGETHER", "ASKING", "TEXTS", "POINTING", "BELOW", "FILING", "SAYING"]
)
def test_words_are_compared_in_lower_case(name: str) -> None:
    words = getattr(cues, name)

    assert words
    assert {word for word in words if word != word.lower()} == set()


@pytest.mark.parametrize("line", ["Hi Tom,", "Dear customer,", "Viele Gr\u00fc\u00dfe", "Best,"])
def test_a_letter_is_known_by_its_greeting(line: str) -> None:
    assert cues.SALUTATION.match(line)


@pytest.mark.parametrize("line", ["bob on slack: no", "Ines says: no", "our lead wrote: no"])
def test_others_are_heard_on_the_same_line(line: str) -> None:
    assert cues.OTHERS.match(line)


@pytest.mark.parametrize(
    "line", ["from now on: no", "and in tests: no", "I said: no", "you wrote: no", "Note: no"]
)
def test_the_user_is_nobody_else(line: str) -> None:
    assert not cues.OTHERS.match(line)
