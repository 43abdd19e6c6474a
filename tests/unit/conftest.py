"""What unit tests share: an open home, its spool, and a umask that each test leaves as it was."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.transcript.ledgers import Ledgers
from unit.curate.saying import fresh_desk
from unit.transcript.events import NOON, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.transcript.files import Files
    from unit.curate.saying import Desk


@pytest.fixture(autouse=True)
def kept_umask() -> Iterator[None]:
    """Undo what the programs under test do to the umask."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the machine stand nine hours east of Greenwich."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return an empty transcript, an empty memory, and a curator."""
    with fresh_desk() as opened:
        yield opened


@pytest.fixture
def root(home: Home) -> Iterator[int]:
    """Return the descriptor of the test's home."""
    descriptor = state.open_home(str(home.path))
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def spool(root: int) -> Iterator[Spool]:
    """Return the spool of the test's home."""
    opened = Spool(root)
    yield opened
    opened.close()


@pytest.fixture
def ledgers(home: Home) -> Iterator[Ledgers]:
    """Return the ledgers of the test's home, which mend nothing by themselves."""
    os.umask(0o077)
    opened = Ledgers(home.path, now_ns=lambda: NOON, auto=False, keep=7)
    yield opened
    opened.close()


@pytest.fixture
def files(ledgers: Ledgers) -> Files:
    """Return the files of its group `main`, where two events have happened."""
    files = ledgers.files("main")
    written(files, 2)
    return files
