"""Pages: front matter that nothing on a card can break, and every change noticed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard.normalise import one_line
from tacit.workspace import page

BODIES = st.text(alphabet=st.characters(exclude_categories=["Cs"]))


def test_a_page_says_which_card_it_is_of_and_then_what_that_says() -> None:
    text = page.render("c1", 'The "plan"', "# One\n\ntwo")

    assert text.decode().splitlines()[:3] == ["---", 'card: "c1"', 'title: "The \\"plan\\""']
    assert text.decode().endswith("\n---\n\n# One\n\ntwo\n")


def test_a_card_without_a_title_is_called_untitled_and_may_be_empty() -> None:
    text = page.render("c1", "", "")

    assert page.read_head(text) == page.Head("c1", "Untitled")
    assert page.body_of(text) == ""


@given(title=st.text(max_size=200), body=BODIES)
def test_no_title_and_no_text_can_break_out_of_its_place(title: str, body: str) -> None:
    text = page.render("c1", one_line(title), body)

    lines = text.decode().split("\n")
    assert (lines[0], lines[4]) == ("---", "---")
    assert json.loads(lines[1].removeprefix("card: ")) == "c1"
    assert json.loads(lines[2].removeprefix("title: ")) == (one_line(title) or "Untitled")
    assert page.read_head(text).card == "c1"
    assert page.body_of(text) == body.replace("\r\n", "\n").strip()


@given(title=st.text(max_size=80), body=BODIES, at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_page_is_whole_until_a_single_byte_is_another(
    title: str, body: str, at: int, byte: int
) -> None:
    text = page.render("c1", one_line(title), body)
    at %= len(text)
    changed = text[:at] + bytes([byte]) + text[at + 1 :]

    assert page.is_whole(text)
    assert page.is_whole(changed) == (changed == text)


@pytest.mark.parametrize(
    "text",
    [b"", b"---\n", b"words", b'---\ncard: "c1"\n---\n', b"\xff\xfe", b"---\n" * 1000],
)
def test_what_is_no_page_is_not_whole(text: bytes) -> None:
    assert not page.is_whole(text)


def test_what_looks_like_the_end_of_front_matter_in_a_text_is_text() -> None:
    body = 'x\n---\ncard: "other"\ntitle: "t"\nmirror: 0123456789abcdef\n---\n\nmore'

    text = page.render("c1", "t", body)

    assert page.is_whole(text)
    assert page.read_head(text).card == "c1"


def test_a_page_that_somebody_has_rearranged_is_still_known_by_its_card() -> None:
    text = '\ufeff---\r\ntags: [a]\r\ntitle: "Mine"\r\ncard: "c1"\r\n---\r\nmy words\r\n'.encode()

    assert page.read_head(text) == page.Head("c1", "Mine")
    assert page.body_of(text) == "my words"


@pytest.mark.parametrize("front", ["card: c1", 'card: "c', "card: 3", "card: [1]", 'xcard: "c1"'])
def test_a_head_that_says_no_card_says_none(front: str) -> None:
    assert page.read_head(f"---\n{front}\n---\n".encode()).card is None


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("words", True),
        ("words\r\n", True),
        ('---\ncard: "c1"\ntitle: "t"\n---\n\nwords\n', True),
        ('---\ncard: "c1"\ntitle: "my own"\n---\n\nwords\n', False),
        ('---\ncard: "c1"\ntags: [mine]\n---\n\nwords\n', False),
        ("other words", False),
        ("", False),
    ],
)
def test_a_page_agrees_if_it_says_no_more_and_no_less(text: str, *, is_so: bool) -> None:
    assert page.agrees(text.encode(), page.render("c1", "t", "words")) == is_so


def test_the_same_pages_have_the_same_digest() -> None:
    one, other = page.render("c1", "t", "a"), page.render("c1", "t", "b")

    assert page.digest(one) == page.digest(page.render("c1", "t", "a"))
    assert page.digest(one) != page.digest(other)
