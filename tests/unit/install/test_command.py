"""The installed command: this interpreter, a short launcher, and a home whatever its name."""

from __future__ import annotations

import ast
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from shutil import which

import pytest

import tacit
from flow.hostile import clone
from rig import needed
from tacit.capture.entry import parse
from tacit.install import command
from tacit.install.command import (
    Leads,
    hook_command,
    launcher_text,
    leads,
    program,
    write_launcher,
)

PACKAGES = Path(tacit.__file__).resolve().parent.parent
NAMES = ["home", "my home", "it's", 'the "best" one', "back\\slash", "new\nline", "größe"]


def texts(launcher: Path) -> set[object]:
    """Return the strings that stand in the launcher."""
    tree = ast.parse(launcher.read_text(encoding="utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_the_command_turns_into_this_interpreter_a_launcher_and_an_event(tmp_path: Path) -> None:
    launcher = tmp_path / "a b" / "hook.py"

    command = hook_command(launcher, "Stop")

    unset = "unset PYTHONEXECUTABLE __PYVENV_LAUNCHER__ LOCPATH PATH_LOCALE GCONV_PATH"
    stay = f'trap "" TERM; {unset}; [ -x "$0" ] && [ -r "$4" ] || exit 0; exec "$0" "$@"'
    interpreted = [sys.executable, "-I", "-S", "-Xutf8", str(launcher), "Stop"]
    assert command[-8:] == ["-c", stay, *interpreted]
    assert program(launcher, "Stop") == interpreted


@pytest.fixture
def bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the usual shell be a bash, as on many systems."""
    shell = tmp_path / "sh"
    shell.symlink_to(needed("bash"))
    monkeypatch.setattr(command, "SHELL", str(shell))
    return str(shell)


def test_a_shell_that_believes_its_environment_is_privileged(bash: str, tmp_path: Path) -> None:
    named = which("bash", path="/bin:/usr/bin") or bash

    assert hook_command(tmp_path, "Stop")[:3] == [named, "-p", "-c"]


def test_any_other_shell_gets_no_option_that_it_may_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = tmp_path / "sh"
    shell.write_text('#!/bin/sh\n[ "$1" = -c ]\n', encoding="utf-8")
    shell.chmod(0o755)
    monkeypatch.setattr(command, "SHELL", str(shell))

    assert hook_command(tmp_path, "Stop")[:2] == [str(shell), "-c"]


@pytest.mark.usefixtures("bash")
@pytest.mark.parametrize("user", [None, 65534], ids=["as this user", "as nobody"])
def test_no_variable_runs_code_through_the_shell(tmp_path: Path, user: int | None) -> None:
    if user is not None and os.geteuid() != 0:
        pytest.skip("only the superuser can be somebody else")
    hostile = clone(tmp_path / "project")
    tmp_path.chmod(0o777)
    true = needed("true")
    words = [true if word == sys.executable else word for word in hook_command(Path(true), "Stop")]

    ended = subprocess.run(
        words, env=hostile.of_shells, capture_output=True, check=False, user=user
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert not hostile.ran.exists()


def test_the_client_cannot_end_the_command_before_its_work_is_done(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; print('on', flush=True); time.sleep(0.3); print('done')\n")
    running = subprocess.Popen(hook_command(slow, "Stop"), stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"on\n"

    running.send_signal(signal.SIGTERM)

    out, _ = running.communicate()
    assert (running.returncode, out) == (0, b"done\n")


def test_where_the_interpreter_has_gone_the_command_is_silent(tmp_path: Path) -> None:
    command = hook_command(tmp_path / "hook.py", "Stop")
    command[command.index(sys.executable)] = str(tmp_path / "gone" / "python")

    ended = subprocess.run(command, capture_output=True, check=False)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.parametrize("name", NAMES)
def test_the_launcher_holds_home_and_package_path_whatever_they_are_called(
    name: str, tmp_path: Path
) -> None:
    launcher = write_launcher(tmp_path / "hook.py", tmp_path / name)

    found = texts(launcher)

    assert {str(tmp_path / name), str(PACKAGES)} <= found


@pytest.mark.parametrize("name", NAMES)
def test_the_launcher_is_at_most_15_lines(name: str, tmp_path: Path) -> None:
    launcher = write_launcher(tmp_path / "hook.py", tmp_path / name)

    lines = launcher.read_text(encoding="utf-8").splitlines()

    assert len(lines) <= 15


def test_the_launcher_s_marks_are_all_filled_in(tmp_path: Path) -> None:
    launcher = write_launcher(tmp_path / "hook.py", tmp_path)

    assert "@" not in launcher.read_text(encoding="utf-8")


def test_the_launcher_is_written_where_nothing_was(tmp_path: Path) -> None:
    target = tmp_path / "client" / "tacit" / "hook.py"

    launcher = write_launcher(target, tmp_path)

    assert (launcher, target.is_file()) == (target, True)


def test_the_launcher_is_written_anew_for_another_home(tmp_path: Path) -> None:
    write_launcher(tmp_path / "hook.py", tmp_path / "old")

    launcher = write_launcher(tmp_path / "hook.py", tmp_path / "fresh")

    assert {str(tmp_path / "old"), str(tmp_path / "fresh")} & texts(launcher) == {
        str(tmp_path / "fresh")
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_command_records_in_the_home_that_it_was_written_for(name: str, tmp_path: Path) -> None:
    launcher = write_launcher(tmp_path / "a client" / "hook.py", tmp_path / name)

    subprocess.run(hook_command(launcher, "Stop"), input=b"{}", check=True, env={"HOME": "/"})

    files = list((tmp_path / name / "spool" / "new").iterdir())
    assert [parse(file.read_bytes()).payload for file in files] == [b"{}"]


def test_a_home_named_from_here_is_written_down_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    launcher = write_launcher(tmp_path / "hook.py", Path("memory"))

    assert str(tmp_path / "memory") in texts(launcher)


def test_the_launcher_is_for_its_owner_alone(tmp_path: Path) -> None:
    launcher = write_launcher(tmp_path / "hook.py", tmp_path)

    assert stat.S_IMODE(launcher.stat().st_mode) == 0o600


def test_a_launcher_that_is_as_it_should_be_is_not_written_again(tmp_path: Path) -> None:
    before = write_launcher(tmp_path / "hook.py", tmp_path).stat()

    assert write_launcher(tmp_path / "hook.py", tmp_path).stat() == before


def test_whoever_runs_the_launcher_meanwhile_never_sees_half_of_it(tmp_path: Path) -> None:
    launcher = write_launcher(tmp_path / "hook.py", tmp_path / "old")
    whole = {launcher_text(tmp_path / name, wakes=False) for name in ("old", "fresh")}
    seen: set[str] = set()
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            seen.add(launcher.read_text(encoding="utf-8"))

    thread = threading.Thread(target=look)
    thread.start()
    for number in range(100):
        write_launcher(launcher, tmp_path / ("fresh" if number % 2 else "old"))
    is_over.set()
    thread.join()

    assert seen <= whole


@pytest.mark.parametrize("name", NAMES)
def test_a_launcher_says_itself_where_it_leads(name: str, tmp_path: Path) -> None:
    text = launcher_text(tmp_path / name)
    quiet = launcher_text(tmp_path / name, wakes=False)

    assert leads(text) == Leads(str(PACKAGES), str(tmp_path / name), sys.executable)
    assert leads(quiet) == Leads(str(PACKAGES), str(tmp_path / name), "")


def test_a_launcher_of_before_names_no_interpreter(tmp_path: Path) -> None:
    text = launcher_text(tmp_path).replace(f", {sys.executable!r})", ")")

    assert leads(text) == Leads(str(PACKAGES), str(tmp_path), None)


@pytest.mark.parametrize("text", ["", "def", "\0", "main(1, 2)", 'x.insert(0, "a")', 'main("a")'])
def test_what_is_no_launcher_leads_nowhere(text: str) -> None:
    assert leads(text) is None
