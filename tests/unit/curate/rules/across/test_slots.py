"""Slots: another value for the same attribute of the same subject, and nothing else."""

from __future__ import annotations

import pytest

from rig import corpus
from tacit.curate.rules.across.slots import (
    clauses_with_values,
    is_same_slot,
    may_be_same_slot,
    with_value,
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Postgres locally is 5432", "Postgres locally is on port 5434 now"),
        ("MSRV is 1.70 because of Debian", "Debian moved on, so MSRV can go to 1.85 now"),
        ("Logs are kept for 90 days", "Logs are kept for 180 days"),
        ("The API timeout is 10 seconds", "The API timeout is 30 seconds"),
        ("Our retro is on Fridays", "Our retro is on Thursdays now"),
        ("Standup is at 10:00", "Standup is at 9:30"),
        ("The weekly demo is on Tuesday", "Weekly demo moved to Wednesday"),
        ("The staging env runs on Hetzner", "The staging env runs on Fly now"),
        ("Maria owns billing", "Tom owns billing now"),
        ("The Grafana dashboard is on port 3000", "Grafana runs on port 3100 now"),
        ("Unser Jenkins läuft auf Port 8085", "Unser Jenkins läuft jetzt auf Port 8088"),
    ],
)
def test_another_value_of_the_same_slot_is_found(old: str, new: str) -> None:
    assert is_same_slot(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The backup server is at 10.0.0.5", "The mail server is at 10.0.0.6 now"),
        ("The backup server is at 10.0.0.5", "The server is at 10.0.0.6 now"),
        ("Maria owns billing", "Tom took over the search module"),
        ("The staging db is on 5433", "The prod db is on 5432"),
        ("The API timeout is 10 seconds", "The worker timeout is 30 seconds"),
        ("The office in Berlin closes at six", "The office closes at seven"),
        ("Invoices go out on the 3rd", "Reports go out on the 5th"),
        ("Shelf 70 holds tea", "Shelf 71 holds tea"),
        ("Port 80 is open", "Port 443 is open"),
        ("The order with id 55 is paid", "The order with id 56 is paid"),
        ("The API is in Go", "The API is in Frankfurt"),
        ("We use Postgres", "We use Redis now"),
        ("The till listens on port 9191", "Maybe the till listens on port 9292"),
    ],
)
def test_another_subject_is_another_slot(old: str, new: str) -> None:
    assert not is_same_slot(new, old)


def test_a_narrower_or_wider_statement_fills_no_slot_of_the_other() -> None:
    limited = {"wider", "narrower"}
    rows = [each for each in corpus("replacing/scope") if each["new_is"] in limited]

    wrong = [each for each in rows if is_same_slot(each["new"], each["old"])]

    assert wrong == []
    assert len(rows) > 50


def test_part_of_a_statement_is_no_slot_but_may_be_one() -> None:
    old, new = "Leases go to 7400 and ingredients go to 7500", "Leases now go to 7410"

    assert (is_same_slot(new, old), may_be_same_slot(new, old)) == (False, True)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Postgres is on 5432", "5434", "Postgres is on 5434"),
        (
            "Snapshots are in the bucket mire-snap-us",
            "mire-snap-eu",
            "Snapshots are in the bucket mire-snap-eu",
        ),
        ("The release manager is Ravi", "Oskar", "The release manager is Oskar"),
        ("Postgres is on 5432", "Thursday", ""),
        ("Leases go to 7400 and ingredients to 7500", "7410", ""),
        ("Use tabs", "5434", ""),
    ],
)
def test_a_terse_answer_takes_the_place_of_the_one_value(old: str, new: str, told: str) -> None:
    assert with_value(old, new) == told


def test_numbers_in_words_and_with_separators_are_the_same_value() -> None:
    (one,), (other,) = (
        clauses_with_values("The limit is ten"),
        clauses_with_values("The limit is 10"),
    )

    assert one.values == other.values
    assert clauses_with_values("The budget is $1,500")[0].values[0].value == "1500"
