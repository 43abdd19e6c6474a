"""Features: what the scorer sees of a clause, of its place, and of the turn around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import anew, grows_within
from tacit.curate.rules.features import Around, features
from tacit.curate.rules.segment import Clause, clauses

TEXTS = st.text(st.characters(exclude_categories=()), max_size=60)
AROUND = st.builds(Around, before=TEXTS, reply=TEXTS, did=st.lists(TEXTS, max_size=3).map(tuple))


def of(text: str, **around: str | tuple[str, ...]) -> set[str]:
    """Return the features of a text as the only clause of its message."""
    (found,) = features((Clause(0, text),), Around(**around))  # type: ignore[arg-type]
    return found


def named(found: set[str], name: str) -> set[str]:
    """Return the values of the features of one name."""
    return {each.split("=", 1)[1] for each in found if each.startswith(f"{name}=")}


def test_each_clause_of_a_message_has_features_of_its_own() -> None:
    found = features(clauses("Use tabs. Never push."), Around())

    assert [named(each, "first") for each in found] == [
        {"use", "use_tabs"},
        {"never", "never_push"},
    ]


def test_no_clause_no_features() -> None:
    assert features((), Around()) == []


def test_the_stems_of_words_and_of_neighbours_are_seen() -> None:
    found = of("Deployments never happen")

    assert named(found, "u") == {"deploy", "never", "happen"}
    assert named(found, "b") == {"deploy_never", "never_happen"}


def test_three_words_are_seen_together_if_the_first_two_are_short() -> None:
    assert named(of("everything is now in place"), "t") == {"is_now_in", "now_in_place"}


def test_the_first_and_the_last_word_are_seen() -> None:
    found = of("Never push today")

    assert (named(found, "first"), named(found, "last")) == ({"never", "never_push"}, {"today"})


def test_a_clause_of_one_word_has_no_pair_at_its_beginning() -> None:
    assert named(of("Stop"), "first") == {"stop"}


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("at most 3 of them", "number"),
        ("see docs/rules for it", "path"),
        ("see rules.md for it", "path"),
        ("ask Ines for it", "name"),
        ("call isReady for it", "identifier"),
        ("call is_ready for it", "identifier"),
        ('say "well done" to it', "quote"),
        ("say „gut gemacht“ dazu", "quote"),
        ("dis «bien fait» toujours", "quote"),
        ("is it so?", "question"),
        ("そうですか\uff1f", "question"),
        ("stop it!", "shout"),
        ("the API answers", "capitals"),
        ("use tabs, not spaces", "comma-not"),
        ("Tabs, nicht Leerzeichen", "comma-not"),
    ],
)
def test_the_shape_of_a_clause_is_seen(text: str, shape: str) -> None:
    assert shape in named(of(text), "has")


def test_a_plain_clause_has_no_shape() -> None:
    assert named(of("use tabs everywhere"), "has") == set()


def test_a_capital_at_the_beginning_makes_no_name() -> None:
    assert "name" not in named(of("Tabs are fine"), "has")


@pytest.mark.parametrize(
    ("count", "length"), [(1, "0"), (3, "1"), (5, "2"), (8, "3"), (13, "4"), (20, "5"), (90, "5")]
)
def test_the_length_of_a_clause_is_seen_roughly(count: int, length: str) -> None:
    assert named(of("lamp " * count), "words") == {length}


def test_the_place_of_a_clause_in_its_message_is_seen() -> None:
    found = features(clauses("Use tabs. Never push. That is all."), Around())

    assert [named(each, "place") for each in found] == [{"first"}, {"after"}, {"after", "last"}]


def test_the_only_clause_is_first_and_last() -> None:
    assert named(of("Use tabs"), "place") == {"first", "only", "last"}


def test_the_cues_of_a_clause_are_seen() -> None:
    assert {"standing", "standing-first", "ban"} <= named(of("Never push to main"), "cue")


@pytest.mark.parametrize(
    ("reply", "share"),
    [
        ("Something else", "0"),
        ("About lamps", "1"),
        ("Lamps and cables", "2"),
        ("Lamps, cables, shelves", "3"),
        ("Lamps, cables, shelves, drawers", "4"),
    ],
)
def test_how_much_the_reply_takes_up_is_seen(reply: str, share: str) -> None:
    assert named(of("lamps cables shelves drawers", reply=reply), "reply-share") == {share}


def test_how_much_was_done_and_said_before_is_seen() -> None:
    found = of("count the lamps", did=("Bash: count lamps -> 7",), before="How are you?")

    assert (named(found, "did-share"), named(found, "before-share")) == ({"4"}, {"0"})


def test_a_clause_that_is_about_nothing_takes_nothing_up() -> None:
    assert named(of("is it so", reply="It is so"), "reply-share") == set()


def test_how_the_reply_begins_is_seen_by_all_clauses() -> None:
    found = features(clauses("Use tabs. Never push."), Around(reply="Noted, tabs it is"))

    assert [{"noted", "tabs", "it", "noted_tabs"} <= named(each, "reply") for each in found] == [
        True,
        True,
    ]


def test_a_turn_without_reply_and_without_a_turn_before_it_says_so() -> None:
    found = of("Use tabs")

    assert (named(found, "reply"), named(found, "before")) == ({"none"}, {"none"})


@pytest.mark.parametrize(
    ("before", "told"), [("Tabs or spaces? \n", {"question"}), ("Done.", set()), ("", {"none"})]
)
def test_whether_the_agent_had_asked_is_seen(before: str, told: set[str]) -> None:
    assert named(of("Tabs", before=before), "before") == told


@pytest.mark.parametrize(
    ("did", "told"),
    [
        ((), {"0"}),
        (("Bash: ls -> a",), {"1"}),
        (("Bash: ls -> a",) * 5, {"2"}),
        (("Edit: a.py -> ok",), {"1", "edits"}),
        (("Read: Edit: x -> y",), {"1"}),
    ],
)
def test_what_was_done_is_seen(did: tuple[str, ...], told: set[str]) -> None:
    assert named(of("Go on", did=did), "tools") == told


@given(st.lists(TEXTS, max_size=4), AROUND)
def test_whatever_is_said_each_clause_has_its_place_and_its_length(
    texts: list[str], around: Around
) -> None:
    found = features(tuple(Clause(0, text) for text in texts), around)

    assert len(found) == len(texts)
    assert [each for each in found if not (named(each, "place") and named(each, "words"))] == []


@pytest.mark.parametrize("unit", ["lamp ", "a", "_", "aB", "a.", "日", "A", "don't "])
def test_time_is_linear(unit: str) -> None:
    small, big = (unit * (size // len(unit)) for size in (3000, 12_000))

    assert grows_within(9, anew(of, small), anew(of, big))


@pytest.mark.parametrize("sign", ["'", '"', "«"])
def test_time_is_linear_behind_a_quotation_mark_that_is_never_closed(sign: str) -> None:
    # short ones, for a pattern that goes wrong here takes hours for a long one
    small, big = (sign + "a" * size for size in (150, 600))

    assert grows_within(9, anew(of, small), anew(of, big))
