"""The plugin: what the settings would say, in a directory of its own."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rig import SESSION
from tacit.capture.entry import parse
from tacit.errors import InstallRefused
from tacit.install import edits, installing, plugin
from tacit.install.clients import CLIENTS
from tacit.install.command import launcher_text
from tacit.install.hooks import registrations

CLIENT = CLIENTS["claude-code"]
SERVER = ("/usr/bin/python3", "-P", "-m", "tacit", "mcp")
FILES = {
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    "hooks/hooks.json",
    ".mcp.json",
    "tacit-hook.py",
    "README.md",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "my plugin"


def write(directory: Path, home: Path, server: tuple[str, ...] = SERVER) -> None:
    wanted = plugin.wanted(directory, CLIENT, home, server)
    installing.install(wanted, installing.plan(wanted))


def told(file: Path) -> Any:
    return json.loads(file.read_bytes())


def listed(directory: Path) -> set[str]:
    return {str(each.relative_to(directory)) for each in directory.rglob("*") if each.is_file()}


def test_it_holds_its_own_files_and_no_other(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")

    assert listed(directory) == FILES


def test_its_hooks_are_those_of_the_settings_with_the_launcher_beside_them(
    directory: Path, tmp_path: Path
) -> None:
    write(directory, tmp_path / "home")

    launcher = Path("${CLAUDE_PLUGIN_ROOT}/tacit-hook.py")
    assert told(directory / "hooks/hooks.json") == {"hooks": registrations(launcher)}
    text = (directory / "tacit-hook.py").read_text(encoding="utf-8")
    assert text == launcher_text(tmp_path / "home")


def test_its_server_is_that_of_the_settings(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")

    wanted = edits.with_server("{}", list(SERVER))
    assert told(directory / ".mcp.json") == json.loads(wanted)


def test_without_the_reader_it_has_no_server(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home", ())

    assert listed(directory) == FILES - {".mcp.json"}


def test_it_is_a_plugin_and_a_marketplace_of_the_same_name(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")

    manifest = told(directory / ".claude-plugin/plugin.json")
    shelf = told(directory / ".claude-plugin/marketplace.json")
    assert (manifest["name"], shelf["name"]) == ("tacit", plugin.MARKETPLACE)
    assert [(each["name"], each["source"]) for each in shelf["plugins"]] == [("tacit", "./")]


def test_it_says_which_rule_lets_agents_search(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")

    text = (directory / "README.md").read_text(encoding="utf-8")

    assert '"mcp__plugin_tacit_tacit"' in text


def test_its_hooks_record_in_the_home_that_it_was_written_for(
    directory: Path, tmp_path: Path
) -> None:
    write(directory, tmp_path / "home")
    hook = told(directory / "hooks/hooks.json")["hooks"]["Stop"][0]["hooks"][0]
    words = [hook["command"], *hook["args"]]
    command = [word.replace("${CLAUDE_PLUGIN_ROOT}", str(directory)) for word in words]

    payload = json.dumps({"session_id": SESSION}).encode()
    subprocess.run(command, input=payload, check=True, env={"HOME": "/"})

    (file,) = (tmp_path / "home" / "spool" / "new").iterdir()
    assert parse(file.read_bytes()).payload == payload


def test_writing_it_again_changes_nothing_and_mends_what_is_spoiled(
    directory: Path, tmp_path: Path
) -> None:
    write(directory, tmp_path / "home")
    before = {name: (directory / name).read_bytes() for name in FILES}
    assert installing.plan(plugin.wanted(directory, CLIENT, tmp_path / "home", SERVER)) == []

    (directory / "tacit-hook.py").unlink()
    (directory / "hooks/hooks.json").write_text('{"hooks": {}}', encoding="utf-8")
    write(directory, tmp_path / "home")

    after = {name: json_or_bytes(directory / name) for name in FILES}
    assert after == {name: json_or_bytes_of(name, text) for name, text in before.items()}


def json_or_bytes(file: Path) -> Any:
    return json_or_bytes_of(file.name, file.read_bytes())


def json_or_bytes_of(name: str, text: bytes) -> Any:
    return json.loads(text) if name.endswith(".json") else text


def test_everything_in_it_is_for_its_owner_alone(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")

    modes = {stat.S_IMODE((directory / name).stat().st_mode) for name in FILES}

    assert modes == {0o600}


@pytest.mark.parametrize(
    "there",
    [
        {"notes.txt": "mine"},
        {".claude-plugin/plugin.json": '{"name": "other"}'},
        {".claude-plugin/plugin.json": "{"},
        {".claude-plugin/plugin.json": "[]"},
        {"hooks/hooks.json": "{}"},
    ],
)
def test_a_directory_that_holds_something_else_is_refused_and_left_alone(
    directory: Path, tmp_path: Path, there: dict[str, str]
) -> None:
    for name, text in there.items():
        (directory / name).parent.mkdir(parents=True)
        (directory / name).write_text(text, encoding="utf-8")

    with pytest.raises(InstallRefused, match="holds something else"):
        write(directory, tmp_path / "home")

    assert {name: (directory / name).read_text(encoding="utf-8") for name in there} == there
    assert listed(directory) == set(there)


def test_a_file_is_no_directory_for_it(directory: Path, tmp_path: Path) -> None:
    directory.write_text("mine", encoding="utf-8")

    with pytest.raises(InstallRefused, match="holds something else"):
        write(directory, tmp_path / "home")


def test_an_empty_directory_will_do_and_what_is_put_beside_it_later_stays(
    directory: Path, tmp_path: Path
) -> None:
    directory.mkdir()
    write(directory, tmp_path / "home")
    (directory / "notes.txt").write_text("mine", encoding="utf-8")

    write(directory, tmp_path / "other")

    assert listed(directory) == FILES | {"notes.txt"}
    assert str(tmp_path / "other") in (directory / "tacit-hook.py").read_text(encoding="utf-8")


def test_taken_back_it_is_gone_with_its_directories(directory: Path, tmp_path: Path) -> None:
    write(directory, tmp_path / "home")
    wanted = plugin.wanted(directory, CLIENT, tmp_path / "home")

    changed = installing.uninstall(wanted)
    plugin.clear(wanted.place)

    assert {str(each.relative_to(directory)) for each in changed} == FILES
    assert not directory.exists()
