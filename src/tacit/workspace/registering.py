"""Registering: a workspace becomes one by a line in the user's own `config.toml`, and only so.

The line is put in as text: every other byte of the file stays as it is. What comes of it is read
before it is written, and if that is not exactly what was there and this one entry more, nothing is
written and a sentence says what to write by hand.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import paths
from tacit.errors import SettingsUnreadable, WorkspaceRefused
from tacit.workspace import space
from tacit.workspace.slug import letters, unique

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

TABLE = "workspaces"
_USUAL = "workspace"
_HEADER = re.compile(rf"^[ \t]*\[[ \t]*{TABLE}[ \t]*\][ \t]*(?:#[^\n]*)?\r?\n?", re.MULTILINE)


def name_for(directory: Path, taken: Collection[str]) -> str:
    """Return a name for a workspace, after its directory, that nothing else has."""
    reserved, wanted = {*taken, paths.MAIN_GROUP}, letters(directory.name)
    if not wanted or paths.is_proof(wanted):
        wanted = _USUAL
    return unique(wanted, lambda name: name not in reserved)


def taken(home: Path, known: Collection[str]) -> set[str]:
    """Return the names that mean something in a home: also what is kept of groups that are gone."""
    kept = (home / paths.GROUPS, home / paths.BACKUPS, home / paths.SPOOL / paths.DONE)
    return {*known, *(each.name for place in kept if place.is_dir() for each in place.iterdir())}


def check(home: str, name: str, directory: str) -> None:
    """Refuse a workspace that cannot be written into the user's settings; nothing is changed."""
    with _opened(home) as (file, folder):
        _registered(file, space.look(folder, file.name), name, directory)
        if not os.access(file.parent, os.W_OK | os.X_OK):
            raise WorkspaceRefused(
                f"{file} cannot be written to. Make its directory writable, then try again."
            )


def register(home: str, name: str, directory: str) -> None:
    """Write a workspace into the user's settings."""
    with _opened(home) as (file, folder):
        lies = space.look(folder, file.name)
        try:
            space.write(folder, file.name, _registered(file, lies, name, directory), lies)
        except space.Changed as error:
            raise WorkspaceRefused(
                f"{file} was just changed by somebody else. Try again."
            ) from error


@contextmanager
def _opened(home: str) -> Iterator[tuple[Path, int]]:
    """Open the directory of the settings for a while; return it with the file that they are in."""
    file = Path(os.path.realpath(Path(home) / paths.CONFIG))  # it may be a link to elsewhere
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield file, folder
    finally:
        os.close(folder)


def _registered(file: Path, lies: space.Lies, name: str, directory: str) -> bytes:
    before = lies.text if isinstance(lies, space.Plain) else b""
    return registered(before, name, directory, str(file))


def registered(text: bytes, name: str, directory: str, file: str) -> bytes:
    """Return the settings with one workspace more, every other byte as it was."""
    try:
        before = text.decode()
        known = tomllib.loads(before)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsUnreadable(
            f"Cannot read {file}: {error}. Correct it, then try again."
        ) from error
    line = f"{name} = {_quoted(directory)}"
    wanted = known | {TABLE: {**_table(known), name: directory}}
    for candidate in _candidates(before, line):
        if _parsed(candidate) == wanted:
            return candidate.encode()
    raise WorkspaceRefused(
        f"{file} is written so that nothing can be put in safely. "
        f"Write `{line}` into its table [{TABLE}] yourself, then try again."
    )


def _candidates(text: str, line: str) -> Iterator[str]:
    """Yield texts with the line put in: behind the table's head, else as a table at the end."""
    end = "\r\n" if "\r\n" in text else "\n"
    for matched in _HEADER.finditer(text):
        head = text[: matched.end()]
        gap = "" if head.endswith("\n") else end
        yield f"{head}{gap}{line}{end}{text[matched.end() :]}"
    gap = end if text and not text.endswith("\n") else ""
    blank = end if text else ""
    yield f"{text}{gap}{blank}[{TABLE}]{end}{line}{end}"


def _table(known: dict[str, Any]) -> dict[str, Any]:
    found = known.get(TABLE, {})
    return found if isinstance(found, dict) else {}


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _quoted(text: str) -> str:
    """Return a text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
