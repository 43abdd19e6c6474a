"""Pasted: lines of a message that somebody else wrote, though no fence or mark says so.

Comments of code, what programs print, forwarded mail, and what stands under a line that announces
a text of others (a style guide, the documentation, an error). Whoever pastes does not say it: none
of it is the speaker's own word. When in doubt a line counts as pasted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.across.edges import choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"\s*(?://|/\*|\*/|<!--|%%\s|;;\s|REM\s)")
_MARKED = re.compile(r"\s*(?:\#|--)\s")  # a comment, or a heading: what stands beside it tells
_CODE = re.compile(
    r"[^;{}]*[;{}]\s*$|[^()]*\w\([^()]*\)\s*:?\s*$|\s*\w[\w.]*\s?[:+-]?=\s?\S"
    r"|\s*(?:return|import|def|class|const|let|var|func|fn|int)\b[^.!?]*$"
)
_LEVEL = r"(?:warn|err|fatal|emerg|notice|alert|crit|debug|info|panic)\w*"
_PRINTED = re.compile(
    rf"\s*(?:[a-z][\w./-]*(?:\[\d+\])?:\s+(?:\[\w+\]|{_LEVEL}:|\S+\s[\d-]+:)"
    rf"|(?:npm|yarn|pnpm|pip|cargo)\s+{_LEVEL}!?\s"
    r"|\S+:\s\*{3}\s|(?:kernel|systemd|sshd|dockerd|cron)(?:\[\d+\])?:"
    r"|(?:warning|error|fatal|panic|deprecated|deprecationwarning)(?:\[\w+\])?:\s)",
    re.IGNORECASE,
)
_FORWARDED = re.compile(rf"[-_>\s]*{choice('forwarded')}", re.IGNORECASE)
_WROTE = re.compile(rf"\b{choice('wrote')}\s*:$", re.IGNORECASE)
_ANNOUNCED = re.compile(
    rf"{choice('announcing')}\b"
    rf"|.*?\b{choice('others')}\s(?:[\w'-]+\s){{0,2}}?{choice('texts')}"
    rf"(?:\s{choice('telling')})?\s?[:\uff1a]$",
    re.IGNORECASE,
)
_OWN = re.compile(rf"\b{choice('own_text')}\b", re.IGNORECASE)
_MAILED = re.compile(  # the head of a mail
    r"^[^\S\n]*(?:From|Von|De|Da|Od)[^\S\n]?:[^\S\n]+\S.*\n[^\S\n]*(?:\w+[^\S\n]?:\s.*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_FENCES = ("```", "~~~")
_BRACKETED = {("{", "}"), ("[", "]"), ("<", ">")}
_LONG = 200  # what is longer announces nothing


def foreign(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the lines of a message stand that somebody else wrote."""
    at, lines = 0, text.splitlines(keepends=True)
    for line, is_pasted in zip(lines, pasted(lines), strict=True):
        if is_pasted:
            yield at, at + len(line)
        at += len(line)


def pasted(lines: Sequence[str]) -> list[bool]:
    """Return of each line of a message whether somebody else wrote it."""
    if len(lines) == 1:
        return [_is_foreign(lines[0])]
    found = [_is_foreign(line) for line in lines]
    marked = [bool(_MARKED.match(line)) for line in lines]
    if any(marked) and any(_CODE.match(line[:_LONG].rstrip()) for line in lines):
        found = [one or two for one, two in zip(found, marked, strict=True)]
    return _with_blocks(lines, found)


def mail(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a mail stands in a message: from its head on, but for a last word behind it.

    Whoever says something before it has said it all; else what is wanted stands in the last lines.
    """
    head = _MAILED.search(text)
    if head is None:
        return
    stop = text.rstrip().rfind("\n\n") if not text[: head.start()].strip() else -1
    yield head.start(), (stop if stop > head.end() else len(text))


def is_code(line: str) -> bool:
    """Say whether a line is code, or data."""
    said = line[:_LONG].strip()
    return bool(_CODE.match(said)) or (said[:1], said[-1:]) in _BRACKETED


def _is_foreign(line: str) -> bool:
    return bool(_COMMENT.match(line) or _PRINTED.match(line))


def _with_blocks(lines: Sequence[str], found: list[bool]) -> list[bool]:
    """Return what is pasted, with all that follows a mail's head, or an announcement.

    What was announced ends with a blank line, or with its fence.
    """
    is_mail = is_block = is_fenced = False
    for at, line in enumerate(lines):
        said = line.strip()
        is_head = len(said) <= _LONG and said.endswith((":", "\uff1a"))
        is_mail = is_mail or bool(_FORWARDED.match(said) or (is_head and _WROTE.search(said)))
        is_block = is_block and (bool(said) or is_fenced)
        found[at] = found[at] or is_mail or is_block
        is_closed = is_fenced and said.startswith(_FENCES)
        is_fenced = not is_closed and (is_fenced or (is_block and said.startswith(_FENCES)))
        is_block = (is_block and not is_closed) or (is_head and _announces(said))
    return found


def _announces(said: str) -> bool:
    return bool(_ANNOUNCED.match(said)) and not _OWN.search(said)
