"""Passing: what carries a cue of what is meant to stay, and yet only passes.

A wish for now, a taste that points at one thing, a report of what things do or did, a question
without its mark, a text that is quoted or handed on, what would be if, and an order about
something that nobody named. None of it counts for its cues alone; the scorer still may take it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.across.edges import Shape, apart
from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import words
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Callable


_QUOTED = re.compile(
    r"`[^`\n]+`|\"[^\"\n]+\"|\u201c[^\u201d\n]+\u201d|\u201e[^\u201c\u201d\n]+[\u201c\u201d]"
    r"|\u00ab[^\u00bb\n]+\u00bb|\u300c[^\u300d\n]+\u300d|(?<![^\W_])'[^'\n]{4,}'(?![^\W_])"
)
_OPENED = re.compile(r"[\"\u201c\u201e\u00ab\u300c`]")
_STANDING = {"standing", "ever", "taste", "asked", "settled", "onward"}
_LEAD = rf"\W*(?:{apart('fillers')}\W+)*"
_WISH = Shape(rf"{apart('wishes')}\W+(?P<next>.*)$")
_TASTE = Shape(rf"{apart('tastes')}(?:\W*$|[,!]|\W+{apart('pointed')})")
_INFINITIVE = re.compile(r"[^\W\dA-Z_]+(?:ar|er|ir|re|oir|en|ern|\u0107)\b")
_WISHED = Shape(apart("pointed", "wished"))
_MEANT = Shape(apart("weighed", "meant_for"))
_WEIGHED, _PICKED = Shape(apart("weighed")), Shape(apart("picked"))
_FOR_GOOD = {"standing", "ever", "onward", "universal"}
_ASKED = {
    "duty", "ask", "task", "ban-first", "standing-first", "ever-first", "taste", "onward", "asked",
}  # fmt: skip
_DANGLING = Shape(rf"{_LEAD}{apart('pointers')}\s*{apart('does')}")
_UNNAMED = Shape(
    rf"{_LEAD}(?:{apart('always')}\W+\w+|\w+\W+{apart('always')})\W+{apart('unnamed')}\W*$"
)
_WAY = Shape(rf"{apart('this_way')}\W*$")
_THIS = Shape(
    r"(?:^\W*that|\b(?:this|diese[rsnm]?|cet|cette|est[ea]|quest[oa]|ess[ea]|tym|tej))\s+"
    rf"(?!{apart('here')}|(?:way|is|are|we|you|the|i)\b)[^\W\d_]+|\u3053\u306e"
    rf"(?!{apart('here')})"
)
_OVER, _MISHAP = Shape(apart("over")), Shape(apart("mishaps"))
_HAPPENS = Shape(
    r"^(?!\W*(?:we|you|i|our|wir|nous|on)\b)(?:\S+\s+){1,6}?(?:always|never|generally|normally)\s+"
    r"(?!has\b|needs\b|goes\b|uses\b|stays\b|gets\b|lives\b|ends\b|starts\b)\w+(?:[^s]s|ed)\b"
)
_EACH_TIME = Shape(rf"{_LEAD}{apart('each_time')}[^,]*(?:,\s*(?P<next>.*))?$")
_YOU = Shape(apart("you"))
_TELLERS = Shape(apart("tellers"))
_WEAK = Shape(rf"{apart('weak')}\W+{apart('reports')}|{_LEAD}\w+\s+is\s+{apart('weak')}")
_FUMBLE = Shape(
    rf"\bi\s+(?:{apart('always')})\s+(?:{apart('fumbles')})|{apart('fumbles')}\s+{apart('always')}"
)
_EVERYDAY = Shape(apart("everyday"))
_QUERY = Shape(rf"{_LEAD}(?:{apart('before_queries')}\W+)*{apart('queries')}")
_UNREAL = Shape(rf"{_LEAD}{apart('unreal')}|\bwould\s+(?:never|always)\s+have\b")
_READ = Shape(apart("just_read"))
_SAYING = Shape(apart("sayings"))
_THEIR = Shape(rf"{_LEAD}{apart('their')}")
_HANDED = Shape(rf"{_LEAD}(?:{apart('polite')}\W+)*(?:{apart('handed')})")
_HANDING_ON = Shape(rf"{apart('handing_on')}|[:\uff1a\"]")
_RULED = Shape(apart("always"))
_SIGN = Shape(apart("signs"))


@in_mind(64)
def is_passing(text: str, before: str = "", between: str = "") -> bool:
    """Say whether a clause only passes; *before* it stands another, parted by *between*."""
    if any(check(text) for check in _CHECKS):
        return True
    is_dangling = bool(_DANGLING.match(text) or _UNNAMED.match(text) or _WAY.search(text))
    if is_dangling and not _fills(before):
        return True
    return _is_handed_on(text) or (":" in between and _announces(before))


def _fills(before: str) -> bool:
    """Say whether a clause names what the next one points at."""
    return len(words(before)) > 2 and "?" not in before and not _HANDED.match(before)  # noqa: PLR2004


def _is_quoted(text: str) -> bool:
    """Say whether the cues stand in quotation marks: they are somebody else's."""
    if not _OPENED.search(text) and "'" not in text:
        return False
    bare = _QUOTED.sub(" ", text)
    bare = _OPENED.split(bare)[0] if _OPENED.search(bare) else bare  # its end is in another clause
    return bare != text and not cues(bare) & _STANDING


