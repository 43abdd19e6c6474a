"""Tool events: whether one names an excluded directory.

Commands are read as a shell reads them. In output and in file content only paths count: absolute,
from `~`, from a directory that the event names, or through a link.
"""

from __future__ import annotations

from tacit.capture.excluded.links import Links
from tacit.capture.excluded.pattern import UNKNOWN, is_only_wild, is_pattern, normalise, reaches
from tacit.capture.excluded.reader import Reader
from tacit.paths import is_under

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.guard.fastjson import Json

# fields that hold text, not commands or paths: results first, then what a tool writes
_TEXTS = frozenset(
    ("tool_response", "error", "tool_result", "output", "content", "contents", "file_text",
     "old_string", "new_string", "old_str", "new_str", "new_source", "insert_text", "prompt",
     "description", "todos", "plan", "body", "message"),
)  # fmt: skip
_PATTERNS = frozenset(("pattern", "glob"))
_COMMAND, _PATTERN, _TEXT = "command", "pattern", "text"
_MARKS = "\t\r\n\"'`<>|;&()=,:[]{}"
_TREE = ("── ", "-- ")  # in front of each name that `tree` prints
_PREFIXES = ("./", "a/", "b/", "c/", "i/", "w/", "o/")  # of paths: `find .`, `git diff`


def is_named(
    payload: Json, directories: list[str], cwd: str, home: str, variable: Callable[[str], str]
) -> bool:
    """Return whether the payload of a tool event names one of the directories."""
    texts = _texts(payload, _COMMAND)
    reader = Reader(cwd, home, variable)
    for kind, text in texts:
        if kind == _COMMAND:
            reader.read(text)
        elif kind == _PATTERN:
            reader.read_pattern(text)
    commands = [text for kind, text in texts if kind != _TEXT]
    outputs = [text.replace("\\ ", " ") for kind, text in texts if kind == _TEXT]
    links = Links()
    places = list(dict.fromkeys([*directories, *(links.resolve(each) for each in directories)]))
    return any(
        _is_in_commands(reader, commands, place) or _is_in_outputs(reader, outputs, place)
        for place in places
    ) or _is_linked(reader, outputs, places, links)


def _texts(value: Json, kind: str) -> list[tuple[str, str]]:
    """Return every text of the payload with what it is."""
    if isinstance(value, str):
        return [(kind, value)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item, kind)]
    if not isinstance(value, dict):
        return []
    found = [(_TEXT, name) for name in value]
    for name, item in value.items():
        is_text = kind == _TEXT or name in _TEXTS
        found += _texts(item, _TEXT if is_text else _PATTERN if name in _PATTERNS else kind)
    return found


def _is_in_commands(reader: Reader, commands: list[str], place: str) -> bool:
    """Return whether a command names the directory or searches it without saying so."""
    bases = reader.bases_above(place)
    names = [*_spelled(place, reader.homes), *_relative(place, bases)]
    bases += [base for base in reader.bases if is_pattern(base)]
    known = [*reader.bases, *reader.homes]
    likely = [above for above in _ancestors(place) if any(is_under(each, above) for each in known)]
    return (
        any(_is_word(text, name) for text in commands for name in names)
        or any(is_under(place, root) for root in reader.roots)
        or any(
            _is_reached(full, place, likely, is_shown=is_shown)
            for path, is_shown in reader.paths.items()
            for full in _absolute(path, reader.bases if ".." in path else bases)
        )
    )


def _absolute(path: str, bases: list[str]) -> list[str]:
    is_absolute = path.startswith(("/", UNKNOWN))
    return [normalise(f"{base}/{path}") for base in ([""] if is_absolute else bases)]


def _is_reached(path: str, place: str, likely: list[str], *, is_shown: bool) -> bool:
    """Return whether a path could be something in the directory, or the directory itself.

    Itself counts only if the path has more than wildcards, or the command shows what is in it. A
    path that begins with UNKNOWN and a wildcard is tried from the directories that are *likely*.
    """
    is_it, is_in = reaches(path, place)
    if is_in or (is_it and (is_shown or not is_only_wild(path.rpartition("/")[2]))):
        return True
    begin, _, rest = path[1:].partition("/")
    return (
        begin == UNKNOWN
        and is_only_wild(rest.partition("/")[0])
        and any(_is_reached(f"{each}/{rest}", place, [], is_shown=is_shown) for each in likely)
    )


