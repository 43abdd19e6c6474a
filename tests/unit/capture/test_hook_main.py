"""The hook from its command line to its end, inside this process: what a client's run does."""

from __future__ import annotations

import gc
import os
import posix
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tacit.capture import failures, hook, intake, state, wake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home

    Run = Callable[..., int]


class LeftError(BaseException):
    """The hook has left."""


def _left(code: int) -> None:
    raise LeftError(code)


@pytest.fixture
def run(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run the hook with a payload on stdin; what it turned off is on again afterwards."""
    monkeypatch.setattr(posix, "_exit", _left)
    monkeypatch.setattr(hook, "ALARM", hook.Alarm())
    monkeypatch.chdir(home.project)
    kept = [os.dup(0), os.dup(2)]
    before = signal.getsignal(signal.SIGALRM)

    def play(
        *arguments: str, payload: bytes = b"", at: str | None = None, wakes: bool = False
    ) -> int:
        interpreter = [sys.executable] if wakes else []
        end, beginning = os.pipe()
        os.write(beginning, payload)
        os.close(beginning)
        os.dup2(end, 0)
        os.close(end)
        with pytest.raises(LeftError) as left:
            hook.main(list(arguments), str(home.path) if at is None else at, *interpreter)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return int(left.value.args[0])

    yield play
    signal.signal(signal.SIGALRM, before)
    for number, descriptor in zip((0, 2), kept, strict=True):
        os.dup2(descriptor, number)
        os.close(descriptor)
    gc.enable()
    for name, value in os.environb.items():
        posix.putenv(name, value)


def test_an_event_is_spooled_with_its_name_and_client(home: Home, run: Run) -> None:
    code = run("Stop", "my-agent", payload=home.payload("Stop"))

    (entry,) = home.entries
    assert (code, entry.event, entry.client) == (0, "Stop", "my-agent")


@pytest.mark.parametrize("arguments", [(), ("",), ("St op",), ("x" * 65,), ("../Stop", "a b")])
def test_an_odd_command_line_is_no_obstacle(home: Home, run: Run, arguments: tuple[str]) -> None:
    code = run(*arguments, payload=home.payload("Stop"))

    (entry,) = home.entries
    assert (code, entry.event, entry.client) == (0, "unknown", "claude-code")


def test_a_session_is_answered_with_its_brief(
    home: Home, run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    home.configure("sources\t- -\nbrief\tmain\tbrief\t*\n", brief="Likes tea.")

    run("SessionStart", payload=home.payload("SessionStart"))

    assert '"additionalContext": "Likes tea."' in capfd.readouterr().out
    assert [entry.answered for entry in home.entries] == ["b-brief"]


def test_a_brief_that_is_gone_leaves_the_event(home: Home, run: Run) -> None:
    home.configure("sources\t- -\nbrief\tmain\tgone.md\t*\n")

    run("SessionStart", payload=home.payload("SessionStart"))

    assert (len(home.spooled), len(home.log)) == (1, 1)


def test_a_prompt_asks_and_wakes_the_daemon(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake, "command", lambda _home, _interpreter: ["/bin/true"])

    run("UserPromptSubmit", payload=home.payload("UserPromptSubmit", prompt="hi"), wakes=True)

    os.waitpid(-1, 0)
    assert ((home.path / "daemon.tried").exists(), len(home.spooled)) == (True, 1)


@pytest.mark.parametrize("wakes", [False, True], ids=["of a launcher that wakes none", "stopped"])
def test_a_daemon_that_is_not_wanted_is_not_woken(home: Home, run: Run, *, wakes: bool) -> None:
    root = home.make()
    if wakes:
        state.replace(root, "daemon.stopped", b"")

    run("UserPromptSubmit", payload=home.payload("UserPromptSubmit", prompt="hi"), wakes=wakes)

    assert not (home.path / "daemon.tried").exists()


def test_nothing_on_stdin_is_one_line_in_the_log(home: Home, run: Run) -> None:
    code = run("Stop")

    assert (code, home.spooled, len(home.log)) == (0, [], 1)


def test_a_slow_client_leaves_its_envelope(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = iter([home.payload("Stop")])

    def slow(_descriptor: int, _most: int) -> bytes:
        for piece in pieces:
            return piece
        raise hook.LateError

    monkeypatch.setattr(posix, "read", slow)
    raw, size, trouble = hook._stdin()  # noqa: SLF001  (what it reads is the test)
    del run  # its stdin is not read here

    assert (raw, size, trouble) == (home.payload("Stop"), len(raw), "slow")


def test_a_payload_that_cannot_be_cleaned_in_time_leaves_its_envelope(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_arguments: object) -> bytes:
        raise hook.LateError

    monkeypatch.setattr(intake, "clean", late)

    run("Stop", payload=home.payload("Stop"))

    (entry,) = home.entries
    assert b'"reason":"late"' in entry.payload


def test_a_home_that_cannot_be_had_is_no_obstacle(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TACIT_HOME")

    assert run("Stop", payload=b"{}", at="/dev/null/nowhere") == 0


def test_the_environment_does_not_lead_the_hook_to_another_home(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home.scratch / "other"
    monkeypatch.setenv("TACIT_HOME", str(other))

    run("Stop", payload=home.payload("Stop"))

    assert (len(home.entries), other.exists()) == (1, False)


def test_an_alarm_breaks_off_only_what_may_be() -> None:
    alarm = hook.Alarm()

    alarm.ring(0, None)  # remembered
    with pytest.raises(hook.LateError):
        alarm.open()
    alarm.shut()
    alarm.ring(0, None)


def test_an_alarm_that_rings_in_time_breaks_off_at_once() -> None:
    alarm = hook.Alarm()

    alarm.open()
    with pytest.raises(hook.LateError):
        alarm.ring(0, None)
    alarm.ring(0, None)  # what is done about it is not broken off again


def test_an_answer_that_is_late_is_done_without(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def late(*_arguments: object) -> None:
        raise hook.LateError

    home.configure("sources\t- -\nbrief\tmain\tbrief\t*\n", brief="Likes tea.")
    monkeypatch.setattr(hook, "_is_first", late)

    run("SessionStart", payload=home.payload("SessionStart"))

    assert (capfd.readouterr().out, [entry.answered for entry in home.entries]) == ("", ["-"])
    assert "SlowError: the answer, so there is none" in home.log[0]


def _slow(monkeypatch: pytest.MonkeyPatch, name: str, alarms: int) -> None:
    """Let a call of the system last until so many deadlines have passed."""
    does = getattr(posix, name)

    def slow(*arguments: object, **options: object) -> object:
        for _ in range(alarms):
            signal.raise_signal(signal.SIGALRM)
        return does(*arguments, **options)

    monkeypatch.setattr(posix, name, slow)


def test_past_its_deadline_an_event_is_spooled_without_the_disk(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("Stop", payload=home.payload("Stop"))  # the home is there
    _slow(monkeypatch, "rename", alarms=1)

    code = run("Stop", payload=home.payload("Stop"))

    assert (code, len(home.entries)) == (0, 2)
    assert "may not survive a power cut" in home.log[0]


def test_past_the_last_deadline_it_leaves_and_says_what_is_lost(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("Stop", payload=home.payload("Stop"))  # the home is there
    _slow(monkeypatch, "fsync", alarms=2)

    code = run("Stop", payload=home.payload("Stop"))

    assert (code, len(home.entries)) == (0, 1)
    assert "SlowError: the disk, so this event is lost" in home.log[0]
    assert ("Slow", 1) in [(each.reason, each.count) for each in failures.losses(home.make())]


def test_a_log_that_is_late_too_is_done_without(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on = []

    def late(*_arguments: object) -> None:
        signal.raise_signal(signal.SIGALRM)
        went_on.append(True)

    monkeypatch.setattr(hook, "_log", late)

    assert (run("Stop"), went_on) == (0, [])


@pytest.mark.parametrize("moment", ["open_home", "open_directory"])
def test_a_deadline_that_passes_between_two_steps_loses_nothing(
    moment: str, home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("Stop", payload=home.payload("Stop"))
    does = getattr(state, moment)

    def late(*arguments: object, **options: object) -> object:
        signal.raise_signal(signal.SIGALRM)
        return does(*arguments, **options)

    monkeypatch.setattr(state, moment, late)
    run("Stop", payload=home.payload("Stop"))

    assert len(home.entries) == 2


def test_a_client_that_does_not_listen_is_left_with_a_word_in_the_log(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "rendered", lambda *_: signal.raise_signal(signal.SIGALRM))

    code = run("Stop", payload=home.payload("Stop"))

    assert (code, len(home.entries)) == (0, 1)
    assert "SlowError: the answer, so there is none" in home.log[0]
