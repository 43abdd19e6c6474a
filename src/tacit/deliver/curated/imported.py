"""Copies for clients that import files: what is told, and not a line that nobody has accepted.

The six files themselves keep edits by hand until the owner decides; whoever imports those would
read orders of a stranger. These say what we would say, and whatever else is written into them goes.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.deliver.curated import deployed, place
from tacit.deliver.curated.names import DEPLOYED, RENDERED, SIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.ledger import Ledger
    from tacit.deliver.curated.sheet import Sheet

FOLDER = "told"


def keep(desk: Desk, folder: int, ledger: Ledger, pages: Mapping[str, Sheet]) -> None:
    """Let each copy say what its file is to say; one of which nothing is to be said is empty."""
    with place.inner(folder, FOLDER) as inner:
        for name in SIX:
            text = _text(desk, folder, ledger, pages, name)
            if place.look(inner, name).text != text:
                place.write(inner, name, text, place.READ_ONLY)
        for name in set(os.listdir(inner)) - {*SIX}:  # noqa: PTH208  (of a descriptor)
            with suppress(OSError):
                place.remove(inner, name)


def stamp(folder: int) -> list[object]:
    """Return what changes when somebody touches a copy, or puts something beside them."""
    with suppress(OSError), place.inner(folder, FOLDER) as inner:
        names = sorted(os.listdir(inner))  # noqa: PTH208  (of a descriptor)
        return [names, *place.stamp(inner, SIX)]
    return []


def _text(desk: Desk, folder: int, ledger: Ledger, pages: Mapping[str, Sheet], name: str) -> str:
    if name in DEPLOYED:
        return deployed.told(folder, desk.marker, ledger, name) or ""
    return pages[name].text if name in RENDERED else ""
