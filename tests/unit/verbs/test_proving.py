"""The group of a proof: new for each one, shown to nobody, removed without a trace."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tacit import paths
from tacit.errors import NotFound, StoreRefused
from tacit.store.memory_port import Wanted
from tacit.transcript.files import Files
from tacit.transcript.ingest import UNANSWERED
from unit.curate.saying import TEA, Ticking, talk

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

KILLED = """
import os, sys
from tacit.compose import open_app
app = open_app(sys.argv[1])
group, ground = app.begin_proof()
print(group)
sys.stdout.flush()
os.kill(os.getpid(), 9)
"""


def listing(home: Home) -> set[str]:
    """Return all that lies in the home, by name."""
    return {str(path.relative_to(home.path)) for path in home.path.rglob("*")}


def killed(home: Home) -> str:
    """Return the group of a proof whose process was killed."""
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(home.path)], capture_output=True, text=True, check=False
    )
    return ended.stdout.strip()


def say(app: App, spool: Spool, group: str, words: str = "The proof's word is heron") -> None:
    """Say something in a group, and have it taken in."""
    talk(spool, Ticking(), words, group=group)
    app.drain(seconds=None)


def test_sessions_on_the_ground_belong_to_the_proof(app: App, home: Home) -> None:
    group, ground = app.begin_proof()

    home.hook("Stop", {"cwd": str(ground)}, cwd=ground)
    home.hook("Stop", {})

    assert [entry.group for entry in home.entries] == [group, "main"]


def test_all_that_a_proof_made_goes_and_nothing_else(app: App, home: Home, spool: Spool) -> None:
    say(app, spool, "main", TEA)
    before = listing(home)
    group, _ = app.begin_proof()
    say(app, spool, group)
    app.backup(group)
    talk(spool, Ticking(), "And it waits", group=group)

    app.end_proof(group)

    assert listing(home) == before
    assert b"heron" not in home.bytes_on_disk()
    assert paths.PROVING_GROUP not in (home.path / "capture.conf").read_text(encoding="utf-8")
    assert [each.content for each in app.list("main", Wanted())] == [TEA]


def test_all_files_of_a_proof_lie_in_its_directory(app: App, home: Home, spool: Spool) -> None:
    say(app, spool, "main", TEA)
    before = listing(home)
    group, _ = app.begin_proof()

    say(app, spool, group)
    app.backup(group)

    made = listing(home) - before
    inside = f"{paths.PROVING}/{group}"
    assert {name for name in made if not name.startswith(inside)} == {paths.PROVING}
    assert f"{inside}/{paths.BRIEFS}" in made
    assert [each.content for each in app.list(group, Wanted())] == ["The proof's word is heron"]


def test_two_proofs_at_once_do_not_know_of_each_other(app: App, home: Home) -> None:
    first, ground = app.begin_proof()
    second, _ = app.begin_proof()

    app.end_proof(second)

    assert (first != second, ground.is_dir(), app.discard_proofs()) == (True, True, [])
    assert listing(home) >= {paths.PROVING, f"{paths.PROVING}/{first}"}


def test_nobody_is_shown_the_group_of_a_proof(app: App, home: Home, spool: Spool) -> None:
    say(app, spool, "main", TEA)
    group, _ = app.begin_proof()
    say(app, spool, group)

    status = app.status()

    assert app.groups() == ["main"]
    assert [each.name for each in status.groups] == ["main"]
    assert [each.group for each in status.memories] == ["main"]
    assert [check for check in app.doctor() if paths.PROVING_GROUP in str(check)] == []
    assert group in listing_of(home.path / paths.PROVING)


def listing_of(place: Path) -> list[str]:
    return sorted(each.name for each in place.iterdir())


def test_an_event_that_comes_too_late_is_dropped(app: App, home: Home, spool: Spool) -> None:
    group, _ = app.begin_proof()
    app.end_proof(group)
    before = listing(home)
    talk(spool, Ticking(), "Too late for the heron", group=group)

    done = app.drain(seconds=None)

    assert (done.taken, done.bad, done.waiting, done.troubles) == (0, 0, 0, [])
    assert (listing(home), home.spooled) == (before, [])


def test_an_answer_to_a_session_of_a_proof_is_not_counted(app: App, spool: Spool) -> None:
    group, ground = app.begin_proof()
    payload = f'{{"session_id": "s", "cwd": "{ground}", "hook_event_name": "SessionStart"}}'
    for answered in (UNANSWERED, "told-1"):
        spool.publish(
            payload.encode(),
            event="SessionStart",
            received_ns=Ticking()(),
            client="claude-code",
            group=group,
            answered=answered,
        )
    app.end_proof(group)

    assert app.drain(seconds=None).troubles == []


def test_a_removed_group_is_not_made_again(app: App, home: Home, spool: Spool) -> None:
    group, _ = app.begin_proof()
    say(app, spool, group)
    app.end_proof(group)
    before = listing(home)

    with pytest.raises(NotFound):
        Files(home.path, group).prepare()

    assert (app.list(group, Wanted()), app.sessions(group)) == ([], [])
    assert listing(home) == before


def test_what_a_killed_proof_left_is_gone_before_the_next(app: App, home: Home) -> None:
    group = killed(home)
    ground = home.path / paths.PROVING / group / "ground"
    home.hook("Stop", {"cwd": str(ground)}, cwd=ground)
    assert [entry.group for entry in home.entries] == [group]

    new, _ = app.begin_proof()

    assert (listing_of(home.path / paths.PROVING), home.spooled) == ([new], [])
    assert group not in (home.path / "capture.conf").read_text(encoding="utf-8")


def test_what_killed_proofs_left_can_be_discarded(app: App, home: Home) -> None:
    killed(home)
    last = killed(home)  # which has removed the first

    assert app.discard_proofs() == [last]
    assert not (home.path / paths.PROVING).exists()
    assert app.discard_proofs() == []


def test_what_older_versions_left_is_removed(app: App, home: Home, spool: Spool) -> None:
    say(app, spool, "main", TEA)
    before = listing(home)
    for place in ("groups", "backups", "spool/done"):
        (home.path / place / paths.PROVING_GROUP).mkdir()
        (home.path / place / paths.PROVING_GROUP / "left").touch()
    (home.path / paths.PROVING / ".groups").mkdir(parents=True)
    (home.path / paths.PROVING / "hook.py").touch()

    app.discard_proofs()

    assert listing(home) == before


def test_a_proof_that_cannot_be_removed_is_not_in_the_way_of_the_next(
    app: App, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, _ = app.begin_proof()

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOTEMPTY, "Directory not empty")

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", refuse)
        patched.setattr("tacit.verbs.proving._REMOVING", 0.1)
        with pytest.raises(StoreRefused):
            app.end_proof(group)
        second, _ = app.begin_proof()
        assert len(listing_of(home.path / paths.PROVING)) == len(("the first", "the second"))

    app.end_proof(second)
    app.discard_proofs()

    assert not (home.path / paths.PROVING).exists()


def test_what_is_written_while_it_is_removed_goes_as_well(app: App, home: Home) -> None:
    group, ground = app.begin_proof()
    descriptor = os.open(ground, os.O_RDONLY)
    written = threading.Event()

    def write() -> None:
        for number in range(500):
            try:
                os.close(os.open(str(number), os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
            except FileNotFoundError:  # its directory is deleted
                return
            written.set()

    writer = threading.Thread(target=write)
    writer.start()
    written.wait()

    try:
        app.end_proof(group)
    finally:
        writer.join()
        os.close(descriptor)

    assert not (home.path / paths.PROVING).exists()


def test_another_program_lets_go_of_what_has_gone(app: App, home: Home, spool: Spool) -> None:
    say(app, spool, "other")
    held = app.list("other", Wanted())

    for each in ("groups", "backups", "spool/done"):
        (home.path / each / "other").rename(home.scratch / each.replace("/", "-"))

    assert (len(held), app.groups(), app.list("other", Wanted())) == (1, [], [])
