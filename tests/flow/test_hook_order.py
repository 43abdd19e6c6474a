"""Events stand in the order in which their hooks were started, however busy the machine is."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

from rig import only_linux

if TYPE_CHECKING:
    from rig import Home

AT_ONCE = 40


def _prompts(home: Home) -> list[str]:
    return [entry.payload.decode().partition('"prompt":"')[2][:-2] for entry in home.entries]


def _start(home: Home, command: list[str], prompt: str) -> subprocess.Popen[bytes]:
    """Start a hook without waiting for it, its payload ready to be read."""
    file = home.scratch / f"{prompt}.json"
    file.write_bytes(home.payload("UserPromptSubmit", prompt=prompt))
    with file.open("rb") as payload:
        return subprocess.Popen(command, stdin=payload, cwd=home.project)


@only_linux
def test_hooks_started_one_after_the_other_are_dated_in_that_order(home: Home) -> None:
    home.hook("Stop", {})  # the home is there
    for file in home.spooled:
        file.unlink()

    command = home.program("UserPromptSubmit")
    started = [_start(home, command, f"number {n:02d}") for n in range(AT_ONCE)]
    assert [hook.wait() for hook in started] == [0] * AT_ONCE

    assert _prompts(home) == [f"number {n:02d}" for n in range(AT_ONCE)]


@only_linux
def test_a_hook_that_is_slow_to_begin_is_dated_by_when_it_was_started(home: Home) -> None:
    slowly = ["sh", "-c", 'sleep 0.5; exec "$@"', "sh", *home.program("UserPromptSubmit")]

    first = _start(home, slowly, "first")
    time.sleep(0.1)
    second = _start(home, home.program("UserPromptSubmit"), "second")
    assert (second.wait(), first.wait()) == (0, 0)

    assert _prompts(home) == ["first", "second"]
