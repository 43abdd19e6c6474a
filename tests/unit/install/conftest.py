"""A user who has a client, and what is wanted there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.install.wanting import of_user

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.install.installing import Wanted


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Return the directory of a user who has the client."""
    (tmp_path / ".claude").mkdir()
    return tmp_path


@pytest.fixture
def wanted(user: Path) -> Wanted:
    """Return what is wanted for all of the user's projects."""
    return of_user(user)
