"""Secrets that a sentence tells, in any language; and sentences that tell none."""

from __future__ import annotations

import pytest

from tacit.compose import redactor

_REDACTOR = redactor(b"k" * 32)
_VALUE = "k3Jd8!sPq0z"


@pytest.mark.parametrize(
    "text",
    [
        "connect with password {} and list the shares",
        "password → {}",
        "I typed the right passphrase ({}), honestly",
        "the login is admin / {}",
        "le mot de passe de la base est « {} »",
        "das Passwort für den Server lautet {}.",
        "la contraseña codificada es {} ahora",
        "a senha do banco é {}",
        "la password del sito è {}",
        "当前的密码\uff08`{}`\uff09",
        "パスワードは{}です",
        "The passphrase for the `archive` repo is:\n\n```console\n{}\n```",
        "Your new password:\n\n    {}\n",
    ],
)
def test_a_value_that_a_sentence_tells_is_taken_out(text: str) -> None:
    redacted = _REDACTOR.redact(text.format(_VALUE).encode()).decode()

    assert _VALUE not in redacted
    assert "[redacted:" in redacted


@pytest.mark.parametrize(
    "text",
    [
        "The password is stored as an argon2id hash of 32 bytes.",
        "password hashing (Argon2id) takes 300ms",
        "the password field is in src/auth/form2.tsx",
        "passwords must have 12 characters and expire after 90 days",
        "the token expires after 30 days, see RFC7519",
        "パスワードは8文字以上にしてください",
        "password → see 1Password",
        "le mot de passe expire dans 30 jours",
        "api key rotation moved to 2026-01-15",
        "Cache restored from key: go-Linux-x64-5fb1e5943af8b87ac03f34be03b776e9961a359f",
    ],
)
def test_a_sentence_about_passwords_stays(text: str) -> None:
    assert _REDACTOR.redact(text.encode()).decode() == text
