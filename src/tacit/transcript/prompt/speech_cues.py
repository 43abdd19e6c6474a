"""Speech cues: how a person talks to an agent, and how a person hands a text on.

The words are data in `speech_cues.toml`, by language. A cue decides only between "the user's own"
and "handed on"; what a sentence means is judged elsewhere.
"""

from __future__ import annotations

import re
import tomllib
from itertools import product

from tacit.shipped import shipped

_DATA = tomllib.loads(shipped(__package__, "speech_cues.toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_DATA[name].split())


def _phrases(name: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in _DATA[name].split(",")]


def _any(*names: str) -> str:
    """Return a pattern that finds any phrase of these lists, the longest first."""
    longest_first = sorted({each for name in names for each in _phrases(name)}, key=len)[::-1]
    return "(?:" + "|".join(map(re.escape, longest_first)) + ")"


SPEAKING, TOGETHER, ASKING = _words("speaking"), _words("together"), _words("asking")
SPEAKING_PAIRS = frozenset(
    pair for ones, twos in _DATA["pairs"] for pair in product(ones.split(), twos.split())
)
SPEAKING_SIGNS = re.compile(_any("signs"))
TEXTS = _words("texts")
OTHERS_TEXTS = TEXTS - _words("own_texts")
POINTING, BELOW, FILING = _words("pointing"), _words("below"), _words("filing")
SAYING, SOURCE, OWN = _words("saying"), _words("source"), _words("own")
RECEIVING, GETTING, FAULTS = _words("receiving"), _words("getting"), _words("faults")
LEAD_SIGNS, OWN_SIGNS = re.compile(_any("lead_signs")), re.compile(_any("own_signs"))
POINTING_NEAR = POINTING | _words("pointing_near")
GREETING, PRINTED_WORDS = _words("greeting"), _words("printed")
SALUTATION = re.compile(
    rf"{_any('salutations')}\b[^.?!:]{{0,40}}[,!]$|{_any('closings')}(?: \w+)?[,.!]?$",
    re.IGNORECASE,
)
MAIL_HEAD = re.compile(rf"\s*{_any('mail_heads')}\s?: \S", re.IGNORECASE)
MAIL_SIGN = re.compile(rf"@|^\s*{_any('mail_subjects')}", re.IGNORECASE)
FORWARDED = re.compile(_any("forwarded"), re.IGNORECASE)
# what a program said, behind the user's own words: "I get this error: ..."
REPORTED = re.compile(
    rf"\b(?:(?P<vague>{_any('vaguely_reported')})|{_any('reported')})"
    r"(?: (?:is|was|now|again|here|below|message|in \w+))?\s?[:\uff1a]\s+(?=\S)"
    rf"|(?P<script>{_any('reported_signs')})[^:\uff1a\n]{{0,8}}[:\uff1a]\s*(?=\S)",
    re.IGNORECASE,
)
# what somebody else said: "bob on slack: ..." or "Ines says: ..."
OTHERS = re.compile(
    r"^\W{0,3}(?!(?:i|we|you|it|this|that)\b)(?:[\w.'@-]+ ){1,4}?"
    rf"(?:{_any('channel_words')} (?:#[\w-]+|{_any('channels')})"
    rf"|(?:just )?{_any('says')}(?: (?:me|us|back|today|yesterday|mir|uns))?)\s?[:\uff1a]\s*(?=\S)",
    re.IGNORECASE,
)
