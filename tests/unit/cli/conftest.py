"""What the tests of the command line share: the program, as a shell runs it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from rig import Home


class Program(Protocol):
    """`tacit` as a process; options go to `subprocess.run`."""

    def __call__(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Run it to its end."""
        ...


@pytest.fixture
def program(home: Home) -> Program:
    """Return `python -m tacit`, run in the project's directory."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        options.setdefault("cwd", home.project)
        options.setdefault("capture_output", True)
        command = [sys.executable, "-m", "tacit", *arguments]
        ended: subprocess.CompletedProcess[bytes] = subprocess.run(command, check=False, **options)
        return ended

    return run
