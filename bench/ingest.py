"""Ingest: how fast the spool is drained, as a ratio to a bare loop of the same run.

    python bench/ingest.py [--events N] [--soak [N]]

The bare loop reads the same kind of files, parses, hashes, inserts into a plain table in batches of
the same size and removes them. Then: which stage of ingest takes which share of its CPU; and with
`--soak` whether memory stays flat. Everything happens in homes that are thrown away, and every
transcript is verified. Fails where the ratio or the growth of memory is beyond its bar.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import resource
import signal
import statistics
import sys
import sysconfig
import tempfile
import time
from base64 import b32encode
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from tacit import paths
from tacit.capture import entry
from tacit.capture.spool import FORMAT, Spool
from tacit.compose import open_app
from tacit.guard import fastjson, payload
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.transcript import SqliteStore
from tacit.transcript import identity, mark, segments, trim, wire
from tacit.transcript.files import Files, size_of
from tacit.transcript.ingest import BATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.app import App

    Fields = dict[str, Any]

ROUNDS, PROFILED = 5, 2000
SPEED_BAR, RATIO_BAR, GROWTH_BAR = 1500, 0.15, 20  # events/s, to the bare loop, MB
SIZE = 3000
TURN, SESSION, TELLING = 10, 100, 9  # of so many events is a turn, a session; one holds a secret
CHUNK, STEP = 5_000, 10_000
GROUP, FILE = "main", "app/report.py"
REDACTED = "SELECT COUNT(*) FROM payloads WHERE INSTR(body, CAST('[redacted:' AS BLOB))"
PAGES = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
SECRETS = (
    "export AWS_ACCESS_KEY_ID=AKIA{upper:.16}",
    "DB_PASSWORD={mixed:.14}",
    "git clone https://deploy:{mixed:.20}@git.example.com/team/app.git",
    '{{"api_key": "{lower:.40}", "region": "eu-west-3"}}',
    "remote: Authorization: Bearer {mixed:.44}",
)


def _tool(name: str, given: Fields, answer: Fields) -> Fields:
    event = {"hook_event_name": "PostToolUse", "tool_name": name}
    return event | {"tool_input": given, "tool_response": answer}


def _bash(text: str) -> Fields:
    command = {"command": "make report", "description": "Run the report"}
    return _tool("Bash", command, {"stdout": text, "stderr": "", "interrupted": False})


def _read(text: str) -> Fields:
    file = {"filePath": FILE, "content": text, "numLines": 80, "startLine": 1, "totalLines": 80}
    return _tool("Read", {"file_path": FILE}, {"type": "text", "file": file})


def _edit(text: str) -> Fields:
    old, new = text[: len(text) // 4], text[len(text) // 4 : len(text) // 2]
    lines = text[len(text) // 2 :].split("\n")
    patch = [{"oldStart": 12, "oldLines": 7, "newStart": 12, "newLines": 9, "lines": lines}]
    edit = {"file_path": FILE, "old_string": old, "new_string": new}
    return _tool("Edit", edit, {"filePath": FILE, "structuredPatch": patch})


def _prompt(text: str) -> Fields:
    return {"hook_event_name": "UserPromptSubmit", "prompt": text}


def _reply(text: str) -> Fields:
    return {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": text}


SHAPES = (_prompt, _read, _bash, _edit, _bash, _read, _edit, _bash, _bash, _reply)


class Client:
    """A client that is always at work; no event of its is like another."""

    def __init__(self, projects: Path) -> None:
        library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
        code = b"".join(file.read_bytes() for file in library)[:4_000_000]
        self._text = code.decode("utf-8", "replace")
        self._projects = [projects / name for name in ("shop", "site", "tools")]
        for each in self._projects:
            each.mkdir(parents=True)
        self._started_ns = time.time_ns()
        self.made = self.told = self.size = 0

    def fill(self, folder: Path, count: int) -> None:
        """Put events into a folder, in the format of the spool."""
        for _ in range(count):
            number = self.made
            event, raw = self._event(number)
            received_ns = self._started_ns + number * 1_000_000
            header = f"{FORMAT} {received_ns} {event} claude-code 4321 {GROUP} -\n"
            name = f"{received_ns:020d}-000001-4321-{number & 0xFFFFFFFF:08x}"
            (folder / name).write_bytes(header.encode() + raw)
            self.made += 1
            self.size += len(raw)
        # the hook leaves files that are on disk: else the first commit would pay for these
        os.sync()

    def _event(self, number: int) -> tuple[str, bytes]:
        """Return the name and the payload of an event."""
        session, turn = number // SESSION, number // TURN
        fields: Fields = {
            "session_id": _hash("session", session)[:32],
            "cwd": str(self._projects[session % len(self._projects)]),
            "permission_mode": "default",
        }
        if session % 4:  # not every client says to which prompt an event belongs
            fields["prompt_id"] = _hash("prompt", turn)[:32]
        fields |= SHAPES[number % TURN](self._passage(number))
        if "tool_name" in fields:
            fields["tool_use_id"] = f"toolu_{_hash('tool', number)[:24]}"
        raw = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
        return fields["hook_event_name"], raw

    def _passage(self, number: int) -> str:
        """Return a passage of code, at times with a secret in it."""
        length = SIZE - 550  # the other fields, and the escapes
        start = number * 977 % (len(self._text) - length)
        passage = self._text[start : start + length]
        if number % TELLING:
            return passage
        self.told += 1
        cut = passage.find("\n", length // 3) + 1
        return f"{passage[:cut]}{_secret(number)}\n{passage[cut:]}"


def _hash(kind: str, number: int) -> str:
    return sha256(f"{kind} {number}".encode()).hexdigest()


def _secret(number: int) -> str:
    """Return a line with a secret that nobody ever had."""
    digest = sha256(b"secret %d" % number).digest()
    upper = b32encode(digest).decode()
    mixed = "".join(f"{char.lower()}{char}{ord(char) % 10}" for char in upper[:24])
    form = SECRETS[number // TELLING % len(SECRETS)]
    return form.format(upper=upper, mixed=mixed, lower=digest.hex() + digest.hex())


class Bare:
    """What nobody can do without: read, parse, hash, insert, remove."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "new"
        self.folder.mkdir(parents=True)
        self._directory = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        self._database = apsw.Connection(str(folder / "bare.db"))
        self._database.execute("PRAGMA journal_mode = wal")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, digest, body)")

    def drain(self) -> None:
        """Take in what lies in the folder."""
        names = sorted(os.listdir(self._directory))  # noqa: PTH208  (pathlib would not be bare)
        for start in range(0, len(names), BATCH):
            batch = names[start : start + BATCH]
            self._database.execute("BEGIN IMMEDIATE")
            for name in batch:
                self._take(name)
            self._database.execute("COMMIT")
            for name in batch:
                os.unlink(name, dir_fd=self._directory)

    def _take(self, name: str) -> None:
        descriptor = os.open(name, os.O_RDONLY, dir_fd=self._directory)
        raw = os.read(descriptor, 1 << 20)
        os.close(descriptor)
        body = raw.partition(b"\n")[2]
        json.loads(body)
        self._database.execute(
            "INSERT INTO events (digest, body) VALUES (?, ?)", (sha256(body).digest(), body)
        )

    def close(self) -> None:
        """Let it go."""
        self._database.close()
        os.close(self._directory)


