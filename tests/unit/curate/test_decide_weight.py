"""How much weighs what the owner corrects: as much as was said, or as the owner wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.curate.saying import SPACES, TABS, digest

if TYPE_CHECKING:
    from unit.curate.saying import Room


def test_a_correction_is_as_important_as_what_it_corrects_was_said_to_be(room: Room) -> None:
    room.learn(1, turn="a")
    old = room.learn(2, turn="b")

    room.decide(3, "correct", old, text=SPACES)

    (new,) = room.store.memories.stating(digest(SPACES))
    assert (old.importance, new.importance) == (4, 3)


@pytest.mark.parametrize("importance", [1, 3, 4])
def test_what_was_said_often_is_as_important_as_the_owner_wants(
    importance: int, room: Room
) -> None:
    room.learn(1, turn="a")
    old = room.learn(2, turn="b")

    room.decide(3, "correct", old, text=TABS, importance=importance)

    assert room.now(old).importance == importance
