"""What tests of rules share: a turn as the rules see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.extract import Context
from tacit.curate.reading import read
from tacit.curate.rules.view import view

if TYPE_CHECKING:
    from tacit.curate.rules.view import View
    from unit.curate.saying import Desk


def viewed(desk: Desk, prompt: str) -> View:
    """Return what is seen of a turn in which the user says this, and nothing else happens."""
    name = desk.prompt(prompt)
    found = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert found is not None
    return view(found, Context())
