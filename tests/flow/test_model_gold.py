"""A model that answers as the labels say: the pass loses next to nothing of it, end to end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rig import CORPUS, ROOT

_SCORE = re.compile(r"(\d+) of (\d+) labels, (\d+) memories: typed F1 ([\d.]+), bar ([\d.]+)")


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    """Have sessions read by a server that answers from their labels."""
    program = [sys.executable, str(ROOT / "bench" / "modelpass.py"), "--check", *map(str, files)]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=1200)


def test_nothing_is_lost_of_what_a_perfect_model_says() -> None:
    done = run(CORPUS / "gold" / "sessions.jsonl")

    found = _SCORE.search(done.stdout)
    assert (done.returncode, found is not None) == (0, True), done.stdout + done.stderr
    assert found is not None
    assert found.group(1) == found.group(2) == found.group(3)


def test_the_check_fails_below_the_bar(tmp_path: Path) -> None:
    text = (CORPUS / "gold" / "sessions.jsonl").read_text(encoding="utf-8")
    other = tmp_path / "sessions.jsonl"
    other.write_text(text.replace('[["gram"]', '[["furlong"]'), encoding="utf-8")

    done = run(other)

    assert (done.returncode, "bar 0.95" in done.stdout) == (1, True)


@pytest.mark.long
def test_next_to_nothing_is_lost_of_the_development_sessions() -> None:
    chosen = os.environ.get("TACIT_EVALS")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "evals"
    files = sorted((folder / "extraction").glob("*.jsonl"))
    if not files:
        pytest.skip("no labelled sessions here: TACIT_EVALS may name a directory")

    done = run(*files)

    assert done.returncode == 0, done.stdout
