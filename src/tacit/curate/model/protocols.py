"""Two protocols for models that cannot answer with an object: marked lines, and small XML.

    FACT: …  PATTERN: …  CORRECTION: …  PREFERENCE: …  ACTION: …  TOOL_INSTALL: …  NONE
    USER_MD_UPDATE: and the like, followed by the lines of that file
    <observation><type>decision</type><text>…</text></observation>
    <summary> with all eight fields, files as <file> </summary>

Found anywhere in prose or fences. A block that is not whole is dropped and counted, the rest kept.
Whatever a text holds, reading it takes no longer than its length asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KINDS = {
    "FACT": "fact",
    "PATTERN": "pattern",
    "CORRECTION": "correction",
    "PREFERENCE": "preference",
    "TOOL_INSTALL": "tool",
}
_FILES = {
    f"{name.upper()}_MD_UPDATE": f"{name}.md" for name in ("tools", "files", "user", "context")
}
_TYPES = ("decision", "bugfix", "feature", "refactor", "discovery")
_EIGHT = (
    "request", "investigated", "learned", "completed", "next_steps", "files_read", "files_edited",
    "notes",
)  # fmt: skip
_LINE = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?(FACT|PATTERN|CORRECTION|PREFERENCE|ACTION|TOOL_INSTALL):[ \t]*(.*)$",
    re.MULTILINE,
)
_NONE = re.compile(r"^[ \t]*NONE[.]?[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(rf"^[ \t]*({'|'.join(_FILES)}):[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
_OBSERVED = re.compile(r"<observation>(.*?)(?:</observation>|(?=<observation>)|\Z)", re.DOTALL)
_SUMMED = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_OPENED = ("<observation>", "<summary>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a text says: (kind, text) of each statement, what is left to do, files, a summary."""

    statements: list[tuple[str, str]] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    summary: dict[str, str] = field(default_factory=dict)
    dropped: int = 0


def read(text: str) -> Read | None:
    """Return what a text says by either protocol; None if it follows neither."""
    if any(mark in text for mark in _OPENED):
        return _of_xml(text)
    if _LINE.search(text) or _BLOCK.search(text) or _NONE.search(text):
        return _of_lines(_FENCE.sub("", text))
    return None


def _of_lines(text: str) -> Read:
    files, rest = _files(text)
    found = [(match.group(1), match.group(2).strip()) for match in _LINE.finditer(rest)]
    told = [(mark, said) for mark, said in found if said]
    return Read(
        statements=[(_KINDS[mark], said) for mark, said in told if mark in _KINDS],
        actions=[said for mark, said in told if mark == "ACTION"],
        files=files,
        dropped=len(found) - len(told),
    )


def _files(text: str) -> tuple[dict[str, tuple[str, ...]], str]:
    """Return the lines of each file that a text gives, and the text without them.

    A file ends where the next begins, or a marked line stands.
    """
    found: dict[str, list[str]] = {}
    rest: list[str] = []
    current = ""
    for line in text.split("\n"):
        begun = _BLOCK.match(line)
        if begun:
            current = _FILES[begun.group(1)]
            found[current] = []
        elif current and not _LINE.match(line) and not _NONE.match(line):
            found[current] += [line] if line.strip() else []
        else:
            current = ""
            rest.append(line)
    return {name: tuple(lines) for name, lines in found.items()}, "\n".join(rest)


def _of_xml(text: str) -> Read:
    statements, dropped = [], 0
    for match in _OBSERVED.finditer(text):
        kind, said = _child(match.group(1), "type"), _child(match.group(1), "text")
        is_whole = match.group().endswith("</observation>")
        if is_whole and kind in _TYPES and said:
            statements.append((kind, said))
        else:
            dropped += 1
    summary: dict[str, str] = {}
    for match in _SUMMED.finditer(text):
        told = {name: _child(match.group(1), name) for name in _EIGHT}
        if match.group().endswith("</summary>") and None not in told.values():
            summary = {name: said for name, said in told.items() if said}
        else:
            dropped += 1
    return Read(statements=statements, summary=summary, dropped=dropped)


def _child(text: str, name: str) -> str | None:
    """Return what stands in one child; None if it is not there."""
    if f"<{name}/>" in text or f"<{name} />" in text:
        return ""
    from html import unescape  # noqa: PLC0415  (two thousand names that nothing else needs)

    _, opened, rest = text.partition(f"<{name}>")
    said, closed, _ = rest.partition(f"</{name}>")
    return " ".join(unescape(said).split()) if opened and closed else None
