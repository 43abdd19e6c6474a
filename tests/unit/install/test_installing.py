"""Installing and taking it back: byte for byte, or only what is ours."""

from __future__ import annotations

import json
import stat
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit import paths
from tacit.errors import InstallRefused
from tacit.install import installing
from tacit.install.installing import Wanted
from unit.install.wanting import CLIENT, everything, install, of_project, with_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SETTINGS = b'{\r\n\t"model": "opus",\r\n\t"env": {"A": "\\u00e9 \xc3\xa9"}\r\n}'


@pytest.mark.parametrize(
    "before", [None, b"{}", SETTINGS, b'{"hooks": {}}\n', b"\n {} \n", b"", b" \n"]
)
def test_what_nobody_has_changed_is_put_back_byte_for_byte(
    user: Path, wanted: Wanted, before: bytes | None
) -> None:
    if before is not None:
        wanted.place.settings.write_bytes(before)
    known = everything(user)
    install(with_server(wanted))
    install(with_server(wanted))

    installing.uninstall(wanted)

    assert everything(user) == known


def test_nothing_is_written_but_what_the_plan_names(user: Path, wanted: Wanted) -> None:
    steps = installing.plan(with_server(wanted))

    installing.install(with_server(wanted), steps)

    named = {str(step.file.relative_to(user)) for step in steps}
    assert set(everything(user)) == named | {".claude/tacit-hook.py"}


def test_what_was_changed_meanwhile_stays(wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"model": "opus"}')
    install(with_server(wanted))
    text = wanted.place.settings.read_text(encoding="utf-8").replace("opus", "sonnet")
    wanted.place.settings.write_text(text, encoding="utf-8")

    installing.uninstall(wanted)

    assert json.loads(wanted.place.settings.read_bytes()) == {"model": "sonnet"}


def test_a_repair_after_a_change_remembers_the_file_without_us(wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"model": "opus"}')
    install(wanted)
    text = wanted.place.settings.read_text(encoding="utf-8").replace("opus", "sonnet")
    wanted.place.settings.write_text(text.replace("-I", "-X"), encoding="utf-8")
    install(wanted)

    installing.uninstall(wanted)

    assert json.loads(wanted.place.settings.read_bytes()) == {"model": "sonnet"}


@pytest.mark.parametrize("is_repaired", [True, False])
def test_a_hook_that_was_put_beside_ours_stays(*, wanted: Wanted, is_repaired: bool) -> None:
    theirs = {"type": "command", "command": "notify-send done"}
    install(wanted)
    told = json.loads(wanted.place.settings.read_bytes())
    told["hooks"]["Stop"][0]["hooks"].append(theirs)
    wanted.place.settings.write_text(json.dumps(told).replace("-I", "-X"), encoding="utf-8")
    if is_repaired:
        install(wanted)

    installing.uninstall(wanted)

    left = json.loads(wanted.place.settings.read_bytes())
    assert left == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


def test_it_is_taken_out_even_if_nothing_is_remembered_of_it(wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"model": "opus"}')
    install(with_server(wanted))
    for each in (wanted.home / paths.INSTALLED).iterdir():
        each.unlink()

    installing.uninstall(wanted)

    assert json.loads(wanted.place.settings.read_bytes()) == {"model": "opus"}
    assert not wanted.place.launcher.exists()


def test_without_a_server_an_older_one_goes(wanted: Wanted) -> None:
    install(with_server(wanted))

    install(wanted)

    assert "tacit" not in wanted.place.servers.read_text(encoding="utf-8")
    assert "mcp__tacit" not in wanted.place.settings.read_text(encoding="utf-8")


RULE = b'{ "permissions": {"allow": ["mcp__tacit"]} }'


@pytest.mark.parametrize("is_rewritten", [True, False])
@pytest.mark.parametrize("profile", [with_server, replace], ids=["reader", "none"])
def test_a_rule_that_was_there_before_us_stays(
    *, wanted: Wanted, profile: Callable[[Wanted], Wanted], is_rewritten: bool
) -> None:
    wanted.place.settings.write_bytes(RULE)
    install(profile(wanted))
    text = wanted.place.settings.read_text(encoding="utf-8")
    if is_rewritten:
        told = json.loads(text) | {"model": "opus"}
        wanted.place.settings.write_text(json.dumps(told), encoding="utf-8")
        install(profile(wanted))

    installing.uninstall(wanted)

    left = wanted.place.settings.read_bytes()
    assert (left == RULE) == (not is_rewritten)
    assert json.loads(left)["permissions"] == {"allow": ["mcp__tacit"]}
    assert json.loads(text)["permissions"] == {"allow": ["mcp__tacit"]}


@pytest.mark.parametrize("before", [b"", b" \n", b"{ }"])
def test_settings_that_said_nothing_say_it_again_though_others_have_rewritten_them(
    wanted: Wanted, before: bytes
) -> None:
    wanted.place.settings.write_bytes(before)
    install(with_server(wanted))
    told = json.loads(wanted.place.settings.read_bytes())
    wanted.place.settings.write_text(json.dumps(told), encoding="utf-8")

    installing.uninstall(wanted)

    assert wanted.place.settings.read_bytes() == before


def test_a_list_of_servers_that_is_blank_is_left_alone_without_a_server(wanted: Wanted) -> None:
    wanted.place.servers.write_bytes(b"")

    install(wanted)

    assert wanted.place.servers.read_bytes() == b""


def test_modes_and_links_stay(user: Path, wanted: Wanted) -> None:
    real = user / "dotfiles.json"
    real.write_bytes(b"{}")
    real.chmod(0o640)
    wanted.place.settings.symlink_to(real)

    install(wanted)

    assert wanted.place.settings.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert b"tacit-hook.py" in real.read_bytes()


