"""The judge: whether a name is a secret's name, and a value a secret.

Plain functions on bytes, the same for every regex engine. A value is a secret because of the name
it stands under, never because of its entropy alone: hashes, ids and digests are what memories are
made of.
"""

from __future__ import annotations

from tacit.guard import words

# How far a name is believed: a value under a sure name is a secret unless it plainly is not; under
# a likely one if it looks like a password, under a hint if it looks like a token, under a weak one
# if it can be nothing else.
SURE, LIKELY, HINT, WEAK, NONE = 4, 3, 2, 1, 0
SHORTEST = 4  # of a secret

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAME = _LETTERS + b"0123456789_-."
_NAMED = bytes(char if char in NAME else 32 for char in range(256))
NAME_BYTES = frozenset(bytes((char,)) for char in NAME)
_LOWER = _LETTERS[:26]
_DIGITS = b"0123456789"
_BLANK, _COLON, _DOT, _OPENING, _SLASH, _BAR, _PERCENT = (
    b" :.(/|%"  # as numbers, which are found the soonest
)
_SIGNS = b"!?*#^%&@~+=$"
_CODING = b".[\\{:>"  # one of them is in each sign of code, and between names that are joined
_CLOSING = (b")", b"]", b"}")
_HOLLOW = b"<{\xe2*%("  # one of them is in each hole but the dots
_GENERATED = 10  # the shortest that is taken for generated
_LOOK = 256  # so much of a value is looked at
_BLANKS = bytes(char if char in _LOWER else 32 for char in range(256))
_REFERRING = frozenset(start[:2] for start in words.REFERENCES)
_VERSIONS = frozenset(b"^~>")
_STEMS = tuple(b" " + stem for stem in words.STANDIN_STEMS)  # as they stand between blanks
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">"))
_ESCAPED = frozenset((b"n", b"t", b"r"))
_PLURAL = frozenset((b"s", b"S"))
_COLOURS, _HEX = frozenset((4, 7, 9)), b"0123456789abcdef"
_PARTED = bytes.maketrans(b"-_. :/+", b"=======")
# digit, upper case, lower case, all else
_CLASSES = bytes(
    0 if 48 <= c <= 57 else 1 if 65 <= c <= 90 else 2 if 97 <= c <= 122 else 3 for c in range(256)
)


_RATED: dict[tuple[bytes, bytes, bytes], int] = {}  # names repeat: ratings known so far
_MOST_RATED = 4096
_ALWAYS = words.SURE - {b"pass", b"pw"}  # whatever stands before them


def rate(text: bytes, start: int, end: int) -> int:
    """Say how surely the name around the word at *start*:*end* names a secret."""
    return NONE if is_part(text, start, end) else rate_whole(text, start, end)


def rate_whole(text: bytes, start: int, end: int) -> int:
    """Say the same of a word that is known to be no part of another one."""
    if text[end : end + 1] not in NAME_BYTES and text[start:end].lower() in _ALWAYS:
        return SURE
    name = _name_at(text, start, end)
    rating = _RATED.get(name)
    if rating is None:
        if len(_RATED) >= _MOST_RATED:
            _RATED.clear()
        rating = _RATED[name] = _rate(*name)
    return rating


def is_part(text: bytes, start: int, end: int) -> bool:
    """Say whether the word is only a part of some other word: `path`, `tokenizer`, `monkey`."""
    return is_beginning(text, end) or is_ending(text, start, end)


def is_beginning(text: bytes, end: int) -> bool:
    """Say whether some other word begins with the one that ends at *end*: `path`, `tokenizer`."""
    right = text[end : end + 1]
    return (
        right.isalpha()
        and right not in _PLURAL
        and right.isupper() == text[end - 1 : end].isupper()
    )


def is_ending(text: bytes, start: int, end: int) -> bool:
    """Say whether some other word ends with this one, which counts only alone: `monkey`."""
    left = text[start - 1 : start]
    if not left.isalpha() or text[start:end].lower() not in words.WHOLE:
        return False
    is_hump = left.islower() and text[start : start + 1].isupper()
    is_escape = left in _ESCAPED and text[start - 2 : start - 1] == b"\\"
    return not is_hump and not is_escape


