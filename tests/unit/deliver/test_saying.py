"""Saying: which prompts are about something by themselves, and which only with the talk before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.deliver.saying import ENOUGH, is_pointing, naming

TALK = {
    "en": "The staging database listens on another port since the last release was rolled out.",
    "de": "Die Datenbank hört seit der letzten Auslieferung auf einem anderen Port, das ist so.",
    "fr": "La base de données écoute sur un autre port depuis la dernière livraison.",
    "es": "La base de datos escucha en otro puerto desde la última entrega que hicimos.",
    "it": "Il database ascolta su un'altra porta dopo la consegna della settimana scorsa.",
    "pt": "O banco de dados escuta em outra porta depois da entrega da semana passada.",
    "nl": "De database luistert sinds de vorige versie op een andere poort dan daarvoor.",
    "pl": "Baza danych nasłuchuje na innym porcie od czasu ostatniego wdrożenia.",
    "ja": "昨日のリリースからデータベースは別のポートで待ち受けています。",
    "zh": "从上次发布以后数据库监听另一个端口。",
}
POINTING = [
    ("en", "and for the other one?"),
    ("en", "no, I meant the one that you did before that"),
    ("en", "yes, do that"),
    ("en", "and the port?"),
    ("en", "hmm, not quite, try once more please"),
    ("en", ""),
    ("de", "und für den anderen?"),
    ("de", "warum ist das so?"),
    ("fr", "et pour l'autre ?"),
    ("es", "¿y para el otro?"),
    ("it", "e per l'altro?"),
    ("pt", "e para o outro?"),
    ("nl", "en voor de andere?"),
    ("pl", "a dlaczego nie?"),
    ("ja", "それはなぜですか?"),
    ("ja", "もう一つは?"),
    ("zh", "那另一个呢?"),
]
SAYING = [
    ("en", "push the image"),
    ("en", "which port has staging?"),
    ("en", "PB7?"),
    ("en", "src/tacit/app.py"),
    ("en", "parseHeaders"),
    ("de", "welchen Port hat die Testumgebung?"),
    ("fr", "quel port pour la recette ?"),
    ("es", "renueva los certificados del servidor"),
    ("ja", "ステージングのポートは?"),
    ("ja", "在庫の数え直しは金曜日?"),
    ("zh", "测试环境的端口是多少?"),
    ("ru", "какой порт базы данных?"),
    ("th", "พอร์ตของฐานข้อมูลคืออะไร"),
]
THANKING = [
    ("en", "thanks, nice one"),
    ("en", "wow, that was quick"),
    ("de", "danke, das ist super"),
]


@pytest.mark.parametrize(("language", "prompt"), POINTING)
def test_a_prompt_that_names_nothing_points_at_what_was_said(language: str, prompt: str) -> None:
    assert is_pointing(prompt, TALK[language])


@pytest.mark.parametrize(("language", "prompt"), SAYING)
def test_a_prompt_that_names_something_stands_alone(language: str, prompt: str) -> None:
    assert not is_pointing(prompt, TALK.get(language, ""))


@pytest.mark.parametrize(("language", "prompt"), THANKING)
def test_who_only_thanks_asks_nothing(language: str, prompt: str) -> None:
    assert not is_pointing(prompt, TALK[language])
    assert is_pointing(f"{prompt}?", TALK[language])


def test_words_that_name_something_are_counted_and_an_identifier_is_enough() -> None:
    counted = [
        naming(each, "") for each in ("why is that so?", "the image", "push the image to it")
    ]

    assert counted == [0, 1, 2]
    assert naming("and m1040?", "") == ENOUGH


@given(st.text(st.characters(exclude_categories=()), max_size=200), st.text(max_size=50))
def test_any_text_can_be_looked_at(prompt: str, before: str) -> None:
    assert naming(prompt, before) >= 0
    assert isinstance(is_pointing(prompt, before), bool)
