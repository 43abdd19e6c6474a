"""The reply: what a model answers, read strictly, with real names for those that it was told.

The names are ours: `t1` is a turn, `m1` a known memory, `d1` a draft of the rules, `a1` an action.
Whatever names something else is dropped and counted, as is every item that is not what was asked
for. A reply that is of another shape altogether is refused as a whole.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tacit.curate.model import protocols
from tacit.curate.rules.words import stems
from tacit.errors import ModelStrange
from tacit.model.memory import (
    ALIASES,
    KINDS,
    LONGEST_CONTENT,
    LONGEST_TAG,
    MOST_IMPORTANCE,
    MOST_TAGS,
    USUAL_IMPORTANCE,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tacit.curate.model.calls import Turn

LARGEST, DEEPEST = 256 * 1024, 32
MOST = 100  # items of one sort
ALIKE = 0.6  # of a line's words a memory must have to be the one that is meant
FIELDS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
FILES = ("tools.md", "files.md", "user.md", "context.md")
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_HALVES = re.compile("[\ud800-\udfff]")
_LONGEST_QUOTE = 2000
_PRIORITIES = (0, 1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the model was told things are called, and what they are."""

    turns: Mapping[str, Turn] = field(default_factory=dict)
    memories: Mapping[str, str] = field(default_factory=dict)
    drafts: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)  # the words of these memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One statement of a reply: unproved."""

    kind: str
    text: str
    quote: str = ""
    turn: str = ""
    importance: int = USUAL_IMPORTANCE
    tags: tuple[str, ...] = ()
    topic: str = ""
    supersedes: str = ""
    draft: str = ""  # of the rules, which this says better
    is_everywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One thing left to do, of a reply: unproved."""

    text: str
    quote: str = ""
    turn: str = ""
    priority: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that a reply says. One that *is_complete* has named every draft that it wants kept.

    One that says nothing of drafts is not: it only adds.
    """

    memories: tuple[Item, ...] = ()
    kept: tuple[str, ...] = ()
    actions: tuple[Todo, ...] = ()
    resolved: tuple[str, ...] = ()
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)  # stamps of the files that it was shown
    summary: dict[str, str] | None = None
    is_complete: bool = True
    dropped: int = 0

    def body(self) -> dict[str, Any]:
        """Return it as an event keeps it."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


def answer_of(body: dict[str, Any]) -> Answer:
    """Return what an event has kept."""
    return Answer(
        memories=tuple(
            Item(**{**each, "tags": tuple(each.get("tags", ()))}) for each in body["memories"]
        ),
        kept=tuple(body["kept"]),
        actions=tuple(Todo(**each) for each in body["actions"]),
        resolved=tuple(body["resolved"]),
        files={name: tuple(lines) for name, lines in body.get("files", {}).items()},
        seen={name: int(stamp) for name, stamp in body.get("seen", {}).items()},
        summary=body.get("summary"),
        is_complete=bool(body.get("is_complete", True)),
        dropped=int(body.get("dropped", 0)),
    )


def cleaned(answer: Answer, clean: Callable[[str], str]) -> Answer:
    """Return an answer whose texts are cleaned, before anything of it is written down."""
    return replace(
        answer,
        memories=tuple(
            replace(
                each,
                text=clean(each.text),
                quote=clean(each.quote),
                topic=clean(each.topic),
                tags=tuple(map(clean, each.tags)),
            )
            for each in answer.memories
        ),
        actions=tuple(
            replace(each, text=clean(each.text), quote=clean(each.quote)) for each in answer.actions
        ),
        files={name: tuple(map(clean, lines)) for name, lines in answer.files.items()},
        summary=answer.summary and {name: clean(text) for name, text in answer.summary.items()},
    )


def parsed(value: Any, text: str, names: Names) -> Answer:
    """Return what a reply says: an object where the provider gave one, else what its text holds."""
    if len(text) > LARGEST:
        raise ModelStrange("The model answered with more than any batch needs. It is asked again.")
    if value is None:
        value = _object_in(text)
    if value is None:
        return _of_text(text, names)
    if (
        not isinstance(value, dict)
        or _is_deep(value)
        or not isinstance(value.get("memories"), list)
    ):
        raise ModelStrange("The model answered in another shape than asked. It is asked again.")
    return _of_object(value, names)


def _object_in(text: str) -> Any:
    """Return the object that stands in a text, alone or in a fence; None if there is none."""
    for each in (text, *_FENCED.findall(text)):
        if each.lstrip().startswith("{"):
            try:
                return json.loads(each)
            except (ValueError, RecursionError):
                continue
    return None


def _of_text(text: str, names: Names) -> Answer:
    """Return what a text says by one of the two protocols; such a reply names no drafts."""
    said = protocols.read(text)
    if said is None:
        raise ModelStrange("The model answered in another shape than asked. It is asked again.")
    items = [_item({"kind": kind, "text": told}, names) for kind, told in said.statements]
    kept = [each for each in items if each is not None]
    files = {name: _matched(lines, names) for name, lines in said.files.items() if name in FILES}
    unknown = sum(found.count("") for found in files.values())
    return Answer(
        memories=tuple(kept[:MOST]),
        kept=tuple(names.drafts.values()),
        actions=tuple(Todo(text=each[:LONGEST_CONTENT]) for each in said.actions[:MOST]),
        files={name: tuple(dict.fromkeys(filter(None, ids))) for name, ids in files.items()},
        summary=_summary(said.summary) if said.summary else None,
        is_complete=False,
        dropped=said.dropped + len(items) - len(kept) + unknown,
    )


def _matched(lines: Sequence[str], names: Names) -> list[str]:
    """Return which memory each line of a file is; nothing for one that is none that was told."""
    told = [(name, stems(names.shown.get(name, ""))) for name in names.memories.values()]
    return [
        names.memories.get(_called(line)) or _likest(line, told)
        for line in lines[: 4 * MOST]
        if not line.lstrip().startswith("#")
    ]


def _called(line: str) -> str:
    """Return by which name a line calls its memory, if it does."""
    return (line.strip().lstrip("-*|").split(maxsplit=1) or [""])[0].strip("[]:")


def _likest(line: str, told: Sequence[tuple[str, frozenset[str]]]) -> str:
    """Return the memory that has most of a line's words and fewest others, if it has enough."""
    words = stems(line)
    fitting = [
        (len(words & own), -len(own), name)
        for name, own in told
        if words and len(words & own) >= ALIKE * len(words)
    ]
    return max(fitting, default=(0, 0, ""))[2]


