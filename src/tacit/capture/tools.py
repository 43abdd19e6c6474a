"""Tool events: what must be left out of them.

Results of our own tools are never evidence, and a tool event that touches an excluded directory is
not recorded at all. Works on the parsed payload; loaded only where one of the two may be the case.
"""

from __future__ import annotations

from posixpath import join, normpath

from tacit.paths import is_under

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.guard.fastjson import Json

_OWN = ("mcp__tacit__", "mcp__plugin_tacit_")
_OUR_OUTPUT = "[tacit's own output]"
_RESULTS = ("tool_response", "error", "tool_result", "output")
_JOINTS = ";|&()`\n{}"
_WRAPPERS = {
    "sudo",
    "env",
    "time",
    "exec",
    "nohup",
    "command",
    "uv",
    "run",
    "poetry",
    "pipx",
    "xargs",
}
_MARKS = " \t\r\n\"'`<>|;&()=,:[]{}"


def without_own(payload: Json) -> Json:
    """Return the payload without what our own tools said; None if nothing else is in it."""
    if not isinstance(payload, dict):
        return payload
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
    for joint in _JOINTS:
        command = command.replace(joint, "\n")
    return any(_is_tacit(simple.split()) for simple in command.split("\n"))


def _is_tacit(words: list[str]) -> bool:
    """Say whether one simple command is ours: `tacit …`, `X=1 tacit …`, `python -m tacit …`."""
    names = [word.strip("\"'$") for word in words]
    while names and (names[0] in _WRAPPERS or "=" in names[0] or names[0].startswith("-")):
        names.pop(0)
    if not names:
        return False
    is_module = ("-m", "tacit") in _pairs(names)
    return names[0].rpartition("/")[2] == "tacit" or is_module or "-mtacit" in names


def mentions(payload: Json, directories: list[str], cwd: str, home: str) -> bool:
    """Say whether any text of the payload names one of the directories, in whatever spelling."""
    return any(_names(text, directories, cwd, home) for text in _texts(payload))


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *_texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []


def _names(text: str, directories: list[str], cwd: str, home: str) -> bool:
    for spelling in ("${HOME}", "$HOME"):
        text = text.replace(spelling, home)
    if any(_stands(text, name) for each in directories for name in _spelled(each, cwd, home)):
        return True
    words = _words(text)
    bases = [cwd, *(_resolved(cwd, word, home) for cd, word in _pairs(words) if cd == "cd")]
    places = {_resolved(base, word, home) for base in bases for word in words}
    return any(is_under(place, each) for place in places for each in directories)


def _words(text: str) -> list[str]:
    for mark in _MARKS[1:]:
        text = text.replace(mark, " ")
    return text.split(" ")


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    words = [word for word in words if word]
    return [(one, two) for one, two in zip(words, words[1:], strict=False)]  # noqa: RUF007  (no itertools in the hook)


def _resolved(base: str, word: str, home: str) -> str:
    """Return the path that a word means, seen from *base*; nothing for what is no path."""
    if not word or (base != "" and word.startswith("-")):
        return ""
    if word == "~" or word.startswith("~/"):
        word = home + word[1:]
    return normpath(join(base or "/", word.replace("\\", "")))


def _spelled(directory: str, cwd: str, home: str) -> list[str]:
    """Return how the directory may be written, blanks and all: absolute, from `~`, from cwd."""
    names = [directory]
    for base, short in ((home, "~/"), (cwd, "")):
        if base and directory != base and is_under(directory, base):
            names.append(short + directory[len(base.rstrip("/")) + 1 :])
    return names


def _stands(text: str, name: str) -> bool:
    """Say whether the name stands in the text as a whole path or as the beginning of one."""
    position = text.find(name)
    while position >= 0:
        before = text[position - 1 : position] if position else ""
        after = text[position + len(name) : position + len(name) + 1]
        is_begun = name[0] in "/~" or not (before.isalnum() or before in {"_", "-", ".", "/"})
        if is_begun and not (after.isalnum() or after in {"_", "-"}):
            return True
        position = text.find(name, position + 1)
    return False
