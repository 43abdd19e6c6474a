"""Plain: what is meant to stay and carries no cue of it, known by its whole shape.

Use this and not that, in which language to answer, what not to use, on which port something
listens, what somebody is called, to which day something was moved. Each shape is narrow; whatever
is longer or points at one thing is left to the scorer.
"""

from __future__ import annotations

from tacit.curate.rules.across.edges import Shape, apart, choice

_POLITE = rf"\W*(?:{apart('leads', 'polite')}\W+){{0,3}}"
_END = rf"(?:\W+{apart('tails', 'here')}){{0,3}}\W*$"
_SHAPES = Shape(
    rf"{_POLITE}(?:"
    rf"{apart('use')}(?:\s+[\w./@+-]+){{1,7}}?,?\s+{apart('not_that')}\s+[\w./@+-]+(?:\s[\w./@+-]+){{0,5}}\W*$"
    rf"|{apart('answer')}(?:\s+\w+)?\s+(?:in|auf|en|em|po)\s+{apart('tongues')}{_END}"
    r"|\u65e5\u672c\u8a9e\u3067(?:\u7b54\u3048|\u8fd4\u4e8b|\u56de\u7b54)"
    rf"|{choice('do_not')}(?!\s+{apart('for_now')})\s*[^\W\d_]{{4,}}(?:\s+(?!{apart('for_now')}\W*$)[^\W\d_]+){{0,5}}{_END}"
    rf"|(?:[\w'-]+\s+){{1,6}}{apart('listens')}\s+(?:on|at|auf|sur|en|su|na|no)\s+(?:\w+\s)?port\w*\s\d{{2,5}}\b"
    rf"|{apart('called')}\s+\w"
    r")"
)
_TO = rf"(?:the\s+|den\s+|dem\s+|le\s+|el\s+|il\s+|dia\s+|o\s+)?(?:\d|{apart('named_days')})"
_MOVED = Shape(
    rf"{_POLITE}(?:[\w'\u2019-]+\s+){{1,8}}?(?:"
    rf"{apart('moved')}\s+{apart('moved_to')}\s+{_TO}"
    rf"|{apart('becomes')}\s+(?:[\w'-]+\s+){{0,3}}?{apart('moved_to')}\s+{_TO}[^!?]{{0,30}}\s{apart('moved_at_last')})"
)
_LONG = 120  # characters; patterns this rich are not for long texts
_NONE = {"cue=joke", "cue=said", "cue=irony", "has=question", "cue=maybe", "cue=once"}
_LATER = {"cue=later"}  # to which day something was moved is told with such words


def is_plain(text: str, seen: set[str]) -> bool:
    """Say whether a clause is plainly meant to stay, by its shape."""
    if len(text) > _LONG or seen & _NONE:
        return False
    return bool(_MOVED.match(text) or (not seen & _LATER and _SHAPES.match(text)))
