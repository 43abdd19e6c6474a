"""The judge of sentences: a secret that people or programs tell in words, in any language.

A word that names a secret, and behind it, in the same sentence or alone on a line below, a value
that nobody takes for a word, a date, a version or a name in code. The farther it stands from the
word, the more it must look made up.
"""

from __future__ import annotations

from tacit.guard import judge, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.guard.engine import Found, Judge, Span

NAMES = words.TOLD_PASSWORDS + words.TOLD_KEYS

_LINE, _BELOW = 180, 160  # so far a sentence and the lines below it are read
_NEAR, _BESIDE = 40, 9  # so far behind its name stands a value that need not look generated
_SHORT, _LONG = 6, 8
_SIGNS = b"!?*#^%&@~+=$"
_CODE = frozenset("{}=<>;|\\/$[]_#*&")  # one of them between name and value: no sentence
_BEHIND = frozenset(
    b" ,:.(\n\xc2\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xef"
)  # what may follow the name itself
_OPENING = "\"'`(\u00ab\u201c\u201e\u2018\u201a\u300c\u300e\u3010\uff08"
_CLOSING = "\"'`)\u00bb\u201d\u2019\u300d\u300f\u3011\uff09"
_AROUND = _OPENING + _CLOSING + ",;:.\uff0c\u3002\uff1a\uff1b\u3001\u2192\u2026<>"
_SPACED = "\u00ab\u201e"  # a blank may follow these
_WIDE = "\u2e80"  # from here on scripts need no blanks between words
_KEY = b" key"
_FENCES = frozenset((b'"""', b"'''"))
_MARK = b"[redacted"


