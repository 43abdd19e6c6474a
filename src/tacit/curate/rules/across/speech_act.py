"""Speech acts: whether a sentence of the user's states something that is to last, and how surely.

A rule, a taste, a decision, a correction or a fact that is said outright is certain. A restriction
or a duty may be meant for the task at hand: it is possible. A request, a question, a symptom,
progress, thanks and a fragment that needs its neighbours state nothing that lasts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tacit.curate.rules.across.edges import Shape, apart
from tacit.curate.rules.across.passing import is_passing
from tacit.curate.rules.across.replacement import names_outdated
from tacit.curate.rules.across.slots import clauses_with_values
from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stems
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Callable

_LEAD = rf"\W*(?:{apart('fillers')}\W+)*"
_LASTING = Shape(apart("lasting"))
_OCCASION = Shape(rf"{_LEAD}{apart('occasions')}")
_DIRECTING = Shape(rf"{_LEAD}(?:{apart('directing')}|{apart('lasting')})")
_EACH_TIME_YOU = Shape(
    rf"{_LEAD}{apart('occasions_of_yours')}\s+(?!(?:had|have|did|were|said|keep)\b)[^,]+,\s*(?!{apart('tellers')})\S"
)
_BY_DEFAULT = Shape(rf"{_LEAD}{apart('weak')},\s*(?!{apart('tellers')})\S")
_NONE_EVER = re.compile(r"\W*no\b.+\bever\W*$", re.IGNORECASE)
_POLICY = re.compile(r"\W*it(?:'s| is) (?:our|my) (?:policy|rule|convention)\b", re.IGNORECASE)
_WIDE = re.compile(r"[\u3040-\u30ff]")
_WISH = Shape(rf"{apart('wishes')}\W+{apart('wished')}")
_TASTE = Shape(rf"(?:{_LEAD}|.{{0,40}}[,;]\s*(?:but\s+)?){apart('tastes_told')}")
_FACT = Shape(rf"{_LEAD}{apart('facts_told')}\s*\S")
_OWNED = Shape(rf"{_LEAD}{apart('owned')}\s*[^,;:.]{{2,60}}?{apart('is_said')}\s*\S")
_CORRECTING = Shape(rf"\W*{apart('correcting')}\s*[,.:!\u2014-]\s*\S")
_BY_REFERENCE = Shape(apart("by_reference"))
_SYMPTOM = Shape(apart("symptoms"))
_NOW = Shape(rf"{_LEAD}{apart('passing_now')}")
_FRAGMENT = Shape(rf"{_LEAD}{apart('pointing_out')}(?:\W|$)")
_UNFINISHED = re.compile(r"\.\.\.$|\u2026$|#{2,}|^\*\*[^*]+\*\*$|^\[[ xX]?\]")
_WORD = re.compile(r"(?<![\w./@-])[A-Za-z][\w']*(?![\w/@-]|\.\w)")
_FEWEST_WORDS = 3
_PLAIN = Shape(
    rf"{_LEAD}(?!{apart('pointing_out')})(?:[^\s,;:.]+\s+){{1,9}}?{apart('stating_plainly')}\s+\S"
)
_CONTRAST = Shape(rf",\s*{apart('contrasting')}\s+\w")
_PAST = Shape(apart("past"))
_NAME = re.compile(
    r"(?<=[\w,] )[\"'`]?[A-Z]\w|\w[._/-]\w|`[^`]+`|\b[a-z]+[A-Z]\w|\b[A-Z]{2,}\b|\bdefault\b"
)
_FOR_LATER = frozenset(("ask", "later", "once", "open"))
_FOR_NOW = frozenset(("task-first", "task", "ask", "once", "later", "open"))
_PLACED = Shape(
    rf"{_LEAD}(?:(?:\w+\s+)?{apart('this_one')}\s+{apart('here')}|{apart('here_told')}\s+\w+\s+\w)"
)
_NOT_MEANT = frozenset(("irony", "joke", "said", "maybe"))
_ORDERS = frozenset(("task", "task-first", "ban-first", "onward", "duty", "ask"))
_FEWEST, _LONGEST = 2, 200


class SpeechAct(NamedTuple):
    """What a sentence does: whether it states something that is to last, as what kind."""

    is_lasting: bool
    is_certain: bool = False
    is_ban: bool = False  # a restriction, be it for the task at hand
    kinds: tuple[str, ...] = ()  # that it may be; none: any


NOTHING = SpeechAct(is_lasting=False)
POSSIBLE = SpeechAct(is_lasting=True)
CORRECTION = SpeechAct(is_lasting=True, is_certain=True, kinds=("correction",))


@in_mind(128)
def speech_act(text: str, *, is_cued: bool = False) -> SpeechAct:
    """Return what a sentence of the user's does; one that *is_cued* counts for its cues alone."""
    seen = cues(text)
    if states_policy(text):
        return SpeechAct(is_lasting=True, is_certain=True, kinds=("instruction",))
    if _is_nothing(text, seen):
        return NOTHING
    is_symptom = not is_cued and _SYMPTOM.search(text) is not None
    for states, kinds in _STATES[: _OUTRIGHT if is_symptom else None]:
        if states(text, seen):
            return SpeechAct(is_lasting=True, is_certain=True, kinds=kinds)
    is_nothing = is_symptom or (not is_cued and _is_request(text, seen))
    if is_nothing:
        return NOTHING
    return POSSIBLE._replace(is_ban="ban-first" in seen)


