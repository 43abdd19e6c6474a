"""What curating costs: CPU milliseconds a turn, and as a ratio to taking the same turns in."""

from __future__ import annotations

import json
import statistics
import sys
import time
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
    taking, curating = [], []
    with TemporaryDirectory() as place:
        home = Home(Path(place))
        for session in sessions():
            for taken, curated in timed(home, session):
                taking.append(taken)
                curating.append(curated)
        home.close()
    middle, most = statistics.median(curating), sorted(curating)[int(0.95 * len(curating))]
    ratio = sum(curating) / sum(taking)
    sys.stdout.write(
        f"{len(curating)} turns: curating {middle:.2f} ms CPU a turn (median), {most:.2f} (p95); "
        f"taking in {statistics.median(taking):.2f}; ratio {ratio:.2f}; bar {BAR_MS} ms\n"
    )


def timed(home: Home, session: dict[str, Any]) -> list[tuple[float, float]]:
    """Return for each turn what taking it in cost, and curating it."""
    spent = []
    for turn in session["turns"]:
        home.publish_turn(session["session"], turn)
        before = time.process_time()
        home.app.drain(seconds=None, curating=False)
        between = time.process_time()
        home.app.drain(seconds=None)
        spent.append(((between - before) * 1e3, (time.process_time() - between) * 1e3))
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