def _rate(before: bytes, after: bytes, word: bytes) -> int:
    word = word.lower()
    if after[:1] in _PLURAL and not after[1:2].isalpha():
        word, after = b"plural", after[1:]
    head, tail = _last_word(before), _first_word(after)
    if after[:1] == b"." and tail in words.EXTENSIONS:
        return NONE
    if tail in words.TAILS or tail.startswith(words.TAIL_STEMS):
        return HINT if (word, tail) == (b"secret", b"id") else NONE
    if word in words.SURE:
        is_bare = word in {b"pass", b"pw"} and (not head or before.endswith(b" "))
        return LIKELY if is_bare else SURE
    if head in words.HEADS:
        return NONE
    return _rate_hint(word, head, is_joined=before.endswith((b"_", b"-")))


def _rate_hint(word: bytes, head: bytes, *, is_joined: bool) -> int:
    if word == b"key":
        return HINT if head in words.KEYS else WEAK if is_joined else NONE
    return HINT


def _name_at(text: bytes, start: int, end: int) -> tuple[bytes, bytes, bytes]:
    """Return what of the name stands before and behind the word, 40 bytes at most; the word."""
    head = tail = b""
    left = text[start - 1 : start]
    if left in NAME_BYTES:
        head = text[start - 40 if start > 40 else 0 : start].translate(_NAMED).rpartition(b" ")[2]
    elif left == b" ":  # a name in words: `API key`
        before = text[start - 40 if start > 40 else 0 : start - 1]
        head = before[len(before.rstrip(_LETTERS)) :] + b" "
    if text[end : end + 1] in NAME_BYTES:
        tail = text[end : end + 40].translate(_NAMED).partition(b" ")[0]
    return head, tail, text[start:end]


def _last_word(before: bytes) -> bytes:
    """Return the last word of an identifier, in lower case: `max` of `userMax_`."""
    name = before.rstrip(b"_-. ")
    run = name[len(name.rstrip(_LETTERS + b"0123456789")) :]
    for index in range(len(run) - 1, 0, -1):
        if run[index : index + 1].isupper() and run[index - 1 : index].islower():
            return run[index:].lower()
    return run.lower()


def _first_word(after: bytes) -> bytes:
    """Return the first word of an identifier, in lower case: `policy` of `_policyName`."""
    name = after.lstrip(b"_-.")
    run = name[: len(name) - len(name.lstrip(_LETTERS + b"0123456789"))]
    for index in range(1, len(run)):
        if run[index : index + 1].isupper() and run[index - 1 : index].islower():
            return run[:index].lower()
    return run.lower()


def is_secret(value: bytes, *, rating: int, quoted: bool, tight: bool) -> bool:
    """Say whether *value*, under a name rated so, is a secret.

    *tight*: nothing stands between name, sign and value (`DB_PASSWORD=hunter`), as in an env file.
    """
    if rating == NONE or len(value) < SHORTEST or is_harmless(value, quoted=quoted):
        return False
    return is_fitting(value, rating=rating, quoted=quoted, tight=tight)


def is_harmless(value: bytes, *, quoted: bool) -> bool:
    """Say whether a value is no secret whatever its name: a placeholder, a sentence, code."""
    value = value[:_LOOK]
    return is_placeholder(value) or _is_expression(value, quoted=quoted)


def is_fitting(value: bytes, *, rating: int, quoted: bool, tight: bool) -> bool:
    """Say whether a value that is not harmless is what stands under a name rated so."""
    value = value[:_LOOK]
    if rating == SURE:
        return not is_wordy(value) or _is_plain_password(value, quoted=quoted, tight=tight)
    if rating == LIKELY:
        is_long = len(value) >= 8 and changes(value) >= 4
        return is_long and _SLASH not in value and not is_wordy(value)
    if rating == HINT:
        return is_random(value) or (len(value) >= 8 and is_mixed(value)) or is_uuid(value)
    bare = value.rstrip(b"=")
    is_long = len(bare) >= 40 and not value.islower() and not value.isupper()
    is_token = (bare.translate(None, b"-_+/") if is_long else bare).isalnum() and len(value) >= 16
    return rating == WEAK and is_token and is_random(value)


def _is_expression(value: bytes, *, quoted: bool) -> bool:
    """Say whether the value is a sentence, an address or code, whatever its name."""
    if (_COLON in value and value.find(b"://") >= 0) or (
        value.endswith(b")") and _OPENING in value
    ):
        return True
    is_spaced = _BLANK in value and _BLANK in value.strip()
    return (is_spaced and is_prose(value)) or (not quoted and is_code(value))


