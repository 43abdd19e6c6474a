"""Each secret pattern catches its example, and there are enough of them."""

from __future__ import annotations

import pytest

from tacit.compose import redactor
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

EXAMPLES = [(row[0], row[4]) for row in ROWS] + [(row[0], row[4]) for row in CONTEXT]
ENOUGH = 60


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_each_row_catches_its_example(kind: str, example: str) -> None:
    redacted = redactor(b"k" * 32).redact(example.encode())

    assert b"[redacted:" in redacted, kind


def test_there_are_at_least_sixty_kinds() -> None:
    assert len({kind for kind, _ in EXAMPLES}) >= ENOUGH
