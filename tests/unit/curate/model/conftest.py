"""A desk of its own for each test of the room, at which a model reads along."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.curate import explicit
from tacit.curate.extract import Draft, Extracted, FollowUp
from unit.curate.model.scripted import reading_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.reading import TurnText
    from unit.curate.model.scripted import ReadingDesk


@pytest.fixture
def desk() -> Iterator[ReadingDesk]:
    """Return an empty transcript, an empty memory, a curator, and a model that is chosen."""
    with reading_desk() as desk:
        desk.choose()
        yield desk


def guessed(turn: TurnText) -> Extracted:
    """Find what a user asks to be remembered, and a fact in every prompt that begins with `The`."""
    found = [
        Draft(kind="fact", content=said.text, said=said, start=0, quote=said.text, confidence=0.5)
        for said in turn.prompts
        if said.text.startswith("The ")
    ]
    left = [
        FollowUp(content=said.text, said=said, start=0, quote=said.text)
        for said in turn.prompts
        if said.text.startswith("Later")
    ]
    return Extracted(drafts=(*explicit.extract(turn).drafts, *found), follow_ups=tuple(left))


@pytest.fixture
def guessing(desk: ReadingDesk) -> ReadingDesk:
    """Return a desk whose rules find more than what was asked for."""
    desk.extract = guessed
    desk.how = replace(desk.how, gate="off", batch_turns=1)
    return desk
