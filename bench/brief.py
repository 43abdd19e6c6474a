"""The brief and surfacing among 10,000 memories of one project, each beside a baseline.

    python bench/brief.py [--memories N] [--runs N]

CPU of the hook that prints a full brief, as a ratio to the same hook capturing a plain event; CPU
of making both files of a project anew, and the four curated files, as ratios to reading all its
rows with plain SQL; CPU and wall of answering a prompt, with its vector given and by words alone.
Fails where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import chdir, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw

sys.path[:0] = [str(Path(__file__).parent)]

from hook import PROSE, cpu_ms, payload  # noqa: E402  (beside this file)
from search import CHUNK, MODEL, World, memory, timed  # noqa: E402
from tacit.compose import open_app  # noqa: E402
from tacit.deliver.curated import keep  # noqa: E402
from tacit.deliver.curated.desk import Desk, Surroundings  # noqa: E402
from tacit.install.command import hook_command, write_launcher  # noqa: E402
from tacit.recall.analyse import tokens  # noqa: E402
from tacit.recall.question import Meaning  # noqa: E402
from tacit.store.sqlite.engine import look  # noqa: E402
from tacit.store.sqlite.memory import open_memory  # noqa: E402
from tacit.store.sqlite.opening import open_existing  # noqa: E402
from tacit.transcript import place  # noqa: E402
from tacit.transcript.files import Files  # noqa: E402
from tacit.verbs.surfacing import Prompt  # noqa: E402

if TYPE_CHECKING:
    from search import Asked
    from tacit.app import App

MEMORIES, RUNS = 10_000, 60
GROUP, SESSION = "main", "66fbdfb8-16b6-46fa-8462-674ae6a5722c"
ENTRIES = 100  # so many that a brief is full by its characters
FULL = 8500  # characters
HOOK_BAR = 2.0  # times a capture
PREPARE_BAR = 50.0  # milliseconds of CPU
FILES_BAR = 50.0  # the same, for the four curated files
SURFACE_BAR = 50.0  # the same, in all but one of twenty: a third of what the hook waits
HOOK_WAITS = 150.0


@dataclass(frozen=True, slots=True)
class Place:
    """A home that is thrown away, and its one project."""

    home: Path
    project: Path
    launcher: Path

    @property
    def database(self) -> Path:
        """Return the file of its memories."""
        return self.home / "groups" / GROUP / "memory.db"

    def event(self, event: str, **fields: str) -> bytes:
        """Return a payload from inside the project."""
        common = {"session_id": SESSION, "cwd": str(self.project), "hook_event_name": event}
        return json.dumps(common | fields, separators=(",", ":")).encode()

    def hook(self, event: str, stdin: bytes) -> bytes:
        """Run the hook; return what it prints."""
        command = hook_command(self.launcher, event)
        return subprocess.run(
            command, cwd=self.project, input=stdin, capture_output=True, check=True
        ).stdout


def settled(scratch: Path, world: World, count: int) -> Place:
    """Return a home whose one project has so many memories, with their vectors."""
    here = Place(scratch / "home", scratch / "project", scratch / "hook.py")
    here.project.mkdir()
    write_launcher(here.launcher, here.home)
    here.hook("SessionStart", here.event("SessionStart", source="startup"))
    (here.home / "config.toml").write_text(
        f"[deliver]\nmax_brief_entries = {ENTRIES}\n", encoding="utf-8"
    )
    with closing(open_app(str(here.home))) as app:
        app.drain(seconds=None)
    key = place.locate(str(here.project)).project
    with closing(open_memory(here.database, look(here.database.parent), tokens)) as store:
        for start in range(0, count, CHUNK):
            texts = world.texts(min(CHUNK, count - start))
            with store.transaction():
                for at, text in enumerate(texts):
                    made = replace(memory(start + at, text), project=key)
                    store.memories.put(made, made.id.encode())
            unread = store.index.unread(MODEL, len(texts))
            store.index.understand(MODEL, zip(unread, world.vectors(len(texts)), strict=True))
    return here


def change(here: Place, number: int) -> None:
    """Let a memory of the project say something else."""
    key = place.locate(str(here.project)).project
    with closing(open_memory(here.database, look(here.database.parent), tokens)) as store:
        made = replace(memory(number, f"changed {number} to something else"), project=key)
        store.memories.put(made, made.id.encode())


def curated(here: Place) -> float:
    """Return the CPU of making the four curated files anew, in milliseconds."""
    files = Files(here.home, GROUP)
    surroundings = Surroundings(key=(here.home / "redaction.key").read_bytes(), clean=str)
    engine = look(files.directory)
    with (
        closing(open_memory(here.database, engine, tokens)) as store,
        closing(open_existing(files.database, engine)) as transcript,
    ):
        desk = Desk(
            files=files,
            surroundings=surroundings,
            store=store,
            transcript=transcript,
            now=time.time_ns(),
        )
        began = time.process_time()
        due = keep.prepare(desk)
        spent = (time.process_time() - began) * 1e3
    if due:
        raise RuntimeError("The curated files were not made.")
    return spent


def prepared(here: Place, app: App, runs: int) -> tuple[float, float, float]:
    """Return the CPU of making briefs anew, files anew, and reading every row, in milliseconds."""
    briefs, files, reading = [], [], []
    for number in range(runs):
        change(here, number)
        files.append(curated(here))
        began = time.process_time()
        due = app.prepare(GROUP)
        briefs.append((time.process_time() - began) * 1e3)
        if due:
            raise RuntimeError("The brief was not made.")
        began = time.process_time()
        database = apsw.Connection(str(here.database), flags=apsw.SQLITE_OPEN_READONLY)
        rows = database.execute("SELECT * FROM memories").fetchall()
        reading.append((time.process_time() - began) * 1e3 if rows else 0.0)
        database.close()
    return median(briefs), median(files), median(reading)


def printed(here: Place, runs: int) -> tuple[float, float]:
    """Return the CPU of the hook that prints the brief, and of one that captures an event."""
    start, tool = here.event("SessionStart", source="startup"), payload(PROSE, 3000)
    answer = json.loads(here.hook("SessionStart", start))
    size = len(answer["hookSpecificOutput"]["additionalContext"])
    if size < FULL:
        raise RuntimeError(f"A full brief is wanted, and this one has {size} characters.")
    print(f"a brief of {size:,} characters")
    telling, capturing = [], []
    with chdir(here.project):  # as a client runs it
        for number in range(runs):  # each another session: one that has just heard it hears nothing
            start = here.event("SessionStart", source="startup", session_id=f"{number}")
            capturing.append(cpu_ms(hook_command(here.launcher, "PostToolUse"), tool))
            telling.append(cpu_ms(hook_command(here.launcher, "SessionStart"), start))
    return median(telling), median(capturing)


def surface(here: Place, app: App, one: Asked, *, is_meant: bool) -> None:
    """Answer a prompt, and write down what it is answered with."""
    prompt = Prompt(text=one.text, session=SESSION, directory=str(here.project))
    meaning = Meaning(model=MODEL, vector=one.vector) if is_meant else None
    app.tell(GROUP, prompt, app.surface(GROUP, prompt, lambda: meaning))


def surfaced(here: Place, app: App, asked: list[Asked], *, is_meant: bool) -> float:
    """Print what answering costs; return the CPU of all but one of twenty."""
    run = partial(surface, here, app, is_meant=is_meant)
    run(asked[0])
    cpu, wall = timed(run, asked)
    high = [quantiles(each, n=20)[18] for each in (cpu, wall)]
    name = "surfacing, vector given" if is_meant else "surfacing, by words alone"
    print(
        f"{name:<28} cpu p50 {median(cpu):6.1f} p95 {high[0]:6.1f} ms, bar {SURFACE_BAR:.0f};"
        f" wall p50 {median(wall):6.1f} p95 {high[1]:6.1f} ms of {HOOK_WAITS:.0f}"
    )
    return high[0]


def measure(scratch: Path, count: int, runs: int) -> bool:
    """Measure and print all of it; say whether every bar holds."""
    world = World(7)
    here = settled(scratch, world, count)
    with closing(open_app(str(here.home))) as app:
        app.prepare(GROUP)
        making, keeping, reading = prepared(here, app, runs)
        for what, cost, bar in (
            ("both files of a project", making, PREPARE_BAR),
            ("the four curated files", keeping, FILES_BAR),
        ):
            print(
                f"{what:<28} {cost:6.1f} ms CPU, bar {bar:.0f};"
                f" {cost / reading:.2f} times reading {count:,} rows"
            )
        asked = world.questions(runs)
        costs = [surfaced(here, app, asked, is_meant=is_meant) for is_meant in (True, False)]
    telling, capturing = printed(here, runs)
    print(
        f"{'the hook that tells it':<28} {telling:6.1f} ms CPU,"
        f" {telling / capturing:.2f} times a capture, bar {HOOK_BAR:.1f}"
    )
    is_fast = making <= PREPARE_BAR and keeping <= FILES_BAR and max(costs) <= SURFACE_BAR
    return is_fast and telling / capturing <= HOOK_BAR


def main() -> int:
    """Measure; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="CPU of the brief and of surfacing")
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args()
    os.umask(0o077)
    with TemporaryDirectory() as scratch:
        return int(not measure(Path(scratch), options.memories, options.runs))


if __name__ == "__main__":
    sys.exit(main())
