"""Spans: whose words a prompt holds, stretch by stretch.

The user's own words; what the user hands on and somebody or something else wrote (logs, code,
mails, pages, documents); and what the client added. Derived from the text alone, so a rebuild gives
the same. In doubt between a log and a sentence the shape decides, in doubt between two persons the
words that lead to the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.mind import in_mind
from tacit.transcript.prompt.client_wrappers import client_parts
from tacit.transcript.prompt.leads import lead, reported
from tacit.transcript.prompt.line_shapes import BLANK, LIKELY, PRINTED, SPOKEN
from tacit.transcript.prompt.lines import glance, lines_of, shown
from tacit.transcript.prompt.span_states import HANDED, OWN, Step, likeliest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.transcript.prompt.lines import Line

USER, QUOTED, SYSTEM = "user", "quoted", "system"
_ENOUGH = 10  # so many lines tell whose a paragraph is, with its last two


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a prompt with one origin."""

    start: int
    stop: int
    origin: str


@in_mind(64)
def spans(text: str) -> tuple[Span, ...]:
    """Return the spans of a prompt, in order, without gaps."""
    system = list(_merged(client_parts(text)))
    lines = lines_of(_without(text, system))
    _mark(lines)
    marks = [mark for line in lines if line.shape != BLANK for mark in _marks(line)]
    if system:
        marks = sorted([*marks, *((start, SYSTEM) for start, _ in system)])
    return tuple(_between(marks, len(text)))


@in_mind(64)
def words_of(text: str, origin: str) -> str:
    """Return a prompt in which all but the words of one origin is blank, each in its place."""
    parts = []
    for span in spans(text):
        part = text[span.start : span.stop]
        parts.append(part if span.origin == origin else _blank(part))
    return "".join(parts)


def own_words_first(text: str) -> str:
    """Return what the user says in a prompt, then what is handed on; nothing of the client's."""
    told = [span for origin in (USER, QUOTED) for span in spans(text) if span.origin == origin]
    return "\n".join(text[span.start : span.stop].strip() for span in told)


def _blank(text: str) -> str:
    if "\n" not in text:
        return " " * len(text)
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _without(text: str, parts: Sequence[tuple[int, int]]) -> str:
    for start, stop in parts:
        text = text[:start] + _blank(text[start:stop]) + text[stop:]
    return text


def _merged(parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, stop in parts:
        if stop > at:
            yield max(start, at), stop
        at = max(at, stop)


def _marks(line: Line) -> tuple[tuple[int, str], ...]:
    """Return where in a line whose words begin."""
    if line.own:
        return (line.start, USER), (line.start + line.own, QUOTED)
    begin = line.start + len(line.text) - len(line.text.lstrip())
    return ((begin, USER if line.is_own else QUOTED),)


def _between(marks: Sequence[tuple[int, str]], stop: int) -> Iterator[Span]:
    """Yield spans without gaps: what stands between two belongs to the one before it."""
    start, origin = 0, marks[0][1] if marks else USER
    for at, whose in marks:
        if whose != origin:
            yield Span(start, at, origin)
            start, origin = at, whose
    if stop:
        yield Span(start, stop, origin)


def _mark(lines: list[Line]) -> None:
    """Decide whose each line is: the likeliest course of states from the first to the last."""
    runs = list(_runs(lines))
    for run, state in zip(runs, likeliest(list(steps(runs))), strict=True):
        for line in run:
            line.is_own = state == OWN
        if state == OWN and run[0].shape in {SPOKEN, LIKELY}:
            run[0].own = reported(run[0].text)


def _runs(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the lines that say something, those that a program printed in a row as one."""
    run: list[Line] = []
    for line in lines:
        if line.shape == BLANK:
            continue
        is_printed = line.is_fenced or line.shape == PRINTED
        if run and not is_printed:
            yield run
            run = []
        if is_printed:
            run.append(line)
        else:
            yield [line]
    if run:
        yield run


def steps(runs: Sequence[list[Line]]) -> Iterator[Step]:
    """Yield what each run of lines shows, and what leads to it."""
    last = len(runs) - 1
    while last > 0 and not runs[last][0].is_apart:
        last -= 1
    before: list[Line] = []
    nth = 0
    for at, run in enumerate(runs):
        line = run[0]
        nth = 0 if line.is_apart else nth + 1
        announced = lead(before, line) if before else OWN
        if at >= last and announced == HANDED:
            last = max(at + 1, len(runs) - 1)  # the last paragraph is what is handed on
        is_amid = nth >= _ENOUGH and at + 2 < len(runs) and not runs[at + 1][0].is_apart
        told = glance(line) if is_amid else shown(before, run, runs[at + 1 : at + 5])
        yield Step(told, announced, line.is_apart, at >= last)
        before = run
