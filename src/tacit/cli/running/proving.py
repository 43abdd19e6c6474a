"""The proof of `tacit doctor --prove`: one turn, all the way, in the home as it is.

The command that a client's settings have for our hooks takes a turn in; where no client has us, or
its hooks record in another home, one like it, which is said. Whoever takes events in here, the
daemon if one runs, curates it; search finds it and the hook tells it to a new session. Then all of
it is removed, and no byte of it is left. Each step says how long it took; after one that fails, the
rest is not tried. A daemon has the time it needs for as long as it works; what one that was killed
or stopped has not done, the command does.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture import state
from tacit.capture.conf import Conf
from tacit.daemon import asking
from tacit.daemon.pulse import health
from tacit.errors import StoreBusy, TacitError
from tacit.install.command import hook_command, write_launcher
from tacit.install.registered import Registered
from tacit.install.standing import missing
from tacit.recall.question import Question
from tacit.store.index_port import Scope
from tacit.store.memory_port import Wanted
from tacit.transcript.files import paths_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.app import App

PATIENCE = 30.0  # seconds without a sign of work, of a daemon or of the command itself
MOST = 10  # times as long a step may take in all
_PAUSE = 0.1
_HOOK_SECONDS = 10.0
_EVENTS = ("UserPromptSubmit", "Stop", "SessionStart")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the proof."""

    name: str
    is_fine: bool
    text: str
    milliseconds: int
    fix: str | None = None


class Failed(Exception):  # noqa: N818  (a finding, not a mishap)
    """A step did not come out; says why, and what mends it."""

    def __init__(self, why: str, fix: str) -> None:
        super().__init__(why)
        self.fix = fix


