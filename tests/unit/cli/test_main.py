"""The entry: verbs that are loaded when they are called, one sentence and one code a refusal."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tacit.cli.main import MEANT, VERBS, main, tacit

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

LOADED = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, sep="\\n", file=sys.stderr))
from tacit.cli.main import main
main()
"""


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    """Run the entry in this process; return the code with which it ends."""
    monkeypatch.setattr(sys, "argv", ["tacit", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_help_lists_every_verb_with_its_line() -> None:
    shown = CliRunner().invoke(tacit, ["--help"]).stdout.splitlines()

    found = {words[0]: words[1] for line in shown if len(words := line.split(maxsplit=1)) == 2}
    assert found | VERBS == found


def test_help_lists_the_verbs_in_the_order_of_the_table() -> None:
    shown = CliRunner().invoke(tacit, ["--help"]).stdout

    places = [shown.index(f"  {verb} ") for verb in VERBS]
    assert places == sorted(places)


def test_help_loads_nothing_heavy() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, "--help"], capture_output=True, encoding="utf-8", check=True
    )

    heavy = {"re2", "tacit.compose", "tacit.app", "tacit.guard.redact", "sqlite3", "tomllib"}
    assert heavy & set(ended.stderr.split()) == set()


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_loaded_under_its_name_and_explains_itself(verb: str) -> None:
    shown = CliRunner().invoke(tacit, [verb, "--help"])

    assert (shown.exit_code, f"tacit {verb} [OPTIONS]" in shown.stdout) == (0, True)


def test_the_verbs_are_those_of_the_table() -> None:
    assert isinstance(tacit, click.Group)

    listed = tacit.list_commands(click.Context(tacit))

    assert listed == list(VERBS)


def test_the_version_is_that_of_the_package() -> None:
    shown = CliRunner().invoke(tacit, ["--version"])

    assert shown.stdout == f"tacit {version('tacit')}\n"


def test_help_ends_well(program: Program) -> None:
    ended = program("--help")

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_an_unknown_verb_ends_with_2_and_is_named(program: Program) -> None:
    ended = program("remember-everything")

    assert (ended.returncode, b"remember-everything" in ended.stderr) == (2, True)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("lst", "`tacit list`?"),
        ("serch", "`tacit search`?"),
        ("stats", "`tacit status`?"),
        ("unistall", "`tacit uninstall` or `tacit install`?"),
        ("delete", "`tacit forget`?"),
        ("help", "`tacit --help`?"),
    ],
)
def test_a_misspelled_verb_is_told_which_one_may_be_meant(
    said: str, meant: str, program: Program
) -> None:
    ended = program(said)

    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode().splitlines()[-1] == (
        f"Error: There is no command {said!r}. Did you mean {meant}"
    )


def test_what_other_programs_call_it_leads_to_verbs_that_there_are() -> None:
    verbs = {verb for verb in MEANT.values() if not verb.startswith("--")}

    assert verbs <= set(VERBS)
    assert not set(MEANT) & set(VERBS)


def test_an_unknown_option_ends_with_2(program: Program) -> None:
    ended = program("status", "--loud")

    assert (ended.returncode, b"--loud" in ended.stderr) == (2, True)


def test_settings_that_cannot_be_read_end_with_3_and_one_sentence(
    home: Home, program: Program
) -> None:
    home.make()
    (home.path / "config.toml").write_text("[capture", encoding="utf-8")

    ended = program("init", str(home.scratch / "papers"))

    lines = ended.stderr.decode().splitlines()
    assert (ended.returncode, ended.stdout, len(lines)) == (3, b"", 1)


def test_a_home_that_is_a_link_ends_with_4_and_one_sentence(home: Home, program: Program) -> None:
    home.path.symlink_to(home.project)

    ended = program("status")

    lines = ended.stderr.decode().splitlines()
    assert (ended.returncode, [str(home.path) in line for line in lines]) == (4, [True])


@pytest.mark.parametrize("ending", ["/", "/."])
def test_a_home_that_is_a_link_is_refused_in_any_spelling(
    ending: str, home: Home, program: Program
) -> None:
    home.path.symlink_to(home.project)

    ended = program("status", env=home.environment(TACIT_HOME=f"{home.path}{ending}"))

    assert (ended.returncode, list(home.project.iterdir())) == (4, [])


@pytest.mark.parametrize("verb", ["status", "pause", "resume"])
def test_a_file_that_cannot_be_used_ends_with_4_and_one_sentence(
    verb: str, home: Home, program: Program
) -> None:
    home.make()
    (home.path / "paused").mkdir()

    ended = program(verb)

    told = b"tacit: Cannot go on: paused is not a plain file of our own. See `tacit status`.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, b"", told)


def test_what_the_system_said_and_of_which_file_stands_in_the_sentence(
    home: Home, program: Program
) -> None:
    home.make()
    (home.path / "logs").symlink_to(home.project)

    ended = program("status")

    told = b"tacit: Cannot go on: Not a directory logs. See `tacit status`.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, b"", told)


def test_a_name_with_line_breaks_stays_one_sentence(home: Home, program: Program) -> None:
    directory = home.scratch / "two\nlines\x1b[31m"
    directory.mkdir()
    (directory / "notes.txt").write_text("mine", encoding="utf-8")

    ended = program("status", env=home.environment(TACIT_HOME=str(directory)))

    assert (ended.returncode, ended.stderr.count(b"\n"), b"\x1b" in ended.stderr) == (4, 1, False)


def test_nothing_to_resume_ends_with_5_and_one_sentence(program: Program) -> None:
    ended = program("resume")

    told = b"tacit: Recording is not paused everywhere. See `tacit status` for what is.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (5, b"", told)


def test_an_interrupted_program_ends_with_130(home: Home) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tacit", "redact"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environment(),
    ) as filtering:
        assert filtering.stdin is not None
        filtering.stdin.write(b"text")
        filtering.stdin.flush()
        wait_until_read(filtering.stdin.fileno())
        os.kill(filtering.pid, signal.SIGINT)
        code = filtering.wait(10)

    assert code == 130


def wait_until_read(pipe: int) -> None:
    """Wait until nothing is left in the pipe."""
    until = time.monotonic() + 10
    while int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder):
        assert time.monotonic() < until, "the program does not read"
        time.sleep(0.01)


def test_the_entry_says_a_refusal_of_ours_once(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del home  # its own, with nothing paused

    code = run(monkeypatch, "resume")

    assert (code, capsys.readouterr().err.count("\n")) == (5, 1)


def test_the_entry_says_once_what_the_system_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home.make()
    (home.path / "paused").mkdir()

    code = run(monkeypatch, "resume")

    assert (code, capsys.readouterr().err.count("\n")) == (4, 1)


def test_the_entry_says_a_wrong_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(monkeypatch, "nonsense")

    assert (code, "nonsense" in capsys.readouterr().err) == (2, True)


def test_the_entry_ends_with_130_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=interrupt)))

    code = run(monkeypatch, "redact")

    assert code == 130


def test_the_entry_returns_when_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tacit", "--version"])

    main()

    assert capsys.readouterr().out.startswith("tacit ")
