"""The home of an installed hook is the one written at install: nothing leads it elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.hostile import ORDER, clone, everything
from rig import Home, needed, only_linux

if TYPE_CHECKING:
    from collections.abc import Callable

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "Stop", "SessionEnd")
STARTED = {"source": "startup", "prompt": "go on"}


def test_a_repository_that_sets_every_variable_changes_nothing(home: Home) -> None:
    hostile = clone(home.project)
    before = everything(hostile.directory)
    home.wake("")  # a daemon that ends at once

    ran = [home.hook(event, STARTED, env=home.environment(**hostile.variables)) for event in EVENTS]

    assert [(each.code, each.out, each.err) for each in ran] == [(0, b"", b"")] * len(EVENTS)
    assert len(home.entries) == len(EVENTS)
    assert everything(hostile.directory) == before
    assert not hostile.ran.exists()


@pytest.mark.parametrize("number", range(4))
def test_no_variable_chooses_the_interpreter_of_the_hook_or_of_its_daemon(
    home: Home, number: int
) -> None:
    hostile = clone(home.project)
    started = home.scratch / "started"
    home.wake(f"import sys\nopen({str(started)!r}, 'w').write(sys.executable)\n")
    variables = hostile.interpreters[number]

    ran = home.hook("SessionStart", STARTED, env=home.environment(**variables))

    until(lambda: started.exists() and bool(started.read_text()), "a daemon")
    assert (ran.code, ran.out, ran.err, len(home.entries)) == (0, b"", b"", 1)
    assert started.read_text(encoding="utf-8") == sys.executable
    assert not hostile.ran.exists()


def test_no_variable_that_the_interpreter_knows_of_is_believed(home: Home) -> None:
    hostile = clone(home.project)
    python = str(hostile.directory / "py" / "bin" / "python")
    known = _variables_of_the_interpreter()
    assert {"PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__", "PYTHONHOME"} <= known

    ran = home.hook("Stop", {}, env=home.environment(**dict.fromkeys(known, python)))

    assert (ran.code, ran.out, ran.err, len(home.entries)) == (0, b"", b"", 1)
    assert not hostile.ran.exists()


def _variables_of_the_interpreter() -> set[str]:
    """Return every word in the interpreter's own files that looks like a variable of Python's."""
    name = f"libpython{sys.version_info.major}.{sys.version_info.minor}"
    libraries = Path(sys.base_prefix, "lib").glob(f"{name}*")
    files = [Path(sys.executable).resolve(), *(each for each in libraries if each.is_file())]
    found = [
        re.findall(rb"(?:ENV_)?(_*PY(?:THON|VENV)[A-Z_]+)", file.read_bytes()) for file in files
    ]
    return {word.decode() for words in found for word in words}


@pytest.fixture
def latin(home: Home) -> dict[str, str]:
    """Return the variables of a locale that is not UTF-8, made as a repository could ship it."""
    made = home.scratch / "locales" / "xx_XX"
    made.parent.mkdir()
    words = ["-c", "-i", "en_US", "-f", "ISO-8859-1", str(made)]
    if subprocess.run(["localedef", *words], capture_output=True, check=False).returncode > 1:
        pytest.skip("no locale can be made here")
    return {"LOCPATH": str(made.parent), "LC_ALL": "xx_XX"}


@pytest.fixture
def named(home: Home) -> Home:
    """Return a home whose path is not ASCII."""
    (home.scratch / "josé").mkdir()
    return Home(home.scratch / "josé")


def names(directory: Path) -> set[bytes]:
    return set(os.listdir(os.fsencode(directory)))  # noqa: PTH208  (in bytes)


@only_linux
@pytest.mark.parametrize("is_alone", [True, False], ids=["without the shell", "by the client"])
def test_no_locale_leads_a_hook_to_another_home(
    home: Home, named: Home, latin: dict[str, str], *, is_alone: bool
) -> None:
    before = names(home.scratch)
    command = named.program("Stop") if is_alone else named.command("Stop")

    subprocess.run(command, input=b"{}", env=home.environment(**latin), check=True)

    assert (len(named.entries), names(home.scratch)) == (1, before)


@only_linux
def test_the_locale_of_whoever_installs_leads_no_hook_to_another_home(
    home: Home, named: Home, latin: dict[str, str]
) -> None:
    before = names(home.scratch)
    code = (
        "import sys; from pathlib import Path; from tacit.install.command import write_launcher; "
        "write_launcher(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    named.launcher.unlink()
    words = [sys.executable, "-X", "utf8=0", "-c", code, str(named.launcher), str(named.path)]
    subprocess.run(words, env=home.environment(**latin), check=True)

    named.hook("Stop", {})

    assert (len(named.entries), names(home.scratch)) == (1, before)


@only_linux
def test_no_library_that_the_hook_loads_sees_a_variable_of_the_project(home: Home) -> None:
    hostile = clone(home.project)
    trace = home.scratch / "trace"
    strace = [needed("strace"), "-f", "-o", str(trace), "-e", "trace=open,openat"]
    large = home.payload("Stop", text="x" * (17 << 20))  # its digest loads a library of ciphers

    subprocess.run(
        [*strace, *home.command("Stop")],
        input=large,
        env=home.environment(**hostile.variables),
        check=True,
        cwd=home.project,
    )

    assert "crypto" in trace.read_text(encoding="utf-8", errors="replace")
    assert str(hostile.directory) not in trace.read_text(encoding="utf-8", errors="replace")


@only_linux
def test_a_daemon_that_a_hook_starts_knows_nothing_of_the_repository(home: Home) -> None:
    hostile = clone(home.project)
    before = everything(hostile.directory)
    home.wake()
    with Daemons(home) as daemons:
        home.hook("SessionStart", STARTED, env=home.environment(**hostile.variables))

        pid = daemons.until_alone()
        until(lambda: home.spooled == [], "an empty spool")
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123  (of the system)
            environment = file.read()

    names = {each.partition(b"=")[0] for each in environment.split(b"\0") if each}
    assert names <= {b"LC_CTYPE"}
    assert everything(hostile.directory) == before
    assert not hostile.ran.exists()


@pytest.mark.parametrize("name", ["capture.conf", "brief", "redaction.key"])
def test_a_file_that_comes_from_elsewhere_counts_for_nothing(home: Home, name: str) -> None:
    hostile = clone(home.project)
    home.hook("Stop", {})
    shutil.copy(hostile.home / name, home.path / name)

    ran = home.hook("SessionStart", STARTED)

    assert (ran.code, ORDER.encode() in ran.out) == (0, False)
    assert not hostile.ran.exists()


def off_for_all(home: Home) -> None:
    (home.path / "paused").write_text("*", encoding="utf-8")


def off_here(home: Home) -> None:
    (home.path / "paused").write_text(str(home.project), encoding="utf-8")


def excluded(home: Home) -> None:
    text = f'[capture]\nexclude = ["{home.project}"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def untouched(_conf: Path) -> None: ...


def emptied(conf: Path) -> None:
    conf.write_bytes(b"")


def unstamped(conf: Path) -> None:
    conf.write_text("sources\t- -\n", encoding="utf-8")


def up_to_date_but_unstamped(conf: Path) -> None:
    lines = conf.read_bytes().splitlines(keepends=True)
    conf.write_bytes(b"".join(line for line in lines if line.startswith(b"sources")))


def open_to_others(conf: Path) -> None:
    conf.chmod(0o644)


def removed(conf: Path) -> None:
    conf.unlink()


def without_its_secret(conf: Path) -> None:
    (conf.parent / "redaction.key").unlink()


@pytest.mark.parametrize("kept_out", [off_for_all, off_here, excluded])
@pytest.mark.parametrize(
    "spoil",
    [
        untouched,
        emptied,
        unstamped,
        up_to_date_but_unstamped,
        open_to_others,
        removed,
        without_its_secret,
    ],
)
def test_off_exclude_and_pause_hold_whatever_becomes_of_what_was_compiled(
    home: Home, kept_out: Callable[[Home], None], spoil: Callable[[Path], None]
) -> None:
    home.make()
    kept_out(home)
    home.hook("Stop", {"last_assistant_message": "off the record"})
    spoil(home.path / "capture.conf")

    ran = home.hook("Stop", {"last_assistant_message": "off the record"})

    assert (ran.code, home.spooled) == (0, [])
    assert b"off the record" not in home.bytes_on_disk()


@pytest.mark.parametrize("has_settings", [True, False])
def test_a_brief_line_without_a_stamp_is_not_carried_over(
    home: Home, *, has_settings: bool
) -> None:
    home.hook("Stop", {})
    if has_settings:
        (home.path / "config.toml").write_text("[backup]\nkeep = 3\n", encoding="utf-8")
    (home.path / "brief").write_text(f"b-1\n{ORDER}", encoding="utf-8")
    (home.path / "capture.conf").write_text("brief\tmain\tbrief\t*\n", encoding="utf-8")

    ran = home.hook("SessionStart", STARTED)

    assert (ran.out, len(home.entries)) == (b"", 2)
    assert b"brief" not in (home.path / "capture.conf").read_bytes()


def test_a_home_that_was_restored_from_a_copy_records_on(home: Home) -> None:
    home.hook("Stop", {})
    shutil.copytree(home.path, home.scratch / "copy")
    shutil.rmtree(home.path)
    (home.scratch / "copy").rename(home.path)

    ran = home.hook("Stop", {})

    assert (ran.code, len(home.entries), home.log) == (0, 2, [])


def test_a_directory_that_is_no_home_is_left_alone_and_the_session_is_told(home: Home) -> None:
    home.path.mkdir(mode=0o755)
    (home.path / "notes.txt").write_text("mine", encoding="utf-8")
    before = (everything(home.path), home.path.stat().st_mode)

    started, stopped = home.hook("SessionStart", STARTED), home.hook("Stop", {})

    assert (started.code, b"tacit doctor" in started.out) == (0, True)
    assert (stopped.code, stopped.out) == (0, b"")
    assert (everything(home.path), home.path.stat().st_mode) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser owns the root of the system")
def test_the_root_of_the_system_is_left_alone(home: Home) -> None:
    before = os.stat("/").st_mode  # noqa: PTH116
    text = home.launcher.read_text(encoding="utf-8").replace(repr(str(home.path)), repr("/"))
    home.launcher.write_text(text, encoding="utf-8")

    ran = home.hook("Stop", {})

    assert (ran.code, os.stat("/").st_mode) == (0, before)  # noqa: PTH116
    assert not any(os.path.exists(f"/{name}") for name in ("spool", "home.marker", "losses"))  # noqa: PTH110
