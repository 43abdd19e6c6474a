"""What a client runs for us: the words of its own files, wherever it has us."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tacit.install.command import hook_command
from tacit.install.registered import registered
from tacit.install.standing import Around
from unit.install.clientside import User

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.install.registered import Registered


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, tmp_path / "python")


def found(user: User) -> Registered | None:
    around = Around(environment=user.environment, directory=user.project, home=user.home)
    return registered(user.client, around)


def test_without_us_there_is_nothing(user: User) -> None:
    user.say(hooks={"Stop": [{"hooks": [{"type": "command", "command": "notify-send"}]}]})

    assert found(user) is None


@pytest.mark.parametrize(
    ("scope", "mend"), [("user", "tacit install"), ("project", "tacit install --scope project")]
)
def test_it_is_what_the_settings_say(user: User, scope: str, mend: str) -> None:
    user.install(scope)
    user.change(user.at(scope).settings, lambda text: text.replace(sys.executable, "/gone/python"))

    ours = found(user)

    assert ours is not None
    command = hook_command(user.at(scope).launcher, "Stop")
    wanted = [word.replace(sys.executable, "/gone/python") for word in command]
    assert (ours.file, ours.commands["Stop"]) == (user.at(scope).settings, wanted)
    assert (len(ours.commands), ours.mend) == (10, mend)


def test_a_command_of_one_text_is_left_to_the_shell(user: User) -> None:
    text = "exec python3 /old/tacit-hook.py Stop"
    hook = {"type": "command", "command": text}
    user.say(hooks={"Stop": [{"hooks": [{"type": "command", "command": "mine"}, hook]}]})

    ours = found(user)

    assert ours is not None
    assert ours.commands == {"Stop": ["/bin/sh", "-c", text]}


def test_the_settings_of_one_user_count_too(user: User) -> None:
    user.install()
    own = user.project / ".claude" / "settings.local.json"
    user.say(own, hooks=json.loads(user.at().settings.read_bytes())["hooks"])
    user.at().settings.write_text("{", encoding="utf-8")

    ours = found(user)

    assert ours is not None
    assert ours.file == own


def test_a_plugin_s_own_directory_is_put_in(user: User, tmp_path: Path) -> None:
    user.plug_in(tmp_path / "plugin")

    ours = found(user)

    assert ours is not None
    launcher = tmp_path / "plugin" / "tacit-hook.py"
    assert ours.commands["Stop"] == hook_command(launcher, "Stop")


def test_the_home_is_the_one_that_the_launcher_names(user: User) -> None:
    user.install()

    ours = found(user)
    user.at().launcher.write_text("print()", encoding="utf-8")
    other = found(user)

    assert ours is not None
    assert other is not None
    assert (ours.home, other.home) == (str(user.home), None)


def test_a_launcher_that_is_gone_names_no_home(user: User) -> None:
    user.install()
    user.at().launcher.unlink()

    ours = found(user)

    assert ours is not None
    assert ours.home is None
