"""The façade over the curated files: edits become decisions, and only the owner lets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.deliver.curated.deployed import Deployment
from tacit.errors import FileRefused, MemoryRefused, NotAllowed, NotFound
from tacit.policy import AGENT, Caller
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import TABS, TEA, Ticking, publish, talk
from unit.verbs.conftest import decided, only, standing

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

OWNER = Caller()
SOMEONE = Caller(profile=AGENT, session="s-agent")
SHOP, TILL = "/srv/shop", "/srv/till"
BRIEF = "I prefer short answers"


@pytest.fixture
def files(app: App, spool: Spool, clock: Ticking, home: Home) -> Path:
    """Let something be known; return where the files lie."""
    talk(spool, clock, TABS)
    app.drain(seconds=None)
    app.remember("main", Said(text=BRIEF, kind="preference"), OWNER)
    return home.path / "groups" / "main" / "files"


def text(files: Path, name: str = "user.md") -> str:
    return (files / name).read_text(encoding="utf-8")


def rewrite(files: Path, old: str, new: str, name: str = "user.md") -> None:
    """Let somebody change a file by hand."""
    changed = text(files, name).replace(old, new)
    (files / name).chmod(0o600)
    (files / name).write_text(changed, encoding="utf-8")


def accept(app: App, name: str) -> None:
    """Let the owner look at an edit, then accept it."""
    app.edits("main", name, seen_by=OWNER)
    app.accept_edits("main", name, OWNER)


def states(app: App) -> set[str]:
    return {each.state for each in app.files("main") if each.state != "missing"}


def test_where_nothing_happened_there_are_no_files_and_nothing_is_made(
    app: App, home: Home
) -> None:
    assert (app.files("main"), app.edits("main"), app.boot("main").text) == ([], [], "")
    assert not (home.path / "groups" / "main").exists()


def say(spool: Spool, clock: Ticking, text: str) -> None:
    """Let a user say something in a session of its own, in the shop."""
    name = f"s-{clock()}"
    place = {"session_id": name, "cwd": SHOP, "prompt_id": f"turn-of-{name}"}
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": text})
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "Noted."})


def test_what_is_said_in_a_session_is_in_its_file_after_the_same_drain(
    app: App, spool: Spool, clock: Ticking, files: Path
) -> None:
    say(spool, clock, "From now on, always answer in French.")

    app.drain(seconds=None)

    assert "answer in French" in text(files)


def test_a_correction_has_replaced_the_old_line_after_the_same_drain(
    app: App, spool: Spool, clock: Ticking, files: Path
) -> None:
    say(spool, clock, "Remember that the staging server listens on port 8080.")
    app.drain(seconds=None)
    before = text(files, "context.md")

    say(spool, clock, "The staging server listens on port 9191 now, not 8080.")
    app.drain(seconds=None)

    after, old = text(files, "context.md"), "listens on port 8080"
    assert (old in before, old in after, "9191" in after) == (True, False, True)


def test_an_accepted_edit_becomes_decisions_of_the_owner(app: App, files: Path) -> None:
    rewrite(files, BRIEF, "I prefer long answers")
    rewrite(files, "## Instructions\n", "## Instructions\n\n- Always sign commits\n")

    accept(app, "user")

    assert standing(app) == ["Always sign commits", "I prefer long answers", TABS]
    assert decided(app)[1:] == [("owner", "correct"), ("owner", "remember")]
    assert (app.edits("main"), states(app)) == ([], {"kept"})
    assert "- Always sign commits (" in text(files)


def test_a_line_that_was_taken_out_is_forgotten_once_accepted(app: App, files: Path) -> None:
    rewrite(files, text(files).split("\n## Preferences\n\n")[1].split("\n")[0] + "\n", "")

    before = standing(app)
    accept(app, "user.md")

    assert (before, standing(app)) == ([BRIEF, TABS], [TABS])
    assert decided(app)[-1] == ("owner", "forget")


def test_what_was_accepted_outlives_a_rebuild_and_the_loss_of_everything_derived(
    app: App, files: Path, home: Home
) -> None:
    rewrite(files, BRIEF, "I prefer long answers")
    accept(app, "user")
    before = text(files)

    app.rebuild("main")
    for name in ("memory.db", "files/user.md", "files/files.ledger"):
        (home.path / "groups" / "main" / name).unlink()
    other = open_app(str(home.path))
    other.drain(seconds=None)
    other.close()

    assert text(files) == before


@pytest.mark.parametrize("name", ["user.md", "soul.md"])
@pytest.mark.parametrize("seen_by", [OWNER, SOMEONE, None])
def test_what_the_owner_was_not_shown_is_not_accepted(
    name: str, seen_by: Caller | None, app: App, files: Path
) -> None:
    app.deploy("main", Deployment(texts={"soul.md": "Be kind\n"}), OWNER)
    (files / name).chmod(0o600)
    (files / name).write_text(f"{text(files, name)}- Facts are mine\n", encoding="utf-8")
    app.edits("main", seen_by=seen_by)
    if seen_by is OWNER:  # somebody comes between looking and accepting
        (files / name).write_text(f"{text(files, name)}- Obey\n", encoding="utf-8")

    with pytest.raises(FileRefused, match=f"changed meanwhile: look again with .tacit .* {name}"):
        app.accept_edits("main", name, OWNER)

    assert "mine" not in app.boot("main").text


def test_what_is_learned_between_looking_and_accepting_is_no_other_edit(
    app: App, files: Path
) -> None:
    rewrite(files, BRIEF, "I prefer long answers")
    app.edits("main", seen_by=OWNER)
    app.remember("main", Said(text="Always sign commits", kind="instruction"), OWNER)

    app.accept_edits("main", "user", OWNER)

    assert standing(app) == ["Always sign commits", "I prefer long answers", TABS]


def test_a_rejected_edit_leaves_no_trace(app: App, files: Path) -> None:
    before, decisions = text(files), decided(app)
    rewrite(files, BRIEF, "I prefer to be robbed")

    app.reject_edits("main", "user.md", OWNER)

    assert (text(files), decided(app), app.edits("main")) == (before, decisions, [])


def test_an_edit_that_waits_outlives_a_rebuild(app: App, files: Path) -> None:
    rewrite(files, BRIEF, "I prefer long answers")

    app.rebuild("main")

    assert "long answers" in text(files)
    assert [each.added for each in app.edits("main")] == [
        [line for line in text(files).splitlines() if "long" in line]
    ]


def test_what_cannot_be_remembered_is_refused_before_anything_is_decided(
    app: App, files: Path
) -> None:
    rewrite(files, BRIEF, "I prefer long answers")
    rewrite(files, "## Facts\n", f"## Facts\n\n- {'x' * 2001}\n")
    decisions = decided(app)

    with pytest.raises(MemoryRefused, match="2001 characters"):
        accept(app, "user")

    assert decided(app) == decisions
    assert "long answers" in text(files)


def test_a_secret_that_was_typed_into_a_file_is_taken_out_when_it_is_accepted(
    app: App, files: Path
) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    rewrite(files, "## Facts\n", f"## Facts\n\n- The key {key} opens the store\n")

    accept(app, "user")

    assert key not in text(files)
    assert "[redacted:" in text(files)


@pytest.mark.parametrize("name", ["user", "context.md", "soul"])
def test_a_file_that_nobody_edited_has_nothing_to_accept_or_reject(
    name: str, app: App, files: Path
) -> None:
    del files
    for verb in (app.accept_edits, app.reject_edits):
        with pytest.raises(NotFound, match="is as Tacit wrote it"):
            verb("main", name, OWNER)


def test_a_file_that_cannot_be_read_is_not_accepted_and_can_be_rejected(
    app: App, files: Path
) -> None:
    before = text(files)
    (files / "user.md").unlink()
    (files / "user.md").mkdir()

    with pytest.raises(FileRefused, match=r"user\.md cannot be accepted"):
        accept(app, "user")
    (files / "user.md").rmdir()
    (files / "user.md").symlink_to("/etc/hostname")
    app.reject_edits("main", "user", OWNER)

    assert text(files) == before


def test_an_agent_neither_accepts_nor_rejects_nor_deploys(app: App, files: Path) -> None:
    rewrite(files, BRIEF, "I prefer to be robbed")

    for act in (
        lambda: app.accept_edits("main", "user", SOMEONE),
        lambda: app.reject_edits("main", "user", SOMEONE),
        lambda: app.deploy("main", Deployment(texts={"soul.md": "Obey\n"}), SOMEONE),
    ):
        with pytest.raises(NotAllowed, match="needs the owner at a terminal"):
            act()

    assert "robbed" not in app.boot("main").text
    assert not (files / "soul.md").exists()


def test_a_deployment_is_there_before_anything_else_is(app: App, home: Home) -> None:
    done = app.deploy("main", Deployment(texts={"soul.md": "Be kind\n"}, version="2"), OWNER)

    made = app.boot("main")

    assert (done.version, made.version, done.files) == ("2", "2", ("soul.md", "os.md"))
    assert made.text.startswith("Be kind\n\n---\n\n# OS\n")
    assert (home.path / "groups" / "main" / "VERSION").read_text(encoding="utf-8") == "2\n"


def test_an_edit_of_what_was_deployed_counts_once_it_is_accepted(app: App, files: Path) -> None:
    app.deploy("main", Deployment(texts={"soul.md": "Be kind\n"}), OWNER)
    rewrite(files, "Be kind", "Be brief", "soul.md")
    before = app.boot("main").text

    accept(app, "soul")

    assert ("Be kind" in before, "Be brief" in before) == (True, False)
    assert app.boot("main").text.startswith("Be brief\n")
    assert decided(app)[-1] == ("owner", "remember")  # no decision about a memory


def test_the_boot_text_is_of_a_project_or_of_the_whole_group(
    app: App, files: Path, spool: Spool, clock: Ticking
) -> None:
    del files
    talk(spool, clock, TEA, cwd=TILL, session_id="s2")
    app.drain(seconds=None)

    found = {name: app.boot("main", name).text for name in (SHOP, TILL, None)}

    assert {name: (TABS in each, TEA in each) for name, each in found.items()} == {
        SHOP: (True, False),
        TILL: (False, True),
        None: (True, True),
    }
    assert f"- {TEA} (till, " in found[None]
    with pytest.raises(NotFound, match="There is no project"):
        app.boot("main", "orchard")


def test_the_settings_say_how_many_tokens_it_may_take(app: App, files: Path, home: Home) -> None:
    del files
    (home.path / "config.toml").write_text("[deliver]\nboot_tokens = 500\n", encoding="utf-8")
    for number in range(60):
        app.remember("main", Said(text=f"Box {number} holds {'nails ' * 12}"), OWNER)

    assert 400 < app.boot("main").tokens <= 500
    assert app.boot("main", tokens=900).tokens > 500


def test_erased_words_are_in_no_file_of_the_home_be_it_edited_or_not(
    app: App, files: Path, home: Home, spool: Spool, clock: Ticking
) -> None:
    words = "The vault opens to quillonborogrove"
    talk(spool, clock, words, session_id="s3")
    app.drain(seconds=None)
    talk(spool, clock, "Tell me what the vault opens to, and to whom it opens", session_id="s4")
    rewrite(files, "## History\n", "## History\n\n- my quillonborogrove\n- my tea\n", "context.md")
    rewrite(files, "opens to quillon", "opens only to quillon", "context.md")
    app.drain(seconds=None)
    before = home.bytes_on_disk().count(b"quillonborogrove")

    app.forget("main", Which(matching="quillonborogrove"), OWNER, erase=True)

    assert before >= 5
    assert b"quillonborogrove" not in home.bytes_on_disk()
    assert "my tea" in text(files, "context.md")


def test_a_rehearsal_of_an_erasure_leaves_edits_alone(app: App, files: Path) -> None:
    rewrite(files, "## Facts\n", "## Facts\n\n- my tabs\n")

    app.forget("main", Which(matching="tabs"), OWNER, erase=True, dry=True)
    with pytest.raises(NotAllowed):
        app.forget("main", Which(matching="tabs"), SOMEONE, erase=True)

    assert "my tabs" in text(files)


def test_a_selection_orders_what_stands_on_a_page(app: App, files: Path) -> None:
    for number in range(4):
        app.remember("main", Said(text=f"Taste {number}", kind="preference"), OWNER)
    names = [only(app, f"Taste {number}").id for number in (2, 0, 3, 1)]

    app.select("main", "user", [*names, only(app, BRIEF).id])

    shown = [line[2:9] for line in text(files).splitlines() if line.startswith("- Taste")]
    assert shown == ["Taste 2", "Taste 0", "Taste 3", "Taste 1"]
    with pytest.raises(FileRefused, match="more than a quarter"):
        app.select("main", "user", names[:2])


@pytest.mark.parametrize("name", ["soul", "os.md"])
def test_nothing_can_be_selected_for_what_is_deployed(name: str, app: App, files: Path) -> None:
    del files
    with pytest.raises(NotFound, match="nothing to select"):
        app.select("main", name, [])


def test_a_group_in_the_home_is_no_workspace(app: App, files: Path) -> None:
    del files
    assert not app.is_workspace("main")


def test_files_that_cannot_be_written_are_told_in_the_hook_s_log(
    app: App, files: Path, home: Home, tmp_path: Path
) -> None:
    files.rename(tmp_path / "away")
    files.symlink_to(tmp_path / "away")

    memory = app.remember("main", Said(text="I speak French"), OWNER)

    assert (memory.state, app.prepare("main")) == ("active", 1)
    assert "files" in home.log[-1]
    assert not any(b"French" in each.read_bytes() for each in (tmp_path / "away").glob("*.md"))


def test_no_group_s_files_tell_what_another_knows(
    app: App, files: Path, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TEA, cwd=TILL, session_id="s2", group="work")
    app.drain(seconds=None)

    theirs = files.parent.parent / "work" / "files"
    assert (TEA in text(theirs, "context.md"), TEA in text(files, "context.md")) == (True, False)
    assert TABS not in app.boot("work").text


def test_doctor_says_which_files_were_changed_from_outside(app: App, files: Path) -> None:
    fine = [each for each in app.doctor() if each.name == "files main"]
    rewrite(files, BRIEF, "I prefer to be robbed")
    found = [each for each in app.doctor() if each.name == "files main"]

    assert [(each.is_fine, each.text) for each in fine] == [
        (True, "4 curated files, as they were written")
    ]
    assert [(each.is_fine, each.text, each.fix) for each in found] == [
        (
            False,
            "changed from outside and not accepted: user.md",
            "tacit files diff --group main",
        )
    ]
