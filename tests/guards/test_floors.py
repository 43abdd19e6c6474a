"""The floors: imports only go down, and the fast path is standard library only."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from rig import ROOT

FAST = ("capture", "guard")
OWN = ("tacit.capture", "tacit.guard", "tacit.paths", "tacit.settings", "tacit.errors", "tacit")


def test_the_contracts_of_the_import_linter_hold() -> None:
    linter = Path(sys.executable).parent / "lint-imports"

    ran = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, check=False)

    assert ran.returncode == 0, ran.stdout.decode()


def _imported(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("room", FAST)
def test_the_fast_path_imports_the_standard_library_and_itself(room: str) -> None:
    files = (ROOT / "src" / "tacit" / room).rglob("*.py")

    foreign = {
        f"{file.name}: {name}"
        for file in files
        for name in _imported(file)
        if name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith(OWN)
    }

    assert foreign == set()
