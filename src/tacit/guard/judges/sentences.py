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

_LINE, _BELOW = 180, 240  # so far a sentence and the lines below it are read
_HEADING = 4  # words of it
_PROMPTS = (b"$ ", b"# ", b"> ", b"bash(", b"Bash(", b"\xe2\x9d\xaf ")
_MOST_BELOW, _MOST_PASSED = 7, 2  # lines below it, and those among them that are sentences
_GUTTER = b" \t|>+-*\xe2\x8e\xbf\x94\x82\x83\x86\x92"  # what is drawn before lines: `⎿`, `│`, `→`
_SHOWN = b"stdout\n\x00\n"
_SHAPE = bytes(48 if 48 <= char <= 57 else char for char in range(256))  # any digit as 0
_CJK, _LOWEST = 0xE3, 0x80  # how a letter begins that three bytes spell, and how it goes on
_NEAR, _BESIDE = 40, 9  # so far behind its name stands a value that need not look generated
_SHORT, _LONG = 6, 8
_SIGNS = b"!?*#^%&@~+=$"
_CODE = frozenset("{}=<>;|\\/$[]_#*&")  # one of them between name and value: no sentence
_BEHIND = frozenset(
    b" ,:.?()*\r\n\xc2\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xef"
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
    is_cjk = text[end - 3] >= _CJK and text[end - 1] >= _LOWEST  # needs no blank behind it
    is_glued = not is_cjk or not behind[:1].isalnum()
    if behind and is_glued and _is_longer(behind):
        return []
    is_key = low[start:end] in words.TOLD_KEYS
    stop = text.find(b"\n", end, end + _LINE)
    line = text[end : stop if stop >= 0 else end + _LINE]
    if _MARK in line[:_NEAR] or b"\x00" in line:
        return []
    is_bare = low[start:end] == _KEY  # of any kind: only what stands alone below is its value
    is_told = not is_bare and _may_hold(line)
    for begin, value, is_set_off in _tokens(line) if is_told else ():
        is_announced = line[:begin].rstrip(b" \t\"'`").endswith(words.ANNOUNCING)
        how = _How(begin, is_key=is_key, is_announced=is_announced, is_set_off=is_set_off)
        if judge.has_digit(value) and _is_told(value, how):
            return [(end + begin, end + begin + len(value))]
    return _below(text, found[0], stop, is_key=is_key) if stop >= 0 else []


def _may_hold(line: bytes) -> bool:
    """Return whether a word of a line is long enough for a secret, and has a digit."""
    if not judge.has_digit(line):
        return False
    return any(len(word) >= _SHORT and judge.has_digit(word) for word in line.split())


def _is_longer(behind: bytes) -> bool:
    """Return whether what stands behind a name makes it a part of something else."""
    return behind[0] not in _BEHIND or (behind[:1] in b".?" and bool(behind[1:].strip()))


def _tokens(text: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the words of a sentence: where each begins, and whether marks set it off."""
    word, at, before = "", 0, " "
    for char in text.decode("utf-8", "surrogateescape") + " ":
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


def _is_hex(value: bytes, least: int = 4 * _LONG) -> bool:
    return len(value) >= least and not value.lower().translate(None, b"0123456789abcdef")


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


def is_signed(value: bytes) -> bool:
    """Return whether two digits or a sign tell a value from a name in code: `Dune_48`."""
    return _digits(value) > 1 or value.translate(None, b"!?*%^&~+=$") != value


def is_ordinary(value: bytes, *, is_snake_ordinary: bool = True) -> bool:
    """Return whether a value is a date, a version, a path, an address, a hash or a name in code."""
    low = value.lower()
    is_key = len(value) >= 20 and b"." not in value and judge.is_random(value)
    name, sign, _ = value.rstrip(b"=").partition(b"=")
    is_pair = bool(sign) and not name.translate(None, judge.NAME) and not judge.is_random(name)
    if low.startswith(words.ALGORITHMS) or is_pair:
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
    is_id = 0 < low.find(b"-") <= 8 and _is_hex(low.partition(b"-")[2], _LONG)
    return (
        is_file
        or is_snake
        or is_id
        or judge.is_uuid(value)
        or (value.isupper() and not judge.is_grouped(value))
    )


def _is_address(value: bytes) -> bool:
    name, at, place = value.partition(b"@")
    return bool(name and at) and b"." in place


_SNAKE = b"abcdefghijklmnopqrstuvwxyz0123456789_"


def _below(text: bytes, name: Span, stop: int, *, is_key: bool) -> list[Span]:
    """Judge the one word that stands alone below the line of a name, perhaps in a fence."""
    label = text[text.rfind(b"\n", max(0, name[0] - _LINE), name[0]) + 1 : stop]
    is_bare = text[slice(*name)].lower() == _KEY
    at, is_fenced, passed = shown_at(text, stop + 1, stop + _BELOW), False, 0
    is_near = at > stop and _may_hold(text[at : at + _BELOW])
    is_label = not is_bare and (at > stop + 1 or _is_label(label, text[name[1] : stop]))
    for line in text[at : at + _BELOW].split(b"\n")[:_MOST_BELOW] if is_near else ():
        if line.strip().startswith((b"```", b"~~~")) or line.strip() in _FENCES:
            if is_fenced:
                return []
            is_fenced = True
        elif not is_empty(line, label):
            begin, value = last_word(line) if not _is_commented(label) else _quoted(line)
            lead = line[:begin]
            is_asked = is_spoken(lead) and any(word in label.lower() for word in words.ASKING)
            is_alone = is_gutter(lead, label) or is_asked or _is_commented(label)
            is_set_off = (
                is_fenced or line[:2] in {b"  ", b"> "} or line[:1] in b"\t`*\"'" or bool(lead)
            )
            if is_alone and (is_set_off or is_label or is_asked):
                is_sure = is_fenced and is_key and _is_hex(value)
                is_sure = is_sure or _is_below(value, is_key=is_key, is_far=passed > 0)
                return [(at + begin, at + begin + len(value))] if is_sure else []
            passed += 1
            if is_fenced or is_bare or passed > _MOST_PASSED:
                return []
        at += len(line) + 1
    return []


def _is_label(label: bytes, tail: bytes) -> bool:
    """Return whether a line is a heading, announces what follows, or is a command."""
    tail = tail.rstrip(b" \t\r*_|)")
    is_typed = any(sign in label[:_NEAR] for sign in _PROMPTS)
    is_heading = not tail and len(label.split()) <= _HEADING
    return is_typed or is_heading or tail.endswith((b":", b"?", b"\xef\xbc\x9a", b'"""', b"'''"))


def _is_below(value: bytes, *, is_key: bool, is_far: bool) -> bool:
    """Return whether a word that stands alone below a name is its value."""
    is_table = b"," in value
    if len(value) < _SHORT or is_table or judge.is_harmless(value, quoted=False):
        return False
    if is_ordinary(value):
        return False
    if is_far:  # sentences stand between
        is_cased = not value.islower() and not value.isupper()
        return is_cased and judge.is_random(value) and len(value) >= 2 * _LONG + 4
    is_made = judge.is_random(value) or (is_strong(value) and is_signed(value))
    return is_made and (len(value) >= 2 * _LONG or not is_key)


def shown_at(text: bytes, at: int, last: int) -> int:
    """Return where the output of the command before *at* begins, -1 if it cannot be told.

    In a payload, command and output are two of the strings that are joined.
    """
    if text[at : at + 1] != b"\x00":
        return at
    found = text.find(_SHOWN, at, last)
    return found + len(_SHOWN) if found >= 0 else -1


def last_word(line: bytes) -> tuple[int, bytes]:
    """Return the last word of a line without its marks, and where it begins."""
    word = (line.split() or [b""])[-1]
    value = word.strip(b"\"'`*").rstrip(b",")
    return line.rindex(word) + word.index(value), value


def _quoted(line: bytes) -> tuple[int, bytes]:
    """Return the first value in quotes on a line, and where it begins."""
    for mark in (b'"', b"'", b"`"):
        before, _, rest = line.partition(mark)
        value = rest.lstrip(mark).partition(mark)[0]
        if value and line.count(mark) > 1:
            return line.index(value, len(before)), value
    return last_word(line)


def _is_commented(label: bytes) -> bool:
    """Return whether a line is a comment in code, or the head of a function."""
    return label.lstrip().startswith((b"#", b"//", b"--", b"/*", b"def ", b"fn ", b"func "))


def is_empty(line: bytes, label: bytes) -> bool:
    """Return whether a line shows nothing but a rule or what each line begins with."""
    bare = line.strip(_GUTTER + b"=\r")
    return not bare or (bare == label.split(None, 1)[0] and len(bare) > 1)


def is_gutter(lead: bytes, label: bytes) -> bool:
    """Return whether what stands before a value belongs to the margin or to a log."""
    bare = lead.strip(_GUTTER + b"\"'`(").translate(_SHAPE).split()
    return not bare or bare == label.strip(_GUTTER).translate(_SHAPE).split()[: len(bare)]


def is_spoken(lead: bytes) -> bool:
    """Return whether it names who says what follows: `ana: `, `<ana> `, `A: `."""
    return len(lead) <= _NEAR and lead.rstrip().endswith((b":", b">")) and lead[-1:] == b" "


JUDGES: dict[str, Judge] = {"told": told}
