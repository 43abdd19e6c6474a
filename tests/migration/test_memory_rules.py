"""A home whose memory older rules have made: what they retired without its name stands again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from flow.keeping import opened, tacit
from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.store.memory_port import Wanted
from unit.curate.saying import NOON, Ticking, talk

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App

EMOJIS = "Never use emojis in commit messages"
MOOD = "Commit messages are in the imperative mood"
MANY = 120  # turns, so that a program can be killed before it has made all of them again
# what the older release did when it learned the second statement
RETIRED = """
UPDATE memories SET
    state = 'superseded',
    superseded_by = (SELECT id FROM memories WHERE content LIKE '%imperative%'),
    valid_to = (SELECT valid_from FROM memories WHERE content LIKE '%imperative%')
WHERE content LIKE '%emojis%';
INSERT INTO links (source, target, relation)
SELECT new.id, old.id, 'supersedes' FROM memories AS new, memories AS old
WHERE new.content LIKE '%imperative%' AND old.content LIKE '%emojis%';
UPDATE passages SET hidden = 1
WHERE subject = (SELECT id FROM memories WHERE content LIKE '%emojis%');
DELETE FROM progress WHERE name = 'rules';
"""
DRAINING = """
import sys
from tacit.compose import open_app
app = open_app(sys.argv[1], now_ns=lambda: int(sys.argv[2]))
app.drain(seconds=None)
app.close()
"""


def memory_of(home: Home) -> Path:
    return home.path / "groups" / "main" / "memory.db"


def standing(app: App) -> set[str]:
    return {each.content for each in app.list("main", Wanted())}


@pytest.fixture
def old(home: Home) -> Home:
    """Return a home as the release before has left it."""
    clock = Ticking()
    root = state.open_home(str(home.path))
    spool = Spool(root)
    talk(spool, clock, EMOJIS, session_id="s-1")
    talk(spool, clock, MOOD, session_id="s-2")
    for number in range(MANY):
        talk(spool, clock, f"Shelf {number} holds tea", session_id=f"s-{number + 3}")
    spool.close()
    with opened(home.path, clock) as app:
        app.drain(seconds=None)
    with closing(apsw.Connection(str(memory_of(home)))) as plain:
        plain.execute(RETIRED)
    return home


def test_commands_bring_it_back_and_a_rebuild_finds_the_same(old: Home) -> None:
    with opened(old.path, Ticking()) as app:
        before = standing(app)
    for _ in range(50):  # each works on it for two seconds at most
        if EMOJIS in tacit(old.path, "list", "--limit", "1000").stdout:
            break

    with opened(old.path, Ticking()) as app:
        assert (EMOJIS in before, standing(app)) == (False, before | {EMOJIS})
        (found,) = [each for each in app.list("main", Wanted()) if each.content == EMOJIS]
        assert (found.superseded_by, found.valid_to) == (None, None)
        assert app.rebuild("main").is_same


def written(home: Home) -> tuple[int, int]:
    """Return what tells whether more of the memory that is being made was written."""
    log = memory_of(home).with_name("memory.new-wal")
    return (log.stat().st_size, log.stat().st_mtime_ns) if log.exists() else (0, 0)


def test_killed_again_and_again_it_loses_nothing(old: Home) -> None:
    now, kills = NOON * 2, 0
    command = [sys.executable, "-c", DRAINING, str(old.path), str(now)]

    for _ in range(5):
        before = written(old)
        worker = subprocess.Popen(command)
        while worker.poll() is None and written(old) == before:
            time.sleep(0.001)
        worker.send_signal(signal.SIGKILL)
        kills += worker.wait() == -signal.SIGKILL
        with opened(old.path, lambda: now) as app:
            assert MOOD in standing(app)  # the old one answers, or the new one
    with opened(old.path, lambda: now) as app:
        app.drain(seconds=None)

        assert {EMOJIS, MOOD} < standing(app)
        assert len(standing(app)) == MANY + 2
        assert app.rebuild("main").is_same
    assert kills > 0
    assert list(memory_of(old).parent.glob("memory.new*")) == []
