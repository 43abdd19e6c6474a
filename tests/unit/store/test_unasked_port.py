"""The port of the unasked: a turn first waits untried, and nobody is put off for ever."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from tacit.store.unasked_port import LONGEST_NS, Unasked


def test_a_turn_first_waits_untried_and_may_be_asked_about_at_once() -> None:
    made = Unasked(session="s-1", turn="t-1", upto=1, at=1, is_urgent=False)

    assert (made.tries, made.due, made.reason, made.is_dead) == (0, 0, None, False)
    with pytest.raises(FrozenInstanceError):
        made.tries = 1  # type: ignore[misc]


def test_nobody_is_put_off_for_longer_than_a_few_hours() -> None:
    hour = 3600 * 1_000_000_000

    assert hour < LONGEST_NS < 24 * hour
