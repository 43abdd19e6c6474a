"""The analyser: identifiers, languages, scripts, bounds; and that no text is an error."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tacit.recall.analyse import MOST_TERMS, MOST_TOKENS, language_of, terms, tokens
from tacit.recall.tables import LANGUAGES, stop_words
from tacit.store.index_port import Scope
from unit.curate.saying import fresh_desk
from unit.recall.finding import ANY_TEXT, message

LONGEST = 64
WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäéñçøłßжшяλως", min_size=1, max_size=20)
IDENTIFIERS = {
    "parseHTTPResponse": "parsehttprespons pars http respons httprespons",
    "src/auth/token_store.py": "src/auth/token_store.py auth token_store.py token_store token",
    "TS2345": "ts2345 ts 2345",
    "the C++ code": "c++",
    "the C# code": "c#",
    "node.js": "node.js node js",
    "snake_case": "snake_case snake case",
    "dotted.names": "dotted.names dot name",
    "kebab-case": "kebab-case kebab case",
    "$DATABASE_URL": "database_url databas url",
    "user@mail.example": "user@mail.example user mail",
    "localhost:4242": "localhost:4242 localhost 4242",
    "v1.2.3": "v1.2.3 v1",
    "C:\\Temp\\build.log": "c:\\temp\\build.log temp build.log build log",
    "--no-verify": "no-verify verifi",
    "OAuth2Token": "oauth2token oauth token",
    "getUserName": "getusernam user name usernam",
    "#1234": "1234",
    "max.poll.records": "max.poll.records max poll record",
}
# a word of a text, and another form of it that is asked for
INFLECTED = {
    "english": [("The databases were migrated.", "migrating"), ("the running jobs", "job")],
    "german": [
        ("Die Straßenbahnen sind verspätet.", "Straßenbahn"),
        ("Wir haben die Datenbanken gesichert.", "Datenbank"),
        ("Der Speicher ist in den Häusern.", "Haus"),
    ],
    "french": [("Les serveurs ont été redémarrés.", "serveur"), ("les erreurs du code", "erreur")],
    "spanish": [
        ("Los servidores están en la oficina.", "servidor"),
        ("las pruebas de los datos", "prueba"),
    ],
    "italian": [("Gli errori sono nel registro.", "errore"), ("le prove della rete", "prova")],
    "portuguese": [
        ("Os servidores não estão aqui.", "servidor"),
        ("as senhas dos outros são", "senha"),
    ],
    "polish": [("Nie ma serwerów w biurze.", "serwer"), ("hasła są w sejfie", "hasło")],
    "dutch": [("De servers staan in het gebouw.", "server"), ("de fouten van het", "fout")],
    "russian": [("Ошибки были в журнале.", "ошибка"), ("серверы в офисе", "сервер")],
    "greek": [("Τα σφάλματα είναι στο αρχείο.", "σφάλμα"), ("οι κωδικοί μου", "κωδικός")],
}
FOLDED = [
    ("Das Büro in München", "Buro Munchen"),
    ("der Buro", "Büro"),
    ("Le café est fermé.", "cafe ferme"),
    ("le cafe", "café"),
    ("El camión pasó.", "camion"),
    ("Zażółć gęślą jaźń i Łódź", "Lodz"),
    ("Straße", "strasse"),
    ("naïve Ångström façade", "naive angstrom facade"),
    ("smørrebrød", "smorrebrod"),
    ("İstanbul", "istanbul"),
    ("ΑΘΗΝΑ", "Αθήνα"),
    ("ﬁle ｆｕｌｌ ＷＩＤＴＨ", "file full width"),
    ("cafe\u0301", "caf\u00e9"),
]


def is_found(asked: str, text: str) -> bool:
    """Say whether each term of a question finds a text by one of its tokens."""
    held = set(tokens(text))
    wanted = terms(asked)
    return bool(wanted) and all(held & set(term.tokens) for term in wanted)


@pytest.mark.parametrize("text", IDENTIFIERS)
def test_an_identifier_is_found_whole_and_by_its_parts(text: str) -> None:
    missing = [part for part in IDENTIFIERS[text].split() if part not in tokens(text)]

    assert missing == []


@pytest.mark.parametrize("text", IDENTIFIERS)
def test_an_identifier_finds_itself_in_any_sentence(text: str) -> None:
    assert is_found(text, f"Yesterday we looked at ({text}), and it was fine.")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("parseHTTPResponse", "parse http response"),
        ("parseHTTPResponse", "HTTPResponse"),
        ("parse_http_response", "http response"),
        ("src/auth/token_store.py", "token store"),
        ("src/auth/token_store.py", "token_store.py"),
        ("getUserName", "user name"),
        ("LFS_SKIP_SMUDGE", "skip smudge"),
        ("error TS2345 in the build", "TS2345"),
    ],
)
def test_the_words_of_an_identifier_find_it(text: str, asked: str) -> None:
    assert is_found(asked, text)


def test_nothing_else_is_made_of_an_identifier() -> None:
    assert tokens("parseHTTPResponse") == [
        "parsehttprespons", "pars", "http", "respons", "parsehttp", "httprespons",
    ]  # fmt: skip


@pytest.mark.parametrize("language", INFLECTED)
def test_a_word_is_found_by_another_form_of_it(language: str) -> None:
    missed = [(text, asked) for text, asked in INFLECTED[language] if not is_found(asked, text)]

    assert missed == []
    assert {language_of(text) for text, _ in INFLECTED[language]} == {language}


@pytest.mark.parametrize(("text", "asked"), FOLDED)
def test_accents_and_case_do_not_matter(text: str, asked: str) -> None:
    assert is_found(asked, text)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("東京タワーの近くに住んでいる。", "東京"),
        ("本番環境へのデプロイは火曜日", "デプロイ"),
        ("我们使用数据库", "数据库"),
        ("한국어검색을 합니다", "검색"),
        ("서버를 다시 시작했다", "서버"),
        ("ภาษาไทยง่ายมาก", "ไทย"),
        ("ที่นี่มีเซิร์ฟเวอร์", "เซิร์ฟเวอร์"),
        ("佐々木さん", "佐々木"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("עברית שָׁלוֹם", "שלום"),
    ],
)
def test_a_word_is_found_where_no_spaces_part_it(text: str, asked: str) -> None:
    assert is_found(asked, text)


def test_scripts_without_spaces_are_taken_in_pairs() -> None:
    assert tokens("日本語") == ["日本", "本語"]
    assert tokens("火") == ["火"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("databasesを使う", "database"),
        ("parseHTTPResponseを直す", "http"),
        ("token_store.pyを開く", "token_store"),
        ("Мы используем databases", "database"),
        ("with λ all of the latencies fell", "latency"),
        ("it takes 50 µs of the latencies", "latency"),
        ("Ошибка в parseHTTPResponse и σφάλματα", "σφάλμα"),
    ],
)
def test_a_name_amid_another_script_is_found_as_ever(text: str, asked: str) -> None:
    assert is_found(asked, text)


def test_one_foreign_letter_does_not_change_the_language_of_a_text() -> None:
    assert language_of("it takes 50 µs for each of the requests") == "english"
    assert language_of("Мы используем Kubernetes") == "russian"


def test_only_the_small_words_of_a_text_s_own_language_are_left_out() -> None:
    assert tokens("the die is cast") == ["die", "cast"]
    assert tokens("die Würfel sind in der Schachtel") == tokens("Würfel Schachtel ist der")
    assert "was" not in tokens("it was the day")


def test_a_question_of_small_words_alone_asks_for_these() -> None:
    assert [term.word for term in terms("to be or not to be")] == ["to", "be", "or", "not"]


def test_of_a_question_the_small_words_are_left_out() -> None:
    asked = [term.word for term in terms("where is the token of the server?")]

    assert asked == ["token", "server"]


def test_each_term_is_asked_for_once() -> None:
    assert len(terms("token Token TOKEN ｔｏｋｅｎ")) == 1


def test_a_text_has_so_many_tokens_at_most_and_the_first_of_them() -> None:
    text = " ".join(f"word{number}" for number in range(MOST_TOKENS))

    assert len(tokens(text)) == MOST_TOKENS
    assert tokens(text)[0] == "word0"


def test_a_question_has_so_many_terms_at_most() -> None:
    assert len(terms(" ".join(f"x{number}y" for number in range(1000)))) == MOST_TERMS


def test_what_is_too_long_for_a_word_is_none() -> None:
    assert tokens("a" * LONGEST) == ["a" * LONGEST]
    assert tokens("a" * (LONGEST + 1)) == []
    assert terms("a" * (LONGEST + 1)) == []
    assert max(map(len, tokens("日" + "b" * 500 + "本"))) <= LONGEST


def test_a_very_long_text_costs_no_more_than_its_beginning() -> None:
    assert tokens("first " + "a." * 2_000_000 + "last")[0] == "first"
    assert tokens("_" * 1_000_000) == []


def test_no_character_brings_a_space_or_a_control_character_into_a_token() -> None:
    every = (chr(point) for point in range(sys.maxunicode + 1))
    known = [char for char in every if unicodedata.category(char) not in {"Cn", "Co"}]
    held = {
        token
        for at in range(0, len(known), 100)
        for token in tokens(" ".join(f"ab{char}cd {char}" for char in known[at : at + 100]))
    }

    assert len(held) > 50_000
    assert [token for token in held if not _is_one_word(token)] == []


def _is_one_word(token: str) -> bool:
    kinds = {unicodedata.category(char) for char in token}
    return bool(token) and kinds.isdisjoint({"Cc", "Cs", "Zs", "Zl", "Zp"})


@settings(max_examples=300)
@example("\ud800\udfff")
@example("\0")
@example('"' * 3000)
@given(ANY_TEXT)
def test_any_text_has_tokens_and_terms(text: str) -> None:
    every = [*tokens(text), *(token for term in terms(text) for token in term.tokens)]

    assert all(_is_one_word(token) for token in every)
    assert all(len(token) <= 2 * LONGEST for token in every)


@settings(max_examples=300)
@given(WORDS, st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6))
def test_the_very_word_is_found_whatever_stands_around_it(
    word: str, before: list[str], behind: list[str]
) -> None:
    text = " ".join([*before, word, *behind])
    assume(
        not any(word.casefold() in stop_words(each) for each in (*LANGUAGES, "russian", "greek"))
    )

    assert is_found(word, text)


@settings(max_examples=60, deadline=None)
@example(["C++ and C#", "c:\\temp\\x", "a/b.c_d-e@f:g", "日本語 ไทย", "c"])
@given(st.lists(ANY_TEXT | WORDS | st.sampled_from([*IDENTIFIERS]), min_size=1, max_size=5))
def test_the_index_finds_exactly_these_tokens(texts: list[str]) -> None:
    with fresh_desk() as desk:
        for number, text in enumerate(texts):
            desk.store.index.put(message(str(number), text))
        rows = desk.store.index.rows(desk.store.index.latest(Scope(), -1))
        held = {row.number: set(tokens(texts[int(row.subject)])) for row in rows}

        for token in set().union(*held.values()):
            found = desk.store.index.words([token], Scope(), 10)

            assert set(found) == {number for number, each in held.items() if token in each}
            assert desk.store.index.frequencies([token]) == {token: len(found)}
