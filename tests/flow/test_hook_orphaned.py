"""What is left of the hook when its package, its home or its interpreter has gone."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tacit

if TYPE_CHECKING:
    from rig import Home


def _installed(home: Home) -> Path:
    """Install a copy of the package and point the launcher at it, as pip would have."""
    packages = home.scratch / "site packages"
    shutil.copytree(Path(tacit.__file__).parent, packages / "tacit")
    text = home.launcher.read_text(encoding="utf-8")
    source = str(Path(tacit.__file__).resolve().parent.parent)
    home.launcher.write_text(text.replace(source, str(packages)), encoding="utf-8")
    return packages


def test_the_copy_works_before_it_is_removed(home: Home) -> None:
    _installed(home)

    home.hook("Stop", {})

    assert len(home.entries) == 1


@pytest.mark.parametrize(
    "gone", ["tacit", "tacit/capture", "tacit/guard", "tacit/capture/spool.py"]
)
def test_a_removed_package_leaves_a_silent_command(home: Home, gone: str) -> None:
    target = _installed(home) / gone
    shutil.rmtree(target) if target.is_dir() else target.unlink()

    ran = home.hook("UserPromptSubmit", {"prompt": "hi"})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")


def test_a_half_written_package_leaves_a_silent_command(home: Home) -> None:
    broken = _installed(home) / "tacit" / "capture" / "hook.py"
    broken.write_bytes(broken.read_bytes()[:700] + b"\n)")

    ran = home.hook("UserPromptSubmit", {"prompt": "hi"})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")


def test_a_removed_package_costs_no_more_than_a_bare_interpreter_or_so(home: Home) -> None:
    shutil.rmtree(_installed(home))
    bare = [sys.executable, "-I", "-S", "-c", "pass"]

    def seconds(command: list[str]) -> float:
        started = time.perf_counter()
        subprocess.run(command, input=b"{}", check=True)
        return time.perf_counter() - started

    pairs = [(seconds(home.command("Stop")), seconds(bare)) for _ in range(15)]

    hook = statistics.median(pair[0] for pair in pairs)
    assert hook < 3 * statistics.median(pair[1] for pair in pairs)


def test_a_deleted_home_does_not_take_the_launcher_with_it(home: Home) -> None:
    home.hook("Stop", {})
    shutil.rmtree(home.path)

    ran = home.hook("Stop", {})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert home.path not in home.launcher.parents
