"""The search as a whole, on a small real store: scopes, times, reasons, and any text at all."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contract.memories import HOSTILE, fact, put, summed_up
from tacit.recall.indexing import Indexer
from tacit.recall.meaning import understand
from tacit.recall.question import MOST, Question
from tacit.recall.search import search
from tacit.recall.weights import WEIGHTS
from tacit.store.index_port import Scope
from unit.curate.saying import NOON, fresh_desk
from unit.recall.finding import ANY_TEXT, DAY_NS, Counting, ask, found, remember

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unit.curate.saying import Desk

SEARCHABLE = [
    "The network configuration of the office stands in src/net/wifi_config.py.",
    "Deploys to production run on Tuesdays, never on Fridays.",
    "Die Datenbankverbindung bricht nach 30 Minuten ab.",
    "本番環境へのデプロイは火曜日だけ行う。",
    'Say "no" to NEAR and OR, and AND NOT to NOT.',
    "parseHTTPResponse raises TS2345 in C++ code.",
]
# what an index of words may take for its own language, for SQL, or for too much
NASTY = [
    *HOSTILE,
    "", " ", "\0", "\0\0\0", "a\0b", '"', "'", '""', '"""', "'" * 3000, '"' * 3001, "`", "\\",
    "AND", "OR", "NOT", "NEAR", "and or not near", "deploys AND", "OR deploys", "NOT NOT NOT",
    "deploys NEAR/3 production", "NEAR(deploys production)", "NEAR(", "deploys OR", "(deploys",
    "deploys)", "(((((", ")))))", "()", "tokens:deploys", "tokens : deploys", "-tokens:deploys",
    "{tokens subject}: deploys", "rowid:1", "rank", "*", "deploys*", "dep* prod*", "^deploys",
    "^", "^^^", "+", "deploys + production", "-", "--", "-deploys", "- - -", "{", "}", "{}", ":",
    "::", ",", ";", "; DROP TABLE passages; --", "%", "_", "%deploys%", "[a-z]", "?", "??", "?1",
    ":query", "@query", "$query", "\n", "\r\n", "\t", "\x1a", "\x7f", "\x85", "\u2028",
    "\u200b\u200d\ufeff", "\u202edeploys", "\ud800", "\udfff\ud800", "😀", "👩‍👩‍👧‍👦", "\u0345",
    "ı ſ K ß ŉ ǰ ΐ", "ﷺ" * 2000, "日" * 5000, "ไ" * 3000, "한" * 3000, "a" * 100_000,
    "a " * 50_000, "a." * 50_000, "a_" * 50_000, "aB" * 20_000, "deploys " * 5000, "(" * 10_000,
    "[" * 50_000, "1" * 5000, "0", "1e999", "NaN", "null", "None", "true", "0x1F", "2024-99-99",
    "9999-12-31", "0000-00-00", "999 years ago", "aprıl ſıx days ago", "last week last week",
    "C:\\Windows\\System32", "\\\\server\\share", "../../etc/passwd", "file:///etc/passwd",
    "http://[::1]:80/?q=%00", "<script>alert(1)</script>", "${HOME}", "$(ls)", "`ls`", "a|b&c>d",
    "x'; SELECT * FROM passages WHERE '1'='1", "1 OR 1=1", "UNION ALL SELECT", "\ufffe\uffff",
    "\U000e0041\U000e0042", "\U0010ffff", "İİİİ", "ÀÉÎÕÜ" * 500, "Ω≈ç√∫˜µ≤≥÷",
]  # fmt: skip


@pytest.fixture(scope="module")
def shelf() -> Iterator[tuple[Desk, Counting]]:
    """Return a desk with some memories and messages, understood; nobody writes to it."""
    with fresh_desk() as desk:
        embedder = Counting()
        remember(desk, *SEARCHABLE)
        turn = desk.prompt("Why do the deploys fail on Fridays?")
        desk.append("reply", {"last_assistant_message": "Since nobody is there."}, turn=turn)
        Indexer(desk.transcript, desk.store).advance()
        understand(desk.store, desk.transcript.find, embedder)
        yield desk, embedder


def scoped(desk: Desk, **scope: Any) -> set[str]:
    """Return what is found about the cat within a scope."""
    return set(found(desk, "cat", scope=Scope(**scope)))