class Proof:
    """One proof in one home."""

    def __init__(self, app: App, registered: Registered | None, patience: float = PATIENCE) -> None:
        self._app = app
        self._registered = registered
        self._patience = patience
        self._home = Path(app.status().home)
        self._word = "canary" + os.urandom(6).hex()
        self._group: str | None = None  # once it is made
        self._ground = self._home
        self._is_by_command = False  # what has to be done

    def steps(self) -> Iterator[Step]:
        """Yield each step when it is done; what was made is removed whatever happens."""
        try:
            yield from self._tried()
        finally:
            removed = _timed("removed", self._removed)
        yield removed

    def _tried(self) -> Iterator[Step]:
        """Yield one step after the other, until one fails."""
        advice = None if self._registered else "tacit install"
        hook = _timed("hook", self._hook)
        yield replace(hook, fix=hook.fix or advice)
        if not hook.is_fine:
            return
        for name, do in (
            ("taken in", self._taken),
            ("curated", self._curated),
            ("search", self._found),
            ("brief", self._told),
        ):
            step = _timed(name, do)
            yield step
            if not step.is_fine:
                return

    def _hook(self) -> str:
        """Play a turn through the hook, as the client's settings have it."""
        if os.environ.get("TACIT_OFF", "") not in {"", "0"}:
            raise Failed("TACIT_OFF is set here, so that no hook records", "unset TACIT_OFF")
        if not self._app.status().recording:
            raise Failed("recording is paused", "tacit resume")
        self._group, self._ground = self._app.begin_proof()
        where = self._chosen_hooks()
        self._run("UserPromptSubmit", prompt=f"Remember that the proof's word is {self._word}.")
        self._run("Stop", last_assistant_message="I will.")
        if not self._is_known():
            look = f"tacit doctor, and look at {paths.LOGS}/{paths.HOOK_LOG} in the home"
            raise Failed("the hook ran and wrote nothing", look)
        return f"two events through {where}"

    def _chosen_hooks(self) -> str:
        """Choose the hooks that are run: the client's if they record here; return which."""
        found = self._registered
        if found is not None and _is_home(found.home, self._home):
            return f"the hooks of {found.file}"
        self._registered = self._made()
        if found is None:
            return "hooks made for this; no client is set up"
        return f"hooks made for this; those of {found.file} record in {found.home}"

    def _made(self) -> Registered:
        """Return hooks like those of an installation, made for the occasion."""
        launcher = write_launcher(self._ground / "hook.py", self._home)
        commands = {event: hook_command(launcher, event) for event in _EVENTS}
        return Registered(file=launcher, commands=commands)

    def _command(self, event: str) -> list[str]:
        """Return what is run for an event; fail where that cannot be."""
        found = self._registered or self._made()
        words = found.commands.get(event)
        if words is None:
            raise Failed(f"{found.file} has no hook of ours for {event}", found.mend)
        if gone := missing(words):
            raise Failed(f"{found.file} runs our hooks with {gone}, which is gone", found.mend)
        return words

    def _taken(self) -> str:
        """Wait until the turn stands in the transcript."""
        by_daemon = self._await(lambda: self._count() >= len(("prompt", "reply")))
        return f"in the transcript, by {by_daemon}"

    def _curated(self) -> str:
        by_daemon = self._await(lambda: bool(self._memories()) or self._is_all_curated())
        memories = self._memories()
        if not memories:
            raise Failed("the turn was curated, and nothing was remembered", "tacit config")
        return f"«{memories[0]}», by {by_daemon}"

    def _found(self) -> str:
        """Wait until search finds it: the index follows what is curated."""
        asked: list[str] = []
        self._await(lambda: self._is_found(asked))
        return f"found by {asked[-1]}"

    def _is_found(self, asked: list[str]) -> bool:
        """Return whether search finds it, and note who was asked."""
        question = Question(text=self._word, scope=Scope(), limit=5)
        answer = asking.search(self._app.root, self._name, question)
        asked.append("the daemon" if answer else "the command")
        answer = answer or self._app.search(self._name, question)
        return any(self._word in hit.content for hit in answer.hits)

    def _told(self) -> str:
        """Let the hook tell a new session what is known."""
        word = self._word.encode()
        self._await(
            lambda: self._is_briefed() and word in self._run("SessionStart", source="startup")
        )
        return "a new session is told it by the hook"

    def _is_briefed(self) -> bool:
        """Return whether the file that the hook would print holds it."""
        text = state.read(self._app.root, paths.CAPTURE_CONF).decode("utf-8", "surrogateescape")
        file = Conf(text).brief(str(self._ground))
        return file is not None and self._holds(self._home / file)

    def _removed(self) -> str:
        if self._group is not None:
            self._app.end_proof(self._group)
        left = [file for file in paths_below(self._home) if self._holds(file)]
        if left:
            raise Failed(f"{len(left)} files still hold it, such as {left[0]}", "tacit doctor")
        return "no file of the home holds a byte of it"

    def _run(self, event: str, **fields: str) -> bytes:
        """Run the hook program for an event; return what it prints."""
        told = {"session_id": self._word, "cwd": str(self._ground), "hook_event_name": event}
        turn = {} if event == "SessionStart" else {"prompt_id": f"{self._word}-turn"}
        # an installed hook records where its launcher says, whatever the environment does
        environment = {name: value for name, value in os.environ.items() if name != "TACIT_HOME"}
        command = self._command(event)
        try:
            ended = subprocess.run(  # noqa: S603  (our own hook, as a client runs it)
                command,
                input=json.dumps(told | turn | fields).encode(),
                capture_output=True,
                check=False,
                timeout=_HOOK_SECONDS,
                env=environment,
                cwd=self._ground,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failed(f"the hook cannot run: {type(error).__name__}", "tacit install") from error
        if ended.returncode:
            raise Failed(f"the hook ended with {ended.returncode}", "tacit install")
        return ended.stdout

    def _await(self, is_done: Callable[[], bool]) -> str:
        """Wait for the daemon to have done it; while none runs, do it; return who did."""
        began = signed = time.monotonic()  # when the last sign of work was
        while not _is_so(is_done):
            found = health(self._app.root)
            self._is_by_command = found.state == "stopped"
            if self._is_by_command:
                done = self._app.drain()
                signed = time.monotonic() if done.taken or done.uncurated else signed
            now = time.monotonic()
            if found.beat_seconds is not None:
                signed = max(signed, now - found.beat_seconds)
            if now - signed >= self._patience or now - began >= MOST * self._patience:
                raise _given_up(self._worker, now - began)
            time.sleep(_PAUSE)
        return self._worker

    @property
    def _worker(self) -> str:
        """Return who did the last work: what is done at once was done by whoever worked before."""
        return "the command" if self._is_by_command else "the daemon"

    @property
    def _name(self) -> str:
        """Return the group of this proof."""
        return self._group or paths.PROVING_GROUP

    def _count(self) -> int:
        sessions = self._app.sessions(self._name)
        return sum(each.events for each in sessions if each.id == self._word)

    def _memories(self) -> list[str]:
        found = self._app.list(self._name, Wanted())
        return [each.content for each in found if self._word in each.content]

    def _is_all_curated(self) -> bool:
        """Return whether nothing is left to be curated."""
        queue = self._app.queue(self._name)
        return not queue.unread and not queue.counts.keys() - {"done", "dead"}

    def _is_known(self) -> bool:
        return self._waits() or self._count() > 0

    def _waits(self) -> bool:
        return any(self._word.encode() in entry.payload for entry in self._app.waiting())

    def _holds(self, file: Path) -> bool:
        try:
            return file.is_file() and self._word.encode() in file.read_bytes()
        except OSError:  # it has just gone
            return False


def _is_so(is_done: Callable[[], bool]) -> bool:
    """Return whether it is done; where another program is in the way, not yet."""
    try:
        return is_done()
    except StoreBusy:
        return False


def _given_up(who: str, seconds: float) -> Failed:
    if who == "the daemon":
        fix = "tacit daemon stop, then tacit daemon start"
        return Failed(f"the daemon has not done it within {seconds:.0f} s", fix)
    return Failed(f"it is not done after {seconds:.0f} s", "tacit queue")


def _is_home(named: str | None, home: Path) -> bool:
    """Return whether a launcher means this home; one that cannot be read is taken to."""
    return named is None or os.path.realpath(named) == os.path.realpath(home)


def _timed(name: str, do: Callable[[], str]) -> Step:
    """Do a step; say how it came out, and how long it took."""
    started = time.monotonic()
    fix = None
    try:
        text, is_fine = do(), True
    except Failed as error:
        text, is_fine, fix = str(error), False, error.fix
    except TacitError as error:
        text, is_fine, fix = str(error), False, "tacit doctor"
    except OSError as error:
        text, is_fine, fix = f"{type(error).__name__}: {error}", False, "tacit doctor"
    spent = round((time.monotonic() - started) * 1000)
    return Step(name=name, is_fine=is_fine, text=text, milliseconds=spent, fix=fix)
