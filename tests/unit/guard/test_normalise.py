"""The normaliser: nothing that fools a reader is shown, nothing that people write is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard.normalise import normalise, one_line

_PAYLOADS = {
    "null": "\x00",
    "bell": "\x07",
    "backspace": "\x08",
    "vertical tab": "\x0b",
    "form feed": "\x0c",
    "carriage return": "\r",
    "shift out": "\x0e",
    "unit separator": "\x1f",
    "delete": "\x7f",
    "C1 padding": "\x80",
    "C1 device control": "\x90",
    "C1 application command": "\x9f",
    "CSI colour": "\x1b[1;31m",
    "CSI erase": "\x1b[2J",
    "CSI cursor": "\x1b[?25l",
    "CSI in one byte": "\x9b31m",
    "OSC title": "\x1b]0;title\x07",
    "OSC link closed by ST": "\x1b]8;;https://example.com\x1b\\",
    "DCS": "\x1bPq#0;2\x1b\\",
    "APC": "\x1b_payload\x1b\\",
    "reset": "\x1bc",
    "soft hyphen": "\xad",
    "grapheme joiner": "\u034f",
    "Arabic letter mark": "\u061c",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160",
    "Khmer inherent vowel": "\u17b4",
    "Mongolian variation selector": "\u180b",
    "Mongolian vowel separator": "\u180e",
    "zero width space": "\u200b",
    "zero width non-joiner": "\u200c",
    "zero width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left mark": "\u200f",
    "bidi embedding": "\u202a",
    "bidi override": "\u202e",
    "word joiner": "\u2060",
    "invisible times": "\u2062",
    "bidi isolate": "\u2066",
    "pop isolate": "\u2069",
    "deprecated shaping": "\u206a",
    "Hangul filler": "\u3164",
    "byte order mark": "\ufeff",
    "halfwidth Hangul filler": "\uffa0",
    "interlinear anchor": "\ufff9",
    "interlinear terminator": "\ufffb",
    "musical beam": "\U0001d173",
    "language tag": "\U000e0001",
    "tag letter": "\U000e0041",
    "cancel tag": "\U000e007f",
    "variation selector 17": "\U000e0100",
    "variation selector 256": "\U000e01ef",
}
_HONEST = {
    "line breaks and tabs": "a\n\tb\n",
    "emoji family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "emoji profession": "\U0001f469\U0001f3fd\u200d\U0001f4bb",
    "burning heart": "\u2764\ufe0f\u200d\U0001f525",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "flags": "\U0001f1e9\U0001f1ea \U0001f1ef\U0001f1f5",
    "skin tones": "\U0001f44d\U0001f3ff \U0001f44b\U0001f3fb",
    "keycap": "1\ufe0f\u20e3",
    "Arabic": "مرحبا بالعالم",
    "Persian": "می\u200cخواهم کتاب\u200cها",  # noqa: RUF001  (Persian is no Latin)
    "Hindi": "क्\u200dष नमस्ते",
    "Bengali": "র\u200d্য",
    "Hebrew": "שָׁלוֹם",
    "Chinese": "记忆永不忘记。",
    "Japanese": "パスワードを忘れた",
    "Korean": "안녕하세요",
    "Vietnamese": "Tiếng Việt",
    "combining": "e\u0301 o\u0308",
    "mathematics": "∀x ∈ S: ⌈x⌉ ≥ x",
}


@pytest.mark.parametrize("payload", _PAYLOADS.values(), ids=_PAYLOADS)
def test_what_cannot_be_seen_is_not_shown(payload: str) -> None:
    shown = normalise(f"rm{payload} -rf")

    assert shown == "rm -rf"


@pytest.mark.parametrize("text", _HONEST.values(), ids=_HONEST)
def test_what_people_write_stays(text: str) -> None:
    assert normalise(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb", "a\nb"),
        ("a\u2028b\u2029c", "a\nb\nc"),
        ("a\x85b", "a\nb"),
        ("a\ud800b", "a\ufffdb"),
        ("a\x1b]never closed", "a"),
        ("a\x1b]0;x\x07b\x1b[0mc", "abc"),
        ("a\x1b[", "a"),
        ("a\x1b", "a"),
        ("a\x1b\x1b[0mb", "ab"),
        ("a\u200d", "a"),
        ("\u200da", "a"),
        ("\u0915\u200d", "\u0915"),
        ("\u200d\u0915", "\u0915"),
        ("\u0915\u200d\u200d\u0937", "\u0915\u0937"),
        ("pass\u200cword", "password"),
        ("", ""),
    ],
)
def test_what_has_a_plain_form_is_shown_in_it(text: str, shown: str) -> None:
    assert normalise(text) == shown


def _is_forbidden(char: str) -> bool:
    """Say whether the character controls a terminal or the order, or hides."""
    return (
        (unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} and char not in "\n\t")
        or char in "\xad\u034f\u061c\u200b\u200e\u200f\u3164\ufeff"
        or "\u202a" <= char <= "\u202e"
        or "\u2060" <= char <= "\u206f"
        or "\U000e0000" <= char <= "\U000e01ef"
    )


_TEXTS = st.lists(
    st.sampled_from([*_PAYLOADS.values(), *_HONEST.values(), "\r\n", "\ud800", "[", "m", "\\"])
    | st.characters(),
    max_size=20,
).map("".join)


@given(_TEXTS)
def test_nothing_forbidden_is_ever_shown(text: str) -> None:
    shown = normalise(text)

    assert not [char for char in shown if _is_forbidden(char)]


@given(_TEXTS)
def test_what_is_shown_can_be_written_as_utf8(text: str) -> None:
    shown = normalise(text)

    assert shown.encode().decode() == shown


@given(_TEXTS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)

    assert normalise(once) == once


@given(_TEXTS)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)

    assert line.splitlines() == [line][: len(line)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  a \n\n b\t c ", "a b c"),
        ("a\u2028b\x85c\x0bd", "a b cd"),
        ("a\x1b[2J\nb", "a b"),
        ("\n", ""),
    ],
)
def test_the_blanks_of_one_line_are_single(text: str, line: str) -> None:
    assert one_line(text) == line