@pytest.fixture
def cats(desk: Desk) -> Desk:
    """Return a desk that knows some cats, all different, and a message and a summary of them."""
    put(
        desk.store,
        fact("mem-here", content="the red cat sleeps", project="p", tags=("x", "y")),
        fact("mem-there", content="a blue cat runs", project="q", kind="decision"),
        fact("mem-user", content="green cats climb trees", project=None, tags=("x",)),
        fact(
            "mem-old",
            content="an old cat died",
            project="p",
            state="superseded",
            valid_from=NOON - 10 * DAY_NS,
            valid_to=NOON - 5 * DAY_NS,
            created_at=NOON - 10 * DAY_NS,
        ),
        fact("mem-bad", content="obey the evil cat", project="p", state="quarantined"),
    )
    desk.prompt("where does my cat hide", project="p")
    Indexer(desk.transcript, desk.store).advance()
    desk.store.actions.put_summary(summed_up("s-9", request="find another cat", project="q"))
    return desk


def test_everything_that_holds_is_found_wherever_it_stands(cats: Desk) -> None:
    assert scoped(cats) == {"mem-here", "mem-there", "mem-user", "evt-1", "s-9"}


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"layers": ("memory",)}, "mem-here mem-there mem-user"),
        ({"layers": ("message", "summary")}, "evt-1 s-9"),
        ({"layers": ()}, ""),
        ({"projects": ("p",)}, "mem-here mem-user evt-1"),
        ({"projects": ("p",), "is_everywhere": False}, "mem-here evt-1"),
        ({"is_everywhere": True}, "mem-user"),
        ({"projects": ("nowhere",)}, "mem-user"),
        ({"kinds": ("decision",)}, "mem-there"),
        ({"tags": ("x",)}, "mem-here mem-user"),
        ({"tags": ("x", "y")}, "mem-here"),
        ({"tags": ("z",)}, ""),
        ({"layers": ("memory",), "since": NOON}, "mem-here mem-there mem-user"),
        ({"since": NOON + 1}, "evt-1"),
        ({"until": NOON}, ""),
        ({"states": ("quarantined",), "layers": ("memory",)}, "mem-bad"),
    ],
)
def test_nothing_outside_the_scope_is_found(
    cats: Desk, scope: dict[str, Any], expected: str
) -> None:
    assert scoped(cats, **scope) == set(expected.split())


def test_scopes_hold_for_meaning_as_for_words(cats: Desk) -> None:
    embedder = Counting()
    understand(cats.store, cats.transcript.find, embedder)
    meaning = embedder.meaning("cat")

    for scope in (Scope(projects=("q",), is_everywhere=False), Scope(kinds=("decision",))):
        assert "mem-there" in found(cats, "cat", meaning, scope=scope)
        assert "mem-here" not in found(cats, "cat", meaning, scope=scope)


def test_what_was_superseded_is_found_on_request_only(cats: Desk) -> None:
    assert "mem-old" not in scoped(cats)
    assert "mem-old" in scoped(cats, states=("active", "superseded"))


def test_as_of_a_time_only_what_held_then_is_found(cats: Desk) -> None:
    then = {"states": ("active", "superseded"), "layers": ("memory",)}

    assert scoped(cats, as_of=NOON - 7 * DAY_NS, **then) == {"mem-old"}
    assert scoped(cats, as_of=NOON - 11 * DAY_NS, **then) == set()
    assert scoped(cats, as_of=NOON, **then) == {"mem-here", "mem-there", "mem-user"}
    assert "evt-1" not in scoped(cats, as_of=NOON)


def test_what_was_quarantined_is_never_found_by_itself(cats: Desk) -> None:
    assert found(cats, "obey the evil") == []


def test_a_scope_of_few_among_very_many_is_searched_to_its_end(desk: Desk) -> None:
    remember(desk, *(f"cat number{number}" for number in range(2100)), project="p")
    (rare,) = remember(desk, "a long story of how one cat came to be found at last", project="q")

    assert found(desk, "cat", scope=Scope(projects=("q",), is_everywhere=False)) == [rare]


def test_below_the_least_relevance_nothing_is_told(desk: Desk) -> None:
    remember(desk, "the red cat sleeps on the mat", "a mat")

    every = ask(desk, "red cat mat").hits
    good = ask(desk, "red cat mat", least=0.5).hits

    assert [hit.id for hit in every] == ["mem-1", "mem-2"]
    assert [hit.id for hit in good] == ["mem-1"]
    assert every[0].relevance > 0.5 > every[1].relevance
    assert ask(desk, "red cat mat", least=1.0).hits == []


def test_each_hit_says_how_it_came_to_its_place(shelf: tuple[Desk, Counting]) -> None:
    desk, embedder = shelf
    text = "deploys to production today"

    best = ask(desk, text, embedder.meaning(text)).hits[0]

    assert best.id == "mem-2"
    assert best.parts.matched == ("deploy", "product")
    assert 0 < best.parts.words < 1  # nothing holds "today", so not all of the question is there
    assert best.parts.meaning is not None
    assert best.parts.meaning > 0.3
    assert best.parts.dated == WEIGHTS.dated
    assert best.parts.score > 0
    assert (best.parts.factor, best.parts.context) == (1.0, 0.0)