def _is_in_outputs(reader: Reader, outputs: list[str], place: str) -> bool:
    """Return whether a text that a tool printed or wrote holds a path of the directory."""
    names = _spelled(place, reader.homes)
    above = _ancestors(place)
    bases = reader.bases_above(place)
    for text in outputs:
        starts = [*bases, *(each for each in above if _is_word(text, each, "/"))]
        if "diff --git " in text:  # its paths start from the top of the repository
            starts += _ancestors(reader.bases[0])
        if any(_is_word(text, name) for name in names):
            return True
        if any(_is_path(text, name) for name in _relative(place, starts)):
            return True
    return False


def _ancestors(path: str) -> list[str]:
    """Return the directories above a path, without the root."""
    return [path[:end] for end in range(1, len(path)) if path[end] == "/"]


def _spelled(place: str, homes: list[str]) -> list[str]:
    """Return how a directory is written from the root and from home."""
    rests = [place[len(home) :] for home in homes if home != "/" and is_under(place, home)]
    return [place, *(begin + rest for rest in rests for begin in ("~", "$HOME", "${HOME}"))]


def _relative(place: str, bases: list[str]) -> list[str]:
    """Return how a directory is written from the directories above it."""
    found = [place[len(base.rstrip("/")) + 1 :] for base in bases if is_under(place, base)]
    return [name for name in dict.fromkeys(found) if name]


def _is_word(text: str, name: str, more: str = "") -> bool:
    """Return whether the name stands in the text as a path or as the beginning of one.

    Of one only if its next character is none of *more*.
    """
    position = text.find(name)
    while position >= 0:
        after = text[position + len(name) : position + len(name) + 1]
        is_begun = name[0] in "/~$" or not _is_in_name(text[position - 1 : position])
        if is_begun and not (after.isalnum() or (after and after in "_-" + more)):
            return True
        position = text.find(name, position + 1)
    return False


def _is_path(text: str, name: str) -> bool:
    """Return whether a relative name stands in the text as a path, not as a word."""
    position = text.find(name)
    while position >= 0:
        if _is_path_begun(text, position) and _is_path_at(text, position, name):
            return True
        position = text.find(name, position + 1)
    return False


def _is_path_begun(text: str, position: int) -> bool:
    """Return whether a path may begin at the position, or in front of it with `./`."""
    if not _is_in_name(text[max(position - 1, 0) : position]):
        return True
    is_prefixed = text.startswith(_PREFIXES, position - 2) if position > 1 else False
    return is_prefixed and not _is_in_name(text[max(position - 3, 0) : position - 2])


def _is_path_at(text: str, position: int, name: str) -> bool:
    """Return whether what stands at the position goes on, or began, as only a path does."""
    after = text[position + len(name) : position + len(name) + 2]
    if after[:1] == "/" or text.startswith(_TREE, max(position - 3, 0)):
        return True
    if "/" in name:
        return not (after[:1].isalnum() or after[:1] in {"_", "-"})
    return after in {":", ":\n"} and text[max(position - 1, 0) : position] in {"", "\n"}


def _is_in_name(char: str) -> bool:
    return char.isalnum() or char in {"_", "-", ".", "/"}


def _is_linked(reader: Reader, outputs: list[str], places: list[str], links: Links) -> bool:
    """Return whether a path leads into a directory through links or `..`.

    True as well if there are more paths than can be looked up: then it is not known.
    """
    words = {word for text in outputs for word in _words(text) if "/" in word}
    files = dict.fromkeys(
        (base, word) for word in words for base in (("",) if word[0] == "/" else reader.bases)
    )
    for base, path in (*reader.files, *files):
        found = links.resolve(path, base)
        if links.is_exhausted or any(is_under(found, place) for place in places):
            return True
    return False


def _words(text: str) -> list[str]:
    for mark in _MARKS:
        text = text.replace(mark, " ")
    return text.split()
