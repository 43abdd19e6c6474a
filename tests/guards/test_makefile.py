"""`make test` runs every part and names those that failed, also in the background of a shell."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rig import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = ("python", "ruff", "mypy", "lint-imports")
# fails for the parts that it is told to, which it knows by their options
STUB = """#!/bin/sh
case "$*" in
  *"alone and not long"*) part=alone ;;
  *tests/flow*) part=outside ;;
  *pytest*) part=inside ;;
  *) exit 0 ;;
esac
echo "$part ran"
case " $FAILING " in *" $part "*) exit 1 ;; esac
"""


def make(place: Path, failing: str) -> subprocess.CompletedProcess[str]:
    """Run `make test` with tools that only say that they ran, or fail."""
    tools = place / "bin"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).write_text(STUB, encoding="utf-8")
        (tools / name).chmod(0o755)
    (place / "ready").touch()
    here = [f"BIN={tools}", f"READY={place}/ready", f"LOG={place}/log", f"FAILED={place}/failed"]
    return subprocess.run(
        ["make", "test", *here, "SYSTEM=", "CLIENT=", "CONFORMANCE="],
        cwd=ROOT,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "FAILING": failing},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("failing", ["", "outside", "inside", "alone", "inside outside"])
def test_every_part_is_run_and_the_failed_ones_are_named(tmp_path: Path, failing: str) -> None:
    ended = make(tmp_path, failing)

    ran = {line for line in ended.stdout.splitlines() if line.endswith(" ran")}
    assert ran == {"outside ran", "inside ran", "alone ran"}
    assert (ended.returncode != 0) == bool(failing)
    assert ("Failed:" in ended.stdout) == bool(failing)
    assert f"Failed: {failing} (see above)" in ended.stdout or not failing


def test_programs_can_be_interrupted_where_a_shell_ignores_interrupts() -> None:
    test = "tests/unit/cli/test_main.py::test_an_interrupted_program_ends_with_130"

    ended = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$0" -m pytest -q "$1"', sys.executable, test],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout.decode()
