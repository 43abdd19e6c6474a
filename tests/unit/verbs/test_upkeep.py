"""Upkeep: what is removed and put aside is so again after a rebuild, and comes back by nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import MINUTE_NS, SPACES, TABS, TEA, Ticking, publish, talk
from unit.verbs.conftest import decided, only, standing

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

DAY_NS = 24 * 60 * MINUTE_NS
OWNER = Caller()


def listed(app: App, group: str = "main", **wanted: object) -> list[str]:
    return sorted(each.content for each in app.list(group, Wanted(**wanted)))  # type: ignore[arg-type]


def choose(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def purged(app: App, spool: Spool, clock: Ticking) -> None:
    """Let a statement be corrected long ago, and purged."""
    talk(spool, clock, TABS, prompt_id="turn-old")
    app.drain()
    app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)
    clock.pass_(91 * DAY_NS)
    assert app.upkeep("main").purged == 1


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


def test_what_was_removed_stays_so_when_what_replaced_it_is_erased_and_all_is_rebuilt(
    app: App, spool: Spool, clock: Ticking
) -> None:
    purged(app, spool, clock)

    app.forget("main", Which(ids=(only(app, SPACES).id,)), OWNER, erase=True)
    before = listed(app, states=None)
    rebuilt = app.rebuild("main")

    assert (before, rebuilt.is_same, rebuilt.missed, listed(app, states=None)) == ([], True, [], [])


def test_what_was_removed_is_not_learned_again_from_an_old_turn_that_comes_late(
    app: App, spool: Spool, clock: Ticking
) -> None:
    purged(app, spool, clock)

    place = {"session_id": "s1", "cwd": "/srv/shop", "prompt_id": "turn-old"}
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "More."})
    app.drain()

    assert (listed(app), app.rebuild("main").is_same) == ([SPACES], True)


def test_what_was_said_again_before_the_old_was_removed_stays(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    app.correct("main", only(app, TABS).id, Said(text=TEA), OWNER)
    talk(spool, clock, TABS, session_id="s2")
    app.drain()
    clock.pass_(91 * DAY_NS)
    app.upkeep("main")

    app.forget("main", Which(ids=(only(app, TEA).id,)), OWNER, erase=True)

    assert (listed(app), app.rebuild("main").is_same, listed(app)) == ([TABS], True, [TABS])


def test_what_was_put_aside_is_so_after_a_rebuild(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, "[memory]\narchive_unused_days = 30\n")
    talk(spool, clock, TABS)
    app.drain()
    clock.pass_(31 * DAY_NS)
    app.upkeep("main")

    rebuilt = app.rebuild("main")

    assert (rebuilt.is_same, standing(app), standing(app, "archived")) == (True, [], [TABS])


def test_what_was_removed_is_told_in_the_audit(app: App, spool: Spool, clock: Ticking) -> None:
    purged(app, spool, clock)

    assert decided(app) == [("owner", "correct"), ("system", "purge")]


def test_where_nothing_is_old_nothing_is_written_down(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TEA)
    app.drain()

    app.upkeep("main")

    assert decided(app) == []
