"""Who is at the keyboard: the owner, or an agent that runs our commands."""

from __future__ import annotations

import os
import sys

import click

from tacit import policy
from tacit.errors import NotAllowed
from tacit.policy import Caller

_SESSION = "CLAUDE_CODE_SESSION_ID"


def caller() -> Caller:
    """Return who changes something: an agent inside an agent's session, else the owner."""
    is_agent = bool(os.environ.get("CLAUDECODE") or os.environ.get("AI_AGENT"))
    return Caller(
        profile=policy.AGENT if is_agent else policy.OWNER,
        session=os.environ.get(_SESSION, "") if is_agent else "",
        is_terminal=sys.stdin.isatty(),
    )


def origin() -> str:
    """Return whose word it is."""
    return caller().origin


def confirm(question: str, *, is_sure: bool, what: str = "This replaces what there is.") -> None:
    """Ask before something is replaced or goes; an agent, or a pipe without --yes, is refused."""
    is_terminal = sys.stdin.isatty()
    if origin() == "agent" and not is_terminal:
        raise NotAllowed("This needs the owner at a terminal. Ask the user to run it.")
    if is_sure:
        return
    if not is_terminal:
        raise NotAllowed(f"{what} Say --yes if that is meant.")
    if not click.confirm(question):
        raise click.Abort
