"""Verbs about workspaces: made and registered, their cards mirrored, their files looked after."""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tacit import paths, policy, settings
from tacit.capture import compile as capture_conf
from tacit.errors import NotFound, StoreError, StoreRefused, WorkspaceRefused
from tacit.transcript.files import make_directory
from tacit.verbs.delivery import DeliveryVerbs
from tacit.version import VERSION
from tacit.workspace import config, layout, registering, space, standing, upkeep
from tacit.workspace.follow import Follower
from tacit.workspace.mirror import Mirror
from tacit.workspace.raising import Raiser
from tacit.workspace.upkeep import Upkeep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.policy import Caller
    from tacit.settings import Settings
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.store.sqlite.workspace import Card, SqliteWorkspace
    from tacit.transcript.ledger import Ledger
    from tacit.verbs.parts import Parts
    from tacit.workspace.standing import Standing

PATIENCE = 10.0  # seconds that one program waits for another that mirrors


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A workspace that was made, or filled up: its name, its directory, what was missing."""

    name: str
    directory: str
    made: list[str]
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded:
    """What an upgrade came to: from which version to which, and where the old files are kept."""

    name: str
    before: str
    after: str
    kept: str | None


class _Sweep(NamedTuple):
    """A look after a workspace that is under way, and what it works with."""

    steps: Iterator[None]
    parts: tuple[object, ...]


class WorkspaceVerbs(DeliveryVerbs):
    """Directories of the user's with a memory of their own."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._sweeps: dict[str, _Sweep] = {}

    def init(
        self, directory: str, caller: Caller, *, with_template: bool = False, adopting: bool = False
    ) -> Made:
        """Make a directory a workspace: what is missing is made, nothing overwritten.

        What lies in its `.os` already is taken for the user's own only if *adopting*; else it is
        refused, and not one byte or mode is changed.
        """
        policy.check(caller, "init")
        chosen = settings.load_strict(self._home)  # it is written to below
        workspace = self._acceptable(directory)
        known = {Path(places[-1]): name for name, places in chosen.workspaces.items()}
        layout.check(workspace, with_template=with_template)
        if workspace not in known and not adopting and layout.is_taken(workspace):
            raise WorkspaceRefused(
                f"{workspace / paths.OS} is not empty and is not registered here: it may come "
                "from somebody else. Only if it is yours, run "
                f"`tacit init {_quoted(workspace)} --adopt`."
            )
        name = known.get(workspace) or self._new_name(workspace, chosen)
        if workspace not in known:
            registering.check(self._home, name, str(workspace))
        made = _made(workspace, with_template=with_template)
        if workspace not in known:
            registering.register(self._home, name, str(workspace))
        capture_conf.refresh(self._root, self._home)
        return Made(name=name, directory=str(workspace), made=made, is_new=workspace not in known)

    def _new_name(self, workspace: Path, chosen: Settings) -> str:
        """Return a name for a workspace that no group has, nor had one that is gone."""
        groups = (*chosen.groups, *chosen.workspaces, *self._ledgers.names())
        return registering.name_for(workspace, registering.taken(Path(self._home), groups))

    def _acceptable(self, directory: str) -> Path:
        """Return a directory that can be a workspace."""
        if not directory.strip():
            raise WorkspaceRefused("A workspace needs a directory. Name one: `tacit init DIR`.")
        try:
            directory.encode()
            workspace = Path(directory).resolve()
        except (UnicodeEncodeError, ValueError, RuntimeError, OSError) as error:
            raise WorkspaceRefused(
                "No workspace can have that name. Choose another one."
            ) from error
        home = Path(self._home).resolve()
        if Path.home().resolve().is_relative_to(workspace) or workspace.is_relative_to(home):
            raise WorkspaceRefused(
                f"{workspace} cannot be a workspace: it is your home, holds it, or is the home of "
                "Tacit. Choose a directory of its own."
            )
        if workspace.exists() and not workspace.is_dir():
            raise WorkspaceRefused(f"{workspace} is no directory. Choose another one.")
        return workspace

    def upgrade(self, directory: str, caller: Caller) -> Upgraded:
        """Bring a workspace that an older Tacit has made up to date; what it had is kept."""
        policy.check(caller, "upgrade")
        workspace = self._acceptable(directory)
        names = {
            os.path.realpath(place): name for name, place in self._parts.workspaces.all().items()
        }
        name = names.get(str(workspace))
        if name is None:
            raise NotFound(
                f"{workspace} is no workspace. `tacit init {_quoted(workspace)}` makes it one."
            )
        before, after = layout.version_of(workspace) or "0", VERSION
        age = layout.compared(workspace, before, after)
        if age > 0:
            raise WorkspaceRefused(
                f"{workspace} is of version {before}, this is Tacit {after}. "
                "Upgrade with `pip install -U tacit`; nothing was changed."
            )
        if age == 0:
            return Upgraded(name=name, before=before, after=after, kept=None)
        layout.check(workspace)
        kept = self._keep(name, workspace, before)
        layout.make(workspace, after)
        if self._existing(name) is not None:
            self._memories.get(name)  # whoever opens one brings its schema up to date
        layout.set_version(workspace, after)
        return Upgraded(name=name, before=before, after=after, kept=str(kept))

    def _keep(self, name: str, workspace: Path, before: str) -> Path:
        """Keep what an upgrade may change: a backup of the transcript, and the small files."""
        ledger, files = self._existing(name), self._ledgers.files(name)
        if ledger is not None:
            ledger.back_up(now_ns=self._now_ns())
        when = datetime.fromtimestamp(self._now_ns() // 1_000_000_000, UTC)
        numbers = "".join(char if char.isalnum() or char == "." else "-" for char in before)[:40]
        place = files.backups / f"os-{numbers.strip('.')}-{when:%Y%m%dT%H%M%S}"
        make_directory(Path(self._home), place)
        layout.copy_texts(workspace, place)
        return place

    def workspaces(self) -> list[Standing]:
        """Return how each workspace stands, also those that are gone."""
        chosen, ours = self._chosen(), VERSION
        found = self._parts.workspaces.all().items()
        looked_at = [standing.look(name, place, chosen, ours) for name, place in found]
        return [standing.with_cards(each, self._troubled(each)) for each in looked_at]

    def _troubled(self, found: Standing) -> list[Card]:
        """Return the cards of a workspace whose file cannot be written."""
        if found.trouble or not self._spaces.path(found.name).exists():
            return []
        return self._spaces.ask(found.name, lambda store: store.troubled())

    def unregistered(self, here: str = "") -> list[str]:
        """Return directories that look like workspaces and are none: here, or where work was."""
        places = [here] if here else []
        for group in self.groups():
            try:
                roots = self._read(group, lambda ledger: ledger.store.roots()) or []
            except StoreError:  # what is wrong with it is told elsewhere
                continue
            places += [row.root for row in roots if row.root.startswith("/")]
        return standing.unregistered(places, self._parts.workspaces.all().values())

    def spaces(self) -> list[str]:
        """Return the workspaces in which something has happened."""
        known = self._parts.workspaces.all()
        begun = self.groups() if known else []
        return [name for name in known if name in begun]

    def cards(self, group: str) -> list[Card]:
        """Return the cards of a workspace, each with its file."""
        place = self._parts.workspaces.all().get(group)
        if place is None:
            raise NotFound(f"Group {group} is no workspace. `tacit init DIR` makes one.")
        self._ledgers.files(group).prepare()
        return self._spaces.ask(group, lambda store: store.cards())

    def mirror(self, group: str, *, seconds: float | None = None) -> int:
        """Let the files of cards say what these do, for so long at most; return how many do not."""
        place, ledger = self._parts.workspaces.all().get(group), self._existing(group)
        if place is None or ledger is None:
            return 0
        until = None if seconds is None else time.monotonic() + seconds
        try:
            with space.held(Path(place), PATIENCE if seconds is None else seconds) as is_ours:
                if not is_ours:
                    return 1
                asked = partial(self._mirrored, group, Path(place), ledger, until)
                return self._spaces.ask(group, asked)
        except OSError as error:
            raise StoreRefused(
                f"Cannot mirror cards in {place}: {error.strerror or error}. See `tacit doctor`."
            ) from error

    def _mirrored(
        self,
        group: str,
        workspace: Path,
        ledger: Ledger,
        until: float | None,
        store: SqliteWorkspace,
    ) -> int:
        canvas = self._parts.canvases.of(str(workspace))
        if not Follower(ledger.store, store, canvas).advance(until):
            return 1
        mirror = Mirror(workspace, ledger.store, store, canvas)
        left = mirror.settle(until)

        def asked(memory: SqliteMemory) -> None:
            raiser = Raiser(memory, ledger.store, self._now_ns())
            upkeep.conflicts(raiser, mirror.conflicts())
            upkeep.unwritten(raiser, store.troubled())

        self._memories.ask(group, asked)
        return left

    def tend(self, group: str, *, seconds: float | None = None) -> bool:
        """Look after a workspace's files, for so long at most; say whether that is done."""
        until = None if seconds is None else time.monotonic() + seconds
        sweep = self._sweeps.pop(group, None)
        parts = self._worked_with(group)
        if parts is None:
            return True
        if sweep is None or sweep.parts != parts:
            sweep = _Sweep(self._looked_after(group, *parts), parts)
        try:
            for _ in sweep.steps:
                if until is not None and time.monotonic() >= until:
                    self._sweeps[group] = sweep
                    return False
        except OSError as error:
            raise StoreRefused(
                f"Cannot look after {group}: {error.strerror or error}. See `tacit doctor`."
            ) from error
        return True

    def _worked_with(self, group: str) -> tuple[SqliteStore, SqliteMemory, SqliteWorkspace] | None:
        """Return what looking after a workspace works with, opened if it is not."""
        place, ledger = self._parts.workspaces.all().get(group), self._existing(group)
        if place is None or ledger is None:
            return None
        memory = self._memories.ask(group, lambda store: store)
        return ledger.store, memory, self._spaces.ask(group, lambda store: store)

    def _looked_after(
        self, group: str, transcript: SqliteStore, memory: SqliteMemory, store: SqliteWorkspace
    ) -> Iterator[None]:
        workspace = Path(self._parts.workspaces.all()[group])
        chosen = config.read_or_usual(workspace, self._chosen())
        now = self._now_ns()
        raiser = Raiser(memory, transcript, now)
        yield from Upkeep(workspace, store, transcript, memory, chosen).steps(raiser, now)
        with space.held(workspace, 0.0) as is_ours:
            if is_ours:
                canvas = self._parts.canvases.of(str(workspace))
                mirror = Mirror(workspace, transcript, store, canvas)
                mirror.follow_names()
                upkeep.conflicts(raiser, mirror.conflicts())
                upkeep.unwritten(raiser, store.troubled())


def _made(workspace: Path, *, with_template: bool) -> list[str]:
    """Make what is missing of a workspace; say what to do where nothing can be made."""
    try:
        workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
        return layout.make(workspace, VERSION, with_template=with_template)
    except OSError as error:
        what = f" ({error.filename})" if error.filename else ""
        raise WorkspaceRefused(
            f"{workspace} cannot be made a workspace: {error.strerror or error}{what}. Choose a "
            "directory that you can write to, or make this one so."
        ) from error


def _quoted(workspace: Path) -> str:
    return shlex.quote(str(workspace))
