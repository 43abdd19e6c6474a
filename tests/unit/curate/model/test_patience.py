"""Patience: waits that grow, with a jitter and an end, or as long as the server asks for."""

from __future__ import annotations

import pytest

from tacit.curate.model.patience import Patience
from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from unit.curate.saying import NOON, SECOND_NS


def test_a_server_that_asks_to_be_left_alone_is() -> None:
    for asked, least in ((None, 5), (1.0, 5), (90.0, 90), (7200.0, 7200), (1e6, 86_400)):
        patience = Patience()

        patience.wait(ModelBusy("No.", asked), NOON, lambda size: b"\xff" * size)

        waits = (patience.until_ns - NOON) / SECOND_NS
        assert least <= waits <= least + 5


def test_waits_grow_with_a_jitter_and_have_an_end() -> None:
    patience, waits = Patience(), []
    for number in range(12):
        patience.wait(ModelUnreachable("No."), NOON, (number * 5000).to_bytes)
        waits.append((patience.until_ns - NOON) / SECOND_NS)

    doubled = [min(600.0, 5.0 * 2**number) for number in range(12)]
    assert all(least <= wait <= 1.5 * least for wait, least in zip(waits, doubled, strict=True))
    assert [wait / least for wait, least in zip(waits, doubled, strict=True)] == sorted(
        wait / least for wait, least in zip(waits, doubled, strict=True)
    )


@pytest.mark.parametrize("error", [ModelKeyRefused("No."), ModelUnknown("No.")])
def test_what_only_the_owner_can_mend_is_looked_at_every_few_minutes(
    error: ModelUnavailable,
) -> None:
    patience = Patience()
    for _ in range(5):
        patience.wait(error, NOON, bytes)

    assert (patience.until_ns - NOON) / SECOND_NS == 300


def test_a_day_is_waited_for_and_no_more_than_a_little_longer() -> None:
    patience = Patience()
    patience.wait(ModelBusy("No.", 86_400.0), NOON, bytes)

    hours = [not patience.is_over(NOON + hour * 3600 * SECOND_NS) for hour in (0, 1, 23, 24, 25)]

    assert hours == [True, True, True, False, False]
    assert patience.is_over(NOON - 365 * 24 * 3600 * SECOND_NS)


def test_what_was_written_down_of_it_is_gone_on_with() -> None:
    before, after = Patience(), Patience()
    for _ in range(3):
        before.wait(ModelBusy("No.", 7200.0), NOON, bytes)

    after.resume(before.told())

    assert (after.until_ns, after.failures, after.trouble) == (before.until_ns, 3, "No.")


@pytest.mark.parametrize("said", [{}, {"until": 1}, {"until": "x", "failures": 1, "usd": 0.1}])
def test_what_tells_nothing_of_it_changes_nothing(said: dict[str, object]) -> None:
    patience = Patience()

    patience.resume(said)

    assert patience == Patience()
