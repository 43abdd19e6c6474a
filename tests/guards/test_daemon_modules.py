"""A small daemon: what is large, and what nobody has chosen, is not loaded into it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig import Home

# 0.5 to 12 MB each, for all the time that a daemon runs
LARGE = ("hashlib", "importlib.metadata", "importlib.resources", "ssl", "subprocess", "tempfile")
UNCHOSEN = ("anthropic", "httpx2", "numpy", "onnxruntime", "tacit.llm.choose", "zipfile")
PROGRAM = """
import json, sys, time
from pathlib import Path
from tacit.cli.running import daemon
from tacit.log import Log
home = Path(sys.argv[1])
opening, services = daemon._services(str(home), Log(home / "daemon.log", time.time_ns))
app = opening(lambda: None)
app.drain(seconds=None)
services.rest()
app.close()
print(json.dumps(sorted(sys.modules)))
"""


def test_a_daemon_loads_nothing_large_and_nothing_that_nobody_has_chosen(home: Home) -> None:
    home.make()
    (home.path / "config.toml").write_text('[embed]\nprovider = "none"\n', encoding="utf-8")
    home.hook("UserPromptSubmit", {"prompt": "Always use tabs in Makefiles."})
    home.hook("Stop", {"last_assistant_message": "All right."})

    told = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, home.path], capture_output=True, check=True
    )

    loaded = set(json.loads(told.stdout))
    assert "tacit.curate.rules.curator" in loaded
    assert loaded & {*LARGE, *UNCHOSEN} == set()
