"""Verbs about recording: how things stand, what is paused, what is wrong."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import checks, health, paths, settings
from tacit.capture import compile as capture_conf
from tacit.capture import failures, state
from tacit.capture.entry import Entry, EntryUnreadable, parse
from tacit.errors import NotFound, NothingToResume
from tacit.health import Status
from tacit.transcript import bad
from tacit.verbs.workspace import WorkspaceVerbs

if TYPE_CHECKING:
    from tacit.checks import Check
    from tacit.install.standing import Around

_HOUR_NS = 3600 * 1_000_000_000


class CaptureVerbs(WorkspaceVerbs):
    """What is recorded, and whether that works."""

    def status(self, group: str | None = None) -> Status:
        """Say how things stand, in all groups or one; leftovers of killed hooks are swept away."""
        with suppress(OSError):  # on a full disk it stays as it was, and status says so
            capture_conf.refresh(self._root, self._home)
        self._leftovers += self._spool.sweep(self._now_ns() - _HOUR_NS)
        waiting = self._spool.waiting()
        logged = failures.lines(self._root)
        paused, chosen = capture_conf.pauses(self._root), settings.load(self._home)
        engine = self._ledgers.engine
        model, trouble = self._parts.model()
        names = [name for name in self._ledgers.names() if group in {None, name}]
        return Status(
            home=self._home,
            recording=[] not in paused,
            paused=[directory[0] for directory in paused if directory],
            excluded=chosen.exclude,
            events_waiting=len(waiting),
            oldest_waiting_ns=int(waiting[0].partition("-")[0]) if waiting else None,
            events_bad=len(bad.listed(Path(self._home))),
            hook_failures=len(logged),
            last_hook_failure=logged[-1] if logged else None,
            lost=health.losses(self._root),
            settings_problems=[each.text for each in chosen.problems],
            is_failing=health.is_failing(self._root, self._ledgers, waiting),
            is_read_only=not state.is_writable(self._root),
            daemon_stopped=state.is_there(self._root, paths.DAEMON_STOPPED),
            temporary_files_removed=self._leftovers,
            engine=f"SQLite {engine.version}",
            journal=engine.journal,
            journal_reason=engine.reason,
            sizes=health.sizes(Path(self._home)),
            free=health.free(self._root),
            embedder=model or "none",
            embedder_trouble=trouble,
            llm=chosen.llm_provider,
            groups=[health.group_status(self._ledgers, name) for name in names],
            memories=[health.memory_status(self._memories, name, model) for name in names],
            workspaces=[each for each in self.workspaces() if group in {None, each.name}],
        )

    def waiting(self) -> list[Entry]:
        """Return the events that wait in the spool, oldest first; what is none is left out."""
        found = []
        for name in self._spool.waiting():
            with suppress(OSError, EntryUnreadable):  # just taken in, or for the ingest to refuse
                found.append(parse(self._spool.read(name)))
        return found

    def pause(self, directory: str | None) -> None:
        """Record nothing from now on, in one directory or anywhere."""
        place = _place(directory)
        paused = [each for each in capture_conf.pauses(self._root) if each != place]
        self._set_pauses([*paused, place])

    def resume(self, directory: str | None) -> None:
        """Record again what was paused: one directory, or everything."""
        place = _place(directory)
        paused = capture_conf.pauses(self._root)
        if place not in paused:
            where = f"in {directory}" if directory else "everywhere"
            raise NothingToResume(
                f"Recording is not paused {where}. See `tacit status` for what is."
            )
        self._set_pauses([each for each in paused if each != place])

    def redact(self, text: bytes) -> bytes:
        """Return *text* without secrets."""
        return self._parts.redactor().redact(text)

    def config(self) -> list[tuple[str, Any, str]]:
        """Return every setting with its value and where that comes from."""
        return settings.load(self._home).rows()

    def doctor(
        self, group: str | None = None, around: Around | None = None, trouble: str | None = None
    ) -> list[Check]:
        """Look at everything that can go wrong, in all groups or one.

        *around* says from where clients are looked at, *trouble* what the daemon says of its model.
        """
        home, waiting = Path(self._home), self._spool.waiting()
        found = checks.checks(home, self._root, self._ledgers, waiting, self._now_ns(), group)
        names = [name for name in self._ledgers.names() if group in {None, name}]
        found += [checks.memory_check(self._memories, name) for name in names]
        model, why = self._parts.model()
        found.append(checks.embedder_check(home, model, why or trouble))
        found += [each for name in names for each in checks.files_checks(name, self.files)]
        found += [checks.brief_check(name, self._preparer(name).refused()) for name in names]
        workspaces = [each for each in self.workspaces() if group in {None, each.name}]
        here = str(around.directory) if around else ""
        found += checks.workspace_checks(workspaces, self.unregistered(here))
        return found + (_clients(around) if around else [])

    def _set_pauses(self, paused: list[list[str]]) -> None:
        capture_conf.set_pauses(self._root, paused)
        capture_conf.refresh(self._root, self._home)


def _clients(around: Around) -> list[Check]:
    """Look at every client that we can be installed for."""
    from tacit.install import inspecting  # noqa: PLC0415  (15 ms that only the doctor needs)
    from tacit.install.clients import CLIENTS  # noqa: PLC0415

    return [
        checks.client_check(client.name, each)
        for client in CLIENTS.values()
        for each in inspecting.findings(client, around)
    ]


def _place(directory: str | None) -> list[str]:
    """Return a directory as the pauses know it: nothing stands for everywhere."""
    try:
        os.fsencode(directory or "")
    except UnicodeEncodeError as error:
        raise NotFound("No directory can have that name. Name another one.") from error
    return [directory] if directory else []