@dataclass(slots=True)
class Bench:
    """A home, a client that fills its spool, and the app that drains it."""

    scratch: Path
    spool: Path
    files: Files
    client: Client
    app: App

    def drain(self) -> None:
        """Take in what waits: all of it, and all of it new."""
        drained = self.app.drain(seconds=None, curating=False)
        if drained.bad or drained.known or drained.echoes or drained.waiting:
            sys.exit(f"Not every event was taken in: {drained}")

    def check(self) -> None:
        """Refuse numbers that were measured on a wrong transcript."""
        say(f"verifying {self.client.made} events")
        found = self.app.verify(GROUP)
        if found is None or not found.is_sound or found.events != self.client.made:
            sys.exit(f"{self.client.made} events were to be taken in: {found}")
        redacted = self.asked(REDACTED)
        if redacted < self.client.told:
            sys.exit(f"Of {self.client.told} events with secrets only {redacted} were redacted.")

    def asked(self, query: str) -> int:
        """Return the one number that a query of the transcript gives."""
        with closing(apsw.Connection(str(self.files.database))) as database:
            return int(next(database.execute(query))[0])


@contextmanager
def bench() -> Iterator[Bench]:
    """Give a home to measure in, all loaded and open, and throw it away."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as name:
        scratch, home = Path(name), Path(name) / "home"
        with closing(open_app(str(home))) as app:
            client = Client(scratch / "projects")
            made = Bench(scratch, home / paths.SPOOL / "new", Files(home, GROUP), client, app)
            client.fill(made.spool, 2 * BATCH)
            made.drain()
            yield made


def say(text: str) -> None:
    """Tell whoever waits how far it is."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one drain took."""

    speed: float  # events per second
    cpu_ms: float  # per event


def timed(drain: Callable[[], None], events: int) -> Taken:
    """Return what a drain of so many events takes."""
    cpu, wall = time.process_time(), time.perf_counter()
    drain()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Taken(events / wall, cpu * 1000 / events)


def measure(events: int) -> tuple[list[Taken], list[Taken]]:
    """Return what the rounds of ingest and those of the bare loop took, turn by turn."""
    ours: list[Taken] = []
    bares: list[Taken] = []
    with bench() as home, closing(Bare(home.scratch / "bare")) as bare:
        other = Client(home.scratch / "other")
        sides = [
            (ours, home.client, home.spool, home.drain),
            (bares, other, bare.folder, bare.drain),
        ]
        for number in range(ROUNDS):
            for taken, client, folder, drain in sides if number % 2 else sides[::-1]:
                client.fill(folder, events)
                taken.append(timed(drain, events))
            speeds = f"ingest {ours[-1].speed:.0f}/s, bare {bares[-1].speed:.0f}/s"
            say(f"round {number + 1} of {ROUNDS}: {speeds}")
        home.check()
        print(f"{ROUNDS} rounds of {events} events, {other.size / other.made:.0f} bytes each")
        on, load = look(home.scratch), os.getloadavg()[0]
        print(f"SQLite {on.version}, {on.journal}, {on.filesystem}, load {load:.1f}\n")
    return ours, bares


