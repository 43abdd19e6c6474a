"""The judges of the context rows: which spans of what a row found are secret.

Each is `judge(text, low, found) -> spans`: it sees the text, its lower-cased twin and the match on
the twin.
"""

from __future__ import annotations

from tacit.guard import judge
from tacit.guard.judges import numbers, sentences, structures
from tacit.guard.views import margin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.guard.engine import Found, Judge, Span

# The groups of the `name = value` pattern, in its order.
_WORD, _VALUE, _SIGN, _PAIR, _PROSE, _XML, _CALL, _GAP, _QUOTE = range(1, 10)

_MARK = b"[redacted"
_BACKSLASH, _BRACKET, _LINE, _BAR, _TAG, _SEMICOLON = (
    b"\\[\n|>;"  # as numbers, which are found the soonest
)
_OPENING = frozenset(b"\"'`;>")  # with one of them ends what leads to a value with a mark
_SIGNS = (
    b":=>[\xef\xe2\xe3`~"  # one of them stands in whatever joins a name and a value, but for words
)
_NAME_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.*"
_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_-."
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_BLOCK = _BASE64 + b" \t\r\n\\:,.-"
_BLANKS = bytes(char if char in _BASE64 else 32 for char in range(256))
_BARE_ENDS = b" \t\n\r\v\f\"'`<>,;)}]&|\x1b"
_ENDED = bytes(32 if char in _BARE_ENDS else char for char in range(256))
_WIDE_BYTES = frozenset((*range(0xE3, 0xEA), 0xEF))
_WIDE = bytes(32 if char in _WIDE_BYTES else char for char in range(256))
_CLOSED = {b")": b"(", b"]": b"[", b"}": b"{"}
_CUTTING = frozenset((b")", b"]", b"}", b"<", b">", b"|", b"&"))
_ESCAPED_ENDS = (b"\\n", b"\\r", b"\\t")
_ARROWS = frozenset((b" -> ", b" => "))
_LONGEST, _LARGEST = 2048, 1 << 20  # of a value: to be looked at, and to be taken out
_SHORT = 80  # so long are nearly all values
_CAPPED = 190  # a match as long as this may have been cut by its pattern
_KEY_BLOCK = 16_000
_KEY_RUN, _KEY_LINE, _MOST_KEY_LINES = 20, 30, 400
_HEADER = 4096
_KEY_HEAD = 600
_TELLING = (b"sess", b"sid", b"auth", b"token", b"jwt", b"csrf", b"xsrf", b"remember", b"login")
_REFERRING = (b"${", b"{{", b"{{ ", b"%{", b"#{")
_SETTERS = (b"env ", b"arg ", b"define ", b"setx ", b"setenv ", b"-gx ", b"-x ", b"-ux ")