def told(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge what a sentence, or the line below it, tells behind the name of a secret."""
    start, end = found[0]
    if low[start - 1 : start].isalpha() and low[start : start + 1].isalpha():
        return []
    behind = text[end : end + 2]
    if behind and (behind[0] not in _BEHIND or (behind[:1] == b"." and behind != b". ")):
        return []
    is_key = low[start:end] in words.TOLD_KEYS
    stop = text.find(b"\n", end, end + _LINE)
    line = text[end : stop if stop >= 0 else end + _LINE]
    if _MARK in line[:_NEAR] or b"\x00" in line:
        return []
    is_bare = low[start:end] == _KEY  # of any kind: only what stands alone below is its value
    for begin, value, is_set_off in (
        () if is_bare else _tokens(line.decode("utf-8", "surrogateescape"))
    ):
        is_announced = line[:begin].rstrip(b" \t\"'`").endswith(words.ANNOUNCING)
        how = _How(begin, is_key=is_key, is_announced=is_announced, is_set_off=is_set_off)
        if judge.has_digit(value) and _is_told(value, how):
            return [(end + begin, end + begin + len(value))]
    return _below(text, stop, is_key=is_key) if stop >= 0 else []


def _tokens(line: str) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the words of a sentence: where each begins, and whether marks set it off."""
    word, at, before = "", 0, " "
    for char in f"{line} ":
        if not char.isspace() and char < _WIDE and char not in _OPENING + _CLOSING:
            word += char
            continue
        bare = word.strip(_AROUND)
        if bare:
            lead = word.index(bare)
            yield at + len(_bytes(word[:lead])), _bytes(bare), before in _OPENING
        if not _CODE.isdisjoint(word) and not judge.has_digit(_bytes(bare)):
            return
        at += len(_bytes(word + char))
        before = before if not word and char.isspace() and before in _SPACED else char
        word = ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class _How:
    """How a value stands behind the name of a secret."""

    __slots__ = ("begin", "is_announced", "is_key", "is_set_off")

    def __init__(self, begin: int, *, is_key: bool, is_announced: bool, is_set_off: bool) -> None:
        self.begin = begin
        self.is_key = is_key
        self.is_announced = is_announced
        self.is_set_off = is_set_off


def _is_told(value: bytes, how: _How) -> bool:
    is_beside = how.begin <= _BESIDE or (how.is_announced and how.begin <= _NEAR)
    if len(value) < _SHORT or judge.is_harmless(value, quoted=how.is_set_off):
        return False
    if how.is_key and how.is_announced and _is_hex(value):
        return True
    is_named = is_beside and not how.is_key and _digits(value) >= 3 and not how.is_set_off
    if is_ordinary(value, is_snake_ordinary=not is_named):
        return False
    if how.is_key:
        is_marked = how.is_set_off and is_strong(value) and len(value) >= _LONG + 4
        return is_marked or (judge.is_random(value) and len(value) >= 2 * _LONG)
    if is_strong(value):
        return how.begin <= _NEAR or how.is_set_off
    return is_beside and len(value) >= _LONG and not how.is_set_off


def _is_hex(value: bytes) -> bool:
    return len(value) >= 4 * _LONG and not value.lower().translate(None, b"0123456789abcdef")


def _digits(value: bytes) -> int:
    return len(value) - len(value.translate(None, b"0123456789"))


def is_strong(value: bytes) -> bool:
    """Return whether a value can hardly be anything but made up."""
    has_letters = value.translate(None, b"0123456789" + _SIGNS) != b""
    has_signs = value.translate(None, _SIGNS) != value and value[:1] not in b"@#&?$"
    is_cased = not value.islower() and not value.isupper() and judge.changes(value) >= 3
    is_cased = is_cased and (_digits(value) > 1 or judge.changes(value) > 4)
    is_signed = has_signs and has_letters and judge.changes(value) >= 3 and b"=" not in value[:-2]
    return judge.is_random(value) or is_signed or (is_cased and len(value) >= _LONG)


def is_ordinary(value: bytes, *, is_snake_ordinary: bool = True) -> bool:
    """Return whether a value is a date, a version, a path, an address, a hash or a name in code."""
    low = value.lower()
    is_key = len(value) >= 20 and b"." not in value and judge.is_random(value)
    name, sign, _ = value.rstrip(b"=").partition(b"=")
    if low.startswith(words.ALGORITHMS) or (sign and not name.translate(None, judge.NAME)):
        return True
    if (b"/" in value and not is_key) or b"\\" in value or _is_address(value):
        return True
    if not low.translate(None, b"0123456789abcdef-") and (len(value) >= 32 or low.isdigit()):
        return True
    if not value.translate(None, b"0123456789.:-,+x%vVTZ"):
        return True
    name, dot, ending = low.rpartition(b".")
    is_file = bool(dot) and ending.isalpha() and len(ending) <= 5 and not judge.is_random(name)
    is_snake = is_snake_ordinary and b"_" in value and not value.translate(None, _SNAKE)
    return is_file or is_snake or judge.is_uuid(value) or value.isupper()


def _is_address(value: bytes) -> bool:
    name, at, place = value.partition(b"@")
    return bool(name and at) and b"." in place


_SNAKE = b"abcdefghijklmnopqrstuvwxyz0123456789_"


def _below(text: bytes, stop: int, *, is_key: bool) -> list[Span]:
    """Judge the one word that stands alone on the next line, perhaps in a fence."""
    at, is_fenced = stop + 1, False
    for line in text[at : at + _BELOW].split(b"\n")[:5]:
        bare = line.strip()
        if bare.startswith((b"```", b"~~~")) or bare in _FENCES:
            if is_fenced:
                return []
            is_fenced = True
        elif bare:
            value = bare.strip(b"\"'`*")
            is_alone = value.translate(None, b" \t") == value
            is_indented = line[:2] in {b"  ", b"\t", b"> "}
            if not is_alone or not (is_fenced or is_indented or bare[:1] in b"`*\"'"):
                return []
            is_made = len(value) >= _SHORT and not judge.is_harmless(value, quoted=False)
            is_made = is_made and not is_ordinary(value) and is_strong(value)
            is_made = is_made or (is_key and is_fenced and _is_hex(value))
            begin = at + line.index(value) if value else at
            enough = len(value) >= 2 * _LONG or not is_key
            return [(begin, begin + len(value))] if is_made and enough else []
        at += len(line) + 1
    return []


JUDGES: dict[str, Judge] = {"told": told}
