"""Clauses: a message is cut into the speaker's own words, each where it says it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import anew, grows_within
from tacit.curate.rules.segment import MOST, Clause, clauses

HOSTILE = st.text(st.characters(exclude_categories=()), max_size=200)
PARTS = [
    *(
        "```",
        "~~~",
        "> ",
        "| ",
        "- ",
        "1. ",
        "22. Juni",
        "z.B. ",
        "e.g. ",
        " — ",
        " - ",
        ": ",
        "; ",
    ),
    *("\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u00a0", "\u3000", "\t", " ", ". "),
    *("?!", "…", "。", '."', ".)", ", and it ", " weil wir ", " y el ", "never push to main", "x"),
    *("日本語で書く", "ERROR ", "From: ", "\ud800", "\0", "e\u0301", "👩\u200d💻"),
]
MADE = st.lists(st.sampled_from(PARTS), max_size=60).map("".join)
RUN_ON = (
    "so the deploy script lives in the tools folder and we never run it on a Friday because the "
    "on-call person is alone then and please use the staging key for it"
)


def said(text: str) -> list[str]:
    return [clause.text for clause in clauses(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\t\r\n ", []),
        (".", []),
        ("Use tabs", ["Use tabs"]),
        ("Use tabs. Never push!", ["Use tabs.", "Never push!"]),
        ("Use tabs?! Never push…", ["Use tabs?!", "Never push…"]),
        ("Use tabs\nNever push", ["Use tabs", "Never push"]),
        ("Use tabs\r\nNever push\r\n", ["Use tabs", "Never push"]),
        ("Use tabs; never push", ["Use tabs", "never push"]),
        ("Use tabs — never push", ["Use tabs", "never push"]),
        ("Use tabs - never push", ["Use tabs", "never push"]),
        ("Rule: never push here", ["Rule", "never push here"]),
        ('He said "use tabs." Never push.', ['He said "use tabs."', "Never push."]),
        ("(Use tabs.) Never push.", ["(Use tabs.)", "Never push."]),
        ("タブを使う。今後は日本語で\uff01はい", ["タブを使う。", "今後は日本語で\uff01", "はい"]),
    ],
)
def test_a_message_is_cut_into_sentences(text: str, found: list[str]) -> None:
    assert said(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "We run Python 3.11 on it",
        "The call is at 12:30 sharp",
        "It lives at https://shop.example/a.b?c=d",
        "Read notes.md for that",
        "A well-known on-call rule",
        "Wait...what",
        "Label: bug",
    ],
)
def test_a_sign_inside_a_word_or_before_a_last_one_ends_nothing(text: str) -> None:
    assert said(text) == [text]


@pytest.mark.parametrize(
    "short",
    "e.g. i.e. z.B. d.h. u.a. bzw. ca. vs. etc. approx. Nr. Dr. Mrs. Prof. p.ej. inkl. J.".split(),
)
def test_a_shortened_word_does_not_end_a_sentence(short: str) -> None:
    text = f"Ask for it {short} Vega there. Then stop."

    assert said(text) == [f"Ask for it {short} Vega there.", "Then stop."]


@pytest.mark.parametrize(
    "day", ["22. Juni", "3. März", "1. Mai", "31. Dezember", "9. oktober", "12. lipca", "5.  Apr"]
)
def test_the_day_of_a_month_does_not_end_a_sentence(day: str) -> None:
    text = f"Die Frist endet am {day} um zwölf. Danach nichts."

    assert said(text) == [f"Die Frist endet am {day} um zwölf.", "Danach nichts."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Die Grenze ist 12.", "Sie gilt überall."),
        ("The port is 80.", "List the others too."),
        ("We have 20.", "Mail goes out daily."),
        ("The team has 12.", "Then we grow."),
        ("Wir sind 22.", "Danach kommt nichts."),
    ],
)
def test_a_number_that_is_no_day_ends_a_sentence(first: str, second: str) -> None:
    assert said(f"{first} {second}") == [first, second]


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "\u2013 ", "1. ", "12) ", "  - ", "\t* "])
def test_the_mark_of_a_list_is_no_part_of_a_clause(mark: str) -> None:
    text = f"Rules:\n{mark}use tabs\n{mark}never push"

    assert said(text) == ["Rules:", "use tabs", "never push"]


@pytest.mark.parametrize(
    "code",
    [
        "```\nalways = 1\n```",
        "```python\nalways = 1\n\nnever = 2\n```",
        "~~~\nalways = 1\n~~~",
        "```\nalways = 1",
        "> always use spaces",
        "  > always use spaces\n> and more",
        "| always | never |",
        "2026-03-01 12:00:01 always failing",
        "[2026-03-01T12:00:01Z] always failing",
        "12:00:01.123 always failing",
        "[12345.678] always failing",
        "ERROR always failing",
        "WARNING: always failing",
        "INFO always fine",
        'Traceback (most recent call last):\n  File "a.py", line 3, in always',
        "    at com.shop.Always.run(Always.java:31)",
        "#0  0x00007f always ()",
        "$ make always",
        "#!/bin/sh",
        "diff --git a/always b/always\n--- a/always\n+++ b/always\n@@ -1 +1 @@",
        "From: Ines <ines@shop.example>\nTo: all\nSubject: always\nDate: today, always",
        "Von: Ines\nAn: alle\nBetreff: immer",
        "De: Ines\nObjet: toujours",
        "{\n}\n]);",
        '{"always": 1, "never": [2, 3, 4], "x": {"y": 0.5}, "z": "%&/()="}',
    ],
)
def test_what_is_not_the_speakers_own_is_left_out(code: str) -> None:
    text = f"Look at this\n{code}"

    assert said(text) == ["Look at this"]


def test_the_words_around_a_code_block_are_kept() -> None:
    text = "Before it.\n```\nalways = 1\n```\nBetween.\n~~~\nnever = 2\n~~~\nAfter it."

    assert said(text) == ["Before it.", "Between.", "After it."]


def test_the_words_of_a_pasted_mail_are_kept_without_its_head_and_what_it_quotes() -> None:
    text = (
        "Please answer this:\n\nFrom: Ines <ines@shop.example>\nSubject: Lamps\n\n"
        "The lamps are late.\n\n> When do they come?\n> Yours, Tom"
    )

    assert said(text) == ["Please answer this:", "The lamps are late."]


@pytest.mark.parametrize(
    "text", ["Information is scarce", "Errors go to Ines", "Fromage is French", "at noon we eat"]
)
def test_words_that_only_begin_like_a_log_are_kept(text: str) -> None:
    assert said(text) == [text]


def test_a_dictated_run_on_is_cut_where_a_clause_begins() -> None:
    assert said(RUN_ON) == [
        "so the deploy script lives in the tools folder",
        "and we never run it on a Friday",
        "because the on-call person is alone then",
        "and please use the staging key for it",
    ]


def test_a_dictated_run_on_is_cut_in_german_too() -> None:
    text = (
        "die Sicherung läuft jede Nacht auf dem kleinen Rechner und wir prüfen sie am Morgen immer "
        "von Hand, weil der Rechner schon zweimal ausgefallen ist"
    )

    assert said(text) == [
        "die Sicherung läuft jede Nacht auf dem kleinen Rechner",
        "und wir prüfen sie am Morgen immer von Hand",
        "weil der Rechner schon zweimal ausgefallen ist",
    ]


def test_a_sentence_that_is_not_long_is_not_cut() -> None:
    text = "the script lives in the tools folder and we never run it on a Friday"

    assert said(text) == [text]


def test_a_long_sentence_is_not_cut_into_crumbs() -> None:
    text = f"{RUN_ON} and we do"

    assert min(len(each) for each in said(text)) >= 24


def test_a_clause_knows_where_it_ends() -> None:
    clause = Clause(7, "use tabs")

    assert clause.stop == 15


@given(MADE | HOSTILE)
def test_every_clause_stands_in_the_text_exactly_where_it_says(text: str) -> None:
    found = clauses(text)

    assert [text[clause.start : clause.stop] for clause in found] == [each.text for each in found]


@given(MADE | HOSTILE)
def test_clauses_come_in_order_and_none_reaches_into_the_next(text: str) -> None:
    found = clauses(text)

    places = [at for clause in found for at in (clause.start, clause.stop)]
    assert places == sorted(places)


@given(MADE | HOSTILE)
def test_no_clause_is_blank_or_begins_with_space(text: str) -> None:
    found = said(text)

    assert [each for each in found if not each.strip() or each[0].isspace()] == []


@given(MADE | HOSTILE)
def test_nothing_of_a_code_block_is_taken_for_words(text: str) -> None:
    fenced = "```\n" + text.replace("`", "") + "\n```"

    assert clauses(fenced) == ()


def test_what_stands_far_behind_in_a_message_is_not_read() -> None:
    text = "Use tabs.\n" * (MOST // 10) + "Never push.\n" * 10

    assert clauses(text) == clauses(text[:MOST])


def mixed(sign: str, size: int) -> str:
    """Return so many signs in a row, on a line that has letters enough to be read."""
    return sign * (size * 2 // 5 // len(sign)) + "a" * (size * 3 // 5)


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "use tabs. ", "e.g. ", "22. Juni ", "and it is ", ": a ", "a\n", "```\n", "> a\n"],
)
def test_time_is_linear(unit: str) -> None:
    small, big = (unit * (size // len(unit)) for size in (MOST // 4, MOST))

    assert grows_within(9, anew(clauses, small), anew(clauses, big))


@pytest.mark.parametrize("sign", [".", "?", '."', "-", " - ", ":", "`", "{"])
def test_time_is_linear_in_a_row_of_signs(sign: str) -> None:
    small, big = (mixed(sign, size) for size in (MOST // 4, MOST))

    assert grows_within(9, anew(clauses, small), anew(clauses, big))


def test_time_is_linear_in_many_code_blocks_and_many_lines() -> None:
    small, big = ("``````" * (size // 12) + "\na" * (size // 4) for size in (MOST // 4, MOST))

    assert grows_within(9, anew(clauses, small), anew(clauses, big))


def test_a_message_that_is_longer_than_what_is_read_costs_no_more() -> None:
    text = "use tabs. " * (MOST // 10)

    assert grows_within(4, anew(clauses, text), anew(clauses, text * 20))
