"""Rest: once nothing has come for a while, all is let go that is kept only to be fast."""

from __future__ import annotations

import pytest

from tacit.daemon.rest import Rest, be_small
from tacit.mind import in_mind

AFTER = 30.0


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def went() -> list[str]:
    """Return what was let go, in order."""
    return []


@pytest.fixture
def rest(clock: Clock, went: list[str]) -> Rest:
    ways = (lambda: went.append("pages"), lambda: went.append("words"))
    return Rest(ways, AFTER, clock)


def test_nothing_is_let_go_before_its_time(rest: Rest, clock: Clock, went: list[str]) -> None:
    clock.seconds += AFTER - 1

    assert (rest.look(), went) == (False, [])


def test_it_is_time_until_something_comes(rest: Rest, clock: Clock) -> None:
    told = [rest.is_time]
    clock.seconds += AFTER
    told.append(rest.is_time)
    rest.look()
    told.append(rest.is_time)
    rest.put_off()
    told.append(rest.is_time)

    assert told == [False, True, True, False]


def test_when_it_is_time_all_goes_in_order_and_once(
    rest: Rest, clock: Clock, went: list[str]
) -> None:
    clock.seconds += AFTER

    looks = [rest.look(), rest.look()]

    assert (looks, went) == ([True, False], ["pages", "words"])


def test_what_comes_puts_it_off(rest: Rest, clock: Clock, went: list[str]) -> None:
    clock.seconds += AFTER - 1
    rest.put_off()
    clock.seconds += AFTER - 1
    is_early = rest.look()
    clock.seconds += 1

    assert (is_early, rest.look(), went) == (False, True, ["pages", "words"])


def test_what_comes_after_a_rest_is_followed_by_another(rest: Rest, clock: Clock) -> None:
    clock.seconds += AFTER
    rest.look()
    rest.put_off()

    looks = [rest.look()]
    clock.seconds += AFTER
    looks.append(rest.look())

    assert looks == [False, True]


def test_something_small_renews_it_at_once_but_never_too_early(rest: Rest, clock: Clock) -> None:
    rest.renew()
    looks = [rest.look()]
    clock.seconds += AFTER
    looks.append(rest.look())
    rest.renew()
    looks.append(rest.look())

    assert looks == [False, True, True]


def test_a_way_that_fails_is_told_and_not_tried_over_and_over(clock: Clock) -> None:
    def fail() -> None:
        raise OSError

    rest = Rest([fail], 0.0, clock)

    with pytest.raises(OSError):  # noqa: PT011  (the one above)
        rest.look()
    assert not rest.look()


def test_being_small_forgets_what_is_kept_in_mind() -> None:
    asked: list[str] = []
    ask = in_mind(4)(asked.append)
    ask("tea")

    be_small()
    ask("tea")

    assert asked == ["tea", "tea"]
