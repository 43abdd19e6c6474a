"""The weights of the ranking, one at a time: bench/tune.py CASES.jsonl.gz... [NAME=VALUE,...].

Takes the cases in once, then asks all questions again with each value of each weight, and prints
how the measures move: session any@5 and all@5, and message recall@10. Only development cases belong
here; what is chosen is written into `recall/weights.py`, with its reason.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from retrieval import GROUP, NOW, cases_of, given_ids, moment, told
from tacit.compose import open_app, open_embedder
from tacit.recall.question import MOST, Meaning, Question
from tacit.recall.search import search
from tacit.recall.weights import WEIGHTS, Weights
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.app import App
    from tacit.embed.port import Embedder

STEPS = (0.5, 0.75, 1.25, 1.5)  # of what a weight is now


class Taken:
    """One case, taken in: its questions with what they mean."""

    def __init__(self, case: dict[str, Any], home: Path, embedder: Embedder) -> None:
        told(case, home)
        self._app: App = open_app(str(home), embedder=embedder)
        self._ids = given_ids(self._app)
        self._app.drain(seconds=None)
        self._app.understand(GROUP)
        self._session_of = {turn["id"]: turn["session"] for turn in case["turns"]}
        self._asked = [
            (query, self._app.meaning(query["text"]))
            for query in case["queries"]
            if query["kind"] != "adversarial"
        ]

    def measured(self, weights: Weights) -> Iterator[tuple[float, float, float | None]]:
        """Yield any@5, all@5 and recall@10 of each question."""
        for query, meaning in self._asked:
            ranked = self._ranked(query, meaning, weights)
            sessions = list(dict.fromkeys(self._session_of[each] for each in ranked))[:5]
            gold, messages = set(query["gold_sessions"]), set(query["gold_turns"])
            recall = len(messages & set(ranked[:10])) / len(messages) if messages else None
            yield float(bool(gold & set(sessions))), float(gold <= set(sessions)), recall

    def _ranked(
        self, query: dict[str, Any], meaning: Meaning | None, weights: Weights
    ) -> list[str]:
        asked = Question(text=query["text"], limit=MOST, scope=Scope(layers=("message",)))
        found = self._app.ask(GROUP, self._search(asked, meaning, weights, query["date"]))
        return [self._ids[hit.id] for hit in found.hits] if found else []

    def _search(
        self, asked: Question, meaning: Meaning | None, weights: Weights, date: str
    ) -> Callable[..., Any]:
        now = moment(date) or NOW
        return lambda store, find: search(asked, store, find, lambda: meaning, now, weights)


def shown(name: str, taken: list[Taken], weights: Weights) -> None:
    """Print the measures under these weights."""
    rows = [row for each in taken for row in each.measured(weights)]
    recalls = [row[2] for row in rows if row[2] is not None]
    means = [sum(of) / len(rows) for of in zip(*((row[0], row[1]) for row in rows), strict=True)]
    recall = sum(recalls) / (len(recalls) or 1)
    print(
        f"{name:<28} any@5 {100 * means[0]:5.1f}  all@5 {100 * means[1]:5.1f}"
        f"  recall@10 {100 * recall:5.1f}",
        flush=True,
    )


def tried(given: list[str]) -> Iterator[tuple[str, Weights]]:
    """Yield each weight with each value to try."""
    for field in fields(Weights):
        now = getattr(WEIGHTS, field.name)
        asked = [each.partition("=")[2] for each in given if each.startswith(f"{field.name}=")]
        values = asked[0].split(",") if asked else [] if given else [now * step for step in STEPS]
        for value in values:
            changed = type(now)(float(value))
            yield f"{field.name} = {changed:g}", replace(WEIGHTS, **{field.name: changed})


def main() -> None:
    """Take the cases in and try the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("given", nargs="+", help="Files of cases; then NAME=VALUE,... to try.")
    given = parser.parse_args().given
    files = [Path(each) for each in given if Path(each).exists()]
    os.umask(0o077)
    with TemporaryDirectory() as place:
        embedder = open_embedder(place)
        if embedder is None:
            sys.exit("There is no embedder to tune for.")
        taken = [
            Taken(case, Path(place) / str(nth), embedder)
            for nth, case in enumerate(cases_of(files))
        ]
        shown("as they are", taken, WEIGHTS)
        for name, weights in tried([each for each in given if Path(each) not in files]):
            shown(name, taken, weights)


if __name__ == "__main__":
    main()
