"""What a session is told after months: bench/longitudinal.py HISTORY.jsonl... --out PRED.jsonl.

Each history is played through the whole path in a home of its own: payloads as the client's hooks
send them, spool, transcript, curator, brief, with the sessions' own dates. After every tenth
session and at the end one checkpoint is written: brief, memories, pending actions, CPU of a turn.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

sys.path[:0] = [str(Path(__file__).parent)]

from extraction import Home  # noqa: E402  (beside this file)
from tacit.deliver.brief import printed  # noqa: E402
from tacit.model.memory import STATES  # noqa: E402
from tacit.store.memory_port import Wanted  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY = 10
SESSIONS = "### Recent Sessions"


def main() -> None:
    """Play all histories and write the checkpoints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    with given.out.open("w", encoding="utf-8") as out:
        for path in given.history:
            for row in checkpoints(sessions_of(path)):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                out.flush()


def sessions_of(path: Path) -> list[dict[str, Any]]:
    """Return the sessions of a history in order, each with the time at which it starts."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda session: -session["days_ago"])
    for session in rows:
        day = datetime.fromisoformat(session["date"]).replace(tzinfo=UTC)
        session["starts"] = int(day.timestamp()) * 10**9
    return rows


def checkpoints(sessions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Play one history; yield what a new session would be told every tenth session."""
    with TemporaryDirectory() as place:
        home = Home(Path(place))
        try:
            turns = 0
            for nth, session in enumerate(sessions, 1):
                begun = time.process_time()
                for _ in home.take_in(session):
                    continue
                spent = (time.process_time() - begun) * 1000
                home.finish_background_work()
                turns += len(session["turns"])
                sys.stderr.write(f"\r{session['project']}: session {nth} of {len(sessions)} ")
                if nth % EVERY == 0 or nth == len(sessions):
                    yield checkpoint(home, session) | {
                        "turns": turns,
                        "cpu_ms": round(spent / max(1, len(session["turns"])), 1),
                    }
            sys.stderr.write("\n")
        finally:
            home.close()


def checkpoint(home: Home, session: dict[str, Any]) -> dict[str, Any]:
    """Return what a new session is told now, and all that is remembered."""
    brief = home.app.brief("main", home.project_key())
    text = printed(brief.text, home.now)
    return {
        "history": session["project"],
        "after": session["session"],
        "brief": [entry.content for entry in brief.entries],
        "brief_text": text,
        "actions": [action.content for action in home.app.actions("main")],
        "sessions": section(text, SESSIONS),
        "memories": [
            {"state": each.state, "kind": each.kind, "text": each.content}
            for each in home.app.list("main", Wanted(states=STATES))
        ],
    }


def section(text: str, title: str) -> list[str]:
    """Return the lines of one section of a brief."""
    _, found, rest = text.partition(title)
    body = rest.partition("\n### ")[0] if found else ""
    return [line[2:] for line in body.splitlines() if line.startswith("- ")]


if __name__ == "__main__":
    main()
