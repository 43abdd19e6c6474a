"""Leads: how plainly a line announces that somebody else's text comes next.

"Here is the log:", "the docs say", "add this to the readme", the head of a mail; and on the same
line "I get this error: ..." or "bob on slack: ...".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.transcript.prompt import speech_cues as cues
from tacit.transcript.prompt.line_shapes import LIKELY, PRINTED, shape
from tacit.transcript.prompt.lines import ITEM, READ, speaks, words_in
from tacit.transcript.prompt.span_states import HANDED, OWN, PASTED, POINTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.transcript.prompt.lines import Line

_REPORT = 12  # so long is what a program said, at least
_HEADS = 8  # lines of the head of a mail
_FEW = 3
_BRIEF = 10  # words of a sentence that only points
_QUOTING = 14  # words of a sentence that ends with what somebody says
_OURSELVES = frozenset(("i", "we", "ich", "wir", "je", "nous", "yo", "eu", "io", "ja", "jag"))
_SENTENCE, _TAIL = 70, 240  # a line as short as one sentence; so much of its end can lead
_CLOSED = (":", "-", "_", "=", "*", "\uff1a")
_SENTENCES = re.compile(r"[.!?]\s+")


def lead(before: Sequence[Line], line: Line) -> int:
    """Return how plainly lines announce that somebody else's text comes next."""
    end = before[-1]
    text = end.text.rstrip()
    if _is_forwarded(text) or (end.shape == PRINTED and _is_mail_head(before)):
        return HANDED
    is_colon = text.endswith((":", "\uff1a"))
    if end.shape >= LIKELY or not (is_colon or line.is_apart or line.shape >= LIKELY):
        return OWN
    if text[:1] == "#" or (ITEM.match(text) and not is_colon):
        return OWN
    if not text.isascii() and cues.LEAD_SIGNS.search(text) and not cues.OWN_SIGNS.search(text):
        return HANDED
    best = PASTED if is_colon else OWN
    if len(text) < _SENTENCE and end.words is not None:
        return max(best, _announced(end.words, is_colon=is_colon))
    for sentence in _SENTENCES.split(text[-_TAIL:].lower())[-2:]:
        best = max(best, _announced(words_in(sentence), is_colon=is_colon))
    return best


def _is_forwarded(text: str) -> bool:
    is_short = len(text) < _SENTENCE and text[-1:] in _CLOSED
    return is_short and cues.FORWARDED.search(text) is not None


def _is_mail_head(lines: Sequence[Line]) -> bool:
    """Say whether lines are the head of a mail: who wrote, and what about or when."""
    heads = [line.text for line in lines[-_HEADS:] if cues.MAIL_HEAD.match(line.text)]
    return len(heads) > 1 and any(map(cues.MAIL_SIGN.search, heads))


def _announced(words: list[str], *, is_colon: bool) -> int:
    """Return how plainly the words of a sentence announce a text."""
    said = frozenset(words)
    if _is_quoting(words, is_colon=is_colon):
        return HANDED
    is_text = not said.isdisjoint(cues.TEXTS)
    if is_colon and is_text and not said.isdisjoint(cues.SOURCE):
        return HANDED
    is_pointing = not said.isdisjoint(cues.POINTING)
    is_below = not said.isdisjoint(cues.BELOW)
    is_near = not said.isdisjoint(cues.POINTING_NEAR)
    if not (is_near or is_below) or not said.isdisjoint(cues.OWN):
        return OWN
    is_others = is_colon and is_pointing and not cues.OTHERS_TEXTS.isdisjoint(said)
    is_bare = is_pointing and len(words) <= _FEW  # "look at this"
    is_received = cues.FAULTS.isdisjoint(said) and _is_near(words, cues.RECEIVING, 2)
    is_filed = _is_near(words, cues.FILING, 3)
    if is_others or is_bare or is_received or is_filed or (is_below and is_text):
        return HANDED
    return POINTED if is_pointing and (is_text or is_colon or len(words) <= _BRIEF) else OWN


def _is_quoting(words: list[str], *, is_colon: bool) -> bool:
    """Say whether somebody else says something next: "the docs say:", or "client says"."""
    most = _QUOTING if is_colon else _FEW * 2
    if len(words) > most or cues.SAYING.isdisjoint(words if is_colon else words[-1:]):
        return False
    at = next(at for at in reversed(range(len(words))) if words[at] in cues.SAYING)
    return not (at and words[at - 1] in _OURSELVES)


def _is_near(words: list[str], verbs: frozenset[str], most: int) -> bool:
    """Say whether a verb takes what is only pointed at: "add this to", "got this from"."""
    for at, word in enumerate(words):
        if word in verbs and not cues.POINTING_NEAR.isdisjoint(words[at + 1 : at + 1 + most]):
            return True
    return False


def reported(text: str) -> int:
    """Return where in a line the words of a program or of somebody else begin; 0: nowhere."""
    if ": " not in text and "\uff1a" not in text:
        return 0
    others = cues.OTHERS.match(text)
    if others:
        return others.end()
    head, _, rest = text.partition(": ")
    if len(rest) >= _REPORT and _is_near(words_in(head.lower()), cues.FILING, 3):
        return len(head) + 2
    for found in cues.REPORTED.finditer(text):
        rest = text[found.end() :].strip()
        if len(rest) >= _REPORT and (shape(rest) >= LIKELY or _is_report(text, found, rest)):
            return found.end()
    return 0


def _is_report(text: str, found: re.Match[str], rest: str) -> bool:
    """Say whether a program's or another's words stand behind a colon: "I get this error: ..."."""
    if found["vague"] or found["script"]:
        return bool(found["script"])
    words = words_in(text[: found.end()].lower())
    is_met = not cues.GETTING.isdisjoint(words) or not cues.POINTING.isdisjoint(words)
    return is_met and not _is_said(rest)


def _is_said(text: str) -> bool:
    """Say whether somebody speaks to the agent in these words."""
    head = text[:READ].lower()
    return speaks(head, words_in(head))
