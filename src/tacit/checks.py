"""The checks of `tacit doctor`: everything that can go wrong, each with the command that mends it.

Only looks: nothing is repaired here.
"""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import paths, settings
from tacit.capture import failures, state
from tacit.errors import TacitError
from tacit.health import (
    LEAST_FREE,
    free,
    group_status,
    last_recorded,
    loss_text,
    losses,
    memory_status,
)
from tacit.transcript import bad
from tacit.transcript.files import paths_below

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tacit.curate.stores import MemoryStores
    from tacit.deliver.curated.review import FileStatus
    from tacit.install.standing import Finding
    from tacit.transcript.ledgers import Ledgers
    from tacit.workspace.standing import Standing

_CLOSE = "close other programs that use the home, then run `tacit doctor` again"
_STALE_NS = 600 * 1_000_000_000
_DAY_NS = 24 * 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that `tacit doctor` looked at."""

    name: str
    is_fine: bool
    text: str
    fix: str | None = None


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


def brief_check(group: str, refused: list[str]) -> Check:
    """Look at a group's prepared briefs: would the hook refuse any of them."""
    name = f"brief {group}"
    if refused:
        text = (
            f"{len(refused)} prepared files were deleted or changed from outside, such as "
            f"{refused[0]}: sessions are not told what they hold"
        )
        fix = f"tacit list --group {group} (any reading verb makes them again)"
        return Check(name=name, is_fine=False, text=text, fix=fix)
    return Check(name=name, is_fine=True, text="what is prepared for new sessions can be told")


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
        _daemon(root),
    ]
    recorded_ns = last_recorded(ledgers, waiting)
    found += [_hook(root, recorded_ns), *_lost(root, recorded_ns)]
    names = [name for name in ledgers.names() if group in {None, name}]
    return found + [check for name in names for check in _group(ledgers, name, now_ns)]


def _settings(home: Path) -> Check:
    problems = settings.load(str(home)).problems
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        return Check(
            name="settings",
            is_fine=False,
            text=f"{problems[0].text}{more}",
            fix=f"edit {home / paths.CONFIG}",
        )
    return Check(name="settings", is_fine=True, text="config.toml can be read")


def _daemon(root: int) -> Check:
    if state.is_there(root, paths.DAEMON_STOPPED):
        text = "stopped by hand: hooks do not start it, so nothing is curated in the background"
        return Check(name="daemon", is_fine=False, text=text, fix="tacit daemon start")
    return Check(name="daemon", is_fine=True, text="hooks start it when they need it")


def _permissions(home: Path) -> Check:
    found = [each for path in (home, *paths_below(home)) if (each := _looked_at(path))]
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
    if not state.is_writable(root):
        text = "the home is read-only: what is remembered can be read, nothing is recorded"
        return Check(name="disk", is_fine=False, text=text, fix="make its disk writable")
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


def _hook(root: int, recorded_ns: int) -> Check:
    """Look at the hook's log; failures are over once an event was recorded after the last."""
    logged = failures.lines(root)
    if not logged:
        return Check(name="hook", is_fine=True, text="no failures")
    is_over = recorded_ns > failures.time_of(logged[-1])
    text = f"{len(logged)} failures, the last: {logged[-1]}"
    if is_over:
        return Check(name="hook", is_fine=True, text=f"{text}; recorded again since")
    fix = f"look at {paths.LOGS}/{paths.HOOK_LOG} in the home"
    return Check(name="hook", is_fine=False, text=text, fix=fix)


def _lost(root: int, recorded_ns: int) -> list[Check]:
    """Tell what was lost and why; it needs somebody only as long as nothing was recorded since."""
    found = losses(root)
    return [
        Check(
            name="lost",
            is_fine=recorded_ns > each.last_ns,
            text=loss_text(each),
            fix=None if recorded_ns > each.last_ns else "free some space, or run `tacit doctor`",
        )
        for each in found
    ]


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
