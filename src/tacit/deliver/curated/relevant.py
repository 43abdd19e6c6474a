"""What fits the last prompt of a project: a page for clients that can only include a file.

Made anew after each turn, by words alone, at most so many tokens; of what holds no longer a line is
gone as soon as the memory is. One page for each project, and one that follows the project in which
somebody has last said something. Nothing is kept of what somebody writes into it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tacit.deliver import counting, surfacing
from tacit.deliver.curated import gather, place
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated.sheet import Entry
from tacit.recall.question import Question
from tacit.recall.search import search
from tacit.store.index_port import Scope
from tacit.store.told_port import Wording
from tacit.transcript.turns import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.ledger import Ledger
    from tacit.model.event import Record
    from tacit.model.memory import Memory
    from tacit.recall.question import Hit

NAME, FOLDER = "relevant.md", "relevant"
TOKENS = 500
MOST = 50  # projects
_CURSOR = "relevant"
_CHUNK, _FARTHEST = 256, 2048  # events
_FOUND = 20


def is_due(desk: Desk) -> bool:
    """Say whether something has happened since the pages were made."""
    return desk.store.jobs.number(_CURSOR) < desk.transcript.head().seq


def stamp(folder: int) -> list[object]:
    """Return what changes when one of the pages does."""
    with place.inner(folder, FOLDER) as inner:
        names = sorted(os.listdir(inner))  # noqa: PTH208  (of a descriptor)
        return [*place.stamp(folder, (NAME,)), names, *place.stamp(inner, tuple(names))]


def keep(desk: Desk, folder: int, ledger: Ledger) -> None:
    """Make the pages of the projects anew in which something was said, and mend the others."""
    wanted = {name: _standing(desk, ledger, name) for name in ledger.files if _is_ours(name)}
    head = desk.transcript.head().seq
    for project, prompt in _prompts(desk, head).items():
        entries = _found(desk, project, prompt)
        for name in (_file(project), NAME):
            wanted.pop(name, None)  # the last one stands last
            wanted[name] = entries
    if wanted:
        _write(desk, folder, ledger, wanted)
    desk.store.jobs.set_number(_CURSOR, head)


def _write(desk: Desk, folder: int, ledger: Ledger, wanted: dict[str, Sequence[Entry]]) -> None:
    kept = dict([*wanted.items()][-MOST - 1 :])
    records = {}
    with place.inner(folder, FOLDER) as inner:
        for name, entries in kept.items():
            text = _text(entries)
            records[name] = desk.marker.record(entries, text)
            at, file = (folder, name) if name == NAME else (inner, name.partition("/")[2])
            if place.look(at, file).text != text:
                place.write(at, file, text)
        shown = {name.partition("/")[2] for name in kept}
        for name in set(os.listdir(inner)) - shown:  # noqa: PTH208  (of a descriptor)
            place.remove(inner, name)
    others = {name: each for name, each in ledger.files.items() if not _is_ours(name)}
    if ledger.files != others | records:
        ledger.files = others | records
        ledgers.write(folder, desk.marker, ledger)


def _text(entries: Sequence[Entry]) -> str:
    lines = "\n".join(each.line for each in entries)
    return "\n\n".join((*surfacing.HEAD, lines)) + "\n" if entries else ""


def _is_ours(name: str) -> bool:
    return name == NAME or name.startswith(f"{FOLDER}/")


def _file(project: str) -> str:
    return f"{FOLDER}/{project}.md"


def _standing(desk: Desk, ledger: Ledger, name: str) -> Sequence[Entry]:
    """Return what still holds of a page, as it is said now."""
    memories = (desk.store.memories.get(line.id) for line in ledger.files[name].lines)
    active = [each for each in memories if each is not None and each.state == "active"]
    return _fitting(desk, (_wording(each) for each in active))


def _wording(found: Memory | Hit) -> Wording:
    """Return a memory, or a hit that is one, as a line needs it."""
    return Wording(
        id=found.id,
        kind=found.kind,
        content=found.content,
        tags=found.tags,
        project=found.project,
        origin=found.origin,
        created_at=found.created_at,
        pinned=False,
    )


def _fitting(desk: Desk, memories: Iterable[Wording]) -> list[Entry]:
    """Return the lines of memories, as many as there is room for."""
    left = TOKENS - counting.tokens(_text([Entry("")]))
    scope = desk.scope()
    entries = []
    for each in memories:
        entry = gather.memory_entry(each, scope)
        left -= counting.tokens(entry.line) + 1
        if left < 0:
            break
        entries.append(entry)
    return entries


def _prompts(desk: Desk, head: int) -> dict[str, Record]:
    """Return the last prompt of each project in which something was said since the last time."""
    joined = {row.key: row.joined or row.key for row in desk.transcript.roots()}
    seq = max(desk.store.jobs.number(_CURSOR), head - _FARTHEST)
    found: dict[str, Record] = {}
    while seq < head and (records := desk.transcript.behind(seq, _CHUNK)):
        for record in records:
            if record.kind == "prompt" and record.origin == "user" and record.project in joined:
                project = joined[record.project]
                found.pop(project, None)
                found[project] = record
        seq = records[-1].seq
    return found


def _found(desk: Desk, project: str, prompt: Record) -> Sequence[Entry]:
    """Return what fits a prompt, the most relevant first."""
    roots = desk.transcript.roots()
    keys = tuple(row.key for row in roots if project in {row.key, row.joined})
    before = desk.transcript.lately(prompt.session, prompt.seq, 2)
    said = " ".join(reversed([text_of(each) for each in before if each.body is not None]))
    question = Question(
        text=surfacing.question(text_of(prompt), said),
        scope=Scope(layers=("memory",), projects=keys),
        limit=_FOUND,
    )
    hits = search(question, desk.store, desk.transcript.find, lambda: None, desk.now).hits
    surroundings = desk.surroundings
    doubted = surfacing.doubted(hits, text_of(prompt), said)
    chosen = surfacing.surfacing(
        doubted, (), surroundings.key, threshold=surroundings.threshold, tokens=TOKENS
    )
    return _fitting(desk, (_wording(each) for each in chosen.hits))
