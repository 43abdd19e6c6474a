"""Makes `index.py` from the rows: `python -m tacit.guard.build_index` prints it.

The hook needs only the keywords, and those sorted by how a word begins: made once here, not on
every event.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ANY_SCRIPT = b"\xff"  # a byte that no text in UTF-8 has

_ALNUM = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_BLANKS = bytes(char if char in _ALNUM else 32 for char in range(256))
_HEAD = """\"\"\"The keywords of all rows, sorted for the gate. Made by `build_index`: leave it.

STARTS: first four bytes of a word -> (rank of the row, keyword, other words that must occur).
NEARBY: probe -> (rank of the row, keyword), looked for in lower case.
NAMED … IBAN: ranks of the rows that the gate looks at more closely, or finds by other means.
\"\"\"

from __future__ import annotations

# fmt: off
"""


def build() -> str:
    """Return the text of `index.py`."""
    starts: dict[bytes, list[tuple[int, bytes, tuple[bytes, ...]]]] = {}
    nearby: dict[bytes, list[tuple[int, bytes]]] = {}
    for rank, (_, keywords, reach, _, _) in enumerate(ROWS):
        for keyword in keywords:
            if reach:
                nearby.setdefault(_probe(keyword), []).append((rank, keyword))
                continue
            first, *others = _words(keyword)
            complete = others if keyword[-1] not in _ALNUM else others[:-1]
            starts.setdefault(first[:4], []).append((rank, keyword, tuple(complete)))
    for rank, (_, keywords, _, _, _) in enumerate(CONTEXT, len(ROWS)):
        for keyword in keywords:
            escaped = keyword.replace(b'"', b'\\"')  # as it stands in JSON
            for spelling in sorted({keyword, escaped}):
                nearby.setdefault(_probe(keyword), []).append((rank, spelling))
    named, heading, uri = _rank("assigned"), _rank("column"), _rank("in_uri")
    judges = ("written", "pin", "official", "card", "iban", "told", "paired")
    ranks = ", ".join(str(_rank(name)) for name in judges)
    basic, pair = _rank_of((b"auth",)), _rank_of((b"value",))
    return "".join(
        (
            _HEAD,
            f"ANY_SCRIPT = {ANY_SCRIPT!r}\n",
            f"NAMED, HEADING, BASIC, PAIR, URI = {named}, {heading}, {basic}, {pair}, {uri}\n",
            f"WRITTEN, PIN, OFFICIAL, CARD, IBAN, TOLD, PAIRED = {ranks}\n",
            "\nSTARTS: dict[bytes, tuple[tuple[int, bytes, tuple[bytes, ...]], ...]] = {\n",
            *_paired(f"{start!r}: {tuple(rows)!r}," for start, rows in sorted(starts.items())),
            "}\n\nNEARBY: tuple[tuple[bytes, tuple[tuple[int, bytes], ...]], ...] = (\n",
            *(f"    ({probe!r}, {_by_keyword(rows)!r}),\n" for probe, rows in nearby.items()),
            ")\n",
        )
    )


def _by_keyword(rows: list[tuple[int, bytes]]) -> tuple[tuple[int, bytes], ...]:
    """Return rows so that those with the same keyword stand side by side."""
    return tuple(sorted(rows, key=lambda row: row[1]))


def _paired(entries: Iterable[str]) -> Iterator[str]:
    """Yield lines of two entries each."""
    waiting = list(entries)
    for at in range(0, len(waiting), 2):
        yield f"    {' '.join(waiting[at : at + 2])}\n"


def _rank(judge: str) -> int:
    return next(rank for rank, row in enumerate(CONTEXT, len(ROWS)) if row[2] == judge)


def _rank_of(keywords: tuple[bytes, ...]) -> int:
    return next(rank for rank, row in enumerate(CONTEXT, len(ROWS)) if row[1] == keywords)


def _probe(keyword: bytes) -> bytes:
    """Return the longest word of a keyword: where that does not occur, neither does the keyword.

    One in another script has none of these: it is looked for where a text is not plain ASCII.
    """
    return max(_words(keyword) or [b"" if keyword.isascii() else ANY_SCRIPT], key=len)


def _words(keyword: bytes) -> list[bytes]:
    return keyword.translate(_BLANKS).split()


if __name__ == "__main__":
    sys.stdout.write(build())
