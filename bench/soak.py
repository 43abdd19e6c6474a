"""Soak: one daemon through many turns, watched from outside, then left alone.

    python bench/soak.py [--turns N] [--pace N] [--idle SECONDS] [--every SECONDS] [--embedder NAME]

A turn is a prompt, two uses of a tool and a reply, put into the spool as the hook does it; every
hundredth prompt comes from a real hook. What the process holds is read from /proc while it works
and while it is idle, which it is when nothing has come for half a minute. Everything happens in a
home that is thrown away, and its transcript is verified. Fails where a bar is missed. The bars are
those of the daemon itself, so it runs without the embedder unless `--embedder local` is said: its
model takes memory while sessions are under way.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import paths
from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.daemon.run import Limits
from tacit.install.command import hook_command, write_launcher

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.transcript.verify import Verified

GROWTH_BAR, IDLE_BAR, LOG_BAR = 30, 60, 64  # MB
AGE_BAR, TIME_BAR = 300, 1800  # seconds
CPU_BAR = 0.5  # % of one core, idle
MOMENT = 1.0  # seconds: a round of the daemon's comes sooner
CHORES = 60  # seconds, after which the daemon looks whether a backup is due
WARM_UP = 20  # of so many parts of the turns the first one is not counted
EVENTS, HOOKED, SESSION = 4, 100, 50  # of a turn; every n-th prompt by a hook; turns of a session
LOOKS, BETWEEN, QUIET = 60, 0.05, 0.05  # looks, seconds between two, seconds of CPU in all
GROUP = "main"
MB = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the daemon held at one moment."""

    at: float
    rss: float
    descriptors: int
    threads: int
    children: int
    log: float
    age: float
    cpu: float


