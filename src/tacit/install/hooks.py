"""The hooks that a client is asked to run, as its settings spell them.

One row an event. Only the two tool events run beside the agent: an asynchronous hook is killed when
a print-mode client ends, so whatever a session may end with must be waited for. The end of a
session has a second and a half in all unless its hook asks for more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacit.install.command import hook_command

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One event that the client tells us of."""

    event: str
    is_async: bool = False
    timeout: int | None = None


CLAUDE_CODE = (
    Hook(event="SessionStart"),
    Hook(event="UserPromptSubmit"),
    Hook(event="PostToolUse", is_async=True),
    Hook(event="PostToolUseFailure", is_async=True),
    Hook(event="Stop"),
    Hook(event="StopFailure"),
    Hook(event="SubagentStart"),
    Hook(event="SubagentStop"),
    Hook(event="PreCompact"),
    Hook(event="SessionEnd", timeout=10),
)


def registrations(launcher: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the `hooks` of the client's settings: each event, with the command in exec form."""
    return {hook.event: [{"hooks": [spelled(hook, launcher)]}] for hook in CLAUDE_CODE}


def spelled(hook: Hook, launcher: Path) -> dict[str, Any]:
    """Return one hook as the client's settings spell it: the command in exec form."""
    program, *arguments = hook_command(launcher, hook.event)
    told: dict[str, Any] = {"type": "command", "command": program, "args": arguments}
    if hook.is_async:
        told["async"] = True
    if hook.timeout is not None:
        told["timeout"] = hook.timeout
    return told
