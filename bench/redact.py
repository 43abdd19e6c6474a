"""Redaction: milliseconds per KB with RE2 and with `re`, and the worst input we know.

    python bench/redact.py

The baseline is one pass of `bytes.lower` and `split` over the same text in the same run.
"""

from __future__ import annotations

import json
import sysconfig
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.compose import with_re2
from tacit.guard.compiled import with_re
from tacit.guard.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).resolve().parent.parent
ROUNDS = 3


def texts() -> dict[str, bytes]:
    """Return texts by name: ordinary ones, ones full of secrets, and hostile ones."""
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    code = b"".join(file.read_bytes() for file in library)[:500_000]
    samples = [_sample(json.loads(line)) for line in _corpus()]
    spread = b"".join(
        code[n * 2000 : n * 2000 + 2000] + b"\n" + sample + b"\n"
        for n, sample in enumerate(samples[:: len(samples) // 250])
    )
    return {
        "code": code,
        "prose": b"".join(file.read_bytes() for file in sorted(SOURCE.glob("*.md"))),
        "a sample each 2 KB": spread,
        "nothing but samples": b"\n".join(samples),
        "1 MB of eyJ": b"eyJ" * 350_000,
        "1 MB of token=": b"token=" * 170_000,
        "1 MB of key blocks": b"-----BEGIN PRIVATE KEY-----" * 38_000,
        "1 MB of backslashes": b"\\" * 1_000_000,
    }


def _corpus() -> list[str]:
    """Return the fake secrets and the look-alikes that the tests use."""
    files = sorted((SOURCE / "tests" / "corpus").glob("*.jsonl"))
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def _sample(sample: dict[str, Any]) -> bytes:
    return str(sample["text"]).replace("{s}", "".join(sample.get("parts", []))).encode()


def cpu_ms(work: Callable[[bytes], object], text: bytes) -> float:
    """Return the least CPU milliseconds of a few rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work(text)
        taken.append((time.process_time() - started) * 1000)
    return min(taken)


def main() -> None:
    """Measure and print."""
    engines = {"RE2": Redactor(b"k" * 32, with_re2), "re": Redactor(b"k" * 32, with_re)}
    print(f"{'text':<22} {'KB':>6} {'RE2 ms/KB':>10} {'re ms/KB':>9} {'RE2 to split':>13}")
    for name, text in texts().items():
        size = len(text) / 1000
        base = cpu_ms(lambda text: set(text.lower().split()), text)
        taken = {engine: cpu_ms(redactor.redact, text) for engine, redactor in engines.items()}
        print(
            f"{name:<22} {size:6.0f} {taken['RE2'] / size:10.3f} {taken['re'] / size:9.3f}"
            f" {taken['RE2'] / max(base, 0.01):12.1f}x"
        )


if __name__ == "__main__":
    main()
