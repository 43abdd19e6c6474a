"""Kin: what is said again or takes the place of something known is told from what only looks so."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.curate.rules.cues import cues
from tacit.curate.rules.kin import Statement, features, replacing, verdict
from tacit.curate.rules.scorer import Rarity, rarity

KNOWN = [
    Statement(text, "fact")
    for text in (
        "The weekly stock report is due on Mondays",
        "The shop uses tabs",
        "Our staging server runs in Dublin",
        "The accountant is called Ines",
        "Invoices are sent to customers as PDF",
        "The office closes at six",
    )
]
REPORT, INVOICES = 0, 4


def relation(text: str, kind: str = "fact") -> tuple[int, str] | None:
    """Return which of the known ones is meant, and how."""
    found = verdict(Statement(text, kind), KNOWN)
    return None if found is None else (found.at, found.relation)


def seen(new: str, old: str, kinds: tuple[str, str] = ("fact", "fact")) -> set[str]:
    """Return what is seen of a pair."""
    told = cues(new)
    pair = Statement(new, kinds[0]), Statement(old, kinds[1])
    return set(features(*pair, told))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("As I said, the weekly stock report is due on Mondays", REPORT),
        ("Again: invoices are sent to customers as PDF", INVOICES),
        ("Invoices are sent to customers as PDF", INVOICES),
    ],
    ids=["as I said", "again", "word by word"],
)
def test_what_is_said_again_is_the_same(text: str, at: int) -> None:
    assert relation(text) == (at, "same")


@pytest.mark.parametrize("kinds", [("instruction", "feature"), ("tool", "preference")])
def test_a_rule_and_what_tells_of_work_are_never_kin(kinds: tuple[str, str]) -> None:
    new, old = kinds
    known = [Statement("Committed: keep the commit message in two lines", old, "s-1")]

    assert (
        verdict(Statement("As ever, keep the commit message to two lines", new, "s-1"), known)
        is None
    )


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("The weekly stock report is no longer due on Mondays, it moved to Thursdays", REPORT),
        ("Invoices are no longer sent to customers as PDF, we switched to XML", INVOICES),
    ],
)
def test_what_has_changed_replaces_what_was(text: str, at: int) -> None:
    assert relation(text) == (at, "replaced")


@pytest.mark.parametrize(
    "text", ["Lunch is at noon", "Ribbons are sold by the metre", "", "the of and", "日本語で書く"]
)
def test_what_shares_no_word_with_anything_is_kin_of_nothing(text: str) -> None:
    assert relation(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The weekly stock report has a cover page",
        "Our staging server has two processors",
        "The accountant works from Porto",
    ],
)
def test_another_word_about_the_same_thing_is_not_the_same(text: str) -> None:
    found = relation(text)

    assert found is None or found[1] == "unclear"


OPPOSITES = [
    ("I like long names in test helpers.", "I don't like long names in test helpers."),
    ("I want answers with code samples", "I want answers without code samples"),
    ("The staging server is called heron", "No, the staging server isn't called heron"),
    ("Always run the linter before a merge", "Don't always run the linter before a merge"),
    ("Wir nutzen Redis für Sitzungen", "Wir nutzen Redis für Sitzungen nicht"),
    ("Nous utilisons Redis pour les sessions", "Nous n'utilisons pas Redis pour les sessions"),
    ("Usamos Redis para las sesiones", "No usamos Redis para las sesiones"),
    ("Usiamo Redis per le sessioni", "Non usiamo Redis per le sessioni"),
    ("Usamos o Redis para as sessões", "Não usamos o Redis para as sessões"),
    ("Używamy Redis do sesji klientów", "Nie używamy Redis do sesji klientów"),
]
FLIPPED = [*OPPOSITES, *((two, one) for one, two in OPPOSITES)]
UNNAMED = [  # only one of the two can hold, but the new one does not name what it would replace
    ("We decided to use Redis for the session cache.", "We decided not to use Redis for it."),
    ("We decided not to use Redis for it.", "We decided to use Redis for the session cache."),
    ("The billing service listens on harbor, not lagoon", "The billing service listens on lagoon."),
    ("Deploy the api before the worker", "Deploy the worker before the api"),
    ("Deploy the worker before the api", "Deploy the api before the worker"),
    ("Don't push directly to main", "Only the release bot may push directly to main"),
]


def between(old: str, new: str, origin: str = "user") -> str | None:
    """Return how a new statement relates to the only known one."""
    found = verdict(Statement(new, "fact", origin=origin), [Statement(old, "fact")])
    return None if found is None else found.relation


@pytest.mark.parametrize(("old", "new"), FLIPPED)
def test_what_denies_what_is_known_replaces_it(old: str, new: str) -> None:
    assert between(old, new) == "replaced"


def test_what_takes_the_place_of_a_known_value_replaces_it() -> None:
    assert (
        between("Use yarn for all installs", "Use pnpm, not yarn, for all installs") == "replaced"
    )
    assert (
        between(
            "The billing service listens on lagoon.",
            "The billing service listens on harbor, not lagoon",
        )
        == "replaced"
    )


def test_of_two_that_are_named_equally_well_none_is_replaced() -> None:
    known = [
        Statement("The dev database listens on port 5432", "fact"),
        Statement("The shop database listens on port 5432", "fact"),
    ]

    found = verdict(Statement("We switched from port 5432 to 5434", "fact"), known)
    meant = verdict(Statement("We moved the shop database from port 5432 to 5434", "fact"), known)

    assert found is None
    assert meant is not None
    assert (meant.at, meant.relation) == (1, "replaced")


def test_a_wider_statement_leaves_a_narrower_memory() -> None:
    known = [
        Statement("The backup server is in Dublin", "fact"),
        Statement("The server is in Dublin", "fact"),
    ]
    new = Statement("The server is in Frankfurt, not Dublin", "fact")

    meant = verdict(new, known)

    assert meant is not None
    assert (meant.at, meant.relation) == (1, "replaced")
    assert verdict(new, known[:1]) is None


def test_what_tells_of_work_that_was_done_is_never_replaced() -> None:
    known = [Statement("Committed: use npm for installs", "feature")]

    assert verdict(Statement("Use pnpm instead of npm for installs", "fact"), known) is None


def test_an_agent_replaces_only_what_it_says_has_changed() -> None:
    old = "The nightly export reads the invoice table"

    assert between(old, "The nightly export no longer reads the invoice table", "assistant") == (
        "replaced"
    )


@pytest.mark.parametrize(("old", "new"), UNNAMED)
def test_what_contradicts_without_naming_what_it_replaces_is_asked_about(
    old: str, new: str
) -> None:
    assert between(old, new) == "unclear"


@pytest.mark.parametrize(("old", "new"), [*FLIPPED, *UNNAMED])
def test_an_agent_that_denies_what_is_known_only_raises_a_question(old: str, new: str) -> None:
    assert between(old, new, "assistant") == "unclear"


def test_a_denial_that_is_not_sure_only_raises_a_question() -> None:
    old, new = OPPOSITES[0]

    assert between(old, f"Maybe {new[0].lower()}{new[1:]}") == "unclear"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The billing service listens on port 9191", "The billing service listens on port 9292"),
        ("The till runs version 3.11", "The till runs version 3.12"),
        ("The release deadline is Friday", "The release deadline is Monday"),
        ("Our billing service listens on port 9191", "The billing service listens on port 9292"),
    ],
)
def test_another_value_of_the_same_slot_replaces_the_users_own(old: str, new: str) -> None:
    assert between(old, new) == "replaced"
    assert between(old, new, "assistant") == "unclear"
    assert between(old, f"Maybe {new[0].lower()}{new[1:]}") != "replaced"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The staging server is called heron", "Our staging server is called osprey"),
        ("The primary region is Dublin", "The primary region is Frankfurt"),
    ],
)
def test_another_name_in_the_same_words_is_asked_about(old: str, new: str) -> None:
    assert between(old, new) == "unclear"
    assert between(old, new, "assistant") == "unclear"
    assert between(old, f"Maybe {new[0].lower()}{new[1:]}") != "replaced"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always use yarn in this repo.", "Always use pnpm in this repo."),
        ("Never use eval in this code.", "Never use exec in this code."),
        ("Avoid using mocks here", "Avoid using globals here"),
        ("The branch called main is protected", "The branch called release is protected"),
        ("The order with id 55 is paid", "The order with id 56 is paid"),
        ("The build with Node 18 fails", "The build with Node 20 fails"),
        ("The backend uses Postgres", "The backend uses Redis"),
        ("My brother is called Tom", "My brother is called Jim"),
        ("One of our clients is Acme", "One of our clients is Globex"),
        ("Login works via Google", "Login works via GitHub"),
        ("Port 80 is open", "Port 443 is open"),
    ],
)
def test_where_both_may_be_right_another_value_is_asked_about(old: str, new: str) -> None:
    assert between(old, new) == "unclear"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Do not use mocks in the tests", "As I said, no mocks in the tests: do not use them"),
        ("Run the linter before each merge", "Do not forget to run the linter before each merge"),
        ("The shop listens on harbor", "As I said, the shop listens on harbor"),
        ("Deploy the api before the worker", "Before the worker, deploy the api"),
    ],
)
def test_what_only_sounds_like_a_denial_is_the_same(old: str, new: str) -> None:
    assert between(old, new) == "same"


def test_what_is_said_again_with_the_opposite_sense_is_not_the_same() -> None:
    again = "As I said, we do not print the weekly stock report on blue paper for Ines"

    assert between("We print the weekly stock report on blue paper at noon", again) != "same"


def test_where_nothing_is_known_nothing_is_kin() -> None:
    assert verdict(KNOWN[0], []) is None


def test_the_chance_goes_with_the_verdict() -> None:
    found = verdict(
        Statement("As I said, the weekly stock report is due on Mondays", "fact"), KNOWN
    )

    assert found is not None
    assert 0.0 < found.chance < 1.0


def test_words_that_tell_of_no_change_replace_nothing() -> None:
    assert replacing(Statement("The weekly stock report is due on Mondays", ""), KNOWN) == 0.0


def test_words_that_tell_of_a_change_may_replace_what_they_are_about() -> None:
    about = replacing(Statement("The weekly stock report is no longer due on Mondays", ""), KNOWN)
    elsewhere = replacing(Statement("Lunch is no longer at noon", ""), KNOWN)

    assert about > elsewhere == 0.0


def test_words_that_name_what_is_known_surely_replace_it() -> None:
    assert replacing(Statement("Invoices are sent to customers as XML, not PDF", ""), KNOWN) == 1.0


def test_where_nothing_is_known_nothing_can_be_replaced() -> None:
    assert replacing(Statement("The report is no longer due on Mondays", ""), []) == 0.0


def test_the_more_is_shared_the_more_is_seen() -> None:
    little = seen("The server has a fan", "Our staging server runs in Dublin")
    much = seen("The staging server runs in Dublin", "Our staging server runs in Dublin")

    assert {each for each in little if each.startswith(("cover", "count"))} < much


@pytest.mark.parametrize(
    ("new", "old", "value"),
    [
        ("Closed on Fridays", "Closed on Friday", "values=same"),
        ("Closed on Fridays", "Closed on Mondays", "values=other"),
        ("Open from 8 to 18", "Open from 8 to 20", "values=some"),
        ("Thirty days", "14 days", "values=other"),
    ],
)
def test_numbers_and_days_that_differ_are_seen(new: str, old: str, value: str) -> None:
    assert value in seen(new, old)


@pytest.mark.parametrize("new", ["The report comes late", "The report is due soon"])
def test_a_statement_without_numbers_differs_in_none(new: str) -> None:
    found = seen(new, "The report is due on Mondays")

    assert [each for each in found if each.startswith("values=")] == []


@pytest.mark.parametrize(
    ("kinds", "alike"),
    [
        (("fact", "fact"), {"kind=same"}),
        (("preference", "instruction"), {"kind=alike"}),
        (("fact", "decision"), {"kind=alike"}),
        (("fact", "instruction"), set()),
    ],
)
def test_kinds_that_are_alike_are_seen(kinds: tuple[str, str], alike: set[str]) -> None:
    found = seen("The shop uses tabs", "The shop uses spaces", kinds)

    assert {each for each in found if each.startswith("kind=")} == alike


def test_a_word_that_many_share_tells_less() -> None:
    told = Rarity(3, {"shop": 3, "ink": 1})

    assert told.of({"unheard"}) > told.of({"ink"}) > told.of({"shop"}) > 0


def test_a_word_of_every_day_tells_less_than_one_never_heard() -> None:
    assert rarity().of({"always"}) < rarity().of({"zanzib"})


def test_four_hundred_known_statements_are_compared_at_once() -> None:
    many = [Statement(f"Shelf {each} of the shop holds the report", "fact") for each in range(400)]
    told = Statement("The report of the shop moved to shelf 12", "fact")

    assert cpu_seconds(lambda: verdict(told, many), tries=1) < 2.0
