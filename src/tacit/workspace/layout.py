"""How a workspace is laid out: made, filled up and upgraded, and nothing of it ever overwritten.

`.os/` holds what is ours: the memory, the version, what the workspace chooses for itself. `src/`
and `.venv/` in it are kept free for the runtime of whoever hosts it. The folders beside it are the
user's own. Nothing is made through a link, nor where the workspace is gone.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import paths
from tacit.errors import WorkspaceGone, WorkspaceRefused
from tacit.transcript.files import open_memory_of
from tacit.workspace import space

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS, OCR, EXTRACTIONS, ARTIFACTS, PROJECTS = (
    "documents", "ocr", "extractions", "artifacts", "projects",
)  # fmt: skip
ARCHIVE = "archive"  # in projects: the files of closed cards
FOLDERS = (DOCUMENTS, OCR, EXTRACTIONS, ARTIFACTS, PROJECTS)
AREAS = (DOCUMENTS, OCR, EXTRACTIONS, PROJECTS)  # what is looked after
RESERVED = ("src", ".venv")  # in .os: whoever hosts a workspace may put a runtime there
_IGNORED = "/memory/\n"
_VERSION = re.compile(r"v?[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}")
CONFIG = """\
# What this workspace chooses for itself; everything else is chosen in the user's own config.toml.
# [canvas]
# create_tools = ["create_card"]
# update_tools = ["update_card"]
# close_tools = ["close_card"]
# card_field = "card_id"
# title_field = "title"
# blocks_field = "blocks"
#
# [upkeep]
# orphaned_hours = 24
# corrections = 10
"""
# what `--template` puts into each folder: what it is for
READMES = {
    DOCUMENTS: "Documents as they come: scans, letters, tables. Folders are as you like.\n",
    OCR: "The text of each document, in a file with the same name but for its end.\n",
    EXTRACTIONS: "What was taken out of each document, in a file with the same name but its end.\n",
    ARTIFACTS: "What was made: reports, charts, drafts.\n",
    PROJECTS: "A page for each card. Edit as you like; the pages of closed cards go to archive/.\n",
}
README = "README.txt"


def check(workspace: Path, *, with_template: bool = False) -> None:
    """Refuse a directory that cannot be made a workspace; nothing is changed."""
    for place in (workspace, workspace / paths.OS, workspace / paths.OS / paths.OS_MEMORY):
        _check_directory(place, is_own=True)
    for folder in FOLDERS if with_template else ():
        _check_directory(workspace / folder)
    parts = (paths.OS, *FOLDERS)
    is_whole = all(os.path.lexists(workspace / part) for part in parts)
    nearest = next(place for place in (workspace, *workspace.parents) if os.path.lexists(place))
    if not is_whole and not os.access(nearest, os.W_OK | os.X_OK):
        raise WorkspaceRefused(
            f"{workspace} cannot be made a workspace: {nearest} cannot be written to. Choose a "
            "directory that you can write to, or make this one so."
        )


def _check_directory(place: Path, *, is_own: bool = False) -> None:
    """Refuse what is in the place of a directory, or a directory of somebody else."""
    try:
        found = place.lstat()
    except OSError:  # there is none, or it cannot be reached: who makes it is told why
        return
    if stat.S_ISLNK(found.st_mode):
        wrong = "is a link"
    elif not stat.S_ISDIR(found.st_mode):
        wrong = "is not a directory"
    elif is_own and found.st_uid != os.geteuid():
        wrong = "belongs to another user"
    else:
        return
    raise WorkspaceRefused(
        f"{place} {wrong}. Put a directory of your own in its place, or choose another workspace."
    )


def make(workspace: Path, version: str, *, with_template: bool = False) -> list[str]:
    """Make what is missing of a workspace; return what was."""
    check(workspace, with_template=with_template)
    made = []
    with space.opened(workspace, paths.OS, making=True) as root:
        _make_own(root, workspace)
        for name, text in (
            (paths.OS_CONFIG, CONFIG),
            (".gitignore", _IGNORED),
            (paths.OS_VERSION, f"{version}\n"),
        ):
            made += [f"{paths.OS}/{name}"] if _put(root, name, text) else []
    made += fill(workspace)
    for folder, text in READMES.items() if with_template else ():
        with space.opened(workspace, folder) as descriptor:
            made += [f"{folder}/{README}"] if _put(descriptor, README, text) else []
    return made


def _put(folder: int, name: str, text: str) -> bool:
    """Put a file where there is none; say whether there was none."""
    if space.is_missing(folder, name):
        with suppress(space.Changed):  # somebody else was quicker
            space.write(folder, name, text.encode(), space.Missing())
            return True
    return False


def _make_own(root: int, workspace: Path) -> None:
    """Make the directory of the memory if it is missing, and close it and `.os` to others."""
    with suppress(FileExistsError):
        os.mkdir(paths.OS_MEMORY, 0o700, dir_fd=root)
    os.close(open_memory_of(workspace))
    os.fchmod(root, 0o700)


def fill(workspace: Path) -> list[str]:
    """Make the folders that are missing; whatever lies in the place of one stays."""
    made = []
    os.close(open_memory_of(workspace))
    with space.opened(workspace) as root:
        for folder in FOLDERS:
            with suppress(FileExistsError):
                os.mkdir(folder, 0o700, dir_fd=root)
                made.append(f"{folder}/")
    return made


def is_taken(workspace: Path) -> bool:
    """Return whether a directory has an `.os` that holds something, but for a host's runtime."""
    try:
        with space.opened(workspace, paths.OS) as folder:
            return bool({*space.names(folder)} - {*RESERVED})
    except (FileNotFoundError, WorkspaceGone):
        return False


