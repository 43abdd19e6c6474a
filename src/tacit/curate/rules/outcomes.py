"""Outcomes: what tools did that lasts: packages installed, work committed."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft
from tacit.curate.rules.tables import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.rules.view import Act, View

_INSTALL = re.compile(
    r"(?:^|[;&|'\"]\s*|(?<!\S)(?:sudo|then|do|-m)\s+|\b\w+=\S*\s+)(?:\S+/)?"
    r"(?P<manager>pip3?|pipx|uv(?:\s+(?:pip|tool))?|poetry|conda|mamba|npm|pnpm|yarn|bun|cargo|gem|brew|apt"
    r"(?:-get)?|dnf|yum|apk|pacman|go|tfenv|asdf|rustup\s+component|composer|winget|choco|snap|flatpak)"
    r"\s+(?:-\S+\s+)*(?:install|add|i|get|require|global\s+add|-S|-Syu?)\s+(?P<rest>[^;&|\n]+)"
)
_FAILED = re.compile(
    r"(?im)^\s*(?:error|fatal|e:|npm err|could not|no matching|unable to|command not found"
    r"|permission denied)|\bno such command\b|\bnot found\b"
)
_VERSION = re.compile(r"(?P<name>[\w.@/-]+?)[-=@ ]=?v?(?P<version>\d+(?:\.\d+)+[\w.-]*)")
_FILE = re.compile(r"^[.~/]|\.(?:txt|toml|whl|deb|json|lock|zip|gz)$|^[a-z]+://")
_COMMIT = re.compile(r"\bgit\b[^;&|\n]*\bcommit\b")
_COMMITTED = re.compile(r"(?m)^\[[^\]\n]+\s[0-9a-f]{6,40}\]\s*(?P<subject>.+)$")
_MESSAGE = re.compile(r"\s-[a-z]*m\s*(?P<quote>['\"])(?P<said>[^\n]+?)(?P=quote)")
_REFUSED = re.compile(r"(?im)^(?:error|fatal)\b|nothing to commit|no changes added|hook .*failed")
_TYPES = {"feat": "feature", "feature": "feature", "fix": "bugfix", "bugfix": "bugfix",
          "refactor": "refactor", "perf": "feature", "hotfix": "bugfix"}  # fmt: skip
_KINDS = {verb: kind for kind in ("bugfix", "refactor", "feature") for verb in listed(kind)}
_MINOR = re.compile(
    r"(?i)^(?:wip\b|typo|bump|merge (?:branch|pull)|update (?:changelog|readme|docs?|lock)|format"
    r"|lint|fmt|chore\b|docs?[(:]|style[(:]|test[s]?[(:]|ci[(:]|build[(:]|release\b|version\b|squash"
    r"|fixup)"
)
_REDIRECTED = re.compile(r"('[^']*'|\"[^\"]*\")|(?:(?<!\S)\d+)?[<>]+&?\s*\S*")
_VALUED = frozenset(listed("valued"))
_MOST_NAMES = 4
_FEWEST_WORDS = 3


def installed(view: View) -> Iterator[Draft]:
    """Yield the tools that were installed."""
    for act in view.acts:
        found = _INSTALL.search(act.command)
        if found is None or act.is_failed or _FAILED.search(act.result):
            continue
        names = _packages(found["rest"])
        if names:
            versions = {each["name"]: each["version"] for each in _VERSION.finditer(act.result)}
            told = ", ".join(f"{name} {versions.get(name, '')}".strip() for name in names)
            manager = found["manager"].split()[0]
            quote = found.group().strip(" ;&|'\"")
            yield _draft(act, "tool", f"{told} installed with {manager}", quote)


def committed(view: View) -> Iterator[Draft]:
    """Yield the work that was committed, in the words of its message."""
    for act in view.acts:
        if act.is_failed or not _COMMIT.search(act.command) or _REFUSED.search(act.result):
            continue
        told = [found["subject"] for found in _COMMITTED.finditer(act.result)]
        for subject in told or [found["said"] for found in _MESSAGE.finditer(act.command)][:1]:
            kind = _kind_of_commit(subject.strip())
            if kind and not _MINOR.match(subject) and len(subject.split()) >= _FEWEST_WORDS:
                yield _draft(act, kind, f"Committed: {subject.strip()}", subject.strip())


def _packages(rest: str) -> list[str]:
    """Return the names of what was to be installed, without options, files and versions."""
    try:
        parts = shlex.split(_REDIRECTED.sub(r"\1 ", rest), comments=True)
    except ValueError:
        return []
    after = ["", *parts]
    named = [
        part
        for part, before in zip(parts, after, strict=False)
        if part[:1] not in "-$<>" and before not in _VALUED
    ]
    names = [re.split(r"[=<>~!\[]|(?<=.)@", part)[0] for part in named]
    return [name for name in names if name and not _FILE.search(name)][:_MOST_NAMES]


def _kind_of_commit(subject: str) -> str:
    """Return what a commit was: by its type, or the verb that it begins with."""
    head = re.match(r"(?i)(\w+)(?:\([^)]*\))?!?:\s*", subject)
    if head and head[1].casefold() in _TYPES:
        return _TYPES[head[1].casefold()]
    bare = subject[head.end() :] if head else subject
    first = re.match(r"\w+", bare)
    return _KINDS.get(first.group().casefold(), "") if first else ""


def _draft(act: Act, kind: str, content: str, quote: str) -> Draft:
    return Draft(
        kind=kind,
        content=content,
        said=act.said,
        start=act.said.text.find(quote),
        quote=quote,
        is_certain=False,
    )
