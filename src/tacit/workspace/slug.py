"""Slugs: what a file is called after a title, whatever that is.

Only `[a-z0-9-]`, 1 to 60 of them, beginning and ending with a letter or digit: no title can leave
its folder, hide its file or take a name that some system keeps for itself.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from tacit.digest import blake2b

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 60
LONGEST_NAME = 255  # bytes
SUFFIX = ".md"
_OTHER = re.compile(r"[^a-z0-9]+")
_LETTERS = {
    "\u00df": "ss", "\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00e6": "ae", "\u00f8": "oe",
    "\u00e5": "aa", "\u0153": "oe", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u00fe": "th",
    "\u0131": "i",
}  # fmt: skip
_TABLE = str.maketrans(_LETTERS)
# what Windows keeps for itself, and what means something in any folder
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in range(10))
_RESERVED = frozenset(("con", "prn", "aux", "nul", "archive", "readme", "index", *_PORTS))
_DIGITS = 12


def slug(title: str, card: str) -> str:
    """Return what the file of a card is called, without a suffix."""
    found = letters(title)
    if not found or _is_lost(title, found):
        return f"{found or 'card'}-{_hash(card)}"[-LONGEST:].strip("-")
    return f"card-{found}" if found in _RESERVED else found


def letters(text: str) -> str:
    """Return the letters and digits of a text as plain ones, parted by dashes; maybe none."""
    plain = unicodedata.normalize("NFC", text).lower().translate(_TABLE)
    bare = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return _OTHER.sub("-", bare).strip("-")[:LONGEST].strip("-")


def unique(wanted: str, is_free: Callable[[str], bool]) -> str:
    """Return the slug itself, or the first one numbered that is free."""
    number = 1
    found = wanted
    while not is_free(found):
        number += 1
        end = f"-{number}"
        found = wanted[: LONGEST - len(end)].strip("-") + end
    return found


def fitting(name: str, end: str) -> str:
    """Return a name with something behind it, cut if no system takes a longer one."""
    return name.encode()[: LONGEST_NAME - len(end.encode())].decode("utf-8", "ignore") + end


def _is_lost(title: str, found: str) -> bool:
    """Say whether most letters of a title have no place in a slug: of another script."""
    letters = sum(char.isalnum() for char in title[: 2 * LONGEST])
    return len(found) * 3 < min(letters, LONGEST)


def _hash(card: str) -> str:
    return blake2b(card.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()
