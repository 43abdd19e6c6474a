"""Budgets: a brief is never longer than it may be, and what it leaves out is counted."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import fact, put, summed_up, to_do
from tacit.deliver import brief as briefs
from tacit.deliver.brief import AGENT_CHARS, AGENT_ENTRIES, CHARS, printed
from tacit.deliver.choose import Asked
from tacit.model.memory import DAY_NS, DECIDED, EXPLICIT, KINDS
from tacit.store.memory_port import Wanted
from unit.deliver.conftest import HERE, PROJECT, known
from unit.deliver.preparing import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.deliver.brief import Brief
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

MANY = settings(max_examples=40, deadline=None)
LATER = NOON + 30_000 * DAY_NS  # the ages are as long as they can be
ORIGINS = ("user", "owner", "assistant", "tool:WebFetch")
WORDS = "tea milk jam bread salt oil rice beans soap rope paint 茶 مرحبا 👩‍💻 😀 naïve".split()
MORE = re.compile(r"- (\d+) more: search")


def units(text: str) -> int:
    """Return how long the client takes a text to be."""
    return len(text.encode("utf-16-le")) // 2


def generated(random: Random, number: int) -> Memory:
    """Return a memory of any kind, length and age."""
    length = random.choice([1, 3, 8, 20, 80, 200])
    words = " ".join(random.choice(WORDS) for _ in range(length))
    return fact(
        f"mem-{number}",
        kind=random.choice(KINDS),
        content=f"Box {number} holds {words}"[:2000],
        importance=random.randint(1, 5),
        origin=random.choice(ORIGINS),
        project=random.choice([None, PROJECT]),
        created_at=random.choice([0, NOON - random.randint(0, 400) * DAY_NS, NOON + DAY_NS]),
        pinned=random.random() < 0.001,
    )


@pytest.fixture(scope="module")
def crowd() -> Iterator[SqliteMemory]:
    """Return a memory of ten thousand, with as much else as there may be."""
    random = Random(7)  # noqa: S311  (a test that is the same every time)
    with fresh(sqlite_memory) as store:
        with store.transaction():
            put(store, *(generated(random, number) for number in range(10_000)))
            for number in range(300):
                words = "😀 " * random.randint(1, 80)
                store.actions.put(to_do(f"a-{number}", content=f"Do {number} {words}"))
                text = {"request": f"Ask {number} {words}", "completed": f"Did {number} {words}"}
                store.actions.put_summary(summed_up(f"s-{number}", **text))
        yield store


def is_within(made: Brief, entries: int, chars: int) -> bool:
    """Say whether a brief keeps to its limits, whenever it is printed."""
    longest = max(units(printed(made.text, at)) for at in (0, NOON, LATER))
    return longest <= chars and made.brief_count == len(made.entries) <= entries


def counted(made: Brief) -> dict[str, tuple[int, int]]:
    """Return how many lines each section shows, and how many more it speaks of."""
    found = {}
    for part in made.text.split("\n### ")[1:]:
        title, _, rest = part.partition("\n")
        more = MORE.search(rest)
        lines = [line for line in rest.splitlines() if line.startswith("- ")]
        found[title] = (len(lines) - bool(more), int(more[1]) if more else 0)
    return found


def test_ten_thousand_memories_fit_into_a_brief(crowd: SqliteMemory) -> None:
    made = briefs.brief(crowd, HERE, KEY)

    assert is_within(made, 50, CHARS)
    assert made.entry_count == 10_000
    assert units(made.text) > 0.9 * CHARS


def test_subagents_are_told_little_of_ten_thousand(crowd: SqliteMemory) -> None:
    made = briefs.for_agents(crowd, HERE, KEY)

    assert is_within(made, AGENT_ENTRIES, AGENT_CHARS)
    assert made.entries


def test_every_section_is_there_though_others_could_fill_it_all(crowd: SqliteMemory) -> None:
    shown = counted(briefs.brief(crowd, HERE, KEY))

    assert list(shown) == [
        "Behavioral Preferences",
        "Known Facts",
        "Unverified",
        "Recent Sessions",
        "Pending Actions",
    ]
    assert all(count for count, _ in shown.values())


def test_what_is_more_is_counted_to_the_last_of_ten_thousand(crowd: SqliteMemory) -> None:
    shown = counted(briefs.brief(crowd, HERE, KEY))

    names = ("Behavioral Preferences", "Known Facts", "Unverified")
    installed = sum(
        each.kind == "tool" and each.origin.startswith("tool")
        for each in crowd.memories.wanted(Wanted())
    )
    assert sum(sum(shown[name]) for name in names) == 10_000 - installed
    assert sum(shown["Recent Sessions"]) == 10
    assert sum(shown["Pending Actions"]) == 300


def test_subagents_hear_the_same_count(crowd: SqliteMemory) -> None:
    whole, few = (counted(made(crowd, HERE, KEY)) for made in (briefs.brief, briefs.for_agents))

    assert {name: sum(few[name]) for name in few} == {name: sum(whole[name]) for name in few}


@MANY
@given(
    entries=st.integers(1, 120),
    chars=st.integers(1000, 9500),
    projects=st.sampled_from([(), (PROJECT,)]),
)
def test_every_limit_holds(
    crowd: SqliteMemory, entries: int, chars: int, projects: tuple[str, ...]
) -> None:
    asked = Asked(projects=projects, now=NOON, entries=entries)

    made = briefs.brief(crowd, asked, KEY, chars)

    assert is_within(made, entries, chars)


TEXTS = st.text(min_size=1, max_size=1200)


@MANY
@given(
    contents=st.lists(TEXTS, min_size=1, max_size=12, unique=True),
    limits=st.tuples(st.integers(1, 12), st.integers(1000, 4000)),
)
def test_whatever_the_texts_are_they_are_shown_or_counted(
    contents: list[str], limits: tuple[int, int]
) -> None:
    entries, chars = limits
    with fresh(sqlite_memory) as store:
        put(store, *(known(f"mem-{at}", f"{at} {each}") for at, each in enumerate(contents)))

        made = briefs.brief(
            store, Asked(projects=(PROJECT,), now=NOON, entries=entries), KEY, chars
        )

    assert is_within(made, entries, chars)
    assert sum(counted(made)["Known Facts"]) == len(contents)


def test_a_section_without_room_for_a_line_says_how_many_there_are(memory: SqliteMemory) -> None:
    put(memory, *(known(f"mem-{at}", f"{at} " + "😀" * 400, kind="pattern") for at in range(9)))
    put(memory, *(known(f"fact-{at}", f"fact {at} " + "😀" * 400) for at in range(9)))

    made = briefs.brief(memory, HERE, KEY, 1500)

    assert counted(made) == {"Behavioral Preferences": (1, 8), "Known Facts": (0, 9)}


@pytest.mark.parametrize("field", ["entries", "chars"])
def test_what_is_pinned_is_told_before_what_is_not_whatever_its_section(
    field: str, memory: SqliteMemory
) -> None:
    put(memory, *(known(f"rule-{at}", f"Rule {at} " + "x" * 90, kind="pattern") for at in range(9)))
    put(memory, known("fact", "The till sells tea " + "y" * 90, pinned=True))
    limits: dict[str, Any] = {"entries": (1, CHARS), "chars": (50, 700)}

    entries, chars = limits[field]
    made = briefs.brief(memory, Asked(projects=(PROJECT,), now=NOON, entries=entries), KEY, chars)

    assert "fact" in {each.id for each in made.entries}
    assert is_within(made, entries, chars)


@pytest.mark.parametrize(("entries", "chars"), [(1, CHARS), (50, 700)])
def test_what_somebody_asked_to_be_remembered_is_told_before_what_they_did_not(
    entries: int, chars: int, memory: SqliteMemory
) -> None:
    put(memory, *(known(f"rule-{at}", f"Rule {at} " + "x" * 90, kind="pattern") for at in range(9)))
    put(memory, known("asked", "The till sells tea " + "y" * 90, extractor=EXPLICIT))

    made = briefs.brief(memory, Asked(projects=(PROJECT,), now=NOON, entries=entries), KEY, chars)

    assert "asked" in {each.id for each in made.entries}
    assert is_within(made, entries, chars)


def test_pinned_ones_then_those_asked_for_take_what_room_there_is_then_how_to_behave(
    memory: SqliteMemory,
) -> None:
    put(memory, *(known(f"rule-{at}", f"Rule number {at}", kind="pattern") for at in range(60)))
    put(memory, *(known(f"asked-{at}", f"Box {at}", extractor=EXPLICIT) for at in range(30)))
    put(memory, *(known(f"fact-{at}", f"Shelf {at} is full") for at in range(60)))
    put(memory, known("pinned", "Never on Sundays", kind="instruction", pinned=True))

    made = briefs.brief(memory, HERE, KEY)

    told = Counter(each.id.partition("-")[0] for each in made.entries)
    assert told == {"pinned": 1, "asked": 30, "rule": 19}


def test_however_much_was_asked_for_how_to_behave_is_told_as_well(memory: SqliteMemory) -> None:
    put(memory, *(known(f"rule-{at}", f"Rule number {at}", kind="pattern") for at in range(60)))
    put(memory, *(known(f"asked-{at}", f"Box {at}", extractor=EXPLICIT) for at in range(60)))

    made = briefs.brief(memory, HERE, KEY)

    told = Counter(each.id.partition("-")[0] for each in made.entries)
    assert told == {"asked": 38, "rule": 12}


def test_a_pinned_one_that_is_unverified_comes_first_as_well(memory: SqliteMemory) -> None:
    others = {"origin": "assistant", "kind": "pattern"}
    put(memory, *(known(f"rule-{at}", f"Rule number {at}", kind="pattern") for at in range(9)))
    put(memory, *(known(f"heard-{at}", f"Heard number {at}", **others) for at in range(9)))
    put(memory, known("pinned", "The cache is warm", origin="assistant", pinned=True))

    made = briefs.brief(memory, Asked(projects=(PROJECT,), now=NOON, entries=1), KEY)

    assert [each.id for each in made.entries] == ["pinned"]


def test_what_an_agent_wanted_remembered_takes_no_room_of_the_user_s_words(
    memory: SqliteMemory,
) -> None:
    wanted = {"origin": "agent", "extractor": DECIDED}
    put(memory, *(known(f"agent-{at}", f"Wish number {at}", **wanted) for at in range(9)))
    put(memory, known("rule", "Never on Sundays", kind="pattern"))

    made = briefs.brief(memory, Asked(projects=(PROJECT,), now=NOON, entries=1), KEY)

    assert [each.id for each in made.entries] == ["rule"]
