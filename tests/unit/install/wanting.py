"""What is wanted, and done: shared by the tests of installing and of taking it back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.install import installing
from tacit.install.clients import CLIENTS, place
from tacit.install.installing import Wanted

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = CLIENTS["claude-code"]
SERVER = ("/usr/bin/python3", "-m", "tacit", "mcp")


def of_user(user: Path) -> Wanted:
    """Return what is wanted for all projects of a user, without a server."""
    here = place(CLIENT, "user", {"HOME": str(user)}, user / "project")
    return Wanted(client=CLIENT, place=here, home=user / "home")


def with_server(wanted: Wanted) -> Wanted:
    """Return the same with a server."""
    return replace(wanted, server=SERVER)


def of_project(wanted: Wanted, project: Path) -> Wanted:
    """Return what the same user wants for one project."""
    user = wanted.place.launcher.parent.parent
    here = place(CLIENT, "project", {"HOME": str(user)}, project)
    return Wanted(client=CLIENT, place=here, home=wanted.home)


def install(wanted: Wanted) -> None:
    """Install it."""
    installing.install(wanted, installing.plan(wanted))


def everything(user: Path) -> dict[str, bytes]:
    """Return all files outside of our home."""
    home = user / "home"
    files = (each for each in user.rglob("*") if each.is_file() and home not in each.parents)
    return {str(each.relative_to(user)): each.read_bytes() for each in files}
