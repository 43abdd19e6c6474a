"""Path patterns: whether a glob could name a directory or something in it.

A pattern may hold `*`, `?`, `[...]`, the component `**`, and UNKNOWN for text that nobody can tell.
Nothing is listed on disk. The pattern becomes an automaton that runs over the directory's path with
its states in the bits of one number, so there is no backtracking: a pattern of 10,000 stars costs
as much as a plain path of its length.
"""

from __future__ import annotations

UNKNOWN = "\0"
_WILD = "*?[" + UNKNOWN
_LONGEST_SET = 256


def is_pattern(path: str) -> bool:
    """Return whether the path holds anything but plain characters."""
    return any(char in path for char in _WILD)


def is_only_wild(name: str) -> bool:
    """Return whether the name consists of `*`, `?` and UNKNOWN alone."""
    return not name.strip("*?" + UNKNOWN)


def normalise(path: str) -> str:
    """Return an absolute path without `.`, `..` and empty components; `**` becomes UNKNOWN."""
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if names and UNKNOWN in names[-1]:
                names[-1] = UNKNOWN  # it may stand for several components
            elif names:
                names.pop()
        elif name not in {"", "."}:
            is_unknown = (UNKNOWN in name or name == "**") and is_only_wild(name)
            if not (is_unknown and names and names[-1] == UNKNOWN):
                names.append(UNKNOWN if is_unknown else name)
    joined = "/" + "/".join(names)
    # it may stand for nothing, or end in a slash of its own
    return joined[:2] + joined[2:].replace(f"/{UNKNOWN}/", f"/{UNKNOWN}")


def reaches(path: str, directory: str) -> tuple[bool, bool]:
    """Return whether a normalised path could be the directory, and whether something in it.

    A path that begins with UNKNOWN could be anything: it counts only if its next component could
    be part of the directory's path, and not by wildcards alone.
    """
    if path.startswith(directory):
        rest = path[len(directory) :]
        if not rest or rest[0] == "/" or directory == "/":
            return not rest, bool(rest)
    if not is_pattern(path):
        return False, False
    if path.startswith(f"/{UNKNOWN}"):
        return _reaches_from_anywhere(path, directory)
    shared = _shared(path, directory)
    return match(path[shared:], directory[shared:])


def _shared(path: str, directory: str) -> int:
    """Return how long the components are that both begin with."""
    shared = 0
    while (end := directory.find("/", shared) + 1) and path.startswith(directory[:end]):
        shared = end
    return shared


def _reaches_from_anywhere(path: str, directory: str) -> tuple[bool, bool]:
    rest = path[3:] if path.startswith(f"/{UNKNOWN}/") else "*" + path[2:]
    name, slash, rest = rest.partition("/")
    if is_only_wild(name):
        return False, False
    rest = name.replace(UNKNOWN, "*") + slash + rest
    found = [
        match(rest, directory[start + 1 :]) for start, char in enumerate(directory) if char == "/"
    ]
    return any(is_it for is_it, _ in found), any(is_in for _, is_in in found)


def match(pattern: str, path: str) -> tuple[bool, bool]:
    """Return whether the pattern could match the path, and whether something below it."""
    automaton = _Automaton(pattern, len(path))
    states = 1
    for char in path:
        states = automaton.step(states, char)
        if not states:
            return False, False
    return automaton.is_end(states), automaton.is_open(states)


class _Automaton:
    """A pattern, compiled: bit *n* is the state in which *n* characters beside stars are matched.

    Each character of a path leads at most one state further, so no more states are made than that.
    """

    __slots__ = ("_all", "_end", "_exact", "_moves", "_names", "_sets", "_single")

    def __init__(self, pattern: str, longest: int) -> None:
        self._exact: dict[str, int] = {}  # states that a character leads on from
        self._sets: list[tuple[int, str]] = []  # the same for `[...]`
        self._single = 0  # and for `?`
        self._names = 0  # states that any character but a slash leaves as they are
        self._all = 0  # states that any character leaves as they are
        self._end = 1
        self._moves: dict[str, int] = {}
        position = 0
        while position < len(pattern) and self._end.bit_length() <= longest + 1:
            position = self._add(pattern, position)

    def _add(self, pattern: str, position: int) -> int:
        """Add what stands at a position; return where the next begins."""
        char, state = pattern[position], self._end
        if char == "*":
            self._names |= state
            return position + 1
        if char == UNKNOWN:
            self._all |= state
            return position + 1
        self._end <<= 1
        if char == "?":
            self._single |= state
        elif char == "[" and (end := _set_end(pattern, position)):
            self._sets.append((state, pattern[position + 1 : end]))
            return end + 1
        else:
            self._exact[char] = self._exact.get(char, 0) | state
        return position + 1

    def step(self, states: int, char: str) -> int:
        """Return the states after one more character."""
        moving = self._moves.get(char)
        if moving is None:
            moving = self._moves[char] = self._moving(char)
        staying = self._all if char == "/" else self._all | self._names
        return (states & moving) << 1 | states & staying

    def _moving(self, char: str) -> int:
        """Return the states that a character leads on from."""
        moving = self._exact.get(char, 0)
        if char != "/":
            moving |= self._single
            for state, members in self._sets:
                moving |= state if _is_member(char, members) else 0
        return moving

    def is_end(self, states: int) -> bool:
        """Return whether all of the pattern is matched."""
        return bool(states & self._end)

    def is_open(self, states: int) -> bool:
        """Return whether the pattern could go on with a slash."""
        return bool(states & (self._exact.get("/", 0) | self._all))


def _set_end(pattern: str, start: int) -> int:
    """Return where the set that begins at *start* ends; 0 if it is none."""
    first = start + 1 + (pattern[start + 1 : start + 2] in {"!", "^"})
    end, last = pattern.find("]", first + 1, first + _LONGEST_SET), first + _LONGEST_SET
    while end > 0 and pattern[end - 1] == ":" and "[:" in pattern[first:end]:  # of a class
        end = pattern.find("]", end + 1, last)
    return 0 if end < 0 or "/" in pattern[start:end] else end


def _is_member(char: str, members: str) -> bool:
    """Return whether a character is in a set such as `a-z_` or `!0-9`."""
    if "[:" in members:  # a class by its name: any character could be in it
        return True
    is_negated = members[0] in "!^"
    members = members[is_negated:]
    is_in = char in members
    dash = members.find("-", 1)
    while 0 < dash < len(members) - 1 and not is_in:
        is_in = members[dash - 1] <= char <= members[dash + 1]
        dash = members.find("-", dash + 1)
    return is_in is not is_negated
