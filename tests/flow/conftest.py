"""What flows share beside a home of their own: a place for one where flushing costs nothing."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108


@pytest.fixture
def place() -> Iterator[Path]:
    """Return where a home may be for tests that are not about the disk."""
    with TemporaryDirectory(dir=IN_MEMORY) as directory:
        yield Path(directory) / "home"
