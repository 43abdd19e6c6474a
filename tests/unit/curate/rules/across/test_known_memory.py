"""Known memory: a qualifier, a place or a condition makes it narrower; a purpose does not."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.known_memory import (
    find_lead,
    is_narrower,
    known_memory,
    qualifiers_of,
)

NPM = ("npm",)


@pytest.mark.parametrize(
    "text",
    [
        "We use npm",
        "We use npm for installs",
        "We use npm for the dependencies",
        "We use npm, because the mirror is fast",
        "The project uses npm",
        "Installs run with npm",
    ],
)
def test_a_purpose_a_reason_or_the_project_itself_make_no_memory_narrower(text: str) -> None:
    told = frozenset(NPM) | {"instal"} if text.startswith("Installs") else frozenset(NPM)

    assert not is_narrower(known_memory(text), NPM, told)


@pytest.mark.parametrize(
    "text",
    [
        "Contractors use npm",
        "We use npm on Windows",
        "In CI we use npm for installs",
        "We use npm for the web app",
        "We use npm for contractors",
        "The web project uses npm",
        "When the mirror is down, use npm",
    ],
)
def test_who_where_and_when_make_a_memory_narrower(text: str) -> None:
    assert is_narrower(known_memory(text), NPM, frozenset(NPM))


def test_a_port_is_enough_to_say_who_has_it() -> None:
    port = ("port", "5432")

    found = [
        is_narrower(known_memory(text), port, frozenset(port))
        for text in ("The dev database listens on port 5432", "On staging it is on port 5432")
    ]

    assert found == [False, True]


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("We use npm", "strong"),
        ("The package manager is npm", "weak"),
        ("We use npm and yarn", ""),
        ("We use npm scripts", ""),
        ("We like it", ""),
    ],
)
def test_a_value_is_known_by_the_word_before_it(text: str, lead: str) -> None:
    assert find_lead(known_memory(text), NPM) == lead


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The new server is theirs", {"new"}),
        ("Their US customers", {"their", "US"}),
        ("They told us", set()),
    ],
)
def test_words_without_content_may_qualify(text: str, found: set[str]) -> None:
    assert qualifiers_of(text) == found
