"""The judge: names that name secrets, and values that are some."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard import judge
from tacit.guard.judge import HINT, LIKELY, NONE, SURE, WEAK

if TYPE_CHECKING:
    from collections.abc import Callable

_RATED = [
    ("*password*", SURE),
    ("DB_*PASSWORD*", SURE),
    ("db*Password*", SURE),
    ("*passwd*_old", SURE),
    ("my*secret*", SURE),
    ("client_*secret*", SURE),
    ("root_*pw*", SURE),
    ("smtp-*pass*", SURE),
    ("\\n*pwd*", SURE),
    ("*пароль*", SURE),
    ("*pass*", LIKELY),
    ("*pw*", LIKELY),
    ("the *pass*", LIKELY),
    ("*token*", HINT),
    ("github*Token*", HINT),
    ("api_*key*", HINT),
    ("api*Key*", HINT),
    ("API *key*", HINT),
    ("x-api-*key*", HINT),
    ("*secret*_id", HINT),
    ("*password*s", HINT),
    ("*token*s", HINT),
    ("*credential*s", HINT),
    ("stripe_*key*", WEAK),
    ("stripe-*key*", WEAK),
    ("*key*", NONE),
    ("stripe *key*", NONE),
    ("mon*key*", NONE),
    ("com*pass*", NONE),
    ("s*pat*ial", NONE),
    ("*token*izer", NONE),
    ("*Password*less", NONE),
    ("*password*_policy", NONE),
    ("*password*Policy", NONE),
    ("*password*_hash", NONE),
    ("*password*_expires_at", NONE),
    ("*token*_count", NONE),
    ("*token*_type", NONE),
    ("*secret*_arn", NONE),
    ("max_*token*s", NONE),
    ("next_page_*token*", NONE),
    ("public_*key*", NONE),
    ("primary*Key*", NONE),
]


@pytest.mark.parametrize(("marked", "rating"), _RATED)
def test_a_name_is_believed_as_far_as_it_tells(marked: str, rating: int) -> None:
    before, word, after = (part.encode() for part in marked.split("*"))
    text = b"let " + before + word + after + b" = 1"

    start = len(b"let " + before)

    assert judge.rate(text, start, start + len(word)) == rating


@pytest.mark.parametrize(("marked", "rating"), _RATED)
def test_only_a_word_that_is_no_part_of_another_is_rated(marked: str, rating: int) -> None:
    before, word, after = (part.encode() for part in marked.split("*"))
    text, start, end = before + word + after, len(before), len(before + word)

    is_part = judge.is_part(text, start, end)

    assert (NONE if is_part else judge.rate_whole(text, start, end)) == rating


@pytest.mark.parametrize(
    ("marked", "is_beginning", "is_ending"),
    [
        ("*pat*h", True, False),
        ("*token*izer", True, False),
        ("*TOKEN*IZER", True, False),
        ("*token*s", False, False),
        ("*token*Value", False, False),
        ("*TOKEN*value", False, False),
        ("mon*key*", False, True),
        ("MON*KEY*", False, True),
        ("api*Key*", False, False),
        ("\\n*key*", False, False),
        ("xn*key*", False, True),
        ("my*token*", False, False),
        ("mon*key*s", False, True),
        ("mon*key*board", True, True),
        ("*key*", False, False),
    ],
)
def test_a_word_is_a_part_of_another_that_begins_or_ends_with_it(
    marked: str,
    is_beginning: bool,  # noqa: FBT001
    is_ending: bool,  # noqa: FBT001
) -> None:
    before, word, after = (part.encode() for part in marked.split("*"))
    text, start, end = before + word + after, len(before), len(before + word)

    assert judge.is_beginning(text, end) == is_beginning
    assert judge.is_ending(text, start, end) == is_ending
    assert judge.is_part(text, start, end) == (is_beginning or is_ending)


@pytest.mark.parametrize("rating", [LIKELY, HINT, WEAK, SURE])
@pytest.mark.parametrize(
    "value", [b"k3Jd8sPq0zLmWx7Rt", b"${TOKEN}", b"getToken(1)", b"a word, or 2"]
)
def test_a_secret_is_a_value_that_fits_and_is_not_harmless(value: bytes, rating: int) -> None:
    fits = judge.is_fitting(value, rating=rating, quoted=False, tight=False)

    is_secret = judge.is_secret(value, rating=rating, quoted=False, tight=False)

    assert is_secret == (fits and not judge.is_harmless(value, quoted=False))


@pytest.mark.parametrize(
    ("text", "start", "end"), [(b"password", 0, 8), (b"password=", 0, 8), (b"=password", 1, 9)]
)
def test_a_name_may_stand_at_either_end_of_the_text(text: bytes, start: int, end: int) -> None:
    assert judge.rate(text, start, end) == SURE


@pytest.mark.parametrize(
    ("value", "rating", "is_secret"),
    [
        (b"k3Jd8sPq0z", SURE, True),
        (b"Tr0ub4dor&3", SURE, True),
        (b"1234", SURE, True),
        (b"correct horse battery staple", SURE, True),
        (b"abc", SURE, False),
        (b"letmein", SURE, False),
        (b"k3Jd8sPq0z", LIKELY, True),
        (b"a1b2/c3d4", LIKELY, False),
        (b"a1b2", LIKELY, False),
        (b"sunshine2024", LIKELY, False),
        (b"k3Jd8sPq0zLm", HINT, True),
        (b"a1b2c3d4", HINT, True),
        (b"4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264", HINT, True),
        (b"sunshine", HINT, False),
        (b"sunshine-day", HINT, False),
        (b"q7Rz2LmX9vTbK4sW", WEAK, True),
        (b"q7Rz2LmX9vTbK4s", WEAK, False),
        (b"q7Rz2LmX9-vTbK4sWp", WEAK, False),
        (b"q7Rz2LmX9vTbK4sW", NONE, False),
        (b"https://example.com/k3Jd8sPq0z", SURE, False),
        (b"get_secret(k3Jd8sPq0z)", SURE, False),
        (b"your-password-here", SURE, False),
        (b"process.env.DB_PASSWORD", SURE, False),
    ],
)
def test_a_bare_value_is_judged_by_its_name(value: bytes, rating: int, is_secret: bool) -> None:  # noqa: FBT001
    verdict = judge.is_secret(value, rating=rating, quoted=False, tight=False)

    assert verdict == is_secret


@pytest.mark.parametrize(
    ("value", "quoted", "tight", "is_secret"),
    [
        (b"letmein", True, False, True),
        (b"letmein", False, True, True),
        (b"letmein", False, False, False),
        (b"let-me-in", True, False, False),
        (b"let-me-in", False, True, False),
        (b"let-me-in-again", True, False, True),
        (b"Letmein", True, True, False),
        (b"let_me_in", True, True, False),
        (b"short", True, True, False),
        (b"mypassword", True, True, False),
        (b"tokenized", True, True, False),
        ("größenwahn".encode(), True, True, False),
        (b"Enter your password", True, False, False),
        (b"obj.field.name", False, False, False),
        (b"obj.field.name", True, False, False),
    ],
)
def test_a_plain_word_is_a_password_only_where_it_stands_as_one(
    value: bytes,
    quoted: bool,  # noqa: FBT001
    tight: bool,  # noqa: FBT001
    is_secret: bool,  # noqa: FBT001
) -> None:
    verdict = judge.is_secret(value, rating=SURE, quoted=quoted, tight=tight)

    assert verdict == is_secret


@pytest.mark.parametrize(
    ("name", "value", "is_tame"),
    [
        (b"pass", b"12", True),
        (b"pass", b"failed", True),
        (b"pass", b"k3Jd8sPq0z", False),
        (b"secret", b"42", True),
        (b"secret", b"sunshine", False),
        (b"sessionid", b"4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264", True),
        (b"sessionid", b"k3Jd8sPq0zLm", False),
        (b"password", b"12345678", False),
        (b"token", b"4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264", False),
    ],
)
def test_some_values_are_too_ordinary_for_their_name(
    name: bytes,
    value: bytes,
    is_tame: bool,  # noqa: FBT001
) -> None:
    assert judge.is_tame(name, value) == is_tame


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"xxxxxxxx",
        b"********",
        b"...",
        b"abababab",
        b"password",
        b"None",
        b"string",
        b"changeme",
        b"change_me_2024",
        b"your-api-key",
        b"YOUR_TOKEN_1",
        b"<your token>",
        b"${DB_PASSWORD}",
        b"$DB_PASSWORD",
        b"{{ secret1 }}",
        b"%DB_PASSWORD%",
        b"%(password)s",
        b"op://vault/item",
        b"vault:secret/db#1",
        b"arn:aws:secretsmanager:eu-1:1",
        b"https://example.com/a1",
        b"env:DB_PASS1",
        b"ENC[AES256_GCM]",
        b"[redacted:secret:1a2b]",
        b"^1.2.3",
        b"~4.0",
        b">3",
        b"sk-1...9",
        b"foo-1",
        b"example-key-1",
        b"todo-1",
    ],
)
def test_what_stands_for_a_secret_is_a_placeholder(value: bytes) -> None:
    assert judge.is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [
        b"k3Jd8sPq0z",
        b"hunter2",
        b"letmein",
        b"sunshine!",
        b"q7Rz2LmX9vTbK4sWp8Yd-example",
        b"AKIAIOSFODNN7EXAMPLE9x2y",
        b"^k3Jd8s",
    ],
)
def test_a_secret_is_no_placeholder(value: bytes) -> None:
    assert not judge.is_placeholder(value)


@pytest.mark.parametrize(
    ("value", "is_random"),
    [
        (b"k3Jd8sPq0zLm", True),
        (b"prefix_k3Jd8sPq0zLm.tail", True),
        (b"9f2b7c1de8a64053", True),
        (b"482910573648201957364820", True),
        (b"KqzLmWxRtYvBnGhJdSpQ", True),
        (b"Kqz-LmWxRtYvB_nGhJdSpQ", False),
        (b"QzLmwXRtyVbnGHjdSPqrTUvk", True),
        (b"12345678901234567890", False),
        (b"k3Jd8sPq0", False),
        (b"internationalization", False),
        (b"getElementById", False),
        (b"release-2024-01-02", False),
        (b"a1-b2-c3-d4-e5-f6", False),
        (b"", False),
    ],
)
def test_only_what_a_generator_writes_is_random(value: bytes, is_random: bool) -> None:  # noqa: FBT001
    assert judge.is_random(value) == is_random


@pytest.mark.parametrize(
    ("value", "changes"),
    [(b"", 0), (b"a", 0), (b"aaa", 0), (b"aA", 1), (b"a1A-", 3), (b"a1a1a1", 5), (b"a..b", 2)],
)
def test_changes_are_counted_from_class_to_class(value: bytes, changes: int) -> None:
    assert judge.changes(value) == changes


@given(st.binary(max_size=64))
def test_a_change_is_wherever_neighbours_are_of_two_classes(value: bytes) -> None:
    def kind(char: int) -> tuple[bool, ...]:
        letter = bytes((char,))
        return letter.isdigit(), letter.isupper(), letter.islower()

    expected = sum(kind(one) != kind(two) for one, two in pairwise(value))

    assert judge.changes(value) == expected


@pytest.mark.parametrize(
    ("question", "value", "answer"),
    [
        (judge.is_mixed, b"a1b2c3d4", True),
        (judge.is_mixed, b"a1b2-c3d4", True),
        (judge.is_mixed, b"abcdefgh", False),
        (judge.is_mixed, b"12345678", False),
        (judge.is_mixed, b"release12", False),
        (judge.is_mixed, b"a1/b2/c3", False),
        (judge.is_mixed, b"v1.2.3b4", False),
        (judge.is_uuid, b"4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264", True),
        (judge.is_uuid, b"4f1c9a7e-2b6d-4e83-9a5f", False),
        (judge.is_uuid, b"4f1c9a7e2b6d4e839a5fc07d1e38b264", False),
        (judge.has_digit, b"k3Jd", True),
        (judge.has_digit, b"kJd", False),
        (judge.has_digit, b"", False),
        (judge.is_wordy, b"sunshine", True),
        (judge.is_wordy, b"db_password", True),
        (judge.is_wordy, b"well-known!", True),
        (judge.is_wordy, "größe".encode(), True),
        (judge.is_wordy, b"hunter2", False),
        (judge.is_wordy, b"pa$$word", False),
        (judge.is_wordy, b"", False),
        (judge.is_prose, b"Enter your password", True),
        (judge.is_prose, b"Wrong password!", True),
        (judge.is_prose, b"correct horse battery staple", False),
        (judge.is_prose, b"k3Jd 8sPq", False),
        (judge.is_prose, b"letmein", False),
        (judge.is_code, b"os.environ", True),
        (judge.is_code, b"config.password,", True),
        (judge.is_code, b"user->password", True),
        (judge.is_code, b"user?.password", True),
        (judge.is_code, b"get_password()", True),
        (judge.is_code, b"env[KEY]", True),
        (judge.is_code, b"Secret::new", True),
        (judge.is_code, b"&password", True),
        (judge.is_code, b"./secrets/db", True),
        (judge.is_code, b"[a-z]{8}", True),
        (judge.is_code, b"$k3Jd8sPq0zLm", False),
        (judge.is_code, b"k3Jd8sPq0z", False),
        (judge.is_code, b"k3Jd8.sPq0z9.LmWx7", False),
        (judge.is_code, b"k3Jd8sPq0zLm{x", False),
        (judge.is_code, b"1.2", False),
        (judge.is_code, b"..", True),
    ],
)
def test_a_question_is_answered(
    question: Callable[[bytes], bool],
    value: bytes,
    answer: bool,  # noqa: FBT001
) -> None:
    assert question(value) == answer
