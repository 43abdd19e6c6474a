"""Forgetting: by every way to say which, dry or for good, and not a byte of it left if erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import NotFound
from tacit.policy import Caller
from tacit.verbs import decisions as verbs
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import NOON, SPACES, TABS, TEA, Ticking, publish, talk
from unit.verbs.conftest import only, standing

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent")


@pytest.fixture
def told(app: App, spool: Spool, clock: Ticking) -> App:
    """Return the verbs of a home in which two sessions, an agent and the owner have spoken."""
    talk(spool, clock, TABS)
    talk(spool, clock, TEA, session_id="s2", cwd="/srv/till")
    app.drain()
    app.remember("main", Said(text=SPACES), AGENT)
    app.remember("main", Said(text="No indent"), OWNER)
    return app


ALL = sorted([TABS, TEA, SPACES, "No indent"])
# how it is said -> what is forgotten
SELECTORS = {
    "ids": [TABS, TEA],
    "session": [TEA],
    "project": [TEA],
    "origin": [SPACES],
    "matching": [TEA],
    "before": [TABS, TEA, SPACES],
}


def which(app: App, how: str) -> Which:
    """Return the selector of that name."""
    said: dict[str, Any] = {
        "ids": (only(app, TABS).id, only(app, TEA).id[:-2], only(app, TABS).id),
        "session": "s2",
        "project": "till",
        "origin": "agent",
        "matching": "sells",
        "before": only(app, "No indent").created_at,
    }
    return Which(**{how: said[how]})


@pytest.mark.parametrize(("how", "forgotten"), SELECTORS.items())
def test_what_is_meant_is_forgotten_and_nothing_else(
    how: str, forgotten: list[str], told: App
) -> None:
    found = told.forget("main", which(told, how), OWNER)

    assert sorted(each.content for each in found.memories) == sorted(forgotten)
    assert (standing(told), standing(told, "forgotten")) == (
        sorted(set(ALL) - set(forgotten)),
        sorted(forgotten),
    )


@pytest.mark.parametrize("erase", [True, False])
@pytest.mark.parametrize(("how", "forgotten"), SELECTORS.items())
def test_a_dry_run_says_the_same_and_changes_nothing(
    *, how: str, forgotten: list[str], erase: bool, told: App
) -> None:
    before = len(told.audit("main"))

    found = told.forget("main", which(told, how), OWNER, erase=erase, dry=True)

    assert sorted(each.content for each in found.memories) == sorted(forgotten)
    assert (standing(told), len(told.audit("main")), found.events > 0) == (ALL, before, erase)


@pytest.mark.parametrize(("how", "forgotten"), SELECTORS.items())
def test_what_is_erased_is_nowhere_on_the_disk(
    how: str, forgotten: list[str], told: App, home: Home
) -> None:
    told.backup("main")

    found = told.forget("main", which(told, how), OWNER, erase=True)

    disk = home.bytes_on_disk()
    assert (found.events > 0, [each for each in forgotten if each.encode() in disk]) == (True, [])
    assert standing(told, "active", "forgotten") == sorted(set(ALL) - set(forgotten))


@pytest.mark.parametrize(("how", "forgotten"), SELECTORS.items())
@pytest.mark.parametrize("erase", [True, False])
def test_what_is_forgotten_stays_so_when_all_is_made_again(
    *, how: str, forgotten: list[str], erase: bool, told: App
) -> None:
    told.forget("main", which(told, how), OWNER, erase=erase)

    rebuilt = told.rebuild("main")

    assert (rebuilt.is_same, rebuilt.missed, standing(told)) == (
        True,
        [],
        sorted(set(ALL) - set(forgotten)),
    )


def imported(spool: Spool, clock: Ticking, words: str, at: str) -> None:
    """Let a turn of another program's past wait in the spool."""
    for role, text in (("user", f"Remember that {words}."), ("assistant", "Done.")):
        payload = {"session": "chat", "role": role, "text": text, "at": at, "id": f"{role}-{at}"}
        publish(spool, "message", clock(), payload, client="chat")


@pytest.mark.parametrize("erase", [True, False])
@pytest.mark.parametrize("rebuilds", [0, 1])
def test_what_was_forgotten_is_not_learned_again_from_the_past(
    *, erase: bool, rebuilds: int, told: App, spool: Spool, clock: Ticking
) -> None:
    told.forget("main", which(told, "matching"), OWNER, erase=erase)
    imported(spool, clock, TEA, "2020-01-01T00:00:00Z")
    told.drain()

    for _ in range(rebuilds):
        told.rebuild("main")

    assert TEA not in standing(told)


def test_what_was_forgotten_is_learned_again_from_a_new_statement(
    told: App, spool: Spool, clock: Ticking
) -> None:
    told.forget("main", which(told, "matching"), OWNER, erase=True)
    talk(spool, clock, TEA, session_id="s3")
    told.drain()

    assert TEA in standing(told)


def test_the_projects_that_were_joined_are_forgotten_together(
    told: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, "The stall sells tea", session_id="s3", cwd="/srv/stall")
    told.drain()
    told.project("main", "join", "stall", "till", origin="owner")

    told.forget("main", Which(project="till"), OWNER)

    assert standing(told) == sorted([TABS, SPACES, "No indent"])


def test_to_forget_what_is_not_there_decides_nothing(told: App) -> None:
    before = len(told.audit("main"))

    found = told.forget("main", Which(matching="nothing like it"), OWNER, erase=True)

    assert (found.memories, found.events, len(told.audit("main"))) == ([], 0, before)


