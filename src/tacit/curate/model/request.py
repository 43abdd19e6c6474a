"""The request: what a model is told about a batch of turns, and what it may call things.

The stable part comes first: how to read, then what is known, then what is new. Whatever is not ours
stands behind a bar, be it said, known, drafted or the name of a tool, and ends with its line. Long
texts are cut to stretches that tell; what is sent is redacted once more by whoever sends it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tacit.curate.model.reply import FIELDS, Names
from tacit.curate.model.windows import chosen
from tacit.curate.reading import WORKED
from tacit.curate.rules.cues import cues
from tacit.guard.normalise import normalise, one_line
from tacit.llm.port import Request
from tacit.mind import in_mind
from tacit.model.memory import KINDS
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.model.calls import Turn
    from tacit.curate.reading import Said, TurnText
    from tacit.model.action import Action
    from tacit.model.memory import Evidence
    from tacit.store.memory_port import Known

PROMPT, LINES, GATE = "extract-1", "lines-1", "gate-1"
BY_MODELS = "extract-"  # how the extractor of a model's statement begins
TOOL = "remember"
MOST_TOKENS = 3000
_ROOM = 36_000  # characters of all turns together: about ten thousand tokens
_OF_TOOL, _OF_CONTEXT, _OF_LINE, _OF_ENTRY = 260, 240, 240, 110
_OF_PAGES = 9000  # characters of all curated files together
_SHARE = 0.6  # of the room is the user's, and so much of the rest the agent's
_FEWEST = 80  # characters that are worth to be shown of a text
_NS = 1_000_000_000
ASKED = frozenset(("prompt", "message"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A curated file as a model is shown it: its memories, or the words of one that is deployed."""

    entries: tuple[tuple[str, str], ...] = ()  # (id of a memory, its line)
    text: str = ""
    is_changed: bool = True  # since the last call: what is not is told by its headings alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one call is about: turns, with what stands before them and what is known."""

    turns: Sequence[tuple[Turn, TurnText]]
    context: Sequence[Said] = ()
    known: Sequence[Known] = ()
    actions: Sequence[Action] = ()
    drafts: dict[str, Sequence[Evidence]] = field(default_factory=dict)  # by turn
    pages: dict[str, Page] = field(default_factory=dict)  # curated files, by name
    is_final: bool = False


def built(batch: Batch, tier: str = "small") -> tuple[Request, Names]:
    """Return what a model is asked, and what the names in it stand for."""
    names = Names(
        turns={f"t{at}": turn for at, (turn, _) in enumerate(batch.turns, 1)},
        memories={f"m{at}": name for at, name in enumerate(_named(batch), 1)},
        actions={f"a{at}": each.id for at, each in enumerate(batch.actions, 1)},
        drafts={f"d{at}": each.id for at, each in enumerate(_drafts(batch), 1)},
        shown=_shown(batch),
    )
    request = Request(
        system=prompt(PROMPT),
        state=_state(batch),
        text=_news(batch),
        schema=schema(),
        lines=prompt(LINES),
        name=TOOL,
        tier=tier,  # type: ignore[arg-type]
        most_tokens=MOST_TOKENS,
    )
    return request, names


@in_mind(4)
def prompt(name: str) -> str:
    """Return what a model is told to do."""
    return shipped(__package__, "prompts", f"{name}.md").read_text(encoding="utf-8")


def _drafts(batch: Batch) -> list[Evidence]:
    return [each for turn, _ in batch.turns for each in batch.drafts.get(turn.turn, ())]


def _named(batch: Batch) -> list[str]:
    """Return the memories that have a name: those of the turns first, then those of the files."""
    shown = [name for page in _changed(batch) for name, _ in page.entries]
    return list(dict.fromkeys([*(each.id for each in batch.known), *shown]))


def _shown(batch: Batch) -> dict[str, str]:
    """Return the words of the memories that have a name."""
    entries = {name: text for page in _changed(batch) for name, text in page.entries}
    return entries | {each.id: each.content for each in batch.known}


def _changed(batch: Batch) -> list[Page]:
    return [page for page in batch.pages.values() if page.is_changed]


def _pages(batch: Batch) -> list[str]:
    """Return the curated files: what has changed in full, the rest by its headings."""
    names = {name: f"m{at}" for at, name in enumerate(_named(batch), 1)}
    lines = []
    room = _OF_PAGES // max(1, len(_changed(batch)))
    for title, page in batch.pages.items():
        if page.text:
            told = page.text if page.is_changed else _headings(page.text)
            lines += [f"## {title} (read only)", _barred(told[:room])]
        elif page.is_changed:
            lines.append(f"## {title} (`files` may select and order these)")
            shown = [f"{names[name]} | {_line(text)[:_OF_ENTRY]}" for name, text in page.entries]
            lines += _fitting(shown, room)
        else:
            lines.append(f"## {title}: {len(page.entries)} entries, unchanged")
    return lines


def _fitting(lines: list[str], room: int) -> list[str]:
    """Return as many lines as there is room for; how many more there are is told."""
    total = 0
    kept: list[str] = []
    for line in lines:
        total += len(line) + 1
        if total > room:
            return [*kept, f"{len(lines) - len(kept)} more"]
        kept.append(line)
    return kept


def _headings(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith("#"))


