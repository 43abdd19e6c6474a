"""Tool events: what must be left out of them.

Results of our own tools are never evidence, and a tool event that names an excluded directory is
not recorded at all (`tacit.capture.excluded`). Loaded only where one of the two may be the case.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.guard.fastjson import Json

_OWN = ("mcp__tacit__", "mcp__plugin_tacit_")
_OUR_OUTPUT = "[tacit's own output]"
_RESULTS = ("tool_response", "error", "tool_result", "output")
_JOINTS = ";|&()`\n{}<>"
_WRAPPERS = {
    "sudo",
    "env",
    "time",
    "exec",
    "nohup",
    "command",
    "uv",
    "uvx",
    "run",
    "poetry",
    "pipx",
}
_WRAPPERS |= {"xargs", "timeout", "nice", "do", "then", "else", "if", "while", "!", "sh", "bash"}


def _unset(_name: str) -> str:
    return ""


def without_own(payload: Json) -> Json:
    """Return the payload without what our own tools said; None if nothing else is in it."""
    if not isinstance(payload, dict):
        is_ours = isinstance(payload, str) and any(name in payload for name in _OWN)
        return None if is_ours else payload
    if str(payload.get("tool_name", "")).startswith(_OWN):
        return None
    arguments = payload.get("tool_input")
    if isinstance(arguments, dict) and runs_tacit(str(arguments.get("command", ""))):
        payload = {**payload, **{name: _OUR_OUTPUT for name in _RESULTS if name in payload}}
    calls = payload.get("tool_calls")
    if isinstance(calls, list):
        kept: list[Json] = [left for call in calls if (left := without_own(call)) is not None]
        payload = {**payload, "tool_calls": kept}
    return payload


def runs_tacit(command: str) -> bool:
    """Say whether a shell command runs us."""
    if "/tacit'" in command or '/tacit"' in command:
        return True
    for joint in _JOINTS:
        command = command.replace(joint, "\n")
    return any(_is_tacit(simple.split()) for simple in command.split("\n"))


def _is_tacit(words: list[str]) -> bool:
    """Say whether one simple command is ours: `tacit …`, `X=1 tacit …`, `python -m tacit …`."""
    names = [word.strip("\"'$") for word in words]
    if any("python" in name for name in names) and _is_module(names):
        return True
    while names and _is_wrapping(names):
        names.pop(0)
    return bool(names) and names[0].rpartition("/")[2] == "tacit"


def _is_module(names: list[str]) -> bool:
    """Say whether Python is told to run us: `-m tacit`, `-Im tacit`, `-mtacit`."""
    told = [two for one, two in _pairs(names) if one.startswith("-") and one.endswith("m")]
    return "tacit" in told or "-mtacit" in names


def _is_wrapping(names: list[str]) -> bool:
    """Say whether the first word only leads to the command: a wrapper or an option of one."""
    first = names[0]
    return first in _WRAPPERS or first.startswith("-") or "=" in first or first.isdigit()


def mentions(
    payload: Json,
    directories: list[str],
    cwd: str,
    home: str,
    variable: Callable[[str], str] = _unset,
) -> bool:
    """Return whether a tool event names one of the directories.

    *home* is the environment's home directory, *variable* returns other variables of it.
    """
    from tacit.capture.excluded.event import is_named

    return is_named(payload, directories, cwd, home, variable)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return [(one, two) for one, two in zip(words, words[1:], strict=False)]  # noqa: RUF007  (no itertools in the hook)
