"""Secrets that a sentence tells, in any language; and sentences that tell none."""

from __future__ import annotations

import pytest

from tacit.compose import redactor

_REDACTOR = redactor(b"k" * 32)
_VALUE = "k3Jd8!sPq0z"
_RANDOM = "mpt_q7Rz2LmX9vTbK4sWp8YdZt5b"


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


@pytest.mark.parametrize(
    "text",
    [
        "Temporary password:\n{}\n\nChange it soon.",
        "**Host**\n\ndb3\n\n**Password**\n\n{}\n",
        "Password\n--------\n{}\n",
        "INFO  New password:\nINFO\nINFO    {}\n",
        "2031-03-04T10:00:01 admin password:\n2031-03-04T10:00:02 {}\n",
        "│ Root password:\n│   {}\n",
        "Bash(printenv DB_PASSWORD)\n  ⎿  {}\n",
        "$ echo $DB_PASSWORD\n{}\n",
        "[10:01] ana: what's the wifi password?\n[10:02] ben: {}\n",
        "which passphrase does it use?\n\n{}",
        "# the smtp password is below\nvalue = '{}'\n",
        "用密码{}登录一下",
        "비밀번호는 {} 입니다",
        "entra con usuario luis y clave {} y mira",
        "пароль от роутера {}",
    ],
)
def test_a_value_below_a_label_or_glued_to_its_name_is_taken_out(text: str) -> None:
    assert _VALUE not in _REDACTOR.redact(text.format(_VALUE).encode()).decode()


def test_a_new_token_is_found_below_the_sentences_about_it() -> None:
    text = f"Access token created\n\nCopy it now, it is shown once.\n\n    {_RANDOM}\n"

    assert _RANDOM not in _REDACTOR.redact(text.encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        "Password\nUsername\nRemember-Me2\n",
        "**Token**\n\nSee docs/auth2.md\n",
        "user,password\nbo,none2\n",
        "[10:01] ana: did the wifi password change?\n[10:02] ben: yes!!\n",
        "Where do we validate the token?\n\nUserSession2Controller\n",
        "2031-03-04 verifying token:\n2031-03-04 user=42\n",
        "the token was wrong, then I restarted\n\nvpc-0abc123def4567890\n",
        "密码长度8位以上",
    ],
)
def test_what_stands_below_a_label_and_is_no_value_stays(text: str) -> None:
    assert _REDACTOR.redact(text.encode()).decode() == text