def compare(events: int) -> bool:
    """Print how fast ingest is beside the bare loop; say whether the ratio holds its bar."""
    ours, bares = measure(events)
    ratios = [our.speed / bare.speed for our, bare in zip(ours, bares, strict=True)]
    costs = [our.cpu_ms / bare.cpu_ms for our, bare in zip(ours, bares, strict=True)]
    print(f"{'':<28} {'median':>9} {'least':>9} {'most':>9} {'bar':>9}")
    _row("ingest, events/s", ".0f", [each.speed for each in ours], f">= {SPEED_BAR}")
    _row("bare loop, events/s", ".0f", [each.speed for each in bares])
    _row("ingest, CPU ms per event", ".3f", [each.cpu_ms for each in ours])
    _row("bare loop, CPU ms per event", ".3f", [each.cpu_ms for each in bares])
    _row("speed, ingest to bare", ".3f", ratios, f">= {RATIO_BAR}")
    _row("CPU, ingest to bare", ".1f", costs)
    return statistics.median(ratios) >= RATIO_BAR


def _row(name: str, form: str, values: list[float], bar: str = "") -> None:
    numbers = [format(each(values), f"9{form}") for each in (statistics.median, min, max)]
    print(f"{name:<28} {' '.join(numbers)} {bar:>9}")


def stages() -> None:
    """Print each stage's share; profiled, calls of Python look dearer than those of the system."""
    profile = cProfile.Profile(time.process_time, builtins=False)
    with bench() as home:
        home.client.fill(home.spool, PROFILED)
        say(f"profiling {PROFILED} events")
        profile.runcall(home.drain)
        home.check()
    spent = {each.code: each.totaltime for each in profile.getstats()}
    parts: dict[str, list[Any]] = {
        "redaction": [payload.clean_json],
        "parsing": [entry.parse, fastjson.loads_telling, wire.understand],
        "identity, trimming": [identity.event_id, trim.trimmed],
        "append": [SqliteStore.append],
        "segment": [segments.append],
        "mark": [mark.write],
        "spool files": [Spool.waiting, Spool.read, Spool.remove],
    }
    whole = spent[Bench.drain.__code__]
    shares = {
        name: sum(spent.get(each.__code__, 0.0) for each in functions) / whole
        for name, functions in parts.items()
    }
    print(f"\n{'stage of ingest':<28} {'CPU':>9}")
    for name, share in (shares | {"the rest": 1 - sum(shares.values())}).items():
        print(f"{name:<28} {share:9.1%}")


def soak(events: int) -> bool:
    """Print how memory and files grow; say whether memory stays flat from the first step on."""
    resident: list[float] = []
    with bench() as home:
        print(f"{'events taken in':<28} {'RSS MB':>9}")
        for upto in range(CHUNK, events + 1, CHUNK):
            home.client.fill(home.spool, CHUNK)
            taken = timed(home.drain, CHUNK)
            say(f"{upto} of {events}: {taken.speed:.0f}/s")
            if upto % STEP == 0:
                resident.append(_resident() / 1_000_000)
                print(f"{upto:<28} {resident[-1]:9.1f}", flush=True)
        home.check()
        sizes = {
            "payloads": home.client.size,
            "database": home.asked(PAGES),
            "segments": size_of(home.files.done),
        }
        made = home.client.made
    growth = resident[-1] - resident[0]
    print(f"{'growth':<28} {growth:9.1f} {f'<= {GROWTH_BAR}':>9}\n")
    for name, size in sizes.items():
        print(f"{f'{name}, bytes per event':<28} {size / made:9.0f}")
    print()
    return growth <= GROWTH_BAR


def _resident() -> int:
    """Return how many bytes of memory this process holds."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


def main() -> int:
    """Measure, print, and compare with the bars."""
    parser = argparse.ArgumentParser(description="speed of ingest as a ratio to a bare loop")
    parser.add_argument("--events", type=int, default=5000, help="in each round")
    parser.add_argument("--soak", type=int, nargs="?", const=100_000, default=0)
    options = parser.parse_args()
    is_enough = not options.soak or options.soak in range(2 * STEP, sys.maxsize, STEP)
    if options.events < 1 or not is_enough:
        parser.error(f"--events is at least 1, --soak a multiple of {STEP}, at least {2 * STEP}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ended from outside, it cleans up too
    # before the rest: memory that the rest has used and let go would hide some growth
    is_flat = soak(options.soak) if options.soak else True
    is_fast = compare(options.events)
    stages()
    return int(not (is_flat and is_fast))


if __name__ == "__main__":
    sys.exit(main())