def _is_wish_for_now(text: str) -> bool:
    found = _WISH.search(text)
    if found is None or cues(text) & _FOR_GOOD or _WEIGHED.match(found["next"]):
        return False
    after = found["next"]
    is_pointed = bool(_WISHED.match(after) or _PICKED.search(after))
    return bool(_INFINITIVE.match(after)) or (is_pointed and not _WEIGHED.search(after))


def _is_taste_for_one(text: str) -> bool:
    found = _TASTE.search(text)
    is_one = found is not None and not _MEANT.search(text, found.end())
    return (is_one or bool(_PICKED.search(text))) and not cues(text) & (_FOR_GOOD - {"universal"})


def _is_report(text: str) -> bool:
    """Say whether a clause tells what things do or did, and what nobody is asked to do."""
    if _OVER.search(text) or _HAPPENS.search(text) or _WEAK.search(text):
        return True
    told = cues(text)
    return bool(_MISHAP.search(text)) and not told & _ASKED


def _is_each_time(text: str) -> bool:
    """Say whether a clause tells what happens each time, rather than what is to be done then."""
    found = _EACH_TIME.match(text)
    if found is None or cues(text) & {"duty", "ban", "ask"} or _YOU.search(text):
        return False
    after = (found["next"] or "").rpartition(",")[2].strip()
    return not after or bool(_TELLERS.match(after))


def _is_about_this(text: str) -> bool:
    return bool(_THIS.search(text)) and not cues(text) & {"onward", "asked"}


def _is_for_the_hour(text: str) -> bool:
    return "settled" in cues(text) and bool(_EVERYDAY.search(text))


def _is_handed_on(text: str) -> bool:
    """Say whether a task comes with the rule that it is about."""
    found = _HANDED.match(text)
    if found is None:
        return False
    ruled = _RULED.search(text, found.end())
    on = _HANDING_ON.search(text, found.end(), ruled.start() if ruled else len(text))
    return on is not None


def _announces(before: str) -> bool:
    """Say whether a clause announces a text, and no rule of the speaker's own."""
    return bool(_HANDED.match(before) or _SIGN.search(before))


def _matches(pattern: Shape) -> Callable[[str], bool]:
    return lambda text: pattern.match(text) is not None


def _finds(pattern: Shape) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_CHECKS: tuple[Callable[[str], bool], ...] = (
    _is_quoted,
    _is_wish_for_now,
    _is_taste_for_one,
    _is_report,
    _is_each_time,
    _is_about_this,
    _is_for_the_hour,
    _finds(_SAYING),
    _finds(_READ),
    _finds(_FUMBLE),
    _matches(_QUERY),
    _matches(_UNREAL),
    _matches(_THEIR),
)