def _of_object(value: dict[str, Any], names: Names) -> Answer:
    told = _listed(value, "memories")
    items = [_item(each, names) for each in told]
    todos = [_todo(each, names) for each in _listed(value, "actions")]
    listed = _listed(value, "kept", max(MOST, len(names.drafts)))
    kept = _known(listed, names.drafts)
    unsaid = [_text(one, "draft") for one, each in zip(told, items, strict=True) if each is None]
    stays = dict.fromkeys([*kept, *_known(unsaid, names.drafts)])  # nothing better was said
    redone = {each.draft for each in items if each}
    return Answer(
        memories=tuple(each for each in items if each),
        kept=tuple(each for each in stays if each not in redone),
        actions=tuple(each for each in todos if each),
        resolved=tuple(_known(_listed(value, "resolved"), names.actions)),
        files=_files(value.get("files"), names),
        summary=_summary(value.get("summary")),
        is_complete=_is_list(value.get("kept")),
        dropped=len(listed) - len(kept) + items.count(None) + todos.count(None),
    )


def _known(told: Sequence[Any], names: Mapping[str, str]) -> list[str]:
    """Return what those of the names stand for that were told to the model."""
    return [names[each] for each in told if isinstance(each, str) and each in names]


def _item(said: Any, names: Names) -> Item | None:
    """Return a statement that is of the right shape; None for any other."""
    text = _text(said, "text", LONGEST_CONTENT)
    kind = ALIASES.get(_text(said, "kind"), _text(said, "kind"))
    if not text or kind not in KINDS:
        return None
    turn = names.turns.get(_text(said, "turn"))
    weight = said.get("importance")
    return Item(
        kind=kind,
        text=text,
        quote=_text(said, "quote", _LONGEST_QUOTE),
        turn=turn.turn if turn else "",
        importance=min(MOST_IMPORTANCE, max(1, weight)) if _is_number(weight) else USUAL_IMPORTANCE,
        tags=tuple(_tags(said.get("tags"))),
        topic=_text(said, "topic", LONGEST_TAG),
        supersedes=names.memories.get(_text(said, "supersedes"), ""),
        draft=names.drafts.get(_text(said, "draft"), ""),
        is_everywhere=_text(said, "scope") == "user",
    )


def _todo(said: Any, names: Names) -> Todo | None:
    text = _text(said, "text", LONGEST_CONTENT)
    if not text:
        return None
    turn = names.turns.get(_text(said, "turn"))
    priority = said.get("priority")
    return Todo(
        text=text,
        quote=_text(said, "quote", _LONGEST_QUOTE),
        turn=turn.turn if turn else "",
        priority=priority if _is_number(priority) and priority in _PRIORITIES else _PRIORITIES[-1],
    )


def _tags(said: Any) -> Iterator[str]:
    given = [_whole(each) for each in said if isinstance(each, str)] if _is_list(said) else []
    yield from dict.fromkeys(each for each in given[:MOST_TAGS] if 0 < len(each) <= LONGEST_TAG)


def _files(said: Any, names: Names) -> dict[str, tuple[str, ...]]:
    """Return which known memories a file shall show, in order: nothing else can be asked for."""
    chosen = said if isinstance(said, dict) else {}
    return {
        name: tuple(_known(chosen[name][: 4 * MOST], names.memories))
        for name in FILES
        if _is_list(chosen.get(name))
    }


def _summary(said: Any) -> dict[str, str] | None:
    """Return what a session came to, as told; which files it touched is not for a model to say."""
    if not isinstance(said, dict):
        return None
    told = {name: _text(said, name, LONGEST_CONTENT) for name in FIELDS}
    return {name: text for name, text in told.items() if text} or None


def _listed(value: dict[str, Any], name: str, most: int = MOST) -> list[Any]:
    found = value.get(name)
    return found[:most] if isinstance(found, list) else []


def _text(said: Any, name: str, most: int = 200) -> str:
    """Return a text of an item: empty if it is none, or longer than it may be."""
    found = said.get(name) if isinstance(said, dict) else None
    text = _whole(found) if isinstance(found, str) else ""
    return text if len(text) <= most else ""


def _whole(text: str) -> str:
    """Return a text as it can be written down: half a character is none."""
    return _HALVES.sub("\ufffd", text).strip()


def _is_list(said: Any) -> bool:
    return isinstance(said, list)


def _is_number(said: Any) -> bool:
    return isinstance(said, int) and not isinstance(said, bool)


def _is_deep(value: Any, depth: int = 0) -> bool:
    if depth > DEEPEST:
        return True
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_is_deep(each, depth + 1) for each in inner)
