"""The project of a directory: its git common directory, so that worktrees share one; else itself.

Two directories with the same basename are two projects. A `.tacit.toml` between the directory and
the top of its repository may split a project (`project = "name"`), never join one. Only looks;
nothing here is written, and no file but these two is opened.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tacit.capture.projectfile import PROJECT_FILE
from tacit.digest import blake2b
from tacit.guard.names import is_name
from tacit.model.event import Place

NOWHERE = Place(directory="", project="prj-nowhere", root="", name="nowhere")
_LARGEST = 64 << 10


def locate(directory: str) -> Place:
    """Return the place of a directory."""
    if not directory:
        return NOWHERE
    try:
        path = Path(directory).resolve()
        top, common = _repository(path)
        split = _split(path, top)
    except (OSError, RuntimeError, ValueError):
        path = top = common = Path(directory)
        split = ""
    return Place(
        directory=_text(directory),
        project=key_of(common, split),
        root=_text(str(common.parent if common.name == ".git" else common)),
        name=split or _text(_name_of(common)) or "/",
    )


def _text(name: str) -> str:
    """Return a name that is no text as one that can be written down."""
    return name.encode("utf-8", "replace").decode()


def at(directory: str, key: str, root: str, name: str) -> Place:
    """Return the place of a directory whose project is known already."""
    return Place(directory=directory, project=key, root=root, name=name)


def exists(directory: str) -> bool:
    """Say whether a directory is there to be looked at."""
    try:
        return Path(directory).is_dir()
    except (OSError, ValueError):
        return False


def key_of(common: Path, split: str = "") -> str:
    """Return the key of the project whose common directory this is."""
    text = f"{common}\0{split}".encode("utf-8", "surrogatepass")
    return "prj-" + blake2b(text, digest_size=6).hexdigest()


def _repository(path: Path) -> tuple[Path, Path]:
    """Return (top of the work tree, common directory); both the path itself outside of git."""
    for top in (path, *path.parents):
        git = top / ".git"
        if git.is_dir():
            return top, git.resolve()
        if git.is_file():
            return top, _common(git)
    return path, path


def _common(pointer: Path) -> Path:
    """Return the common directory that a `.git` file leads to."""
    text = _read(pointer)
    if not text.startswith("gitdir:"):
        return pointer.parent
    directory = (pointer.parent / text.removeprefix("gitdir:").strip()).resolve()
    shared = directory / "commondir"
    return (directory / _read(shared).strip()).resolve() if shared.is_file() else directory


def _name_of(common: Path) -> str:
    """Return what a project is called until somebody renames it."""
    return (common.parent if common.name == ".git" else common).name.removesuffix(".git")


def _split(path: Path, top: Path) -> str:
    """Return the name that a project file gives this part of the project."""
    for folder in (path, *path.parents):
        file = folder / PROJECT_FILE
        if file.is_file():
            try:
                name = tomllib.loads(_read(file)).get("project", "")
            except (ValueError, RecursionError):
                return ""
            return name if isinstance(name, str) and is_name(name) else ""
        if folder == top:
            break
    return ""


def _read(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(_LARGEST).decode("utf-8", "surrogateescape")
