"""Lines of a prompt: what each shows that tells for or against somebody else's words.

A line speaks to the agent, asks, is a title or an item, looks printed or laid out; what stands
around it counts too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tacit.transcript.prompt import speech_cues as cues
from tacit.transcript.prompt.line_shapes import LAID_OUT, LIKELY, ORNATE, PRINTED, SPOKEN, shape

if TYPE_CHECKING:
    from collections.abc import Sequence

_FENCES = ("```", "~~~")
_FENCED = 6  # a longer line opens and closes a fence by itself
READ = 200  # so much of a line tells how it is meant
_LABEL, _TITLE, _LONG = 28, 50, 24
_FEW, _SAID = 3, 5
_SIGNS = '!"#$%&()*+,./:;<=>?@[\\]^_`{|}~'
_SIGNS += "\u201c\u201d\u201e\u00ab\u00bb\u2026\u2014\u2013\uff1a\uff0c\u3002"
_APART = str.maketrans(_SIGNS, " " * len(_SIGNS)) | {0x2019: "'"}
ITEM = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)]|[a-z]\))\s")
_LABELLED = re.compile(r"[A-Z][\w /-]{1,24}: ")
_SHAPES = {LAID_OUT: "laid out", ORNATE: "ornate", LIKELY: "likely", PRINTED: "printed"}
_GLANCES = {shape: (name,) for shape, name in _SHAPES.items()} | {SPOKEN: ("plain",)}
_INDENTS = frozenset(("  ", "\t", " \t", "\t\t", "\t "))


@dataclass(slots=True)
class Line:
    """One line, and what is known of it."""

    start: int
    text: str
    shape: int
    is_own: bool = True
    own: int = 0  # so many characters at its start are the user's, the rest is quoted
    words: list[str] | None = None
    is_fenced: bool = False
    is_apart: bool = False  # a blank line stands before it

    @property
    def stop(self) -> int:
        """Return where it ends."""
        return self.start + len(self.text)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a prompt: their shape, what is fenced or quoted, what is set apart."""
    lines: list[Line] = []
    at = nth = 0
    fence, is_apart = "", False
    for body in text.split("\n"):
        head = body.lstrip()
        is_fence = head.startswith(_FENCES)
        is_fenced = bool(fence) or is_fence or head.startswith(">")
        nth = nth + 1 if head and not is_apart else 0
        looks = SPOKEN if is_fenced else _shape(body, nth, lines)
        lines.append(Line(at, body, looks, is_fenced=is_fenced, is_apart=is_apart))
        at += len(body) + 1
        is_apart = not head and not fence
        if fence and head.startswith(fence):
            fence, is_apart = "", True
        elif is_fence and not fence:
            is_apart = head.count(head[:3]) > 1 and len(head) > _FENCED
            fence = "" if is_apart else head[:3]
    return lines


def _shape(body: str, nth: int, lines: Sequence[Line]) -> int:
    """Return what a line looks like; in the midst of a long paragraph each second like the last."""
    return lines[-1].shape if nth > _LONG and nth % 2 else shape(body)


def shown(before: list[Line], run: list[Line], after: Sequence[list[Line]]) -> list[str]:
    """Return what a run of lines shows, also by what stands around it."""
    line = run[0]
    found = traits(line)
    is_said = not {"speaks", "asks"}.isdisjoint(found)
    is_end = bool(before) and not after and (is_said or (not line.is_apart and _is_sentence(line)))
    if (_is_below(before, found) and is_said) or (is_end and "item" not in found):
        return [*found, "answers"]
    if not before and after and _is_sentence(line) and _is_printed_below(after[0][0]):
        return [*found, "announces"]
    is_lead = (
        line.is_apart and line.shape == SPOKEN and line.text.rstrip().endswith((":", "\uff1a"))
    )
    if is_lead and before and before[-1].shape >= LIKELY:
        return [*found, "announces"]
    if line.shape == LAID_OUT and line.text.startswith("# ") and _is_above_code(after):
        return ["likely"]  # a comment
    return found


def _is_sentence(line: Line) -> bool:
    """Say whether a line is said rather than printed: long enough, and begun or ended so."""
    text = line.text.strip()
    is_long = len(line.words or ()) > _SAID
    is_ended = text[-1] in ".!?\u0964" or ". " in text
    return is_long and (text[0].islower() or is_ended or not text.isascii())


def _is_printed_below(line: Line) -> bool:
    return line.shape == PRINTED and not line.is_apart


def _is_below(before: Sequence[Line], found: Sequence[str]) -> bool:
    """Say whether a line stands below code, or a list, and does not go on with it."""
    if not before or "indented" in found or "item" in found:
        return False
    is_item = bool(ITEM.match(before[-1].text))
    return is_item or before[-1].is_fenced or before[-1].shape >= LIKELY


def _is_above_code(after: Sequence[list[Line]]) -> bool:
    """Say whether code comes next, below comments at most."""
    for run in after:
        if run[0].is_apart or run[0].shape >= LIKELY:
            return not run[0].is_apart
        if not run[0].text.startswith("# "):
            return False
    return False


def glance(line: Line) -> Sequence[str]:
    """Return what a line in the midst of a long paragraph shows at a glance."""
    return ("fenced",) if line.is_fenced else _GLANCES[line.shape]


def traits(line: Line) -> list[str]:
    """Return what tells for or against a line being somebody else's."""
    if line.is_fenced:
        return ["fenced"]
    if line.shape >= LIKELY:
        return [_SHAPES[line.shape]]
    text = line.text.strip()
    head = text[:READ].lower()
    line.words = words = words_in(head)
    found = [_SHAPES[line.shape]] if line.shape != SPOKEN else []
    if ITEM.match(line.text):
        found.append("item")
    elif line.text[:2] in _INDENTS:
        found.append("indented")
    if words and words[0] in cues.GREETING and cues.SALUTATION.match(text):
        found.append("letter")
    if ": " in text[:_LABEL] and _LABELLED.match(text):
        found.append("labelled")
    elif len(text) < _TITLE and text[0].isupper() and text[-1] not in ".!?,;":
        found.append("title")
    return found + (_spoken(text, head, words) or ["plain"])


def speaks(head: str, words: list[str]) -> bool:
    """Say whether somebody speaks for themselves in words that are in lower case."""
    if not cues.SPEAKING.isdisjoint(words) or not cues.SPEAKING_PAIRS.isdisjoint(pairwise(words)):
        return True
    return not head.isascii() and cues.SPEAKING_SIGNS.search(head) is not None


def _spoken(text: str, head: str, words: list[str]) -> list[str]:
    """Return by what somebody speaks to the agent in a line."""
    found = []
    if speaks(head, words):
        found.append("speaks")
    elif not cues.TOGETHER.isdisjoint(words):
        found.append("together")
    is_sentence = text[-1] in ".!?" or text[0].islower() or len(words) > _FEW
    if words and words[0] in cues.ASKING and is_sentence:
        found.append("asks")
    if text[-1] in "?\uff1f":
        found.append("question")
    if text[0].islower() and len(words) >= _FEW:
        found.append("lower")
    return found


def words_in(text: str) -> list[str]:
    """Return the words of a text in lower case, without what stands around them."""
    return text.translate(_APART).split()
