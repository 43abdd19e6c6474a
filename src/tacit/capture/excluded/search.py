"""Programs that read directory trees: where they begin, and whether they print paths.

A search usually prints the path of each match, and that path is looked for in the output. These
commands are known from their text alone because the output may hold no path at all.
"""

from __future__ import annotations

_LISTING = frozenset(("ls", "dir", "vdir"))
_FINDING = frozenset(("find", "fd", "fdfind", "tree", "du"))
_GREPPING = frozenset(("grep", "egrep", "fgrep", "zgrep"))
_SEARCHING = frozenset(("rg", "ag", "ack", "ugrep"))
_ARCHIVING = frozenset(("tar", "bsdtar", "zip", "cpio", "rsync", "cp", "scp"))
_PREFIXES = frozenset(
    ("sudo", "env", "time", "exec", "nohup", "command", "do", "then", "else", "if", "while", "!",
     "{", "xargs", "timeout", "nice", "git", "builtin", "eval"),
)  # fmt: skip
_HIDING = (
    "-exec", "-ok", "xargs", "parallel", "$(", "`", "while ", "<(", "--no-filename",
    "cut ", "awk ", "sed ", "perl ",
)  # fmt: skip


def program(words: list[str]) -> list[str]:
    """Return the command without what stands in front of its program; nothing if that is all."""
    for position, word in enumerate(words):
        name = word.rpartition("/")[2]
        if not (name in _PREFIXES or word.startswith("-") or "=" in word or name.isdigit()):
            return [name, *words[position + 1 :]]
    return []


def reads_directories(words: list[str]) -> bool:
    """Return whether a command lists or reads what is in the directories it is given."""
    name = words[0] if words else ""
    return name in _LISTING or name in _ARCHIVING or _is_search(words)


def _is_search(words: list[str]) -> bool:
    """Return whether a command reads the whole tree below a directory."""
    name = words[0] if words else ""
    if name in _GREPPING or name in _LISTING:
        return _has_flag(words, "rR") or any(word.startswith("--recursive") for word in words)
    return name in _FINDING or name in _SEARCHING or name == "ls-files"


def is_hiding(text: str) -> bool:
    """Return whether something in the text takes the output of its commands further."""
    return any(mark in text for mark in _HIDING)


def hidden_roots(words: list[str], *, is_hiding: bool) -> list[str]:
    """Return where a search begins if it may print content without saying from where."""
    is_git = "git" in words[:2]
    words = program(words)
    name = words[0] if words else ""
    is_search = _is_search(words) or (is_git and name == "grep")
    if not is_search or not (is_hiding or _omits_names(words)):
        return []
    operands = [word for word in words[1:] if not word.startswith("-")]
    if name in _FINDING:
        operands = _until_option(words[1:])
    elif name in _GREPPING or name in _SEARCHING:
        operands = operands[1:]  # behind the pattern
    return operands or ["."]


def _omits_names(words: list[str]) -> bool:
    """Return whether a search is told to print matches without their files."""
    if words[0] in _GREPPING:
        return _has_flag(words, "h")
    return words[0] in _SEARCHING and _has_flag(words, "Ih")


def _has_flag(words: list[str], letters: str) -> bool:
    """Return whether one of the letters is among the short options."""
    short = [word for word in words[1:] if word.startswith("-") and not word.startswith("--")]
    return any(letter in word for word in short for letter in letters)


def _until_option(words: list[str]) -> list[str]:
    """Return the words in front of the first option or test."""
    for position, word in enumerate(words):
        if word.startswith(("-", "(", "!")):
            return words[:position]
    return words
