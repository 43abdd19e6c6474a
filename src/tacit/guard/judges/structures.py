"""The judges of structures: secrets known by what they are part of, not by a name beside them.

A Secret of Kubernetes, a row that is inserted into a table, a column of one, a here-document that
writes a file of secrets, the end of a key block, a value that a command has printed or that a
client is made with. Each is `judge(text, low, found) -> spans`, as in `context.py`.
"""

from __future__ import annotations

from tacit.guard import judge, words
from tacit.guard.judges.sentences import (
    is_gutter,
    is_ordinary,
    is_signed,
    is_strong,
    last_word,
    shown_at,
)
from tacit.guard.views import margin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.guard.engine import Found, Judge, Span

_MARK = b"[redacted"
_SIGHT = 4000  # so far around its kind the data of a manifest are looked for
_CELL_MARKS, _LONGEST = (b"|", b"\t", b",", b";"), 2048  # of a table and its rows
_MOST_LINES, _MOST_CELLS, _MOST_ROWS = 400, 64, 50
_BLOCKS = (b"data", b"stringdata")
_SCALARS = frozenset((b"|", b">", b"|-", b">-", b"|+", b">+"))
_SIGNS = b"!@#$%^&*+=?~"
_LONGEST_ROW = 4000
_PROMPT = b" \t\r\n,.->"  # between the rows of a statement that is typed in
_MOST_NOISE, _NOISE = 6, (b"gpg:", b"Warning:", b"WARNING")  # before what a command prints
_CODE_ENDS = b":;{[(,)"
_LOOP, _LOOPS = (
    300,
    (b"; do", b"\ndo", b" do\n", b"xargs", b"foreach", b"ForEach", b" % {", b"output -json"),
)
_PROMPTED = (b"$ ", b"# ", b"\x00")
_BYTES = frozenset((b'b"', b"b'", b'f"', b"f'"))
_MOST_NAMED, _NEAR = 8, 800  # results that are looked at; how far before their type
_FORM, _LITERAL = 600, b" \t\r,+.()"  # behind a field's name; around a literal of code
_STRONG, _CALL = 8, 300  # the shortest password that its look tells; the rest of a call


