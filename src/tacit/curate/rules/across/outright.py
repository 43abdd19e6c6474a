"""Outright: what counts for its cues alone, whatever the scorer thinks of its words.

Who says that something holds always, what they like, that it is to be remembered or that it is
settled, means it to stay; so does who tells what was chosen and why, and who corrects and names the
right thing beside the wrong one.
A question, a joke, somebody else's word and what is meant for once are none of these.
"""

from __future__ import annotations

ENOUGH = 0.55
# how much less a clause counts that is likely not the speaker's own standing word
DOUBTS = {
    "cue=irony": 0.3,
    "cue=maybe": 0.6,
    "cue=once": 0.7,
    "has=question": 0.3,
}
_RULES = {"cue=standing", "cue=ever", "cue=taste", "cue=asked", "cue=settled", "cue=onward"}
_NO_RULES = {
    "cue=joke",
    "cue=said",
    "cue=later",
    "cue=irony",
    "has=question",
    "cue=maybe",
    "cue=once",
}
# what begins so is meant to stay, whenever it is to be done
_FIRST = {
    "cue=standing-first",
    "cue=ever-first",
    "cue=taste-first",
    "cue=onward-first",
    "cue=asked-first",
}
_REASONS = {"cue=reason", "cue=cause"}
_WRONG, _RIGHT = {"cue=repair"}, {"cue=contrast", "has=comma-not"}
_BRIEF = {"words=0", "words=1"}


def is_outright(seen: set[str], before: set[str]) -> bool:
    """Say whether a clause of the user's counts for its cues, and those of the clause before it."""
    vetoes = set(_NO_RULES)
    if seen & _FIRST:
        vetoes.discard("cue=later")
    if "cue=onward" in seen:
        vetoes.discard("cue=once")  # from today on is not today alone
    if seen & vetoes:
        return False
    return bool(seen & _RULES) or is_reasoned(seen) or _is_correction(seen, before)


def is_reasoned(seen: set[str]) -> bool:
    """Say whether a clause tells what was chosen, and why; what the agent chose is blame."""
    return "cue=decide" in seen and bool(seen & _REASONS) and "first=you" not in seen


def _is_correction(seen: set[str], before: set[str]) -> bool:
    """Say whether a clause names the right thing beside the wrong one, after a `no`."""
    is_wrong = "cue=repair-first" in seen or bool(before & _WRONG)
    is_named = bool(seen & _RIGHT) and "cue=contrast-first" not in seen  # "not that I mind"
    return is_wrong and is_named and not seen & _BRIEF


def doubt(seen: set[str]) -> float:
    """Return how far a clause can be taken as the speaker's own standing word."""
    found = 1.0
    for name, factor in DOUBTS.items():
        if name in seen and not (name == "cue=once" and "cue=onward" in seen):
            found *= factor
    return found
