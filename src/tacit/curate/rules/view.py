"""A turn as the rules see it: what was asked, what was done, what was answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.reading import WORKED
from tacit.curate.rules.features import Around
from tacit.curate.rules.words import stems
from tacit.mind import in_mind
from tacit.transcript.turns import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText
    from tacit.guard.fastjson import Json

_SHOWN = 200
_READ = 4000  # so much of what a tool gave is read


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One use of a tool: what it was given, what it gave, whether it failed."""

    said: Said
    tool: str
    given: dict[str, Json]
    result: str
    is_failed: bool

    @property
    def command(self) -> str:
        """Return the command of a shell; empty for any other tool."""
        command = self.given.get("command")
        return command if isinstance(command, str) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A turn, taken apart."""

    turn: TurnText
    prompts: tuple[Said, ...]
    acts: tuple[Act, ...]
    boring: tuple[Act, ...]  # those that teach nothing, and only touched files
    reply: Said | None
    before: str  # what the agent had said last
    did: tuple[str, ...]  # each act in short
    root: str = ""  # where the project lies
    earlier: Sequence[Said] = ()  # what was said before the turn, fetched when looked at

    def about(self) -> frozenset[str]:
        """Return what user and agent speak of."""
        reply = self.reply.text if self.reply else ""
        return _about(" ".join([*(said.text for said in self.prompts), reply])[:_READ])

    def around(self, said: Said) -> Around:
        """Return what stands around what somebody said."""
        if self.reply is not None and said.event == self.reply.event:
            asked = self.prompts[-1].text if self.prompts else ""
            return Around(before=asked, did=self.did)
        return Around(before=self.before, reply=self.reply.text if self.reply else "", did=self.did)


def view(turn: TurnText, context: Context, boring: Collection[str] = ()) -> View:
    """Return a turn, taken apart."""
    acts = [act_of(said) for said in turn.said if said.kind in WORKED]
    replies = [said for said in turn.said if said.kind == "reply"]
    telling = tuple(act for act in acts if act.tool not in boring)
    return View(
        turn=turn,
        prompts=tuple(turn.prompts),
        acts=telling,
        boring=tuple(act for act in acts if act.tool in boring),
        reply=replies[-1] if replies else None,
        before=next((said.text for said in reversed(context.before) if said.kind == "reply"), ""),
        root=context.root,
        earlier=context.before,
        did=tuple(f"{act.tool}: {_short(act.given)} -> {act.result[:_SHOWN]}" for act in telling),
    )


@in_mind(2)
def _about(text: str) -> frozenset[str]:
    return stems(text)


def act_of(said: Said) -> Act:
    """Return one use of a tool as the rules see it."""
    given = said.payload.get("tool_input")
    result = said.payload.get("tool_response", said.payload.get("error"))
    return Act(
        said=said,
        tool=said.tool or "",
        given=given if isinstance(given, dict) else {},
        result=shown(result)[:_READ],
        is_failed=said.kind == "tool_failure",
    )


def _short(given: dict[str, Json]) -> str:
    return json.dumps(given, ensure_ascii=False)[:_SHOWN]
