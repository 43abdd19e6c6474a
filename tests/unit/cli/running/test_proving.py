"""The proof: each step is seen to fail where its part does, and nothing of it stays."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.daemons import until
from tacit.capture import wake
from tacit.cli.running.proving import Proof
from tacit.compose import open_app
from tacit.daemon import hold
from tacit.daemon.pulse import Pulse
from tacit.install.command import write_launcher
from tacit.install.registered import Registered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.cli.running.proving import Step

ALL = ["hook", "taken in", "curated", "search", "brief", "removed"]


@pytest.fixture
def app(home: Home) -> Iterator[App]:
    opened = open_app(str(home.path))
    yield opened
    opened.close()


def hooks(home: Home) -> Registered:
    events = ("UserPromptSubmit", "Stop", "SessionStart")
    return Registered(file=home.launcher, commands={each: home.command(each) for each in events})


def proved(
    app: App, home: Home, patience: float = 5.0, registered: Registered | None = None
) -> dict[str, Step]:
    proof = Proof(app, registered or hooks(home), patience)
    return {step.name: step for step in proof.steps()}


def test_a_turn_goes_all_the_way_and_leaves_no_trace(app: App, home: Home) -> None:
    steps = proved(app, home)

    assert [(name, step.is_fine) for name, step in steps.items()] == [(each, True) for each in ALL]
    assert b"canary" not in home.bytes_on_disk()
    assert str(home.launcher) in steps["hook"].text
    assert "canary" in steps["curated"].text


@pytest.mark.parametrize("is_first", [True, False], ids=["in a new home", "in one that has told"])
def test_it_is_not_noted_that_a_session_was_told(app: App, home: Home, *, is_first: bool) -> None:
    if not is_first:
        (home.path / "told").write_bytes(b"1\tsomebody\n")
    before = [file.read_bytes() for file in home.path.glob("told")]

    steps = proved(app, home)

    after = [file.read_bytes() for file in home.path.glob("told")]
    assert (steps["brief"].is_fine, after) == (True, before)


def test_without_a_daemon_every_step_is_the_command_s(app: App, home: Home) -> None:
    steps = proved(app, home)

    assert steps["taken in"].text.endswith(", by the command")
    assert steps["curated"].text.endswith(", by the command")


def test_what_is_no_event_in_the_spool_is_not_in_its_way(app: App, home: Home) -> None:
    (home.path / "spool" / "new" / f"{1:020d}-foreign").write_bytes(b"none of ours")
    (home.path / "spool" / "new" / f"{2:020d}-link").symlink_to("/etc/hostname")

    steps = proved(app, home)

    assert [(name, step.is_fine) for name, step in steps.items()] == [(each, True) for each in ALL]


def test_without_an_installed_hook_one_is_made_for_the_occasion(app: App, home: Home) -> None:
    steps = list(Proof(app, None).steps())

    assert all(step.is_fine for step in steps)
    assert not (home.path / "proving").exists()
    assert ("no client is set up" in steps[0].text, steps[0].fix) == (True, "tacit install")


def test_hooks_that_record_in_another_home_are_not_run(
    app: App, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_HOME", str(home.path))
    ran, other = home.scratch / "ran", home.scratch / "other"
    commands = {event: ["/bin/sh", "-c", f'touch "{ran}"'] for event in hooks(home).commands}
    found = replace(hooks(home), commands=commands, home=str(other))

    steps = proved(app, home, registered=found)

    assert all(step.is_fine for step in steps.values())
    assert (ran.exists(), other.exists()) == (False, False)
    assert f"those of {found.file} record in {other}" in steps["hook"].text


def test_a_hook_is_not_told_the_home_by_the_environment(app: App, home: Home) -> None:
    told = home.scratch / "told"
    commands = {
        event: ["/bin/sh", "-c", f'echo "$TACIT_HOME" >> "{told}"; exec "$0" "$@"', *command]
        for event, command in hooks(home).commands.items()
    }
    found = replace(hooks(home), commands=commands, home=str(home.path))

    steps = proved(app, home, registered=found)

    assert all(step.is_fine for step in steps.values())
    assert set(told.read_text(encoding="utf-8").split()) == set()


def test_what_the_settings_have_is_run_and_nothing_like_it(app: App, home: Home) -> None:
    ran = home.scratch / "ran"
    commands = {
        event: ["/bin/sh", "-c", f'echo {event} >> "{ran}"; exec "$0" "$@"', *command]
        for event, command in hooks(home).commands.items()
    }

    steps = proved(app, home, registered=replace(hooks(home), commands=commands))

    assert all(step.is_fine for step in steps.values())
    assert set(ran.read_text(encoding="utf-8").split()) == set(commands)
    assert steps["hook"].fix is None


def test_an_interpreter_that_is_gone_is_told_with_what_mends_it(app: App, home: Home) -> None:
    home.launcher = write_launcher(home.scratch / "tacit-hook.py", home.path)
    known = hooks(home).commands.items()
    commands = {
        event: [word.replace(sys.executable, "/gone/python") for word in command]
        for event, command in known
    }
    found = Registered(file=home.scratch / "settings.json", commands=commands, mend="mend it")

    steps = proved(app, home, registered=found)

    assert list(steps) == ["hook", "removed"]
    assert steps["hook"].text == f"{found.file} runs our hooks with /gone/python, which is gone"
    assert steps["hook"].fix == "mend it"


def test_an_event_without_a_hook_is_told(app: App, home: Home) -> None:
    commands = {"UserPromptSubmit": home.command("UserPromptSubmit")}

    steps = proved(app, home, registered=replace(hooks(home), commands=commands))

    assert steps["hook"].text == f"{home.launcher} has no hook of ours for Stop"
    assert b"canary" not in home.bytes_on_disk()


@pytest.mark.parametrize(("value", "is_off"), [("1", True), ("0", False)])
def test_a_variable_that_switches_hooks_off_is_told(
    *, app: App, home: Home, monkeypatch: pytest.MonkeyPatch, value: str, is_off: bool
) -> None:
    monkeypatch.setenv("TACIT_OFF", value)

    steps = proved(app, home)

    assert steps["hook"].is_fine != is_off
    assert ("TACIT_OFF" in steps["hook"].text, steps["hook"].fix) == (
        is_off,
        "unset TACIT_OFF" if is_off else None,
    )


def test_a_pause_is_told_with_the_command_that_ends_it(app: App, home: Home) -> None:
    app.pause(None)

    steps = proved(app, home)

    assert list(steps) == ["hook", "removed"]
    assert (steps["hook"].is_fine, steps["hook"].fix) == (False, "tacit resume")


def test_a_hook_that_writes_nothing_is_told(app: App, home: Home) -> None:
    home.launcher.write_text("", encoding="utf-8")

    steps = proved(app, home)

    assert list(steps) == ["hook", "removed"]
    assert steps["hook"].text == "the hook ran and wrote nothing"


def test_a_hook_that_fails_is_told(app: App, home: Home) -> None:
    home.launcher.write_text("raise SystemExit(3)", encoding="utf-8")

    assert proved(app, home)["hook"].text == "the hook ended with 3"


def test_a_curator_that_is_off_is_told_after_the_transcript_was_proved(home: Home) -> None:
    home.make()
    (home.path / "config.toml").write_text('[curate]\nmode = "off"\n', encoding="utf-8")
    app = open_app(str(home.path))

    steps = proved(app, home, patience=0.5)
    app.close()

    assert list(steps) == ["hook", "taken in", "curated", "removed"]
    assert not steps["curated"].is_fine
    assert "nothing was remembered" in steps["curated"].text
    assert b"canary" not in home.bytes_on_disk()


def test_a_daemon_has_the_time_it_needs_for_as_long_as_it_works(app: App, home: Home) -> None:
    patience, is_over = 2.0, threading.Event()

    def work(slow_until: float) -> None:
        """Be a daemon that is busy with something else until then."""
        mine = open_app(str(home.path))
        lock, pulse = hold.take(mine.root), Pulse(mine.root)
        assert lock is not None
        while not is_over.wait(0.05):
            pulse.beat()
            pulse.tell()
            if time.monotonic() >= slow_until:
                mine.drain()
        mine.close()
        os.close(lock)

    daemon = threading.Thread(target=work, args=(time.monotonic() + 2.5 * patience,))
    daemon.start()
    until(lambda: wake.is_running(app.root), "a daemon")
    try:
        steps = proved(app, home, patience)
    finally:
        is_over.set()
        daemon.join()

    assert [(name, step.is_fine) for name, step in steps.items()] == [(each, True) for each in ALL]
    assert steps["taken in"].text.endswith("by the daemon")
    assert steps["taken in"].milliseconds > 1000 * patience


def test_a_proof_that_is_broken_off_leaves_no_trace(app: App, home: Home) -> None:
    steps = Proof(app, hooks(home)).steps()
    assert next(steps).is_fine

    steps.close()  # type: ignore[attr-defined]

    assert b"canary" not in home.bytes_on_disk()
    assert home.spooled == []
