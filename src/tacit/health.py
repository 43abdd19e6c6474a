"""The status of one home: what `tacit status` shows. Only looks: nothing is repaired here."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture import failures
from tacit.errors import TacitError
from tacit.transcript import backups, recovery, segments
from tacit.transcript.files import size_of

if TYPE_CHECKING:
    from tacit.curate.stores import MemoryStores
    from tacit.store.unasked_port import Unasked
    from tacit.transcript.ledgers import Ledgers
    from tacit.workspace.standing import Standing

LEAST_FREE = 50_000_000
REASONS = {  # why an event was lost, as the hook counts it -> as people read it
    "ENOSPC": "the disk was full",
    "EDQUOT": "the disk quota was used up",
    "EROFS": "the home was read-only",
    "EACCES": "the home could not be written",
    "EIO": "the disk failed",
    "Slow": "the disk was too slow",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStatus:
    """How one group's transcript stands."""

    name: str
    events: int
    sessions: int
    erased: int
    size: int
    done_size: int
    last_backup_ns: int | None
    backups: int
    journal: str | None
    recovered: str | None
    trouble: str | None
    recorded_ns: int | None = None  # when the last event of a session was received


@dataclass(frozen=True, slots=True, kw_only=True)
class LossStatus:
    """Events that were lost for one reason, and when the first and the last of them were."""

    reason: str
    count: int
    first_ns: int
    last_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """How one group's memory stands."""

    group: str
    active: int
    quarantined: int
    candidates: int
    actions: int
    waiting: int
    dead: int
    passages: int = 0  # that can mean something
    understood: int = 0  # of which it is known what they mean
    unasked: int = 0  # turns that wait for the model
    unread: int = 0  # turns that it was asked about in vain, and that nobody asks about any more
    trouble: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How things stand in one home."""

    home: str
    recording: bool
    paused: list[str]
    excluded: list[str]
    events_waiting: int
    oldest_waiting_ns: int | None
    events_bad: int
    hook_failures: int
    last_hook_failure: str | None
    lost: list[LossStatus]
    settings_problems: list[str]
    is_failing: bool  # the hook has failed or lost an event, and none was recorded since
    is_read_only: bool  # nothing can be recorded, what is remembered can be read
    daemon_stopped: bool  # by hand: hooks do not start it again
    temporary_files_removed: int
    engine: str
    journal: str
    journal_reason: str | None
    sizes: dict[str, int]
    free: int
    embedder: str = "none"  # the model that says what passages mean
    embedder_trouble: str | None = None
    llm: str = "none"  # the provider of the model that reads turns
    llm_trouble: str | None = None
    groups: list[GroupStatus] = field(default_factory=list)
    memories: list[MemoryStatus] = field(default_factory=list)
    workspaces: list[Standing] = field(default_factory=list)


def group_status(ledgers: Ledgers, group: str) -> GroupStatus:
    """Return how one group's transcript stands; what is wrong with it, if it cannot be opened."""
    files = ledgers.files(group)
    kept = backups.listed(files)
    events = sessions = erased = 0
    trouble = journal = recorded_ns = None
    try:
        store = ledgers.get(group).store
        counts, journal = store.counts(), store.connection.journal
        events, sessions, erased = counts.events, counts.sessions, counts.tombstones
        recorded_ns = store.last_recorded()
        trouble = recovery.noted_damage(files)
    except TacitError as error:
        trouble = str(error)
    return GroupStatus(
        name=group,
        events=events,
        sessions=sessions,
        erased=erased,
        size=sum(size_of(Path(f"{files.database}{suffix}")) for suffix in ("", "-wal")),
        done_size=sum(size_of(file) for file in segments.listed(files)),
        last_backup_ns=kept[0].made_ns if kept else None,
        backups=len(kept),
        journal=journal,
        recovered=_recovery(recovery.last(files)),
        trouble=trouble,
        recorded_ns=recorded_ns,
    )


def losses(root: int) -> list[LossStatus]:
    """Return what was lost, by reason, the latest first."""
    return [
        LossStatus(
            reason=REASONS.get(each.reason, each.reason),
            count=each.count,
            first_ns=each.first_ns,
            last_ns=each.last_ns,
        )
        for each in failures.losses(root)
    ]


def last_recorded(ledgers: Ledgers, waiting: list[str]) -> int:
    """Return when an event was recorded last, in nanoseconds; 0 for never."""
    times = [int(waiting[-1].partition("-")[0])] if waiting else []
    times += [group_status(ledgers, name).recorded_ns or 0 for name in ledgers.names()]
    return max(times, default=0)


def is_failing(root: int, ledgers: Ledgers, waiting: list[str]) -> bool:
    """Return whether the hook has failed or lost an event, and recorded none since."""
    times = [failures.time_of(line) for line in failures.lines(root)[-1:]]
    times += [loss.last_ns for loss in failures.losses(root)]
    return bool(times) and last_recorded(ledgers, waiting) <= max(times)


def memory_status(memories: MemoryStores, group: str, model: str = "") -> MemoryStatus:
    """Return how one group's memory stands; what is wrong with it, if it cannot be opened."""
    kinds: dict[str, int] = {}
    jobs: dict[str, int] = {}
    actions, passages, understood, trouble = 0, 0, 0, None
    unasked: list[Unasked] = []
    try:
        store = memories.get(group)
        kinds, jobs = store.memories.counted(), store.jobs.counted()
        actions = len(store.actions.wanted("pending"))
        passages, understood = store.index.understood(model)
        unasked = store.unasked.listed()
    except TacitError as error:
        trouble = str(error)
    return MemoryStatus(
        group=group,
        active=kinds.get("active", 0),
        quarantined=kinds.get("quarantined", 0),
        candidates=kinds.get("candidate", 0),
        actions=actions,
        waiting=jobs.get("waiting", 0) + jobs.get("running", 0),
        dead=jobs.get("dead", 0),
        passages=passages,
        understood=understood,
        unasked=sum(not each.is_dead for each in unasked),
        unread=sum(each.is_dead for each in unasked),
        trouble=trouble,
    )


def _recovery(last: recovery.Recovered | None) -> str | None:
    """Return one line about the last recovery."""
    if last is None:
        return None
    source = f" from backup {last.backup}" if last.backup else ""
    lost = recovery.loss_text(last)
    aside = f"; the old file is in {last.quarantine}" if last.quarantine else ""
    return f"recovered{source} ({last.reason}), {last.replayed} events replayed, {lost}{aside}"


def sizes(home: Path) -> dict[str, int]:
    """Return how many bytes lie in each part of the home."""
    spool = home / paths.SPOOL
    return {
        "groups": size_of(home / paths.GROUPS),
        "spool": size_of(spool / "new"),
        "done": size_of(spool / paths.DONE),
        "bad": size_of(spool / paths.BAD),
        "backups": size_of(home / paths.BACKUPS),
        "logs": size_of(home / paths.LOGS),
    }


def free(root: int) -> int:
    """Return how many bytes can still be written where the home lies."""
    found = os.fstatvfs(root)
    return found.f_bavail * found.f_frsize


def loss_text(loss: LossStatus) -> str:
    """Return one line about events that were lost for one reason."""
    noun = "1 event was" if loss.count == 1 else f"{loss.count} events were"
    first, last = (_date(each) for each in (loss.first_ns, loss.last_ns))
    when = first if first == last else f"{first} to {last}"
    return f"{noun} lost because {loss.reason} ({when})"


def _date(at_ns: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_ns // 1_000_000_000))
