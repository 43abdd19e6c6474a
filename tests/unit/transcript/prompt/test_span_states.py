"""The likeliest course between the user's words and others' follows leads and blank lines."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt.span_states import HANDED, OWN, PASTED, POINTED, Step, likeliest


def test_nothing_has_no_course() -> None:
    assert likeliest([]) == []


def test_what_is_printed_is_pasted_and_what_is_said_around_it_is_not() -> None:
    steps = [Step(["speaks"]), Step(["printed"], is_apart=True), Step(["speaks"], is_apart=True)]

    assert likeliest(steps) == [OWN, PASTED, OWN]


def test_plain_sentences_are_somebody_else_s_only_behind_a_lead() -> None:
    plain = [Step(["plain"], is_apart=True)] * 3

    assert likeliest([Step(["speaks"]), *plain]) == [OWN] * 4
    led = [Step(["plain"], lead=POINTED, is_apart=True), *plain[1:]]
    assert likeliest([Step(["speaks"]), *led, Step(["speaks"], is_apart=True, is_last=True)]) == [
        OWN,
        POINTED,
        POINTED,
        POINTED,
        OWN,
    ]


def test_what_is_handed_on_may_speak_like_a_person() -> None:
    steps = [Step(["asks"]), Step(["speaks"], lead=HANDED, is_apart=True)]
    steps += [Step(["speaks"], is_apart=True)] * 4

    assert likeliest(steps) == [OWN] + [HANDED] * 5


@pytest.mark.parametrize("trait", ["speaks", "asks"])
def test_the_last_word_behind_what_is_handed_on_is_the_user_s(trait: str) -> None:
    steps = [Step(["asks"]), Step(["plain"], lead=HANDED, is_apart=True)]
    steps += [Step([trait], is_apart=True, is_last=True)]

    assert likeliest(steps) == [OWN, HANDED, OWN]