def _is_plain_password(value: bytes, *, quoted: bool, tight: bool) -> bool:
    """Say whether one plain word is a password: `"letmein"`, not `"Password"`."""
    low = value.lower()
    if not value.isascii() or value[:1].isupper() or len(value) < 6:
        return False
    if any(map(low.count, (b"passw", b"secret", b"token", b"pwd", b"credential"))):
        return False
    if value.count(b"-") >= 3:  # words strung together
        return value.islower()
    return (quoted or tight) and value.rstrip(b"!?").isalpha()


def is_tame(name: bytes, value: bytes) -> bool:
    """Say whether a value is too ordinary for this name: a number of passes, a session's id."""
    if name in {b"pass", b"pw", b"secret", b"pat"}:
        return value.isdigit() or (name != b"secret" and is_wordy(value))
    return name.startswith(b"sess") and is_uuid(value)


def is_placeholder(value: bytes) -> bool:
    """Say whether the value stands for a secret instead of being one."""
    value = value[:_LOOK]
    low = value.lower()
    rest = value.lstrip(value[:1])
    is_drawn = not rest.strip(value[:1] + rest[:1])  # of two signs at most
    if is_drawn or not low.strip(b"*x.#-_0 "):
        return True
    bare = low.strip(b"<>[]{}!?")
    if (bare.partition(b"|")[0] if _BAR in bare else bare) in words.ORDINARY:
        return True
    is_colour = value[:1] == b"#" and len(value) in _COLOURS and not low[1:].translate(None, _HEX)
    is_version = is_colour or (value[0] in _VERSIONS and value[1:2].isdigit())
    is_reference = low[:2] in _REFERRING and low.startswith(words.REFERENCES)
    if is_version or is_reference or low[0] == low[-1] == _PERCENT:
        return True
    if is_random(value.replace(b"EXAMPLE", b"")):
        return False
    is_open = low.startswith((b"$", b"@{", b"{", b"&lt;")) and not _is_signed(value)
    if is_open or _has_hole(low):
        return True
    spaced = b" " + low.translate(_BLANKS)
    return any(map(spaced.count, _STEMS)) or not words.STANDINS.isdisjoint(spaced.split())


def _is_signed(value: bytes) -> bool:
    """Return whether a value that begins like code is a password with signs: `$x9Kf!2LmQ`."""
    rest = value[1:]
    is_cased = not value.islower() and not value.isupper()
    has_signs = bool(rest.translate(None, NAME)) and not rest.translate(None, NAME + _SIGNS)
    return len(value) >= 8 and is_cased and has_signs and has_digit(value) and changes(value) >= 5


def _has_hole(low: bytes) -> bool:
    if _DOT in low and low.find(b"...") >= 0:
        return True
    if low.translate(None, _HOLLOW) == low or not any(map(low.count, words.HOLES)):
        return False
    is_cut = b"<" not in low or low.find(b">", low.find(b"<")) >= 0 or low[:1] == b"<"
    return is_cut or any(low.count(hole) for hole in words.HOLES if hole != b"<")


def is_random(value: bytes) -> bool:
    """Say whether some unbroken part of the value is what only a generator writes."""
    if len(value) < _GENERATED:
        return False
    for part in value[:_LOOK].translate(_PARTED).split(b"="):
        if len(part) >= _GENERATED and _is_generated(part):
            return True
    return is_grouped(value)


def is_grouped(value: bytes) -> bool:
    """Return whether the value is a key in groups, as programs are licensed by: `A4K2P-…-9QX7T`."""
    groups = value.split(b"-")
    if len(groups) < 4 or not 4 <= len(groups[0]) <= 8 or not value.isupper():
        return False
    is_even = len(set(map(len, groups))) == 1 and value.translate(None, b"-").isalnum()
    return is_even and sum(map(has_digit, groups)) > len(groups) // 2


def is_app_password(value: bytes) -> bool:
    """Return whether it is four groups of four letters, as mail programs are given them."""
    groups = value.replace(b" ", b"-").split(b"-")
    return [len(group) for group in groups] == [4, 4, 4, 4] and b"".join(groups).isalpha()