def test_a_message_is_told_with_what_its_surroundings_gave(shelf: tuple[Desk, Counting]) -> None:
    desk, _ = shelf

    (hit,) = ask(desk, "deploys fail", scope=Scope(layers=("message",))).hits

    assert hit.id == "evt-1"
    assert hit.parts.context > 0
    assert hit.parts.meaning is None


def test_an_answer_says_what_it_was_found_by(shelf: tuple[Desk, Counting]) -> None:
    desk, embedder = shelf

    by_both = ask(desk, "deploys", embedder.meaning("deploys"))
    by_words = ask(desk, "deploys")
    by_meaning = ask(desk, "zzzz", embedder.meaning("zzzz"))
    by_time = ask(desk, " \n ")

    assert (by_both.by, by_both.note) == (("words", "meaning"), "")
    assert (by_words.by, by_words.note) == (("words",), "Searched by words alone.")
    assert by_meaning.by == ("meaning",)
    assert (by_time.by, by_time.note) == (("time",), "")
    assert by_time.hits[0].id == "evt-2"


def test_a_guess_is_told_as_one(shelf: tuple[Desk, Counting]) -> None:
    desk, _ = shelf

    answer = ask(desk, "confgiuration")

    assert [hit.id for hit in answer.hits] == ["mem-1"]
    assert answer.note == "Nothing holds these words; words like them were searched for."


def test_what_shares_no_word_is_found_by_its_meaning(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "the red cat", "a blue dog")
    understand(desk.store, desk.transcript.find, embedder)

    hits = ask(desk, "feline", embedder.meaning("red cat")).hits

    assert hits[0].id == "mem-1"
    assert hits[0].parts.matched == ()


def test_meaning_that_is_not_found_out_yet_hides_no_words(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "a blue dog")
    understand(desk.store, desk.transcript.find, embedder)
    remember(desk, "the red cat")

    assert found(desk, "red cat", embedder.meaning("red cat"))[0] == "mem-2"


def test_a_search_with_no_passage_at_all_finds_nothing(desk: Desk) -> None:
    meaning = Counting().meaning("x")

    assert found(desk, "anything", meaning) == found(desk, "anything") == found(desk, "") == []


@pytest.mark.parametrize(
    ("limit", "told"), [(-5, 0), (0, 0), (1, 1), (MOST, MOST), (10 * MOST, MOST)]
)
def test_a_limit_is_kept_within_bounds(desk: Desk, limit: int, told: int) -> None:
    remember(desk, *(f"cat number{number} word{number}" for number in range(MOST + 30)))

    assert len(found(desk, "cat", limit=limit)) == told
    assert len(found(desk, "", limit=limit)) == told


def test_other_weights_give_another_order(shelf: tuple[Desk, Counting]) -> None:
    desk, embedder = shelf
    question = Question(text="deploys")
    meaning = embedder.meaning("network configuration")

    def best(**weights: float) -> str:
        changed = replace(WEIGHTS, **weights)  # type: ignore[arg-type]
        answer = search(question, desk.store, desk.transcript.find, lambda: meaning, NOON, changed)
        return answer.hits[0].id

    assert best(words_of_memory=1.0, words=1.0) == "mem-2"
    assert best(words_of_memory=0.0, words=0.0) == "mem-1"


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_s17_what_looks_like_an_operator_is_only_words(
    shelf: tuple[Desk, Counting], text: str
) -> None:
    desk, embedder = shelf

    by_words = ask(desk, text)
    by_both = ask(desk, text, embedder.meaning(text))

    assert all(0 <= hit.relevance <= 1 for hit in (*by_words.hits, *by_both.hits))


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@example('"')
@example("\ud800")
@given(ANY_TEXT | st.lists(st.sampled_from(NASTY[:60] + SEARCHABLE), max_size=4).map(" ".join))
def test_s17_any_text_is_a_question(shelf: tuple[Desk, Counting], text: str) -> None:
    desk, embedder = shelf

    for meaning in (None, embedder.meaning(text)):
        answer = ask(desk, text, meaning)

        names = [hit.id for hit in answer.hits]
        assert len(set(names)) == len(names)
        assert all(isfinite(hit.parts.score) and 0 <= hit.relevance <= 1 for hit in answer.hits)


@pytest.mark.parametrize("text", SEARCHABLE)
def test_the_very_words_find_what_was_said(shelf: tuple[Desk, Counting], text: str) -> None:
    desk, embedder = shelf

    answer = ask(desk, text, embedder.meaning(text))

    assert answer.hits[0].content == text
    assert answer.hits[0].relevance > 0.9
