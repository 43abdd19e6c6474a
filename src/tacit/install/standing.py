"""How things stand where we are installed: each hook, the launcher, the server, and their files.

Only looks. Another interpreter than ours is none the worse for running a hook: it loads nothing but
what the launcher names. It must be there, that is all.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.install import edits, files
from tacit.install.command import EMPTIED, leads, packages
from tacit.install.hooks import spelled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tacit.install.clients import Client, Place
    from tacit.install.command import Leads
    from tacit.install.hooks import Hook

_HOOK = Path("tacit") / "capture" / "hook.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at, and what to do about it."""

    is_fine: bool
    text: str
    fix: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Where we look from: the environment, the current directory, and the home."""

    environment: Mapping[str, str]
    directory: Path
    home: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One place where a client has us, what mends it, and what takes it back."""

    place: Place
    mend: str
    undo: str = ""
    is_plugin: bool = False


def look(spot: Spot, client: Client, around: Around, allowed: Collection[str]) -> list[Finding]:
    """Return what is found in one place; *allowed* are the rules of the client's settings."""
    settings, place = files.said(files.read(spot.place.settings)), spot.place
    server = edits.server(files.said(files.read(place.servers)))
    wrong = [*_hooks(settings, client, place), *_interpreters(settings, place)]
    wrong += [*_launcher(place, around), *_server(server, place, around)]
    found = [Finding(is_fine=False, text=text, fix=spot.mend) for text in wrong]
    found += [*_writable(place.launcher), *_rule(server, spot, client, allowed)]
    found += _other_copy(place, spot.mend)
    if all(each.is_fine for each in found):
        reader = " and the memory's reader" if server is not None else ""
        text = f"{len(client.hooks)} hooks{reader} in {place.settings}"
        found.insert(0, Finding(is_fine=True, text=text))
    return found


def _hooks(settings: str, client: Client, place: Place) -> Iterator[str]:
    """Yield what is wrong with the hooks themselves."""
    asked = {hook.event: hook for hook in client.hooks}
    missing = [event for event in asked if not edits.ours(settings, event)]
    if missing:
        yield f"{place.settings} has no hook of ours for {', '.join(missing)}"
    odd = [
        event
        for event in edits.events(settings)
        if (found := edits.ours(settings, event))
        and not _is_as_asked(found, asked.get(event), place)
    ]
    if odd:
        yield f"{place.settings} does not say what it should of our hooks for {', '.join(odd)}"


def _is_as_asked(found: list[Any], hook: Hook | None, place: Place) -> bool:
    """Say whether a hook stands once, as it would be written now, whatever its interpreter."""
    if hook is None:
        return False
    wanted = spelled(hook, place.named)
    known = [each for row in found for each in edits.commands(row)]
    interpreter = _interpreter(known[0])
    wanted["args"] = [interpreter if word == sys.executable else word for word in wanted["args"]]
    return found == [{"hooks": [wanted]}]


def _interpreters(settings: str, place: Place) -> Iterator[str]:
    """Yield which interpreters of our hooks are gone."""
    rows = [row for event in edits.events(settings) for row in edits.ours(settings, event)]
    gone = {missing(words) for row in rows for words in edits.commands(row)}
    for each in sorted(filter(None, gone)):
        yield f"{place.settings} runs our hooks with {each}, which is gone"


def missing(words: list[str]) -> str | None:
    """Return the interpreter that a command of ours names, if it cannot run."""
    named = _interpreter(words)
    return named if named and not _is_program(named) else None


def _interpreter(words: list[str]) -> str | None:
    """Return what runs the launcher: the last program named before it."""
    launcher = edits.launcher_of(words)
    before = words[: words.index(launcher)] if launcher else []
    return next((word for word in reversed(before) if word.startswith("/")), None)


def _is_program(name: str) -> bool:
    return Path(name).is_file() and os.access(name, os.X_OK)


def _launcher(place: Place, around: Around) -> Iterator[str]:
    """Yield what is wrong with the launcher."""
    found = _leads(place)
    if isinstance(found, str):
        yield f"the launcher {place.launcher} {found}"
    elif found.python is None:
        yield f"the launcher {place.launcher} is of an older Tacit, and starts no daemon"
    elif not _is_package(found):
        yield f"the launcher {place.launcher} runs {found.packages}/tacit, which is gone"
    elif not _is_program(found.python):
        yield f"the launcher {place.launcher} starts the daemon with {found.python}, which is gone"
    elif _is_another_home(found.home, around):
        yield f"the hooks record in {found.home}, and {_this_home(around)}"


def _leads(place: Place) -> Leads | str:
    """Return where the launcher leads, or why that cannot be said."""
    try:
        text = files.read(place.launcher)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return "is gone" if text is None else leads(text) or "is none of ours"


def _is_package(found: Leads) -> bool:
    return (Path(found.packages) / _HOOK).is_file()


def _is_another_home(home: str, around: Around) -> bool:
    return Path(home) != around.home


def _this_home(around: Around) -> str:
    """Return which home is looked at, and whether the environment chose it."""
    chosen = "TACIT_HOME names" if "TACIT_HOME" in around.environment else "this home is"
    return f"{chosen} {around.home}"


def _server(server: Any, place: Place, around: Around) -> Iterator[str]:
    """Yield what is wrong with the server, if it is registered."""
    if server is None:
        return
    told = server if isinstance(server, dict) else {}
    words, home = edits.command_words(told), edits.server_home(told)
    command = next(iter(words[len(EMPTIED) :] if _is_emptied(words) else words), "")
    if not _is_program(command):
        yield f"{place.servers} runs the memory's reader with {command or 'nothing'}, which is gone"
    elif home is not None and _is_another_home(home, around):
        yield f"{place.servers} lets agents read {home}, and {_this_home(around)}"
    elif "--home" not in told.get("args", ()):
        yield f"{place.servers} leaves it to variables which home agents read"
    elif not _is_emptied(words):
        yield f"{place.servers} hands the variables of a project to the memory's reader"


def _is_emptied(words: list[str]) -> bool:
    """Return whether a command runs what follows in an empty environment."""
    return tuple(words[: len(EMPTIED)]) == EMPTIED


def _rule(server: Any, spot: Spot, client: Client, allowed: Collection[str]) -> Iterator[Finding]:
    """Yield what agents would have to ask for each time; a plugin cannot allow it itself."""
    rule = client.plugin_permission if spot.is_plugin else client.permission
    if server is None or any(each == rule or each.startswith(f"{rule}__") for each in allowed):
        return
    text = f"agents must ask before they search: no settings allow {rule}"
    adding = f'put "{rule}" into permissions.allow of its settings'
    yield Finding(is_fine=spot.is_plugin, text=text, fix=adding if spot.is_plugin else spot.mend)


def _writable(launcher: Path) -> Iterator[Finding]:
    """Yield what others could put in the launcher's place."""
    for path, forbidden in ((launcher, 0o022), (launcher.parent, 0o002)):
        try:
            found = path.stat()
        except OSError:
            return
        if found.st_mode & forbidden:
            text = f"others can write {path}, and whatever stands there is run"
            yield Finding(is_fine=False, text=text, fix=f"chmod go-w {path}")


def _other_copy(place: Place, mend: str) -> Iterator[Finding]:
    """Yield that the hooks run another copy of Tacit than this one, which works as well."""
    found = _leads(place)
    if isinstance(found, str) or not _is_package(found) or Path(found.packages) == packages():
        return
    text = f"the hooks run the Tacit in {found.packages}, this one is in {packages()}"
    yield Finding(is_fine=True, text=text, fix=mend)
