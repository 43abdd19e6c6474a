"""The port: known to all, at the price of nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "onnxruntime", "httpx2", "ssl")


@pytest.mark.parametrize("module", ["tacit.embed.port", "tacit.embed.choose", "tacit.cli.main"])
def test_to_know_of_embedders_loads_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"

    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert told.stdout.strip() == b"[]"


def test_the_default_length_is_that_of_a_message() -> None:
    from tacit.embed.port import TOKENS  # noqa: PLC0415

    assert TOKENS == 128
