"""The gate: whether a turn is worth a model's time, judged by the rules alone.

It may let too much through, hardly too little: of turns that taught something it must miss few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.rules.statements import likelihood
from tacit.curate.rules.view import view

if TYPE_CHECKING:
    from collections.abc import Collection

    from tacit.curate.extract import Context
    from tacit.curate.reading import TurnText

USER, REPLY = 0.05, 0.3  # how likely a clause must be worth remembering, by who said it


def is_worth(turn: TurnText, context: Context, boring: Collection[str] = ()) -> bool:
    """Say whether a turn may teach something that the rules have not found."""
    seen = view(turn, context, boring)
    if any(likelihood(seen, said, "user") >= USER for said in seen.prompts):
        return True
    return seen.reply is not None and likelihood(seen, seen.reply, "reply") >= REPLY
