"""An agent that knows nothing of hooks: it asks `tacit boot` and lets that be its system prompt.

    python agent.py URL PROMPT

One request to a model at URL, nothing else; what it answers is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request


def main(url: str, prompt: str) -> int:
    """Ask the model once."""
    boot = subprocess.run(
        [sys.executable, "-m", "tacit", "boot"], capture_output=True, check=True
    ).stdout.decode()
    asked = {"system": boot, "messages": [{"role": "user", "content": prompt}]}
    request = urllib.request.Request(  # noqa: S310  (loopback, given by the test)
        url, json.dumps(asked).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        sys.stdout.write(json.load(answer)["text"])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
