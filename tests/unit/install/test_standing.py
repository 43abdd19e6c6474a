"""Where we are installed: what is stale, missing or open to others, each with what mends it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tacit.install.command import launcher_text, packages
from unit.install.clientside import User

MEND = {"user": "tacit install", "project": "tacit install --scope project"}
SCOPES = pytest.mark.parametrize("scope", ["user", "project"])


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, tmp_path / "python")


def hooks(user: User, scope: str, edit: Any) -> None:
    """Change the hooks of a scope."""
    file = user.at(scope).settings
    told = json.loads(file.read_bytes())
    edit(told["hooks"])
    file.write_text(json.dumps(told), encoding="utf-8")


@SCOPES
def test_an_interpreter_that_is_gone_is_told(user: User, scope: str) -> None:
    user.install(scope)
    user.change(user.at(scope).settings, lambda text: text.replace(sys.executable, "/gone/python"))

    file = user.at(scope).settings
    assert user.wrong() == [
        (f"{file} runs our hooks with /gone/python, which is gone", MEND[scope])
    ]


def test_an_interpreter_that_cannot_be_run_is_told(user: User) -> None:
    user.install(reader=False)
    user.change(user.at().settings, lambda text: text.replace(sys.executable, str(user.python)))
    assert user.wrong() == []

    user.python.chmod(0o644)

    ((text, _),) = user.wrong()
    assert f"{user.python}, which is gone" in text


@SCOPES
def test_hooks_that_are_missing_are_named(user: User, scope: str) -> None:
    user.install(scope)
    hooks(user, scope, lambda told: [told.pop(each) for each in ("Stop", "SessionEnd")])

    file = user.at(scope).settings
    assert user.wrong() == [(f"{file} has no hook of ours for Stop, SessionEnd", MEND[scope])]


@pytest.mark.parametrize(
    "edit",
    [
        lambda told: told["Stop"][0]["hooks"][0].update({"async": True}),
        lambda told: told["Stop"][0]["hooks"][0].update({"timeout": 1}),
        lambda told: told["Stop"][0]["hooks"][0]["args"].remove("-S"),
        lambda told: told["Stop"][0].update({"matcher": "x"}),
        lambda told: told["Stop"].append(told["Stop"][0]),
        lambda told: told["Stop"][0]["hooks"].append(told["Stop"][0]["hooks"][0]),
        lambda told: told["Stop"][0]["hooks"][0].update(
            {"command": "/bin/sh /elsewhere/tacit-hook.py Stop", "args": None}
        ),
    ],
    ids=["async", "timeout", "argument", "matcher", "twice", "twice within", "older"],
)
def test_a_hook_that_is_spelled_otherwise_is_named(user: User, edit: Any) -> None:
    user.install()
    hooks(user, "user", edit)

    file = user.at().settings
    assert user.wrong() == [
        (f"{file} does not say what it should of our hooks for Stop", "tacit install")
    ]


def test_a_hook_for_an_event_that_nobody_asks_for_is_named(user: User) -> None:
    user.install()
    hooks(user, "user", lambda told: told.update({"PostToolBatch": told["Stop"]}))

    ((text, _),) = user.wrong()
    assert text.endswith("for PostToolBatch")


def test_what_is_wrong_is_right_after_installing_again(user: User) -> None:
    user.install()
    hooks(user, "user", lambda told: told.pop("Stop"))
    hooks(user, "user", lambda told: told["SessionEnd"][0]["hooks"][0].pop("timeout"))
    user.change(user.at().settings, lambda text: text.replace(sys.executable, "/gone/python"))
    user.change(user.at().servers, lambda text: text.replace(str(user.python), "/gone/python"))
    user.at().launcher.unlink()
    assert len(user.wrong()) == 5

    user.install()

    assert user.wrong() == []


def test_hooks_of_others_are_none_of_our_business(user: User) -> None:
    theirs = {"hooks": [{"type": "command", "command": "/gone/notify"}]}
    user.install()
    hooks(user, "user", lambda told: told["Stop"].append(theirs))

    assert user.wrong() == []


def test_a_hook_that_somebody_has_put_beside_ours_is_none_either(user: User) -> None:
    theirs = {"type": "command", "command": "/gone/notify"}
    user.install()
    hooks(user, "user", lambda told: told["Stop"][0]["hooks"].append(theirs))

    assert user.wrong() == []


def test_a_launcher_that_is_gone_is_told(user: User) -> None:
    user.install()
    user.at().launcher.unlink()

    assert user.wrong() == [(f"the launcher {user.at().launcher} is gone", "tacit install")]


@pytest.mark.parametrize("text", ["", "import this\n", "def", "main(1)\nx.insert(0, 2)\n", "\0"])
def test_a_launcher_that_is_none_of_ours_is_told(user: User, text: str) -> None:
    user.install()
    user.change(user.at().launcher, lambda _: text)

    assert user.wrong() == [(f"the launcher {user.at().launcher} is none of ours", "tacit install")]


def test_a_launcher_that_cannot_be_read_is_told(user: User) -> None:
    user.install()
    user.at().launcher.unlink()
    user.at().launcher.mkdir()

    ((text, _), *_) = user.wrong()
    assert text.startswith(f"the launcher {user.at().launcher} cannot be read: ")


def test_a_launcher_of_before_is_told(user: User) -> None:
    user.install()
    user.change(user.at().launcher, lambda text: text.replace(f", {sys.executable!r})", ")"))

    told = f"the launcher {user.at().launcher} is of an older Tacit, and starts no daemon"
    assert user.wrong() == [(told, "tacit install")]


def test_an_interpreter_of_the_daemon_that_is_gone_is_told(user: User) -> None:
    user.install()
    user.change(user.at().launcher, lambda text: text.replace(sys.executable, "/gone/python"))

    launcher = user.at().launcher
    told = f"the launcher {launcher} starts the daemon with /gone/python, which is gone"
    assert user.wrong() == [(told, "tacit install")]


def test_hooks_of_before_that_believe_variables_of_a_project_are_told(user: User) -> None:
    user.install()
    before = [sys.executable, "-I", "-S", str(user.at().launcher), "Stop"]
    stay = 'trap "" TERM; [ -x "$0" ] && [ -r "$3" ] || exit 0; exec "$0" "$@"'
    hook = {"command": "/bin/sh", "args": ["-c", stay, *before]}
    hooks(user, "user", lambda told: told["Stop"][0]["hooks"][0].update(hook))

    told = f"{user.at().settings} does not say what it should of our hooks for Stop"
    assert user.wrong() == [(told, "tacit install")]


def test_a_launcher_of_a_package_that_is_gone_is_told(user: User) -> None:
    user.install()
    user.change(user.at().launcher, lambda text: text.replace(str(packages()), "/gone/packages"))

    told = f"the launcher {user.at().launcher} runs /gone/packages/tacit, which is gone"
    assert user.wrong() == [(told, "tacit install")]


def test_hooks_that_run_another_copy_are_fine_and_told(user: User, tmp_path: Path) -> None:
    user.install()
    copy = tmp_path / "packages" / "tacit" / "capture"
    copy.mkdir(parents=True)
    (copy / "hook.py").touch()
    user.change(
        user.at().launcher, lambda text: text.replace(str(packages()), str(tmp_path / "packages"))
    )

    _, found = user.look()

    assert (found.is_fine, found.fix) == (True, "tacit install")
    assert str(tmp_path / "packages") in found.text


def test_hooks_that_record_in_another_home_are_told(user: User) -> None:
    user.install()
    user.change(user.at().launcher, lambda _: launcher_text(Path("/srv/other")))

    told = f"the hooks record in /srv/other, and this home is {user.home}"
    assert user.wrong() == [(told, "tacit install")]


def test_a_variable_that_names_another_home_than_the_hooks_is_told(user: User) -> None:
    user.install()
    user.change(user.at().launcher, lambda _: launcher_text(Path("/srv/other")))
    user.environment["TACIT_HOME"] = str(user.home)

    told = f"the hooks record in /srv/other, and TACIT_HOME names {user.home}"
    assert user.wrong() == [(told, "tacit install")]


@pytest.mark.parametrize("modes", [0o602, 0o620, 0o666])
def test_a_launcher_that_others_can_write_is_told(user: User, modes: int) -> None:
    user.install()
    launcher = user.at().launcher
    launcher.chmod(modes)

    assert user.wrong() == [
        (
            f"others can write {launcher}, and whatever stands there is run",
            f"chmod go-w {launcher}",
        )
    ]


def test_a_directory_in_which_others_can_replace_it_is_told(user: User) -> None:
    user.install()
    directory = user.at().launcher.parent
    directory.chmod(0o777)

    ((_, fix),) = user.wrong()

    assert fix == f"chmod go-w {directory}"


@SCOPES
def test_a_server_whose_interpreter_is_gone_is_told(user: User, scope: str) -> None:
    user.install(scope)
    user.python.unlink()

    told = f"{user.at(scope).servers} runs the memory's reader with {user.python}, which is gone"
    assert user.wrong() == [(told, MEND[scope])]


@pytest.mark.parametrize("odd", [[], {}, "text", {"command": 3}])
def test_a_server_that_runs_nothing_is_told(user: User, odd: Any) -> None:
    user.install()
    user.say(user.at().servers, mcpServers={"tacit": odd})

    ((text, fix),) = user.wrong()

    assert ("which is gone" in text, fix) == (True, "tacit install")


def test_a_server_that_reads_another_home_is_told(user: User) -> None:
    user.install()
    user.change(user.at().servers, lambda text: text.replace(str(user.home), "/srv/other"))

    told = f"{user.at().servers} lets agents read /srv/other, and this home is {user.home}"
    assert user.wrong() == [(told, "tacit install")]


@SCOPES
def test_a_server_that_gets_the_variables_of_a_project_is_told(user: User, scope: str) -> None:
    user.install(scope)
    file = user.at(scope).servers
    told = json.loads(file.read_bytes())
    server = told["mcpServers"]["tacit"]
    server.update(command=server["args"][1], args=server["args"][2:])
    file.write_text(json.dumps(told), encoding="utf-8")

    text = f"{file} hands the variables of a project to the memory's reader"
    assert user.wrong() == [(text, MEND[scope])]
    user.install(scope)
    assert user.wrong() == []


@SCOPES
def test_a_server_without_the_rule_is_told(user: User, scope: str) -> None:
    user.install(scope)
    user.say(user.at(scope).settings, permissions={"allow": ["mcp__tacitus", "Bash"]})

    assert user.wrong() == [
        ("agents must ask before they search: no settings allow mcp__tacit", MEND[scope])
    ]


@pytest.mark.parametrize("rule", ["mcp__tacit", "mcp__tacit__*", "mcp__tacit__search_memory"])
def test_a_rule_may_be_narrower_and_stand_in_other_settings(user: User, rule: str) -> None:
    user.install("project")
    user.say(user.at("project").settings, permissions={})
    user.say(permissions={"allow": [rule]})

    assert user.wrong() == []


def test_a_server_without_any_hook_is_half_an_installation(user: User) -> None:
    user.install()
    user.change(user.at().settings, lambda _: '{"permissions": {"allow": ["mcp__tacit"]}}')

    ((text, fix),) = user.wrong()

    assert ("has no hook of ours for SessionStart, " in text, fix) == (True, "tacit install")
