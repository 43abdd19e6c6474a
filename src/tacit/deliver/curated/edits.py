"""Edits by hand: what somebody has changed in a file, what that would mean, and how it is kept.

A line that a person adds becomes a memory, one that is changed corrects its memory, one that is
taken out lets it go: but only once the owner accepts it. Until then the edit stays in the file,
whatever else changes there, and is told to nobody.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tacit.deliver.curated.names import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.deliver.curated.ledger import Line, Marker
    from tacit.deliver.curated.names import Section
    from tacit.deliver.curated.sheet import Entry

    Marked = Sequence[tuple[str, str]]
    Worded = Callable[[str], str]  # the words of a memory or an action, by its id

MOST_LINES = 500  # of a file that is compared: more than twice what one may have
_ALIKE = 0.5
_ACTION = "act-"
_BULLET = re.compile(r"^\s*(?:[-*+]\s+)?")
_ABOUT = re.compile(r"\s*\((?:[^()]{1,80}, )?\d{4}-\d\d-\d\d\)\s*$")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Hunk:
    """A place where a file differs: the lines that went, those that came, and what stands above."""

    gone: tuple[Line, ...]
    came: tuple[str, ...]
    above: tuple[str, ...] = ()  # the digests of the lines of ours before it, the nearest first
    titles: tuple[str, ...] = ()  # of the headings above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What accepting one changed line means: a decision, or nothing, and why."""

    verb: str  # remember, correct, forget, dismiss, or pass
    id: str = ""
    text: str = ""
    was: str = ""
    kind: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """An edit of a file that waits for the owner."""

    name: str
    removed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    trouble: str = ""

    def __bool__(self) -> bool:
        return bool(self.removed or self.added or self.trouble)


def hunks(ours: Sequence[Line], now: Marked) -> list[Hunk]:
    """Return where a file differs from what we wrote."""
    marks = [each.mark for each in ours]
    compared = SequenceMatcher(None, marks, [mark for mark, _ in now], autojunk=False)
    found = []
    for tag, first, last, begin, end in compared.get_opcodes():
        if tag != "equal":
            titles = (line.lstrip("# ") for _, line in now[:begin] if line.startswith("#"))
            found.append(
                Hunk(
                    gone=tuple(ours[first:last]),
                    came=tuple(line for _, line in now[begin:end]),
                    above=tuple(reversed(marks[:first])),
                    titles=tuple(titles),
                )
            )
    return found


def kept(found: Sequence[Hunk], lines: Sequence[Entry], marker: Marker) -> str:
    """Return a page as it is now, with the same edits in it."""
    marks = [marker.mark(each.line) if each.line.strip() else "" for each in lines]
    gone = {each.mark for hunk in found for each in hunk.gone}
    standing = {mark: at for at, mark in enumerate(marks) if mark and mark not in gone}
    behind: dict[int, list[str]] = {}
    for hunk in found:
        anchor = next((standing[mark] for mark in hunk.above if mark in standing), len(lines) - 1)
        behind.setdefault(anchor, []).extend(hunk.came)
    text: list[str] = []
    for at, each in enumerate(lines):
        came = behind.get(at, [])
        if marks[at] not in gone and (each.line or text[-1:] != [""]):
            text.append(each.line)
        is_heading = each.line.startswith("#")
        text += ["", *came] if came and is_heading else came
    return "\n".join(text) + "\n"


def left(found: Sequence[Hunk], taken: Sequence[Hunk]) -> list[Hunk]:
    """Return what has changed beside what was *taken*: what came since somebody looked."""
    came = Counter(line for hunk in taken for line in hunk.came)
    gone = {each.mark for hunk in taken for each in hunk.gone}
    rest = []
    for hunk in found:
        lines = [line for line in hunk.came if not _is_taken(came, line)]
        missing = tuple(each for each in hunk.gone if each.mark not in gone)
        rest.append(replace(hunk, gone=missing, came=tuple(lines)))
    return [hunk for hunk in rest if hunk.gone or hunk.came]


def _is_taken(lines: Counter[str], line: str) -> bool:
    lines[line] -= 1
    return lines[line] >= 0


def steps(name: str, found: Sequence[Hunk], worded: Worded) -> list[Step]:
    """Return what accepting an edit means, in the order of the file."""
    return [step for hunk in found for step in _of_hunk(name, hunk, worded)]


def _of_hunk(name: str, hunk: Hunk, worded: Worded) -> Iterator[Step]:
    titles = [*hunk.titles]
    gone = {each.id: worded(each.id) for each in hunk.gone if each.id}
    for line in hunk.came:
        if line.startswith("#"):
            titles.append(line.lstrip("# "))
            yield Step(verb="pass", text=line, was="a heading")
            continue
        text = bare(line)
        if not _WORD.search(text):
            continue
        old = _replaced(gone, text, is_only=len(hunk.gone) == len(hunk.came) == 1)
        if old:
            yield Step(verb="correct", id=old, text=text, was=gone.pop(old))
        else:
            yield _added(_section(name, titles), text)
    for left, words in gone.items():
        verb = "dismiss" if left.startswith(_ACTION) else "forget"
        yield Step(verb=verb, id=left, was=words)


def _added(section: Section | None, text: str) -> Step:
    if section is None or not section.kind:
        return Step(verb="pass", text=text, was="no memory stands in this section")
    return Step(verb="remember", text=text, kind=section.kind, tags=section.tags)


def bare(line: str) -> str:
    """Return what a line says: without its bullet, its day and the signs that made it harmless."""
    said = _ABOUT.sub("", _BULLET.sub("", line)).strip()
    return said.removeprefix("\\") if said[1:2] in set("#>*+=~_-") else said


def _replaced(gone: dict[str, str], text: str, *, is_only: bool) -> str:
    """Return which of the lines that went a new one stands for; nothing if it is none of them."""
    memories = {name: words for name, words in gone.items() if not name.startswith(_ACTION)}
    if is_only:
        return next(iter(memories), "")
    best, alike = "", _ALIKE
    for name, words in memories.items():
        compared = SequenceMatcher(None, words.casefold(), text.casefold(), autojunk=False)
        if compared.real_quick_ratio() >= alike and compared.quick_ratio() >= alike:
            ratio = compared.ratio()
            best, alike = (name, ratio) if ratio >= alike else (best, alike)
    return best


def _section(name: str, titles: Sequence[str]) -> Section | None:
    """Return the section of a page that these titles lead to: the last of ours among them."""
    page = PAGES.get(name)
    sections = {each.title: each for each in page.sections} if page else {}
    found = [sections[title] for title in titles if title in sections]
    return found[-1] if found else None
