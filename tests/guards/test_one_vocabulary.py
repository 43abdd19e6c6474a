"""One word, one meaning: the verbs of the command line are the verbs of the app."""

from __future__ import annotations

import inspect

from tacit.app import App
from tacit.cli.main import VERBS

# Verbs that are about the program itself, not about what it remembers.
OF_THE_PROGRAM = {"daemon", "demo", "watch"}
# Verbs of the app that other verbs use.
WITHIN = {"backups", "close", "drain", "group", "is_backup_due", "projects", "waiting"}
# Verbs that get their word on the command line with what they are part of.
LATER = {"erase": "the owner's verbs"}


def test_the_verbs_of_the_command_line_are_those_of_the_app() -> None:
    verbs = {
        name
        for name, _ in inspect.getmembers(App, inspect.isfunction)
        if not name.startswith("_") and name not in WITHIN | LATER.keys()
    }

    assert set(VERBS) - OF_THE_PROGRAM == verbs
