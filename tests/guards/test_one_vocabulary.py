"""One word, one meaning: the verbs of the command line are the verbs of the app."""

from __future__ import annotations

import inspect

import click

from tacit.app import App
from tacit.cli.main import VERBS, tacit

# Verbs that are about the program itself, not about what it remembers.
OF_THE_PROGRAM = {"adopt", "daemon", "demo", "install", "mcp", "uninstall", "watch"}
# Verbs of the app that other verbs use.
WITHIN = {
    "accept_edits", "ask", "ask_model", "asked", "backups", "begin_proof", "check_model",
    "check_transcript", "close", "curate", "discard_proofs", "drain", "edits", "end_proof",
    "find_uses", "group", "groups", "hear", "is_backup_due", "is_empty", "is_merge_due",
    "is_workspace", "keys_at", "keys_of", "last_recovery", "meaning", "memory", "merge", "mirror",
    "prepare", "projects", "read_again", "reading_cost", "reject_edits", "rest", "select",
    "session_named", "spaces", "surface_every", "surfacing", "tell", "tend", "told_again",
    "understand", "unregistered", "upkeep", "uses", "waiting", "workspaces",
}  # fmt: skip
# Verbs that are said behind another one: `tacit quarantine accept`.
BEHIND = {
    "accept": "quarantine",
    "reject": "quarantine",
    "resolve": "actions",
    "dismiss": "actions",
    "retry": "queue",
}
# Verbs that are asked for one by one: `tacit review`.
ASKED_FOR = {"choose", "keep"}


def test_the_verbs_of_the_command_line_are_those_of_the_app() -> None:
    verbs = {
        name
        for name, _ in inspect.getmembers(App, inspect.isfunction)
        if not name.startswith("_") and name not in WITHIN | BEHIND.keys() | ASKED_FOR
    }

    assert set(VERBS) - OF_THE_PROGRAM == verbs


def test_what_is_said_behind_a_verb_can_be_said_there() -> None:
    for verb, before in BEHIND.items():
        command = tacit.get_command(click.Context(tacit), before)

        assert isinstance(command, click.Group)
        assert verb in command.commands