def states_policy(text: str) -> bool:
    """Return whether a sentence calls itself a rule: its "it" points at nothing before it."""
    return _POLICY.match(text) is not None and "?" not in text


def _is_nothing(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence is a question, is not meant, or needs its neighbours."""
    if "?" in text or "\uff1f" in text or len(text) > _LONGEST or len(stems(text)) < _FEWEST:
        return True
    if _UNFINISHED.search(text) or (text.isascii() and len(_WORD.findall(text)) < _FEWEST_WORDS):
        return True
    is_whole = _DIRECTING.match(text) or _CORRECTING.match(text)
    is_placed = _PLACED.match(text) is not None  # "in this repo we use uv"
    is_fragment = _FRAGMENT.match(text) is not None and not is_whole and not is_placed
    if seen & _NOT_MEANT or is_fragment or text.rstrip().endswith((":", "\uff1a")):
        return True
    return is_passing(text)


def _is_rule(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence tells what is always or never to be done."""
    if "once" in seen or _WISH.search(text):
        return False
    is_universal = {"universal-first", "duty"} <= seen  # "all prices must be integers"
    if is_universal or any(form.match(text) for form in (_EACH_TIME_YOU, _BY_DEFAULT, _NONE_EVER)):
        return True
    if _OCCASION.match(text):  # "whenever the schema changes, run the migrations"
        return bool(cues(text.partition(",")[2]) & _ORDERS)
    is_told = _DIRECTING.match(text) or _FACT.match(text)  # "we use pnpm here, never npm"
    return bool(_LASTING.search(text) and (seen & _ORDERS or is_told))


def _is_taste(text: str, seen: frozenset[str]) -> bool:
    is_wide = "taste" in seen and _WIDE.search(text) is not None  # no blanks: found anywhere
    return (is_wide or _TASTE.match(text) is not None) and "once" not in seen


def _is_decision(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence says outright that something was decided."""
    is_reasoned = "decide" in seen and bool(seen & {"reason", "cause"})
    is_settled = (
        (is_reasoned or "settled" in seen) and "once" not in seen and len(stems(text)) > _FEWEST
    )
    return is_settled and not _BY_REFERENCE.search(text)


def _is_fact(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence says who we are, what we use or where something of ours is."""
    is_told = _FACT.match(text) or _OWNED.match(text)
    is_valued = bool(clauses_with_values(text)) and "once" not in seen
    return is_told is not None and (is_valued or not seen & _FOR_LATER)


def _is_change(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence names what no longer holds beside what does."""
    is_named = names_outdated(text) or _CONTRAST.search(text) is not None
    is_now = _NOW.match(text) is not None and "we" not in seen
    return is_named and not is_now and not seen & _FOR_NOW and not _PAST.search(text)


def _is_plain_fact(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence says plainly how something is, with a value or a name."""
    if seen & (_FOR_NOW | {"maybe", "ack", "thanks-first"}) or _PAST.search(text):
        return False
    if _NOW.match(text) or _OCCASION.match(text) or _PLAIN.match(text) is None:
        return False
    return bool(clauses_with_values(text)) or _NAME.search(text) is not None


def _is_correction(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence names the right thing in the place of the wrong one."""
    is_named = bool(seen & {"contrast", "duty", "place", "we"})
    return _CORRECTING.match(text) is not None and is_named and "task" not in seen


def _is_request(text: str, seen: frozenset[str]) -> bool:
    """Return whether a sentence asks for something now, or tells where the work stands."""
    if _NOW.match(text) or seen & {"thanks-first", "ack", "done-first", "once", "later", "open"}:
        return True
    return bool(seen & {"task-first", "ask", "task"}) and "ban" not in seen


_OUTRIGHT = 4  # of these, also where something goes wrong: "errors are always logged"
# the first that fits tells the kinds that it may be; which of them, the scorer
_STATES: tuple[tuple[Callable[[str, frozenset[str]], bool], tuple[str, ...]], ...] = (
    (_is_correction, ("correction",)),
    (_is_rule, ("instruction", "preference", "correction", "pattern")),
    (_is_taste, ("preference", "correction")),
    (_is_decision, ("decision", "instruction", "preference")),
    (_is_fact, ("fact", "context", "decision")),
    (_is_change, ()),
    (_is_plain_fact, ("fact", "context")),
)
