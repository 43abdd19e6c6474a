"""The canvas: what a tool call says of a card, read tolerantly.

Which tools and fields are meant is chosen by the user. What a payload names never becomes a path:
a card is known by an id of plain signs, or by the hash of one that is not. Only what a tool has
done counts, not what it was asked and failed to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.digest import blake2b
from tacit.guard import fastjson
from tacit.guard.normalise import one_line
from tacit.transcript.turns import payload_of

if TYPE_CHECKING:
    from tacit.guard.fastjson import Json
    from tacit.model.event import Record
    from tacit.settings import Settings

CREATE, UPDATE, CLOSE = "create", "update", "close"
LONGEST_TITLE = 200
_LONGEST_ID = 120
_DONE = "tool_use"
_ANSWERED = ("card_id", "cardId", "id")  # where a tool says which card it has made
_TYPE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """Which tools make, change and close cards, and where they are told what."""

    create: tuple[str, ...] = ("create_card",)
    update: tuple[str, ...] = ("update_card",)
    close: tuple[str, ...] = ("close_card",)
    card: str = "card_id"
    title: str = "title"
    blocks: str = "blocks"

    def does(self, tool: str | None) -> str | None:
        """Return what a tool does with a card; None if it has nothing to do with one."""
        named = ((CREATE, self.create), (UPDATE, self.update), (CLOSE, self.close))
        for what, ends in named:
            if tool and any(end and tool.endswith(end) for end in ends):
                return what
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one event says of a card; None where it says nothing."""

    card: str
    does: str
    title: str | None
    body: str | None


def chosen(settings: Settings) -> Canvas:
    """Return the canvas as the user has chosen it."""
    value = settings.value
    return Canvas(
        create=tuple(value("canvas.create_tools")),
        update=tuple(value("canvas.update_tools")),
        close=tuple(value("canvas.close_tools")),
        card=str(value("canvas.card_field")),
        title=str(value("canvas.title_field")),
        blocks=str(value("canvas.blocks_field")),
    )


def said(record: Record, canvas: Canvas) -> Said | None:
    """Return what an event says of a card; None if it says nothing of one."""
    does = canvas.does(record.tool) if record.kind == _DONE else None
    if does is None:
        return None
    payload = payload_of(record)
    given, answer = payload.get("tool_input"), payload.get("tool_response")
    if not isinstance(given, dict) or _has_failed(answer):
        return None
    card = identity(given.get(canvas.card)) or _answered(answer, (canvas.card, *_ANSWERED))
    if card is None:
        return None
    title, text = words(record, canvas)
    return Said(card=card, does=does, title=title, body=text)


def words(record: Record, canvas: Canvas) -> tuple[str | None, str | None]:
    """Return the title and the text that an event gives a card; None for what it does not."""
    given = payload_of(record).get("tool_input")
    if not isinstance(given, dict):
        return None, None
    title, blocks = given.get(canvas.title), given.get(canvas.blocks)
    return (
        titled(title) if isinstance(title, str) else None,
        None if blocks is None else body(blocks),
    )


def identity(value: Json) -> str | None:
    """Return what a card is known by: its id if that is plain, else a hash of it."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    text = str(value)
    is_plain = text.isascii() and text.isprintable() and " " not in text
    if is_plain and len(text) <= _LONGEST_ID:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return f"card~{digest.hexdigest()}"


def titled(text: str) -> str:
    """Return a title on one line, not too long."""
    return one_line(text)[:LONGEST_TITLE].strip()


def body(blocks: Json) -> str:
    """Return what stands on a card: the text of its blocks as it is; what is no text is told."""
    blocks = _parsed(blocks)
    parts = [_block(each) for each in (blocks if isinstance(blocks, list) else [blocks])]
    return "\n\n".join(parts)


def _parsed(blocks: Json) -> Json:
    """Return the blocks; some write the list as a text."""
    if isinstance(blocks, str) and blocks.lstrip().startswith("["):
        try:
            found = fastjson.loads(blocks.encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return blocks
        return found if isinstance(found, list) else blocks
    return blocks


def _block(block: Json) -> str:
    if isinstance(block, str):
        return block
    given = block if isinstance(block, dict) else {}
    content = given.get("content", given.get("text"))
    if given.get("type", "text") == "text" and isinstance(content, str):
        return content
    return f"<!-- left out: a block of type {_word(given.get('type'))} -->"


def _word(value: Json) -> str:
    """Return a type that cannot end the comment it stands in."""
    text = value.lower()[:40] if isinstance(value, str) else ""
    is_word = bool(text) and set(text) <= _TYPE and "--" not in text
    return text if is_word else "unknown"


def _has_failed(answer: Json) -> bool:
    return isinstance(answer, dict) and any(
        answer.get(name) is True for name in ("is_error", "isError")
    )


def _answered(answer: Json, names: tuple[str, ...]) -> str | None:
    """Return which card a tool says it has made: in its answer, or in JSON that it answers with."""
    if isinstance(answer, dict):
        found = next((card for name in names if (card := identity(answer.get(name)))), None)
        return found or _answered(answer.get("content"), names)
    if isinstance(answer, list):
        texts = [each.get("text") for each in answer if isinstance(each, dict)]
        return next((card for text in texts if (card := _answered(text, names))), None)
    if isinstance(answer, str) and answer.lstrip().startswith("{"):
        try:
            return _answered(fastjson.loads(answer.encode("utf-8", "replace")), names)
        except (ValueError, RecursionError):
            return None
    return None
