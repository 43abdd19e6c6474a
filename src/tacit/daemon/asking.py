"""Asking the daemon, from a command: what it answers in time, or nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tacit.capture.ask import ask
from tacit.daemon.answers import SEARCH
from tacit.recall import wire

if TYPE_CHECKING:
    from tacit.recall.question import Answer, Question

SECONDS = 2.0
LONGEST = 4 << 20  # a hundred hits of two thousand letters, each written as an escape


def search(root: int, group: str, question: Question, seconds: float = SECONDS) -> Answer | None:
    """Return the daemon's answer to a question; None if there is no daemon, or it is too slow."""
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        said = ask(root, SEARCH, group, wire.asked(question), seconds, LONGEST)
    finally:
        os.fchdir(here)  # asking stands in the home
        os.close(here)
    try:
        return wire.answer(said[1]) if said else None
    except wire.NotUnderstood:  # a daemon of another version: words do
        return None
