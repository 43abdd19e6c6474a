"""Learn the scorer's weights from the invented turns; `python training/train.py` runs it.

Deterministic: the same turns and the same features give the same file. Standard library only.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from array import array
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from math import exp, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.curate.rules import cues, kin, scorer, segment, tables, words
from tacit.curate.rules import features as features_room
from tacit.curate.rules.features import Around, features
from tacit.curate.rules.kin import Statement
from tacit.curate.rules.kin import features as kin_features
from tacit.curate.rules.scorer import PARTS, Rarity, digest
from tacit.curate.rules.segment import Clause, clauses
from tacit.model.memory import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HERE = Path(__file__).parent
TARGET = Path(scorer.__file__).with_name(scorer.WEIGHTS)
SPEAKERS = {"user": "user", "reply": "after"}
PASSES, RATE, DECAY = 20, 0.05, 1e-3
FEWEST = 2  # a feature seen less often is not learned from
KEPT = 4  # one seen less often is learned, so that others need not explain it, and left out
SLIGHT = 0.05  # a weight below this changes nothing
HALF = 0.5
CUE = "cue="  # cues tell the kind; whether a statement counts at all, words tell better


class Example(NamedTuple):
    """A clause with what is known of it."""

    features: frozenset[str]
    label: dict[str, Any] | None
    is_todo: bool


def main() -> None:
    """Train all models and write them down."""
    turns = list(read())
    rare = _rarity(turns)
    told = {
        "made_from": made_from(),
        "turns": len(turns),
        "speakers": {name: _packed(_models(list(examples(turns, name)))) for name in SPEAKERS},
        "rarity": [rare.count, rare.seen],
        "kin": _kin(HERE, rare),
    }
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))
    sys.stdout.write(f"{len(turns)} turns, {TARGET.stat().st_size // 1024} KB of weights\n")


def made_from() -> str:
    """Return a digest of all that the weights depend on."""
    rooms = [
        Path(str(room.__file__)) for room in (features_room, segment, words, cues, kin, tables)
    ]
    lists = [rooms[0].with_name(name) for name in ("cues.toml", "tables.toml")]
    parts = [*sorted(HERE.glob("*/*.jsonl")), *rooms, *lists, Path(__file__)]
    return sha256(b"".join(sha256(part.read_bytes()).digest() for part in parts)).hexdigest()


def read(folder: Path = HERE) -> Iterator[dict[str, Any]]:
    """Yield all labelled turns, those of a session with what was said before."""
    for path in sorted((folder / "turns").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)
    for path in sorted((folder / "sessions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            before = ""
            for turn in json.loads(line)["turns"]:
                yield turn | {"before": before}
                before = turn["after"] or ""


def examples(turns: Iterable[dict[str, Any]], speaker: str) -> Iterator[Example]:
    """Yield each clause of one speaker with its label."""
    for turn in turns:
        text = turn[SPEAKERS[speaker]] or ""
        found = clauses(text)
        labels = [each for each in turn["labels"] if each["in"] == SPEAKERS[speaker]]
        inside, alone = features(found, around(turn, speaker)), features(found, Around())
        for clause, *both in zip(found, inside, alone, strict=True):
            label = next((each for each in labels if _covers(text, each, clause)), None)
            todo = any(_covers(text, each, clause) for each in turn.get("todo") or ())
            for seen in both:  # words must tell what they are worth without a reply as well
                yield Example(frozenset(seen), label, todo)


def around(turn: dict[str, Any], speaker: str) -> Around:
    """Return what stands around what a speaker says."""
    if speaker == "reply":
        return Around(before=turn["user"] or "", did=tuple(turn["did"]))
    return Around(before=turn["before"] or "", reply=turn["after"] or "", did=tuple(turn["did"]))


def _covers(text: str, label: dict[str, Any], clause: Clause) -> bool:
    start = text.find(label["quote"])
    if start < 0:
        return False
    stop = start + len(label["quote"])
    shared = min(stop, clause.stop) - max(start, clause.start)
    return shared >= HALF * min(len(clause.text), stop - start)


def _models(seen: list[Example]) -> dict[str, Any]:
    kept = [each for each in seen if each.label]
    said = [frozenset(name for name in each.features if not name.startswith(CUE)) for each in seen]
    return {
        "kept": train(list(zip(said, [float(bool(each.label)) for each in seen], strict=True))),
        "todo": train([(each.features, float(each.is_todo)) for each in seen]),
        "everywhere": train([(each.features, float(_is_everywhere(each))) for each in kept]),
    } | {
        kind: train([(each.features, float(_kind(each) == kind)) for each in kept])
        for kind in KINDS
    }


def _packed(models: dict[str, Any]) -> dict[str, Any]:
    """Return models with their weights in arrays: of two names with one digest, the heavier."""
    names = sorted({name for _, weights in models.values() for name in weights})
    heavy = {name: max(abs(model[1].get(name, 0.0)) for model in models.values()) for name in names}
    by_key = {digest(name): name for name in sorted(names, key=heavy.__getitem__)}
    keys = sorted(by_key)
    told = {
        question: [
            bias,
            _numbers("h", [round(PARTS * weights.get(by_key[key], 0)) for key in keys]),
        ]
        for question, (bias, weights) in models.items()
    }
    return {"keys": _numbers("I", keys), "models": told}


def _numbers(code: str, numbers: list[int]) -> str:
    found = array(code, numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return b64encode(found.tobytes()).decode()


def _is_everywhere(example: Example) -> bool:
    return str((example.label or {})["scope"]) == "user"


def _kind(example: Example) -> str:
    return str((example.label or {})["kind"])


def _rarity(turns: Iterable[dict[str, Any]]) -> Rarity:
    """Return in how many statements each word is that is in some."""
    said = [words.stems(label["quote"]) for turn in turns for label in turn["labels"]]
    seen = Counter(word for each in said for word in each)
    return Rarity(len(said), {word: n for word, n in seen.items() if n >= KEPT})


def _kin(folder: Path, rare: Rarity) -> dict[str, Any]:
    """Train what tells whether a statement repeats, or replaces, an earlier one of its project."""
    pairs = list(related(folder, rare))
    named = {"same": "repeats", "replaced": "replaces"}
    return {
        relation: train([(seen, float(word == how)) for seen, how in pairs])
        for relation, word in named.items()
    }


def related(folder: Path, rare: Rarity) -> Iterator[tuple[frozenset[str], str]]:
    """Yield each pair of an earlier and a later statement of a project, and how they relate."""
    for sessions in _timelines(folder):
        known: list[tuple[str, Statement]] = []
        for session in sessions:
            for turn in session["turns"]:
                for at, label in enumerate(turn["labels"]):
                    around = words.stems(f"{turn['user']} {turn['after'] or ''}")
                    new = Statement(label["quote"], label["kind"], session["id"], around)
                    told = cues.cues(new.text)
                    for name, old in known:
                        how = [each for each in ("repeats", "replaces") if label.get(each) == name]
                        yield frozenset(kin_features(new, old, told, rare)), "".join(how)
                    known.append((f"{session['id']}/{turn['n']}/{at}", new))


def _timelines(folder: Path) -> list[list[dict[str, Any]]]:
    """Return the sessions of each project, in order."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for path in sorted((folder / "sessions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            session = json.loads(line)
            found.setdefault((path.name, session["project"]), []).append(session)
    return [sorted(each, key=lambda session: -session["days_ago"]) for each in found.values()]


def train(rows: Sequence[tuple[frozenset[str], float]]) -> list[Any]:
    """Return the bias and the weights that tell yes from no, by gradient descent."""
    counted = Counter(name for seen, _ in rows for name in seen)
    usable = {name for name, count in counted.items() if count >= FEWEST}
    known = [(sorted(seen & usable), answer) for seen, answer in rows]
    weights = dict.fromkeys(sorted(usable), 0.0)
    steps = dict.fromkeys(weights, 1e-2)
    bias, order, chance = 0.0, list(range(len(known))), random.Random(7)  # noqa: S311
    for _ in range(PASSES):
        chance.shuffle(order)
        for at in order:
            seen, answer = known[at]
            total = bias + sum(weights[name] for name in seen)
            error = answer - 1 / (1 + exp(-max(-30.0, min(30.0, total))))
            bias += 0.01 * error
            for name in seen:
                slope = error - DECAY * weights[name]
                steps[name] += slope * slope
                weights[name] += RATE * slope / sqrt(steps[name])
    found = {
        name: round(weight, 3)
        for name, weight in weights.items()
        if abs(weight) >= SLIGHT and counted[name] >= KEPT
    }
    return [round(bias, 3), found]


if __name__ == "__main__":
    main()
