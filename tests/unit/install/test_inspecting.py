"""The client's side: what its settings say about us as a whole, and what mends it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.install.standing import Finding
from unit.install.clientside import User

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, tmp_path / "python")


def everything(root: Path) -> dict[str, bytes]:
    files = [each for each in root.rglob("*") if each.is_file()]
    return {str(each): each.read_bytes() for each in files}


def test_a_client_without_us_is_fine_and_told_how_to_have_us(user: User) -> None:
    found = user.look()

    assert found == [
        Finding(is_fine=True, text="not installed in Claude Code", fix="tacit install")
    ]


def test_a_server_of_somebody_else_with_our_name_is_none_of_ours(user: User) -> None:
    user.say(user.at().servers, mcpServers={"tacit": {"command": "npx", "args": ["tacit-mcp"]}})

    assert [each.text for each in user.look()] == ["not installed in Claude Code"]


def test_what_is_installed_is_fine(user: User) -> None:
    user.install()

    found = user.look()

    text = f"10 hooks and the memory's reader in {user.at().settings}"
    assert found == [Finding(is_fine=True, text=text)]


def test_without_the_reader_it_is_fine_as_well(user: User) -> None:
    user.install("project", reader=False)

    assert user.look() == [Finding(is_fine=True, text=f"10 hooks in {user.at('project').settings}")]


def test_looking_changes_nothing(user: User, tmp_path: Path) -> None:
    user.install()
    user.plug_in(tmp_path / "plugin")
    before = everything(tmp_path)

    user.look()

    assert everything(tmp_path) == before


def test_the_client_s_own_directory_is_looked_at(user: User, tmp_path: Path) -> None:
    user.environment["CLAUDE_CONFIG_DIR"] = str(tmp_path / "chosen")
    user.install()

    (found,) = user.look()

    assert str(tmp_path / "chosen" / "settings.json") in found.text


@pytest.mark.parametrize("name", ["settings", "servers"])
@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("spoiled", ["{", "[]", "{} // mine"])
def test_a_file_that_cannot_be_read_is_named(
    user: User, name: str, scope: str, spoiled: str
) -> None:
    file = getattr(user.at(scope), name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(spoiled, encoding="utf-8")

    ((text, fix),) = user.wrong()

    assert text.startswith(f"{file} cannot be read: ")
    assert fix == f"correct {file}, then `tacit install`"


@pytest.mark.parametrize("name", ["settings", "servers"])
@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_file_that_is_blank_says_nothing(user: User, name: str, blank: str) -> None:
    file = getattr(user.at(), name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(blank, encoding="utf-8")

    assert [each.text for each in user.look()] == ["not installed in Claude Code"]


def test_a_directory_in_the_place_of_settings_is_told(user: User) -> None:
    user.at().settings.mkdir(parents=True)

    ((text, _),) = user.wrong()

    assert "cannot be read" in text


def test_settings_that_cannot_be_read_do_not_hide_what_else_is_there(user: User) -> None:
    user.install("project")
    user.at().settings.parent.mkdir(exist_ok=True)
    user.at().settings.write_text("{", encoding="utf-8")

    texts = [each.text for each in user.look()]

    assert any("cannot be read" in text for text in texts)
    assert any(str(user.at("project").settings) in text for text in texts)


@pytest.mark.parametrize("place", ["user", "project", "own"])
def test_hooks_that_are_switched_off_are_told_with_the_file_that_does_it(
    user: User, place: str
) -> None:
    user.install()
    own = user.project / ".claude" / "settings.local.json"
    file = own if place == "own" else user.at(place).settings
    user.say(file, disableAllHooks=True)

    assert user.wrong() == [
        (f"no hook runs: {file} says disableAllHooks", f"remove disableAllHooks from {file}")
    ]


@pytest.mark.parametrize("value", [False, None, "true"])
def test_hooks_that_are_not_switched_off_are_fine(user: User, value: object) -> None:
    user.install()
    user.say(disableAllHooks=value, allowManagedHooksOnly=True)  # which counts elsewhere alone

    assert user.wrong() == []


@pytest.mark.parametrize("name", ["disableAllHooks", "allowManagedHooksOnly"])
def test_what_whoever_runs_the_machine_forbids_is_told(
    user: User, tmp_path: Path, name: str
) -> None:
    user.install()
    user.say(tmp_path / "managed.json", **{name: True})

    ((text, fix),) = user.wrong()

    assert text == f"no hook runs: {tmp_path}/managed.json says {name}"
    assert (fix or "").startswith("ask whoever manages this machine")


def test_hooks_for_the_user_and_in_the_project_are_doubled(user: User) -> None:
    user.install()
    user.install("project")

    both = f"{user.at().settings} and {user.at('project').settings}"
    assert user.wrong() == [(f"our hooks are both in {both}", "tacit uninstall --scope project")]


@pytest.mark.parametrize("scope", ["user", "project"])
def test_hooks_that_are_in_the_settings_of_one_user_as_well_are_doubled(
    user: User, scope: str
) -> None:
    user.install(scope)
    own = user.project / ".claude" / "settings.local.json"
    user.say(own, hooks=json.loads(user.at(scope).settings.read_bytes())["hooks"])

    both = f"{user.at(scope).settings} and {own}"
    assert user.wrong() == [
        (f"our hooks are both in {both}", f"remove what names tacit-hook.py from {own}")
    ]


def test_hooks_that_are_in_the_settings_of_one_user_alone_are_looked_at(user: User) -> None:
    user.install()
    own = user.project / ".claude" / "settings.local.json"
    own.parent.mkdir()
    user.at().settings.rename(own)
    user.at().servers.unlink()
    fine = [each.text for each in user.look()]
    user.at().launcher.unlink()

    ((text, fix),) = user.wrong()

    assert fine == [f"10 hooks in {own}"]
    assert text == f"the launcher {user.at().launcher} is gone"
    assert fix == f"remove what names tacit-hook.py from {own}, then tacit install"


def test_a_project_that_is_the_user_s_own_directory_is_not_doubled(user: User) -> None:
    user.environment["HOME"] = str(user.project)
    user.install()

    assert user.wrong() == []


@pytest.mark.parametrize("scope", ["user", "project"])
def test_hooks_in_settings_and_in_an_enabled_plugin_are_doubled(
    user: User, tmp_path: Path, scope: str
) -> None:
    user.install(scope)
    user.plug_in(tmp_path / "plugin")

    assert user.wrong() == [
        (
            f"our hooks are both in {user.at(scope).settings} and in the plugin tacit@tacit",
            "claude plugin uninstall tacit",
        )
    ]


def test_a_plugin_is_doubled_wherever_it_comes_from(user: User) -> None:
    user.install()
    user.say(enabledPlugins={"tacit@elsewhere": True})

    ((text, fix),) = user.wrong()

    assert ("tacit@elsewhere" in text, fix) == (True, "claude plugin uninstall tacit")


@pytest.mark.parametrize(
    "enabled", [{"tacit@tacit": False}, {"tacitus@tacit": True}, {"other@tacit": True}, []]
)
def test_a_plugin_that_is_not_ours_or_not_enabled_is_not_doubled(
    user: User, enabled: object
) -> None:
    user.install()
    user.say(enabledPlugins=enabled)

    assert user.wrong() == []


def test_the_project_has_the_last_word_about_a_plugin(user: User, tmp_path: Path) -> None:
    user.plug_in(tmp_path / "plugin")
    user.say(
        user.project / ".claude" / "settings.local.json", enabledPlugins={"tacit@tacit": False}
    )

    assert user.look() == [
        Finding(is_fine=True, text="not installed in Claude Code", fix="tacit install")
    ]


def test_a_plugin_alone_is_fine_and_its_rule_is_asked_for(user: User, tmp_path: Path) -> None:
    user.plug_in(tmp_path / "plugin")

    first, second = user.look()

    hooks = f"10 hooks and the memory's reader in {tmp_path}/plugin/hooks/hooks.json"
    assert first == Finding(is_fine=True, text=hooks)
    assert (second.is_fine, '"mcp__plugin_tacit_tacit"' in (second.fix or "")) == (True, True)


def test_a_plugin_with_its_rule_has_nothing_to_ask_for(user: User, tmp_path: Path) -> None:
    user.plug_in(tmp_path / "plugin")
    user.say(permissions={"allow": ["mcp__plugin_tacit_tacit"]})

    assert len(user.look()) == 1


def test_a_plugin_that_is_gone_is_told_with_the_command_that_writes_it_again(
    user: User, tmp_path: Path
) -> None:
    plugin = tmp_path / "my plugin"
    user.plug_in(plugin)
    for each in ("hooks/hooks.json", "tacit-hook.py", ".mcp.json"):
        (plugin / each).unlink()

    found = user.wrong()

    assert {fix for _, fix in found} == {f"tacit install --plugin '{plugin}'"}
    assert len(found) == 2


def test_a_plugin_that_cannot_be_read_is_told(user: User, tmp_path: Path) -> None:
    user.plug_in(tmp_path / "plugin")
    (tmp_path / "plugin" / "hooks" / "hooks.json").write_text("{", encoding="utf-8")

    ((text, fix),) = user.wrong()

    assert ("cannot be read" in text, fix) == (True, f"tacit install --plugin {tmp_path}/plugin")


def test_what_both_scopes_share_is_told_once(user: User) -> None:
    user.install()
    user.install("project")
    user.at().launcher.unlink()

    gone = [text for text, _ in user.wrong() if "is gone" in text]

    assert gone == [f"the launcher {user.at().launcher} is gone"]


@pytest.mark.parametrize("odd", [{"permissions": []}, {"permissions": {"allow": {}}}, {"hooks": 3}])
def test_odd_settings_are_no_reason_to_fail(user: User, odd: dict[str, object]) -> None:
    user.say(None, **odd)
    user.say(enabledPlugins={"tacit@x": True}, extraKnownMarketplaces={"x": []})

    assert user.wrong() == []
    assert json.loads(user.at().settings.read_bytes())