def test_edits_of_others_at_the_same_time_are_not_lost(wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"count": 0}')
    others = 200

    def count() -> None:
        for number in range(1, others + 1):
            text = wanted.place.settings.read_text(encoding="utf-8")
            told = json.loads(text) | {"count": number}
            beside = wanted.place.settings.with_suffix(".theirs")
            beside.write_text(json.dumps(told), encoding="utf-8")
            beside.replace(wanted.place.settings)

    thread = threading.Thread(target=count)
    thread.start()
    while thread.is_alive():
        try:
            install(wanted)
        except InstallRefused:
            continue
    thread.join()

    assert json.loads(wanted.place.settings.read_bytes())["count"] == others


def test_uninstalling_what_is_not_there_changes_nothing(user: Path, wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(SETTINGS)
    known = everything(user)

    assert installing.uninstall(wanted) == []
    assert everything(user) == known


def test_where_one_file_cannot_be_read_nothing_is_taken_out_of_the_other(
    user: Path, wanted: Wanted
) -> None:
    install(with_server(wanted))
    wanted.place.servers.write_bytes(b"{")
    known = everything(user)

    with pytest.raises(InstallRefused, match="Nothing was changed"):
        installing.uninstall(wanted)

    assert everything(user) == known


def test_settings_with_a_mark_before_everything_come_back_byte_for_byte(wanted: Wanted) -> None:
    before = b'\xef\xbb\xbf{\r\n  "model": "opus"\r\n}\r\n'
    wanted.place.settings.write_bytes(before)
    install(with_server(wanted))
    told = wanted.place.settings.read_text(encoding="utf-8-sig")

    installing.uninstall(wanted)

    assert (len(json.loads(told)["hooks"]), json.loads(told)["model"]) == (10, "opus")
    assert wanted.place.settings.read_bytes() == before


def test_a_launcher_that_is_missing_is_a_step_of_the_plan(wanted: Wanted) -> None:
    install(wanted)
    wanted.place.launcher.unlink()

    steps = installing.plan(wanted)

    assert [step.file for step in steps] == [wanted.place.launcher]


def stamps(user: Path) -> dict[str, tuple[int, int, int]]:
    """Return of each file what changes when it is written; reading changes none of it."""
    found = {str(each): each.stat() for each in user.rglob("*") if each.is_file()}
    return {name: (at.st_ino, at.st_mtime_ns, at.st_ctime_ns) for name, at in found.items()}


def test_where_all_is_in_its_place_nothing_is_written(user: Path, wanted: Wanted) -> None:
    install(with_server(wanted))
    before = stamps(user)

    install(with_server(wanted))

    assert stamps(user) == before


def test_what_the_client_has_rewritten_meanwhile_loses_ours_and_nothing_else(
    wanted: Wanted,
) -> None:
    before = {"numStartups": 3, "mcpServers": {}, "projects": {"/srv": {"mcpServers": {}}}}
    wanted.place.servers.write_text(json.dumps(before), encoding="utf-8")
    install(with_server(wanted))
    told = json.loads(wanted.place.servers.read_bytes()) | {"numStartups": 4}
    wanted.place.servers.write_text(json.dumps(told, indent=2), encoding="utf-8")

    installing.uninstall(wanted)

    assert json.loads(wanted.place.servers.read_bytes()) == before | {"numStartups": 4}


def test_the_client_s_own_lock_is_waited_for(wanted: Wanted) -> None:
    wanted.place.servers.write_bytes(b"{}")
    lock = wanted.place.servers.with_name(".claude.json.lock")
    lock.mkdir()
    timer = threading.Timer(0.2, lock.rmdir)
    timer.start()

    install(with_server(wanted))

    assert not timer.is_alive()
    assert b"tacit" in wanted.place.servers.read_bytes()


def test_a_link_that_led_nowhere_leads_nowhere_again(user: Path, wanted: Wanted) -> None:
    wanted.place.settings.symlink_to(user / "dotfiles.json")
    install(wanted)
    is_there = (user / "dotfiles.json").exists()

    installing.uninstall(wanted)

    assert (is_there, (user / "dotfiles.json").exists()) == (True, False)
    assert wanted.place.settings.is_symlink()


def test_a_project_is_written_below_it_alone_but_for_the_launcher(
    user: Path, wanted: Wanted
) -> None:
    install(with_server(of_project(wanted, user / "shop")))

    assert set(everything(user)) == {
        "shop/.claude/settings.json",
        "shop/.mcp.json",
        ".claude/tacit-hook.py",
    }


@pytest.mark.parametrize("is_project_first", [True, False])
def test_the_launcher_stays_as_long_as_other_settings_name_it(
    *, user: Path, wanted: Wanted, is_project_first: bool
) -> None:
    both = [of_project(wanted, user / "shop"), wanted]
    for each in both:
        install(each)
    first, last = both if is_project_first else reversed(both)

    installing.uninstall(first)
    is_left, still = wanted.place.launcher.exists(), installing.installed(wanted.home)
    installing.uninstall(last)

    assert (is_left, still) == (True, [last.place.settings])
    assert (wanted.place.launcher.exists(), installing.installed(wanted.home)) == (False, [])


def test_settings_of_another_home_s_installation_keep_the_launcher(
    user: Path, wanted: Wanted
) -> None:
    install(wanted)
    mine = of_project(wanted, user / "shop")
    other = Wanted(client=CLIENT, place=mine.place, home=user / "home" / "other")
    install(other)

    installing.uninstall(other)

    assert wanted.place.launcher.exists()
