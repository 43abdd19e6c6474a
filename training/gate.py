"""Find what the gate weighs, from the invented turns; `python training/gate.py` prints it.

The scorer has learned from these turns itself, so each is judged by a scorer that has not: one that
learned from the other parts. That takes half an hour. Weights are fitted to all turns, the least
weight is chosen on sessions alone, whose turns are as they come.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from train import CUE, HERE, examples, train

from tacit.curate.model.gate import REPLY, USER, WEIGHTS, Heard, told
from tacit.curate.reading import Said, TurnText
from tacit.curate.rules import statements
from tacit.curate.rules.scorer import Model
from tacit.curate.rules.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDS, TOGETHER = 4, 26  # parts, and turns of one file that stay in one part
MISSED = 0.04  # of turns that teach something
DECAY, STEPS = 5.0, 30


class Scorer:
    """What was learned from some of the parts."""

    def __init__(self, turns: list[dict[str, Any]], speaker: str) -> None:
        seen = list(examples(turns, speaker))
        bare = [
            frozenset(name for name in each.features if not name.startswith(CUE)) for each in seen
        ]
        kept = [float(bool(each.label)) for each in seen]
        left = [(each.features, float(each.is_todo)) for each in seen]
        self._models = {
            "kept": Model(*train(list(zip(bare, kept, strict=True)))),
            "todo": Model(*train(left)),
        }

    def chance(self, question: str, features: set[str]) -> float:
        """Return how likely the answer to a question is yes."""
        return self._models[question].chance(features)


def main() -> None:
    """Print the weights and the least weight."""
    rows = list(turns())
    numbers, likely = np.zeros((len(rows), len(WEIGHTS))), np.zeros(len(rows), dtype=bool)
    for part in range(FOLDS):
        others = [turn for name, turn in rows if crc32(name.encode()) % FOLDS != part]
        known = {speaker: Scorer(others, speaker) for speaker in ("user", "reply")}
        statements.scorer = known.__getitem__  # type: ignore[assignment]
        for at, (name, turn) in enumerate(rows):
            if crc32(name.encode()) % FOLDS == part:
                heard = Heard.of(seen(turn))
                numbers[at] = [told(heard)[each] for each in WEIGHTS]
                is_likely = max(heard.user, default=0) >= USER
                likely[at] = is_likely or max(heard.reply, default=0) >= REPLY
    teaches = np.array([bool(turn["labels"] or turn.get("todo")) for _, turn in rows])
    weights = fitted(numbers, teaches.astype(float))
    totals = np.where(likely, np.inf, weights[0] + numbers @ weights[1:])
    meant = np.array(["n" in turn for _, turn in rows]) & teaches
    least = np.sort(totals[meant])[int(MISSED * meant.sum())]
    named = dict(zip(WEIGHTS, np.round(weights[1:], 3).tolist(), strict=True))
    sys.stdout.write(f"{named}\nbias {weights[0]:.3f}, least {least:.2f}\n")


def turns() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all turns with the name of what stays together; those of sessions are numbered."""
    for path in sorted((HERE / "turns").glob("*.jsonl")):
        for at, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            yield f"{path.stem}:{at // TOGETHER}", json.loads(line)
    for path in sorted((HERE / "sessions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            session, before = json.loads(line), ""
            for turn in session["turns"]:
                yield f"{path.stem}:{session['project']}", turn | {"before": before}
                before = turn["after"] or ""


def seen(turn: dict[str, Any]) -> View:
    """Return a turn as the rules see it."""
    prompt, reply = said("prompt", "user", turn["user"]), said("reply", "assistant", turn["after"])
    text = TurnText(session="", turn="", project="", said=(prompt, reply))
    return View(
        turn=text, prompts=(prompt,), acts=(), boring=(), reply=reply if reply.text else None,
        before=turn["before"] or "", did=tuple(turn["did"]),
    )  # fmt: skip


def said(kind: str, origin: str, text: str | None) -> Said:
    """Return what somebody said."""
    return Said(
        event=kind, seq=0, at=0, kind=kind, origin=origin, via="", tool=None, text=text or "",
        payload={},
    )  # fmt: skip


def fitted(numbers: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Return bias and weights that tell yes from no, by Newton's steps."""
    mean, spread = numbers.mean(0), numbers.std(0) + 1e-6
    known = np.c_[np.ones(len(numbers)), (numbers - mean) / spread]
    weights, decay = np.zeros(known.shape[1]), DECAY * np.eye(known.shape[1])
    decay[0, 0] = 0
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (answers - chance) - decay @ weights
        bend = (known * (chance * (1 - chance) + 1e-6)[:, None]).T @ known + decay
        weights += np.linalg.solve(bend, slope)
    bare = weights[1:] / spread
    return np.r_[weights[0] - bare @ mean, bare]


if __name__ == "__main__":
    main()
