"""Numbers of persons: cards and IBANs, known by their checksums; PINs and ids, known by a name.

A card needs the prefix and the length of an issuer beside a valid Luhn sum, or a word that names
it: the sum alone is right for a tenth of all numbers. An IBAN needs its country's length and sum.
Standard library only; loaded where a text has a long run of digits.
"""

from __future__ import annotations

from tacit.guard import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.guard.engine import Found, Judge, Span

_DIGITS = frozenset(b"0123456789")
_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LETTERS = _UPPER | frozenset(b"abcdefghijklmnopqrstuvwxyz")
_GLUED = _DIGITS | _LETTERS | frozenset(b"_")
_GLUED_BEFORE = _GLUED | frozenset(b".#/+-%\\")
_SHAPES = bytes(48 if c in _DIGITS else 65 if c in _UPPER else 120 for c in range(256))
_SPACES = b" -."
_ZERO, _DOT = b"0."
_LONGEST_CARD, _SHORTEST_CARD = 19, 12
_GROUPED = ((4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3))
_POSTAL = 6  # digits of a postal code that is called PIN, too
_SIGHT = 60  # so far before a number stands what names it
# issuer: first and last prefix, the lengths that it gives out
_ISSUERS = (
    ("4", "4", (16,)),
    ("51", "55", (16,)),
    ("2221", "2720", (16,)),
    ("34", "34", (15,)),
    ("37", "37", (15,)),
    ("6011", "6011", (16,)),
    ("644", "659", (16,)),
    ("3528", "3589", (16,)),
    ("62", "62", (16,)),
)
# believed where a number is parted as on a card, or named
_OTHER_ISSUERS = (
    ("4", "4", (13, 19)),
    ("300", "305", (14,)),
    ("36", "36", (14,)),
    ("38", "39", (14,)),
    ("50", "50", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("56", "69", (12, 13, 14, 15, 16, 17, 18, 19)),
)
_IBAN_LENGTHS = {
    code[:2]: int(code[2:])
    for code in (
        b"AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 "
        b"DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 "
        b"IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 "
        b"MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 "
        b"SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 "
    ).split()
}


def cards(text: bytes, start: int, stop: int) -> Iterator[int]:
    """Yield where a card's number begins between *start* and *stop*."""
    shapes = text[start : stop + 64].translate(_SHAPES)
    at = shapes.find(b"0000")
    while 0 <= at < stop - start:
        if card_end(text, start + at):
            yield start + at
        rest = shapes[at : at + 64].lstrip(b"0")
        at = shapes.find(b"0000", at + max(1, min(64, len(shapes) - at) - len(rest)))


def card_end(text: bytes, start: int) -> int:
    """Return where the card number that begins at *start* ends; 0 if there is none."""
    if start and text[start - 1] in _GLUED_BEFORE and not _is_escape(text, start):
        return 0
    groups = _groups(text, start)
    lengths = tuple(end - begin for begin, end in groups)
    for shape in (*_GROUPED, lengths[:1]):
        if lengths[: len(shape)] == shape:
            stop = groups[len(shape) - 1][1]
            number = text[start:stop].translate(None, _SPACES).decode()
            if _is_ended(text, stop) and _is_card(text, start, number, parted=len(shape) > 1):
                return stop
    return 0


def _groups(text: bytes, start: int) -> list[tuple[int, int]]:
    """Return the runs of digits from *start* on that one sign parts."""
    groups: list[tuple[int, int]] = []
    sign, at, count = b"", start, 0
    while count <= _LONGEST_CARD:
        end = at
        while end - at <= _LONGEST_CARD and text[end : end + 1].isdigit():
            end += 1
        if end == at:
            break
        groups.append((at, end))
        count += end - at
        parting = text[end : end + 1]
        if parting not in {b" ", b"-", b"."} or (sign and parting != sign):
            break
        sign, at = parting, end + 1
    return groups


def _is_ended(text: bytes, stop: int) -> bool:
    behind = text[stop : stop + 2]
    if not behind:
        return True
    return behind[0] not in _GLUED and not (behind[0] == _DOT and behind[1:].isdigit())


def _is_escape(text: bytes, start: int) -> bool:
    """Return whether the letter before a number belongs to an escape of a line's end."""
    return text[start - 1] in b"nrt" and text[start - 2 : start - 1] == b"\\"


def _is_card(text: bytes, start: int, number: str, *, parted: bool) -> bool:
    if not _SHORTEST_CARD <= len(number) <= _LONGEST_CARD or len(set(number)) <= 2:
        return False
    if not is_luhn(number):
        return False
    if _is_issued(number, _ISSUERS):
        return True
    before = text[max(0, start - _SIGHT) : start].lower()
    is_named = any(name in before for name in words.CARDS)
    return is_named or (parted and _is_issued(number, _OTHER_ISSUERS))


def _is_issued(number: str, issuers: tuple[tuple[str, str, tuple[int, ...]], ...]) -> bool:
    return any(
        first <= number[: len(first)] <= last and len(number) in lengths
        for first, last, lengths in issuers
    )


def is_luhn(number: str) -> bool:
    """Return whether the last digit is the one that the others demand."""
    total = 0
    for index, char in enumerate(reversed(number)):
        digit = (ord(char) - _ZERO) * (1 + index % 2)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


def ibans(text: bytes, start: int, stop: int) -> Iterator[int]:
    """Yield where an IBAN begins between *start* and *stop*."""
    shapes = text[start : stop + 4].translate(_SHAPES)
    at = shapes.find(b"AA00")
    while 0 <= at < stop - start:
        if iban_end(text, start + at):
            yield start + at
        at = shapes.find(b"AA00", at + 1)


def iban_end(text: bytes, start: int) -> int:
    """Return where the IBAN that begins at *start* ends; 0 if there is none."""
    length = _IBAN_LENGTHS.get(text[start : start + 2], 0)
    is_glued = start > 0 and text[start - 1] in _GLUED and not _is_escape(text, start)
    if not length or is_glued:
        return 0
    number, at = "", start
    while len(number) < length:
        char = text[at : at + 1]
        if char in {b" ", b"-"} and len(number) % 4 == 0 and number:
            at += 1
            char = text[at : at + 1]
        if not char.isalnum():
            return 0
        number += char.decode("ascii", "replace").upper()
        at += 1
    is_sound = int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1
    return at if is_sound and _is_ended(text, at) else 0


def card(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge the number of a payment card."""
    start = found[0][0]
    end = card_end(text, start)
    return [(start, end)] if end else []


def iban(text: bytes, _low: bytes, found: Found) -> list[Span]:
    """Judge an IBAN."""
    start = found[0][0]
    end = iban_end(text, start)
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


JUDGES: dict[str, Judge] = {"card": card, "iban": iban, "official": official, "pin": pin}
