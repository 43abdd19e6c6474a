"""The façade: one page of verbs. Every surface calls these and nothing below them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tacit import health, settings
from tacit.capture import compile as capture_conf
from tacit.capture import hooklog
from tacit.capture.conf import Conf, escape
from tacit.capture.entry import Entry, parse
from tacit.errors import NotFound, NothingToResume, StoreDamaged
from tacit.health import Check, Status
from tacit.transcript import backups, bad, projects, turns
from tacit.transcript.sessions import Session, session_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.capture.spool import Spool
    from tacit.guard.redact import Redactor
    from tacit.transcript.backups import Backup
    from tacit.transcript.ingest import Drained, Ingest
    from tacit.transcript.ledger import Ledger
    from tacit.transcript.ledgers import Ledgers
    from tacit.transcript.projects import Project
    from tacit.transcript.recovery import Recovered
    from tacit.transcript.turns import Turn
    from tacit.transcript.verify import Verified

    Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")

READING_SECONDS = 2.0
_HOUR_NS = 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the verbs work with; `compose.py` picks them."""

    home: str
    root: int
    spool: Spool
    redactor: Callable[[], Redactor]
    ledgers: Ledgers
    ingest: Ingest
    now_ns: Callable[[], int]


class App:
    """The verbs, on one home that is open."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._home = parts.home
        self._root = parts.root
        self._spool = parts.spool
        self._ledgers = parts.ledgers
        self._now_ns = parts.now_ns

    @property
    def root(self) -> int:
        """Return the home's descriptor."""
        return self._root

    # -- capture ---------------------------------------------------------------------------------

    def status(self, group: str | None = None) -> Status:
        """Say how things stand, in all groups or one; leftovers of killed hooks are swept away."""
        capture_conf.refresh(self._root, self._home)
        removed = self._spool.sweep(self._now_ns() - _HOUR_NS)
        waiting = self._spool.waiting()
        failures = hooklog.lines(self._root)
        paused = capture_conf.pauses(self._root)
        engine = self._ledgers.engine
        return Status(
            home=self._home,
            recording=[] not in paused,
            paused=[directory[0] for directory in paused if directory],
            excluded=settings.load(self._home).exclude,
            events_waiting=len(waiting),
            oldest_waiting_ns=int(waiting[0].partition("-")[0]) if waiting else None,
            events_bad=len(bad.listed(Path(self._home))),
            hook_failures=len(failures),
            last_hook_failure=failures[-1] if failures else None,
            temporary_files_removed=removed,
            engine=f"SQLite {engine.version}",
            journal=engine.journal,
            journal_reason=engine.reason,
            sizes=health.sizes(Path(self._home)),
            groups=[
                health.group_status(self._ledgers, name)
                for name in self._ledgers.names()
                if group in {None, name}
            ],
        )

    def waiting(self) -> list[Entry]:
        """Return the events that wait in the spool, oldest first."""
        return [parse(self._spool.read(name)) for name in self._spool.waiting()]

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

    # -- the transcript --------------------------------------------------------------------------

    def drain(
        self, *, seconds: float | None = READING_SECONDS, progress: Progress | None = None
    ) -> Drained:
        """Take in what waits in the spool, for so long at most."""
        return self._parts.ingest.drain(now_ns=self._now_ns, seconds=seconds, progress=progress)

    def group(self, chosen: str | None, directory: str) -> str:
        """Return the group a verb is about: the chosen one, else that of the directory."""
        if chosen is None:
            rules = settings.load(self._home).groups.items()
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
        """Return the turns of a session, or the one turn, whose id begins with *name*."""
        found = self._read(group, lambda ledger: self._turns(ledger, name))
        if found is None:
            raise NotFound(
                f"There is no session or turn {name!r} in group {group}. See `tacit sessions`."
            )
        return found

    def _turns(self, ledger: Ledger, name: str) -> list[Turn] | None:
        session, turn = ledger.store.named(name)
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

    # -- keeping it ------------------------------------------------------------------------------

    def verify(self, group: str, progress: Progress | None = None) -> Verified | None:
        """Read a group's whole transcript and say what is wrong; None if there is none."""
        ledger = self._existing(group)
        return ledger.verify(progress) if ledger else None

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
        if name is None and group in self._ledgers.names() and not backups.listed(files):
            return self._ledgers.restore(group, None, exact=exact)  # the segments hold everything
        return self._ledgers.restore(
            group, own or backups.chosen(files, self._ledgers.engine, name), exact=exact
        )

    def erase(self, group: str, *, session: str | None = None, text: str | None = None) -> int:
        """Erase the bodies of a session, or all that hold a text; return how many went."""
        self.drain(seconds=None)
        with self._ledgers.locked(group) as ledger:
            seqs = set(ledger.store.matching(text)) if text else set()
            if session:
                seqs |= {record.seq for record in ledger.store.of_session(session)}
            if text:
                bad.erase(Path(self._home), text.encode("utf-8", "surrogatepass"))
            return ledger.erase(seqs, now_ns=self._now_ns(), reason="asked by the owner")

    def config(self) -> list[tuple[str, Any, str]]:
        """Return every setting with its value and where that comes from."""
        return settings.load(self._home).rows()

    def doctor(self, group: str | None = None) -> list[Check]:
        """Look at everything that can go wrong, in all groups or one."""
        home, waiting = Path(self._home), self._spool.waiting()
        return health.checks(home, self._root, self._ledgers, waiting, self._now_ns(), group)

    def close(self) -> None:
        """Let the home go."""
        self._ledgers.close()
        self._spool.close()
        os.close(self._root)

    def _read(self, group: str, ask: Callable[[Ledger], Answer]) -> Answer | None:
        """Return what a transcript says, None if there is none; a damaged one is mended first."""
        ledger = self._existing(group)
        if ledger is None:
            return None
        try:
            return ask(ledger)
        except StoreDamaged:
            return ask(self._ledgers.mended(group))

    def _existing(self, group: str) -> Ledger | None:
        """Return a group's transcript if it has one: looking makes none."""
        return self._ledgers.get(group) if group in self._ledgers.names() else None

    def _set_pauses(self, paused: list[list[str]]) -> None:
        capture_conf.set_pauses(self._root, paused)
        capture_conf.refresh(self._root, self._home)


def _place(directory: str | None) -> list[str]:
    """Return a directory as the pauses know it: nothing stands for everywhere."""
    try:
        os.fsencode(directory or "")
    except UnicodeEncodeError as error:
        raise NotFound("No directory can have that name. Name another one.") from error
    return [directory] if directory else []


def _file(name: str | None) -> Path | None:
    """Return the file that a name leads to, if it does."""
    try:
        return Path(name).absolute() if name and Path(name).is_file() else None
    except (OSError, ValueError):
        return None
