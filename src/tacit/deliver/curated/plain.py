"""Plain words: a text that no reader of Markdown takes for anything but words.

On one line, cut, without tags. What would be a heading, a list or a quotation gets a backslash; a
link, a picture, a definition or an import gets a space in its middle; a bare address stands as
code. What is code stays as it was written, so that commands can be copied.
"""

from __future__ import annotations

import re

from tacit.deliver import render
from tacit.mind import in_mind

_BEGINS = re.compile(r"[#>*+=~_-]|\d+(?=[.)])")
_TICKS = re.compile(r"(?:\\*`)+")
_TILDES = re.compile(r"~{2,}")  # struck through: some readers see it before they see code
_ADDRESS = re.compile(
    r"((?:[A-Za-z][A-Za-z0-9+.-]*://|\bwww\.)[^\s<>\[\]\"']*[^\s<>\[\]\"'().,;:!?])"
)
_TARGET = re.compile(r"\](?=[(\[:])")
_OPENING = re.compile(r"(?<=[!\[])\[")
_IMPORT = re.compile(r"(?<![A-Za-z0-9])@(?!\s)|@(?=[./~\\])")
_PATH = re.compile(r"@(?=[./~\\])")
_LONGEST_PATH = 160


@in_mind(2048)
def inline(text: str, longest: int = render.LONGEST) -> str:
    """Return a text as words that stand somewhere in a line."""
    line = _TILDES.sub("~", render.safe(text, longest))
    line = _paired(_TICKS.sub("`", line))
    parts = enumerate(line.split("`"))
    made = [_code(part) if at % 2 else _apart(_words(part)) for at, part in parts]
    return "`".join(made).strip()


def sentence(text: str) -> str:
    """Return a statement as it begins a line, without the full stop: more stands behind it."""
    said = inline(text)
    return _begun(said[:-1] if said.endswith(".") and not said.endswith("..") else said)


def quoted(text: str) -> str:
    """Return somebody's words between quotation marks."""
    said = inline(text).replace('"', "'")
    return f'"{said}"'


def path(name: str) -> str:
    """Return the name of a file as code."""
    bare = render.safe(name, _LONGEST_PATH).replace("`", "'")
    return f"`{_code(bare)}`" if bare else ""


def _paired(line: str) -> str:
    """Return a line in which every sign of code has its other half."""
    if line.count("`") % 2 == 0:
        return line
    head, _, tail = line.rpartition("`")
    return f"{head}'{tail}"


def _apart(words: str) -> str:
    """Return what stands between two pieces of code, its own code apart from theirs."""
    before = " " * words.startswith("`")
    return f"{before}{words}{' ' * words.endswith('`')}"


def _code(text: str) -> str:
    return _PATH.sub("@ ", text)


def _words(text: str) -> str:
    """Return what stands outside of code; addresses become code."""
    *pieces, last = _ADDRESS.split(text)
    made = [
        f"`{_code(piece)}`" if at % 2 else _broken(piece).rstrip("\\")
        for at, piece in enumerate(pieces)
    ]
    return "".join([*made, _broken(last)])


def _broken(text: str) -> str:
    text = _OPENING.sub(" [", _TARGET.sub("] ", text)).replace("://", ": //")
    return _IMPORT.sub("@ ", text)


def _begun(line: str) -> str:
    """Return a line that begins with nothing but words."""
    found = _BEGINS.match(line)
    if found is None:
        return line
    at = found.end() if found[0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"
