"""How things stand in one home: what `tacit status` shows and what `tacit doctor` checks.

Only looks: nothing is repaired here. Each finding names the command that mends it.
"""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths, settings
from tacit.capture import hooklog
from tacit.errors import TacitError
from tacit.transcript import backups, bad, recovery, segments
from tacit.transcript.files import size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.curate.stores import MemoryStores
    from tacit.deliver.curated.review import FileStatus
    from tacit.install.standing import Finding
    from tacit.store.unasked_port import Unasked
    from tacit.transcript.ledgers import Ledgers
    from tacit.workspace.standing import Standing

_CLOSE = "close other programs that use the home, then run `tacit doctor` again"
LEAST_FREE = 50_000_000
_STALE_NS = 600 * 1_000_000_000
_DAY_NS = 24 * 3600 * 1_000_000_000


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """How one group's memory stands."""

    group: str
    active: int
    quarantined: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that `tacit doctor` looked at."""

    name: str
    is_fine: bool
    text: str
    fix: str | None = None


def group_status(ledgers: Ledgers, group: str) -> GroupStatus:
    """Return how one group's transcript stands; what is wrong with it, if it cannot be opened."""
    files = ledgers.files(group)
    kept = backups.listed(files)
    events = sessions = erased = 0
    trouble = journal = None
    try:
        store = ledgers.get(group).store
        counts, journal = store.counts(), store.connection.journal
        events, sessions, erased = counts.events, counts.sessions, counts.tombstones
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
    )


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
        actions=actions,
        waiting=jobs.get("waiting", 0) + jobs.get("running", 0),
        dead=jobs.get("dead", 0),
        passages=passages,
        understood=understood,
        unasked=sum(not each.is_dead for each in unasked),
        unread=sum(each.is_dead for each in unasked),
        trouble=trouble,
    )


def memory_check(memories: MemoryStores, group: str) -> Check:
    """Look at a group's memory: can it be read, is its index in step, did anything fail."""
    status, name = memory_status(memories, group), f"memory {group}"
    if status.trouble:
        return Check(name=name, is_fine=False, text=status.trouble, fix=_rebuilding(group))
    if not memories.get(group).index.is_in_step():
        text = "the index does not hold what the memories say"
        return Check(name=name, is_fine=False, text=text, fix=_rebuilding(group))
    failed = [("curated", status.dead), ("read by the model", status.unread)]
    if told := [f"{count} turns could not be {what}" for what, count in failed if count]:
        text = f"{', '.join(told)}: see `tacit queue --group {group}`"
        fix = f"tacit queue retry --group {group}"
        return Check(name=name, is_fine=False, text=text, fix=fix)
    return Check(name=name, is_fine=True, text=f"{status.active} memories, all in the index")


def embedder_check(home: Path, model: str, trouble: str | None) -> Check:
    """Look at the model that says what words mean: the one chosen, and why it cannot be had."""
    if trouble:
        text = f"search goes on by words: {trouble}"
        fix = f'do so, or set `[embed] provider = "none"` in {home / paths.CONFIG}'
        return Check(name="embedder", is_fine=False, text=text, fix=fix)
    text = model or "search by words alone: embed.provider is none"
    return Check(name="embedder", is_fine=True, text=text)


def client_check(client: str, found: Finding) -> Check:
    """Return what was found on a client's side as one of our checks."""
    return Check(name=client, is_fine=found.is_fine, text=found.text, fix=found.fix)


def files_checks(group: str, look: Callable[[str], Sequence[FileStatus]]) -> list[Check]:
    """Look at a group's curated files: is any of them not what we wrote."""
    try:
        files = look(group)
    except (TacitError, OSError):  # what is wrong is told by the checks of the group
        return []
    name = f"files {group}"
    changed = [each.name for each in files if each.state in {"edited", "refused"}]
    if changed:
        text = f"changed from outside and not accepted: {', '.join(changed)}"
        fix = f"tacit files diff --group {group}"
        return [Check(name=name, is_fine=False, text=text, fix=fix)]
    count = sum(each.state == "kept" for each in files)
    text = f"{count} curated files, as they were written"
    return [Check(name=name, is_fine=True, text=text)]


def workspace_checks(workspaces: list[Standing], unregistered: list[str]) -> list[Check]:
    """Say how workspaces stand, and which directories only look like one."""
    found = [
        Check(
            name=f"workspace {each.name}",
            is_fine=each.trouble is None,
            text=each.trouble or f"{each.directory}, version {each.version or 'unknown'}",
            fix=each.fix,
        )
        for each in workspaces
    ]
    return found + [
        Check(
            name="workspace",
            is_fine=True,
            text=f"{place}/{paths.OS} is not registered and is ignored; if it is yours, "
            f"`tacit init {shlex.quote(place)}` makes it a workspace",
        )
        for place in unregistered
    ]


def _rebuilding(group: str) -> str:
    return f"tacit rebuild --group {group}"


