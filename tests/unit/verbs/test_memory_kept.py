"""The façade over memories: what is still to be done, upkeep, and making all of it again."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.errors import NotFound
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import Said
from unit.curate.saying import MINUTE_NS, SPACES, TABS, Ticking, talk
from unit.verbs.conftest import beside, file_of, only, standing

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

DAY_NS = 24 * 60 * MINUTE_NS
OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent", surface="mcp")


def listed(app: App, group: str = "main", **wanted: object) -> list[str]:
    return sorted(each.content for each in app.list(group, Wanted(**wanted)))  # type: ignore[arg-type]


def choose(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def failed(app: App, spool: Spool, clock: Ticking, home: Home) -> int:
    """Let a job be dead; return its number."""
    talk(spool, clock, TABS)
    app.drain(curating=False)
    with beside(home) as store:
        store.jobs.enqueue(("turn", "s1", "turn-x"), 1, clock(), partial=False)
        job = store.jobs.claim(clock(), clock() + MINUTE_NS, "token")
        assert job is not None
        store.jobs.fail(job, "It was poisoned.", None)
        return job.number


def test_the_queue_tells_what_is_not_read_and_not_done(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    number = failed(app, spool, clock, home)

    found = app.queue("main")

    assert (found.unread, found.counts) == (2, {"dead": 1})
    assert [(each.number, each.state, each.reason) for each in found.jobs] == [
        (number, "dead", "It was poisoned.")
    ]


@pytest.mark.parametrize("is_named", [True, False])
def test_what_failed_for_good_is_given_another_chance(
    *, is_named: bool, app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    number = failed(app, spool, clock, home)

    retried = app.retry("main", number if is_named else None)
    app.curate("main")

    assert (retried, app.retry("main", number), app.queue("main").counts) == (1, 0, {"done": 2})


def test_a_rebuild_gives_the_same_and_tells_how_far_it_has_come(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS, SPACES)
    app.drain()
    app.pin("main", only(app, TABS).id, OWNER)
    told: list[tuple[int, int]] = []

    found = app.rebuild("main", lambda done, total: told.append((done, total)))

    assert (found.is_same, found.memories, told) == (True, 2, [(2, 3), (3, 3)])


def test_where_there_is_no_transcript_there_is_nothing_to_rebuild(app: App) -> None:
    with pytest.raises(NotFound, match="nothing to rebuild"):
        app.rebuild("main")


@pytest.mark.parametrize(("days", "purged"), [(89, 0), (91, 1)])
def test_what_was_superseded_long_ago_is_removed(
    days: int, purged: int, app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)
    clock.pass_(days * DAY_NS)

    found = app.upkeep("main")

    assert (found.purged, found.archived) == (purged, 0)
    assert len(listed(app, states=None)) == 2 - purged


def test_what_was_superseded_and_is_pinned_stays(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    app.drain()
    old = app.pin("main", only(app, TABS).id, OWNER)
    app.correct("main", old.id, Said(text=SPACES), OWNER)
    clock.pass_(1000 * DAY_NS)

    assert app.upkeep("main").purged == 0


def test_what_nobody_used_is_put_aside_if_that_is_asked(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, "[memory]\narchive_unused_days = 30\n")
    talk(spool, clock, TABS, SPACES, "No indent")
    app.drain()
    app.pin("main", only(app, TABS).id, OWNER)
    clock.pass_(31 * DAY_NS)
    app.memory("main", only(app, SPACES).id)

    found = app.upkeep("main")

    assert (found.archived, listed(app)) == (1, sorted([TABS, SPACES]))


def test_without_being_asked_nothing_is_put_aside(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, TABS)
    app.drain()
    clock.pass_(1000 * DAY_NS)

    found = [app.upkeep(group) for group in ("main", "nowhere")]

    assert ([each.archived for each in found], listed(app)) == ([0, 0], [TABS])


def test_a_damaged_memory_is_made_again_before_it_answers(
    spool: Spool, clock: Ticking, home: Home
) -> None:
    talk(spool, clock, TABS)
    with closing(open_app(now_ns=clock)) as app:
        app.drain()
    raw = file_of(home).read_bytes()
    file_of(home).write_bytes(raw.replace(TABS.encode(), b"\xff" * len(TABS)))

    with closing(open_app(now_ns=clock)) as app:
        found = standing(app)

    assert found == [TABS]
