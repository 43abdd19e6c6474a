"""What is private: a secret, a personal number or an income is seen; talk about them is not one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.rules.private import is_private

CALLED = (
    "password",
    "passphrase",
    "pin",
    "secret",
    "token",
    "api key",
    "access key",
    "iban",
    "ssn",
)
PARTS = ["password", "pin", " is ", ": ", "=", "tulip-42", "'", '"', "`", ".", "\n", "earns", " 9 "]


@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize("form", ["The {} is tulip-4711", "{}: tulip-4711", "{}=tulip-4711"])
def test_a_value_that_is_given_by_its_name_is_private(form: str, called: str) -> None:
    assert is_private(form.format(called))


@pytest.mark.parametrize(
    "text",
    [
        "The PASSWORD is tulip_4711",
        "The password is 'tulip-4711'",
        'The token is "tulip-4711"',
        "Set the pin to `4711`",
        "The password for the staging box is tulip-4711",
        'Send {"password": "tulip-4711"} to it',
        "export SHOP_TOKEN=tulip4711",
        "DB_PW=tulip!lamp",
        "export SHOP_KEY=tulip4711",
        "pass = tulip@lamp",
        "My api   key is tulip4711",
        "My date of birth is 1990-04-01",
        "His passport number is X4711000",
        "Log in with user admin and password Winter2026!",
        "Use the password tulip4711 there",
        "The door opens with pin 4711",
    ],
)
def test_a_value_is_private_however_it_is_written(text: str) -> None:
    assert is_private(text)


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort ist tulpe-4711",
        "dass die PIN der Karte 4711 ist",
        "dass das Passwort tulpe-4711 lautet",
        "Mein Geburtsdatum ist 01.04.1990",
        "Le mot de passe est tulipe-4711",
        "La contraseña es tulipan-4711",
        "A senha é tulipa-4711",
        "Hasło: tulipan-4711",
        "パスワードは tulip-4711",
        "暗証番号は4711です",
    ],
)
def test_a_value_is_private_in_other_languages(text: str) -> None:
    assert is_private(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mara earns 70000 a year",
        "His salary is about 70k",
        "The household income fell to 41 000",
        "A wage of two thousand",
        "She's on ninety grand",
        "They are on 50k",
        "Mara verdient 70.000 im Jahr",
    ],
)
def test_what_somebody_earns_is_private(text: str) -> None:
    assert is_private(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The password is stored in the vault",
        "The password is secret",
        "Passwords are never logged",
        "The token is renewed",
        "Rotate the token every week",
        "The pin is 12",
        "The password field has rounded corners",
        "Password reset is broken in version 2",
        "Pin 3.11 in the lock file",
        "Use the pinned version: httpx-0.27",
        "The spinner is tulip-4711",
        "The hairpin is tulip-4711",
        "The login page was slow. The build number is 4711-2",
        "The login page was slow\nbuild: tulip-4711",
        "The branch is tulip-4711",
        "The salary report leaves on Mondays",
        "The income page is done. It took 3 days",
        "The job earns nothing",
        "The worker is on port 8080",
        "The learning rate is 0.01",
    ],
)
def test_talk_about_such_things_is_not_private(text: str) -> None:
    assert not is_private(text)


@pytest.mark.parametrize("text", ["The password {} is tulip-4711", "The salary {} 70000"])
def test_what_stands_far_from_its_name_is_not_taken_for_its_value(text: str) -> None:
    near, far = text.format("there"), text.format("of those who left us a long time ago")

    assert (is_private(near), is_private(far)) == (True, False)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), st.text(max_size=20))
def test_what_is_private_stays_so_whatever_follows_on_the_next_line(text: str, more: str) -> None:
    is_so = is_private(text)

    assert is_private(f"{text}\n{more}") >= is_so


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    assert is_private(text) in {True, False}
