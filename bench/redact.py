"""Redaction: milliseconds per KB with RE2 and with `re`, and the worst input we know.

    python bench/redact.py

Then the same for payloads of 3 KB as a client sends them, each with one sample of the corpus in it,
and for texts of 3 KB that are nothing but samples: a keyword every seventy bytes.
The baseline is one pass of `bytes.lower` and `split` over the same text in the same run.
"""

from __future__ import annotations

import json
import sysconfig
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.compose import redactor
from tacit.guard.compiled import with_re
from tacit.guard.payload import clean
from tacit.guard.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).resolve().parent.parent
ROUNDS, SIZE = 3, 3000


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


def payloads() -> list[bytes]:
    """Return tool results of 3 KB, each with one sample in it."""
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    code = b"".join(file.read_bytes() for file in library)[:3_000_000].decode("utf-8", "replace")
    return [
        json.dumps(
            {"tool_response": {"stdout": f"{code[start : start + 2800]}\n{sample}"}}
        ).encode()
        for line, start in zip(_corpus(), range(0, len(code), 800), strict=False)
        for sample in (_sample(json.loads(line)).decode(),)
    ]


def joined() -> list[bytes]:
    """Return the samples of the corpus in texts of 3 KB, with nothing around them."""
    texts = [b""]
    for line in _corpus():
        if len(texts[-1]) >= SIZE:
            texts.append(b"")
        texts[-1] += _sample(json.loads(line)) + b"\n"
    return texts


def spread_of(work: Callable[[bytes], object], texts: list[bytes]) -> str:
    """Return mean, median and 95th percentile of the milliseconds per KB that texts take."""
    taken = [cpu_ms(work, text) for text in texts]
    each = sorted(ms / len(text) * 1000 for ms, text in zip(taken, texts, strict=True))
    mean = sum(taken) / sum(map(len, texts)) * 1000
    median, late = each[len(each) // 2], each[len(each) * 95 // 100]
    return f"mean {mean:.3f}, median {median:.3f}, p95 {late:.3f} ms/KB"


def main() -> None:
    """Measure and print."""
    engines = {"RE2": redactor(b"k" * 32), "re": Redactor(b"k" * 32, with_re)}
    print(f"{'text':<22} {'KB':>6} {'RE2 ms/KB':>10} {'re ms/KB':>9} {'RE2 to split':>13}")
    for name, text in texts().items():
        size = len(text) / 1000
        base = cpu_ms(lambda text: set(text.lower().split()), text)
        taken = {engine: cpu_ms(each.redact, text) for engine, each in engines.items()}
        print(
            f"{name:<22} {size:6.0f} {taken['RE2'] / size:10.3f} {taken['re'] / size:9.3f}"
            f" {taken['RE2'] / max(base, 0.01):12.1f}x"
        )
    for engine, each in engines.items():
        cleaning = partial(clean, redactor=each)
        print(f"payloads of 3 KB, {engine}: {spread_of(cleaning, payloads())}")
        print(f"samples by 3 KB, {engine}: {spread_of(each.redact, joined())}")


if __name__ == "__main__":
    main()
