"""All installations at once: found from anywhere, and what cannot be taken back is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.install import everywhere, notes, plugin
from unit.install.wanting import CLIENT, everything, install, of_project, with_server

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.install.installing import Wanted

SETTINGS = b'{"hooks": { } }'


def install_everywhere(user: Path, wanted: Wanted) -> None:
    """Install for the user, in two projects and as a plugin."""
    wanted.place.settings.write_bytes(SETTINGS)
    shops = [of_project(wanted, user / name) for name in ("shop", "other shop")]
    plugged = plugin.wanted(user / "plugin", CLIENT, wanted.home)
    for each in (wanted, *shops, plugged):
        install(with_server(each))


def test_everything_is_taken_back_from_wherever_it_is_asked_for(user: Path, wanted: Wanted) -> None:
    install_everywhere(user, wanted)
    elsewhere = of_project(wanted, user / "elsewhere")

    taken = everywhere.take_back(wanted.home, elsewhere.place.asked)

    assert (taken.left, notes.known(wanted.home)) == ([], [])
    assert everything(user) == {".claude/settings.json": SETTINGS}
    assert not (user / "plugin").exists()


def test_what_is_at_stake_is_what_is_changed(user: Path, wanted: Wanted) -> None:
    install_everywhere(user, wanted)
    before = everything(user)

    named = everywhere.at_stake(wanted.home, wanted.place.asked)
    everywhere.take_back(wanted.home, wanted.place.asked)

    after = everything(user)
    changed = {name for name in before if before[name] != after.get(name)}
    beside = {"plugin/README.md", "plugin/.claude-plugin/plugin.json"}
    beside |= {"plugin/.claude-plugin/marketplace.json"}
    assert {str(file.relative_to(user)) for file in named} == changed - beside


def test_a_project_that_is_gone_holds_nothing_up(user: Path, wanted: Wanted) -> None:
    (user / "shop").mkdir()
    install(of_project(wanted, user / "shop"))
    (user / "shop").rename(user / "away")

    taken = everywhere.take_back(wanted.home, wanted.place.asked)

    assert (taken.left, notes.known(wanted.home)) == ([], [])
    assert not wanted.place.launcher.exists()


def test_what_cannot_be_taken_back_is_told_and_its_launcher_goes(
    user: Path, wanted: Wanted
) -> None:
    mine = of_project(wanted, user / "my shop")
    for each in (wanted, mine):
        install(each)
    mine.place.settings.write_bytes(b"{")

    taken = everywhere.take_back(wanted.home, wanted.place.asked)

    (left,) = taken.left
    assert left.command == f"cd '{user}/my shop' && tacit uninstall --scope project"
    assert (left.file, "Cannot read" in left.why) == (mine.place.settings, True)
    assert (wanted.place.launcher.exists(), wanted.place.settings.exists()) == (False, False)
    assert notes.known(wanted.home) == [mine.place.settings]


def test_a_launcher_that_records_in_another_home_stays(user: Path, wanted: Wanted) -> None:
    mine = of_project(wanted, user / "shop")
    install(mine)
    install(replace(wanted, home=user / "home" / "another"))

    everywhere.take_back(mine.home, mine.place.asked)

    assert (mine.place.settings.exists(), mine.place.launcher.exists()) == (False, True)
