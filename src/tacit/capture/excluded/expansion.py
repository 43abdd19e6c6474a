"""Expansion: the paths that a word of a command can mean.

Variables, defaults, brace lists and `~` are replaced by every value they can have: those that the
command assigns, those of the environment, UNKNOWN where there is none. The results per word and per
event are limited; beyond the limit a variable or brace list becomes UNKNOWN.
"""

from __future__ import annotations

from tacit.capture.excluded.pattern import UNKNOWN
from tacit.capture.excluded.shell import QUOTED_STAR
from tacit.guard.home_directory import home_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_VALUES = 64  # of one word or variable
_MOST_RESULTS = 20_000  # of all words together
_MOST_PARTS = 64  # variables or brace lists in one word
_LONGEST = 4096  # characters of one result: the kernel opens no longer path
_DEEPEST = 40  # `${a:-${b:-...}}`
_LONGEST_DEEP, _DEEPEST_LONG = 8192, 4  # a longer word is not followed that far
_MOST_USERS = 8
_DEFAULTS = (":-", ":=", ":+", "-", "=", "+")
_DIGITS, _FLAGS = "0123456789abcdefABCDEF", "-+ #0123456789.*'"
_OPEN, _CLOSE = "\3", "\4"  # braces that are no list


def is_name(text: str) -> bool:
    """Return whether a variable could be called so."""
    return text.isascii() and text.isidentifier()


