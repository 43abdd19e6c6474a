"""The façade over memories: what is remembered, where it came from, what is to be done, upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound, StoreRefused
from tacit.model.action import Summary
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import Said
from unit.curate.saying import MINUTE_NS, SPACES, TABS, Ticking, publish, talk
from unit.verbs.conftest import beside, file_of, only

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

DAY_NS = 24 * 60 * MINUTE_NS
OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent", surface="mcp")


def listed(app: App, group: str = "main", **wanted: object) -> list[str]:
    return sorted(each.content for each in app.list(group, Wanted(**wanted)))  # type: ignore[arg-type]


def test_what_was_asked_for_is_remembered_after_a_drain(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS, SPACES)

    done = app.drain()

    assert (done.taken, done.uncurated, done.troubles) == (2, 0, [])
    assert listed(app) == sorted([TABS, SPACES])


def test_a_drain_that_does_not_curate_leaves_that_to_others(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)

    app.drain(curating=False)

    assert (listed(app), app.queue("main").unread) == ([], 2)


def test_a_drain_without_end_curates_all(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)

    app.drain(seconds=None)

    assert listed(app) == [TABS]


def test_each_group_remembers_for_itself(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    talk(spool, clock, SPACES, group="work")

    app.drain()

    assert (listed(app), listed(app, "work"), listed(app, "no")) == ([TABS], [SPACES], [])


def test_a_memory_in_trouble_is_told_and_holds_up_no_other_group(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    talk(spool, clock, TABS)
    talk(spool, clock, SPACES, group="work")
    app.drain(curating=False)
    file_of(home).symlink_to(home.scratch / "elsewhere.db")

    done = app.drain()

    assert [type(each) for each in done.troubles] == [StoreRefused]
    assert listed(app, "work") == [SPACES]


def test_curating_says_what_it_did_and_what_waits(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    app.drain(curating=False)

    found = [app.curate("main", seconds=0), app.curate("main"), app.curate("nowhere")]

    assert [(each.done, each.waiting) for each in found] == [(0, 2), (1, 0), (0, 0)]


def test_looking_makes_nothing(app: App, home: Home) -> None:
    found = [app.list("main", Wanted()), app.quarantine("main"), app.actions("main")]
    found += [app.summaries("main"), app.audit("main"), app.queue("main").jobs]
    with pytest.raises(NotFound, match="There is no memory 'mem' in group main"):
        app.memory("main", "mem")

    assert (found, app.retry("main"), (home.path / "groups").exists()) == ([[]] * 6, 0, False)


def test_memories_of_joined_projects_are_found_with_theirs(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    talk(spool, clock, SPACES, cwd="/srv/till", session_id="s2")
    app.drain()
    before = listed(app, projects=app.keys_of("main", "shop"))

    app.project("main", "join", "till", "shop", origin="owner")

    after = listed(app, projects=app.keys_of("main", "shop"))
    assert (before, after) == ([TABS], sorted([TABS, SPACES]))


@pytest.mark.parametrize(("group", "told"), [("main", "no project 'till'"), ("no", "no project")])
def test_a_project_that_is_not_there_is_told(
    group: str, told: str, app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()

    with pytest.raises(NotFound, match=told):
        app.keys_of(group, "till")


def test_a_memory_is_found_by_the_beginning_of_its_name_and_its_use_counted(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    memory = only(app, TABS)

    found = app.memory("main", memory.id[:-3])

    why = app.why("main", memory.id)
    assert (found, why.accessed, why.last_accessed) == (memory, 2, clock.now_ns)


@pytest.mark.parametrize("name", ["mem", "mem-nothing", ""])
def test_a_name_that_is_not_clear_is_refused(
    name: str, app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS, SPACES)
    app.drain()

    with pytest.raises(NotFound):
        app.memory("main", name)


def test_as_of_a_time_a_memory_is_what_stood_there_then(
    app: App, spool: Spool, clock: Ticking
) -> None:
    before = clock()
    talk(spool, clock, TABS)
    app.drain()
    old = only(app, TABS)
    then = clock()
    new = app.correct("main", old.id, Said(text=SPACES), OWNER)

    found = [app.memory("main", each, as_of=then).content for each in (old.id, new.id)]

    assert (found, app.memory("main", old.id, as_of=clock()).content) == ([TABS, TABS], SPACES)
    with pytest.raises(NotFound):
        app.memory("main", old.id, as_of=before)


def test_what_was_true_at_a_time_can_be_listed(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    app.drain()
    then = clock()
    app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)

    found = [listed(app, states=("active", "superseded"), as_of=when) for when in (then, clock())]

    assert found == [[TABS], [SPACES]]


def test_why_shows_the_words_and_who_decided(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    app.drain()
    memory = only(app, TABS)
    app.pin("main", memory.id, OWNER)

    found = app.why("main", memory.id)

    assert [(each.before, each.evidence.quote) for each in found.cited] == [
        ("Remember that ", TABS)
    ]
    assert [each.decision.verb for each in found.decisions] == ["pin"]


def test_what_is_held_is_shown(app: App, spool: Spool, clock: Ticking, home: Home) -> None:
    talk(spool, clock, TABS, SPACES)
    app.drain()
    with beside(home) as store:
        store.memories.change(only(app, TABS), state="quarantined", reason="It gives orders.")

    assert [each.content for each in app.quarantine("main")] == [TABS]


def test_what_waits_for_attention_is_shown_until_it_is_closed(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    app.pin("main", only(app, TABS).id, AGENT)
    (action,) = app.actions("main")

    app.resolve("main", action.id, OWNER)

    assert (app.actions("main"), [each.id for each in app.actions("main", None)]) == (
        [],
        [action.id],
    )


def test_summaries_are_shown_by_project(app: App, spool: Spool, clock: Ticking, home: Home) -> None:
    talk(spool, clock, TABS)
    talk(spool, clock, TABS, cwd="/srv/till", session_id="s2")
    app.drain()
    with beside(home) as store:
        for session, name in (("s1", "shop"), ("s2", "till")):
            (key,) = app.keys_of("main", name)
            store.actions.put_summary(Summary(session=session, project=key, updated_at=clock()))

    found = [[each.session for each in app.summaries("main", name)] for name in (None, "till")]

    assert found == [["s2", "s1"], ["s2"]]


def test_an_audit_tells_who_decided_and_a_session_s_alone(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS, session_id="s-agent")
    app.drain()
    app.remember("main", Said(text=SPACES), OWNER)
    app.pin("main", only(app, TABS).id, AGENT)

    found = [
        [(each.origin, each.decision.verb) for each in app.audit("main", name)]
        for name in (None, "s-agent")
    ]

    assert found == [[("owner", "remember"), ("agent", "pin")], [("agent", "pin")]]


@pytest.mark.parametrize("name", ["s2", "turn-", ""])
def test_only_a_session_is_taken_for_a_session(
    name: str, app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()

    with pytest.raises(NotFound, match="See `tacit sessions`"):
        app.session_named("main", name)


def test_what_calls_itself_a_decision_in_the_spool_decides_nothing(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    publish(spool, "Decision", clock(), {"session_id": "s9", "verb": "undo", "session": "s1"})

    app.drain()

    assert (listed(app), app.audit("main")) == ([TABS], [])
