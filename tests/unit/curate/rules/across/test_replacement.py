"""Replacement: a statement replaces what it names; other talk of a change replaces nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rig import corpus
from stopwatch import cpu_seconds
from tacit.curate.rules.across.replacement import denies, names

DEVELOPED = corpus("replacing/developed")
HELD_OUT = corpus("replacing/held-out")
SCOPE = corpus("replacing/scope")
FEWEST = 10  # of the 12 held-out pairs that name what they replace


def pair(sample: dict[str, Any]) -> str:
    """Return how a sample is called in a report."""
    return f"{sample['old']} | {sample['new']}"


@pytest.mark.parametrize("sample", DEVELOPED, ids=pair)
def test_a_statement_replaces_what_it_names_and_nothing_else(sample: dict[str, Any]) -> None:
    assert bool(names(sample["new"], sample["old"])) is sample["retires"]


@pytest.mark.parametrize("sample", SCOPE, ids=pair)
def test_only_a_statement_about_just_the_same_replaces_a_memory(sample: dict[str, Any]) -> None:
    is_same = sample["new_is"] == "same"  # else the statement is about something wider or narrower

    assert bool(names(sample["new"], sample["old"])) is sample["retires"] is is_same


def test_of_pairs_that_the_rule_was_not_made_with_none_is_replaced_wrongly() -> None:
    found = [each for each in HELD_OUT if names(each["new"], each["old"])]

    assert [pair(each) for each in found if not each["retires"]] == []
    assert len(found) >= FEWEST


POSTGRES, CACHE, NPM = "Use Postgres for storage", "We use Redis for caching", "We use npm"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NPM, "use pnpm instead of npm in the web app"),
        (NPM, "In the web app use pnpm instead of npm"),
        ("We use Postgres", "switch from Postgres to sqlite locally"),
        (CACHE, "We don't use Redis for queues any more"),
        ("Use tabs for indentation", "No more tabs in YAML"),
        ("We deploy on Fridays", "We don't deploy on Fridays before holidays any more"),
        ("Tests run in Docker", "Tests no longer run in Docker on Windows"),
        ("Tags are signed with GPG", "Tags are signed with SSH, not GPG, in the forks"),
        ("On utilise Redis pour les sessions", "On n'utilise plus Redis pour les files d'attente"),
        ("Usamos Jenkins para CI", "Ya no usamos Jenkins para los informes"),
        ("Wir nutzen Jira für Bugs", "Nutze Jira nicht mehr für Notizen"),
    ],
)
def test_what_holds_in_one_place_only_replaces_nothing(old: str, new: str) -> None:
    assert names(new, old) == 0


@pytest.mark.parametrize(
    "new",
    [
        "Should we drop Postgres?",
        "Ben says: drop Postgres",
        "The client wants MySQL instead of Postgres",
        "Other teams use MySQL instead of Postgres",
        "You can use MySQL instead of Postgres",
        "I accidentally used MySQL instead of Postgres",
        "The bug was using MySQL instead of Postgres",
        "It would be nice to replace Postgres with MySQL",
        "Never replace Postgres with MySQL",
        "If it gets slow, drop Postgres",
        "For now use MySQL instead of Postgres",
        "We are not moving from Postgres to MySQL",
        "We switched back from MySQL to Postgres",
        "Nicht nur Postgres, auch MySQL",
    ],
)
def test_a_wish_a_condition_or_another_s_word_replaces_nothing(new: str) -> None:
    assert names(new, POSTGRES) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use npm and yarn", "drop npm"),
        ("We lint with ruff and format with black", "drop black"),
        ("We use npm scripts for tasks", "drop npm"),
        ("The server runs Debian", "The server no longer runs"),
        ("The yapf config is in setup.cfg", "drop yapf"),
        ("Never use eval", "Use ast.literal_eval instead of eval"),
        ("The API key is rotated monthly", "The API key no longer works"),
        (CACHE, "The Redis password is no longer valid"),
        (CACHE, "Don't use Redis"),
        ("The report is late, since it is built with Excel", "drop Excel"),
        ("We keep three backups", "We keep not more than three backups"),
    ],
)
def test_a_memory_that_says_something_else_of_the_same_thing_stays(old: str, new: str) -> None:
    assert names(new, old) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NPM, "use pnpm instead of npm"),
        (NPM, "Instead of npm, use pnpm"),
        ("We use npm, because the mirror is fast", "use pnpm instead of npm"),
        ("Das Backend nutzt Redis", "Das Backend nutzt Redis nicht mehr"),
        ("The dev database listens on port 5432", "switch from port 5432 to 5434"),
        ("We keep logs for 30 days", "We keep logs for 90 days, not 30"),
        ("Use four spaces for indentation", "Use two spaces instead of four for indentation"),
        ("The default model is gpt-4", "The default model is no longer gpt-4"),
        ("Deploys need approval from Ana", "Deploys no longer need approval from Ana"),
        ("Login works with passwords", "Passwords are gone, login works with passkeys"),
        ("Never commit generated files", "Commit generated files"),
        ("The cron job runs at 3:00", "The cron job runs at 4:00 instead of 3:00"),
        ("Wir nutzen Celery", "Celery wurde durch Dramatiq ersetzt"),
        ("On utilise Vue", "Vue est remplacé par Svelte"),
        ("Usamos Jenkins", "Hemos migrado de Jenkins a GitLab"),
    ],
)
def test_what_is_named_in_so_many_words_is_replaced(old: str, new: str) -> None:
    assert names(new, old) > 0


def test_the_more_of_a_memory_is_named_the_more_it_is_meant() -> None:
    old = "We use npm for installs"

    assert (names("Use pnpm instead of npm", old), names("No npm for installs", old)) == (1, 2)


@pytest.mark.parametrize(
    ("text", "is_denied"),
    [("Drop yapf", True), ("No mocks", True), ("Use yapf", False), ("", False), ("!?", False)],
)
def test_whether_anything_is_denied_is_told_without_a_memory(text: str, *, is_denied: bool) -> None:
    assert denies(text) is is_denied


@pytest.mark.parametrize("text", ["", "?", "instead of", "from to", "not", "no longer", "drop the"])
def test_words_that_name_nothing_replace_nothing(text: str) -> None:
    assert names(text, NPM) == names(NPM, text) == 0


def test_a_long_statement_is_read_in_linear_time() -> None:
    long = "switch from " * 400 + "npm to " * 400

    assert cpu_seconds(lambda: names(long, NPM), tries=1) < 1.0