class Expander:
    """The variables and the directories that are known so far."""

    def __init__(self, home: str, variable: Callable[[str], str]) -> None:
        self._home = home
        self._variable = variable
        self._values: dict[str, list[str]] = {}
        self._users: dict[str, str] = {}
        self._left = _MOST_RESULTS
        self.here: list[str] = []  # where the command may be run
        self.before: list[str] = []  # and where an earlier one was

    def assign(self, name: str, values: list[str]) -> None:
        """Add values that a variable may have from here on."""
        known = self._values.setdefault(name, [])
        known += [value for value in dict.fromkeys(values) if value not in known]
        if len(known) > _MOST_VALUES:
            known[:] = [UNKNOWN]

    def append(self, name: str, values: list[str]) -> None:
        """Add what `name+=value` makes of a variable's values."""
        self.assign(name, self._product(self.values(name), values))

    def values(self, name: str) -> list[str]:
        """Return what a variable may hold."""
        found = list(self._values.get(name, []))
        if name == "PWD":
            found += self.here
        elif name == "OLDPWD":
            found += self.before
        elif name == "HOME":
            found += self.homes()
        given = self._variable(name)
        if given and given not in found:
            found.append(given[:_LONGEST])
        return found or [UNKNOWN]

    def assigned(self, name: str) -> list[str]:
        """Return the values that the command or the environment gives a variable."""
        given = self._variable(name)
        return [*self._values.get(name, []), *([given] if given else [])]

    def homes(self) -> list[str]:
        """Return the home directories: the environment's and, whatever that says, the user's."""
        found = [self._home, self._user_home("")]
        return [home.rstrip("/") or "/" for home in found if home.startswith("/")]

    def _user_home(self, name: str) -> str:
        """Return the home directory of a user, by default of the one who runs this."""
        if name not in self._users:
            self._users[name] = home_of(name) if len(self._users) < _MOST_USERS else ""
        return self._users[name]

    def words(self, word: str) -> list[str]:
        """Return what a word may be after variables and brace lists are replaced."""
        word = word.replace(QUOTED_STAR, UNKNOWN)
        found = self._substitute(word, 0) if "$" in word else [word]
        if "{" in word:
            found = [result for each in found for result in self._list_braces(each)]
        self._left -= len(found) - 1
        return list(dict.fromkeys(found))

    def paths(self, word: str) -> list[str]:
        """Return the path itself, or, if it begins with `~`, the paths that this means."""
        if not word.startswith("~"):
            return [word]
        user, slash, rest = word[1:].partition("/")
        if user in {"", "+", "-"}:
            homes = {"": self.values("HOME"), "+": self.here, "-": self.before}[user]
        else:
            homes = [home] if (home := self._user_home(user)) else []
        return [home + slash + rest for home in homes] or [word]

    def _substitute(self, word: str, depth: int) -> list[str]:
        """Return what a word may be after its variables are replaced."""
        results = [""]
        deepest = _DEEPEST if len(word) <= _LONGEST_DEEP else _DEEPEST_LONG
        for part in range(_MOST_PARTS + 1):
            head, dollar, word = word.partition("$")
            results = [(result + head)[:_LONGEST] for result in results]
            if not dollar:
                return results
            if part == _MOST_PARTS or depth > deepest:
                break
            values, word = self._parameter(word, depth)
            results = self._product(results, values)
        return [result + UNKNOWN for result in results]

    def _product(self, heads: list[str], tails: list[str]) -> list[str]:
        if len(heads) * len(tails) > min(_MOST_VALUES, max(self._left, 1)):
            tails = [UNKNOWN]
        return [(head + tail)[:_LONGEST] for head in heads for tail in tails]

    def _parameter(self, rest: str, depth: int) -> tuple[list[str], str]:
        """Return the values of the variable at the beginning, and what stands behind it."""
        if rest.startswith("{"):
            end = _closing(rest)
            return self._braced(rest[1:end], depth), rest[end + 1 :]
        name = _leading_name(rest)
        if name:
            return self.values(name), rest[len(name) :]
        if rest[:1].isdigit() or rest[:1] in set("@*#?$!-"):
            return [*self._values.get(rest[:1], []), UNKNOWN], rest[1:]
        return ["$"], rest

    def _braced(self, inner: str, depth: int) -> list[str]:
        """Return the values of `${inner}`."""
        name = _leading_name(inner)
        change = inner[len(name) :]
        if not name:
            return [UNKNOWN]
        if not change:
            return self.values(name)
        for mark in _DEFAULTS:
            if change.startswith(mark):
                given = self._substitute(change[len(mark) :], depth + 1)
                return [*self.values(name), *(path for each in given for path in self.paths(each))]
        return self._changed(self.values(name), change, depth)

    def _changed(self, known: list[str], change: str, depth: int) -> list[str]:
        """Return the values of `${name<change>}`, where the name has the known values."""
        from tacit.capture.excluded.parameters import changed, split_change

        mark, meanings = split_change(change)
        if not mark:  # an element of an array and the like
            return [*known[:_MOST_VALUES], UNKNOWN]
        found: dict[str, None] = {}
        for pattern, put in meanings:
            patterns = self._substitute(pattern, depth + 1)
            puts = self._substitute(put, depth + 1)
            is_many = len(known) * len(patterns) * len(puts) > _MOST_VALUES
            for value in [UNKNOWN] if is_many else known:
                for each in patterns:
                    for other in puts:
                        found.update(dict.fromkeys(changed(mark, value, each, other)))
        return list(found)[:_MOST_VALUES] + ([UNKNOWN] if len(found) > _MOST_VALUES else [])

    def printed(self, text: str, arguments: list[list[str]]) -> list[str]:
        """Return what `printf` makes of a format and the values of its arguments."""
        head, *escapes = text.split("\\")  # `\057` and the like: some character
        text = head + "".join(UNKNOWN + each[1:].lstrip(_DIGITS) for each in escapes)
        results, waiting = [""], list(arguments)
        for _ in range(_MOST_PARTS):
            left = len(waiting)
            head, *parts = text.replace("%%", _OPEN).split("%")
            results = self._product(results, [head])
            for part in parts:
                values = waiting.pop(0) if waiting else [""]
                is_plain = part[:1] in {"s", "b", "q"}
                results = self._product(results, values if is_plain else [UNKNOWN])
                results = self._product(results, [part.lstrip(_FLAGS)[1:]])
            if not waiting or len(waiting) == left:
                break
        return [result.replace(_OPEN, "%") for result in results]

    def _list_braces(self, word: str) -> list[str]:
        """Return what `a{b,c}d` stands for, innermost list first."""
        found: list[str] = []
        waiting = [word]
        for _ in range(2 * _MOST_VALUES):
            if not waiting:
                return found
            word = waiting.pop()
            end = word.find("}")
            start = word.rfind("{", 0, end)
            if end < 0:
                found.append(word.replace(_OPEN, "{").replace(_CLOSE, "}"))
            elif start < 0:
                waiting.append(word[:end] + _CLOSE + word[end + 1 :])
            else:
                choices = _choices(word[start + 1 : end])
                waiting += [word[:start] + choice + word[end + 1 :] for choice in choices]
            if len(found) + len(waiting) > min(_MOST_VALUES, max(self._left, 1)):
                break
        return [_without_braces(word) for word in (*found, *waiting)]


def _choices(inner: str) -> list[str]:
    """Return what a brace list without lists in it stands for."""
    if not inner:  # what `xargs -I{}` and `find -exec` put in
        return [UNKNOWN]
    if "," in inner:
        return inner.split(",")
    return ["*"] if ".." in inner else [_OPEN + inner + _CLOSE]


def _without_braces(word: str) -> str:
    """Return the word with UNKNOWN for all between its first and last brace."""
    head, brace, rest = word.replace(_OPEN, "{").replace(_CLOSE, "}").partition("{")
    return head + UNKNOWN + rest.rpartition("}")[2] if brace else head


def _closing(text: str) -> int:
    """Return where the brace that the text begins with is closed; its length if nowhere."""
    depth = 0
    for position, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if not depth:
            return position
    return len(text)


def _leading_name(text: str) -> str:
    """Return the name of a variable that the text begins with."""
    length = 0
    while length < len(text) and is_name("_" + text[length]):
        length += 1
    return text[:length] if is_name(text[:length]) else ""
