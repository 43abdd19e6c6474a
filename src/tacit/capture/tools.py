"""Tool events: what must be left out of them.

Results of our own tools are never evidence, and a tool event that names an excluded directory is
not recorded at all: absolute, from `~` or `$HOME`, from the session's directory, from one that the
same event names, or through a link. Loaded only where one of the two may be the case.
"""

from __future__ import annotations

from posixpath import join, normpath, realpath, relpath

from tacit.paths import is_under

TYPE_CHECKING = False
if TYPE_CHECKING:
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
_MARKS = "\t\r\n\"'`<>|;&()=,:[]{}"
_MOST_BASES = 32


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


def mentions(payload: Json, directories: list[str], cwd: str, home: str) -> bool:
    """Say whether any text of the payload names one of the directories."""
    texts = [_plain(text, home) for text in _texts(payload)]
    bases = _bases(texts, cwd, home)
    names = {name for each in directories for name in _spelled(each, bases, home)}
    if any(_stands(text, name) for text in texts for name in names):
        return True
    paths = {word for text in texts for word in _words(text) if "/" in word or ".." in word}
    return any(_leads(path, bases, directories, home) for path in sorted(paths)[:2000])


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *_texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []


def _plain(text: str, home: str) -> str:
    """Return the text with its paths spelled plainly."""
    for spelling in ('"$HOME"', '"${HOME}"', "${HOME}", "$HOME"):
        text = text.replace(spelling, home)
    text = text.replace("\\ ", " ")
    while "/./" in text or ("//" in text and "://" not in text):
        text = text.replace("/./", "/").replace("//", "/")
    return text


def _bases(texts: list[str], cwd: str, home: str) -> list[str]:
    """Return the directories that relative paths may be meant from."""
    bases = [cwd]
    for text in texts:
        here = cwd
        for before, word in _pairs(["", *_words(text)]):
            if before in {"cd", "pushd", "-C", "-P"}:
                here = _resolved(here, word, home)
                bases.append(here)
            elif word.startswith(("/", "~")):
                bases.append(_resolved(cwd, word, home))
        if "cd" in text:
            bases.append(home)
    return sorted(set(bases), key=len)[:_MOST_BASES]


def _words(text: str) -> list[str]:
    for mark in _MARKS:
        text = text.replace(mark, " ")
    return text.split()


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return [(one, two) for one, two in zip(words, words[1:], strict=False)]  # noqa: RUF007  (no itertools in the hook)


def _resolved(base: str, word: str, home: str) -> str:
    """Return the path that a word means, seen from *base*."""
    if word == "~" or word.startswith("~/"):
        word = home + word[1:]
    return normpath(join(base or "/", word))


def _leads(path: str, bases: list[str], directories: list[str], home: str) -> bool:
    """Say whether a path leads into one of the directories, from any base, through any link."""
    places = {_resolved(base, path, home) for base in (bases if path[0] not in "/~" else bases[:1])}
    places |= {realpath(place) for place in places if "\0" not in place}
    return any(is_under(place, each) for place in places for each in directories)


def _spelled(directory: str, bases: list[str], home: str) -> list[str]:
    """Return how the directory may be written, blanks and all."""
    names = [directory, *(relpath(directory, base) for base in bases if base.startswith("/"))]
    if home and is_under(directory, home):
        names.append("~" + directory[len(home.rstrip("/")) :])
    return [name for name in names if name not in {".", ".."} and not name.endswith("/..")]


def _stands(text: str, name: str) -> bool:
    """Say whether the name stands in the text as a whole path or as the beginning of one."""
    position = text.find(name)
    while position >= 0:
        before = text[position - 1 : position] if position else ""
        after = text[position + len(name) : position + len(name) + 1]
        is_begun = name[0] in "/~" or name.startswith("../") or not _is_in_name(before)
        if is_begun and not (after.isalnum() or after in {"_", "-"}):
            return True
        position = text.find(name, position + 1)
    return False


def _is_in_name(char: str) -> bool:
    return char.isalnum() or char in {"_", "-", ".", "/"}
