"""Choosing: who comes first, what never comes, and that nothing is said twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import NOON
from contract.memories import fact, put, summed_up, to_do
from contract.memories import told as telling
from tacit.deliver.choose import SESSIONS, Seen, choose
from tacit.model.memory import DAY_NS, DECIDED, EDITED, EXPLICIT
from unit.deliver.conftest import HERE, known

if TYPE_CHECKING:
    from tacit.deliver.choose import Chosen
    from tacit.store.sqlite.memory import SqliteMemory

NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()


def chosen(store: SqliteMemory, **asked: Any) -> Chosen:
    return choose(store, replace(HERE, **asked))


def ids(found: list[Any]) -> list[str]:
    return [each.id for each in found]


def facts(store: SqliteMemory, **asked: Any) -> list[str]:
    return ids(chosen(store, **asked).facts)


def test_pinned_come_first_then_what_was_asked_for_then_what_counts_most(
    memory: SqliteMemory,
) -> None:
    put(
        memory,
        fact("old", created_at=NOON - 90 * DAY_NS, importance=4),
        fact("weighty", importance=5),
        fact("light", importance=1),
        fact("usual"),
        fact("explicit", extractor=EXPLICIT, importance=1),
        fact("decided", extractor=DECIDED, importance=2),
        fact("edited", extractor=EDITED, importance=3),
        fact("pinned", pinned=True, importance=1, created_at=NOON - 300 * DAY_NS),
        fact("both", pinned=True, extractor=DECIDED, importance=1),
    )

    assert facts(memory) == [
        "both", "pinned", "edited", "decided", "explicit", "weighty", "usual", "old", "light",
    ]  # fmt: skip


def test_of_two_that_weigh_the_same_the_newer_comes_first(memory: SqliteMemory) -> None:
    put(memory, fact("older", created_at=NOON - DAY_NS), fact("newer"))

    assert facts(memory) == ["newer", "older"]


@pytest.mark.parametrize(
    ("origin", "kind", "part"),
    [
        ("user", "fact", "facts"),
        ("owner", "decision", "facts"),
        ("user", "preference", "behaviour"),
        ("owner", "correction", "behaviour"),
        ("user", "instruction", "behaviour"),
        ("user", "pattern", "behaviour"),
        ("assistant", "fact", "unverified"),
        ("agent", "bugfix", "unverified"),
        ("tool:Bash", "discovery", "unverified"),
        ("assistant", "instruction", "unverified"),
        ("user ", "fact", "unverified"),
    ],
)
def test_what_others_say_is_never_among_what_the_user_says(
    origin: str, kind: str, part: str, memory: SqliteMemory
) -> None:
    put(memory, fact("mem-1", origin=origin, kind=kind))

    found = chosen(memory)

    assert {name: ids(getattr(found, name)) for name in ("behaviour", "facts", "unverified")} == {
        "behaviour": [],
        "facts": [],
        "unverified": [],
    } | {part: ["mem-1"]}


@pytest.mark.parametrize("origin", ["assistant", "quoted", "tool:Bash"])
def test_what_nothing_supports_is_told_to_nobody(origin: str, memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", origin=origin, is_supported=False))

    found = chosen(memory)

    assert (found.facts, found.unverified) == ([], [])


@pytest.mark.parametrize(
    ("setting", "is_supported", "part"),
    [
        ("unverified", False, "unverified"),
        ("warned", False, "behaviour"),
        ("candidate", False, ""),
        ("unverified", True, "behaviour"),
        ("candidate", True, "behaviour"),
    ],
)
def test_an_agent_s_rule_stands_where_the_owner_wants_it(
    setting: str, part: str, memory: SqliteMemory, *, is_supported: bool
) -> None:
    put(memory, fact("mem-1", origin="agent", kind="instruction", is_supported=is_supported))

    found = chosen(memory, agent=setting)

    parts = {name: ids(getattr(found, name)) for name in ("behaviour", "unverified")}
    assert parts == {"behaviour": [], "unverified": []} | ({part: ["mem-1"]} if part else {})


@pytest.mark.parametrize("state", ["superseded", "quarantined", "forgotten", "archived"])
@pytest.mark.parametrize("origin", ["user", "tool:Bash"])
def test_what_does_not_stand_is_never_told(state: str, origin: str, memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", state=state, origin=origin, pinned=True))

    found = chosen(memory)

    assert (found.behaviour, found.facts, found.unverified) == ([], [], [])
    assert set(found.unread.values()) == {0}


@pytest.mark.parametrize("state", ["superseded", "quarantined", "forgotten", "archived", "gone"])
def test_an_action_about_a_memory_that_does_not_stand_is_not_told(
    state: str, memory: SqliteMemory
) -> None:
    if state != "gone":
        put(memory, fact("mem-1", state=state, content="The till sells tea"))
    put(memory, fact("mem-2", content="The fridge keeps milk"))
    memory.actions.put(to_do("act-1", content="Keep this: the till sells tea", memory="mem-1"))
    memory.actions.put(to_do("act-2", content="Is this so: the fridge is cold", memory="mem-2"))

    assert ids(chosen(memory).actions) == ["act-2"]


def test_a_brief_of_a_time_holds_what_stood_then(memory: SqliteMemory) -> None:
    put(
        memory,
        fact("was", state="superseded", valid_from=NOON - 9, valid_to=NOON - 4),
        fact("is", valid_from=NOON - 4),
        fact("held", state="quarantined", valid_from=NOON - 9),
        fact("gone", state="forgotten", valid_from=NOON - 9),
        fact("aside", state="archived", valid_from=NOON - 9),
    )
    memory.actions.put(to_do("act-1", created_at=NOON - 9))

    then, now = (chosen(memory, as_of=at) for at in (NOON - 5, NOON - 4))

    assert (ids(then.facts), ids(now.facts), facts(memory)) == (["was"], ["is"], ["is"])
    assert (then.actions, ids(chosen(memory).actions)) == ([], ["act-1"])


def test_sessions_of_long_ago_are_told_as_of_then(memory: SqliteMemory) -> None:
    for number in range(200):
        words = f"Request {number} about {number * 7919}"
        memory.actions.put_summary(
            summed_up(
                f"s-{number}", request=words, completed="Done", updated_at=NOON + number * DAY_NS
            )
        )

    then = chosen(memory, now=NOON + 3 * DAY_NS, as_of=NOON + 3 * DAY_NS).sessions

    assert [each.session for each in then] == ["s-3", "s-2", "s-1", "s-0"]


def test_a_project_hears_its_own_and_what_holds_everywhere(memory: SqliteMemory) -> None:
    put(
        memory,
        fact("own"),
        fact("all", project=None),
        fact("joined", project="project-3"),
        fact("other", project="project-2"),
    )
    for name, project in {"own": "project-1", "all": None, "other": "project-2"}.items():
        memory.actions.put(to_do(f"act-{name}", project=project, content=f"Do {name} thing"))

    alone, joined, nowhere = (
        chosen(memory, projects=projects)
        for projects in (("project-1",), ("project-1", "project-3"), ())
    )

    assert sorted(ids(alone.facts)) == ["all", "own"]
    assert sorted(ids(joined.facts)) == ["all", "joined", "own"]
    assert ids(nowhere.facts) == ["all"]
    assert [ids(each.actions) for each in (alone, nowhere)] == [["act-all", "act-own"], ["act-all"]]


def test_the_last_ten_sessions_that_came_to_something_are_told(memory: SqliteMemory) -> None:
    for number, word in enumerate(NUMBERS):
        memory.actions.put_summary(
            summed_up(
                f"s-{number:02d}",
                request=f"Paint wall {word}",
                files_edited=("wall.md",),
                updated_at=NOON - number,
            )
        )
    memory.actions.put_summary(summed_up("s-empty"))
    memory.actions.put_summary(summed_up("s-idle", request="Look at a wall"))
    memory.actions.put_summary(summed_up("s-far", project="project-2", request="Paint a boat"))

    found = [each.session for each in chosen(memory).sessions]

    assert found == [f"s-{number:02d}" for number in range(SESSIONS)]
    assert chosen(memory, projects=()).sessions == []


def test_actions_are_told_by_their_priority(memory: SqliteMemory) -> None:
    for name, priority in {"c": 2, "a": 0, "b": 1}.items():
        memory.actions.put(to_do(name, priority=priority))
    memory.actions.put(to_do("done", status="acted_on"))

    assert ids(chosen(memory).actions) == ["a", "b", "c"]


def test_nothing_is_said_twice_in_whatever_section(memory: SqliteMemory) -> None:
    said = "Run the linter before every commit"
    put(
        memory,
        fact("rule", kind="instruction", content=said),
        fact("fact", content="run the linter, before every commit!"),
        fact("all", content=said, project=None),
        fact("heard", content=f"“{said}”", origin="assistant"),
    )
    memory.actions.put(to_do("act-1", content=f"{said}."))
    memory.actions.put_summary(summed_up("s-1", request=said))

    found = chosen(memory)

    assert ids(found.behaviour) == ["rule"]
    assert (found.facts, found.unverified, found.actions, found.sessions) == ([], [], [], [])
    assert set(found.unread.values()) == {0}


def test_what_the_client_shows_anyway_is_left_out(memory: SqliteMemory) -> None:
    put(
        memory,
        known("shown", "The shop uses tabs"),
        known("rule", "Never deploy on Fridays", kind="instruction"),
        known("new", "The till sells tea"),
    )
    lines = ("[Style](style.md) the shop uses tabs, in Go as well", "never deploy on Fridays!")

    found = chosen(memory, known=lines)

    assert (ids(found.facts), found.behaviour) == (["new"], [])


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("The shop uses tabs", "the shop uses tabs."),
        ("The shop uses tabs", "Shop uses tabs"),
        ("Use tabs in all Go files of the shop", "Use tabs in all Go files of shop!"),
        ("茶を売る", "茶を売る"),
    ],
)
def test_the_same_words_in_another_dress_are_not_new(said: str, again: str) -> None:
    seen = Seen()

    assert (seen.is_new(said), seen.is_new(again)) == (True, False)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (
            "Server alpha runs Debian twelve with eight gigabytes of fast memory",
            "Server beta runs Debian twelve with eight gigabytes of fast memory",
        ),
        (
            "The staging database of the billing service listens on port 5432",
            "The staging database of the billing service listens on port 5433",
        ),
        (
            "Do not push to the main branch of the shop before all tests have passed",
            "Do push to the main branch of the shop before all tests have passed",
        ),
        (
            "Don't push to the main branch of the shop before all tests have passed",
            "Push to the main branch of the shop before all tests have passed",
        ),
        ("Prefers tabs over spaces", "Prefers spaces over tabs"),
        ("Deploys on Fridays", "Deploys on Fridays except in December"),
        ("...", "!!!"),
    ],
)
def test_one_word_that_tells_them_apart_makes_two(said: str, other: str) -> None:
    seen, shown = Seen(), Seen([said])

    assert (seen.is_new(said), seen.is_new(other)) == (True, True)
    assert shown.is_new(other)


def test_of_a_hundred_so_many_are_held_back_the_same_all_day(memory: SqliteMemory) -> None:
    put(memory, *(fact(f"mem-{number}", content=f"Box {number} is full") for number in range(400)))

    found = [chosen(memory, entries=400, holdout=25, now=NOON + at) for at in (0, 1)]

    assert found[0].held == found[1].held
    assert 70 <= len(found[0].held) <= 130
    assert not set(found[0].held) & set(ids(found[0].facts))
    assert len(found[0].held) + len(found[0].facts) == 400
    tomorrow = chosen(memory, entries=400, holdout=25, now=NOON + DAY_NS)
    assert set(tomorrow.held) != set(found[0].held)


@pytest.mark.parametrize(("holdout", "held"), [(0, []), (100, ["mem-1"])])
def test_nothing_pinned_is_held_back_and_by_default_nothing_at_all(
    holdout: int, held: list[str], memory: SqliteMemory
) -> None:
    put(memory, fact("mem-1"), fact("mem-2", pinned=True))

    found = chosen(memory, holdout=holdout)

    assert found.held == held
    assert "mem-2" in ids(found.facts)


def test_what_was_of_use_comes_before_what_was_not(memory: SqliteMemory) -> None:
    put(memory, fact("useless", created_at=NOON + 1), fact("useful"), fact("needed"))
    before = facts(memory)
    for number in range(4):
        session = f"s-{number}"
        names = tuple((name, 1) for name in ("useless", "useful", "needed"))
        memory.told.put(telling(session, memories=names))
        memory.told.hear(session, session, NOON)
        memory.told.use("useful", session, used=True, repeated=False)
        memory.told.use("needed", session, used=False, repeated=number % 2 == 0)

    assert before == ["useless", "useful", "needed"]
    assert facts(memory) == ["useful", "needed", "useless"]


def test_so_many_are_looked_at_and_the_rest_is_counted(memory: SqliteMemory) -> None:
    put(memory, *(fact(f"mem-{number}", content=f"Box {number} is full") for number in range(40)))
    put(memory, *(fact(f"dup-{number}", content=f"Box {number} is full.") for number in range(3)))

    found = chosen(memory, entries=10)

    assert len(found.facts) == 10
    assert (found.unread["facts"], chosen(memory, entries=100).unread["facts"]) == (33, 0)
