"""Public names are pinned: what others may build on changes only on purpose."""

from __future__ import annotations

import ast
import inspect

import pytest

from rig import ROOT
from tacit.app import App
from tacit.capture import entry, message
from tacit.capture.spool import Spool

ROOMS = sorted(file.parent for file in (ROOT / "src" / "tacit").rglob("__init__.py"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_has_a_promise_and_exports_nothing(room: object) -> None:
    text = (ROOT / str(room) / "__init__.py").read_text(encoding="utf-8")

    body = ast.parse(text).body

    assert [type(node) for node in body] == [ast.Expr]


def _public(thing: object) -> set[str]:
    return {name for name, _ in inspect.getmembers(thing) if not name.startswith("_")}


def test_the_verbs_of_the_app_are_pinned() -> None:
    assert _public(App) == {
        "accept", "accept_edits", "actions", "ask", "ask_model", "asked", "audit", "backup",
        "backups", "begin_proof", "boot", "brief", "cards", "check_model", "check_transcript",
        "choose", "close", "config", "correct", "cost", "curate", "deploy", "diff",
        "discard_proofs", "dismiss", "doctor", "drain", "edits", "end_proof", "files", "find_uses",
        "forget", "group", "groups", "has_model", "hear", "init", "is_backup_due", "is_empty",
        "is_merge_due", "is_workspace", "keep", "keys_at", "keys_of", "last_recovery", "list",
        "meaning", "memory", "merge", "mirror", "model_trouble", "pause", "pin", "prepare",
        "project", "projects", "quarantine", "queue", "read_again", "reading_cost", "rebuild",
        "redact", "reject", "reject_edits", "remember", "resolve", "rest", "restore", "resume",
        "retry", "review", "root", "search", "select", "session_named", "sessions", "show",
        "spaces", "split", "status", "summaries", "surface", "surface_every", "surfacing", "tell",
        "tend", "told_again", "understand", "undo", "unpin", "unregistered", "upgrade", "upkeep",
        "uses", "verify", "waiting", "why", "workspaces",
    }  # fmt: skip


def test_the_spool_is_pinned_for_those_who_take_events_in() -> None:
    assert _public(Spool) == {"close", "oldest", "publish", "read", "remove", "sweep", "waiting"}
    assert set(inspect.signature(Spool.publish).parameters) == {
        "self", "payload", "event", "received_ns", "client", "group", "answered",
    }  # fmt: skip
    assert set(entry.Entry.__slots__) == {
        "received_ns", "event", "client", "pid", "group", "answered", "payload",
    }  # fmt: skip


def test_the_message_event_is_pinned_for_bridges() -> None:
    assert message.EVENT == "message"
    assert set(message.Message.__slots__) == {"session", "role", "text", "at", "id", "project"}
