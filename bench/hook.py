"""The hook's CPU as a ratio to a bare interpreter, interleaved in the same run.

    python bench/hook.py [--runs N] [--check]

Prints the median CPU of each payload and its ratio to `python -I -S -c pass`; `--check` fails over
a bar.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tacit.install.command import hook_command, program, write_launcher

PROSE = (
    "The build runs three stages and each writes its own report. When a stage fails the next one "
    "is not started, and the summary lists the files that changed since the last green run. "
)
KEYWORDS = (
    "The login form asks for a password, checks the token: if the secret is wrong, the api key is "
    "not used. "
)
SECRETS = " export AWS_ACCESS_KEY_ID=AKIA{}\n export DB_PASSWORD={}\n".format(
    "Q3EGRZ7TLJ5WNMDV", "k3Jd8sPq0zLm"
)
LARGE = 500_000  # payloads beyond are run every tenth time
BARS = {
    "3 KB plain": 1.5,
    "3 KB keyword words": 2.5,
    "100 KB plain": 2.0,
    "100 KB two secrets": 4.0,
}


def payload(text: str, size: int, extra: str = "") -> bytes:
    """Return a tool event as the client sends it, of about *size* bytes."""
    body = (text * (size // len(text) + 1))[: size - 400 - len(extra)]
    half = len(body) // 2
    event = {
        "session_id": "66fbdfb8-16b6-46fa-8462-674ae6a5722c",
        "cwd": "/srv/project",
        "prompt_id": "224ee76e-a659-479e-a76f-97d687f8f4cc",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make report", "description": "run the report"},
        "tool_response": {
            "stdout": body[:half] + extra + body[half:],
            "stderr": "",
            "interrupted": False,
        },
        "tool_use_id": "toolu_485be41429fe4d33a6706ac6",
    }
    return json.dumps(event, separators=(",", ":")).encode()


def cases() -> dict[str, bytes]:
    """Return the payloads by name."""
    return {
        "3 KB plain": payload(PROSE, 3_000),
        "3 KB keyword words": payload(KEYWORDS, 3_000),
        "100 KB plain": payload(PROSE, 100_000),
        "100 KB two secrets": payload(PROSE, 100_000, SECRETS),
        "1 MB plain": payload(PROSE, 1_000_000),
        "1 MB two secrets": payload(PROSE, 1_000_000, SECRETS),
        "10 MB plain": payload(PROSE, 10_000_000),
    }


def cpu_ms(command: list[str], stdin: bytes) -> float:
    """Return the CPU milliseconds that one run of *command* takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, input=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def measure(runs: int) -> dict[str, tuple[float, float]]:
    """Return (median CPU ms, ratio to the bare interpreter) by name of the payload."""
    with tempfile.TemporaryDirectory() as scratch:
        launcher = write_launcher(Path(scratch) / "hook.py", home=Path(scratch) / "home")
        hook = hook_command(launcher, "PostToolUse")
        bare = [*program(launcher, "x")[:3], "-c", "pass"]
        for stdin in cases().values():
            cpu_ms(hook, stdin)  # the first run writes the byte code
        taken: dict[str, list[float]] = {name: [] for name in ("bare", *cases())}
        for round_ in range(runs):
            taken["bare"].append(cpu_ms(bare, b""))
            for name, stdin in cases().items():
                if len(stdin) < LARGE or round_ % 10 == 0:
                    taken[name].append(cpu_ms(hook, stdin))
    medians = {name: statistics.median(each) for name, each in taken.items()}
    return {name: (median, median / medians["bare"]) for name, median in medians.items()}


def main() -> int:
    """Measure, print, and compare with the bars if asked to."""
    parser = argparse.ArgumentParser(description="CPU of the hook as a ratio to a bare interpreter")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--check", action="store_true", help="fail where a ratio is over its bar")
    options = parser.parse_args()
    failed = False
    print(f"{'payload':<20} {'CPU ms':>8} {'ratio':>7} {'bar':>6}")
    for name, (median, ratio) in measure(options.runs).items():
        bar = BARS.get(name)
        failed = failed or (bar is not None and ratio > bar)
        print(f"{name:<20} {median:8.1f} {ratio:6.2f}x {bar or '':>6}")
    return int(failed and options.check)


if __name__ == "__main__":
    sys.exit(main())
