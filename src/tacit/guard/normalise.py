"""The normaliser: text that is safe to show.

Control characters, terminal sequences, bidi controls, zero-width and tag characters go; line breaks
and tabs stay, and so do the joiners that emoji, Arabic, Persian and Indic scripts need. Applied to
whatever is shown, never to what is stored.
"""

from __future__ import annotations

_JOINERS = ("\u200c", "\u200d")
_DROPPED = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x034F, 0x034F), (0x061C, 0x061C),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB), (0x180F, 0x180F), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
_JOINING = (
    (0x0590, 0x109F), (0x1780, 0x18AF), (0x2190, 0x2BFF), (0xA840, 0xAAFF), (0xFB50, 0xFE0F),
    (0xFE70, 0xFEFE), (0x11000, 0x11FFF), (0x1F000, 0x1FAFF),
)  # fmt: skip
_TABLE: dict[int, str | None] = {
    code: None for first, last in _DROPPED for code in range(first, last + 1)
}
_TABLE.update({0x2028: "\n", 0x2029: "\n", 0x85: "\n"})
_TABLE.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))


def normalise(text: str) -> str:
    """Return *text* without anything that a terminal, a model or a reader could be fooled with."""
    if text.isascii() and text.isprintable():
        return text
    text = _without_sequences(text.replace("\r\n", "\n")).translate(_TABLE)
    if any(joiner in text for joiner in _JOINERS):
        return "".join(_keep_joiner(text, index) for index in range(len(text)))
    return text


def one_line(text: str) -> str:
    """Return *text* normalised, on a single line."""
    return " ".join(normalise(text).split())


def _without_sequences(text: str) -> str:
    """Drop whole terminal sequences: ESC [ … letter, ESC ] … BEL, ESC and one character."""
    head, *parts = text.replace("\x9b", "\x1b[").split("\x1b")
    return head + "".join(_behind_escape(part) for part in parts)


def _behind_escape(part: str) -> str:
    if part.startswith("["):
        rest = part[1:].lstrip("0123456789;:<=>? !\"#$%&'()*+,-./")
        return rest[1:]
    if part.startswith(("]", "P", "X", "^", "_")):
        _, end, rest = part.partition("\x07")
        return rest if end else ""
    return part[1:]


def _keep_joiner(text: str, index: int) -> str:
    """Return the character; a joiner only between two that it can join."""
    char = text[index]
    if char not in _JOINERS:
        return char
    before = text[index - 1 : index] if index else ""
    after = text[index + 1 : index + 2]
    return char if _is_joinable(before) and _is_joinable(after) else ""


def _is_joinable(char: str) -> bool:
    """Say whether the character is of a script that joins, or an emoji (or its modifier)."""
    if not char or char in _JOINERS:
        return False
    return any(first <= ord(char) <= last for first, last in _JOINING)
