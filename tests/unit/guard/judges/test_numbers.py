"""Payment numbers: cards by issuer and sum, accounts by country and sum, nothing else."""

from __future__ import annotations

import pytest

from tacit.compose import redactor
from tacit.guard.judges import numbers

_REDACTOR = redactor(b"k" * 32)


def _redacted(text: str) -> str:
    return _REDACTOR.redact(text.encode()).decode()


@pytest.mark.parametrize(
    "number",
    [
        "4539148803436467",
        "4539 1488 0343 6467",
        "4539-1488-0343-6467",
        "4539.1488.0343.6467",
        "5425233430109903",
        "2223000048410010",
        "3782 822463 10005",
        "378282246310005",
        "6011-1111-1111-1117",
        "3566002020360505",
    ],
)
def test_a_card_is_found_with_any_grouping(number: str) -> None:
    assert _redacted(f"pay with {number}, please").startswith("pay with [redacted:card:")


@pytest.mark.parametrize(
    "text",
    [
        "order 4539148803436468",  # the sum is wrong
        "trace 1795021966939513",  # no issuer gives out numbers that begin so
        "commit 4539148803436467abc",
        "see /4539148803436467",
        "0.4539148803436467",
        "id 45391488034364670000001",
        "4444 4444 4444 4448",
        "2026-11-18 17:12:33.123456",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert _redacted(text) == text


def test_a_number_that_is_called_a_card_needs_the_sum_alone() -> None:
    number = "9000 0000 0000 1234 567"
    digits = number.replace(" ", "")
    right = next(
        f"{digits[:-1]}{last}" for last in range(10) if numbers.is_luhn(digits[:-1] + str(last))
    )

    assert _redacted(f"loyalty {right}") == f"loyalty {right}"
    assert "redacted:card" in _redacted(f"my card {right}")


@pytest.mark.parametrize(
    "account",
    [
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "GB29 NWBK 6016 1331 9268 19",
        "NL91ABNA0417164300",
        "FR14 2004 1010 0505 0001 3M02 606",
        "NO93 8601 1117 947",
    ],
)
def test_an_account_is_found_by_its_sum(account: str) -> None:
    assert _redacted(f"to {account}.").startswith("to [redacted:iban:")


@pytest.mark.parametrize(
    "text", ["DE88 3704 0044 0532 0130 00", "ZZ89370400440532013000", "XDE89370400440532013000"]
)
def test_what_only_looks_like_an_account_stays(text: str) -> None:
    assert _redacted(text) == text


def test_the_owner_may_have_numbers_kept() -> None:
    text = b"card 4539148803436467, to DE89370400440532013000, my card PIN is 4817"

    assert redactor(b"k" * 32, keeps_numbers=True).redact(text) == text
    assert redactor(b"k" * 32).redact(text).count(b"[redacted:") == 3


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("マイナンバー: {}", "4821 7735 9036"),
        ("NHS number {}", "485 777 3456"),
        ("주민등록번호 {}", "850812-1234567"),
        ("passport number: {}", "C4F7K2291"),
    ],
)
def test_a_number_that_is_called_personal_is_found(text: str, number: str) -> None:
    assert number not in _redacted(text.format(number))


@pytest.mark.parametrize("text", ["my number is 42 in the queue", "passport-jwt 4.0.1"])
def test_numbers_of_other_things_stay(text: str) -> None:
    assert _redacted(text) == text
