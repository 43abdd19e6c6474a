"""Selecting: what the files are to show by the last answer about them, until they do.

Which answer that is was learned with all else it says, so a program that is killed before the files
are made makes them later, and a memory that is made anew has them made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.model import calls
from tacit.curate.model.reply import FILES, answer_of

if TYPE_CHECKING:
    from tacit.curate.model.reply import Answer
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

_SHOWN, _SELECTED, _TAKEN = "shown ", "selected ", "taken "


def note(store: SqliteMemory, answer: Answer, seq: int) -> None:
    """Remember which files a model has seen as they are, and for which it has selected."""
    for name, stamp in answer.seen.items():
        store.jobs.set_number(_SHOWN + name, stamp)
    for name in answer.files:
        store.jobs.set_number(_SELECTED + name, seq)


def is_seen(store: SqliteMemory, name: str, stamp: int) -> bool:
    """Say whether the last answer was about a file as it is."""
    return store.jobs.number(_SHOWN + name) == stamp


def waiting(transcript: Store, store: SqliteMemory) -> dict[str, tuple[str, ...]]:
    """Return the selections that no file shows yet; those of erased answers count no longer."""
    found: dict[str, tuple[str, ...]] = {}
    for name in FILES:
        seq = store.jobs.number(_SELECTED + name)
        if seq > store.jobs.number(_TAKEN + name):
            answers = map(calls.replied, transcript.behind(seq - 1, 1))
            told = [answer_of(each.answer).files for each in answers if each and each.seq == seq]
            found.update((name, files[name]) for files in told if name in files)
    return found


def take(store: SqliteMemory, name: str) -> None:
    """Let a selection wait no longer: its file shows it, or it was refused."""
    store.jobs.set_number(_TAKEN + name, store.jobs.number(_SELECTED + name))
