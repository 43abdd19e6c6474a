"""The gate: where in a text a secret could stand.

Answers with substring searches alone, so that the hook can tell in a fraction of a millisecond that
there is none. It may point at too much, never at too little: whatever a row's pattern matches
begins at, or has near it, one of the row's keywords.
"""

from __future__ import annotations

from tacit.guard.index import (
    ANY_SCRIPT,
    BASIC,
    CARD,
    HEADING,
    IBAN,
    NAMED,
    NEARBY,
    OFFICIAL,
    PAIR,
    PAIRED,
    PIN,
    STARTS,
    TOLD,
    URI,
    WRITTEN,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Check = Callable[[bytes, bytes, int, int], bool]  # text, lower-cased text, start and end
    Rate = Callable[[bytes, int, int], int]

_ALNUM = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_BLANKS = bytes(char if char in _ALNUM else 32 for char in range(256))
_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_-."
_CLOSERS = b"\\\"'`]&#;quot349"
_SIGNS = frozenset((b":", b"=", b"-", b",", b">", b"(", b"{", b"<", b"\xef"))
_DRESS = b" \t\"'\\"  # what may stand between a word and the sign behind it
_CELL_ENDS = frozenset(bytes((char,)) for char in _DRESS + b"|,;\n\rntr")
_DIGITS = b"0123456789"
_BACKSLASH = ord("\\")
_AFTER_NUMBER = frozenset((b",", b"}", b"]", b")", b" ", b"\\", b"\n", b""))
_ESCAPES = b"nrtbf"
# how a terminal's colour begins: as it is, or spelled as programs spell it
_COLOURS = (b"\x1b", b"1b[", b"1B[", b"033[", b"\\e[")
# What may hide a keyword from a search through the bytes: escapes, encodings, colours.
_HIDING = tuple(b"<private \\u \\/ %0 %2 %3 %4 %5 %7 &# &quot; &amp; &lt; &gt; &apos;".split())
_HIDING += (b"\x00", b"\x1b")
_SURE = 4  # as the judge rates a name that is believed
_SIGHT = 240  # so much behind a name is looked at
_LONGEST_KEY, _LONGEST_LOGIN = 300, 700  # of a login: 301 bytes, if each is escaped
SENTENCES = frozenset((b"", b" ", b",", b":", b".", b"?", b"(", b")", b"*", b"\\", b"\r", b"\n"))
_TOLD = 600  # so far behind its name a sentence tells a secret, each byte perhaps escaped
_WRITTEN = (b"secret", b"passw", b"token", b"key", b"cred", b"pw")
_PAIRED = (b"password", b"secret", b"token", b"key", b"passwd")
NUMBERS = frozenset((CARD, IBAN, PIN, OFFICIAL))  # the owner may have these kept
MARK = b"[redacted:"
PIECE, _LEAD, BEYOND = 16384, 16, 64  # the longest keyword has 33 bytes
LONG, _LINE = 20, 8000  # a run of base64 worth a look, and how far it is followed
_PRINTABLE = bytes(range(32, 127)) + b"\t\r\n"
_BASE64 = bytes(sorted(_ALNUM)) + b"+/"
_RUNS = bytes(48 if char in _DIGITS else 120 for char in range(256))
_LONG_NUMBER = b"0" * 10  # digits that stand together in any card or account number

# The first of each four base64 characters of plain text holds the upper bits of an ASCII byte.
PLAIN = b"CDIJKLMNOPQRSTUVWXYZabcdef"


def is_clean(raw: bytes) -> bool:
    """Say whether a payload, as the client wrote it, can hold neither a secret nor a private span.

    Sees the JSON without reading it, so whatever an escape could hide is not clean.
    """
    low = raw.lower()
    if any(sign in low for sign in _HIDING):
        return False
    words = words_of(raw)
    if next(places(raw, low, words), None):
        return False
    return not any(is_plain(decoded(raw[start:end])) for start, end in wrapped(raw, words))


def words_of(text: bytes) -> set[bytes]:
    """Return the runs of letters and digits in *text*."""
    return set(text.translate(_BLANKS).split())


def pieces(
    text: bytes, near: Iterable[tuple[int, int]], words: Callable[[bytes], set[bytes]]
) -> Iterator[tuple[int, int, set[bytes]]]:
    """Yield (start, stop, words) of pieces that are quicker to look through one by one.

    The words go a little beyond the piece, so that no keyword that begins in it is cut.
    """
    for first, last in near:
        for start in range(first, last, PIECE):
            stop = min(start + PIECE, last)
            yield start, stop, words(text[max(0, start - _LEAD) : stop + BEYOND])


def places(
    text: bytes, low: bytes, words: set[bytes], start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, int, bytes]]:
    """Yield (position, rank of the row, keyword) for all that deserves a closer look."""
    stop = len(text) if stop is None else stop
    for rank, keyword in _shaped(words, text):
        for position in _each(text, keyword, start, stop):
            if not is_glued(text, position, keyword):
                yield position, rank, keyword
    yield from _nearby(text, low, words, start, stop)
    yield from numbered(text, start, stop)


