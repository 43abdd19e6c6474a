"""Import lines for a client that reads a file of instructions: the curated files, if asked for.

They stand between two marks at the end of that file; taking them out leaves the rest as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BEGIN, END = "<!-- tacit: curated files -->", "<!-- tacit: end -->"


def with_imports(text: str, files: Sequence[Path]) -> str:
    """Return instructions that import these files."""
    bare = without_imports(text)
    gap = "" if not bare or bare.endswith("\n") else "\n"
    lines = [BEGIN, *(f"@{_escaped(file)}" for file in files), END]
    return bare + gap + "\n".join(lines) + "\n"


def _escaped(file: Path) -> str:
    """Return a path as the client reads one: it ends at a space, unless that has a backslash."""
    return str(file).replace(" ", r"\ ")


def without_imports(text: str) -> str:
    """Return instructions without what is ours."""
    begin = text.find(BEGIN)
    end = text.find(END, begin)
    if begin < 0 or end < 0:
        return text
    return text[:begin] + text[end + len(END) :].removeprefix("\n")
