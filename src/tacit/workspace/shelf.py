"""The shelf: `projects/` of a workspace, the archive and the folders in it, open for a while.

A path here is a name, or a name in a folder that is not hidden and not too deep; any other is
refused as if nothing lay there, also one that stands in a database somebody else has made. No link
is followed, no other disk entered, and of very many folders only the first are looked through.
Nothing is made where the workspace is gone.
"""

from __future__ import annotations

import os
import re
from collections import deque
from contextlib import ExitStack, suppress
from itertools import islice
from typing import TYPE_CHECKING, Self

from tacit.errors import WorkspaceRefused
from tacit.transcript.files import open_memory_of
from tacit.workspace import page, space
from tacit.workspace.layout import ARCHIVE, PROJECTS
from tacit.workspace.slug import SUFFIX, fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tacit.workspace.space import Lies

DEEPEST, MOST_FOLDERS, MOST_PAGES = 6, 500, 20_000
_OPEN_AT_ONCE = 32
_PATH = re.compile(rf"(?:(?!\.)[^/\0]{{1,255}}/){{0,{DEEPEST}}}(?!\.{{1,2}}$)[^/\0]{{1,255}}")


def is_path(path: str | None) -> bool:
    """Say whether a file can lie here under that path."""
    return path is not None and _PATH.fullmatch(path) is not None


class Shelf:
    """Where the files of cards lie."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._stack = ExitStack()
        self._open: dict[str, int] = {}
        self._pages: dict[str, str] | None = None

    def __enter__(self) -> Self:
        os.close(open_memory_of(self._workspace))
        opening = space.opened(self._workspace, PROJECTS, making=True)
        self._projects = self._stack.enter_context(opening)
        return self

    def __exit__(self, *_: object) -> None:
        for folder in self._open.values():
            os.close(folder)
        self._stack.close()

    def look(self, path: str) -> Lies:
        """Return what lies at a path."""
        folder, name = self._folder(path)
        return space.Missing() if folder is None else space.look(folder, name)

    def is_missing(self, path: str) -> bool:
        """Say whether nothing lies at a path."""
        folder, name = self._folder(path)
        return folder is None or space.is_missing(folder, name)

    def is_free(self, path: str) -> bool:
        """Say whether a file may be put at a path, as far as anybody can see."""
        try:
            return self.is_missing(path)
        except WorkspaceRefused:
            return True

    def write(self, path: str, text: bytes, over: Lies) -> None:
        """Put a file at a path, in one piece, in the place of what was looked at."""
        folder, name = self._folder(path, making=True)
        if folder is None:
            raise WorkspaceRefused(f"{path!r} is no place for a card. See `tacit cards`.")
        space.write(folder, name, text, over)

    def move(self, path: str, into: str, is_taken: Callable[[str], bool]) -> str:
        """Give a file a place in a folder, under its name or one like it; return where it lies."""
        folder, name = self._folder(path)
        stem, dot, end = name.partition(".")
        number = 1
        while True:
            told = name if number == 1 else fitting(stem, f"-{number}{dot}{end}")
            target = f"{into}/{told}" if into else told
            there, _ = self._folder(target, making=True)
            if folder is None or there is None:
                return path
            if not is_taken(target) and space.move(folder, name, there, told):
                return target
            number += 1

    def pages(self) -> dict[str, str]:
        """Return the path of each card that a file says it is of."""
        if self._pages is None:
            self._pages = {}
            for folder, path in islice(self._written(), MOST_PAGES):
                card = self._card(folder, path.rpartition("/")[2])
                if card is not None:
                    self._pages.setdefault(card, path)
        return self._pages

    def _written(self) -> Iterator[tuple[int, str]]:
        """Yield what may be a page, folder by folder: those that are not deep first."""
        waiting = deque([""])
        for _ in range(MOST_FOLDERS):
            within = waiting.popleft() if waiting else None
            if within is None:
                return
            with suppress(WorkspaceRefused, FileNotFoundError):
                folder, _name = self._folder(f"{within}x")
                if folder is not None:
                    waiting.extend(f"{within}{name}/" for name in _below(folder))
                    names = [name for name in space.names(folder) if name.endswith(SUFFIX)]
                    yield from ((folder, within + name) for name in names)

    def _card(self, folder: int, name: str) -> str | None:
        return page.read_head(space.head(folder, name, page.HEAD_SIZE)).card

    def sweep(self, paths: Iterable[str]) -> None:
        """Remove what killed programs of ours left half made where these are to be written."""
        for within in {"", f"{ARCHIVE}/", *(path.rpartition("/")[0] + "/" for path in paths)}:
            with suppress(WorkspaceRefused):
                folder, _ = self._folder(f"{within}x")
                if folder is not None:
                    space.sweep(folder)

    def _folder(self, path: str, *, making: bool = False) -> tuple[int | None, str]:
        """Return the folder of a path, open, and the name in it; no folder if it has none."""
        within, _, name = path.rpartition("/")
        if not is_path(path):
            return None, name
        if not within:
            return self._projects, name
        if within not in self._open:
            opening = space.opened(self._workspace, PROJECTS, *within.split("/"), making=making)
            try:
                with opening as folder:
                    self._keep_open(within, os.dup(folder))
            except FileNotFoundError:
                return None, name
        return self._open[within], name

    def _keep_open(self, within: str, folder: int) -> None:
        """Keep a folder open, in the place of the one that was opened first if there are many."""
        if len(self._open) >= _OPEN_AT_ONCE:
            os.close(self._open.pop(next(iter(self._open))))
        self._open[within] = folder


def _below(folder: int) -> list[str]:
    """Return the folders in a folder, the archive last; what is hidden or mounted is none."""
    device = os.fstat(folder).st_dev
    with os.scandir(folder) as entries:
        found = [
            each.name
            for each in entries
            if each.is_dir(follow_symlinks=False)
            and not each.name.startswith(".")
            and space.is_text(each.name)
            and each.stat(follow_symlinks=False).st_dev == device
        ]
    return sorted(found, key=lambda name: (name == ARCHIVE, name))
