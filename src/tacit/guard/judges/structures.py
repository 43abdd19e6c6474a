"""The judges of structures: secrets known by what they are part of, not by a name beside them.

A Secret of Kubernetes, a row that is inserted into a table, a here-document that writes a file of
secrets, the end of a key block, a value that a command has printed; and payment cards, IBANs and
PINs. Each is `judge(text, low, found) -> spans`, as in `context.py`.
"""

from __future__ import annotations

from tacit.guard import judge, words
from tacit.guard.judges import numbers
from tacit.guard.judges.sentences import is_ordinary, is_strong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.guard.engine import Found, Judge, Span

_MARK = b"[redacted"
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_KEY_BLOCK, _KEY_LINE = 16_000, 30
_SIGHT = 4000  # so far around its kind the data of a manifest are looked for
_MOST_LINES, _MOST_CELLS, _MOST_ROWS = 400, 64, 50
_BLOCKS = (b"data", b"stringdata")
_SCALARS = frozenset((b"|", b">", b"|-", b">-", b"|+", b">+"))
_SIGNS = b"!@#$%^&*+=?~"
_LONGEST_ROW = 4000
_POSTAL = 6  # digits of a postal code that is called PIN, too


def manifest(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the values below `data` and `stringData` in the manifest of a Secret."""
    start, stop = _document(text, *found[0])
    spans: list[Span] = []
    at, inside, block = start, -1, -1  # how far `data` and a block of text are indented
    for line in text[start:stop].split(b"\n")[:_MOST_LINES]:
        bare = line.strip()
        indent = len(line) - len(line.lstrip(b" \t"))
        name, sign, value = bare.partition(b":")
        if bare and 0 <= block < indent:
            spans.append((at + indent, at + indent + len(bare)))
        elif name.strip(b"\"' ").lower() in _BLOCKS and value.strip() in {b"", b"{"}:
            inside, block = indent, -1
        elif bare and (indent <= inside or bare[:1] == b"}"):
            inside = block = -1
        elif inside >= 0 and sign:
            block = indent if value.strip() in _SCALARS else -1
            spans += _entry(line, at) if block < 0 else []
        at += len(line) + 1
    return [span for span in [*spans, *_compact(text, start, stop)] if _is_value(text, span)]


def _compact(text: bytes, start: int, stop: int) -> list[Span]:
    """Return where the values of `"data":{"key":"value"}` stand, all on one line."""
    spans: list[Span] = []
    at = text.find(b'ata":{', start, stop)
    end = text.find(b"}", at, stop)
    parts = text[at:end].split(b'"') if 0 <= at < end else []
    place = at
    for number, part in enumerate(parts):
        if number > 3 and number % 4 == 0 and part and not judge.is_placeholder(part):
            spans.append((place, place + len(part)))
        place += len(part) + 1
    return spans


def _entry(line: bytes, at: int) -> list[Span]:
    """Return where the value of `key: value` stands, which begins at *at*."""
    colon = line.index(b":")
    value = line[colon + 1 :].strip(b" \t\r,\"'")
    if not value or judge.is_placeholder(value):
        return []
    begin = at + line.index(value, colon)
    return [(begin, begin + len(value))]


def _document(text: bytes, start: int, stop: int) -> Span:
    """Return where the document around a place begins and ends."""
    first = max(0, start - _SIGHT)
    above = text.rfind(b"\n---", first, start)
    below = text.find(b"\n---", stop, stop + _SIGHT)
    first = text.find(b"\n", first, start) + 1 if above < 0 and first else first
    return above + 1 if above >= 0 else first, below if below >= 0 else stop + _SIGHT


def _is_value(text: bytes, span: Span) -> bool:
    value = text[slice(*span)]
    return len(value) >= judge.SHORTEST and not value.startswith((_MARK, b"#", b"{{", b"${"))


def terraform(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge an output that is marked as sensitive, and the result of a random password."""
    start, stop = found[0]
    if low[start : start + 1] == b"r":
        last = low.find(b'"mode"', stop, stop + _SIGHT)
        name = low.find(b"result", stop, last if last >= 0 else stop + _SIGHT)
        if name < 0:  # the type may stand behind what it is the type of
            name = low.rfind(b'"result":', max(0, start - _SIGHT), start) + 1 or -1
    else:
        first = max(low.rfind(b"{", max(0, start - 600), start), start - 600, 0)
        last = low.find(b"}", stop, stop + 600)
        name = low.find(b'"value"', first, last if last >= 0 else stop + 600)
    if name < 0:
        return []
    lead = low[name : name + 40]
    sign = lead.find(b":") if b":" in lead[:12] else lead.find(b"=")
    begin = text.find(b'"', name + max(sign, 0)) + 1
    end = text.find(b'"', begin, begin + 400) if begin else -1
    value = text[begin:end]
    is_direct = 0 < begin - name <= 40 and not text[name + 8 : begin - 1].strip(b' \t":=')
    is_whole = end >= 0 and len(value) >= judge.SHORTEST and b"\n" not in value
    return [(begin, end)] if is_direct and is_whole and not judge.is_placeholder(value) else []


def paired(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge `user / value` where a login is spoken of."""
    start, end = found[1]
    around = low[max(0, start - 200) : end + 120]
    value = text[start:end]
    is_plain = judge.is_code(value) or is_ordinary(value) or judge.is_placeholder(value)
    is_spoken = any(word in around for word in words.LOGINS)
    return [(start, end)] if is_spoken and is_strong(value) and not is_plain else []


def inserted(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the values of a row that is inserted into columns that name secrets."""
    columns = low[slice(*found[1])].split(b",")[:_MOST_CELLS]
    ratings = [_rated(column.strip(b" \t\r\n\"'`[]")) for column in columns]
    if not any(ratings):
        return []
    spans: list[Span] = []
    at = found[0][1]
    for _ in range(_MOST_ROWS):
        cells, at = _row(text, at)
        for rating, (begin, end) in zip(ratings, cells, strict=False):
            if rating and judge.is_secret(text[begin:end], rating=rating, quoted=True, tight=False):
                spans.append((begin, end))
        behind = text[at : at + 40].lstrip(b" \t\r\n,")
        if not cells or behind[:1] != b"(":
            break
        at = text.index(b"(", at)
    return spans


def _rated(column: bytes) -> int:
    """Return how surely a column holds a secret."""
    places = [(column.rfind(word), len(word)) for word in words.COLUMNS if word in column]
    return max((judge.rate(column, at, at + length) for at, length in places), default=0)


def _row(text: bytes, start: int) -> tuple[list[Span], int]:
    """Return where the values of `(…, '…', …)` stand, quotes left out, and where it ends."""
    cells: list[Span] = []
    at = text.find(b"(", start, start + 40) + 1
    stop = min(len(text), at + _LONGEST_ROW)
    begin = at
    while at and at < stop:
        char = text[at : at + 1]
        if char in {b"'", b'"'}:
            end = text.find(char, at + 1, stop)
            if end < 0:
                return [], start
            begin, at = at + 1, end
            cells.append((begin, end))
            follow = text[end + 1 : end + 40].lstrip(b" \t\r\n")
            at = text.find(follow[:1], end + 1) if follow[:1] in {b",", b")"} else stop
            if follow[:1] == b",":
                at += 1
                begin = at
                continue
            return (cells, at + 1) if follow[:1] == b")" else ([], start)
        if char in {b",", b")"}:
            cells.append((begin, begin))
            begin = at + 1
            if char == b")":
                return cells, at + 1
        at += 1
    return [], start


def written(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge a here-document of one line that writes a file of a secret's name."""
    line = low[low.rfind(b"\n", max(0, found[0][0] - 300), found[0][0]) + 1 : found[1][0]]
    if not any(word in line for word in (b"secret", b"passw", b"token", b"key", b"cred", b"pw")):
        return []
    start, end = found[1]
    value = text[start:end].strip()
    return [(start, end)] if is_made(value) and not judge.is_placeholder(value) else []


def key_tail(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the end of a key block whose beginning has been cut off."""
    start, stop = found[0]
    first = max(0, start - _KEY_BLOCK)
    if low.rfind(b"-----begin", first, start) > low.rfind(b"-----end", first, start):
        return []
    margin = text.rfind(b"\n", first, start) + 1
    at = begin = start if text[margin:start].strip() else max(margin, first)
    above = at
    for _ in range(_MOST_LINES):
        line = text.rfind(b"\n", first, at - 1) + 1 or first
        run = text[line:at].strip(b" \t\r\n\"'")
        if b" " in run and len(run.rsplit(None, 1)[1]) >= _KEY_LINE:  # its first line, behind words
            run = run.rsplit(None, 1)[1]
            first = line
        is_key = bool(run) and not run.translate(None, _BASE64)
        if not is_key or (len(run) < _KEY_LINE and begin != above):
            break
        begin = line + text[line:at].index(run)
        at = line
        if line <= first:
            break
    longest = max((len(run) for run in text[begin:start].split()), default=0)
    return [(begin, stop)] if longest >= _KEY_LINE else []


def printed(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the one word that a command has printed whose work it is to show a secret."""
    start, end = found[1]
    value = text[start:end]
    is_alone = text[end : end + 1] in {b"", b"\n", b"\r", b"\x00"}
    is_plain = judge.is_code(value) or is_ordinary(value) or judge.is_placeholder(value)
    return [(start, end)] if is_alone and is_made(value) and not is_plain else []


def listed(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the values that a command lists whose work it is to show secrets."""
    at, spans = found[0][1], []
    for line in text[at : at + 1500].split(b"\n"):
        bare = line.rstrip(b" \t\r,")
        if line.startswith((b"$ ", b"# ")) or b"\x00" in line:
            break
        value = (bare.split() or [b""])[-1].strip(b"\"'")
        if len(value) >= 12 and judge.is_random(value) and not is_ordinary(value):
            begin = at + line.rindex(value)
            spans.append((begin, begin + len(value)))
        at += len(line) + 1
    return spans


def is_made(value: bytes) -> bool:
    """Return whether a value looks made up: generated, in mixed case with digits, or with signs."""
    if judge.is_wordy(value) or len(value) < judge.SHORTEST or b" " in value:
        return False
    has_signs = value.translate(None, _SIGNS) != value
    is_cased = not value.islower() and not value.isupper()
    return judge.is_random(value) or (judge.has_digit(value) and (has_signs or is_cased))


def card(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the number of a payment card."""
    start = found[0][0]
    end = numbers.card_end(text, start)
    return [(start, end)] if end else []


def iban(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge an IBAN."""
    start = found[0][0]
    end = numbers.iban_end(text, start)
    return [(start, end)] if end else []


def pin(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge digits that are called a PIN: neither a pin of a chip nor a postal code."""
    start, end = found[2]
    lead, between = low[max(0, found[0][0] - 60) : found[0][0]], low[slice(*found[1])]
    is_named = b":" in between or b"=" in between
    is_glued = lead[-1:].isalnum() or (lead[-1:] in {b"_", b"-"} and not is_named)
    if is_glued or text[end : end + 1].isalnum():
        return []
    is_hardware = any(word in lead[-24:] for word in (b"gpio", b"led", b"board", b"chip", b"to "))
    is_postal = end - start == _POSTAL and b"code" in between
    is_code = text[start - 1 : start] in b" :=" and text[end : end + 2].strip()[:1] in {b",", b"}"}
    if is_code and text[found[0][0] : found[0][0] + 3] == b"pin":
        return []
    is_told = any(sign in between for sign in words.TELLING) or any(
        word in lead for word in words.OF_PINS
    )
    return [(start, end)] if is_told and not is_hardware and not is_postal else []


def official(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge a number of a person that is called by the name of its kind."""
    before = low[found[0][0] - 1 : found[0][0]] if found[0][0] else b""
    start, end = found[1]
    is_ended = not text[end : end + 1].isalnum()
    is_drawn = len(set(text[start:end].translate(None, b" .-/"))) <= 2
    return [(start, end)] if is_ended and not before.isalnum() and not is_drawn else []


JUDGES: dict[str, Judge] = {
    "card": card,
    "iban": iban,
    "inserted": inserted,
    "key_tail": key_tail,
    "listed": listed,
    "manifest": manifest,
    "official": official,
    "pin": pin,
    "paired": paired,
    "printed": printed,
    "terraform": terraform,
    "written": written,
}
