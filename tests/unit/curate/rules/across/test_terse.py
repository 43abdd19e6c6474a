"""Terse corrections: a value that takes back the latest statement of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.rules.curator import rules

if TYPE_CHECKING:
    from unit.curate.saying import Desk


def hear(desk: Desk, text: str, session: str = "s-1") -> None:
    """Let the user say something in a turn of its own, and let it be curated."""
    turn = desk.prompt(text, session=session)
    desk.reply(turn, session=session)
    desk.curate()


PORT = "The reporting db listens on port 5432"


@pytest.mark.parametrize("said", ["no, 5434", "sorry, 5434", "wait, 5434 i mean", "ne, 5434"])
def test_a_value_alone_corrects_what_was_just_said(said: str, desk: Desk) -> None:
    desk.extractor = rules()
    hear(desk, PORT)

    hear(desk, said)

    assert desk.standing() == ["The reporting db listens on port 5434"]


@pytest.mark.parametrize("said", ["5434", "no, that is fine", "no, why 5434?", "no, on Thursday"])
def test_anything_else_corrects_nothing(said: str, desk: Desk) -> None:
    desk.extractor = rules()
    hear(desk, PORT)

    hear(desk, said)

    assert desk.standing() == [PORT]


def test_what_was_said_in_another_session_is_not_meant(desk: Desk) -> None:
    desk.extractor = rules()
    hear(desk, PORT)

    hear(desk, "no, 5434", session="s-2")

    assert desk.standing() == [PORT]
