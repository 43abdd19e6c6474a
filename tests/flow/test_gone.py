"""R28: told to go, Tacit is gone: no process, no hook, no listener; what is kept stays.

By `tacit uninstall`, while hooks run and with a client that still knows the old command; and by
`tacit pause` with `tacit daemon stop`, for whoever wants it silent but installed.
"""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

SOON = 5.0  # seconds
EVENTS = 12
SILENT = (0, b"", b"")


class Installed:
    """A home that was installed in a client's settings, and the daemon that its hooks start."""

    def __init__(self, home: Home, daemons: Daemons) -> None:
        self.home = home
        self.daemons = daemons
        self.settings = home.scratch / "user" / ".claude" / "settings.json"
        self.tacit("install", "--yes")
        hook = json.loads(self.settings.read_bytes())["hooks"]["UserPromptSubmit"][0]["hooks"][0]
        self._command = [hook["command"], *hook["args"]]

    def tacit(self, *arguments: str) -> str:
        """Run a verb of ours, which does what it is told."""
        ended = tacit(self.home.path, *arguments, stdin=subprocess.DEVNULL)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def prompt(self, text: str) -> tuple[int, bytes, bytes]:
        """Run the registered hook for a prompt, as a client does; return how it ended."""
        ended = subprocess.run(
            self._command,
            cwd=self.home.project,
            input=self.home.payload("UserPromptSubmit", prompt=text, prompt_id=text),
            capture_output=True,
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr

    def until_gone(self) -> None:
        """Wait until nothing of ours runs or listens."""
        until(lambda: not self.daemons.alive(), "the end of every process", SOON)
        assert not (self.home.path / "daemon.sock").exists()

    def kept(self) -> Any:
        """Return how many events there are, taken in or waiting."""
        (group,) = json.loads(self.tacit("status", "--json"))["groups"]
        return group["events"]


@pytest.fixture
def installed(home: Home) -> Iterator[Installed]:
    with Daemons(home) as daemons:
        yield Installed(home, daemons)


def files(home: Path) -> set[str]:
    return {str(file.relative_to(home)) for file in home.rglob("*") if file.is_file()}


def test_uninstalled_while_hooks_run_nothing_of_it_is_left_but_what_is_kept(
    installed: Installed,
) -> None:
    installed.daemons.start()
    with ThreadPoolExecutor(EVENTS) as pool:
        running = [pool.submit(installed.prompt, f"prompt {number}") for number in range(EVENTS)]
        until(lambda: any(each.done() for each in running), "a hook that has returned")

        installed.tacit("uninstall")

    assert [each.result() for each in running] == [SILENT] * EVENTS
    installed.until_gone()
    assert not installed.settings.exists()
    assert 0 < installed.kept() <= EVENTS


def test_a_client_that_still_knows_the_hook_runs_nothing_and_starts_nothing(
    installed: Installed,
) -> None:
    installed.prompt("before")
    installed.tacit("uninstall")
    installed.until_gone()
    before = installed.kept()

    codes = [installed.prompt(f"after {number}") for number in range(3)]

    assert codes == [SILENT] * 3
    assert installed.daemons.alive() == []
    assert installed.kept() == before == 1


def test_paused_and_stopped_it_is_silent_until_it_is_told_to_go_on(installed: Installed) -> None:
    installed.daemons.start()
    installed.prompt("before")
    installed.daemons.until_taken()
    installed.tacit("pause")
    installed.tacit("daemon", "stop")
    installed.until_gone()
    before = files(installed.home.path)

    codes = [installed.prompt(f"off the record {number}") for number in range(3)]

    assert codes == [SILENT] * 3
    assert (installed.daemons.alive(), files(installed.home.path)) == ([], before)
    installed.tacit("resume")
    installed.prompt("on the record")
    assert installed.kept() == 2


def test_purged_nothing_is_left_at_all(installed: Installed) -> None:
    installed.daemons.start()
    installed.prompt("before")

    installed.tacit("uninstall", "--purge", "--yes")

    until(lambda: not installed.daemons.alive(), "the end of every process", SOON)
    assert not installed.home.path.exists()
    assert not installed.settings.exists()
