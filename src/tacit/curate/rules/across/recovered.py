"""Recovered: a command that failed, what was done about it, and the same command that passed.

Files that were edited in between make it a bug fixed, if the user told the cause: without one it
is work like any other. Other commands in between are a procedure that worked, and worth knowing.
The passing command is what is cited: nothing that a tool printed gets into the statement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft
from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.touched import touched
from tacit.curate.trust import is_addressed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.rules.view import Act, View

_RED = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|failing|errors?)\b"
    r"|^\s*(?:FAIL(?:ED)?|ERROR|error|fatal|panic|E)\b:?|\bTraceback\b"
    r"|\b[A-Z]\w*(?:Error|Exception)\b|\bexit (?:code|status) [1-9]|[Cc]ommand not found"
    r"|[Nn]o such file|[Pp]ermission denied|[Cc]onnection refused|[Tt]imed out|BUILD FAILED"
    r"|npm ERR!",
    re.MULTILINE,
)
_GREEN = re.compile(
    r"\b(?:[1-9]\d* passed|0 (?:failed|failures|errors)|passed|passing|success\w*|succeeded|ok|done"
    r"|healthy|ready|built|compiled|finished|up to date|started|running|deployed)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*(?:&&|\|\||[;|\n])\s*")
_ASIDE = frozenset(
    ("cd", "export", "echo", "tail", "head", "grep", "sleep", "set", "source", "true")
)
_GIVEN = re.compile(r"^(?:\w+=\S+\s+|sudo\s+|time\s+)+")
_LOOKS = frozenset(
    ("ls", "cat", "pwd", "less", "find", "rg", "which", "git", "sed", "awk", "wc", "env")
)
_LONGEST = 80
_MOST = 3

Step = tuple[str, frozenset[str]]


def recovered(view: View) -> Iterator[Draft]:
    """Yield the last command that failed first and passed then, with what made the difference."""
    for at in range(len(view.acts) - 1, 0, -1):
        passed = view.acts[at]
        failed = _failed_before(view.acts[:at], passed) if is_green(passed) else None
        if failed is not None:
            found = _draft(view, passed, view.acts[failed + 1 : at])
            if found is not None:
                yield found
            return


def _failed_before(acts: Sequence[Act], passed: Act) -> int | None:
    """Return where the same command failed last."""
    for at in range(len(acts) - 1, -1, -1):
        if is_red(acts[at]) and _is_same(acts[at].command, passed.command):
            return at
    return None


def is_red(act: Act) -> bool:
    """Say whether a command failed, by how it ended or by what it printed."""
    return bool(act.command) and (act.is_failed or bool(_RED.search(act.result)))


def is_green(act: Act) -> bool:
    """Say whether a command printed that it went well, and nothing else."""
    return bool(act.command) and not is_red(act) and bool(_GREEN.search(act.result))


def steps(command: str) -> list[Step]:
    """Return the programs that a command runs, with what they are given but for options."""
    found = []
    for part in _PARTS.split(command):
        words = _GIVEN.sub("", part).split()
        if words and words[0] not in _ASIDE:
            found.append((words[0], frozenset(word for word in words[1:] if word[:1] != "-")))
    return found


def _is_same(one: str, other: str) -> bool:
    """Say whether two commands run one program on the same, or on a part of it."""
    return any(
        first == second
        and (given == taken or (given and taken and (given <= taken or taken <= given)))
        for first, given in steps(one)
        for second, taken in steps(other)
    )


def _draft(view: View, passed: Act, between: Sequence[Act]) -> Draft | None:
    """Return what was done in between as a statement; None if that cannot be told."""
    quote = shown(passed.command)
    files = list(dict.fromkeys(file for act in between for file in touched(act)[1]))
    others = list(dict.fromkeys(shown(act.command) for act in between if _works(act)))
    start = passed.said.text.find(quote)
    if start < 0 or not quote or not (files or others) or _is_unfit(quote, *files, *others):
        return None
    cause = _cause(view) if files else ""
    if cause:
        changed = ", ".join(files[:_MOST])
        content = f"{cause}: `{quote}` failed, and passes since {changed} was changed"
    elif not files:
        content = f"`{quote}` failed, and works after {_listed(others[-_MOST:])}"
    else:
        return None
    kind = "bugfix" if files else "discovery"
    return Draft(
        kind=kind,
        content=content,
        said=passed.said,
        start=start,
        quote=quote,
        is_certain=False,
    )


def _works(act: Act) -> bool:
    """Say whether a command that went well did more than look."""
    return (
        bool(act.command)
        and not is_red(act)
        and any(name not in _LOOKS for name, _ in steps(act.command))
    )


def shown(command: str) -> str:
    """Return the first line of a command, if it is short enough to be told; or nothing."""
    line = command.strip().split("\n", 1)[0].strip()
    return line if len(line) <= _LONGEST else ""


def _listed(commands: Sequence[str]) -> str:
    return ", then ".join(f"`{each}`" for each in commands)


def _is_unfit(*texts: str) -> bool:
    return any(is_addressed(text) or is_private(text) for text in texts)


def _cause(view: View) -> str:
    """Return the cause as the user told it; nothing if they did not."""
    for said in view.prompts:
        for clause in clauses(said.text):
            is_told = "cause" in cues(clause.text) and "?" not in clause.text
            if is_told and not is_private(clause.text):
                return phrase(clause.text, said.at).rstrip(" .!")
    return ""
