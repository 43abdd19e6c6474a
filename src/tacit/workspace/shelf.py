"""The shelf: `projects/` of a workspace and the archive in it, open for a while.

A path here is a name, or a name in the archive; any other is refused as if nothing lay there, also
one that stands in a database somebody else has made. Nothing is made where the workspace is gone.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Self

from tacit.errors import WorkspaceRefused
from tacit.transcript.files import open_memory_of
from tacit.workspace import page, space
from tacit.workspace.layout import ARCHIVE, PROJECTS
from tacit.workspace.slug import SUFFIX, fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.workspace.space import Lies

_PATH = re.compile(rf"(?:{ARCHIVE}/)?(?!\.{{1,2}}$)[^/\0]{{1,255}}")


def is_path(path: str | None) -> bool:
    """Say whether a file can lie here under that path."""
    return path is not None and _PATH.fullmatch(path) is not None


class Shelf:
    """Where the files of cards lie."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._stack = ExitStack()
        self._archive: int | None = None
        self._pages: dict[str, str] | None = None

    def __enter__(self) -> Self:
        os.close(open_memory_of(self._workspace))
        opening = space.opened(self._workspace, PROJECTS, making=True)
        self._projects = self._stack.enter_context(opening)
        return self

    def __exit__(self, *_: object) -> None:
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
            for within, folder in self._folders():
                for name in space.names(folder):
                    card = self._card(folder, name)
                    if card is not None:
                        self._pages.setdefault(card, within + name)
        return self._pages

    def _folders(self) -> Iterator[tuple[str, int]]:
        """Yield the folders that can be looked at; what stands in the place of one is passed by."""
        for within in ("", f"{ARCHIVE}/"):
            with suppress(WorkspaceRefused):
                folder, _ = self._folder(f"{within}x")
                if folder is not None:
                    yield within, folder

    def _card(self, folder: int, name: str) -> str | None:
        if not name.endswith(SUFFIX):
            return None
        return page.read_head(space.head(folder, name, page.HEAD_SIZE)).card

    def sweep(self) -> None:
        """Remove what killed programs of ours left half made."""
        for _, folder in self._folders():
            space.sweep(folder)

    def _folder(self, path: str, *, making: bool = False) -> tuple[int | None, str]:
        """Return the folder of a path, open, and the name in it; no folder if it has none."""
        within, _, name = path.rpartition("/")
        if not is_path(path):
            return None, name
        if not within:
            return self._projects, name
        if self._archive is None:
            opening = space.opened(self._workspace, PROJECTS, ARCHIVE, making=making)
            try:
                self._archive = self._stack.enter_context(opening)
            except FileNotFoundError:
                return None, name
        return self._archive, name
