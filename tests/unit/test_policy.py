"""Who may do what: the whole table of verb, profile and terminal, and an agent's pace."""

from __future__ import annotations

from itertools import product

import pytest

from tacit.curate.decisions import VERBS
from tacit.errors import NotAllowed
from tacit.policy import BY_ITSELF, DESTRUCTIVE, MOST_AN_HOUR, REGISTERING, Caller, check

# what takes something away, spelled again so that a change is seen
TAKING = {
    "forget", "undo", "accept", "reject", "rebuild", "restore", "unpin", "split", "choose",
    "keep", "deploy", "uninstall --purge",
}  # fmt: skip
GIVING = {"remember", "correct", "pin", "resolve", "dismiss"}
ITS_OWN = {"merge", "purge", "archive"}  # what Tacit decides by itself


def may(caller: Caller, verb: str, lately: int = 0) -> bool:
    try:
        check(caller, verb, decided_lately=lately)
    except NotAllowed:
        return False
    return True


def test_every_verb_that_decides_is_in_the_table() -> None:
    assert set(VERBS) <= TAKING | GIVING | ITS_OWN
    assert (set(DESTRUCTIVE), set(BY_ITSELF)) == (TAKING, ITS_OWN)


@pytest.mark.parametrize("profile", ["owner", "agent", "system"])
@pytest.mark.parametrize("verb", sorted(ITS_OWN | TAKING | GIVING))
def test_tacit_decides_its_own_things_alone_and_nothing_else(verb: str, profile: str) -> None:
    caller = Caller(profile=profile, is_terminal=True)

    if verb in ITS_OWN or profile == "system":
        assert may(caller, verb) == (verb in ITS_OWN and profile == "system")
    else:
        assert may(caller, verb)


def test_what_tacit_decides_is_nobody_else_s_word() -> None:
    assert Caller(profile="system").origin == "system"


@pytest.mark.parametrize(
    ("verb", "is_terminal", "surface"),
    list(product(sorted(TAKING | GIVING), [True, False], ["cli", "http", "mcp"])),
)
def test_the_owner_may_do_everything(*, verb: str, is_terminal: bool, surface: str) -> None:
    assert may(Caller(surface=surface, is_terminal=is_terminal), verb, lately=10 * MOST_AN_HOUR)


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("verb", sorted(GIVING))
def test_an_agent_may_add(*, verb: str, is_terminal: bool) -> None:
    assert may(Caller(profile="agent", is_terminal=is_terminal), verb)


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("verb", sorted(TAKING))
def test_an_agent_takes_something_away_only_at_a_terminal(*, verb: str, is_terminal: bool) -> None:
    assert may(Caller(profile="agent", is_terminal=is_terminal), verb) == is_terminal


@pytest.mark.parametrize("profile", ["agent", "author", "reader", ""])
def test_whoever_is_not_the_owner_is_an_agent(profile: str) -> None:
    caller = Caller(profile=profile)

    assert (caller.origin, may(caller, "forget")) == ("agent", False)


def test_the_owner_s_words_are_the_owner_s() -> None:
    assert Caller().origin == "owner"


@pytest.mark.parametrize(
    ("lately", "is_allowed"), [(0, True), (MOST_AN_HOUR - 1, True), (MOST_AN_HOUR, False)]
)
@pytest.mark.parametrize("is_terminal", [True, False])
def test_an_agent_decides_at_a_bounded_pace(
    *, lately: int, is_allowed: bool, is_terminal: bool
) -> None:
    caller = Caller(profile="agent", is_terminal=is_terminal)

    assert may(caller, "remember", lately) == is_allowed


@pytest.mark.parametrize(
    ("verb", "lately", "sentence"),
    [
        ("forget", 0, "`forget` needs the owner at a terminal. Ask the user to run it."),
        ("remember", MOST_AN_HOUR, "An agent may decide 60 times an hour, and has. Ask the user"),
    ],
)
def test_a_refusal_says_what_to_do(verb: str, lately: int, sentence: str) -> None:
    with pytest.raises(NotAllowed, match=sentence):
        check(Caller(profile="agent"), verb, decided_lately=lately)


@pytest.mark.parametrize("verb", sorted(REGISTERING))
def test_only_a_person_makes_a_directory_part_of_what_is_trusted(verb: str) -> None:
    agent, person = Caller(profile="agent"), Caller(profile="agent", is_terminal=True)

    assert [may(each, verb) for each in (agent, person, Caller())] == [False, True, True]
