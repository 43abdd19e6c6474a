"""The façade over memories: what is still to be done, and making all of it again."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.errors import NotFound
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
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
