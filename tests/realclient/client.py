"""The real client in a home of its own: its settings name our hooks, and its model is a script.

Nothing of the machine's user is read or written: home, configuration, temporary files and
environment are the rig's. The way to every other host leads through the script, which refuses it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from realclient.api import Api
from rig import ROOT, Home
from tacit.install.hooks import registrations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from realclient.api import Step

INSTALLED = ROOT / ".cache" / "client" / "node_modules" / "@anthropic-ai"
SDK = ROOT / ".cache" / "sdk"
SEARCHED = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin"))
PATIENCE = 60.0
TOOLS = ("Bash", "Read", "Write", "Agent")
STREAMED = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class NotInstalled(RuntimeError):  # noqa: N818  (a state, not a mishap)
    """The client or its SDK was never installed."""


def program() -> Path:
    """Return the client's program."""
    found = sorted(INSTALLED.glob("claude-code-*/claude"))
    if not found:
        raise NotInstalled("The real client is not installed: run `make test` once.")
    return found[0]


def surroundings(user: Path, temporary: Path, api: Api) -> dict[str, str]:
    """Return the environment of a user whose client talks with a script and with nobody else."""
    return {
        "PATH": SEARCHED,
        "HOME": str(user),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TMPDIR": str(temporary),
        "CLAUDE_CODE_TMPDIR": str(temporary),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "not-a-key",
        "HTTP_PROXY": api.url,
        "HTTPS_PROXY": api.url,
        "NO_PROXY": "127.0.0.1",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How one run of the client ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def told(self) -> dict[str, Any]:
        """Return what the client says of its run."""
        told: dict[str, Any] = json.loads(self.out)
        return told

    @property
    def session(self) -> str:
        """Return the id of the session that ran."""
        return str(self.told["session_id"])


class Client:
    """The client, installed for one home of ours and one script."""

    def __init__(self, home: Home, api: Api, *, hooked: bool = True) -> None:
        self.home = home
        self.api = api
        self.program = program()
        self.user = home.scratch / "user"
        self.config = self.user / ".claude"
        self.temporary = home.scratch / "tmp"
        for each in (self.config, self.temporary):
            each.mkdir(parents=True, exist_ok=True)
        self._settle(registrations(home.launcher) if hooked else {})

    def _settle(self, hooks: dict[str, Any]) -> None:
        """Write the settings, and what a user has agreed to before the first prompt."""
        settings = {"hooks": hooks, "permissions": {"allow": list(TOOLS)}}
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        agreed = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["not-a-key"], "rejected": []},
            "projects": {str(self.home.project): trusted},
        }
        (self.config / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        (self.config / ".claude.json").write_text(json.dumps(agreed), encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """Return all that the client knows of its surroundings."""
        found = surroundings(self.user, self.temporary, self.api)
        return found | {"CLAUDE_CONFIG_DIR": str(self.config)}

    def start(self, prompt: str, *options: str) -> subprocess.Popen[str]:
        """Start a run in print mode, in a process group of its own."""
        return subprocess.Popen(
            [self.program, "-p", prompt, "--output-format", "json", *options],
            cwd=self.home.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def say(self, prompt: str, *options: str) -> Ended:
        """Run the client with one prompt and wait for its end."""
        started = time.monotonic()
        running = self.start(prompt, *options)
        try:
            out, err = running.communicate(timeout=PATIENCE)
        finally:
            kill(running)
        return Ended(code=running.returncode, out=out, err=err, seconds=time.monotonic() - started)

    def resume(self, session: str, prompt: str) -> Ended:
        """Go on with a session."""
        return self.say(prompt, "--resume", session)

    def call(self, *arguments: str) -> str:
        """Run a command of the client that is no session; return what it says."""
        return self._ran([str(self.program), *arguments], {})

    def tacit(self, *arguments: str, code: int = 0) -> str:
        """Run a verb of ours as the client's user does; return what it says."""
        command = [sys.executable, "-m", "tacit", *arguments]
        return self._ran(command, {"TACIT_HOME": str(self.home.path)}, code)

    def _ran(self, command: list[str], more: dict[str, str], code: int = 0) -> str:
        ended = subprocess.run(
            command,
            cwd=self.home.project,
            env=self.environment() | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (code, ""), ended.stdout
        return ended.stdout

    @contextmanager
    def session(self) -> Iterator[Callable[[str], dict[str, Any]]]:
        """Hold one session; what is given says a prompt and returns how its turn ended."""
        with subprocess.Popen(
            [self.program, "-p", *STREAMED],
            cwd=self.home.project,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as running:
            late = threading.Timer(2 * PATIENCE, running.kill)
            late.start()
            try:
                yield lambda prompt: _turn(running, prompt)
                running.communicate(timeout=PATIENCE)
            finally:
                late.cancel()
                running.kill()

    def through_the_sdk(self, *prompts: str) -> Ended:
        """Run a session of a program that is built on the SDK."""
        if not (SDK / ".ready").exists():
            raise NotInstalled("The client's SDK is not installed: run `make test` once.")
        started = time.monotonic()
        ended = subprocess.run(
            [sys.executable, "-S", "-P", Path(__file__).with_name("sdk_session.py")],
            cwd=self.home.project,
            env=self.environment() | {"PYTHONPATH": str(SDK)},
            input=json.dumps({"program": str(self.program), "prompts": prompts}),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ended(
            code=ended.returncode,
            out=ended.stdout,
            err=ended.stderr,
            seconds=time.monotonic() - started,
        )


def _turn(running: subprocess.Popen[str], prompt: str) -> dict[str, Any]:
    """Say a prompt to a client that goes on running, and wait until its turn has ended.

    How long the answer took is told beside how the turn ended, for hooks run after the answer too.
    """
    if running.stdin is None or running.stdout is None:
        raise RuntimeError("The client was started without pipes.")
    message = {"role": "user", "content": prompt}
    started, answered = time.monotonic(), 0.0
    running.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
    running.stdin.flush()
    for line in running.stdout:
        told: dict[str, Any] = json.loads(line)
        if told["type"] == "assistant":
            answered = answered or time.monotonic() - started
        if told["type"] == "result":
            return told | {"answered_in": answered, "ended_in": time.monotonic() - started}
    raise RuntimeError(f"The client never answered {prompt!r}.")


def kill(running: subprocess.Popen[str]) -> None:
    """Kill the client, if it still runs, and only it; then let go of its pipes."""
    if running.poll() is None:
        os.kill(running.pid, signal.SIGKILL)
    running.communicate()


@contextmanager
def conversing(
    home: Home, script: Mapping[str, Sequence[Step]], *, hooked: bool = True, latency: float = 0.0
) -> Iterator[Client]:
    """Give a client to talk with by a script; at the end nothing was asked beyond the script."""
    with Api(script, latency) as api:
        yield Client(home, api, hooked=hooked)
    assert [request.user_text() for request in api.unscripted] == []