def version_of(workspace: Path) -> str:
    """Return the Tacit that laid a workspace out; nothing if that is not known."""
    try:
        with space.opened(workspace, paths.OS) as root:
            return space.head(root, _kept_in(root), 100).decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""


def _kept_in(root: int) -> str:
    """Return which file says so: another one where what is deployed has a version of its own."""
    return paths.OS_VERSION if space.is_missing(root, paths.OS_LAYOUT) else paths.OS_LAYOUT


def set_version(workspace: Path, version: str) -> None:
    """Say that a workspace has a version."""
    with space.opened(workspace, paths.OS) as root:
        name = _kept_in(root)
        lies = space.look(root, name)
        try:
            space.write(root, name, f"{version}\n".encode(), lies)
        except space.Changed as error:
            raise WorkspaceRefused(
                f"{workspace / paths.OS / name} is no plain file, or was just changed. "
                "Look at it, then try again."
            ) from error


def copy_texts(workspace: Path, into: Path) -> None:
    """Copy what an upgrade may change: no words of anybody's, which may have to be erased."""
    with space.opened(workspace, paths.OS) as folder:
        for name in (paths.OS_VERSION, paths.OS_LAYOUT, paths.OS_CONFIG):
            lies = space.look(folder, name)
            if isinstance(lies, space.Plain):
                (into / name).write_bytes(lies.text)


def version_file(workspace: Path) -> Path:
    """Return the file that says which Tacit has laid a workspace out."""
    with space.opened(workspace, paths.OS) as root:
        return workspace / paths.OS / _kept_in(root)


def compared(workspace: Path, version: str, ours: str) -> int:
    """Return whether the version of a workspace comes before ours (-1), is it (0), or is later.

    What is no version is refused, with the file in which it stands.
    """
    theirs = _numbers(version)
    if theirs is None:
        raise WorkspaceRefused(
            f"{version[:40]!r} is no version that can be compared. Write one such as 1.2.0 into "
            f"{version_file(workspace)}, then try again."
        )
    known = _numbers(ours) or ()
    return (theirs > known) - (theirs < known)


def _numbers(version: str) -> tuple[int, ...] | None:
    matched = _VERSION.match(version)
    if matched is None:
        return None
    numbers = [int(part) for part in matched[0].removeprefix("v").split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
