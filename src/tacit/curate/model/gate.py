"""The gate: whether a turn is worth a model's time, judged by the rules alone.

It may let too much through, hardly too little: of turns that taught something it must miss few. One
likely clause is enough. Else it weighs how likely all clauses are, what may be left to do, how much
was said and how much was done, by the weights that `training/gate.py` finds in invented turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING

from tacit.curate.rules.statements import judged
from tacit.curate.rules.view import view

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText
    from tacit.curate.rules.view import View

WEIGHTS = {
    "likeliest": 0.128,  # of the user's clauses
    "clauses": 3.919,  # of the user's: how many of them count
    "reply": 3.605,  # as many of the agent's
    "left": 0.16,  # how likely the user leaves something to do
    "asked": 0.223,  # how much the user said
    "answered": 0.117,  # and the agent
    "done": 0.95,  # how many tools were used
    "question": -0.413,  # all that the user said was one
}
BIAS = -2.407
LEAST = -1.19  # with it, 4 % of the turns of invented sessions that teach something are missed
USER, REPLY = 0.05, 0.3  # how likely a clause must count to be enough, by who said it
_SURE = 1e-4


def is_worth(turn: TurnText, context: Context, boring: Collection[str] = ()) -> bool:
    """Say whether a turn may teach something that the rules have not found."""
    heard = Heard.of(view(turn, context, boring))
    is_enough = max(heard.user, default=0.0) >= USER or max(heard.reply, default=0.0) >= REPLY
    return is_enough or weight(told(heard)) >= LEAST


def weight(numbers: dict[str, float]) -> float:
    """Return how much speaks for reading a turn."""
    return BIAS + sum(WEIGHTS[name] * number for name, number in numbers.items())


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn with how likely each clause of user and agent counts, and is left to do."""

    seen: View
    user: Sequence[float]
    reply: Sequence[float]
    left: Sequence[float]

    @classmethod
    def of(cls, seen: View) -> Heard:
        """Judge all that was said in a turn."""
        prompts = [judged(seen, said, "user") for said in seen.prompts]
        return cls(
            seen,
            [chance for each in prompts for chance in each.chances],
            judged(seen, seen.reply, "reply").chances if seen.reply else [],
            [chance for each in prompts for chance in each.left],
        )


def told(heard: Heard) -> dict[str, float]:
    """Return what the gate weighs of a turn, as numbers."""
    seen = heard.seen
    return {
        "likeliest": _odds(heard.user),
        "clauses": _sum(heard.user),
        "reply": _sum(heard.reply),
        "left": _odds(heard.left),
        "asked": log1p(sum(len(said.text) for said in seen.prompts)),
        "answered": log1p(len(seen.reply.text) if seen.reply else 0),
        "done": log1p(len(seen.did)),
        "question": float(bool(seen.prompts) and all(map(_is_question, seen.prompts))),
    }


def _is_question(said: Said) -> bool:
    return said.text.rstrip().endswith(("?", "\uff1f"))


def _odds(chances: Sequence[float]) -> float:
    """Return the odds of the likeliest, on a scale that has no ends."""
    likely = min(max((*chances, _SURE)), 1 - _SURE) if chances else _SURE
    return log(likely / (1 - likely))


def _sum(chances: Sequence[float]) -> float:
    return log1p(sum(max(0.0, chance) for chance in chances))
