"""Measures upkeep: how long one moment of it is, and what a look costs beside merely walking there.

    python bench/workspace.py [--sizes N ...]

The first look at a workspace writes everything down; a later one only what has changed. The
baseline is a walk over the same files that asks for their size and age. Fails if one moment takes
much longer than it may.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.policy import Caller

SLICE = 0.2
BAR = 3.0  # times as long as it may: the machine may be busy with others
SIZES = (1000, 100_000)
IN_A_FOLDER = 1000
PAYLOAD = b'{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"hello","cwd":"/"}'


def filled(place: Path, size: int) -> None:
    """Put so many files into a workspace: documents, some the same, and their texts."""
    for number in range(size // 2):
        folder = place / "documents" / f"{number // IN_A_FOLDER:03d}"
        if number % IN_A_FOLDER == 0:
            folder.mkdir()
        same = "same" if number % IN_A_FOLDER in {0, 1} else f"{number:08d}" * (1 + number % 7)
        (folder / f"document {number}.pdf").write_text(same, encoding="ascii")
        (place / "ocr" / f"document {number}.txt").write_text(same, encoding="ascii")


def walked(place: Path) -> float:
    """Return how much CPU a bare walk takes."""
    began = time.process_time()
    for folder, _, names in os.walk(place):
        for name in names:
            os.lstat(os.path.join(folder, name))  # noqa: PTH118  (as bare as can be)
    return time.process_time() - began


def measured(size: int, scratch: Path) -> bool:
    """Measure a workspace of so many files; say whether every moment was short."""
    is_short = True
    app = open_app(str(scratch / "home"))
    place = scratch / "papers"
    group = app.init(str(place), Caller()).name
    spool = Spool(app.root)
    spool.publish(
        PAYLOAD, event="UserPromptSubmit", received_ns=time.time_ns(), client="b", group=group
    )
    spool.close()
    app.drain()
    filled(place, size)
    for look in ("first", "second"):
        longest, slices, done = 0.0, 0, False
        began = time.process_time()
        while not done:
            at = time.monotonic()
            done = app.tend(group, seconds=SLICE)
            longest, slices = max(longest, time.monotonic() - at), slices + 1
        is_short = is_short and longest < BAR * SLICE
        cost = time.process_time() - began
        base = walked(place)
        print(
            f"{size:>7} files, {look:<6} look: {cost:6.2f} s CPU in {slices} moments, "
            f"the longest {longest:.2f} s; {cost / base:.1f} times a bare walk"
        )
    app.close()
    return is_short


def main() -> int:
    """Measure all sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    found = []
    for size in parser.parse_args().sizes:
        with TemporaryDirectory() as scratch:
            found.append(measured(size, Path(scratch)))
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
