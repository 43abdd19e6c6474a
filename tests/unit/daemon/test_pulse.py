"""The pulse: healthy, wedged, starting or stopped, by the work done and by no clock that jumps."""

from __future__ import annotations

import json
import os
import time
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest

from tacit.daemon import hold
from tacit.daemon.pulse import RED_SECONDS, Pulse, health

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home


@pytest.fixture
def held(root: int) -> Iterator[None]:
    """Hold the lock of the home, as a daemon does."""
    descriptor = hold.take(root)
    assert descriptor is not None
    yield
    os.close(descriptor)


def told(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((home.path / "daemon.json").read_bytes())
    return found


def tell_beat(home: Home, seconds_ago: float) -> None:
    """Let the last beat be so old."""
    beat_ns = time.monotonic_ns() - int(seconds_ago * 1e9)
    text = json.dumps(told(home) | {"beat_ns": beat_ns})
    (home.path / "daemon.json").write_text(text, encoding="utf-8")


def test_a_home_without_a_daemon_is_stopped(root: int) -> None:
    found = health(root)

    assert (found.state, found.pid, found.beat_seconds) == ("stopped", None, None)


@pytest.mark.usefixtures("held")
def test_a_daemon_that_has_not_spoken_yet_is_starting(root: int) -> None:
    found = health(root)

    assert (found.state, found.pid) == ("starting", None)


@pytest.mark.usefixtures("held")
def test_a_daemon_that_finished_work_is_healthy_and_says_who_it_is(root: int) -> None:
    Pulse(root).beat()

    found = health(root)

    assert (found.state, found.pid, found.version) == (
        "healthy",
        os.getpid(),
        metadata.version("tacit"),
    )


@pytest.mark.usefixtures("held")
def test_a_daemon_that_finished_nothing_for_a_minute_is_wedged(home: Home, root: int) -> None:
    Pulse(root).tell()
    tell_beat(home, RED_SECONDS + 1)

    found = health(root)

    assert (found.state, found.pid, (found.beat_seconds or 0) > RED_SECONDS) == (
        "wedged",
        os.getpid(),
        True,
    )


@pytest.mark.usefixtures("held")
def test_a_daemon_that_finished_something_within_the_minute_is_healthy(
    home: Home, root: int
) -> None:
    Pulse(root).tell()
    tell_beat(home, RED_SECONDS - 10)

    assert health(root).state == "healthy"


@pytest.mark.usefixtures("held")
def test_a_beat_from_the_future_counts_as_now(home: Home, root: int) -> None:
    Pulse(root).tell()
    tell_beat(home, -1000)

    found = health(root)

    assert (found.state, found.beat_seconds) == ("healthy", 0.0)


def test_a_daemon_that_is_gone_is_stopped_whatever_it_said(root: int) -> None:
    Pulse(root).beat()

    found = health(root)

    assert (found.state, found.pid) == ("stopped", None)


def test_the_last_failure_of_a_daemon_that_is_gone_is_still_told(root: int) -> None:
    Pulse(root).fail("StoreFull")

    found = health(root)

    assert (found.failures, found.last_failure) == (1, "StoreFull")


@pytest.mark.usefixtures("held")
def test_failures_are_counted_and_told_at_once(root: int) -> None:
    pulse = Pulse(root)
    pulse.beat()

    pulse.fail("StoreBusy")
    pulse.fail("StoreFull")

    found = health(root)
    assert (found.failures, found.last_failure) == (2, "StoreFull")


def test_a_failure_is_no_finished_work(home: Home, root: int) -> None:
    pulse = Pulse(root)
    pulse.tell()
    before = told(home)["beat_ns"]

    pulse.fail("StoreBusy")

    assert told(home)["beat_ns"] == before


@pytest.mark.usefixtures("held")
def test_what_was_taken_in_is_told(root: int) -> None:
    pulse = Pulse(root)
    pulse.taken += 7

    pulse.beat()

    assert health(root).taken == 7


def test_a_busy_daemon_does_not_write_at_each_beat(home: Home, root: int) -> None:
    pulse = Pulse(root)
    pulse.beat()
    before = told(home)

    for _ in range(10):
        pulse.beat()

    assert told(home) == before


def test_the_age_is_that_of_the_last_beat(root: int) -> None:
    pulse = Pulse(root)
    time.sleep(0.02)
    before = pulse.age()

    pulse.beat()

    assert (before >= 0.02, pulse.age() < before) == (True, True)


def test_the_pulse_is_its_owner_s_alone(home: Home, root: int) -> None:
    Pulse(root).tell()

    assert (home.path / "daemon.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"pid": 1}', '{"unknown": 1}', "\x00" * 20]
)
def test_a_pulse_that_cannot_be_read_counts_as_none(text: str, home: Home, root: int) -> None:
    (home.path / "daemon.json").write_text(text, encoding="utf-8")

    assert health(root).state == "starting"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("beat", ["soon", None, [1]])
def test_a_pulse_with_a_beat_that_is_no_number_counts_as_none(
    beat: object, home: Home, root: int
) -> None:
    Pulse(root).tell()
    text = json.dumps(told(home) | {"beat_ns": beat})
    (home.path / "daemon.json").write_text(text, encoding="utf-8")

    assert health(root).state == "starting"


@pytest.mark.usefixtures("held")
def test_the_trouble_with_the_embedder_is_told(root: int) -> None:
    pulse = Pulse(root)
    pulse.troubles["embedder"] = "The model is not there. Run `tacit doctor`."

    pulse.tell()

    assert health(root).embedder_trouble == "The model is not there. Run `tacit doctor`."


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("letter", ["a", "ü", "語", "😀", '"', "\\", "\x00", "\ud800"])
def test_whatever_the_trouble_is_the_pulse_is_as_long_as_ever(
    letter: str, home: Home, root: int
) -> None:
    pulse = Pulse(root)
    pulse.tell()
    usual = (home.path / "daemon.json").stat().st_size

    pulse.troubles["embedder"] = letter * 1000
    pulse.tell()

    shown = health(root).embedder_trouble
    assert (home.path / "daemon.json").stat().st_size == usual
    assert shown
    assert set(shown) == {letter}


@pytest.mark.usefixtures("held")
def test_a_trouble_that_is_over_is_told_no_more(root: int) -> None:
    pulse = Pulse(root)
    pulse.troubles["embedder"] = "The model is not there."
    pulse.tell()

    pulse.troubles["embedder"] = None
    pulse.tell()

    assert health(root).embedder_trouble is None


def test_the_trouble_of_a_daemon_that_is_gone_is_over(root: int) -> None:
    pulse = Pulse(root)
    pulse.troubles["embedder"] = "The model is not there."
    pulse.tell()

    assert health(root).embedder_trouble is None
