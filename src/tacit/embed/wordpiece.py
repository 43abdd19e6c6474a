"""The tokeniser: from a text to the word pieces that the local model knows, by number.

Uncased WordPiece as BERT has it: `tests/golden/wordpiece.jsonl.gz` holds it to the reference. Work
is bounded: of a text only as much is looked at as its tokens may need. Words such as `[SEP]` in a
text are plain text here, never the model's own marks.
"""

from __future__ import annotations

from functools import cache, lru_cache
from unicodedata import category, normalize

from tacit.shipped import shipped

VOCABULARY = "vocab.txt"
PAD, UNKNOWN, FIRST, LAST = 0, 100, 101, 102
LEAST = 3  # tokens: the two marks, and one of the text
LONGEST = 100  # characters: a longer word is unknown
_SLICE = 6  # characters a token: most texts need no more
_MOST = 100  # characters a token, and some: what stands beyond is not looked at
_SOME = 400
_KEPT = 10_000  # words, and characters, that are kept in mind

_BLANK = frozenset(("Zs", "Zl", "Zp"))
_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cs"))
# Each of these is a word of its own. As the reference has it: 2B820 to 2B91F are missing.
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def tokens(text: str, most: int) -> list[int]:
    """Return the numbers of a text's pieces between the two marks, `most` of them in all."""
    wanted = max(most, LEAST) - 2
    size, end = wanted * _SLICE, wanted * _MOST + _SOME
    found: list[int] = []
    rest = ""
    for start in range(0, min(len(text), end), size):
        folded = text[start : min(start + size, end)].translate(_FOLDING)
        *words, rest = (rest[: LONGEST + 1] + folded).split(" ")
        for word in words:
            found += pieces(word)
        if len(found) >= wanted:
            break
    else:
        found += pieces(rest)
    return [FIRST, *found[:wanted], LAST]


@lru_cache(maxsize=_KEPT)
def pieces(word: str) -> tuple[int, ...]:
    """Return the pieces of a folded word, each the longest that fits."""
    if len(word) > LONGEST:
        return (UNKNOWN,)
    known, tails = vocabulary()
    found: list[int] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = known.get(word[start:end])
            if piece is not None:
                break
        else:
            return (UNKNOWN,)
        found.append(piece)
        known, start = tails, end
    return tuple(found)


@cache
def vocabulary() -> tuple[dict[str, int], dict[str, int]]:
    """Return the numbers of the pieces that begin a word, and of those that go on in one."""
    text = shipped(__package__, VOCABULARY).read_text(encoding="utf-8")
    lines = text.removesuffix("\n").split("\n")
    heads = {piece: number for number, piece in enumerate(lines) if not piece.startswith("##")}
    tails = {piece[2:]: number for number, piece in enumerate(lines) if piece.startswith("##")}
    return heads, tails


def forget() -> None:
    """Let go of all that is kept in mind; it is found again when it is needed."""
    vocabulary.cache_clear()
    pieces.cache_clear()
    _FOLDING.clear()


class _Folding(dict[int, str]):
    """For `str.translate`: each character as the vocabulary has it, found out when first met."""

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        if len(self) < _KEPT:
            self[code] = folded
        return folded


_FOLDING = _Folding()


def _folded(character: str) -> str:
    """Return a character small and without accents, apart if it is a word of its own."""
    kind = category(character)
    if character in "\t\n\r" or kind in _BLANK:
        return " "
    if character == "\ufffd" or kind in _UNSEEN:
        return ""
    letters = [each for each in normalize("NFD", character) if category(each) != "Mn"]
    folded = "".join(_apart(small) for each in letters for small in each.lower())
    code = ord(character)
    return f" {folded} " if any(low <= code <= high for low, high in _IDEOGRAPHS) else folded


def _apart(letter: str) -> str:
    """Return a letter as it is, a sign with room around it: it is a word of its own."""
    is_sign = letter.isascii() and not letter.isalnum()
    return f" {letter} " if is_sign or category(letter).startswith("P") else letter