def manifest(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the values below `data` and `stringData` in the manifest of a Secret."""
    start, stop = _document(text, *found[0])
    spans: list[Span] = []
    at, inside, block = start, -1, -1  # how far `data` and a block of text are indented
    for shown in text[start:stop].split(b"\n")[:_MOST_LINES]:
        line = b" " + shown[1:] if shown[:1] in {b"+", b"-"} and shown[1:2] != b"-" else shown
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
        last = last if last >= 0 else stop + _SIGHT
        # the type may stand behind what it is the type of
        before = _results(text, b'"result', max(0, start - _NEAR), start)[-1:]
        spans = _results(text, b"result", stop, last)[:1] or before
        if spans or low.find(b"result", stop, last) >= 0:
            return spans
        # no more than its address and a value beside it
        begin = text.rfind(b"\n", max(0, start - _NEAR), start) + 1 or max(0, start - _NEAR)
        spans = _strong(text, begin, text.find(b"\n", stop, stop + _SIGHT), b'"')
        return [span for span in spans if span[0] > stop][:1]
    first = max(low.rfind(b"{", max(0, start - 600), start), start - 600, 0)
    last = low.find(b"}", stop, stop + 600)
    last = last if last >= 0 else stop + 600
    name = low.find(b'"value"', first, last)
    end = low.find(b'"sensitive"', stop, stop + _SIGHT)
    spans = _strong(text, name + 7, end if end >= 0 else stop + _SIGHT, b'"') if name >= 0 else []
    return _results(text, b'"value', first, last)[:1] or spans


def _results(text: bytes, name: bytes, first: int, last: int) -> list[Span]:
    """Return the strings that stand under a name between two places."""
    head, *parts = text[first:last].split(name, _MOST_NAMED)
    spans, at = [], first + len(head)
    for part in parts:
        begin = at + len(name) + len(part) - len(part.lstrip(b'" \t:='))
        at += len(name) + len(part)
        value = text[begin : begin + 400].partition(b'"')[0]
        is_string = text[begin - 1 : begin] == b'"' and len(value) >= judge.SHORTEST
        if is_string and b"\n" not in value and not judge.is_placeholder(value):
            spans.append((begin, begin + len(value)))
    return spans


def _strong(text: bytes, start: int, stop: int, mark: bytes = b"") -> list[Span]:
    """Return the strings in quotes between two places that can hardly be anything but made up."""
    mark = mark or text[start : start + 1]
    spans, end = [], start
    while begin := text.find(mark, end, stop) + 1:
        end = text.find(mark, begin, stop)
        if end < 0:
            break
        value = text[begin:end]
        if (
            is_strong(value)
            and len(value) >= _STRONG
            and value.split() == [value]
            and not is_plain(value)
        ):
            spans.append((begin, end))
        end += 1
    return spans


def is_plain(value: bytes) -> bool:
    """Return whether a value that stands for itself is no secret whatever its look."""
    is_query = b"?" in value and b"=" in value
    return is_query or b"://" in value or is_ordinary(value) or judge.is_placeholder(value)


def paired(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge `user / value` where a login is spoken of."""
    start, end = found[1]
    around = low[max(0, start - 200) : end + 120]
    value = text[start:end]
    is_spoken = any(word in around for word in words.LOGINS) and is_strong(value)
    value = value.rstrip(b".?!")
    is_code = low[found[0][0] : start][:1] == b" " and judge.is_code(value)
    return (
        [(start, start + len(value))] if is_spoken and not is_plain(value) and not is_code else []
    )


def inserted(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the values of a row that is inserted into columns that name secrets."""
    table, columns = (low[slice(*span)] if span[0] >= 0 else b"" for span in found[1:3])
    ratings = [_rated(column.strip(b" \t\r\n\"'`[]")) for column in columns.split(b",")][
        :_MOST_CELLS
    ]
    is_login = not columns and any(word in table for word in words.OF_LOGINS)
    if not is_login and not any(ratings):
        return []
    spans: list[Span] = []
    at = found[0][1]
    for _ in range(_MOST_ROWS):
        cells, at = _row(text, at)
        if is_login:
            spans += [span for begin, end in cells for span in _strong(text, begin - 1, end + 1)]
        for rating, (begin, end) in zip(ratings, cells, strict=False):
            if rating and judge.is_secret(text[begin:end], rating=rating, quoted=True, tight=False):
                spans.append((begin, end))
        behind = text[at : at + 40].lstrip(_PROMPT)
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


def printed(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the one word that a command has printed whose work it is to show a secret."""
    stop = found[0][1]
    newline = text.find(b"\n", stop, stop + _SIGHT)
    end = newline if newline >= 0 else min(len(text), stop + _SIGHT)
    if spans := _strong(text, text.find(b"`", stop, end) + 1 or stop, end, b"`"):
        return spans[:1]
    at = shown_at(text, end + 1, end + _SIGHT)
    is_loop = any(map(text[max(0, found[0][0] - _LOOP) : end + 8].count, _LOOPS))
    most = _MOST_ROWS if is_loop else _MOST_NOISE
    spans = []
    for line in text[at : at + _SIGHT].split(b"\n")[:most] if at > end else ():
        begin, value = last_word(line)
        is_led = is_loop and line[:begin].rstrip()[-1:] in {b":", b"="}
        if value and (is_led or is_gutter(line[:begin], b"")):
            value = value.partition(b"\x00")[0]
            if is_made(value) and not is_plain(value) and value[-1] not in _CODE_ENDS:
                spans.append((at + begin, at + begin + len(value)))
        is_passed = is_loop or line.startswith(_NOISE) or not line.strip()
        if line.startswith(_PROMPTED) or not is_passed:
            break
        at += len(line) + 1
    return spans


def listed(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the values that a command lists whose work it is to show secrets."""
    at, spans = found[0][1], []
    for line in text[at : at + 1500].split(b"\n"):
        bare = line.rstrip(b" \t\r,|")
        if line.startswith((b"$ ", b"# ")) or b"\x00" in line:
            break
        value = (bare.split() or [b""])[-1].strip(b"\"'|")
        if len(value) >= 12 and judge.is_random(value) and not is_plain(value):
            begin = at + line.rindex(value)
            spans.append((begin, begin + len(value)))
        at += len(line) + 1
    return spans


def called(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge what a client is made with, or the last of what it logs in with."""
    if found[1][0] >= 0:
        spans = _strong(text, found[1][0] - 1, found[1][0] + _CALL)[:1]
        return [span for span in spans if is_signed(text[slice(*span)])]
    start, end = found[2]
    value, is_login = text[start:end], low[found[0][0] : found[0][0] + 4] in {b"auth", b"logi"}
    is_token = judge.is_random(value) and len(value) >= 2 * _STRONG
    return _strong(text, start - 1, end + 1) if is_token or (is_login and is_signed(value)) else []


def field(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the field of a form: the first line behind an empty one, also in literals of code."""
    at, is_begun = found[0][1], False
    name = low[slice(*found[1])].partition(b"confirm")[0].rstrip(b"_-")
    seen = text[at : at + _FORM].replace(b"\\r", b"  ").replace(b"\\n", b"\n ")
    for number, line in enumerate(seen.split(b"\n") if _rated(name) else ()):
        value = line[margin(line) :].strip(_LITERAL)
        value = value[value[:2] in _BYTES :].strip(_LITERAL + b"\"'`")
        if value and is_begun:
            begin = at + line.rindex(value)
            is_value = value[:1] != b"-" and value[-1:] != b":" and len(value) >= judge.SHORTEST
            is_value = is_value and not judge.is_harmless(value, quoted=True)
            return [(begin, begin + len(value))] if is_value else []
        is_begun = is_begun or (not value and number > 0)
        at += len(line) + 1
    return []


def is_made(value: bytes) -> bool:
    """Return whether a value looks made up: generated, in mixed case with digits, or with signs."""
    if judge.is_wordy(value) or len(value) < judge.SHORTEST or b" " in value:
        return False
    has_signs = value.translate(None, _SIGNS) != value
    is_cased = not value.islower() and not value.isupper()
    return judge.is_random(value) or (judge.has_digit(value) and (has_signs or is_cased))


def column(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the cells below a heading that names a secret: Markdown, SQL and CSV tables."""
    first, last = found[0]
    furthest = first - _LONGEST if first > _LONGEST else 0
    start = low.rfind(b"\n", furthest, first) + 1 or furthest
    mark = next((mark for mark in _CELL_MARKS if mark in low[start:last]), b"")
    if not mark:
        return _ruled(text, start, first)
    *before, lead = low[start:first].split(mark)
    line = low.find(b"\n", first, first + _LONGEST) + 1
    end = first + len(low[first:last].rstrip(b" \"'\t\r\n|,;"))
    is_drawn = mark == _CELL_MARKS[0] and judge.rate(low, first, end) > judge.NONE
    is_other = lead.strip(b" \"'\t") and not is_drawn
    if not line or len(before) > _MOST_CELLS or is_other:
        return []
    return _cells(text, line, mark, len(before))


def _ruled(text: bytes, start: int, first: int) -> list[Span]:
    """Judge what stands below a heading whose columns are parted by blanks and ruled by dashes."""
    heading, *rows = text[start : start + _LONGEST].split(b"\n")[:_MOST_ROWS]
    rule, rows = b"".join(rows[:1]), rows[1:]
    at, spans = start + len(heading) + len(rule) + 2, []
    for row in rows if rule[first - start :].startswith(b"---") and first > start else ():
        value = (row[first - start :].split() or [b""])[0]
        if len(value) < _STRONG or not is_strong(value) or is_plain(value):
            break
        begin = at + row.index(value, first - start)
        spans.append((begin, begin + len(value)))
        at += len(row) + 1
    return spans


def _cells(text: bytes, line: int, mark: bytes, index: int) -> list[Span]:
    """Return the secret cells of one column, in the lines of the table that begins at *line*."""
    spans = []
    for _ in range(_MOST_ROWS):
        end = text.find(b"\n", line, line + _LONGEST)
        row = text[line : end if end >= 0 else line + _LONGEST]
        cells = row.split(mark)
        is_cut = end < 0 and len(text) > line + _LONGEST
        is_over = len(cells) <= index and row.strip(b"-+=: \r\t")
        if not row or b"\x00" in row or is_cut or is_over:
            break
        if len(cells) > index:
            cell = cells[index]
            value = cell.strip(b" \"'`\r\t")
            is_secret = judge.is_secret(value, rating=judge.LIKELY, quoted=True, tight=False)
            if is_secret and not judge.is_code(value) and not is_plain(value):
                begin = line + sum(len(other) + 1 for other in cells[:index]) + cell.find(value)
                spans.append((begin, begin + len(value)))
        line += len(row) + 1
    return spans


JUDGES: dict[str, Judge] = {
    "called": called,
    "column": column,
    "field": field,
    "inserted": inserted,
    "listed": listed,
    "manifest": manifest,
    "paired": paired,
    "printed": printed,
    "terraform": terraform,
    "written": written,
}
