"""Verbs about the transcript: taking in, reading, keeping."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import settings
from tacit.capture.conf import Conf, escape
from tacit.errors import NotFound
from tacit.transcript import backups, projects, recovery, turns
from tacit.transcript.sessions import Session, session_of
from tacit.verbs.parts import Verbs

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.transcript.backups import Backup
    from tacit.transcript.ledger import Ledger
    from tacit.transcript.projects import Project
    from tacit.transcript.recovery import Recovered
    from tacit.transcript.turns import Turn
    from tacit.transcript.verify import Verified

    Progress = Callable[[int, int], object]


class TranscriptVerbs(Verbs):
    """What happened, and that it stays."""

    def group(self, chosen: str | None, directory: str) -> str:
        """Return the group a verb is about: the chosen one, else that of the directory."""
        if chosen is None:
            rules = settings.load(self._home).places().items()
            lines = [
                f"group\t{name}\t{escape(place)}" for name, places in rules for place in places
            ]
            return Conf("\n".join(lines)).group(directory)
        self._ledgers.files(chosen)
        return chosen

    def sessions(self, group: str, project: str | None = None) -> list[Session]:
        """Return the sessions of a group, the last active first."""
        return self._read(group, lambda ledger: self._sessions(ledger, project)) or []

    def _sessions(self, ledger: Ledger, project: str | None) -> list[Session]:
        names = {each.key: each.name for each in projects.listed(ledger.store)}
        key = projects.chosen(ledger.store, project).key if project else None
        prompts = ledger.store.first_prompts()
        return [
            session_of(
                row,
                now_ns=self._now_ns(),
                project=names.get(row.project, row.project),
                first_prompt=turns.text_of(prompts[row.session]) if row.session in prompts else "",
            )
            for row in ledger.store.sessions(key)
        ]

    def show(self, group: str, name: str) -> list[Turn]:
        """Return the turns of a session, or the one turn, whose id begins with *name*.

        The id of an event, such as search finds, means the turn in which it happened.
        """
        found = self._read(group, lambda ledger: self._turns(ledger, name))
        if found is None:
            raise NotFound(
                f"There is no session or turn {name!r} in group {group}. See `tacit sessions`."
            )
        return found

    def _turns(self, ledger: Ledger, name: str) -> list[Turn] | None:
        session, turn = _meant(ledger, name)
        if session is None:
            return None
        found = turns.turns(ledger.store.of_session(session), self._now_ns())
        return [each for each in found if turn in {None, each.id}]

    def projects(self, group: str) -> list[Project]:
        """Return the projects of a group, the most used first."""
        return self._read(group, lambda ledger: projects.listed(ledger.store)) or []

    def project(self, group: str, verb: str, which: str, value: str, *, origin: str) -> Project:
        """Rename, join or move a project: an event of the owner, so that it outlives a rebuild."""
        with self._ledgers.locked(group) as ledger:
            change = projects.change(ledger.store, verb, which, value, origin=origin)
            event = projects.event(change, now_ns=self._now_ns(), random=os.urandom)
            ledger.append([event], now_ns=self._now_ns())
            return projects.apply(ledger.store, change)

    def verify(self, group: str, progress: Progress | None = None) -> Verified | None:
        """Read a group's whole transcript and say what is wrong; None if there is none."""
        ledger = self._existing(group)
        return ledger.verify(progress) if ledger else None

    def check_transcript(self, group: str, *, is_suspect: bool = False) -> None:
        """Look for damage that no event has met, and recover from it; cheap where all is well."""
        self._ledgers.check(group, is_suspect=is_suspect)

    def last_recovery(self, group: str) -> Recovered | None:
        """Return what the last recovery of a group did."""
        return recovery.last(self._ledgers.files(group))

    def backup(self, group: str, progress: Progress | None = None) -> Backup:
        """Make a backup of a group and verify it."""
        ledger = self._existing(group)
        if ledger is None:
            raise NotFound(f"Group {group} has no transcript yet: there is nothing to back up.")
        return ledger.back_up(now_ns=self._now_ns(), progress=progress)

    def backups(self, group: str) -> list[Backup]:
        """Return the kept backups of a group, the newest first."""
        return backups.listed(self._ledgers.files(group))

    def is_backup_due(self, group: str) -> bool:
        """Say whether a group's last backup is older than a day."""
        return backups.is_due(self._ledgers.files(group), self._now_ns())

    def restore(self, group: str, name: str | None, *, exact: bool = False) -> Recovered:
        """Bring a group back from a backup, and replay what came after it unless *exact*."""
        files = self._ledgers.files(group)
        own = _file(name)
        if name is None and self._ledgers.has(group) and not backups.listed(files):
            return self._ledgers.restore(group, None, exact=exact)  # the segments hold everything
        return self._ledgers.restore(
            group, own or backups.chosen(files, self._ledgers.engine, name), exact=exact
        )


def _meant(ledger: Ledger, name: str) -> tuple[str | None, str | None]:
    """Return the session and the turn that a name means: its own, or those of an event."""
    records = ledger.store.find([name]) if name.startswith("evt-") else []
    return (records[0].session, records[0].turn) if records else ledger.store.named(name)


def _file(name: str | None) -> Path | None:
    """Return the file that a name leads to, if it does."""
    try:
        return Path(name).absolute() if name and Path(name).is_file() else None
    except (OSError, ValueError):
        return None
