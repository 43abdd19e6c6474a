"""What a workspace chooses for itself: `.os/config.toml`, a few settings and no more.

It lies among the user's files and may come from elsewhere, so it can name tools, fields and
thresholds and nothing that reaches further. What cannot be read counts as not there, and
`tacit doctor` says so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths, settings
from tacit.errors import SettingsUnreadable
from tacit.workspace import canvas, space

if TYPE_CHECKING:
    from tacit.settings import Settings
    from tacit.workspace.canvas import Canvas

LARGEST = 64 << 10


def read(workspace: Path, chosen: Settings) -> Settings:
    """Return the settings that count in a workspace; refuse what is not for it to choose."""
    file = workspace / paths.OS / paths.OS_CONFIG
    try:
        with space.opened(workspace, paths.OS) as folder:
            lies = space.look(folder, paths.OS_CONFIG)
    except FileNotFoundError:
        return chosen
    if isinstance(lies, space.Missing):
        return chosen
    if isinstance(lies, space.Odd) or len(lies.text) > LARGEST:
        raise SettingsUnreadable(f"{file} is a link, no file, or too large. Remove it.")
    return settings.of_workspace(chosen, lies.text, str(file))


def read_or_usual(workspace: Path, chosen: Settings) -> Settings:
    """Return the settings that count in a workspace, the user's own if it has none to be read."""
    try:
        return read(workspace, chosen)
    except SettingsUnreadable:
        return chosen


class Canvases:
    """The canvas of each workspace, read again when its file or the user's has changed."""

    def __init__(self, home: str) -> None:
        self._home = Path(home)
        self._known: dict[str, tuple[object, Canvas]] = {}

    def of(self, workspace: str) -> Canvas:
        """Return which tools of a workspace have to do with cards."""
        files = (self._home / paths.CONFIG, Path(workspace) / paths.OS / paths.OS_CONFIG)
        stamp = [_stamp(file) for file in files]
        known = self._known.get(workspace)
        if known is None or known[0] != stamp:
            chosen = settings.load(str(self._home))
            known = stamp, canvas.chosen(read_or_usual(Path(workspace), chosen))
            self._known[workspace] = known
        return known[1]


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = os.lstat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
