"""The proving ground: a group of its own for as long as a proof lasts, and then no trace of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import paths
from tacit.store.memory_port import Wanted
from unit.curate.saying import TEA, Ticking, talk

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool


def listing(home: Home) -> set[str]:
    """Return all that lies in the home, by name."""
    return {str(path.relative_to(home.path)) for path in home.path.rglob("*")}


def test_sessions_on_the_ground_belong_to_the_proof(app: App, home: Home) -> None:
    ground = app.proving_ground()

    home.hook("Stop", {"cwd": str(ground)}, cwd=ground)
    home.hook("Stop", {})

    assert [entry.group for entry in home.entries] == [paths.PROVING_GROUP, "main"]


def test_all_that_a_proof_made_goes_and_nothing_else(app: App, home: Home, spool: Spool) -> None:
    talk(spool, Ticking(), TEA)
    app.drain(seconds=None)
    before = listing(home)
    app.proving_ground()
    talk(spool, Ticking(), "The proof's word is heron", group=paths.PROVING_GROUP)
    app.drain(seconds=None)
    app.backup(paths.PROVING_GROUP)
    talk(spool, Ticking(), "And it waits", group=paths.PROVING_GROUP)

    app.clear_proving_ground()

    assert listing(home) == before
    assert b"heron" not in home.bytes_on_disk()
    assert paths.PROVING_GROUP not in (home.path / "capture.conf").read_text(encoding="utf-8")
    assert [each.content for each in app.list("main", Wanted())] == [TEA]


def test_what_a_killed_proof_left_is_gone_before_the_next(app: App, home: Home) -> None:
    ground = app.proving_ground()
    (ground / "left").touch()
    said = {"cwd": str(ground), "prompt": "Remember that it was killed."}
    home.hook("UserPromptSubmit", said, cwd=ground)
    app.drain(seconds=None)

    app.proving_ground()

    assert (list(ground.iterdir()), app.groups()) == ([], [])


def test_another_program_lets_go_of_what_has_gone(app: App, home: Home, spool: Spool) -> None:
    talk(spool, Ticking(), "It is held", group=paths.PROVING_GROUP)
    app.drain(seconds=None)
    held = app.list(paths.PROVING_GROUP, Wanted())

    for each in ("groups", "backups", "spool/done"):
        (home.path / each / paths.PROVING_GROUP).rename(home.scratch / each.replace("/", "-"))

    assert (len(held), app.groups(), app.list(paths.PROVING_GROUP, Wanted())) == (1, [], [])
