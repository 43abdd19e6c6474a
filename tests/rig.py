"""The rig: a home, the real hook program run as a client runs it, and what came of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import intake, state
from tacit.capture.entry import Entry, parse
from tacit.install.command import (
    hook_command,
    launcher_text,
    packages,
    program,
    write_launcher,
)
from tacit.paths import CAPTURE_CONF
from tacit.policy import Caller
from tacit.verbs.chosen import Which

if TYPE_CHECKING:
    from tacit.app import App

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
SESSION = "66fbdfb8-16b6-46fa-8462-674ae6a5722c"
DEADLINE = 2.0

only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are looked up in /proc, which this system has not"
)


def needed(program: str) -> str:
    """Return where a program is that `make test` installs; without it a test fails, never skips."""
    found = shutil.which(program)
    if found is None:
        pytest.fail(f"{program} is not here: run `make test` once, which installs it")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How one run of the hook ended."""

    code: int
    out: bytes
    err: bytes
    seconds: float


class Home:
    """A home in a directory of its own, and the hook installed for it."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.path = scratch / "home"
        self.project = scratch / "project"
        self.project.mkdir(exist_ok=True)
        self.launcher = write_launcher(scratch / "client" / "hook.py", self.path)

    def command(self, event: str) -> list[str]:
        """Return the command that a client would run."""
        return hook_command(self.launcher, event)

    def program(self, event: str) -> list[str]:
        """Return the program alone that the command turns into."""
        return program(self.launcher, event)

    def wake(self, program: str | None = None) -> None:
        """Let the hook start the daemon; with a *program*, that one in place of the package's."""
        text = launcher_text(self.path)
        if program is not None:
            package = self.scratch / "packages" / "tacit"
            package.mkdir(parents=True, exist_ok=True)
            for each in packages().joinpath("tacit").iterdir():
                if each.name != "__main__.py" and not (package / each.name).exists():
                    (package / each.name).symlink_to(each)
            (package / "__main__.py").write_text(program, encoding="utf-8")
            text = text.replace(str(packages()), str(package.parent))
        self.launcher.write_text(text, encoding="utf-8")

    def make(self) -> int:
        """Make the home as the hook does; return its descriptor."""
        return state.open_home(str(self.path), is_proven=state.proven)

    def configure(self, lines: str, **briefs: str) -> None:
        """Write `capture.conf` and prepared briefs, stamped as the home stamps them."""
        root = self.make()
        key = intake.key(root)
        texts = {CAPTURE_CONF: lines}
        for name, text in briefs.items():
            texts |= {name: f"b-{name}\n{text}", f"{name}.agents": f"a-{name}\n{text}, agent"}
        for name, text in texts.items():
            state.replace(
                root, name, state.stamped(key, name, text.encode("utf-8", "surrogateescape"))
            )
        os.close(root)

    def hook(self, event: str, payload: dict[str, Any] | bytes, **options: Any) -> Ran:
        """Run the hook as a client does; options go to `subprocess.run`."""
        stdin = payload if isinstance(payload, bytes) else self.payload(event, **payload)
        options.setdefault("cwd", self.project)
        started = time.monotonic()
        ended = subprocess.run(
            self.command(event), input=stdin, capture_output=True, check=False, **options
        )
        return Ran(
            code=ended.returncode,
            out=ended.stdout,
            err=ended.stderr,
            seconds=time.monotonic() - started,
        )

    def payload(self, event: str, **fields: Any) -> bytes:
        """Return a payload as the client writes it."""
        common = {"session_id": SESSION, "cwd": str(self.project), "hook_event_name": event}
        return json.dumps(common | fields, separators=(",", ":"), ensure_ascii=False).encode()

    def environment(self, **extra: str) -> dict[str, str]:
        """Return this process's environment with some variables more."""
        return os.environ | extra

    @property
    def spooled(self) -> list[Path]:
        """Return the published files, oldest first."""
        return sorted((self.path / "spool" / "new").glob("*"))

    @property
    def entries(self) -> list[Entry]:
        """Return the published events, oldest first."""
        return [parse(file.read_bytes()) for file in self.spooled]

    @property
    def log(self) -> list[str]:
        """Return the lines of the hook's own log."""
        file = self.path / "logs" / "hook.log"
        return file.read_text(encoding="ascii").splitlines() if file.exists() else []

    def bytes_on_disk(self) -> bytes:
        """Return every byte of every file in the home, names included; a daemon may be at work."""
        found = []
        for place, _, names in os.walk(self.path):
            for file in (Path(place, name) for name in names):
                with suppress(FileNotFoundError):  # a temporary file that has just gone
                    if file.is_file() and not file.is_symlink():
                        found.append(str(file).encode() + b"\n" + file.read_bytes())
        return b"\n".join(found)


def erased(app: App, group: str, **which: str) -> int:
    """Erase as the owner does; return how many bodies went."""
    return app.forget(group, Which(**which), Caller(), erase=True).events  # type: ignore[arg-type]


def corpus(name: str) -> list[dict[str, Any]]:
    """Return the samples of all files of the corpus that begin with *name*."""
    files = sorted(CORPUS.glob(f"{name}*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines]
