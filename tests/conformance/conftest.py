"""What these tests share: a home in which something was said."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from conformance.line import PROJECT
from tacit.capture import state
from tacit.capture.spool import Spool
from unit.curate.saying import Ticking, talk

if TYPE_CHECKING:
    from rig import Home


@pytest.fixture
def told(home: Home) -> Home:
    """Return a home to which one thing was said, which nobody has taken in yet."""
    root = state.open_home(str(home.path))
    spool = Spool(root)
    talk(spool, Ticking(), "the till sells tea", cwd=PROJECT)
    spool.close()
    os.close(root)
    return home
