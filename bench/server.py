"""What a session pays for the memory's server: its CPU, as a ratio to loading the SDK alone.

    python bench/server.py [--runs N]

Each run starts `tacit mcp` anew, asks, and ends it: once only to begin, as every session does, and
once for a first search, by words, in a home that knows something. Between them, in the same run, a
program that does nothing but `import mcp`. Fails where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tacit.compose import open_app
from tacit.policy import Caller
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Question = tuple[str, Mapping[str, object]]

RUNS = 15
START_BAR = 1000.0  # milliseconds of CPU
RATIO_BAR = 1.3  # times loading the SDK
BASELINE = (sys.executable, "-P", "-c", "import mcp")
SERVER = (sys.executable, "-P", "-m", "tacit", "mcp")
CLIENT = {"name": "bench", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
SEARCH = {"name": "search_memory", "arguments": {"query": "what does the till sell"}}
START = (("initialize", HELLO),)
FIRST = (*START, ("tools/call", SEARCH))


def spent() -> float:
    """Return the CPU milliseconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def loaded() -> float:
    """Return what loading the SDK costs."""
    before = spent()
    subprocess.run(BASELINE, check=True)
    return spent() - before


def asked(home: Path, questions: Sequence[Question]) -> tuple[float, str]:
    """Return what a server costs that is asked these and ended, and its last answer."""
    before, answer = spent(), ""
    with subprocess.Popen(
        SERVER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=home,
        env=os.environ | {"TACIT_HOME": str(home)},
        encoding="utf-8",
    ) as running:
        if running.stdin is None or running.stdout is None:
            raise RuntimeError("The server has no line.")
        for number, (method, params) in enumerate(questions):
            said = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            running.stdin.write(json.dumps(said) + "\n")
            running.stdin.flush()
            answer = running.stdout.readline()
        running.stdin.close()
    return spent() - before, answer


def measure(home: Path, runs: int) -> bool:
    """Measure and print both; say whether every bar holds."""
    with closing(open_app(str(home))) as app:
        app.remember("main", Said(text="The till sells tea", project=None), Caller())
    alone, starts, firsts = [], [], []
    for _ in range(runs):
        alone.append(loaded())
        starts.append(asked(home, START)[0])
        cost, answer = asked(home, FIRST)
        firsts.append(cost)
        if "The till sells tea" not in answer:
            raise RuntimeError(f"The search found nothing: {answer}")
    sdk, start, first = median(alone), median(starts), median(firsts)
    print(f"{'loading the SDK alone':<28} {sdk:6.0f} ms CPU")
    print(
        f"{'a server that begins':<28} {start:6.0f} ms CPU, bar {START_BAR:.0f};"
        f" {start / sdk:.2f} times the SDK, bar {RATIO_BAR}"
    )
    print(f"{'and a first search':<28} {first:6.0f} ms CPU; {first / sdk:.2f} times the SDK")
    return start <= START_BAR and start / sdk <= RATIO_BAR


def main() -> int:
    """Measure; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="CPU of the memory's server for agents")
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args()
    with TemporaryDirectory() as home:
        return int(not measure(Path(home), options.runs))


if __name__ == "__main__":
    sys.exit(main())
