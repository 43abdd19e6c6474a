"""Installing and uninstalling: a plan that can be shown, then carried out, and taken back.

Every file that is changed is kept as it was, in our home. A file that nobody has changed since is
put back byte for byte; one that others have changed loses what is ours and nothing else. What
cannot be read is refused before anything is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tacit.errors import InstallRefused
from tacit.install import edits, files, imports, jsontext, notes
from tacit.install.clients import SERVER
from tacit.install.command import launcher_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.install.clients import Client, Place
    from tacit.install.files import Edit
    from tacit.install.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file that is written: what is done with it, and what it becomes."""

    file: Path
    what: str
    edit: Edit
    bare: Edit  # takes ours out again
    is_whole: bool = False  # all of it is ours
    is_locked: bool = False  # by the client, while it writes
    is_prose: bool = False  # no JSON

    @property
    def empty(self) -> str:
        """Return what such a file holds that is not there yet."""
        return "" if self.is_prose else files.EMPTY

    @property
    def is_due(self) -> bool:
        """Say whether there is anything to do."""
        text = self.said()
        return self.edit(text) != text

    def said(self) -> str:
        """Return what the file says now."""
        with files.naming(self.file):
            return files.said(files.read(self.file), self.empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be installed: for which client and where, with which server, if any."""

    client: Client
    place: Place
    home: Path
    server: tuple[str, ...] = ()
    whole: tuple[tuple[Path, str, str], ...] = ()  # files that are all ours: text, what it is
    imports: tuple[Path, ...] = ()  # curated files that the client's instructions import


def plan(wanted: Wanted) -> list[Step]:
    """Return what installing would write, file by file; refuse what cannot be read."""
    launcher = (wanted.place.launcher, launcher_text(wanted.home), "the program that hooks run")
    steps = [
        *(_whole(*each) for each in (launcher, *wanted.whole)),
        _settings(wanted),
        *_servers(wanted),
        *_imports(wanted),
    ]
    return [step for step in steps if step.is_due]


def install(wanted: Wanted, steps: Sequence[Step]) -> None:
    """Carry a plan out; what was there before is kept in the home first."""
    notes.prepare(wanted.home)
    for step in steps:
        keep = None if step.is_whole else partial(_keep, wanted, step)
        files.edit(step.file, step.edit, keep=keep, is_locked=step.is_locked, empty=step.empty)


def _keep(wanted: Wanted, step: Step, before: str | None, after: str) -> None:
    notes.keep(wanted.home, step.file, before, after, step.bare, wanted.place.asked)


def uninstall(wanted: Wanted) -> list[Path]:
    """Take everything back; return the files that were changed.

    A file is forgotten once it is as it was, so that what failed can be tried again.
    """
    steps = [_settings(wanted), _bare_servers(wanted), *_imports(wanted, is_gone=True)]
    for step in steps:  # what cannot be read is refused before anything is changed
        step.bare(step.said())
    changed = [step.file for step in steps if _take_back(wanted.home, step)]
    gone = [file for file, _, _ in reversed(wanted.whole)]  # what makes it ours goes last
    if not is_in_use(wanted):
        gone.insert(0, wanted.place.launcher)
    for file in (each for each in gone if each.exists()):
        files.remove(file)
        changed.append(file)
    return changed


def is_in_use(wanted: Wanted) -> bool:
    """Say whether the launcher is still named: by settings of all projects, or another one's."""
    settings = {wanted.place.everywhere, *notes.known(wanted.home)}
    return any(str(wanted.place.launcher) in _launchers(file) for file in settings)


def installed(home: Path) -> list[Path]:
    """Return the files that still run our hooks, of all that we have changed."""
    return [file for file in notes.known(home) if names_us(file)]


def names_us(file: Path) -> bool:
    """Say whether a file names a hook of ours."""
    return bool(_launchers(file))


def _settings(wanted: Wanted) -> Step:
    client, place = wanted.client, wanted.place

    def without_rule(text: str) -> str:
        if _is_rule_of_theirs(wanted, text):
            return text
        return edits.without_permission(text, client.permission)

    def bare(text: str) -> str:
        return edits.without_hooks(without_rule(text))

    def change(text: str) -> str:
        if not has_rule:
            return edits.with_hooks(without_rule(text), client, place.named)
        return edits.with_permission(edits.with_hooks(text, client, place.named), place.permission)

    has_rule = bool(wanted.server and place.permission)
    rule = f", and lets it call {place.permission}" if has_rule else ""
    return Step(
        file=place.settings,
        what=f"{len(client.hooks)} hooks of {client.title}{rule}",
        edit=_checked(place.settings, change),
        bare=_checked(place.settings, bare),
    )


def _is_rule_of_theirs(wanted: Wanted, text: str) -> bool:
    """Say whether settings had the rule for our server before us."""
    kept = notes.kept(wanted.home, wanted.place.settings)
    if kept is not None:
        return edits.allows(files.said(kept.before), wanted.client.permission)
    return not edits.launchers(text)


def _servers(wanted: Wanted) -> list[Step]:
    """Return what is done with the list of servers, if anything is."""
    place = wanted.place
    if not wanted.server:
        return [_bare_servers(wanted)] if place.servers.exists() else []

    def change(text: str) -> str:
        if edits.has_another_server(text):
            raise InstallRefused(
                f"{place.servers} has a server of yours that is called {SERVER}. Give it another "
                "name, or leave ours out: `tacit install --profile none`. Nothing was changed."
            )
        return edits.with_server(text, list(wanted.server))

    return [
        Step(
            file=place.servers,
            what="the memory's reader, an MCP server",
            edit=_checked(place.servers, change),
            bare=_checked(place.servers, edits.without_server),
            is_locked=place.servers.name in wanted.client.locked,
        )
    ]


def _bare_servers(wanted: Wanted) -> Step:
    file = wanted.place.servers
    bare = _checked(file, edits.without_server)
    return Step(
        file=file,
        what="no MCP server of ours",
        edit=bare,
        bare=bare,
        is_locked=file.name in wanted.client.locked,
    )


def _imports(wanted: Wanted, *, is_gone: bool = False) -> list[Step]:
    """Return what is done with the client's instructions: nothing, unless it was asked for."""
    file = wanted.place.instructions
    if file is None or not (wanted.imports or is_gone):
        return []
    return [
        Step(
            file=file,
            what=f"imports {len(wanted.imports)} curated files of the group main, in all sessions, "
            "also those of workspaces and other groups",
            edit=lambda text: imports.with_imports(text, wanted.imports),
            bare=imports.without_imports,
            is_prose=True,
        )
    ]


def _whole(file: Path, text: str, what: str) -> Step:
    return Step(file=file, what=what, edit=lambda _: text, bare=lambda _: "", is_whole=True)


def _take_back(home: Path, step: Step) -> bool:
    """Put a file back as it was if nobody has changed it since, else take ours out of it."""
    is_changed = step.file.exists() and _put_back(step, notes.kept(home, step.file))
    notes.forget(home, step.file)
    return is_changed


def _put_back(step: Step, kept: Note | None) -> bool:
    """Write a file as it was, or remove it if it was not there; say whether that changed it."""
    first = kept.before if kept is not None else None

    def back(now: str) -> str:
        if first is not None and kept is not None and kept.is_as_written(now):
            return first
        bare = step.bare(now)
        if first is not None and files.is_nothing(first) and files.is_nothing(bare):
            return first
        return bare if step.is_prose else edits.with_holders(bare, files.said(first))

    if kept is not None and first is None and files.is_nothing(back(step.said())):
        files.remove(step.file, kept.made)
        return True
    before, after = files.edit(step.file, back, is_locked=step.is_locked, empty=step.empty)
    return before != after


def _launchers(file: Path) -> set[str]:
    """Return the launchers of ours that a file names; none if it cannot be read."""
    try:
        return edits.launchers(files.said(files.read(file)))
    except (jsontext.NotJson, OSError):
        return set()


def _checked(file: Path, edit: Edit) -> Edit:
    """Return the edit of a file that refuses, in words, what it cannot read."""

    def edited(text: str) -> str:
        try:
            jsontext.members(text)
            return edit(text)
        except jsontext.NotJson as error:
            raise InstallRefused(
                f"Cannot read {file}: {error} Nothing was changed. "
                "Correct that, then run the same command again."
            ) from error

    return edited