class Watch:
    """One process and its home, seen from outside."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.pid = self.holder()
        self._process = Path("/proc") / str(self.pid)
        self._began = time.monotonic()

    def holder(self) -> int:
        """Return which process is the daemon of the home."""
        return int((self._home / paths.DAEMON_LOCK).read_text(encoding="ascii"))

    def waiting(self) -> list[str]:
        """Return what waits in the spool, the oldest first."""
        return sorted(os.listdir(self._home / paths.SPOOL / "new"))  # noqa: PTH208  (names only)

    def look(self) -> Seen:
        """Return what it holds now."""
        waiting = self.waiting()
        oldest = int(waiting[0].partition("-")[0]) if waiting else time.time_ns()
        lines = (self._process / "status").read_text(encoding="utf-8").splitlines()
        told = dict(line.split(":", 1) for line in lines)
        tasks = (self._process / "task").glob("*/children")
        return Seen(
            at=time.monotonic() - self._began,
            rss=int(told["VmRSS"].split()[0]) * 1024 / MB,
            descriptors=len(os.listdir(self._process / "fd")),  # noqa: PTH208
            threads=int(told["Threads"]),
            children=sum(len(each.read_text(encoding="ascii").split()) for each in tasks),
            log=_size(self._home / paths.GROUPS / GROUP / f"{paths.TRANSCRIPT}-wal") / MB,
            age=max(0, time.time_ns() - oldest) / 1e9,
            cpu=self._cpu(),
        )

    def settled(self) -> Seen:
        """Wait until nothing waits and it does little; return the least that is held then."""
        until = time.monotonic() + TIME_BAR
        while True:
            looks = [self.look()]
            for _ in range(LOOKS):  # a round that is just looking has a file or two open
                time.sleep(BETWEEN)
                looks.append(self.look())
            if not self.waiting() and looks[-1].cpu - looks[0].cpu <= QUIET:
                return min(looks, key=lambda seen: (seen.descriptors, seen.threads, seen.rss))
            if time.monotonic() >= until:
                sys.exit("The daemon does not come to rest.")

    def backed_up(self) -> Seen:
        """Wait for the day's backup, which is work of the daemon too; return what is held then."""
        until = time.monotonic() + 2 * CHORES
        while not any((self._home / paths.BACKUPS / GROUP).glob("[0-9]*.db")):
            if time.monotonic() >= until:
                sys.exit("The daemon has made no backup.")
            time.sleep(BETWEEN)
        time.sleep(1)
        return self.settled()

    def rested(self) -> Seen:
        """Wait until nothing has come for so long that it lets go; return what is held then."""
        time.sleep(Limits().rest + 2 * MOMENT)
        return self.look()

    def _cpu(self) -> float:
        """Return how many seconds of CPU it has used."""
        line = (self._process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(line[11]) + int(line[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """A client in one project; no event of its is like another."""

    def __init__(self, scratch: Path, environment: dict[str, str]) -> None:
        self._environment = environment
        self._project = scratch / "project"
        self._project.mkdir()
        home = environment["TACIT_HOME"]
        self._launcher = write_launcher(scratch / "hook.py", Path(home))
        library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
        code = b"".join(file.read_bytes() for file in library)[: 4 * MB]
        self._text = code.decode("utf-8", "replace")
        self._root = state.open_home(home)
        self._spool = Spool(self._root)
        self.said = self.size = 0
        self.asking = 0  # the turn whose prompt comes from a hook, whatever its number
        self.hooks: list[float] = []

    def turn(self, number: int) -> None:
        """Say one turn: a prompt, two uses of a tool, a reply."""
        tool = {"tool_name": "Bash", "tool_input": {"command": f"make report-{number}"}}
        self._say("UserPromptSubmit", number, {"prompt": self._passage(1000)})
        for _ in range(2):
            answer = {"stdout": self._passage(1500 + self.said % 1000), "stderr": ""}
            used = tool | {"tool_response": answer, "tool_use_id": f"use-{self.said}"}
            self._say("PostToolUse", number, used)
        self._say("Stop", number, {"last_assistant_message": self._passage(1200)})

    def close(self) -> None:
        """Let the spool go."""
        self._spool.close()
        os.close(self._root)

    def _say(self, event: str, number: int, rest: dict[str, Any]) -> None:
        fields = {
            "session_id": f"session-{number // SESSION:06d}",
            "cwd": str(self._project),
            "prompt_id": f"prompt-{number:06d}",
            "hook_event_name": event,
        }
        payload = json.dumps(fields | rest, separators=(",", ":"), ensure_ascii=False).encode()
        if event == "UserPromptSubmit" and (number % HOOKED == 0 or number == self.asking):
            self._hook(event, payload)
        else:
            now_ns = time.time_ns()
            self._spool.publish(payload, event=event, received_ns=now_ns, client="claude-code")
        self.said += 1
        self.size += len(payload)

    def _hook(self, event: str, payload: bytes) -> None:
        started = time.monotonic()
        subprocess.run(
            hook_command(self._launcher, event),
            input=payload,
            env=self._environment,
            cwd=self._project,
            stdout=subprocess.DEVNULL,  # it may answer
            check=True,
        )
        self.hooks.append(time.monotonic() - started)

    def _passage(self, length: int) -> str:
        start = self.said * 977 % (len(self._text) - length)
        return self._text[start : start + length]


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


@contextmanager
def daemon(environment: dict[str, str]) -> Iterator[Watch]:
    """Give a daemon of its own to watch, and let it go."""
    command = [sys.executable, "-P", "-m", "tacit", "daemon"]
    silent = {"env": environment, "stdout": subprocess.DEVNULL}
    subprocess.run([*command, "start"], check=True, **silent)  # type: ignore[call-overload]
    try:
        yield Watch(Path(environment["TACIT_HOME"]))
    finally:
        subprocess.run([*command, "stop"], check=False, **silent)  # type: ignore[call-overload]


def row(turn: int, seen: Seen, before: Seen) -> None:
    """Print one line of the table."""
    share = 100 * (seen.cpu - before.cpu) / max(seen.at - before.at, 1e-9)
    print(
        f"{seen.at:7.0f} {turn:7d} {seen.rss:7.1f} {seen.descriptors:6d} {seen.threads:7d} "
        f"{seen.children:8d} {seen.log:7.1f} {seen.age:7.1f} {share:6.1f}",
        flush=True,
    )


def work(client: Client, watch: Watch, turns: range, options: argparse.Namespace) -> list[Seen]:
    """Say these turns, at a pace if one is asked for; return what was seen meanwhile."""
    seen = [watch.look()]
    began = time.monotonic()
    for count, number in enumerate(turns):
        client.turn(number)
        if options.pace:
            time.sleep(max(0.0, began + (count + 1) / options.pace - time.monotonic()))
        if time.monotonic() >= began + len(seen) * options.every:
            seen.append(watch.look())
            row(number + 1, seen[-1], seen[-2])
    seen.append(watch.look())
    row(turns.stop, seen[-1], seen[-2])
    return seen


def soak(scratch: Path, options: argparse.Namespace) -> bool:
    """Run it all; say whether every bar holds."""
    home = scratch / "home"
    environment = {"PATH": os.environ["PATH"], "HOME": str(scratch), "TACIT_HOME": str(home)}
    first = max(1, options.turns // WARM_UP)
    os.close(state.open_home(str(home)))
    settings = f'[embed]\nprovider = "{options.embedder}"\n'
    (home / paths.CONFIG).write_text(settings, encoding="utf-8")
    with daemon(environment) as watch, closing(Client(scratch, environment)) as client:
        print(
            f"{'seconds':>7} {'turns':>7} {'RSS MB':>7} {'files':>6} {'threads':>7} "
            f"{'children':>8} {'log MB':>7} {'age s':>7} {'CPU %':>6}"
        )
        warm_up = work(client, watch, range(first - 1), options)
        watch.settled()
        client.asking = first - 1  # the daemon has something to look at then: it opens its files
        warm_up += work(client, watch, range(first - 1, first), options)
        warm = watch.settled()
        seen = [warm, *work(client, watch, range(first, options.turns), options)]
        done = watch.settled()
        row(options.turns, done, seen[-1])
        seen.append(done)
        if options.idle >= CHORES:  # else the backup would fall into the idle time
            seen.append(watch.backed_up())
            row(options.turns, seen[-1], done)
        time.sleep(options.idle)
        idle = watch.look()
        row(options.turns, idle, seen[-1])
        rested = watch.rested()
        row(options.turns, rested, idle)
        is_same = watch.holder() == watch.pid
        slowest = max(client.hooks) * 1000
    print(f"\n{client.said} events of {client.size / client.said:.0f} bytes", end=", ")
    print(f"{len(client.hooks)} of them from hooks, the slowest {slowest:.0f} ms\n")
    held = verdict([*warm_up, *seen, idle], warm, done, rested)
    return held & kept(home, client.said, is_same=is_same)


def verdict(seen: list[Seen], warm: Seen, done: Seen, rested: Seen) -> bool:
    """Print how what was seen stands beside the bars; say whether all of them hold."""
    before, idle = seen[-2:]
    grown = max(each.rss for each in seen[seen.index(warm) :]) - warm.rss
    share = 100 * (idle.cpu - before.cpu) / (idle.at - before.at)
    bars = [
        ("memory grown, MB", grown, GROWTH_BAR),
        ("descriptors more", before.descriptors - warm.descriptors, 0),
        ("children", max(each.children for each in seen), 0),
        ("largest log, MB", max(each.log for each in seen), LOG_BAR),
        ("longest in the spool, s", max(each.age for each in seen), AGE_BAR),
        ("all turns, s", done.at, TIME_BAR),
        ("idle CPU, %", share, CPU_BAR),
        ("idle memory, MB", rested.rss, IDLE_BAR),
    ]
    for name, value, bar in bars:
        print(f"{name:<28} {value:9.2f} {f'<= {bar}':>9}  {'' if value <= bar else 'MISSED'}")
    return all(value <= bar for _, value, bar in bars)


def kept(home: Path, said: int, *, is_same: bool) -> bool:
    """Print whether all that was said stands in the transcript, taken in by one process."""
    with closing(open_app(str(home))) as app:
        found: Verified | None = app.verify(GROUP)
    is_whole = found is not None and found.is_sound and found.events == said
    print(
        f"{'events in the transcript':<28} {found.events if found else 0:9d} {f'== {said}':>9}  ",
        end="",
    )
    print("" if is_whole and is_same else f"MISSED: {found}, one process: {is_same}")
    return is_whole and is_same


def main() -> int:
    """Soak, print, and compare with the bars."""
    parser = argparse.ArgumentParser(description="one daemon through many turns, then idle")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument(
        "--pace", type=float, default=0, help="turns a second; 0: as many as can be"
    )
    parser.add_argument("--idle", type=float, default=60, help="seconds at the end")
    parser.add_argument("--every", type=float, default=5, help="seconds between two looks")
    parser.add_argument("--embedder", choices=("none", "local"), default="none")
    options = parser.parse_args()
    if options.turns < 1 or options.pace < 0 or options.idle <= 0 or options.every <= 0:
        parser.error("--turns is at least 1, --idle and --every are more than 0, --pace not less")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ended from outside, it cleans up too
    with tempfile.TemporaryDirectory(prefix="tacit-soak-") as name:
        return int(not soak(Path(name), options))


if __name__ == "__main__":
    sys.exit(main())