def _recovery(last: recovery.Recovered | None) -> str | None:
    """Return one line about the last recovery."""
    if last is None:
        return None
    source = f" from backup {last.backup}" if last.backup else ""
    lost = f"{last.lost} events lost" if last.lost else "nothing lost"
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


def checks(
    home: Path,
    root: int,
    ledgers: Ledgers,
    waiting: list[str],
    now_ns: int,
    group: str | None = None,
) -> list[Check]:
    """Look at everything that can go wrong, in all groups or one, and say how to mend it."""
    found = [
        _settings(home),
        _permissions(home),
        _engine(ledgers),
        _disk(root),
        _spool(waiting, now_ns),
        _bad(home),
        _hook(root),
    ]
    names = [name for name in ledgers.names() if group in {None, name}]
    return found + [check for name in names for check in _group(ledgers, name, now_ns)]


def _settings(home: Path) -> Check:
    try:
        settings.load(str(home))
    except TacitError as error:
        return Check(
            name="settings", is_fine=False, text=str(error), fix=f"edit {home / paths.CONFIG}"
        )
    return Check(name="settings", is_fine=True, text="config.toml can be read")


def _permissions(home: Path) -> Check:
    found = [each for path in (home, *home.rglob("*")) if (each := _looked_at(path))]
    wide = [each for each in found if not stat.S_ISLNK(each.st_mode) and each.st_mode & 0o077]
    foreign = [each for each in found if each.st_uid != os.geteuid()]
    if wide or foreign:
        place = shlex.quote(str(home))
        mending = f"chown -R $USER {place}" if foreign else f"chmod -R go-rwx {place}"
        return Check(
            name="permissions",
            is_fine=False,
            text=f"{len(wide)} files can be read by others, {len(foreign)} are not yours",
            fix=mending,
        )
    return Check(name="permissions", is_fine=True, text="everything is closed to others")


def _looked_at(path: Path) -> os.stat_result | None:
    """Return what a file is; None for one that has just gone."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _engine(ledgers: Ledgers) -> Check:
    engine = ledgers.engine
    text = (
        f"SQLite {engine.version} ({engine.source[:31]}), {engine.journal} on {engine.filesystem}"
    )
    if engine.reason:
        return Check(name="engine", is_fine=False, text=text, fix=engine.reason)
    return Check(name="engine", is_fine=True, text=text)


def _disk(root: int) -> Check:
    left = free(root) // 1_000_000
    if left < LEAST_FREE // 1_000_000:
        text = f"the disk is nearly full: {left} MB are left; what happens may not be kept"
        return Check(name="disk", is_fine=False, text=text, fix="free some space")
    return Check(name="disk", is_fine=True, text=f"{left} MB are free")


def _spool(waiting: list[str], now_ns: int) -> Check:
    if waiting:
        age = max(0, now_ns - int(waiting[0].partition("-")[0]))
        if age >= _STALE_NS:
            return Check(
                name="spool",
                is_fine=False,
                text=f"{len(waiting)} events wait, the oldest for {age // 60_000_000_000} min",
                fix="tacit sessions (any reading verb takes them in)",
            )
    return Check(name="spool", is_fine=True, text=f"{len(waiting)} events wait")


def _bad(home: Path) -> Check:
    kept = bad.listed(home)
    if kept:
        return Check(
            name="bad",
            is_fine=False,
            text=f"{len(kept)} events could not be understood, the last: {bad.reason_of(kept[-1])}",
            fix=f"look at {home / paths.SPOOL / paths.BAD}, then remove them",
        )
    return Check(name="bad", is_fine=True, text="every event was understood")


def _hook(root: int) -> Check:
    failures = hooklog.lines(root)
    if failures:
        return Check(
            name="hook",
            is_fine=False,
            text=f"{len(failures)} failures, the last: {failures[-1]}",
            fix=f"look at {paths.LOGS}/{paths.HOOK_LOG} in the home",
        )
    return Check(name="hook", is_fine=True, text="no failures")


def _group(ledgers: Ledgers, group: str, now_ns: int) -> list[Check]:
    status = group_status(ledgers, group)
    name = f"group {group}"
    if status.trouble:
        return [
            Check(
                name=name, is_fine=False, text=status.trouble, fix=f"tacit restore --group {group}"
            )
        ]
    text = f"{status.events} events can be read, journal {status.journal}"
    is_fine = status.journal == ledgers.engine_of(group).journal
    found = [Check(name=name, is_fine=is_fine, text=text, fix=None if is_fine else _CLOSE)]
    if status.recovered:
        found.append(Check(name=name, is_fine=True, text=status.recovered))
    is_old = status.last_backup_ns is None or now_ns - status.last_backup_ns >= _DAY_NS
    if status.events and is_old:
        text = "the last backup is older than a day" if status.backups else "there is no backup"
        found.append(
            Check(name=name, is_fine=False, text=text, fix=f"tacit backup --group {group}")
        )
    return found
