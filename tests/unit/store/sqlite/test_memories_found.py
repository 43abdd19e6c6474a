"""Memories in SQLite are found by their words, whatever is done to them and whatever is asked.

The index over their passages is in step; where it is not, that is told.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import fresh, sqlite_memory
from contract.memories import HOSTILE, TEXT, fact, put, summed_up
from stopwatch import cpu_seconds
from tacit.recall.analyse import terms, tokens
from tacit.store.index_port import Scope
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

MANY = settings(max_examples=60, deadline=None)
WORDS = ["red", "green", "blue", "x'y", "日本", "a\0b", ""]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
# what is done to which of three memories, with these words
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["put", "change", "rename", "remove"]),
        st.sampled_from(["a", "b", "c"]),
        SENTENCES,
        st.lists(SENTENCES, max_size=3, unique=True).map(tuple),
    ),
    max_size=12,
)
QUERIES = [
    *HOSTILE,
    *("", " \t\n\u2028", '"', '""', '"""" "" "', "()", "é\u0301\u200d\ufeff", "\U0010ffff"),
    *("AND", "NOT NOT", "NEAR(", "a* b:c ^d -e +f"),
    "a" * 100_000,
    '"' * 10_001,
    " ".join(f"word{number}" for number in range(10_000)),
]
NO_TEXTS = ["\0", "red\0blue", "red\0", "\ud800", "red \udfff blue", "\ud83d\ude00"]


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return an empty memory."""
    with fresh(sqlite_memory) as opened:
        yield opened


@pytest.fixture
def colours(memory: SqliteMemory) -> SqliteMemory:
    """Return a memory of five sentences about colours."""
    for name, content in (
        ("a", "the red door"),
        ("b", "red red red"),
        ("c", "the green door is green and a little red beside the long grey wall"),
        ("d", "a blue window"),
        ("e", "nothing at all"),
    ):
        put(memory, fact(name, content=content))
    return memory


def asked(query: str) -> list[str]:
    """Return the tokens that a question asks for."""
    return [token for term in terms(query) for token in term.tokens]


def found(memory: SqliteMemory, query: str, limit: int = 1000) -> str:
    return "".join(names(memory, memory.index.words(asked(query), Scope(), limit)))


def names(memory: SqliteMemory, numbers: list[int]) -> list[str]:
    """Return the memories that these passages are about, in this order."""
    subjects = {row.number: row.subject for row in memory.index.rows(numbers)}
    return [subjects[number] for number in numbers]


def scores(memory: SqliteMemory, query: str) -> list[float]:
    """Ask the index itself how well passages answer, the best first."""
    question = " OR ".join(tokens(query))
    statement = "SELECT -BM25(word_index) FROM word_index WHERE word_index MATCH :query"
    rows = memory.connection.rows(f"{statement} ORDER BY rank", {"query": question})
    return [score for (score,) in rows]


def spent(memory: SqliteMemory, words: list[str]) -> float:
    return cpu_seconds(lambda: memory.index.words(words, Scope(), 1), tries=1)


def rows(memory: SqliteMemory, statement: str) -> list[tuple[object, ...]]:
    return list(memory.connection.rows(statement))


def do(memory: SqliteMemory, deed: str, made: Memory) -> None:
    """Do one thing to a memory, if it is there to be done."""
    known = memory.memories.get(made.id)
    other = made.id.upper() if made.id.islower() else made.id.lower()
    match deed:
        case "put":
            put(memory, made)
        case "change" if known:
            memory.memories.change(known, content=made.content, tags=made.tags)
        case "rename" if known and memory.memories.get(other) is None:
            memory.memories.rename(made.id, other)
        case "remove":
            memory.memories.remove(made.id)


def test_a_renamed_memory_is_still_found_by_its_words(colours: SqliteMemory) -> None:
    colours.memories.rename("d", "x")

    assert (found(colours, "window"), colours.index.is_in_step()) == ("x", True)


def test_the_scores_of_what_is_found_differ_and_are_not_zero(colours: SqliteMemory) -> None:
    found = scores(colours, "green red door")

    assert found == sorted(found, reverse=True)
    assert (len(found), len(set(found))) == (3, 3)
    assert min(found) > 1e-9


def test_a_rare_word_weighs_more_than_one_that_many_hold(colours: SqliteMemory) -> None:
    (rare,) = scores(colours, "window")
    often = scores(colours, "red")

    assert len(often) == 3
    assert rare > max(often)


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("GREEN", "c"),
        ("blue green", "cd"),
        ("gre", ""),
        ("the door and the window", "dac"),
        ('"red door"', "bac"),
        ("red-door", "bac"),
        ("wall-window", "cd"),
        ("purple", ""),
        ("", ""),
    ],
)
def test_words_are_found_whole_and_whatever_their_case(
    colours: SqliteMemory, query: str, fitting: str
) -> None:
    holding = found(colours, query)

    assert sorted(holding) == sorted(fitting)


def test_what_is_written_as_one_is_found_as_one_first(colours: SqliteMemory) -> None:
    put(colours, fact("f", content="the red-door is a name of its own beside red and door"))

    assert found(colours, "red-door", 1) == "f"


def test_a_word_is_found_in_tags_and_without_its_accents(memory: SqliteMemory) -> None:
    put(memory, fact("a", content="un café"), fact("b", tags=("at the Cafe", "red")))

    holding = found(memory, "cafe")

    assert sorted(holding) == ["a", "b"]


def test_the_best_come_first_and_no_more_than_was_asked_for(colours: SqliteMemory) -> None:
    best = [found(colours, "red", limit) for limit in (0, 1, 2, 9)]

    assert best == ["", "b", "ba", "bac"]


@pytest.mark.parametrize("state", ["superseded", "quarantined", "forgotten", "archived"])
def test_only_what_is_active_is_found_by_words(colours: SqliteMemory, state: str) -> None:
    known = colours.memories.named("b")

    colours.memories.change(known, state=state)

    assert [found(colours, "red", limit) for limit in (1, 9)] == ["a", "ac"]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:20])
def test_whatever_is_asked_is_only_words(colours: SqliteMemory, query: str) -> None:
    put(colours, fact("asked", content=query, tags=(query,)))

    holding = names(colours, colours.index.words([*asked(query), *query.split()], Scope(), 9))

    assert set(holding) <= {"asked", *"abcde"}
    assert ("asked" in holding) == bool(tokens(query))
    assert colours.index.is_in_step()
    assert colours.memories.counted() == {"active": 6}


@pytest.mark.parametrize("query", NO_TEXTS)
def test_what_is_asked_in_no_proper_text_is_answered_as_well(
    colours: SqliteMemory, query: str
) -> None:
    holding = found(colours, query)

    assert set(holding) <= set("abcde")


@MANY
@given(query=TEXT | st.text(alphabet="\"'*^:(){}-+ ANDORT", max_size=20))
def test_a_search_never_fails_whatever_is_asked(query: str) -> None:
    with fresh(sqlite_memory) as memory:
        put(memory, fact("a", content="red AND door"))

        for words in (asked(query), query.split()):
            holding = memory.index.words(words, Scope(), 9)

            assert names(memory, holding) in ([], ["a"])


def test_a_word_that_is_said_again_and_again_is_not_looked_for_each_time(
    memory: SqliteMemory,
) -> None:
    with memory.transaction():
        put(memory, *(fact(f"mem-{number}", content=f"red {number}") for number in range(300)))

    different, same = (
        spent(memory, words)
        for words in ([f"red{number}" for number in range(1500)], ["red"] * 1500)
    )

    assert same < 10 * different


@MANY
@given(deeds=DEEDS)
def test_whatever_is_done_words_and_tags_and_index_are_in_step(
    deeds: list[tuple[str, str, str, tuple[str, ...]]],
) -> None:
    with fresh(sqlite_memory) as memory:
        for deed, name, content, tags in deeds:
            do(memory, deed, fact(name, content=content, tags=tags))

            assert memory.index.is_in_step()

        known = memory.memories.wanted(Wanted())
        tagged = {(each.id, tag) for each in known for tag in each.tags}
        assert set(rows(memory, "SELECT memory, tag FROM tags")) == tagged
        assert sorted(rows(memory, "SELECT subject, tokens FROM passages")) == sorted(
            (each.id, " ".join(tokens(" ".join((each.content, *each.tags))))) for each in known
        )
        for word in ("red", "green", "blue"):
            holding = {each.id for each in known if word in f"{each.content} {each.tags}"}
            assert set(found(memory, word)) == holding


def test_the_index_keeps_no_words_of_its_own(memory: SqliteMemory) -> None:
    tables = [row[0] for row in rows(memory, "SELECT name FROM sqlite_schema WHERE type = 'table'")]

    assert {"passages", "word_index", "word_index_data"} <= set(tables)
    assert {"terms", "term_index", "term_index_data"} <= set(tables)
    assert not {"word_index_content", "term_index_content"} & set(tables)


@pytest.mark.parametrize(
    "tampering",
    [
        "DELETE FROM passages WHERE number = 1",
        "UPDATE passages SET tokens = 'purpl' WHERE number = 1",
        "UPDATE passages SET subject = 'no memory' WHERE number = 1",
        "UPDATE passages SET project = 'another' WHERE number = 1",
        "UPDATE passages SET session = 'another' WHERE number = 1",
        "UPDATE passages SET at = 0 WHERE number = 1",
        "UPDATE passages SET layer = 'message' WHERE number = 1",
        "UPDATE passages SET number = 99 WHERE number = 1",
        "INSERT INTO passages VALUES (9, 'memory', '', '', '', '', '', '', 0, 0, 3, 0, 0, '', x'')",
        "DELETE FROM memories WHERE number = 1",
        "UPDATE memories SET id = 'another' WHERE number = 1",
        "UPDATE memories SET tags = '[\"purple\"]' WHERE number = 1",
        "DELETE FROM summaries",
        "UPDATE summaries SET project = NULL",
        "DELETE FROM passages WHERE layer = 'summary'",
        "INSERT INTO word_index (word_index) VALUES ('delete-all')",
        "INSERT INTO word_index (word_index, rowid, tokens) VALUES ('delete', 1, 'red')",
        "INSERT INTO word_index (rowid, tokens) VALUES (1, 'purpl')",
        "DELETE FROM terms WHERE term = 'red'",
        "UPDATE terms SET passages = 4 WHERE term = 'red'",
        "UPDATE terms SET term = 'purpl' WHERE term = 'red'",
        "INSERT INTO terms VALUES (99, 'purpl', 1)",
        "INSERT INTO term_index (term_index) VALUES ('delete-all')",
        "INSERT INTO term_index (term_index, rowid, term) VALUES ('delete', 1, 'red')",
        "INSERT INTO term_index (rowid, term) VALUES (1, 'purpl')",
        "INSERT INTO vectors (passage, model, vector) VALUES (99, 'a model', x'00')",
    ],
)
def test_an_index_that_is_not_in_step_is_noticed(colours: SqliteMemory, tampering: str) -> None:
    colours.actions.put_summary(summed_up("session-1"))
    before = colours.index.is_in_step()
    with closing(apsw.Connection(str(colours.connection.path))) as plain:
        for (name,) in list(plain.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
            plain.execute(f"DROP TRIGGER {name}")
        plain.execute(tampering)

    is_in_step = colours.index.is_in_step()

    assert (before, is_in_step) == (True, False)


def test_words_that_are_not_those_of_their_memory_are_noticed(colours: SqliteMemory) -> None:
    colours.connection.value("UPDATE memories SET content = 'purple' WHERE number = 1")

    is_in_step = colours.index.is_in_step()

    assert is_in_step is False


def test_a_put_that_fails_halfway_leaves_the_memory_as_it_was(colours: SqliteMemory) -> None:
    before = colours.memories.named("a")
    broken = replace(before, content="purple", tags=("same", "same"))

    with pytest.raises(apsw.ConstraintError):
        put(colours, broken)

    assert (colours.memories.get("a"), found(colours, "purple")) == (before, "")
    assert colours.index.is_in_step()
