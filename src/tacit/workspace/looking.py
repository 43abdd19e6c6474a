"""Looking: what lies in the folders of a workspace, remembered so that little is read twice.

Goes from folder to folder, a step at a time, so that whoever asks can do something else between two
steps. Only what is new or changed is written down. No link is followed, no other file system
entered, nothing hidden looked at; of a workspace that is huge, only so much.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import deque
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tacit.digest import blake2b
from tacit.errors import WorkspaceRefused
from tacit.store.sqlite.workspace import Lying
from tacit.workspace import page, space
from tacit.workspace.follow import plain, telling
from tacit.workspace.layout import ARCHIVE, AREAS, EXTRACTIONS, OCR, PROJECTS, README
from tacit.workspace.rules import CROWDED
from tacit.workspace.slug import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tacit.store.sqlite.workspace import SqliteWorkspace, Unread

DEEPEST = 12
CHUNK = 256
_MANY = 20_000
_WHOLE = 16 << 20  # a document that is larger is read in samples
_SAMPLE, _SAMPLES = 1 << 20, 16
SAMPLED = "sampled "  # before a digest: others may have the same and hold something else
# what a second copy of a document is called: "x (1)", "x - Copy", "x copy 2"
_COPY = re.compile(
    r"(?:[\s_.-]*(?:\(\d{1,3}\)|\b(?:copy|kopie|copie|copia)\b(?:[\s_-]*\d{1,3})?))+$"
)
# "scan.pdf.txt" is the text of "scan.pdf"
_DOCUMENTS = frozenset((
    ".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp", ".heic", ".bmp", ".doc",
    ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".rtf", ".txt", ".md",
    ".html", ".htm", ".eml", ".msg", ".csv",
))  # fmt: skip
_SIGNS = re.compile(r"[\W_]+")


class Looker:
    """Sees what lies in one workspace."""

    def __init__(self, workspace: Path, store: SqliteWorkspace, now_ns: int) -> None:
        self._workspace = workspace
        self._store = store
        self._now_ns = now_ns
        self._left = CROWDED.threshold

    @property
    def is_cut(self) -> bool:
        """Say whether there is more than was looked at."""
        return self._left <= 0

    def steps(self) -> Iterator[None]:
        """Look everywhere, step by step."""
        for area in AREAS:
            yield from self._area(area)
        yield from self._compare()

    def _area(self, area: str) -> Iterator[None]:
        """Look at one folder of the user's, and all below it."""
        visited: set[str] = set()
        waiting = deque([""])
        while waiting and not self.is_cut:
            folder = waiting.popleft()
            visited.add(folder)
            yield from self._folder(area, folder, waiting)
        if not self.is_cut:
            self._store.keep_folders(area, visited)
        yield

    def _folder(self, area: str, folder: str, waiting: deque[str]) -> Iterator[None]:
        parts = [part for part in folder.split("/") if part]
        try:
            with space.opened(self._workspace, area, *parts) as descriptor:
                yield from self._entries(area, folder, descriptor, waiting)
        except (FileNotFoundError, WorkspaceRefused):  # it has just gone, or leads elsewhere
            self._store.see(area, folder, (), self._store.in_folder(area, folder))

    def _entries(
        self, area: str, folder: str, descriptor: int, waiting: deque[str]
    ) -> Iterator[None]:
        """Compare what lies in one folder with what was seen there."""
        known = self._store.in_folder(area, folder)
        fresh: list[Lying] = []
        with os.scandir(descriptor) as entries:
            for number, (name, found) in enumerate(_looked_at(descriptor, entries), 1):
                if stat.S_ISDIR(found.st_mode):
                    self._enter(area, folder, name, waiting)
                elif _counts(area, name) and self._is_changed(name, found, known):
                    fresh.append(self._lying(area, folder, name, found, descriptor))
                if number % CHUNK == 0:
                    self._store.see(area, folder, fresh, ())
                    fresh = []
                    yield
                if self.is_cut:
                    known = {}  # nobody knows whether they have gone
                    break
        self._store.see(area, folder, fresh, known)
        yield

    def _is_changed(
        self, name: str, found: os.stat_result, known: dict[str, tuple[int, int]]
    ) -> bool:
        """Say whether a file is not as it was seen; it is crossed off."""
        self._left -= 1
        return known.pop(name, None) != (found.st_size, found.st_mtime_ns)

    def _enter(self, area: str, folder: str, name: str, waiting: deque[str]) -> None:
        """Look at a folder later; what lies in the archive is done with."""
        is_archive = area == PROJECTS and not folder and name == ARCHIVE
        if not is_archive and folder.count("/") < DEEPEST - 1:
            waiting.append(f"{folder}/{name}" if folder else name)

    def _lying(
        self, area: str, folder: str, name: str, found: os.stat_result, descriptor: int
    ) -> Lying:
        stem = _stem(area, name)
        title = ""
        if area == PROJECTS:
            title = page.read_head(space.head(descriptor, name, page.HEAD_SIZE)).title or ""
        return Lying(
            area=area,
            folder=folder,
            name=name,
            stem=stem,
            alike=alike(title) if title else alike(stem) + plain(PurePosixPath(name).suffix),
            word=telling(stem),
            size=found.st_size,
            modified=found.st_mtime_ns,
            first=self._now_ns,
        )

    def _compare(self) -> Iterator[None]:
        """Read documents of the same size: only these can be the same."""
        documents = self._store.unread(_MANY)
        for at in range(0, len(documents), CHUNK):
            read: list[tuple[Unread, str]] = []
            for document in documents[at : at + CHUNK]:
                read.append((document, self._digest(document)))
                yield
            self._store.read(read)

    def _digest(self, document: Unread) -> str:
        """Return by what a document is compared; one that cannot be read is like no other."""
        parts = [part for part in document.folder.split("/") if part]
        try:
            with space.opened(self._workspace, AREAS[0], *parts) as folder:
                return digest(folder, document.name)
        except OSError:
            return f"unread {document.folder}/{document.name}"


