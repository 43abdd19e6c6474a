"""The two files that only a deployment writes: who the agent is, and the rules of its system.

A copy is kept beside them, sealed by the ledger: what is told to agents is that copy, so an edit
from outside is seen and tells nobody anything. Written in one piece, read-only, within their limits
or not at all: if one of them, or the version, cannot be written, all stay as they were. Nothing in
the background ever writes them.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated import place
from tacit.deliver.curated.names import DEPLOYED, LIMITS
from tacit.deliver.curated.sheet import Entry
from tacit.errors import FileRefused
from tacit.paths import OS_CONFIG, OS_LAYOUT
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.deliver.curated.ledger import Ledger, Marker

VERSION = "VERSION"
FIRST = "1"
UNKNOWN_LAYOUT = "0\n"  # older than any: an upgrade makes what is missing
_FOLDER = "deployed"
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_UP = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """What is to be deployed: texts by their file, and a version; what is not said stays."""

    texts: dict[str, str] = field(default_factory=dict)
    version: str = ""


def checked(name: str, text: bytes) -> str:
    """Return the text of a file that is to be deployed; refuse one that is too long or no text."""
    if len(text) > place.LARGEST:
        raise FileRefused(f"{name} is larger than a megabyte, and no agent reads that. Shorten it.")
    try:
        said = text.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileRefused(f"{name} is no text in UTF-8. Save it as one.") from error
    count = len(said.splitlines())
    if not said.strip() or "\0" in said:
        raise FileRefused(f"{name} would say nothing. Write it, or leave it out.")
    if count > LIMITS[name]:
        raise FileRefused(
            f"{name} has {count} lines, at most {LIMITS[name]} are allowed. Shorten it."
        )
    return said if said.endswith("\n") else said + "\n"


def template(name: str) -> str:
    """Return what a file says until somebody has written it."""
    folder = shipped("tacit.deliver.curated", "templates")
    return (folder / name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """What a deployment came to: the files that it wrote, and the version that counts now."""

    files: tuple[str, ...]
    version: str


def deploy(folder: int, marker: Marker, deployment: Deployment) -> Deployed:
    """Write the files and the version; what was never deployed begins as a template."""
    wanted = deployment.version or version(folder) or FIRST
    if not is_version(wanted):
        raise FileRefused("A version has 1 to 64 letters, digits, dots, +, _ and -. Change it.")
    ledger = ledgers.read(folder, marker)
    texts = {name: template(name) for name in DEPLOYED if name not in ledger.files}
    texts |= deployment.texts
    before = {name: told(folder, marker, ledger, name) for name in texts}
    try:
        for name, text in texts.items():
            put(folder, marker, ledger, name, text)
        with _above(folder) as above:
            _keep_layout(above)
            place.write(above, VERSION, f"{wanted}\n")
    except OSError as error:
        _take_back(folder, marker, before)
        raise FileRefused(
            f"Nothing was deployed: {error.filename or 'a file'} cannot be written, "
            f"{error.strerror or error}. Mend that, then deploy again."
        ) from error
    return Deployed(files=tuple(texts), version=wanted)


def _take_back(folder: int, marker: Marker, before: dict[str, str | None]) -> None:
    """Let the files say again what was deployed before, as far as they can be written."""
    ledger = ledgers.read(folder, marker)
    for name, text in before.items():
        with suppress(OSError):
            if text is not None:
                put(folder, marker, ledger, name, text)
            elif ledger.files.pop(name, None):
                ledgers.write(folder, marker, ledger)
                place.remove(folder, name)


def _keep_layout(above: int) -> None:
    """Keep, of a workspace, which Tacit has laid it out: `tacit upgrade` goes by that."""
    laid_out = place.look(above, VERSION).text
    is_workspace = place.look(above, OS_CONFIG).is_there
    if is_workspace and not place.look(above, OS_LAYOUT).is_there:
        place.write(above, OS_LAYOUT, laid_out or UNKNOWN_LAYOUT)


def put(
    folder: int,
    marker: Marker,
    ledger: Ledger,
    name: str,
    text: str,
    over: place.Disk | None = None,
) -> None:
    """Let a file say this from now on; whatever is killed when, the old or the new text counts.

    A file that is not *over* any more, if that is given, stays as it is: an edit that waits.
    """
    if name in ledger.files:
        ledger.before[name] = ledger.files[name]
    ledger.files[name] = marker.record([Entry(line) for line in text.split("\n")], text)
    ledgers.write(folder, marker, ledger)
    with _kept(folder) as inner:
        place.write(inner, name, text, place.READ_ONLY)
    with suppress(place.Changed):
        place.write(folder, name, text, place.READ_ONLY, over)
    ledger.before.pop(name, None)
    ledgers.write(folder, marker, ledger)


def told(folder: int, marker: Marker, ledger: Ledger, name: str) -> str | None:
    """Return what was deployed; None if nothing was, or if the copy is not what was deployed."""
    if name not in ledger.files:
        return None
    with _kept(folder) as inner:
        text = place.look(inner, name).text
    known = [each[name].wrote for each in (ledger.files, ledger.before) if name in each]
    return text if text is not None and marker.mark(text) in known else None


def version(folder: int) -> str:
    """Return the version that is deployed; nothing if none is."""
    with _above(folder) as above:
        said = (place.look(above, VERSION).text or "").strip()
    return said if is_version(said) else ""


def is_version(text: str) -> bool:
    """Say whether a text can be a version."""
    return bool(_VERSION.fullmatch(text))


@contextmanager
def _kept(folder: int) -> Iterator[int]:
    inner = state.open_directory(folder, _FOLDER)
    try:
        yield inner
    finally:
        os.close(inner)


@contextmanager
def _above(folder: int) -> Iterator[int]:
    above = os.open("..", _UP, dir_fd=folder)
    try:
        yield above
    finally:
        os.close(above)