def numbered(text: bytes, start: int, stop: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield where the number of a card or an account begins, which no keyword tells."""
    part = text if stop - start == len(text) else text[start : stop + BEYOND]
    if _LONG_NUMBER in part.translate(_RUNS, b" -."):
        from tacit.guard.judges import numbers

        for position in numbers.cards(text, start, stop):
            yield position, CARD, b""
        for position in numbers.ibans(text, start, stop):
            yield position, IBAN, b""


def _nearby(
    text: bytes, low: bytes, words: set[bytes], start: int, stop: int
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the same for the rows whose keywords may stand anywhere, in any case."""
    joined = b" ".join(words).lower() + (b"" if low.isascii() else ANY_SCRIPT)
    for probe, rows in NEARBY:
        if probe in joined:
            last: bytes = b""
            found: list[int] = []
            for rank, keyword in rows:
                if keyword != last:
                    last, found = keyword, _each(low, keyword, start, stop)
                for position in found:
                    if is_near(text, low, position, rank, keyword):
                        yield position, rank, keyword


def wrapped(
    text: bytes, words: set[bytes], start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield where a run of base64 stands that may hold plain text."""
    stop = len(text) if stop is None else stop
    words = {word for word in words if len(word) >= LONG}
    if not words:
        return
    if b"\\" in text:  # behind an escape such as \\n its letter is glued to the word
        words |= {word[1:] for word in words if word[0] in _ESCAPES}
    hopeful = {word[:40] for word in words if len(word) >= LONG and not _is_opaque(word)}
    end = 0
    for position in sorted(place for word in hopeful for place in _each(text, word, start, stop)):
        if position < end:
            continue
        lead = text[max(end, position - _LINE) : position]
        tail = text[position : position + _LINE]
        begin = position - len(lead) + len(lead.rstrip(_BASE64))
        begin += text[begin - 1 : begin] == b"\\" and begin < position
        end = position + len(tail) - len(tail.lstrip(_BASE64 + b"=_-"))
        yield begin, end


def _is_opaque(word: bytes) -> bool:
    """Say whether a word cannot be the base64 of plain text."""
    return bool(word[0:40:4].translate(None, PLAIN))


def decoded(run: bytes) -> bytes:
    """Return what a run of base64 holds, nothing if it is none."""
    from binascii import Error, a2b_base64

    body = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    try:
        return a2b_base64(body[: len(body) - (len(body) % 4 == 1)] + b"==")
    except Error:
        return b""


def is_plain(text: bytes) -> bool:
    """Say whether *text* is printable but for a few bytes."""
    return len(text.translate(None, _PRINTABLE)) <= len(text) // 20 and bool(text)


def _each(text: bytes, keyword: bytes, start: int, stop: int) -> list[int]:
    """Return where *keyword* begins between *start* and *stop*."""
    found = []
    step = 1 if len(keyword) < LONG else len(keyword)
    stop += len(keyword) - 1
    position = text.find(keyword, start, stop)
    while position >= 0:
        found.append(position)
        position = text.find(keyword, position + step, stop)
    return found


def _shaped(words: set[bytes], text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the rows, with their keyword, of which a word of the text begins as they do."""
    starts = {word[:4] for word in words} | {word[:3] for word in words}
    if b"\\" in text:
        inner = {word[1:] for word in words if word[0] in _ESCAPES}
        starts |= {word[:4] for word in inner} | {word[:3] for word in inner}
    if b"%" in text:
        starts |= {word[2:6] for word in words} | {word[2:5] for word in words}
    if any(colour in text for colour in _COLOURS):
        inner = {word.partition(b"m")[2] for word in words}
        starts |= {word[:4] for word in inner} | {word[:3] for word in inner}
    for start in starts & STARTS.keys():
        for rank, keyword, others in STARTS[start]:
            if words.issuperset(others):
                yield rank, keyword


def is_glued(text: bytes, position: int, keyword: bytes) -> bool:
    """Say whether a letter or digit before the keyword makes it the middle of some word."""
    if position == 0 or keyword[0] not in _ALNUM or text[position - 1] not in _ALNUM:
        return keyword == b"eyJ" and position > 0 and text[position - 1] in b"_-"
    if text[max(0, position - 2) : position - 1] == b"\\" and text[position - 1] in _ESCAPES:
        return False
    if text[max(0, position - 3) : max(0, position - 2)] == b"%":
        return False
    return text[position - 1] != 109 or b"[" not in text[max(0, position - 12) : position]


def is_near(text: bytes, low: bytes, position: int, rank: int, keyword: bytes) -> bool:
    """Say whether what stands around the keyword may be what the row looks for."""
    check = CHECKS.get(rank)
    return not check or check(text, low, position, position + len(keyword))


def may_name(text: bytes, low: bytes, start: int, end: int, rate: Rate | None = None) -> bool:
    """Say whether a value may belong to the name at *start*:*end*."""
    if text[end : end + 1] == b":" and is_in_mark(text, start):
        return False
    tail = low[end : end + _SIGHT]
    rest = tail.lstrip(_NAME).lstrip(_CLOSERS).lstrip(b" \t")
    has_sign = rest[:1] in _SIGNS or rest[:3] == b"gt;"
    is_key = _is_key(low, end)
    if not (is_key or has_sign or _has_digit(tail) or tail.find(b"value") >= 0):
        return False
    rating = (rate or _rate)(text, start, end)
    if rating == 0:
        return False
    if is_key:
        return _may_open(text, end, rating)
    if rating >= _SURE or not has_sign:
        return True
    return _may_be_token(text[end + len(tail) - len(rest) : end + _SIGHT])


def _rate(text: bytes, start: int, end: int) -> int:
    """Ask the judge, which the hook loads only for a name that may have a value."""
    from tacit.guard import judge

    return judge.rate(text, start, end)


def is_in_mark(text: bytes, start: int) -> bool:
    """Say whether the word at *start* stands in a mark of ours: `[redacted:github-token:…`."""
    mark = text.rfind(MARK, start - 40 if start > 40 else 0, start)
    return mark >= 0 and text.find(b"]", mark, start) < 0


def _is_key(low: bytes, end: int) -> bool:
    """Say whether the word before *end* stands in a key of JSON: a quote and a colon follow."""
    quote = low.find(b'"', end, end + _LONGEST_KEY)
    if quote < 0 or low[quote - 1] == _BACKSLASH:
        return False
    behind = low[quote + 1 : quote + 2]
    if behind.isspace():
        behind = low[quote + 1 : quote + _LONGEST_KEY].lstrip(b" \t\r\n")[:1]
    return behind == b":"


def _may_open(text: bytes, end: int, rating: int) -> bool:
    """Say whether what stands under the key may be a secret: no bare number, no plain word."""
    colon = text.index(b":", text.index(b'"', end)) + 1
    value = text[colon : colon + 2000].lstrip(b" \t\r\n")
    if value[:1] not in {b'"', b"[", b"{", b""}:
        return _may_be_bare(value)
    return rating >= _SURE or value[:1] != b'"' or _may_be_token(value)


def _may_be_bare(value: bytes) -> bool:
    """Say whether a value without quotes may be a secret, as YAML has them: no word of JSON."""
    run = (value.split(None, 1) or [b""])[0].partition(b",")[0].rstrip(b"]}")
    is_number = not run.strip(b"0123456789+-.eE")
    return not is_number and run not in {b"true", b"false", b"null"} and _may_be_token(run)


def _may_be_token(rest: bytes) -> bool:
    """Say whether a generated token can stand behind the sign: no bare number, no plain word."""
    value = rest.lstrip(b":=->,( \t\\\"'")
    number = len(value) - len(value.lstrip(_DIGITS))
    if number and value[number : number + 1] in _AFTER_NUMBER and not _has_digit(value[number:48]):
        return False
    run = (value.split(None, 1) or [b""])[0]
    return _has_digit(value[:80]) or (len(run) >= LONG and not run.islower() and not run.isupper())


def _may_head(_text: bytes, low: bytes, _start: int, end: int) -> bool:
    """Say whether the word may be a cell of a heading."""
    return low[end : end + 1] in _CELL_ENDS and (
        low[end : end + 60]
        .lstrip(_DRESS)
        .startswith((b"|", b",", b";", b"\t", b"\n", b"\r", b"n", b"t", b"r"))
    )


def _may_hold(_text: bytes, low: bytes, _start: int, end: int) -> bool:
    """Say whether a sign follows the word."""
    return low[end : end + 12].lstrip(_DRESS)[:1] in {b":", b"="}


def _may_pair(_text: bytes, low: bytes, _start: int, end: int) -> bool:
    """Say whether the word is a key whose name may follow: `"value": …, "name": "…password"`."""
    is_key = low[end : end + 8].lstrip(b"\\")[:1] == b'"'
    return is_key and any(word in low[end : end + 500] for word in _PAIRED)


def _may_log_in(_text: bytes, low: bytes, _start: int, end: int) -> bool:
    """Say whether a user may be named in the address: `://app:…@db`."""
    return low.find(b"@", end, end + _LONGEST_LOGIN) >= 0


def _may_write(_text: bytes, low: bytes, start: int, _end: int) -> bool:
    """Say whether a here-document may write a secret: its line names one."""
    line = low[max(0, start - 160) : start + 160]
    return any(word in line for word in _WRITTEN)


def _is_begun(low: bytes, start: int) -> bool:
    """Say whether a word begins here: no letter before it, but for that of an escape."""
    if not start or not low[start - 1 : start].isalpha() or not low[start : start + 1].isalpha():
        return True
    return low[start - 2 : start - 1] == b"\\" and low[start - 1] in _ESCAPES


def _may_number(_text: bytes, low: bytes, start: int, end: int) -> bool:
    """Say whether the word is a whole one and digits follow soon."""
    is_longer = low[end : end + 1].isalpha() and low[end - 1 : end].isalpha()
    return _is_begun(low, start) and not is_longer and _has_digit(low[end : end + 72])


def _may_tell(text: bytes, low: bytes, start: int, end: int) -> bool:
    """Say whether the word stands in a sentence that goes on with a digit."""
    behind = low[end : end + 1]
    is_cjk = low[end - 1 : end] >= b"\x80" and behind.isalnum()
    is_last = low[end : end + 2] == b'",'  # of a string, perhaps a command
    if behind not in SENTENCES and behind < b"\xc2" and not (is_cjk or is_last):
        return False
    is_glued = (
        low[start - 1 : start].isalpha() and low[start : start + 1].isalpha() if start else False
    )
    is_escaped = is_glued and low[start - 2 : start - 1] == b"\\" and low[start - 1] in _ESCAPES
    is_whole = not is_glued or is_escaped
    return is_whole and _has_digit(low[end : end + _TOLD]) and not is_in_mark(text, start)


def _may_follow(_text: bytes, low: bytes, _start: int, end: int) -> bool:
    """Say whether a word with a digit follows at once."""
    return _has_digit(low[end : end + 100].partition(b" ")[0])


def _has_digit(text: bytes) -> bool:
    return len(text.translate(None, _DIGITS)) < len(text)


CHECKS: dict[int, Check] = {
    NAMED: may_name,
    HEADING: _may_head,
    BASIC: _may_hold,
    PAIR: _may_pair,
    URI: _may_log_in,
    WRITTEN: _may_write,
    PIN: _may_number,
    OFFICIAL: _may_number,
    TOLD: _may_tell,
    PAIRED: _may_follow,
}
# The bytes of which one must stand behind the keyword itself, or the check says no.
BEHIND: dict[int, frozenset[bytes]] = {
    HEADING: _CELL_ENDS,
    BASIC: frozenset(bytes((char,)) for char in _DRESS + b":="),
    PAIR: frozenset((b"\\", b'"')),
}
