"""The official suite against our server: all that is ours passes, and nothing goes unnoticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.line import PROJECT
from conformance.suite import (
    EXCUSED,
    NEXT,
    NOT_OURS,
    RELEASED,
    RUNS,
    SCHEMA,
    Check,
    Run,
    names,
    scenarios,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = {name for run in RUNS for name in run.ours}
LISTED = {name for listed in NOT_OURS.values() for name in names(listed)}
PROGRAM = Path(__file__).with_name("served.py")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return where our server answers."""
    home = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-P", str(PROGRAM), str(home / "home"), PROJECT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as serving:
        assert serving.stdout is not None
        yield serving.stdout.readline().strip()
        serving.kill()


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: f"{run.package}-{run.revision}")
def run(request: pytest.FixtureRequest) -> Run:
    """Return each run of the suite."""
    chosen: Run = request.param
    return chosen


@pytest.fixture(scope="module")
def found(run: Run, url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Check]]:
    """Return what each scenario of a run found."""
    return run.found(url, tmp_path_factory.mktemp("found"))


def test_every_scenario_that_is_ours_passes(run: Run, found: dict[str, list[Check]]) -> None:
    wrong = {
        f"{name}:{check.id}": check.why
        for name in run.ours
        for check in found[name]
        if check.is_wrong and check.id not in names(EXCUSED.get(name, ""))
    }

    assert wrong == {}
    assert all(any(check.status == "SUCCESS" for check in found[name]) for name in run.ours)


def test_no_excuse_is_out_of_date(run: Run, found: dict[str, list[Check]]) -> None:
    needless = {
        name: names(EXCUSED[name]) - {check.id for check in found[name] if check.is_wrong}
        for name in run.ours & EXCUSED.keys()
    }

    assert not any(needless.values())


def test_no_answer_breaks_the_schema_whatever_is_asked(found: dict[str, list[Check]]) -> None:
    broken = {
        name: check.why
        for name, checks in found.items()
        for check in checks
        if check.id == SCHEMA and check.is_wrong
    }

    assert broken == {}


@pytest.mark.parametrize("package", [RELEASED, NEXT])
def test_every_scenario_of_the_suite_is_run_or_listed(package: str, tmp_path: Path) -> None:
    known = scenarios(package, tmp_path)

    assert "tools-list" in known
    assert known - OURS - LISTED == set()


def test_no_scenario_is_listed_that_the_suite_does_not_know(tmp_path: Path) -> None:
    known = scenarios(RELEASED, tmp_path) | scenarios(NEXT, tmp_path)

    assert (OURS | LISTED) - known == set()
    assert set() == OURS & LISTED
