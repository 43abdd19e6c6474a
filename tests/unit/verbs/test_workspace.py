"""The verbs of workspaces: made, registered, gone and back, mirrored, looked after, rebuilt."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig import only_linux
from tacit.capture.spool import Spool
from tacit.errors import NotAllowed, NotFound, SettingsUnreadable, WorkspaceGone, WorkspaceRefused
from tacit.install.standing import Around
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from unit.curate.saying import MINUTE_NS

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from unit.curate.saying import Ticking

AGENT = Caller(profile="agent")
HOUR = 60 * MINUTE_NS


class Room:
    """A workspace, and events that happen in it."""

    def __init__(self, home: Home, app: App, clock: Ticking) -> None:
        self.home, self.app, self.clock = home, app, clock
        self.place = home.scratch / "papers"
        self.name = app.init(str(self.place), Caller()).name
        self._number = 0

    def say(self, event: str, group: str = "papers", **fields: Any) -> None:
        """Let an event wait in the spool, as the hook writes it."""
        self._number += 1
        common = {"session_id": "s1", "cwd": str(self.place), "hook_event_name": event}
        payload = common | {"tool_use_id": f"t{self._number}"} | fields
        spool = Spool(self.app.root)
        spool.publish(
            json.dumps(payload, ensure_ascii=False).encode(),
            event=event,
            received_ns=self.clock(),
            client="claude-code",
            group=group,
        )
        spool.close()

    def card(self, does: str, card: str = "c1", **given: Any) -> None:
        self.say("PostToolUse", tool_name=f"{does}_card", tool_input={"card_id": card} | given)

    def page(self, path: str = "plan.md") -> Path:
        return self.place / "projects" / path

    def asked(self) -> list[str]:
        return [each.content for each in self.app.actions("papers")]


@pytest.fixture
def room(home: Home, app: App, clock: Ticking) -> Room:
    return Room(home, app, clock)


def test_a_workspace_has_its_databases_in_its_own_directory(room: Room, home: Home) -> None:
    room.say("UserPromptSubmit", prompt="Remember that the till sells tea")
    room.say("Stop", last_assistant_message="I will.")

    room.app.drain()

    own = room.place / ".os" / "memory"
    assert {each.name for each in own.glob("*.db")} == {
        "transcript.db",
        "memory.db",
        "workspace.db",
    }
    assert (own / "transcript.mark").exists()
    assert not (home.path / "groups" / "papers" / "transcript.db").exists()
    assert (home.path / "spool" / "done" / "papers").is_dir()
    assert (room.app.groups(), room.app.group(None, str(room.place))) == (["papers"], "papers")


@pytest.mark.parametrize("directory", ["/", "{home}", "{home}/inside", "{scratch}/a\0b", "\ud800"])
def test_a_directory_that_cannot_be_one_is_refused(home: Home, app: App, directory: str) -> None:
    given = directory.format(home=home.path, scratch=home.scratch)

    with pytest.raises(WorkspaceRefused):
        app.init(given, Caller())

    assert not (home.path / "config.toml").exists()


def test_a_file_is_no_workspace(home: Home, app: App) -> None:
    (home.scratch / "file").touch()

    with pytest.raises(WorkspaceRefused, match="no directory"):
        app.init(str(home.scratch / "file"), Caller())


def test_an_agent_may_neither_make_nor_upgrade_one(room: Room) -> None:
    for verb in (room.app.init, room.app.upgrade):
        with pytest.raises(NotAllowed, match="terminal"):
            verb(str(room.place), AGENT)


def test_settings_that_cannot_be_read_are_left_alone(home: Home, app: App) -> None:
    (home.path / "config.toml").write_text("[backup", encoding="utf-8")

    with pytest.raises(SettingsUnreadable):
        app.init(str(home.scratch / "papers"), Caller())

    assert (home.path / "config.toml").read_text(encoding="utf-8") == "[backup"
    assert not (home.scratch / "papers").exists()


def test_a_name_is_never_given_twice(home: Home, app: App) -> None:
    (home.path / "backups" / "papers-2").mkdir(parents=True)  # of one that is gone

    found = [app.init(str(home.scratch / each / "papers"), Caller()).name for each in ("a", "b")]

    assert found == ["papers", "papers-3"]


def test_a_linked_directory_is_the_one_it_leads_to(home: Home, app: App, room: Room) -> None:
    (home.scratch / "link").symlink_to(room.place)

    again = app.init(str(home.scratch / "link"), Caller())

    assert (again.name, again.is_new) == ("papers", False)


def test_what_a_workspace_remembers_is_its_own(room: Room) -> None:
    room.app.init(str(room.home.scratch / "other"), Caller())
    room.say("UserPromptSubmit", prompt="Remember that the till sells tea")
    room.say("Stop", last_assistant_message="I will.")
    room.say("UserPromptSubmit", group="other", prompt="hello", session_id="s2")
    room.app.drain()

    found = {group: len(room.app.list(group, Wanted())) for group in room.app.groups()}
    assert found == {"other": 0, "papers": 1}


def gone(room: Room, how: str) -> None:
    """Let the workspace be gone: deleted, or no longer mounted."""
    room.app.rest()
    room.place.rename(room.home.scratch / "aside")
    if how == "unmounted":
        room.place.mkdir()


def back(room: Room) -> None:
    if room.place.exists():
        room.place.rmdir()
    (room.home.scratch / "aside").rename(room.place)


@pytest.mark.parametrize("how", ["deleted", "unmounted"])
def test_while_it_is_gone_events_wait_and_nothing_is_made_in_its_place(
    room: Room, how: str
) -> None:
    room.card("create", title="Plan", blocks="one")
    room.app.drain()
    gone(room, how)

    room.card("update", blocks="two")
    room.say("UserPromptSubmit", group="main", prompt="elsewhere")
    done = room.app.drain()
    (standing,) = room.app.status().workspaces

    assert (done.taken, done.waiting, room.app.groups()) == (1, 1, ["main"])
    assert [type(each) for each in done.troubles] == [WorkspaceGone]
    assert (standing.is_there, str(room.place) in (standing.trouble or "")) == (False, True)
    assert not room.place.exists() or list(room.place.iterdir()) == []
    back(room)
    assert (room.app.drain().waiting, room.page().read_text(encoding="utf-8")[-4:]) == (0, "two\n")


def test_while_it_is_gone_it_cannot_be_looked_after_and_doctor_says_so(room: Room) -> None:
    room.card("create", title="Plan")
    room.app.drain()
    gone(room, "unmounted")

    checks = [each for each in room.app.doctor() if each.name == "workspace papers"]

    assert (room.app.tend("papers"), room.app.mirror("papers"), room.app.spaces()) == (True, 0, [])
    assert [each.is_fine for each in checks] == [False]
    with pytest.raises(WorkspaceGone):
        room.app.cards("papers")
    assert list(room.place.iterdir()) == []


def test_one_that_vanishes_while_it_is_open_is_let_go(room: Room) -> None:
    room.card("create", title="Plan", blocks="one")
    room.app.drain()

    shutil.rmtree(room.place)
    room.card("update", blocks="two")
    done = room.app.drain()

    assert (done.waiting, room.place.exists(), room.app.groups()) == (1, False, [])


def test_a_transcript_that_was_lost_comes_back_from_the_home(room: Room) -> None:
    room.say("UserPromptSubmit", prompt="hello")
    room.app.drain()
    room.app.rest()
    for file in (room.place / ".os" / "memory").glob("transcript.db*"):
        file.unlink()

    assert [each.first_prompt for each in room.app.sessions("papers")] == ["hello"]


@only_linux
def test_at_rest_nothing_of_a_workspace_is_open(room: Room) -> None:
    room.card("create", title="Plan", blocks="one")
    room.app.drain()
    room.app.tend("papers")

    room.app.rest()

    links = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    assert [link for link in links if link.startswith(str(room.place))] == []


def test_long_text_on_a_card_is_kept_whole_and_other_tools_text_is_not(room: Room) -> None:
    long = "word " * 20_000
    room.say("UserPromptSubmit", prompt="make a card")
    room.card("create", title="Plan", blocks=[{"type": "text", "content": long}])
    room.say("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_response=long)

    room.app.drain()

    assert long.strip() in room.page().read_text(encoding="utf-8")
    (turn,) = room.app.show("papers", "s1")
    assert [len(step.result) < 5000 for step in turn.steps] == [True, True]


def test_what_the_workspace_chooses_for_itself_counts(room: Room) -> None:
    own = '[canvas]\ncreate_tools = ["note_add"]\ncard_field = "id"\n'
    (room.place / ".os" / "config.toml").write_text(own, encoding="utf-8")

    room.say(
        "PostToolUse", tool_name="note_add", tool_input={"id": 1, "title": "Plan", "blocks": "one"}
    )
    room.app.drain()

    assert room.page().exists()


def test_a_rebuild_writes_nothing_twice_and_undoes_no_edit(room: Room) -> None:
    room.card("create", "c1", title="Plan", blocks="one")
    room.card("create", "c2", title="Other", blocks="one")
    room.app.drain()
    room.page("other.md").write_text("mine", encoding="utf-8")
    room.page().unlink()
    room.card("update", "c2", blocks="two")
    room.app.drain()
    before = {each.name: each.stat().st_mtime_ns for each in room.page("x").parent.iterdir()}
    asked = room.asked()

    rebuilt = room.app.rebuild("papers")

    after = {each.name: each.stat().st_mtime_ns for each in room.page("x").parent.iterdir()}
    assert (after, room.asked(), rebuilt.is_same) == (before, asked, True)
    assert sorted(after) == ["other.md", "other.md.conflict"]


def test_without_its_memory_an_action_that_was_dismissed_stays_so(room: Room) -> None:
    room.card("create", title="Plan", blocks="one")
    room.app.drain()
    room.page().write_text("mine", encoding="utf-8")
    room.card("update", blocks="two")
    room.app.drain()
    (action,) = room.app.actions("papers")
    room.app.dismiss("papers", action.id, Caller())
    room.app.rest()
    for file in (room.place / ".os" / "memory").glob("memory.db*"):
        file.unlink()

    room.app.drain()

    assert [(each.id, each.status) for each in room.app.actions("papers", None)] == [
        (action.id, "dismissed")
    ]


def test_words_that_are_erased_leave_the_mirrored_file(room: Room) -> None:
    room.card("create", title="Plan", blocks="the secret word is xyzzy")
    room.app.drain()

    room.app.forget("papers", Which(matching="xyzzy"), Caller(), erase=True)
    room.app.drain()

    assert "xyzzy" not in room.page().read_text(encoding="utf-8")


def test_a_look_that_takes_long_is_done_in_parts(room: Room) -> None:
    for number in range(30):
        (room.place / "documents" / f"{number}.pdf").write_text("x" * number, encoding="utf-8")
    room.say("UserPromptSubmit", prompt="hello")
    room.app.drain()

    parts = 1
    while not room.app.tend("papers", seconds=0.0):
        parts += 1
        assert parts < 1000
    room.clock.pass_(25 * HOUR)
    room.app.tend("papers")

    assert parts > 5
    assert len(room.asked()) == 11


def test_an_upgrade_keeps_what_there_was_and_writes_the_version_last(room: Room) -> None:
    room.card("create", title="Plan", blocks="one")
    room.app.drain()
    (room.place / ".os" / "VERSION").write_text("0.0.1\n", encoding="utf-8")
    shutil.rmtree(room.place / "ocr")
    (room.place / ".os" / "src").mkdir()

    done = room.app.upgrade(str(room.place), Caller())

    assert (done.before, (room.place / "ocr").is_dir()) == ("0.0.1", True)
    assert len(room.app.backups("papers")) == 1
    assert done.kept is not None
    assert {each.name for each in Path(done.kept).iterdir()} == {"VERSION", "config.toml"}
    assert room.app.upgrade(str(room.place), Caller()).kept is None


def test_only_a_registered_directory_can_be_upgraded(home: Home, app: App) -> None:
    (home.project / ".os" / "memory").mkdir(parents=True)

    with pytest.raises(NotFound, match="is no workspace"):
        app.upgrade(str(home.project), Caller())


def test_a_card_whose_file_cannot_be_written_is_told_and_the_others_go_on(room: Room) -> None:
    room.card("create", "c1", title="Plan", blocks="one")
    room.app.drain(seconds=None)
    room.page("archive").symlink_to(room.home.scratch)

    room.card("close", "c1")
    room.card("create", "c2", title="Other", blocks="two")
    room.app.drain(seconds=None)

    (check,) = [each for each in room.app.doctor() if each.name == "workspace papers"]
    archive = room.page("archive")
    assert room.page("other.md").exists()
    assert (check.is_fine, check.fix) == (False, f"mv {archive} {archive}.aside")
    assert any("`projects/plan.md` cannot" in each.content for each in room.app.actions("papers"))


def test_an_os_that_nobody_registered_is_ignored_and_doctor_says_so(home: Home, app: App) -> None:
    planted = home.project / ".os" / "memory"
    planted.mkdir(parents=True)
    (planted / "transcript.db").write_bytes(b"planted")

    around = Around(environment={}, directory=home.project / "deep", home=home.path)
    checks = [each for each in app.doctor(around=around) if "ignored" in each.text]

    assert [(each.name, each.is_fine) for each in checks] == [("workspace", True)]
    assert (app.groups(), app.group(None, str(home.project))) == ([], "main")
    assert (planted / "transcript.db").read_bytes() == b"planted"


def test_where_work_was_done_is_looked_at_as_well(home: Home, app: App, room: Room) -> None:
    (home.project / ".os" / "memory").mkdir(parents=True)
    room.say("UserPromptSubmit", group="main", cwd=str(home.project), prompt="hi", session_id="s9")
    app.drain()

    assert app.unregistered() == [str(home.project)]
