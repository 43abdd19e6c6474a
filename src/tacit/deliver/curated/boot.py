"""The boot text: all that an agent is to know before its first word, in one piece.

What was deployed, the four pages, what was learned in the last two days, and what is pending; each
part only if it has something to say, parted by a line of its own. Nothing is read from the pages on
the disk, so what somebody has edited there is told to nobody. It never takes more tokens than it
may: what counts most stays, what counts least goes first, and what has gone is named in one line.
What was deployed takes no more than half, unless the rest has no need of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tacit.deliver import counting, render
from tacit.deliver.curated import deployed, gather, place, plain, review
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated.desk import sheets
from tacit.deliver.curated.names import CONTEXT, DEPLOYED, FILES, TOOLS, USER
from tacit.deliver.curated.sheet import more_line
from tacit.deliver.share import shared
from tacit.model.memory import DAY_NS
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.selection import Selection
    from tacit.deliver.curated.sheet import Sheet
    from tacit.model.memory import Memory

TOKENS = 8000
HOURS, LEARNINGS = 48, 50
PENDING = 100
BETWEEN = "\n\n---\n\n"
_LEARNED = "Recent Learnings"
_SINCE = f"What was learned in the last {HOURS} hours, the newest first."
_PENDING = "Pending Actions"
_PAGES = (TOOLS, FILES, USER, CONTEXT)
_LEFT = "- [left out: there is no room for {count} more lines of {name}]"
_LEFT_OUT = "Left Out"
_DEPLOYED_SHARE = 0.5
# which section, of which part, has which share of the room: what counts most comes first
_SHARES = {
    (USER, "corrections"): 0.14,
    (_PENDING, "pending"): 0.1,
    (CONTEXT, "tasks"): 0.08,
    (USER, "preferences"): 0.12,
    (USER, "instructions"): 0.12,
    (_LEARNED, "behaviour"): 0.06,
    (USER, "about"): 0.06,
    (CONTEXT, "decisions"): 0.06,
    (CONTEXT, "facts"): 0.06,
    (_LEARNED, "facts"): 0.04,
    (TOOLS, "procedures"): 0.05,
    (TOOLS, "tools"): 0.03,
    (FILES, "notes"): 0.02,
    (FILES, "touched"): 0.02,
    (CONTEXT, "sessions"): 0.01,
    (CONTEXT, "history"): 0.01,
    (FILES, "levels"): 0.01,
    (_LEARNED, "unverified"): 0.01,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BootPart:
    """One part of a boot text."""

    name: str
    lines: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """A boot text; an empty one says nothing at all."""

    text: str
    tokens: int
    generated_at: str
    version: str = ""
    parts: list[BootPart] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # parts that miss, or miss a section


@dataclass(frozen=True, slots=True)
class _Section:
    """A section of a part: what its part begins with, its title, its lines, how much more there is.

    A part of one section has no title but what it begins with.
    """

    part: str
    name: str
    head: Sequence[str]
    title: str
    lines: Sequence[str]
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lying:
    """What lies beside the memory: what was deployed, what was selected, what was changed."""

    version: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    selected: Mapping[str, Selection] = field(default_factory=dict)
    changed: Sequence[str] = ()


def boot(desk: Desk, projects: tuple[str, ...] | None, tokens: int = TOKENS) -> Boot:
    """Return the boot text of projects, or of the whole group, within so many tokens."""
    lying = _lying(desk)
    pages = sheets(desk, projects, lying.selected)
    sections = [
        *(each for name in _PAGES for each in _of_page(pages[name])),
        *_learnings(desk, projects),
        *_pending(desk, projects, lying.changed),
    ]
    parts, left_out = _told(lying.texts, sections, tokens)
    text = BETWEEN.join(parts.values())
    return Boot(
        text=text,
        tokens=counting.tokens(text) if text else 0,
        generated_at=_iso(desk.now),
        version=lying.version,
        parts=[
            BootPart(name=name, lines=len(each.split("\n")), tokens=counting.tokens(each))
            for name, each in parts.items()
        ],
        left_out=left_out,
    )


def nothing(now: int) -> Boot:
    """Return the boot text of a group that has nothing yet."""
    return Boot(text="", tokens=0, generated_at=_iso(now))


def _iso(now: int) -> str:
    return datetime.fromtimestamp(now // 1_000_000_000, UTC).isoformat()


def _lying(desk: Desk) -> _Lying:
    if not place.exists(desk.files):
        return _Lying()
    with place.opened(desk.files) as folder:
        ledger = ledgers.read(folder, desk.marker)
        found = {name: deployed.told(folder, desk.marker, ledger, name) for name in DEPLOYED}
        return _Lying(
            version=deployed.version(folder),
            texts={name: text.strip() for name, text in found.items() if text},
            selected=ledger.selected,
            changed=[each.name for each in review.edited(desk)],
        )


def _told(
    texts: Mapping[str, str], sections: Sequence[_Section], tokens: int
) -> tuple[dict[str, str], list[str]]:
    """Return the text of each part that has room; which parts have none, or miss a section."""
    parts, left = _shared(texts, sections, tokens)
    if not left:
        return parts, left
    everything = dict.fromkeys([*texts, *(each.part for each in sections)])
    longest = _left_out({}, [*everything])
    parts, left = _shared(texts, sections, tokens - _cost([longest, BETWEEN]))
    told = _left_out(parts, left)
    return (parts | {_LEFT_OUT: told} if _cost([longest]) <= tokens else parts), left


def _left_out(parts: Mapping[str, str], left: Sequence[str]) -> str:
    """Return the line that says what has no room: all of a part, or some of it."""
    named = {
        "all of": [name for name in left if name not in parts],
        "some of": [name for name in left if name in parts],
    }
    told = [f"{how} {', '.join(names)}" for how, names in named.items() if names]
    return f"[left out, there is no room for it: {'; '.join(told)}]"


def _shared(
    texts: Mapping[str, str], sections: Sequence[_Section], room: int
) -> tuple[dict[str, str], list[str]]:
    """Return what fits, and what misses: what was deployed leaves the rest what that needs."""
    parts = _deployed(texts, max(room - _needed(sections), int(room * _DEPLOYED_SHARE)))
    room -= sum(_cost([text, BETWEEN]) for text in parts.values())
    fitting = _fitting(sections, room)
    left = [name for name in texts if name not in parts]
    whole = {(each.part, each.name) for each in fitting}
    left += [each.part for each in sections if (each.part, each.name) not in whole]
    return parts | _joined(fitting), [*dict.fromkeys(left)]


def _deployed(texts: Mapping[str, str], room: int) -> dict[str, str]:
    """Return what was deployed; of what is longer than its part of the room, the beginning."""
    lines = {name: text.split("\n") for name, text in texts.items()}
    if sum(_cost([*each, BETWEEN]) for each in lines.values()) <= room:
        return dict(texts)
    ends = [_LEFT.format(count=len(each), name=name) for name, each in lines.items()]
    counts = shared(
        [[_cost([line]) for line in each] for each in lines.values()],
        [1 / max(1, len(lines))] * len(lines),
        max(0, room - sum(_cost([end, BETWEEN]) for end in ends)),
    )
    return {
        name: _begun(name, each, count)
        for (name, each), count in zip(lines.items(), counts, strict=True)
        if count
    }


def _begun(name: str, lines: Sequence[str], count: int) -> str:
    """Return how a deployed text begins, and how much more there is of it."""
    more = len(lines) - count
    end = [_LEFT.format(count=more, name=name)] if more else []
    return "\n".join([*lines[:count], *end])


def _of_page(page: Sheet) -> list[_Section]:
    """Return the sections of a page that have something to say; what is pending is told below."""
    head = [f"# {page.page.title}", "", page.page.note]
    return [
        _Section(
            page.page.name,
            each.section.part,
            head,
            f"## {each.section.title}",
            [entry.line for entry in each.entries],
            each.more,
        )
        for each in page.filled
        if each.entries and each.section.part != "reminders"
    ]


def _learnings(desk: Desk, projects: tuple[str, ...] | None) -> list[_Section]:
    """Return what was learned lately, in the sections of a brief."""
    learned = _lately(desk, projects)
    trusted = [each for each in learned if each.is_trusted]
    parts = (
        ("behaviour", "Behavioral Preferences", [each for each in trusted if each.behavioral]),
        ("facts", "Known Facts", [each for each in trusted if not each.behavioral]),
        ("unverified", "Unverified", [each for each in learned if not each.is_trusted]),
    )
    head = [f"# {_LEARNED}", "", _SINCE, "", *render.NOTE.split("\n")]
    return [
        _Section(_LEARNED, name, head, f"## {title}", [_learned(each, desk.now) for each in own])
        for name, title, own in parts
        if own
    ]


def _lately(desk: Desk, projects: tuple[str, ...] | None) -> list[Memory]:
    asked = [Wanted(limit=LEARNINGS)]
    if projects is not None:
        asked = [
            Wanted(projects=projects, limit=LEARNINGS),
            Wanted(is_everywhere=True, limit=LEARNINGS),
        ]
    found = [each for wanted in asked for each in desk.store.memories.wanted(wanted)]
    since = desk.now - HOURS * 3600 * 1_000_000_000
    fresh = [each for each in found if each.created_at >= since]
    return sorted(fresh, key=lambda each: (-each.created_at, each.id))[:LEARNINGS]


def _learned(memory: Memory, now: int) -> str:
    age = f"{max(0, now - memory.created_at) // DAY_NS}d ago"
    if memory.is_trusted:
        return f"- [{memory.kind}] {plain.sentence(memory.content)} ({age})"
    whose = plain.inline(render.whose(memory.origin))
    return f"- [{memory.kind}] {plain.quoted(memory.content)} (from {whose}, {age})"


def _pending(
    desk: Desk, projects: tuple[str, ...] | None, changed: Iterable[str]
) -> list[_Section]:
    waiting = gather.waiting(desk.store, projects)
    scope = desk.scope(projects)
    lines = [
        f"- [high] {name} was changed from outside: the owner sees how with `tacit files diff`"
        for name in changed
    ]
    lines += [gather.action_entry(each, scope).line for each in waiting[:PENDING]]
    more = len(waiting[PENDING:])
    return [_Section(_PENDING, "pending", [f"# {_PENDING}"], "", lines, more)] if lines else []


def _fitting(sections: Sequence[_Section], room: int) -> list[_Section]:
    """Return the sections with as many lines as fit, in the order in which they are told."""
    if _needed(sections) <= room:
        return list(sections)
    wanted = sorted(sections, key=lambda each: [*_SHARES].index((each.part, each.name)))
    while wanted and _fixed(wanted) > room / 2:  # headings are not what it is about
        wanted.pop()
    taken = shared(
        [[_cost([line]) for line in each.lines] for each in wanted],
        [_SHARES[each.part, each.name] for each in wanted],
        max(0, room - _fixed(wanted)),
    )
    counts = {id(each): count for each, count in zip(wanted, taken, strict=True)}
    return [
        replace(
            each,
            lines=each.lines[: counts[id(each)]],
            more=each.more + len(each.lines) - counts[id(each)],
        )
        for each in sections
        if counts.get(id(each))
    ]


def _needed(sections: Sequence[_Section]) -> int:
    """Return what sections cost with all their lines."""
    return _fixed(sections) + sum(_cost(each.lines) for each in sections)


def _fixed(sections: Sequence[_Section]) -> int:
    """Return what sections cost beside their lines."""
    heads = {each.part: each.head for each in sections}
    titles = [line for each in sections for line in ("", each.title, "", *more_line(99_999))]
    return _cost([*titles, *(line for head in heads.values() for line in (*head, BETWEEN))])


def _joined(sections: Sequence[_Section]) -> dict[str, str]:
    """Return the text of each part: its head once, then its sections."""
    parts: dict[str, list[str]] = {}
    for each in sections:
        lines = parts.setdefault(each.part, [*each.head])
        lines += ["", each.title, ""] if each.title else [""]
        lines += [*each.lines, *more_line(each.more)]
    return {name: "\n".join(lines) for name, lines in parts.items()}


def _cost(lines: Iterable[str]) -> int:
    return sum(counting.tokens(line) + 1 for line in lines)
