"""The smallest curator: what the user asks outright to be remembered, cited where it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stopwatch import cpu_seconds
from tacit.curate.explicit import EXPLICIT, covers, is_lead
from tacit.curate.extract import Context, evidence_of
from tacit.curate.reading import Said, TurnText
from tacit.curate.rules.segment import clauses
from tacit.model.memory import LONGEST_CONTENT, Evidence

SAID = Said(
    event="evt-1",
    seq=1,
    at=0,
    kind="prompt",
    origin="user",
    via="live",
    tool=None,
    text="",
    payload={},
)


def turn(text: str, **changes: str) -> TurnText:
    said = replace(SAID, text=text, **changes)  # type: ignore[arg-type]
    return TurnText(session="s-1", turn="t-1", project="prj-shop", said=(said,))


def evidence(text: str, **changes: str) -> list[Evidence]:
    """Return what a prompt teaches: drafts whose words do not stand there teach nothing."""
    told = turn(text, **changes)
    made = [
        evidence_of(each, told, EXPLICIT.name) for each in EXPLICIT.extract(told, Context()).drafts
    ]
    return [each for each in made if each is not None]


def learned(text: str) -> list[str]:
    return [each.content for each in evidence(text)]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("Remember that the shop uses tabs.", ["The shop uses tabs"]),
        ("remember that the shop uses tabs", ["The shop uses tabs"]),
        ("REMEMBER THAT tabs rule!", ["Tabs rule"]),
        ("Please remember that tabs rule.", ["Tabs rule"]),
        ("please, remember: tabs rule", ["Tabs rule"]),
        ("Remember: tabs rule.", ["Tabs rule"]),
        ("Remember, that tabs rule.", ["Tabs rule"]),
        ("Fix it. Remember that tabs rule. Thanks.", ["Tabs rule"]),
        ("Fix it\n  remember that tabs rule\nand go on", ["Tabs rule"]),
        ("Remember that tabs rule.\r\nGo on.", ["Tabs rule"]),
        ("Remember that a is b. Remember that c is d.", ["A is b", "C is d"]),
        ("Remember that a is b.\nRemember that c is d.", ["A is b", "C is d"]),
        (
            "Remember that we run Python 3.11 and SQLite 3.51.",
            ["We run Python 3.11 and SQLite 3.51"],
        ),
        ("Remember that tabs rule?!", ["Tabs rule"]),
        ("Remember that Dr. Weber owns the till. Thanks.", ["Dr. Weber owns the till"]),
        ("Remember that we sell to St. Gallen. Go on.", ["We sell to St. Gallen"]),
        ("Remember that J. Doe signs. Go on.", ["J. Doe signs"]),
        ("Remember that we are in St.", ["We are in St"]),
        ("Remember that the launch is tomorrow.", ["The launch is tomorrow (1970-01-02)"]),
        ("Remember that 日本語で書く", ["日本語で書く"]),
        ("Keep in mind that tabs rule.", ["Tabs rule"]),
        ("Behalt im Kopf, dass Tabs gelten.", ["Tabs gelten"]),
        ("Garde en tête que les tabulations priment.", ["Les tabulations priment"]),
        ("Ten presente que mandan los tabuladores.", ["Mandan los tabuladores"]),
        ("Tieni a mente che valgono i tab.", ["Valgono i tab"]),
        ("Tenha em mente que valem os tabs.", ["Valem os tabs"]),
        ("Miej na uwadze, że liczą się tabulatory.", ["Liczą się tabulatory"]),
        ("Zapisz sobie: liczą się tabulatory.", ["Liczą się tabulatory"]),
    ],
)
def test_what_the_user_asks_to_be_remembered_is_found(text: str, contents: list[str]) -> None:
    assert learned(text) == contents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Do you remember that the shop uses tabs?",
        "I remember: it was a Monday.",
        "Remember the milk.",
        "Remember that",
        "Remember that .",
        "Remember that\nthe shop uses tabs",
        "Remembering that tabs rule.",
        "Remember that time we broke prod?",
        "Remember that time we broke prod.",
        "Remember that one?",
        "Remember that one.",
        "Remember that " + "x" * (LONGEST_CONTENT + 1),
    ],
)
def test_what_only_looks_like_it_is_not_learned(text: str) -> None:
    assert learned(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Remember that my social security number is 078-05-1120",
        "Remember that the PIN for the door is 4711.",
        "Please remember: Anna earns 85,000 a year",
        "Remember that the user is admin and password Winter2026!",
        "Merk dir, dass die PIN der Karte 4711 ist",
    ],
)
def test_a_secret_is_not_remembered_even_if_it_is_asked_for(text: str) -> None:
    assert learned(text) == []


@pytest.mark.parametrize(
    ("kind", "origin"), [("reply", "assistant"), ("prompt", "system"), ("message", "tool:x")]
)
def test_nobody_but_the_user_can_ask(kind: str, origin: str) -> None:
    found = evidence("Remember that the shop uses tabs.", kind=kind, origin=origin)

    assert found == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Remember that always run the tests", "instruction"),
        ("Remember: never push to main", "instruction"),
        ("Remember: don't push", "instruction"),
        ("Remember: use tabs", "instruction"),
        ("Remember that the shop uses tabs", "fact"),
        ("Remember that usefulness counts", "fact"),
        ("Remember: when you write tests, always use real files", "instruction"),
        ("Merk dir: immer zuerst die Tests", "instruction"),
        ("Remember that we always close at six", "fact"),
        ("Remember that I prefer tabs", "preference"),
    ],
)
def test_an_order_is_an_instruction_a_taste_a_preference_and_all_else_a_fact(
    text: str, kind: str
) -> None:
    (found,) = evidence(text)

    assert (found.kind, found.importance) == (kind, 4)


def test_what_is_asked_for_has_tags_and_its_place() -> None:
    (ours,), (mine,) = (
        evidence("Remember that the till opens at six"),
        evidence("Remember that I prefer short answers"),
    )

    assert (ours.tags, ours.project) == (("till", "opens"), "prj-shop")
    assert mine.project is None


@pytest.mark.parametrize(
    "text", ["Keep in mind: tabs rule", "Merk dir: Tabs gelten", "Please remember: tabs rule"]
)
def test_the_words_that_ask_are_covered_with_what_they_ask_for(text: str) -> None:
    (draft,) = EXPLICIT.extract(turn(text), Context()).drafts

    assert all(covers(draft, each) for each in clauses(text))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("Keep in mind:", True), ("Please remember", True), ("Merk dir", True), ("Tabs rule", False)],
)
def test_words_that_only_ask_are_told_from_others(text: str, *, is_so: bool) -> None:
    assert is_lead(text) is is_so


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\x0b"])
def test_a_wide_space_before_the_words_does_not_lose_them(space: str) -> None:
    assert learned(f"Remember that {space}tabs rule.") == ["Tabs rule"]


@settings(deadline=None)
@given(st.text(st.sampled_from("Rrememb thatx.,:!?\n\t \u00a0"), max_size=60))
def test_every_draft_cites_words_that_stand_where_it_says(text: str) -> None:
    told = turn(f"Remember that {text}")

    drafts = EXPLICIT.extract(told, Context()).drafts

    assert len([each for each in drafts if evidence_of(each, told, "x")]) == len(drafts)


@pytest.mark.parametrize(
    "text",
    [
        "Remember that x . ." * 3000,
        "Remember that x." * 4000 + " . .",
        "Remember that " + "x " * 30_000,
        "Remember that x" + " " * 60_000 + "y",
        "\n" * 60_000 + "Remember that x",
    ],
    ids=["never ended", "asked again and again", "many words", "much space", "many lines"],
)
def test_a_long_prompt_takes_no_longer_than_its_length(text: str) -> None:
    taken = cpu_seconds(lambda: EXPLICIT.extract(turn(text), Context()), tries=1)

    assert taken < 1.0