def assigned(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge `name = value` in any of its dresses."""
    start = found[0][0]
    lead = tuple((begin - start, end - start) if begin >= 0 else (-1, -1) for begin, end in found)
    return weighed(text, low, found[0], lambda _: lead)


def weighed(text: bytes, low: bytes, span: Span, groups: Callable[[bytes], Found]) -> list[Span]:
    """Judge the same from where the match stands; its groups, slow to find, are asked for late.

    They are those of the lead, which is what stands from the name to the value.
    """
    start, begin = span
    if text.startswith(_MARK, begin):
        return []
    lead = low[start:begin]
    quote = _quote(text, begin, lead, groups) if lead[-1] in _OPENING else b""
    stop = _stop(text, begin, quote)
    value = text[begin:stop]
    if len(value) < judge.SHORTEST or (not quote and _is_told(lead, value)):
        return []
    if value[0] in _WIDE_BYTES:  # a sentence goes on
        return []
    found = groups(lead)
    name = (start, start + found[_WORD][1])
    if not _fits(found, low, span, stop) or not _is_named(text, name, (begin, stop), quote):
        return []
    if judge.is_harmless(value, quoted=bool(quote)) or _is_mention(low, start):
        return []
    stop = stop if stop < begin + _LONGEST else _stop(text, begin, quote, _LARGEST)
    return [(begin, stop), *_replaced(text, stop, quote)]


def _replaced(text: bytes, stop: int, quote: bytes) -> list[Span]:
    """Return what stands behind an arrow instead of the value that ends at *stop*."""
    start = stop + len(quote)
    if not quote or text[start : start + 4] not in _ARROWS or text[start + 4 : start + 5] != quote:
        return []
    end = text.find(quote, start + 5, start + _LONGEST)
    return [(start + 5, end)] if end > start + 5 and text[start + 5] != _BRACKET else []


def _is_named(text: bytes, name: Span, span: Span, quote: bytes) -> bool:
    """Say whether the name makes the value at *span* a secret."""
    begin, stop = span
    value = text[begin:stop]
    is_attribute = not quote and value.endswith(b"=") and text[stop : stop + 1] in {b'"', b"'"}
    if is_attribute or judge.is_tame(text[slice(*name)].lower(), value):
        return False
    tight = (
        not quote
        and text[begin - 1 : begin] == b"="
        and text[begin - 2 : begin - 1] not in {b" ", b"="}
    )
    rating = judge.rate(text, *name)
    return judge.is_fitting(value, rating=rating, quoted=bool(quote), tight=tight)


def _is_told(lead: bytes, value: bytes) -> bool:
    """Say whether no sign but words or blanks lead to a plain word: `the token has expired`."""
    is_signed = lead.translate(None, _SIGNS) != lead or lead.find(b"send") >= 0
    return not is_signed and judge.is_wordy(value)


def _is_mention(low: bytes, start: int) -> bool:
    """Say whether the name is a reference, an item between colons, or part of a mark of ours."""
    lead = low[start - 40 if start > 40 else 0 : start]
    return (
        lead.rstrip(_NAME).endswith(_REFERRING)
        or (lead[-1:] == b":" and lead[-2:-1] not in {b"", b" ", b'"', b"'"})
        or (_BRACKET in lead and _is_in_mark(lead))
    )


def _is_in_mark(lead: bytes) -> bool:
    mark = lead.rfind(_MARK)
    return mark >= 0 and lead.find(b"]", mark) < 0


def _quote(text: bytes, begin: int, lead: bytes, groups: Callable[[bytes], Found]) -> bytes:
    """Return the mark that opens the value at *begin* and so will close it."""
    if lead[-1] == _TAG:
        found = groups(lead)
        return b"<" if _has(found, _XML) or _has(found, _VALUE) else b""
    if lead[-1] != _SEMICOLON:
        slashes = text[begin - 4 : begin - 1]
        return text[begin - 1 - len(slashes) + len(slashes.rstrip(b"\\")) : begin]
    return text[text.rindex(b"&", begin - len("&quot;"), begin) : begin]  # `&quot;`


def _stop(text: bytes, begin: int, quote: bytes, longest: int = _LONGEST) -> int:
    """Return where the value that begins at *begin* ends."""
    if quote:
        line = text.find(b"\n", begin, begin + longest)
        last = line if line >= 0 else begin + longest
        stop = text.find(quote, begin, last)
        while stop > begin and text[stop - 1] == _BACKSLASH and quote[0] != _BACKSLASH:
            stop = text.find(quote, stop + 1, last)
        if stop >= 0:
            return stop
    stop = _bare_stop(text, begin, longest)
    end = text[stop : stop + 1]
    is_bracketed = end in _CLOSED and text[stop + 1 : stop + 2].isalnum()
    if is_bracketed and text.find(_CLOSED[end], begin, stop) >= 0:
        return _bare_stop(text, stop + 1, longest)  # `Lark(9)Stone`
    return stop


def _bare_stop(text: bytes, begin: int, longest: int) -> int:
    """Return the same of a value that no mark closes."""
    run = text[begin : begin + _SHORT].translate(_ENDED).partition(b" ")[0]
    if len(run) == _SHORT:
        run = text[begin : begin + longest].split(None, 1)[0].translate(_ENDED).partition(b" ")[0]
    if _BACKSLASH in run:
        for end in _ESCAPED_ENDS:
            run = run.partition(end)[0]
    if not run.isascii() and run[:1].isascii():  # a script without blanks goes on behind it
        run = run.translate(_WIDE).partition(b" ")[0]
    cut = begin + len(run)
    if text[cut : cut + 1] in _CUTTING and not text[cut + 1 : cut + 2].isspace():
        word = text[begin : begin + _SHORT].split(None, 1)[0]
        if judge.is_jumbled(word):
            return begin + len(word)
    return begin + len(run.rstrip(b".,;:\\"))


def _fits(found: Found, low: bytes, span: Span, stop: int) -> bool:
    """Say whether what stands between name and value can carry a secret of this look."""
    start, begin = span
    value = low[begin:stop]
    first, last = found[_SIGN]
    sign = low[start + first : start + last] if first >= 0 else b""
    if _has(found, _VALUE) or (sign and (_LINE not in sign or _BAR in sign or _TAG in sign)):
        return True
    quoted = found[_QUOTE][0] >= 0
    numbered = judge.has_digit(value)
    hard = not judge.is_wordy(value)
    if sign:
        behind = low[stop : stop + 4].lstrip(b"\"'`") if quoted else low[stop : stop + 1]
        is_pair = b"=" in sign + value and not sentences.is_strong(value)
        is_listed = b"[" in sign and behind[:1] in {b",", b"]"}
        is_alone = is_listed or behind[:1] in {b"", b"\n", b"\r"}
        return is_alone and not is_pair and hard and numbered
    if _has(found, _PROSE):
        return hard and (quoted or numbered)
    if _has(found, _XML):
        return low[stop : stop + 2] == b"</" or b"cdata" in low[begin - 9 : begin]
    if _has(found, _PAIR) or _has(found, _CALL):
        return quoted and hard and numbered
    is_cell = _BAR in low[start:begin] and low[stop : stop + 1] in {b"", b"\n", b"\r"}
    is_shown = is_cell and sentences.is_strong(value)
    return is_shown or _fits_after_blank(low, start, hard=hard, quoted=quoted, value=value)


def _fits_after_blank(low: bytes, start: int, *, hard: bool, quoted: bool, value: bytes) -> bool:
    """Say the same where only a blank stands between: flags, `ENV`, `#define`, SQL, prose."""
    lead = low[max(0, start - 48) : start]
    outside = lead.rstrip(_NAME)
    name, sign, _ = value.partition(b"=")
    if sign and not quoted and judge.is_wordy(name):  # the next pair of a list
        return False
    if lead[len(outside) :].startswith(b"-") or outside.endswith(_SETTERS):
        return hard or quoted
    return (quoted and hard) or judge.is_random(value)


def _has(found: Found, group: int) -> bool:
    return found[group][0] >= 0


def whole(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge a value whose surroundings already say enough."""
    start, end = found[1]
    return [] if judge.is_placeholder(text[start:end]) else [(start, _full(text, start, end))]


def _full(text: bytes, start: int, end: int) -> int:
    """Return where a value really ends that its pattern may have cut."""
    if end - start < _CAPPED:
        return end
    return max(end, _stop(text, start, b"", _LARGEST))


def last_field(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the last of the fields that colons part: `host:port:database:user:password`."""
    lead = text[text.rfind(b"\n", 0, found[0][0]) + 1 : found[0][0]]
    is_bare = low[found[0][0] : found[0][0] + 3] != b":*:" or not lead.strip(_NAME_BYTES)
    is_last = text[found[0][1] : found[0][1] + 1] != b":"
    return whole(text, low, found) if is_bare and is_last else []


def made_up(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge a value that must look made up: digits among letters, or signs."""
    start, end = found[1]
    value = text[start:end]
    is_plain = judge.is_wordy(value) or judge.is_code(value) or value.isdigit() or b" " in value
    is_plain = is_plain and not judge.is_app_password(value)
    return [] if is_plain or judge.is_placeholder(value) else [(start, _full(text, start, end))]


def generated(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge a value that must look generated."""
    start, end = found[1]
    value = text[start:end]
    is_made = judge.is_random(value) or judge.is_mixed(value) or judge.is_uuid(value)
    return [(start, _full(text, start, end))] if is_made and not judge.is_placeholder(value) else []


def in_uri(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge what stands between `//user:` and `@host`."""
    start, end = found[1]
    value = text[start:end]
    digits = value[: len(value) - len(value.lstrip(b"0123456789"))]
    is_port = (
        bool(digits)
        and len(digits) <= len("65535")
        and value[len(digits) : len(digits) + 1] in {b"/", b"?", b"#"}
    )
    if is_port or low[end + 1 : end + 8] == b"sha256:" or judge.is_placeholder(value):
        return []
    return [(start, end)]


def basic(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge base64 that must hold `user:password`."""
    from binascii import Error, a2b_base64

    start, end = found[1]
    value = text[start:end].rstrip(b"=")
    try:
        plain = a2b_base64(value + b"=" * (-len(value) % 4))
    except Error:
        return []
    is_pair = b":" in plain[1:] and plain.isascii() and not any(char < ord(" ") for char in plain)
    return [(start, end)] if is_pair else []


def cookies(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge each `name=value` of a cookie header by its value and its name."""
    start, end = found[1]
    if end - start >= _CAPPED:  # cut by its pattern: up to the end of the header
        tail = low[end : end + _HEADER]
        for mark in (b"\n", b"\r", b'"', b"'"):
            tail = tail.partition(mark)[0]
        end += len(tail)
    spans = []
    for pair in low[start:end].split(b";"):
        name, _, value = pair.partition(b"=")
        begin, stop = start + len(name) + 1, start + len(pair.rstrip())
        start += len(pair) + 1
        if value and _is_cookie_secret(name.strip(), text[begin:stop]):
            spans.append((begin, stop))
    return spans


def _is_cookie_secret(name: bytes, value: bytes) -> bool:
    if name in {b"expires", b"path", b"domain", b"max-age"} or judge.is_placeholder(value):
        return False
    is_telling = any(word in name for word in _TELLING)
    return judge.is_random(value) or (
        is_telling and len(value) >= len("k3Jd8sPq") and not judge.is_wordy(value)
    )


def named_after(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge `use … as the password`: the value stands before its name."""
    lead = text[max(0, found[0][0] - 200) : found[0][0]]
    value = lead.split()[-1] if lead.split() else b""
    bare = value.strip(b"\"'`.,;:()")
    numbered = judge.has_digit(bare) and not bare.isdigit()
    if (
        len(bare) < len("k3Jd8s")
        or not numbered
        or judge.is_placeholder(bare)
        or judge.is_code(bare)
    ):
        return []
    begin = found[0][0] - len(lead) + lead.rindex(bare)
    return [(begin, begin + len(bare))]


def numbered(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge codes: there must be digits among them."""
    start, end = found[1]
    return [(start, end)] if judge.has_digit(text[start:end]) else []


def pem(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge a key block: from its header to its end, if base64 stands between them."""
    start, body = found[0]
    runs = text[body : body + _KEY_HEAD].partition(b"-----")[0].translate(_BLANKS).split()
    if not any(len(run) >= _KEY_RUN for run in runs):
        return []
    stop = text.find(b"-----END", body, body + _KEY_BLOCK)
    if stop >= 0:
        closing = text.find(b"-----", stop + 8, stop + 80)
        return [(start, closing + 5 if closing >= 0 else min(len(text), stop + 80))]
    tail = text[body : body + _KEY_BLOCK]
    return [(start, body + len(tail) - len(tail.lstrip(_BLOCK)))]


def key_tail(text: bytes, low: bytes, found: Found) -> list[Span]:
    """Judge the end of a key block whose beginning has been cut off."""
    start, stop = found[0]
    first = max(0, start - _KEY_BLOCK)
    if low.rfind(b"-----begin", first, start) > low.rfind(b"-----end", first, start):
        return []
    edge = text.rfind(b"\n", first, start) + 1
    at = begin = (
        start if text[edge + margin(text[edge:start]) : start].strip() else max(edge, first)
    )
    above = at
    for _ in range(_MOST_KEY_LINES):
        line = text.rfind(b"\n", first, at - 1) + 1 or first
        run = text[line + margin(text[line:at]) : at].strip(b" \t\r\n\"'")
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


JUDGES: dict[str, Judge] = {
    "assigned": assigned,
    "basic": basic,
    "cookies": cookies,
    "generated": generated,
    "in_uri": in_uri,
    "key_tail": key_tail,
    "last_field": last_field,
    "made_up": made_up,
    "named_after": named_after,
    "numbered": numbered,
    "pem": pem,
    "whole": whole,
    **sentences.JUDGES,
    **structures.JUDGES,
    **numbers.JUDGES,
}
