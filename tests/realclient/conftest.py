"""What the tests with the real client share: a home whose events are taken in either way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from realclient.reading import Place, ask
from rig import Home

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module", params=["with a daemon", "without a daemon"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """Return a home with a daemon that the client's hooks start, then one with none."""
    home = Home(tmp_path_factory.mktemp("place"))
    if request.param == "without a daemon":
        yield Place(home=home, settle=lambda: ask(home, "sessions"))
        return
    with Daemons(home) as daemons:
        home.wake()

        def settle() -> None:
            daemons.until_alone()
            until(lambda: home.spooled == [], "an empty spool")

        yield Place(home=home, settle=settle)
