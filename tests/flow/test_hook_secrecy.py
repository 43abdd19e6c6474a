"""Nothing private on disk, nothing open to others, nobody led elsewhere, nothing executed."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig import Home, needed, only_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECRET = "k3Jd8sPq0zLmWx7RtY2v"  # noqa: S105  (made up)
AGENT = ("CLAUDECODE", "AI_AGENT")


@pytest.fixture
def open_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Return a home below a directory that everybody may enter."""
    scratch = Path(tempfile.mkdtemp())
    scratch.chmod(0o755)
    monkeypatch.setenv("TACIT_HOME", str(scratch / "home"))
    yield Home(scratch)
    shutil.rmtree(scratch)


# what lies beside a database while it is open, and who may read it
OPENED = """
from pathlib import Path
from tacit import paths
from tacit.compose import open_app
app = open_app()
app.drain()
for file in Path(paths.home()).glob("groups/main/transcript.db*"):
    print(file.name, oct(file.stat().st_mode & 0o777))
app.close()
"""


def _open_bits(path: Path) -> list[str]:
    found = [path, *path.rglob("*")]
    return [str(each) for each in found if stat.S_IMODE(each.lstat().st_mode) & 0o077]


def test_s14_whatever_the_umask_nothing_is_open_to_others(open_home: Home) -> None:
    for event, text in (("Stop", "hi"), ("Stop", f"password={SECRET}"), ("Stop", "")):
        open_home.hook(event, {"last_assistant_message": text}, umask=0)
    open_home.hook("Stop", b"", umask=0)
    open_home.hook("Stop", b"no JSON", umask=0)

    for verb in (["pause"], ["status"], ["backup"], ["restore", "--yes"], ["sessions"]):
        subprocess.run([*_cli(), *verb], check=True, capture_output=True, umask=0, env=_owner())

    assert open_home.entries == []
    assert _open_bits(open_home.path) == []
    assert _kinds(open_home.path) >= {
        "transcript.db", "transcript.mark", "recovered.json", "ingest.lock", ".jsonl", ".db",
        "quarantine", "bad", "hook.log", "capture.conf", "paused", "redaction.key",
    }  # fmt: skip


def test_s14_whatever_the_umask_an_open_database_is_closed_to_others(open_home: Home) -> None:
    open_home.hook("Stop", {"last_assistant_message": "hi"}, umask=0)
    database = open_home.path / "groups" / "main" / "transcript.db"

    ran = subprocess.run(
        [sys.executable, "-c", OPENED], check=True, capture_output=True, umask=0, encoding="utf-8"
    )

    modes = dict(line.split() for line in ran.stdout.splitlines())
    assert modes == {database.name + suffix: "0o600" for suffix in ("", "-wal", "-shm")}


def test_s14_another_user_reads_nothing(open_home: Home) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    open_home.hook("Stop", {"last_assistant_message": "mine alone"}, umask=0)
    files = [str(file) for file in open_home.path.rglob("*") if file.is_file()]

    ran = subprocess.run(["cat", *files], user=65534, capture_output=True, check=False)

    assert ran.stdout == b""
    assert ran.stderr.count(b"Permission denied") == len(files)


def test_s14_a_home_that_was_open_is_closed(open_home: Home) -> None:
    (open_home.path / "spool" / "new").mkdir(parents=True, mode=0o777)
    open_home.path.chmod(0o777)

    open_home.hook("Stop", {})

    assert _open_bits(open_home.path) == []


def _cli() -> list[str]:
    return [sys.executable, "-m", "tacit"]


def _owner() -> dict[str, str]:
    """Return this environment without what makes us an agent."""
    return {name: text for name, text in os.environ.items() if name not in AGENT}


def _kinds(path: Path) -> set[str]:
    """Return what there is by name, and by suffix where the name says when."""
    found = list(path.rglob("*"))
    return {each.name for each in found} | {each.suffix for each in found if each.name[0].isdigit()}


def _link(name: str) -> Callable[[Path, Path], None]:
    def trap(home: Path, victim: Path) -> None:
        _make_room(home / name)
        target = victim if "." in name or name in {"paused", "losses"} else victim.parent
        (home / name).symlink_to(target)

    return trap


