"""The home of typed commands: what is refused keeps every byte and mode, what was ours is known."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.hostile import clone, everything
from flow.keeping import tacit
from tacit.install.command import server_command, write_launcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home

VERBS = (("status",), ("list",), ("remember", "tea"), ("daemon", "start"), ("daemon", "stop"))
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may do that")


def repository(home: Home) -> Path:
    subprocess.run(["git", "init", "-q", str(home.project)], check=True)
    return home.project


def user_directory(home: Home) -> Path:
    place = home.scratch / "user"
    place.mkdir()
    return place


def shipped(home: Home) -> Path:
    return clone(home.project).home


def link(home: Home) -> Path:
    (home.scratch / "link").symlink_to(repository(home))
    return home.scratch / "link"


def link_to_a_home(home: Home) -> Path:
    (home.scratch / "link").symlink_to(shipped(home))
    return home.scratch / "link"


PLACES: dict[str, Callable[[Home], Path]] = {
    "a repository": repository,
    "the user's directory": user_directory,
    "a home that a repository ships": shipped,
    "a link": link,
    "a link to a home": link_to_a_home,
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_what_is_no_home_is_refused_in_one_sentence_and_not_changed(
    home: Home, place: Callable[[Home], Path], words: tuple[str, ...]
) -> None:
    chosen = place(home)
    chosen.chmod(0o755)
    before = (everything(home.scratch), chosen.stat().st_mode)

    ended = tacit(chosen, *words, cwd=home.scratch)

    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (4, "", 1)
    assert (everything(home.scratch), chosen.stat().st_mode) == before


@needs_root
def test_the_root_of_the_system_is_refused_and_not_changed() -> None:
    before = (Path("/").stat().st_mode, sorted(each.name for each in Path("/").iterdir()))

    ended = tacit(Path("/"), "status", cwd="/")

    assert (ended.returncode, "cannot be a home" in ended.stderr) == (4, True)
    assert (Path("/").stat().st_mode, sorted(each.name for each in Path("/").iterdir())) == before


@needs_root
def test_a_directory_of_another_user_is_refused_and_not_changed(home: Home) -> None:
    place = home.scratch / "theirs"
    place.mkdir(mode=0o777)
    os.chown(place, 65534, 65534)

    ended = tacit(place, "status", cwd=home.scratch)

    assert (ended.returncode, "belongs to another user" in ended.stderr) == (4, True)
    assert (place.stat().st_uid, place.stat().st_mode & 0o700) == (65534, 0o700)


@needs_root
def test_a_mount_point_that_is_not_empty_is_refused_and_not_changed(home: Home) -> None:
    place = home.scratch / "mounted"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(place)], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (place / "lost+found").mkdir()
        place.chmod(0o755)

        ended = tacit(place, "status", cwd=home.scratch)

        assert (ended.returncode, ended.stderr.count("\n")) == (4, 1)
        assert [each.name for each in place.iterdir()] == ["lost+found"]
        assert place.stat().st_mode & 0o777 == 0o755
    finally:
        subprocess.run(["umount", str(place)], check=True)


def old_home(place: Path, home: Home) -> None:
    """Make a home as the release before this one left it."""
    home.hook("UserPromptSubmit", {"prompt": "Remember that we ship on Tuesdays."})
    home.hook("Stop", {})
    shutil.copytree(home.path, place)
    for name in ("home.marker", "losses", "capture.conf"):
        (place / name).unlink()


# runs the command line as a user whose directory the system's list says is this one
AS_USER = """
import pwd, sys
class Entry:
    pw_dir = sys.argv.pop(1)
pwd.getpwuid = lambda number: Entry
from tacit.cli.main import main
main()
"""


def listed(user: Path) -> subprocess.CompletedProcess[str]:
    """Run `tacit list` as a user who has this directory."""
    command = [sys.executable, "-c", AS_USER, str(user), "list"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_home_of_before_is_known_at_the_usual_path(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = home.scratch / "user" / ".local" / "share" / "tacit"
    old_home(place, home)
    monkeypatch.delenv("TACIT_HOME")

    ended = listed(home.scratch / "user")

    assert (ended.returncode, "ship on Tuesdays" in ended.stdout) == (0, True)
    assert (place / "home.marker").exists()


def test_a_home_of_before_is_known_where_an_installed_launcher_names_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = home.scratch / "memory"
    old_home(place, home)
    monkeypatch.setenv("TACIT_HOME", str(place))
    unnamed = listed(home.scratch / "user")
    write_launcher(home.scratch / "user" / ".claude" / "tacit-hook.py", place)

    named = listed(home.scratch / "user")

    assert (unnamed.returncode, named.returncode) == (4, 0)
    assert "ship on Tuesdays" in named.stdout


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"])
def test_no_variable_that_a_repository_sets_is_a_proof(
    home: Home, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = home.project / "data" / "tacit"
    old_home(place, home)
    write_launcher(home.project / "data" / "tacit-hook.py", place)
    monkeypatch.setenv(variable, str(home.project / "data"))
    if variable == "XDG_DATA_HOME":
        monkeypatch.delenv("TACIT_HOME")
    else:
        monkeypatch.setenv("TACIT_HOME", str(place))

    ended = subprocess.run(
        [sys.executable, "-m", "tacit", "list"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, "tacit adopt" in ended.stderr) == (4, True)


@pytest.mark.parametrize("is_named", [False, True], ids=["as the usual one", "by a launcher"])
def test_a_home_directory_that_a_repository_sets_is_no_proof(
    home: Home, monkeypatch: pytest.MonkeyPatch, *, is_named: bool
) -> None:
    fake = home.project / "fake"
    place = fake / "memory" if is_named else fake / ".local" / "share" / "tacit"
    old_home(place, home)
    monkeypatch.setenv("HOME", str(fake))
    monkeypatch.delenv("TACIT_HOME")
    if is_named:
        write_launcher(fake / ".claude" / "tacit-hook.py", place)
        monkeypatch.setenv("TACIT_HOME", str(place))
    before = everything(fake)

    ended = listed(home.scratch / "user")

    assert (ended.returncode, "tacit adopt" in ended.stderr) == (4, True)
    assert everything(fake) == before


def test_the_installed_server_is_led_nowhere_else_by_variables(home: Home) -> None:
    hostile = clone(home.project)
    home.hook("Stop", {})
    before = everything(hostile.directory)
    question = (
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        '"2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}\n'
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": '
        '{"name": "recent_sessions", "arguments": {}}}\n'
    )

    ended = subprocess.run(
        server_command(home.path),
        input=question,
        env=home.environment(**hostile.variables) | {"TACIT_GROUP": ""},
        cwd=home.project,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert '"id":1' in ended.stdout.replace(" ", "")
    assert not hostile.ran.exists()
    assert everything(hostile.directory) == before
