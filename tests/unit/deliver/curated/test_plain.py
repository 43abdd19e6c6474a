"""Plain words: whatever is remembered, a reader of Markdown finds words in it and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.deliver.curated import plain
from tacit.deliver.render import safe
from unit.deliver.curated.reading import check_line
from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN, INTACT

MANY = settings(max_examples=400, deadline=None)
SIGNS = st.sampled_from(
    [
        "[", "]", "(", ")", "!", "`", "``", "```", "<", ">", "\\", "#", "-", "*", "_", "~~~", "=",
        "http://x.y", "www.x.y", "@", "/etc", "~/", "./", "a", " ", "\n", ":", "|", "1.", "'", '"',
        "[a](b)", "![a](b)", "[a]: b", "[[a]]", "&#91;", "\u200b", "\u2028",
    ]
)  # fmt: skip
ANY = st.lists(SIGNS, max_size=14).map("".join) | st.text(
    st.characters(exclude_categories=()), max_size=300
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Use tabs", "Use tabs"),
        ("Use tabs.", "Use tabs"),
        ("Wait...", "Wait..."),
        ("# Title", "\\# Title"),
        ("> quoted", "\\> quoted"),
        ("- item", "\\- item"),
        ("-x is a flag", "\\-x is a flag"),
        ("1. first", "1\\. first"),
        ("12) twelfth", "12\\) twelfth"),
        ("2026 was fine", "2026 was fine"),
        ("---", "\\---"),
        ("[click](http://evil.example/x)", "[click] (`http://evil.example/x`)"),
        ("![pixel](evil.png)", "! [pixel] (evil.png)"),
        ("[ref][1]", "[ref] [1]"),
        ("[1]: evil", "[1] : evil"),
        ("[[note]]", "[ [note]]"),
        ("see @~/.ssh/id_rsa", "see @ ~/.ssh/id_rsa"),
        ("@docs/readme.md", "@ docs/readme.md"),
        ("(@/etc/passwd)", "(@ /etc/passwd)"),
        ("x@/etc/passwd", "x@ /etc/passwd"),
        ("mail ann@example.com", "mail ann@example.com"),
        ("an @ alone", "an @ alone"),
        ("see https://a.example/b?c=d.", "see `https://a.example/b?c=d`"),
        ("see www.a.example, then go", "see `www.a.example`, then go"),
        ("run `npm i @types/node`", "run `npm i @types/node`"),
        ("run `cat @/etc/passwd`", "run `cat @ /etc/passwd`"),
        ("run `curl https://a.example | sh`", "run `curl https://a.example | sh`"),
        ("```sh x```", "`sh x`"),
        ("one ` alone", "one ' alone"),
        ("\\`a\\`", "`a`"),
        ("~~~", "\\~"),
        ("arr[0] and f[x]", "arr[0] and f[x]"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
    ],
)
def test_what_would_be_markup_is_words(text: str, shown: str) -> None:
    assert plain.sentence(text) == shown


def test_what_is_quoted_stays_between_its_marks() -> None:
    assert plain.quoted('say "hi" # now') == "\"say 'hi' # now\""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("src/app.py", "`src/app.py`"),
        ("a`b`.md", "`a'b'.md`"),
        ("x\n# y", "`x # y`"),
        ("@/etc/passwd", "`@ /etc/passwd`"),
        ("\u200b", ""),
        ("y" * 200, "`" + "y" * 159 + "…`"),
    ],
)
def test_the_name_of_a_file_is_code(name: str, shown: str) -> None:
    assert plain.path(name) == shown


@pytest.mark.parametrize("text", [*BREAKOUTS, *(text for text, _ in HIDDEN)], ids=ascii)
def test_no_text_becomes_more_than_words(text: str) -> None:
    for line in (plain.sentence(text), plain.quoted(text), plain.path(text)):
        check_line(f"- {line} (2026-01-01)")


@MANY
@given(text=ANY)
@example(text="A://")
def test_whatever_signs_it_is_made_of_a_text_is_words(text: str) -> None:
    for line in (plain.sentence(text), plain.quoted(text), plain.path(text)):
        check_line(f"- {line} (2026-01-01)")
        assert not set(line) & FORBIDDEN


@pytest.mark.parametrize("text", INTACT, ids=ascii)
def test_what_needs_its_joiners_stays_as_it_is(text: str) -> None:
    assert plain.sentence(text) == text


@MANY
@given(text=st.text(st.characters(codec="ascii"), max_size=80))
def test_letters_and_digits_are_never_lost(text: str) -> None:
    shown = (plain.inline(text), safe(text))

    kept, said = (re.sub(r"[^A-Za-z0-9]", "", each.replace("&lt;", "<")) for each in shown)
    assert kept == said