def _is_generated(part: bytes) -> bool:
    classes = part.translate(_CLASSES)
    digits, upper, lower = classes.count(0), classes.count(1), classes.count(2)
    if digits == len(part):
        return len(part) >= 24
    if digits >= 2 and upper + lower >= 4:
        return _steps(classes) >= 4
    is_plain = digits + upper + lower == len(part) >= 20
    return is_plain and upper >= 4 and lower >= 4 and _steps(classes) * 5 >= min(len(part), 64) * 2


def changes(value: bytes) -> int:
    """Count how often the class of characters changes from one to the next."""
    return _steps(value.translate(_CLASSES))


def _steps(classes: bytes) -> int:
    classes = classes[:64]
    steps = len(classes) - 1
    if steps < 1:
        return 0
    shifted = int.from_bytes(classes[1:], "big") ^ int.from_bytes(classes[:-1], "big")
    return steps - shifted.to_bytes(steps, "big").count(0)


def is_mixed(value: bytes) -> bool:
    """Say whether letters and digits alternate as in a made-up token."""
    digits = len(value) - len(value.translate(None, _DIGITS))
    is_path = _BLANK in value or _DOT in value or _SLASH in value
    return 2 <= digits < len(value) and not is_path and changes(value) >= 3


def has_digit(value: bytes) -> bool:
    """Say whether there is a digit in it."""
    return len(value.translate(None, _DIGITS)) < len(value)


def is_uuid(value: bytes) -> bool:
    """Say whether the value is a UUID."""
    return [len(part) for part in value.split(b"-")] == [8, 4, 4, 4, 12]


def is_jumbled(word: bytes) -> bool:
    """Return whether a word with brackets is a password: they do not match as in code."""
    core = word.strip(b"()[]{}<>;,.")
    if len(core) < 8 or b"</" in core or core.translate(None, b"\"'`,;=\\") != core:
        return False
    is_mixed = has_digit(core) and not core.islower() and not core.isupper()
    is_odd = any(core.count(opening) != core.count(closing) for opening, closing in _BRACKETS)
    return is_mixed and is_odd and changes(core) >= 6 and not is_placeholder(core)


def is_wordy(value: bytes) -> bool:
    """Say whether the value is a plain word or identifier, or some of them joined by signs."""
    letters = value.rstrip(b"!?").translate(None, b"_-.,/:")
    return letters.isalpha() or (not value.isascii() and not has_digit(value))


def is_prose(value: bytes) -> bool:
    """Say whether a quoted value with spaces is a sentence for people."""
    parts = value.lower().split()
    if any(word.strip(b".,:;!?'\"") in words.PROSE for word in parts):
        return True
    plain = sum(word.strip(b".,:;!?").isalpha() for word in parts)
    if b"," in value and plain >= max(2, len(parts) - 1):
        return True
    is_phrase = len(parts) >= 4 and value.islower()
    return len(parts) > 1 and not has_digit(value) and not is_phrase


def is_code(value: bytes) -> bool:
    """Say whether a value without quotes is an expression, not a literal."""
    if _is_call(value):
        return True
    if value.startswith(words.CODE_STARTS):
        is_path = value.startswith((b"/", b"./", b"~/", b"${", b"$("))
        return is_path or not (is_random(value) or _is_signed(value))
    if value.translate(None, _CODING) == value:
        return False
    if any(map(value.count, words.CODE_SIGNS)):
        return b"://" in value or not is_random(value)
    stem = value.rstrip(b",;")
    names = stem.replace(b"->", b".").replace(b"?.", b".").replace(b"[", b".").split(b".")
    if len(names) > 1 and all(_is_identifier(name) for name in names):
        plain = stem.replace(b".", b"")
        return not has_digit(stem) or (not is_random(stem) and changes(plain) < len(stem) // 3)
    return False


def _is_call(value: bytes) -> bool:
    """Return whether the value calls, indexes or opens something: `f(x)`, not `Lark(9)Stone`."""
    if any(value[value.find(end) + 1 :][:1].isalnum() for end in _CLOSING if end in value):
        return not has_digit(value)
    if value.endswith((b")", b"]", b"{", b"[")) or _OPENING in value or value.startswith(b":"):
        return True
    is_indexed = value.replace(b"[", b"").isalpha() > value.isalpha()
    return is_indexed or (_COLON in value and value.find(b"::") >= 0)


def _is_identifier(name: bytes) -> bool:
    text = name.replace(b"_", b"a")
    return bool(text) and text.isalnum() and not text[:1].isdigit()