def _state(batch: Batch) -> str:
    """Return what is known: it changes less than what is new."""
    lines = [*_pages(batch), "## Known memories"]
    lines += [
        f"m{at} [{each.kind}] | {_line(each.content)}" for at, each in enumerate(batch.known, 1)
    ]
    lines += ["", "## Open actions"]
    lines += [f"a{at} | {_line(each.content)}" for at, each in enumerate(batch.actions, 1)]
    return "\n".join(lines)


def _news(batch: Batch) -> str:
    parts = []
    if batch.context:
        parts.append("## Before these turns (context only)")
        parts += [
            f"{_who(said)}:\n{_barred(shortened(said.text, _OF_CONTEXT))}"
            for said in batch.context
            if said.text.strip()
        ]
    parts.append("## The turns")
    number = 0
    room = _ROOM // max(1, len(batch.turns))
    for at, (turn, text) in enumerate(batch.turns, 1):
        parts.append(_turn(f"t{at}", text, room))
        for draft in batch.drafts.get(turn.turn, ()):
            number += 1
            parts.append(f"draft d{number} [{draft.kind}] | {_line(draft.content)}")
    parts.append("The session has ended." if batch.is_final else "The session goes on.")
    return "\n".join(parts)


def _turn(name: str, turn: TurnText, room: int) -> str:
    """Return what was said in a turn, in so many characters at most, as long as names are short."""
    moment = datetime.fromtimestamp(turn.said[0].at // _NS, UTC).astimezone()
    at = moment.strftime("%Y-%m-%d %H:%M")  # by this machine's clock, as its user says "tomorrow"
    lines = [f"### {name}, {at}"]
    told = [said for said in turn.said if said.text.strip()]
    most = _most(told, room)
    lines += [
        f"{_who(said)}:\n{_barred(shortened(said.text, most[said.event]))}"
        for said in told
        if said.event in most
    ]
    unseen = len(told) - len(most)
    return "\n".join([*lines, f"({unseen} more are not shown)"] if unseen else lines)


def _most(told: Sequence[Said], room: int) -> dict[str, int]:
    """Return how much is shown of each event: the user's words first, then the agent's."""
    tools = [said for said in told if said.kind in WORKED]
    asked = [said for said in told if said.kind in ASKED]
    rest = [said for said in told if said.kind not in WORKED | ASKED]
    found: dict[str, int] = {}
    for share, part in ((_SHARE, asked), (_SHARE, rest), (1.0, tools)):
        shown = dict(_shared(part, int(room * share)))
        room -= sum(shown.values())
        found |= shown
    return found


def _shared(part: Sequence[Said], room: int) -> Iterator[tuple[str, int]]:
    """Yield those of a part that have room, each with how much of it; of too many the last."""
    count = min(len(part), max(1, room // _FEWEST))
    for said in part[len(part) - count :]:
        most = min(_OF_TOOL, room // count) if said.kind in WORKED else room // count
        yield said.event, min(most, len(said.text))


def _who(said: Said) -> str:
    """Return who said something: by the event, whatever the words claim."""
    if said.kind in WORKED:
        failed = "failed " if said.kind == "tool_failure" else ""
        return f"{failed}tool | {one_line(said.tool or '')[:60]}"
    return said.origin


def _barred(text: str) -> str:
    """Return a text of which every line stands behind a bar."""
    return "\n".join(f"| {line}" for line in normalise(text).splitlines() or [""])


def _line(text: str) -> str:
    return one_line(text)[:_OF_LINE]


def shortened(text: str, most: int) -> str:
    """Return as much of a text as may be sent: the stretches with most cues."""
    return chosen(text, most, _telling)


def _telling(text: str) -> float:
    return float(len(cues(text)))


def gate_request(chunks: Sequence[str]) -> Request:
    """Return the question which of these chunks are worth reading."""
    told = [f"### c{at}\n{_barred(text)}" for at, text in enumerate(chunks, 1)]
    return Request(
        system=prompt(GATE),
        state="",
        text="\n".join(told),
        schema=_object({"chunks": _list(_object(_CHUNK))}),
        name="judge",
        tier="small",
        most_tokens=60 + 40 * len(chunks),
    )


def schema() -> dict[str, Any]:
    """Return the shape of a reply, as JSON schema."""
    return _object(
        {
            "memories": _list(_object(_MEMORY)),
            "kept": _list(_TEXT),
            "withdrawn": _list(_TEXT),
            "actions": _list(_object(_ACTION)),
            "resolved": _list(_TEXT),
            "files": {"type": "object", "additionalProperties": _list(_TEXT)},
            "summary": {"anyOf": [{"type": "null"}, _object(dict.fromkeys(FIELDS, _TEXT))]},
        },
        optional=("files",),
    )


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT: dict[str, Any] = {"type": "string"}
_MEMORY: dict[str, Any] = {
    "kind": {"type": "string", "enum": list(KINDS)},
    "text": _TEXT,
    "quote": _TEXT,
    "turn": _TEXT,
    "importance": {"type": "integer"},
    "tags": _list(_TEXT),
    "topic": _TEXT,
    "scope": {"type": "string", "enum": ["project", "user"]},
    "supersedes": _TEXT,
    "draft": _TEXT,
}
_ACTION: dict[str, Any] = {
    "text": _TEXT,
    "quote": _TEXT,
    "turn": _TEXT,
    "priority": {"type": "integer"},
}
_CHUNK: dict[str, Any] = {"id": _TEXT, "worth": {"type": "boolean"}, "reason": _TEXT}
