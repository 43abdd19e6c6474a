"""Every installation that a home knows of: found again from anywhere, and taken back at once.

What cannot be taken back is told with the reason and the command that does it later; its launcher
goes all the same, so that no hook that is left records anything.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.install import files, installing, notes, plugin
from tacit.install.clients import CLIENTS, PLUGGED, place
from tacit.install.command import leads
from tacit.install.installing import Wanted

if TYPE_CHECKING:
    from tacit.install.clients import Asked, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A file that could not be taken back: why not, and what does it."""

    file: Path
    why: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """What became of all installations: files that were changed, and those that could not be."""

    changed: list[Path]
    left: list[Left]


def at_stake(home: Path, also: Asked) -> list[Path]:
    """Return the files that taking everything back changes or removes."""
    places = [_place(asked) for asked in _all(home, also)]
    known = [*notes.known(home), *(each.launcher for each in places)]
    known += [each.settings for each in places if installing.names_us(each.settings)]
    return sorted({file for file in known if file.exists()})


def take_back(home: Path, also: Asked) -> TakenBack:
    """Take back every installation that is noted, and one more, which need not be."""
    changed: list[Path] = []
    left: list[Left] = []
    everything = _all(home, also)
    for asked in everything:
        try:
            changed += _taken_back(asked, home)
        except (TacitError, OSError) as error:
            settings = _place(asked).settings
            left.append(Left(file=settings, why=_said(error), command=asked.taken_back_by))
    for launcher in {_place(asked).launcher for asked in everything}:
        try:
            if _leads_here(launcher, home):
                files.remove(launcher)
                changed.append(launcher)
        except (TacitError, OSError) as error:
            command = f"rm {shlex.quote(str(launcher))}"
            left.append(Left(file=launcher, why=_said(error), command=command))
    return TakenBack(changed=changed, left=left)


def _all(home: Path, also: Asked) -> list[Asked]:
    """Return what all installations were asked for by, each once."""
    noted = [note.asked for note in notes.all_kept(home) if note.asked]
    return list({_place(asked).settings: asked for asked in (*noted, also)}.values())


def _place(asked: Asked) -> Place:
    client, directory = CLIENTS[asked.client], Path(asked.directory)
    if asked.scope == PLUGGED:
        return plugin.place_at(directory, client)
    return place(client, asked.scope, asked.environment, directory)


def _taken_back(asked: Asked, home: Path) -> list[Path]:
    """Take one installation back; return the files that were changed."""
    client, here = CLIENTS[asked.client], _place(asked)
    if asked.scope != PLUGGED:
        return installing.uninstall(Wanted(client=client, place=here, home=home))
    changed = installing.uninstall(plugin.wanted(Path(asked.directory), client, home))
    plugin.clear(here)
    return changed


def _leads_here(launcher: Path, home: Path) -> bool:
    """Say whether a launcher is there and records in this home."""
    found = leads(files.read(launcher) or "")
    return found is not None and os.path.realpath(found.home) == os.path.realpath(home)


def _said(error: Exception) -> str:
    return str(error.strerror or error) if isinstance(error, OSError) else str(error)
