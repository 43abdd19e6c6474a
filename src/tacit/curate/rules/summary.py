"""Summaries: what each turn came to, and a session of its turns."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tacit.curate.rules.across.asked import ENOUGH, asked
from tacit.curate.rules.cues import cues
from tacit.curate.rules.outcomes import committed, installed
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.touched import touched
from tacit.curate.rules.words import stems
from tacit.curate.trust import is_echo, is_suspect, may_order
from tacit.model.action import Note, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.curate.rules.view import View
    from tacit.model.action import Action
    from tacit.model.memory import Memory

_ONE_RESULT = 130
_MOST = 390  # characters of a field
_MOST_LEARNED = 6
_MOST_FILES = 200
_LOOKED = ("Grep", "Glob", "WebFetch", "WebSearch")
_TOLD = frozenset(("discovery", "bugfix", "fact", "decision", "context"))


def note_of(view: View, *, only_tells: bool = False) -> Note:
    """Return what one turn came to; one that *only tells* something asks for nothing."""
    read: list[str] = []
    edited: list[str] = []
    for act in (*view.acts, *view.boring):
        files = touched(act, view.root)
        read += files[0]
        edited += files[1]
    return Note(
        session=view.turn.session,
        turn=view.turn.turn,
        seq=view.turn.said[0].seq,
        at=view.turn.said[-1].at,
        asked=asked(view, only_tells=only_tells),
        done=_done(view),
        looked=tuple(
            dict.fromkeys(act.tool for act in (*view.acts, *view.boring) if act.tool in _LOOKED)
        ),
        files_read=tuple(dict.fromkeys(read)),
        files_edited=tuple(dict.fromkeys(edited)),
    )


def summary_of(
    notes: Sequence[Note], learned: Iterable[Memory], waiting: Iterable[Action]
) -> Summary:
    """Return what a session came to so far."""
    read = dict.fromkeys(name for note in notes for name in note.files_read)
    edited = dict.fromkeys(name for note in notes for name in note.files_edited)
    looked = dict.fromkeys(name for note in notes for name in note.looked)
    told = [
        memory.content
        for memory in learned
        if memory.kind in _TOLD and (memory.is_trusted or memory.is_supported)
    ]
    return Summary(
        session=notes[0].session,
        project=None,
        request=_joined(_goals(notes)),
        investigated=_joined([*_counted(len(read), "read"), *(f"used {name}" for name in looked)]),
        learned=_joined(told[-_MOST_LEARNED:]),
        completed=_joined([note.done for note in reversed(notes) if note.done]),
        next_steps=_joined([action.content for action in waiting]),
        files_read=tuple(read)[:_MOST_FILES],
        files_edited=tuple(edited)[:_MOST_FILES],
        notes=f"{len(notes)} turn{'s' * (len(notes) != 1)}",
        updated_at=max(note.at for note in notes),
    )


def _done(view: View) -> str:
    """Return what a turn has finished, as its reply and its commands tell."""
    made = [draft.content for draft in (*committed(view), *installed(view))]
    if view.reply is not None and view.acts:
        told = _sentences(view.reply.text)
        told.sort(key=lambda each: "done" not in cues(each))  # what is finished first
        own = (each for each in told if _may_be_told(each, view))
        made += [phrase(each[:_ONE_RESULT], view.reply.at) for each in islice(own, 1)]
    return "; ".join(each for each in made if not _orders(each))[: 2 * _ONE_RESULT]


def _may_be_told(told: str, view: View) -> bool:
    """Say whether something that the agent told is fit for a summary, and its own."""
    return not is_private(told) and not _orders(told) and not is_echo(told, view)


def _orders(told: str) -> bool:
    """Say whether something told is an order, or repeats one behind a colon."""
    repeated = told.split(": ")[1:]
    return may_order(told) or any(is_suspect(part, is_tool=False) for part in repeated)


def _sentences(text: str) -> list[str]:
    """Return what a reply tells, clause by clause; what stands before a colon goes with it."""
    pieces = clauses(text)
    told, at = [], 0
    while at < len(pieces):
        stop = at
        while stop + 1 < len(pieces) and text[pieces[stop].stop : pieces[stop].stop + 1] == ":":
            stop += 1
        told.append(text[pieces[at].start : pieces[stop].stop])
        at = stop + 1
    return [each for each in told if "?" not in each]


def _goals(notes: Sequence[Note]) -> list[str]:
    """Return the first request, and those that lead elsewhere."""
    goals: list[str] = []
    known: set[str] = set()
    for note in notes:
        about = stems(note.asked)
        if note.asked and len(about - known) >= ENOUGH:
            goals.append(note.asked)
            known |= about
    return goals


def _counted(count: int, what: str) -> list[str]:
    return [f"{what} {count} file{'s' * (count != 1)}"] if count else []


def _joined(parts: Iterable[str]) -> str:
    """Return parts in one line, as many as fit."""
    line = ""
    for part in dict.fromkeys(parts):
        longer = f"{line}; {part}" if line else part
        if len(longer) > _MOST:
            break
        line = longer
    return line