def _make_room(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    place.unlink(missing_ok=True)


def _second_name(name: str) -> Callable[[Path, Path], None]:
    def trap(home: Path, victim: Path) -> None:
        _make_room(home / name)
        (home / name).hardlink_to(victim)

    return trap


def _whole_home(home: Path, victim: Path) -> None:
    shutil.rmtree(home)
    home.symlink_to(victim.parent)


TRAPS = {
    "home": _whole_home,
    "spool": _link("spool"),
    "spool/new": _link("spool/new"),
    "spool/tmp": _link("spool/tmp"),
    "logs": _link("logs"),
    "log": _link("logs/hook.log"),
    "log, second name": _second_name("logs/hook.log"),
    "key": _link("redaction.key"),
    "key, second name": _second_name("redaction.key"),
    "patterns": _link("patterns.bin"),
    "conf": _link("capture.conf"),
    "conf, second name": _second_name("capture.conf"),
    "daemon's stamp": _link("daemon.tried"),
    "daemon's lock": _link("daemon.lock"),
    "brief": _link("brief.md"),
    "marker": _link("home.marker"),
    "marker, second name": _second_name("home.marker"),
    "losses": _link("losses"),
    "losses, second name": _second_name("losses"),
    "daemon's stop": _link("daemon.stopped"),
    "settings of before": _link("config.last.toml"),
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS.keys())
@pytest.mark.parametrize("payload", [{"prompt": f"password={SECRET}"}, b""], ids=["event", "fault"])
def test_s15_no_link_leads_the_hook_to_a_victim(
    home: Home, trap: Callable[[Path, Path], None], payload: dict[str, Any] | bytes
) -> None:
    victim = home.scratch / "elsewhere" / "victim"
    victim.parent.mkdir()
    victim.write_bytes(b"v" * 32)
    before = victim.stat()
    if trap not in (TRAPS["conf"], TRAPS["conf, second name"], TRAPS["home"]):
        home.configure("brief\tmain\tbrief.md\t*\n")
        home.wake("")
    home.make()
    trap(home.path, victim)

    for event in ("SessionStart", "UserPromptSubmit"):
        ran = home.hook(event, payload)
        is_told = event == "SessionStart" and b"Tacit cannot record this session" in ran.out
        assert (ran.code, ran.err) == (0, b"")
        assert is_told or ran.out == b""

    assert victim.read_bytes() == b"v" * 32
    assert victim.stat().st_mode == before.st_mode
    assert list(victim.parent.iterdir()) == [victim]


def _never_written(home: Home, *canaries: str) -> None:
    found = home.bytes_on_disk() if home.path.exists() else b""
    for canary in canaries:
        assert canary.encode() not in found


@pytest.mark.parametrize(
    "text",
    [
        "a <private>canary-1</private> b",
        "a <PRIVATE>canary-1</PRIVATE> b <private>canary-1</private>",
        "a <private>canary-1 <private>x</private> canary-1</private> b",
        "never closed <private>canary-1",
        "with attributes <private why='x'>canary-1</private>",
    ],
)
def test_s24_private_spans_never_reach_the_disk(home: Home, text: str) -> None:
    home.hook("UserPromptSubmit", {"prompt": text})
    home.hook("PostToolUse", {"tool_name": "Read", "tool_response": {"file": [text]}})
    home.hook("UserPromptSubmit", json.dumps({"prompt": text}).replace("<", "\\u003c").encode())
    home.hook("UserPromptSubmit", text.encode())

    assert len(home.entries) == 4
    _never_written(home, "canary-1")


def test_s24_a_paused_project_is_not_recorded_and_others_are(home: Home) -> None:
    inside = home.project / "deep"
    inside.mkdir()
    subprocess.run(
        [*_cli(), "pause", "--project"], cwd=home.project, check=True, capture_output=True
    )

    for directory in (home.project, inside):
        home.hook("UserPromptSubmit", {"prompt": "canary-2"}, cwd=directory)
    home.hook("UserPromptSubmit", {"cwd": "/srv/other", "prompt": "seen"}, cwd=home.scratch)

    assert [json.loads(entry.payload)["prompt"] for entry in home.entries] == ["seen"]
    _never_written(home, "canary-2")


def test_s24_paused_everywhere_is_nowhere_until_resumed(home: Home) -> None:
    subprocess.run([*_cli(), "pause"], check=True, capture_output=True)
    home.hook("UserPromptSubmit", {"prompt": "canary-3"})

    subprocess.run([*_cli(), "resume"], check=True, capture_output=True)
    home.hook("UserPromptSubmit", {"prompt": "seen"})

    assert [json.loads(entry.payload)["prompt"] for entry in home.entries] == ["seen"]
    _never_written(home, "canary-3")


def test_s24_a_session_in_an_excluded_directory_is_not_recorded(home: Home) -> None:
    _exclude(home, home.project / "diary")

    home.hook("UserPromptSubmit", {"cwd": str(home.project / "diary/x"), "prompt": "canary-4"})
    home.hook("UserPromptSubmit", {"prompt": "seen"})

    assert len(home.entries) == 1
    _never_written(home, "canary-4")


@pytest.mark.parametrize(
    "named", ["{dir}/a.txt", "diary/a.txt", "./diary", "~/project/diary/a.txt"]
)
def test_s24_a_tool_that_touches_an_excluded_directory_is_not_recorded(
    home: Home, named: str
) -> None:
    diary = home.project / "diary"
    _exclude(home, diary)
    path = named.format(dir=diary)

    ran = home.hook(
        "PostToolUse",
        {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_response": "canary-5"},
        env=home.environment(HOME=str(home.scratch)),
    )
    home.hook("PostToolUse", {"tool_input": {"file_path": f"{diary}s/b"}, "tool_response": "seen"})

    assert ran.code == 0
    assert len(home.entries) == 1
    _never_written(home, "canary-5")


@pytest.mark.parametrize(
    "command",
    [
        'cat "$D/diary/a.md"',
        "D={project}; cat $D/diary/a.md",
        "cat di*ry/a.md",
        "cat {project}/di[a]r?/a.md",
        "cat {{x,diary}}/a.md",
        "cd deep && cat ../dia*/a.md",
        "cat */a.md",
        "grep -rh canary .",
    ],
)
@pytest.mark.parametrize("is_of_project", [False, True], ids=["exclude", "private"])
def test_s24_a_command_that_a_shell_expands_to_an_excluded_directory_is_not_recorded(
    home: Home, command: str, *, is_of_project: bool
) -> None:
    if is_of_project:
        (home.project / ".tacit.toml").write_text('private = ["diary"]', encoding="utf-8")
    else:
        _exclude(home, home.project / "diary")
    seen = {"tool_input": {"command": "D=/tmp; cat $D/x *.md"}, "tool_response": "seen"}
    kept_out = {"tool_input": {"command": command.format(project=home.project)}}

    for event in ("PreToolUse", "PostToolUse"):
        home.hook(
            event,
            kept_out | {"tool_name": "Bash", "tool_response": {"stdout": "canary-5"}},
            env=home.environment(D=str(home.project)),
        )
    home.hook("PostToolUse", seen, env=home.environment(D=str(home.project)))

    assert [json.loads(entry.payload)["tool_response"] for entry in home.entries] == ["seen"]
    _never_written(home, "canary-5")


def test_s24_a_project_that_sets_home_does_not_hide_an_excluded_directory(home: Home) -> None:
    diary = "diary-of-a-test-that-is-not-there"
    own = pwd.getpwuid(os.getuid()).pw_dir
    home.path.mkdir(mode=0o700)
    text = f'[capture]\nexclude = ["~/{diary}"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")

    for path in (f"~/{diary}/a", f"$HOME/{diary}/a", f"{own}/{diary}/a", f"~/{diary[:5]}*/a"):
        home.hook(
            "PostToolUse",
            {"tool_input": {"command": f"cat {path}"}, "tool_response": "canary-5"},
            env=home.environment(HOME=str(home.scratch)),
        )

    assert home.entries == []
    _never_written(home, "canary-5")


def test_s24_the_off_switch_of_one_process_counts(home: Home) -> None:
    home.hook("Stop", {"last_assistant_message": "canary-6"}, env=home.environment(TACIT_OFF="1"))
    home.hook(
        "Stop", {"last_assistant_message": "canary-6"}, env=home.environment(TACIT_INTERNAL="1")
    )

    assert not home.path.exists()


def _exclude(home: Home, directory: Path) -> None:
    home.make()
    text = f"[capture]\nexclude = [{json.dumps(str(directory))}]\n"
    (home.path / "config.toml").write_text(text, encoding="utf-8")


NASTY = "a;touch pwned $(touch pwned) `touch pwned` | & > pwned \n 'x' \"y\" * ~ ../../x"


@only_linux
def test_s30_no_text_of_a_payload_is_ever_executed(home: Home) -> None:
    strace = needed("strace")
    nasty = home.scratch / "a;b $(touch pwned) `x` 'y' \"z\" & *"
    nasty.mkdir()
    fields: dict[str, Any] = {
        "session_id": NASTY,
        "tool_name": NASTY,
        "tool_use_id": NASTY,
        "cwd": str(nasty),
    }
    fields |= {"transcript_path": NASTY, "tool_input": {"file_path": NASTY, "command": NASTY}}
    trace = home.scratch / "trace"

    for event in ("PostToolUse", NASTY):
        subprocess.run(
            [strace, "-f", "-e", "trace=execve,execveat", "-o", str(trace), *home.command(event)],
            input=json.dumps(fields).encode(),
            cwd=nasty,
            env=home.environment(CLAUDE_PROJECT_DIR=NASTY.replace("\n", "")),
            check=True,
        )
        lines = trace.read_text(encoding="utf-8", errors="replace").splitlines()
        programs = [line.split('"')[1] for line in lines if "execve" in line]
        assert programs == ["/bin/sh", sys.executable]

    assert len(home.entries) == 2
    assert not list(home.scratch.rglob("pwned"))