def digest(folder: int, name: str) -> str:
    """Return a digest of a plain file; of a very large one, of samples and its size, marked so."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{name} is no plain file")
        made = blake2b(str(found.st_size).encode(), digest_size=16)
        if found.st_size <= _WHOLE:
            while piece := file.read(_SAMPLE):
                made.update(piece)
        else:
            for number in range(_SAMPLES):
                file.seek((found.st_size - _SAMPLE) * number // (_SAMPLES - 1))
                made.update(file.read(_SAMPLE))
    return made.hexdigest() if found.st_size <= _WHOLE else SAMPLED + made.hexdigest()


def _stem(area: str, name: str) -> str:
    """Return by what a document, its text and its extraction belong together."""
    stem = PurePosixPath(plain(name))
    is_made = area in {OCR, EXTRACTIONS} and PurePosixPath(stem.stem).suffix in _DOCUMENTS
    return PurePosixPath(stem.stem).stem if is_made else stem.stem


def alike(text: str) -> str:
    """Return what a name says: without case, signs and what marks a copy."""
    folded = unicodedata.normalize("NFKC", plain(text))
    return _SIGNS.sub("", _COPY.sub("", folded))


def _looked_at(
    folder: int, entries: Iterable[os.DirEntry[str]]
) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the plain files and folders; what is hidden, mounted or cannot be named is not."""
    device = os.fstat(folder).st_dev
    for entry in entries:
        if entry.name.startswith(".") or not space.is_text(entry.name):
            continue
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:  # it has just gone
            continue
        is_plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
        if is_plain and found.st_dev == device:
            yield entry.name, found


def _counts(area: str, name: str) -> bool:
    """Say whether a file is one of those that are looked after."""
    return name != README and (area != PROJECTS or name.endswith(SUFFIX))
