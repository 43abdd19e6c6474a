"""How workspaces stand, for `tacit status` and `tacit doctor`: only looked at, nothing is mended.

A directory that has an `.os` of its own and is not in the user's settings is ignored, whatever lies
in it; that is told as well.
"""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.errors import SettingsUnreadable, StoreError, WorkspaceRefused
from tacit.store.sqlite.workspace import OPEN
from tacit.transcript.files import open_memory_of
from tacit.workspace import config, layout, space

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tacit.settings import Settings
    from tacit.store.sqlite.workspace import Card

_LONG, _SHORT = 240, 40  # of a name: bytes that leave no room behind it, letters that do
MOST = 500  # so many directories are looked at for an `.os` that nobody has registered


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one workspace stands."""

    name: str
    directory: str
    version: str = ""
    is_there: bool = True
    trouble: str | None = None
    fix: str | None = None


def look(name: str, directory: str, chosen: Settings, ours: str) -> Standing:
    """Return how a workspace stands."""
    workspace = Path(directory)
    try:
        os.close(open_memory_of(workspace))
        version = layout.version_of(workspace)
    except StoreError as error:
        return Standing(
            name=name,
            directory=directory,
            is_there=False,
            trouble=str(error),
            fix=f"bring {directory} back, or remove workspaces.{name} from config.toml",
        )
    trouble, fix = _trouble(workspace, chosen, version, ours)
    return Standing(name=name, directory=directory, version=version, trouble=trouble, fix=fix)


def _trouble(
    workspace: Path, chosen: Settings, version: str, ours: str
) -> tuple[str | None, str | None]:
    """Return what is wrong with a workspace that is there, and how to mend it."""
    for parts in (*((folder,) for folder in layout.FOLDERS), (layout.PROJECTS, layout.ARCHIVE)):
        try:
            with space.opened(workspace, *parts):
                pass
        except FileNotFoundError:  # it is made by itself, where that can be
            above = workspace.joinpath(*parts[:-1])
            if above.is_dir() and not _is_open(above):
                told = f"{workspace.joinpath(*parts)} is missing and cannot be made"
                return told, f"chmod u+rwx {_quoted(above)}"
        except WorkspaceRefused as error:
            return str(error), _making_room(workspace.joinpath(*parts))
    try:
        config.read(workspace, chosen)
    except SettingsUnreadable as error:
        return str(error), f"edit {workspace / paths.OS / paths.OS_CONFIG}"
    return _age(workspace, version, ours)


def _age(workspace: Path, version: str, ours: str) -> tuple[str | None, str | None]:
    """Return what is wrong with the version of a workspace, and how to mend it."""
    told = f"it is of version {version or 'unknown'}, this is Tacit {ours}"
    try:
        age = layout.compared(workspace, version or "0", ours)
    except WorkspaceRefused as error:  # a version of somebody else's
        return str(error), f"write {ours} into {layout.version_file(workspace)}"
    if age > 0:
        return told, "pip install -U tacit"
    return (told, f"tacit upgrade {_quoted(workspace)}") if age < 0 else (None, None)


def with_cards(found: Standing, held: Sequence[Card]) -> Standing:
    """Return how a workspace stands, given the cards whose file cannot be written."""
    if not held:
        return found
    first, more = held[0], len(held) - 1
    file = Path(found.directory) / layout.PROJECTS / (first.path or "")
    rest = f"; the same goes for {more} more" if more else ""
    told = f"the file of card {first.card} cannot be written: {file}: {first.trouble}{rest}"
    return replace(found, trouble=told, fix=_mending(file, is_open=first.state == OPEN))


def _mending(file: Path, *, is_open: bool) -> str:
    """Return the command that lets a file be written, as far as that can be seen."""
    folders = [file.parent, *([] if is_open else [file.parent / layout.ARCHIVE])]
    closed = next((each for each in folders if each.is_dir() and not _is_open(each)), None)
    if closed:
        return f"chmod u+rwx {_quoted(closed)}"
    if len(os.fsencode(file.name)) > _LONG:
        return f"mv {_quoted(file)} {_quoted(file.with_name(f'{file.stem[:_SHORT]}.md'))}"
    return f"look at {_quoted(file)}"


def _making_room(folder: Path) -> str:
    """Return the command after which a folder can be used, or be made."""
    if stat.S_ISDIR(folder.lstat().st_mode):
        return f"chmod u+rwx {_quoted(folder)}"
    return f"mv {_quoted(folder)} {_quoted(folder.with_name(f'{folder.name}.aside'))}"


def _is_open(folder: Path) -> bool:
    return os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def unregistered(directories: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the directories, or those above them, that look like workspaces and are none."""
    ours = {os.path.realpath(each) for each in known}
    found: dict[str, None] = {}
    places = [place for each in directories for place in (Path(each), *Path(each).parents)]
    for place in list(dict.fromkeys(places))[:MOST]:
        if _looks_like_one(place) and os.path.realpath(place) not in ours:
            found[str(place)] = None
    return list(found)


def _looks_like_one(place: Path) -> bool:
    try:
        own = place / paths.OS
        is_folder = stat.S_ISDIR(own.lstat().st_mode)
        return is_folder and any(
            (own / each).exists() for each in (paths.OS_VERSION, paths.OS_MEMORY)
        )
    except (OSError, ValueError):
        return False