@pytest.mark.parametrize(
    ("group", "wanted"),
    [
        ("nowhere", Which(matching="x")),
        ("main", Which(ids=("mem-nothing",))),
        ("main", Which(session="nothing")),
        ("main", Which(project="nothing")),
    ],
)
def test_what_has_no_such_name_cannot_be_forgotten(group: str, wanted: Which, told: App) -> None:
    with pytest.raises(NotFound):
        told.forget(group, wanted, OWNER)


def test_what_still_waits_is_erased_as_well(
    told: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    talk(spool, clock, "a canary sings")
    publish(spool, "Stop", NOON, {})
    spool.publish(b"no JSON: a canary", event="Stop", received_ns=NOON, client="claude-code")

    told.forget("main", Which(matching="canary"), OWNER, erase=True)

    assert b"canary" not in home.bytes_on_disk()


def test_what_a_killed_rebuild_left_over_is_erased_as_well(told: App, home: Home) -> None:
    left = home.path / "groups" / "main" / "memory.new"
    left.write_bytes(TEA.encode())

    told.forget("main", Which(matching="sells"), OWNER, erase=True)

    assert TEA.encode() not in home.bytes_on_disk()


def test_a_memory_that_is_also_told_elsewhere_outlives_the_erasing_of_one(
    told: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS, session_id="s3", canary="x")
    told.drain()

    told.forget("main", Which(matching="canary"), OWNER, erase=True)

    assert TABS in standing(told)


def test_more_than_one_decision_can_name_is_erased_in_several(
    told: App, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "_MOST_EVENTS", 2)

    found = told.forget("main", which(told, "before"), OWNER, erase=True)

    forgets = [each for each in told.audit("main") if each.decision.verb == "forget"]
    assert (found.events, len(forgets), standing(told)) == (5, 3, ["No indent"])
    assert TEA.encode() not in home.bytes_on_disk()


def test_the_chain_holds_after_an_erasure(told: App) -> None:
    told.forget("main", which(told, "session"), OWNER, erase=True)

    found = told.verify("main")

    assert found is not None
    assert (found.is_sound, found.erased) == (True, 2)


def test_the_decision_does_not_repeat_what_it_erases(told: App) -> None:
    told.forget("main", which(told, "matching"), OWNER, erase=True)

    last = told.audit("main")[-1].decision

    assert ("sells" in repr(last), len(last.erased)) == (False, 1)


def test_what_was_superseded_is_found_as_well(told: App, home: Home) -> None:
    told.correct("main", only(told, TEA).id, Said(text="The till sells coffee"), OWNER)

    found = told.forget("main", Which(matching="sells tea"), OWNER, erase=True)

    assert ([each.content for each in found.memories], standing(told, "superseded")) == ([TEA], [])
    assert ("The till sells coffee" in standing(told), TEA.encode() in home.bytes_on_disk()) == (
        True,
        False,
    )


def test_a_correction_erased_from_a_chain_brings_nothing_back(told: App) -> None:
    second = told.correct("main", only(told, TEA).id, Said(text="The till sells coffee"), OWNER)
    told.correct("main", second.id, Said(text="The till is closed"), OWNER)
    told.forget("main", Which(ids=(second.id,)), OWNER, erase=True)
    before = standing(told)

    rebuilt = told.rebuild("main")

    left = sorted([TABS, SPACES, "No indent", "The till is closed"])
    assert (before, standing(told), rebuilt.is_same) == (left, left, True)


def test_what_replaced_the_erased_stays_when_all_is_made_again(told: App) -> None:
    told.correct("main", only(told, TEA).id, Said(text="The till sells coffee"), OWNER)
    told.forget("main", Which(matching="sells tea"), OWNER, erase=True)

    rebuilt = told.rebuild("main")

    assert (rebuilt.is_same, "The till sells coffee" in standing(told)) == (True, True)


@pytest.mark.parametrize("how", ["ids", "session", "project", "matching"])
def test_words_said_again_in_a_correction_that_changed_nothing_are_erased_as_well(
    how: str, told: App, home: Home
) -> None:
    told.correct("main", only(told, TEA).id, Said(text=TEA), OWNER)
    told.forget("main", which(told, how), OWNER, erase=True)

    rebuilt = told.rebuild("main")

    assert (TEA.encode() in home.bytes_on_disk(), TEA in standing(told)) == (False, False)
    assert rebuilt.is_same


def test_a_pin_goes_on_to_the_correction_even_when_what_it_was_set_on_is_erased(told: App) -> None:
    told.pin("main", only(told, TEA).id, OWNER)
    new = told.correct("main", only(told, TEA).id, Said(text="The till sells coffee"), OWNER)
    told.forget("main", Which(matching="sells tea"), OWNER, erase=True)

    rebuilt = told.rebuild("main")

    assert (rebuilt.is_same, told.memory("main", new.id).pinned) == (True, True)


def test_what_was_forgotten_stays_so_when_its_words_are_erased_later(
    told: App, spool: Spool, clock: Ticking
) -> None:
    told.forget("main", Which(ids=(only(told, TEA).id,)), OWNER)
    imported(spool, clock, TEA, "2020-01-01T00:00:00Z")
    told.drain()
    told.forget("main", Which(session="s2"), OWNER, erase=True)

    rebuilt = told.rebuild("main")

    assert (rebuilt.is_same, TEA in standing(told)) == (True, False)
