"""Ten thousand memories: every page stays within its limit, and nothing is lost to search."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from contract.conftest import NOON
from contract.memories import fact, statement
from tacit.deliver import counting
from tacit.deliver.curated import boot, keep
from tacit.deliver.curated.names import LIMITS, RENDERED
from tacit.model.memory import DAY_NS, KINDS
from tacit.recall.question import Question
from tacit.recall.search import search
from tacit.store.index_port import Scope
from unit.deliver.curated.conftest import folder, fresh_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.deliver.curated.desk import Desk

MANY = 10_000
ASKED = 60


def name_of(number: int) -> str:
    """Return a word that no other number has."""
    return "zu" + "".join("bdfghjklmn"[int(digit)] for digit in f"{number:05d}")


@pytest.fixture(scope="module")
def crowded() -> Iterator[Desk]:
    """Return a desk at which ten thousand things are known, and its pages."""
    chance = random.Random(7)  # noqa: S311  (the same each time)
    with fresh_desk() as desk:
        with desk.store.transaction():
            for number in range(MANY):
                made = fact(
                    f"mem-{number:05d}",
                    content=f"The shelf {name_of(number)} holds tea",
                    kind=chance.choice(KINDS),
                    origin=chance.choice(["user", "owner", "assistant", "tool:Bash"]),
                    project=chance.choice(["project-1", "project-2", None]),
                    importance=chance.randint(1, 5),
                    created_at=NOON - chance.randrange(200) * DAY_NS,
                )
                desk.store.memories.put(made, statement(made.content))
        assert keep.prepare(desk) == 0
        yield desk


@pytest.mark.parametrize("name", RENDERED)
def test_no_page_has_more_lines_than_it_may(name: str, crowded: Desk) -> None:
    text = (folder(crowded) / name).read_text(encoding="utf-8")

    assert len(text.splitlines()) <= LIMITS[name]
    assert name == "files.md" or len(text.splitlines()) > 0.9 * LIMITS[name]


def test_what_has_no_room_on_a_page_is_still_found(crowded: Desk) -> None:
    shown = "".join((folder(crowded) / name).read_text(encoding="utf-8") for name in RENDERED)
    hidden = [number for number in range(MANY) if f"{name_of(number)} " not in shown]

    for number in hidden[:: len(hidden) // ASKED]:
        question = Question(text=name_of(number), scope=Scope(layers=("memory",)))
        hits = search(question, crowded.store, crowded.transcript.find, lambda: None, NOON).hits
        assert hits[0].id == f"mem-{number:05d}"
    assert len(hidden) > MANY / 2
    assert crowded.store.told.standing() == MANY


def test_the_boot_text_stays_within_its_tokens(crowded: Desk) -> None:
    made = boot.boot(crowded, None)

    assert counting.tokens(made.text) == made.tokens <= boot.TOKENS
    assert made.tokens > 0.9 * boot.TOKENS
