"""The façade over telling: the brief, its files kept in step, who heard it, of what use it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import state
from tacit.capture.conf import Conf
from tacit.compose import open_app
from tacit.deliver.brief import printed
from tacit.deliver.prepare import Limits
from tacit.errors import NotFound
from tacit.model.memory import DAY_NS
from tacit.policy import Caller
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import MINUTE_NS, SPACES, TABS, TEA, Ticking, publish, talk
from unit.verbs.conftest import beside, only

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool

OWNER = Caller()
SHOP, TILL = "/srv/shop", "/srv/till"


def conf(home: Home) -> Conf:
    return Conf((home.path / "capture.conf").read_text(encoding="utf-8"))


def prepared(home: Home, directory: str = SHOP, suffix: str = "") -> bytes:
    """Return what a session in a directory is told, as it was prepared."""
    file = conf(home).brief(directory)
    return (home.path / f"{file}{suffix}").read_bytes().partition(b"\n")[2] if file else b""


def told(home: Home, directory: str = SHOP) -> str:
    """Return the id of it."""
    return prepared(home, directory).partition(b"\n")[0].decode()


def begin(spool: Spool, clock: Ticking, session: str, answered: str, **fields: Any) -> None:
    """Let a session begin that was told something."""
    place = {"session_id": session, "cwd": SHOP, "source": "startup"} | fields
    publish(spool, "SessionStart", clock(), place, answered=answered)


@pytest.fixture
def shop(app: App, spool: Spool, clock: Ticking, home: Home) -> Path:
    """Let something be known of two projects; return where the briefs lie."""
    talk(spool, clock, TABS)
    talk(spool, clock, TEA, cwd=TILL, session_id="s2")
    app.drain(seconds=None)
    return home.path / "groups" / "main" / "briefs"


def test_a_home_where_nothing_happened_has_nothing_to_say(app: App, home: Home) -> None:
    found = app.brief("main")

    assert (found.text, found.entry_count, found.entries) == ("", 0, [])
    assert not (home.path / "groups" / "main").exists()
    assert (app.prepare("main"), app.uses("main").memories) == (0, [])


def test_the_first_session_is_told_nothing(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    publish(spool, "SessionStart", clock(), {"session_id": "s1", "cwd": SHOP})

    app.drain(seconds=None)

    assert not (home.path / "groups" / "main" / "briefs").exists()
    assert app.brief("main", SHOP).text == ""


@pytest.mark.usefixtures("shop")
def test_the_brief_of_a_project_is_what_its_sessions_are_told(app: App, home: Home) -> None:
    found = app.brief("main", SHOP)

    assert [each.content for each in found.entries] == [TABS]
    assert (found.entry_count, found.brief_count) == (2, 1)
    assert (found.id, found.id == told(home, "/srv/shop/deep/inside")) == (told(home), True)
    assert b"tabs" in prepared(home, SHOP, ".agents")


@pytest.mark.usefixtures("shop")
def test_without_a_project_it_is_what_holds_everywhere(app: App, home: Home) -> None:
    assert (app.brief("main").entries, prepared(home, "/elsewhere")) == ([], b"\n")

    app.remember("main", Said(text="I speak French", kind="fact"), OWNER)

    assert [each.content for each in app.brief("main").entries] == ["I speak French"]
    for directory in (SHOP, TILL, "/elsewhere"):
        assert b"French" in prepared(home, directory)


@pytest.mark.usefixtures("shop")
def test_a_project_that_is_not_there_is_refused(app: App) -> None:
    with pytest.raises(NotFound, match="There is no project 'orchard'"):
        app.brief("main", "orchard")
    with pytest.raises(NotFound, match="Group work has no project yet"):
        app.keys_of("work", "shop")


@pytest.mark.usefixtures("shop")
def test_a_brief_of_a_time_is_what_was_told_then(app: App, clock: Ticking) -> None:
    before = clock()
    clock.pass_(9 * DAY_NS)
    app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)

    then, now = app.brief("main", SHOP, as_of=before), app.brief("main", SHOP)

    assert [[each.content for each in found.entries] for found in (then, now)] == [[TABS], [SPACES]]
    assert "(0d ago)" in printed(then.text, before)
    assert then.generated_at < now.generated_at


@pytest.mark.usefixtures("shop")
def test_other_limits_can_be_asked_for(app: App, spool: Spool, clock: Ticking) -> None:
    talk(spool, clock, "The shop opens at nine", session_id="s3")
    app.drain(seconds=None)

    found = app.brief("main", SHOP, limits=Limits(entries=1))

    assert (found.brief_count, found.text.count("1 more: search")) == (1, 1)


@pytest.mark.usefixtures("shop")
def test_the_limits_of_the_settings_renew_what_was_prepared(app: App, home: Home) -> None:
    app.remember("main", Said(text="I speak French"), OWNER)
    (home.path / "config.toml").write_text("[deliver]\nmax_brief_entries = 1\n", encoding="utf-8")

    app.drain(seconds=None)

    assert b"1 more: search" in prepared(home)
    assert app.brief("main", SHOP).brief_count == 1


@pytest.mark.usefixtures("shop")
def test_settings_that_cannot_be_read_leave_the_usual_limits(app: App, home: Home) -> None:
    (home.path / "config.toml").write_text("[deliver]\nmax_brief_entries = 0\n", encoding="utf-8")

    assert (app.prepare("main"), app.brief("main", SHOP).brief_count) == (0, 1)


@pytest.mark.usefixtures("shop")
def test_what_is_prepared_follows_each_decision(app: App, home: Home) -> None:
    found = [prepared(home)]
    memory = app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)
    found.append(prepared(home))
    app.forget("main", Which(ids=(memory.id,)), OWNER)
    found.append(prepared(home))

    held = [(b"tabs" in each, b"spaces" in each) for each in found]
    assert held == [(True, False), (False, True), (False, False)]


@pytest.mark.usefixtures("shop")
def test_a_joined_project_is_told_with_the_other(app: App, home: Home) -> None:
    app.project("main", "join", TILL, SHOP, origin="owner")
    app.drain(seconds=None)

    for directory in (SHOP, TILL):
        assert (b"tabs" in prepared(home, directory), b"tea" in prepared(home, directory)) == (
            True,
            True,
        )


@pytest.mark.usefixtures("shop")
def test_no_group_is_told_what_another_knows(
    app: App, home: Home, spool: Spool, clock: Ticking
) -> None:
    app.remember("main", Said(text="I speak French"), OWNER)
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{TILL}"]\n', encoding="utf-8")
    talk(spool, clock, "The office has a lift", cwd="/srv/office", group="main")
    app.drain(seconds=None)
    app.pause("/nowhere")  # the hook would do as much

    assert (conf(home).brief(TILL), prepared(home, f"{TILL}/deep")) == (None, b"")

    talk(spool, clock, "The till was moved", cwd=TILL, session_id="s9", group="work")
    app.drain(seconds=None)

    work = prepared(home, TILL)
    assert (b"moved" in work, b"French" in work, b"tea" in work) == (True, False, False)
    assert b"moved" not in prepared(home, SHOP)
    assert [each.content for each in app.brief("work", TILL).entries] == ["The till was moved"]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("directory", [None, SHOP])
def test_what_the_hook_is_told_outlives_a_pause(
    directory: str | None, app: App, home: Home
) -> None:
    before = told(home)

    app.pause(directory)
    paused = told(home)
    app.resume(directory)

    assert before == paused == told(home) != ""


def test_a_brief_that_cannot_be_written_is_told_in_the_hook_s_log(
    shop: Path, app: App, home: Home, tmp_path: Path
) -> None:
    shop.rename(tmp_path / "away")
    shop.symlink_to(tmp_path / "away")

    memory = app.remember("main", Said(text="I speak French"), OWNER)

    assert (memory.state, app.prepare("main")) == ("active", 1)
    assert "brief" in home.log[-1]
    assert not any(b"French" in file.read_bytes() for file in (tmp_path / "away").iterdir())


def test_a_rebuild_leaves_briefs_that_are_right(shop: Path, app: App, home: Home) -> None:
    before = {file.name: file.read_bytes() for file in shop.iterdir()}

    app.rebuild("main")

    assert {file.name: file.read_bytes() for file in shop.iterdir()} == before
    with beside(home) as store:
        assert store.told.get(told(home)) is not None


def test_a_rebuild_without_the_curator_leaves_nothing_to_say(
    shop: Path, app: App, home: Home
) -> None:
    del app
    (home.path / "config.toml").write_text('[curate]\nmode = "off"\n', encoding="utf-8")
    other = open_app(str(home.path))

    other.rebuild("main")
    other.close()

    assert not any(b"tabs" in file.read_bytes() for file in shop.iterdir())


def test_erased_words_are_in_no_file_of_the_home(
    shop: Path, app: App, home: Home, spool: Spool, clock: Ticking
) -> None:
    words = "The vault opens to quillonborogrove"
    talk(spool, clock, words, cwd=TILL, session_id="s3")
    app.drain(seconds=None)
    app.project("main", "join", TILL, SHOP, origin="owner")
    app.drain(seconds=None)
    (shop / ".prj.md.9.ff").write_text("left: quillonborogrove", encoding="utf-8")
    before = home.bytes_on_disk()

    app.forget("main", Which(matching="quillonborogrove"), OWNER, erase=True)

    assert before.count(b"quillonborogrove") >= 4
    assert b"quillonborogrove" not in home.bytes_on_disk()
    assert b"tabs" in prepared(home)


@pytest.mark.usefixtures("shop")
def test_who_heard_a_brief_and_what_came_of_it_is_told(
    app: App, home: Home, spool: Spool, clock: Ticking
) -> None:
    memory = only(app, TABS)
    begin(spool, clock, "s5", told(home))
    place = {"session_id": "s5", "cwd": SHOP, "prompt_id": "turn-5"}
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": "Indent the new file"})
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "The shop uses tabs here."})

    app.drain(seconds=None)

    with beside(home) as store:
        (heard,) = store.told.heard_of(memory.id)
    found = app.uses("main")
    assert (heard.session, heard.surface, heard.used, heard.repeated) == (
        "s5",
        "brief",
        True,
        False,
    )
    assert [(each.content, each.told, each.used) for each in found.memories] == [(TABS, 1, 1)]
    assert [(each.surface, each.heard) for each in found.surfaces if each.heard] == [("brief", 1)]
    assert [(each.is_held, each.memories, each.used) for each in found.outcomes] == [(False, 1, 1)]


@pytest.mark.usefixtures("shop")
def test_what_nobody_ever_prepared_is_heard_by_nobody(
    app: App, spool: Spool, clock: Ticking
) -> None:
    begin(spool, clock, "s5", "brief-0123456789abcdef")

    assert app.drain(seconds=None).troubles == []
    assert app.uses("main").outcomes == []


@pytest.mark.usefixtures("shop")
def test_what_is_held_back_is_compared(app: App, home: Home, spool: Spool, clock: Ticking) -> None:
    app.pin("main", only(app, TABS).id, OWNER)
    talk(spool, clock, "The shop opens at nine", session_id="s3")
    (home.path / "config.toml").write_text("[deliver]\nholdout = 100\n", encoding="utf-8")
    app.drain(seconds=None)
    begin(spool, clock, "s5", told(home))
    app.drain(seconds=None)

    assert (b"tabs" in prepared(home), b"nine" in prepared(home)) == (True, False)
    found = [(each.is_held, each.memories) for each in app.uses("main").outcomes]
    assert found == [(False, 1), (True, 1)]


@pytest.mark.usefixtures("shop")
def test_what_was_told_long_ago_is_let_go_but_not_what_is_told_still(
    app: App, home: Home, clock: Ticking
) -> None:
    still = told(home, TILL)
    gone = told(home)
    app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)
    clock.pass_(91 * DAY_NS)

    app.upkeep("main")

    with beside(home) as store:
        found = [store.told.get(name) is not None for name in (still, gone, told(home))]
    assert found == [True, False, True]


@pytest.mark.usefixtures("shop")
def test_a_memory_that_is_told_again_and_again_is_not_thereby_looked_at(
    app: App, home: Home, spool: Spool, clock: Ticking
) -> None:
    (home.path / "config.toml").write_text("[memory]\narchive_unused_days = 5\n", encoding="utf-8")
    clock.pass_(6 * DAY_NS)
    begin(spool, clock, "s5", told(home))
    app.drain(seconds=None)
    clock.pass_(MINUTE_NS)

    assert app.upkeep("main").archived == 2


def test_a_home_s_key_is_its_own(home: Home, tmp_path: Path, shop: Path, app: App) -> None:
    del shop
    other = open_app(str(tmp_path / "other"))

    other.remember("main", Said(text="I speak French"), OWNER)
    app.remember("main", Said(text="I speak French"), OWNER)
    found = other.brief("main"), app.brief("main")
    other.close()

    assert found[0].id != found[1].id
    assert state.open_home(str(home.path)) >= 0
