"""How well search finds again what was said: bench/retrieval.py CASES.jsonl.gz --out RANKS.jsonl.

Each case is a history of messages and questions about it. The messages go the product's own way, as
`message` events through spool, transcript and index, in a home of their own; each question is asked
at its own time, and the ids of the messages that were found are written down, the best
first. No model is called but the embedder.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.capture import message, state
from tacit.capture.conf import Conf
from tacit.capture.spool import Spool
from tacit.compose import open_app, open_embedder
from tacit.recall.question import MOST, Question
from tacit.store.index_port import Scope
from tacit.transcript.identity import event_id
from tacit.transcript.wire import understand

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.app import App
    from tacit.embed.port import Embedder

ROLES = ("user", "assistant")
FORMS = ("%Y/%m/%d (%a) %H:%M", "%I:%M %p on %d %B, %Y")
NOW = 1_790_000_000_000_000_000
GROUP = "main"


def main() -> None:
    """Take all cases in and write down what is found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--words", action="store_true", help="Without the embedder.")
    given = parser.parse_args()
    began = time.process_time()
    with TemporaryDirectory() as place, given.out.open("w", encoding="utf-8") as out:
        embedder = None if given.words else open_embedder(place)
        for nth, case in enumerate(cases_of(given.cases), 1):
            sys.stderr.write(f"\rcase {nth}, {time.process_time() - began:.0f} s of CPU ")
            for row in rankings(case, Path(place) / str(nth), embedder):
                out.write(json.dumps(row) + "\n")
    sys.stderr.write("\n")


def cases_of(files: list[Path]) -> Iterator[dict[str, Any]]:
    """Yield the cases of these files."""
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def rankings(
    case: dict[str, Any], home: Path, embedder: Embedder | None
) -> Iterator[dict[str, Any]]:
    """Yield what is found for each question of a case."""
    told(case, home)
    clock = [NOW]
    app = open_app(str(home), now_ns=lambda: clock[0], embedder=embedder)
    try:
        ids = given_ids(app)
        app.drain(seconds=None)
        app.understand(GROUP)
        for query in case["queries"]:
            clock[0] = moment(query["date"]) or NOW
            asked = Question(text=query["text"], limit=MOST, scope=Scope(layers=("message",)))
            answer = app.search(GROUP, asked, meaning=app.meaning(query["text"]))
            yield {"query": query["id"], "ranked": [ids[hit.id] for hit in answer.hits]}
    finally:
        app.close()


def told(case: dict[str, Any], home: Path) -> None:
    """Put the messages of a case into the spool of a home."""
    os.umask(0o077)
    root = state.open_home(str(home))
    spool = Spool(root)
    for nth, turn in enumerate(case["turns"]):
        is_named = turn["role"] not in ROLES  # people among themselves
        at = moment(turn["date"])
        said = message.Message(
            session=turn["session"],
            role="user" if is_named else turn["role"],
            text=f"{turn['role']}: {turn['text']}" if is_named else turn["text"],
            at=datetime.fromtimestamp(at / 1e9, UTC).isoformat() if at else "",
            id=turn["id"],
        )
        message.record(
            said, root=root, conf=Conf(""), spool=spool, source="bench", received_ns=NOW + nth
        )
    spool.close()
    os.close(root)


def given_ids(app: App) -> dict[str, str]:
    """Return the id that each waiting message had in the case, by that of its event."""
    ids = {}
    for entry in app.waiting():
        payload = json.loads(entry.payload)
        ids[event_id(understand(entry, payload), payload, entry.client)] = payload["id"]
    return ids


def moment(text: str) -> int | None:
    """Return a date in nanoseconds; None if it is none."""
    for form in FORMS:
        try:
            return int(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()) * 10**9
        except ValueError:
            continue
    return None


if __name__ == "__main__":
    main()
