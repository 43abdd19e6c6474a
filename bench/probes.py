"""What is remembered of short talks: bench/probes.py PROBES.jsonl --out RESULTS.jsonl.

Each line of PROBES is {id, steps: [{project, user, assistant, same?}]}: a step is a session of its
own, a day after the one before, unless `same` is true: then it is the next turn of that session.
Each probe is played through the whole path in a fresh home; written down is what is remembered in
every state after the last step, once memories that say the same are merged.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

sys.path[:0] = [str(Path(__file__).parent)]

from extraction import DAY, MINUTE, NOW, Home  # noqa: E402  (beside this file)
from tacit.model.memory import STATES  # noqa: E402
from tacit.store.memory_port import Wanted  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator


def main() -> None:
    """Play all probes and write down what is remembered of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("probes", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    probes = [json.loads(line) for line in given.probes.read_text(encoding="utf-8").splitlines()]
    begun = time.process_time()
    with given.out.open("w", encoding="utf-8") as out:
        for nth, probe in enumerate(probes, 1):
            sys.stderr.write(f"\rprobe {nth} of {len(probes)} ")
            row = {"id": probe["id"], "memories": list(remembered(probe))}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    spent = (time.process_time() - begun) / max(1, len(probes))
    sys.stderr.write(f"\n{spent:.2f} s CPU a probe\n")


def remembered(probe: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Play one probe in a fresh home; yield what is remembered of it."""
    with TemporaryDirectory() as place:
        home = Home(Path(place))
        try:
            for number, turns in enumerate(_sessions(probe["steps"])):
                session = {
                    "session": f"{probe['id']}-{number}",
                    "project": turns[0]["project"],
                    "starts": NOW - 365 * DAY + number * DAY + MINUTE,
                    "turns": turns,
                }
                for _ in home.take_in(session):
                    continue
                home.finish_background_work()
            told = {step["project"].replace("/", "-"): step["project"] for step in probe["steps"]}
            names = {each.key: told.get(each.name) for each in home.app.projects("main")}
            for memory in home.app.list("main", Wanted(states=STATES)):
                yield {
                    "state": memory.state,
                    "kind": memory.kind,
                    "project": names.get(memory.project) if memory.project else None,
                    "origin": memory.origin,
                    "text": memory.content,
                }
        finally:
            home.close()


def _sessions(steps: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the turns of each session."""
    sessions: list[list[dict[str, Any]]] = []
    for step in steps:
        if not step.get("same") or not sessions:
            sessions.append([])
        turn = {"n": len(sessions[-1]) + 1, "user": step["user"], "assistant": step["assistant"]}
        sessions[-1].append(turn | {"tools": [], "project": step["project"]})
    return sessions


if __name__ == "__main__":
    main()
