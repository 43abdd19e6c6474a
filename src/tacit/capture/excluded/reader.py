"""The reader of commands: which paths they name, and from which directories.

Commands are followed in their order: what they assign, where they change to, what they loop over.
Nothing is run. Where a value cannot be known, all that it could be is kept.
"""

from __future__ import annotations

from tacit.capture.excluded import search
from tacit.capture.excluded.expansion import Expander, is_name
from tacit.capture.excluded.pattern import UNKNOWN, is_pattern, normalise
from tacit.capture.excluded.shell import BEGIN, END, QUOTED_STAR, clean, is_text, split_commands
from tacit.paths import is_under

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "eval", "su", "ssh", "watch"))
_CHANGING = frozenset(("cd", "pushd", "chdir"))
_READING = frozenset(("read", "mapfile", "readarray", "getopts"))
_DECLARING = frozenset(("declare", "typeset", "local"))
_BASE_OPTIONS = frozenset(("-C", "--directory", "--chdir", "--cwd"))
_DEEPEST = 3  # a command in quotes in a command in quotes
_MOST_HERE = 8
_MOST_BASES = 32  # the first ones and the last ones
_LONGEST_PATH, _DEEPEST_PATH = 4096, 64
_SEPARATORS = "=:,@"


class Reader:
    """What is named in the commands read so far."""

    def __init__(self, cwd: str, home: str, variable: Callable[[str], str]) -> None:
        self._shell = Expander(home, variable)
        self._cwd = normalise(cwd)
        self._shell.here = [self._cwd]
        self._shell.before = [given] if (given := variable("OLDPWD")).startswith("/") else []
        self._bases: dict[str, None] = {self._cwd: None}
        self.paths: dict[str, bool] = {}  # expanded, with whether the command shows directories
        self.files: dict[tuple[str, str], None] = {}  # known in full: where from, and the path
        self.roots: dict[str, None] = {}  # of searches that print no paths

    @property
    def bases(self) -> list[str]:
        """Return the directories that relative paths may start from, of many the first and last."""
        found = list(self._bases)
        half = _MOST_BASES // 2
        return found if len(found) <= _MOST_BASES else found[:half] + found[-half:]

    def bases_above(self, directory: str) -> list[str]:
        """Return all of them that the directory is in."""
        return [base for base in self._bases if is_under(directory, base)]

    @property
    def homes(self) -> list[str]:
        """Return the home directories."""
        return self._shell.homes()

    def read(self, text: str) -> None:
        """Follow the commands of a text, from the directory of the event on."""
        self._shell.here = [self._cwd]
        self._read(clean(text), 0)

    def read_pattern(self, text: str) -> None:
        """Take a pattern of a tool that searches by itself and prints what it finds."""
        self._shell.here = [self._cwd]
        self._read(clean(text).replace("*", QUOTED_STAR), _DEEPEST)

    def _read(self, text: str, depth: int) -> None:
        groups: list[list[str]] = []
        is_hiding = search.is_hiding(text)
        for words in split_commands(text):
            if words == [BEGIN]:
                groups.append(self._shell.here)
            elif words == [END]:
                self._shell.here = groups.pop() if groups else self._shell.here
            else:
                self._follow(words)
                self._add_roots(words, is_hiding=is_hiding)
                self._read_nested(words, depth)

    def _read_nested(self, words: list[str], depth: int) -> None:
        """Read what stands in quotes as commands too."""
        is_shell = any(word.rpartition("/")[2] in _SHELLS for word in words)
        for word in words if depth < _DEEPEST else []:
            if is_text(word):
                self._read(word.replace(QUOTED_STAR, "*") if is_shell else word, depth + 1)

    def _follow(self, words: list[str]) -> None:
        """Take one simple command: its variables, its paths, its directory."""
        command = search.program(words)
        is_showing = search.reads_directories(command)
        starts = list(self._shell.here)
        for before, word in zip(("", *words), words, strict=False):
            found = [word] if word.isalnum() else self._expand(word)
            if before in _BASE_OPTIONS:
                starts += self._absolute(found)
            self._add_paths(found, starts, is_showing=is_showing)
        self._bases.update(dict.fromkeys(starts))
        self._loop(words)
        if command and command[0] in _CHANGING:
            self._change(command[1:])
        elif command and command[0] in _READING:
            self._forget(command[1:])
        elif command and command[0] in _DECLARING and "-n" in command:  # another name for one
            self._forget([word.partition("=")[0] for word in command[1:]])
        elif command and command[0] == "printf":
            self._print(command[1:])
        elif command and command[0] == "set":
            self._set_parameters(command[1:])

    def _add_paths(self, paths: list[str], starts: list[str], *, is_showing: bool) -> None:
        for path in paths:
            is_known = not is_pattern(path)
            if is_known and len(path) > _LONGEST_PATH:
                continue
            self.paths[path] = self.paths.get(path, False) or is_showing
            if is_known and path.startswith("/"):
                self._bases[normalise(path)] = None
                self.files["", path] = None
            elif is_known:
                self.files.update(dict.fromkeys((start, path) for start in starts))

    def _add_roots(self, words: list[str], *, is_hiding: bool) -> None:
        """Remember where a search begins that may print content without its path."""
        for root in search.hidden_roots(words, is_hiding=is_hiding):
            self.roots.update(dict.fromkeys(self._absolute(self._candidates(root))))

    def _expand(self, word: str) -> list[str]:
        """Return the paths that a word may mean, after remembering what it assigns."""
        self._assign(word)
        return self._candidates(word)

    def _candidates(self, word: str) -> list[str]:
        """Return the paths that a word may mean, whole or behind an option or a separator."""
        found: dict[str, None] = {}
        for each in self._shell.words(word):
            parts = [each]
            if each.startswith("-"):
                parts.append(each[2:])
            if any(mark in each for mark in _SEPARATORS):
                whole = each
                for mark in _SEPARATORS[1:]:
                    whole = whole.replace(mark, "=")
                parts += whole.split("=")
            for part in parts if each != "**" else ["*"]:  # the same where it stands alone
                found.update(dict.fromkeys(self._shell.paths(part)))
        return [path for path in found if path]

    def _assign(self, word: str) -> None:
        """Remember `name=value` and `name+=value`."""
        name, mark, value = word.partition("=")
        is_added = name.endswith("+")
        name = name.removesuffix("+")
        if mark and is_name(name):
            values = [path for each in self._shell.words(value) for path in self._shell.paths(each)]
            (self._shell.append if is_added else self._shell.assign)(name, values)

    def _loop(self, words: list[str]) -> None:
        """Remember what `for name in ...` goes through."""
        words = words[words.index("for") + 1 :] if "for" in words else []
        if words and is_name(words[0]):
            values = [path for word in words[2:] for path in self._candidates(word)]
            self._shell.assign(words[0], values or [UNKNOWN])

    def _set_parameters(self, words: list[str]) -> None:
        """Remember what `set -- ...` makes of `$1`, `$@` and the like."""
        values = [self._candidates(word) for word in words if word != "--"]
        for position, found in enumerate(values[:9]):
            self._shell.assign(str(position + 1), found)
        for name in "@*":
            self._shell.assign(name, [path for found in values for path in found])

    def _print(self, words: list[str]) -> None:
        """Remember what `printf -v name format ...` assigns."""
        option = words[0] if words else ""
        words = words[1:] if option == "-v" else [option[2:], *words[1:]]
        if option.startswith("-v") and len(words) > 1 and is_name(words[0]):
            arguments = [self._candidates(word) for word in words[2:]]
            for text in self._shell.words(words[1]):
                self._shell.assign(words[0], self._shell.printed(text, arguments))

    def _forget(self, words: list[str]) -> None:
        """Note that variables are read from somewhere."""
        for word in words:
            if is_name(word):
                self._shell.assign(word, [UNKNOWN])

    def _change(self, words: list[str]) -> None:
        """Follow a change of directory."""
        shell = self._shell
        targets = [word for word in words if word == "-" or not word.startswith("-")]
        if not targets:
            found = shell.values("HOME")
        elif targets[0] == "-":
            found = list(shell.before)
        else:
            found = self._candidates(targets[0])
            found += [f"{above}/{path}" for path in found for above in self._cd_paths(path)]
        old = shell.here
        shell.here = self._absolute(found)[:_MOST_HERE] or old
        shell.before = list(dict.fromkeys([*old, *shell.before]))[:_MOST_HERE]
        self._bases.update(dict.fromkeys(shell.here))

    def _cd_paths(self, path: str) -> list[str]:
        """Return where else `cd` looks for a path that begins with a name."""
        if path.startswith(("/", "./", "../", UNKNOWN)) or path in {".", ".."}:
            return []
        given = self._shell.assigned("CDPATH")
        parts = [part for value in given for part in value.split(":") if part]
        return [above for part in parts for above in self._shell.paths(part)][:_MOST_HERE]

    def _absolute(self, paths: list[str]) -> list[str]:
        """Return the paths seen from where the command is run."""
        found = [
            normalise(path if path.startswith(("/", UNKNOWN)) else f"{base}/{path}")
            for path in paths
            for base in self._shell.here
        ]
        return [path for path in dict.fromkeys(found) if path.count("/") < _DEEPEST_PATH]
