"""What curating costs: CPU milliseconds a turn, and as a ratio to taking the same turns in.

What comes after it, the brief made anew and a look at what was of use, is told apart: it has a bar
of its own in `bench/brief.py`.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]

from extraction import Home  # noqa: E402  (beside this file)

TRAINING = Path(__file__).parents[1] / "training" / "sessions"
SESSIONS = 60
BAR_MS = 5.0


def main() -> None:
    """Play sessions, and measure taking in and curating each turn apart."""
    taking, curating, telling = [], [], []
    with TemporaryDirectory() as place:
        home = Home(Path(place))
        for session in sessions():
            for taken, curated, told in timed(home, session):
                taking.append(taken)
                curating.append(curated)
                telling.append(told)
        home.close()
    middle, most = statistics.median(curating), sorted(curating)[int(0.95 * len(curating))]
    ratio = sum(curating) / sum(taking)
    sys.stdout.write(
        f"{len(curating)} turns: curating {middle:.2f} ms CPU a turn (median), {most:.2f} (p95); "
        f"taking in {statistics.median(taking):.2f}; ratio {ratio:.2f}; bar {BAR_MS} ms; "
        f"the brief after it {statistics.median(telling):.2f}\n"
    )


def timed(home: Home, session: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Return for each turn what taking it in cost, curating it, and what comes after that."""
    spent = []
    for turn in session["turns"]:
        home.publish_turn(session["session"], turn)
        times = [time.process_time()]
        home.app.drain(seconds=None, curating=False)
        times.append(time.process_time())
        home.app.curate("main")
        times.append(time.process_time())
        home.app.drain(seconds=None)
        times.append(time.process_time())
        taken, curated, told = ((b - a) * 1e3 for a, b in pairwise(times))
        spent.append((taken, curated, told))
    return spent


def sessions() -> list[dict[str, Any]]:
    """Return sample sessions as a client would send them."""
    found = []
    for path in sorted(TRAINING.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[:4]:
            told = json.loads(line)
            turns = [
                {
                    "n": turn["n"],
                    "user": turn["user"],
                    "assistant": turn["after"],
                    "tools": _tools(turn),
                }
                for turn in told["turns"]
            ]
            found.append({"session": told["id"], "turns": turns})
    return found[:SESSIONS]


def _tools(turn: dict[str, Any]) -> list[dict[str, Any]]:
    parts = [each.partition(": ") for each in turn["did"]]
    return [
        {"name": name, "input": {"command": rest.partition(" -> ")[0]}, "response": rest * 4}
        for name, _, rest in parts
    ]


if __name__ == "__main__":
    main()
