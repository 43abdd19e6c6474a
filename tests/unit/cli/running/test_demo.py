"""`tacit demo`: the real hook and the real transcript in a home that is thrown away."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit
from tacit.cli.running.demo import sample
from tacit.compose import open_app

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


@pytest.fixture
def scratch(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the temporary directory of the demo."""
    directory = home.scratch / "temporary"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return directory


def demo(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["demo", *arguments], catch_exceptions=False).stdout


@pytest.mark.usefixtures("scratch")
def test_each_event_of_the_sample_goes_through_the_hook_and_ends_well() -> None:
    told = demo().partition("2. What is on disk")[0]

    runs = [line.split()[:3] for line in told.splitlines()[1:] if line]
    assert runs == [[event, "exit", "0,"] for event, _ in sample()]


@pytest.mark.usefixtures("scratch")
def test_each_event_of_the_sample_is_on_disk_afterwards() -> None:
    told = demo().partition("2. What is on disk")[2].partition("3. Taken into")[0]

    events = [line.split()[0] for line in told.splitlines()[1:] if line]
    assert events == [event for event, _ in sample()]


@pytest.mark.usefixtures("scratch")
def test_secrets_and_private_spans_of_the_sample_are_not_shown() -> None:
    told = demo()

    shown = [word in told for word in ("Vq7-tulip", "Hn4_orchard", "sister", "off the record")]
    assert shown == [False] * 4


@pytest.mark.usefixtures("scratch")
def test_each_event_of_the_sample_is_taken_in_once_and_verified() -> None:
    told = demo().partition("3. Taken into")[2]

    count = len(sample())
    assert f"{count} events taken in, {count} verified: all as they were written" in told


@pytest.mark.usefixtures("scratch")
def test_each_turn_of_the_sample_is_shown_with_its_tools() -> None:
    told = demo().partition("3. Taken into")[2].partition("4. What is")[0]

    firsts = [line.split()[0] for line in told.splitlines()[1:] if line]
    assert firsts == ["session", "finished", "✓", "✓", "finished", str(len(sample()))]


@pytest.mark.usefixtures("scratch")
def test_what_is_remembered_is_shown_with_the_words_it_came_from() -> None:
    told = demo().partition("4. What is")[2].partition("5. In a later")[0]

    assert "[fact] Staging is deployed on Fridays" in told
    assert "user said: Good. [private] Remember that «staging is deployed on Fridays»" in told


@pytest.mark.usefixtures("scratch")
def test_a_later_session_corrects_does_what_was_left_and_is_summed_up() -> None:
    told = demo().partition("5. In a later")[2].partition("6. Found")[0]

    assert [" ".join(line.split()) for line in told.splitlines()[1:] if line] == [
        "replaced Staging is deployed on Fridays",
        "by Staging is no longer deployed on Fridays, it moved to Mondays.",
        "acted on Remind me to update the changelog.",
        "request Now update the changelog for the importer fix and commit it.",
        "completed The changelog is updated and committed.",
        "files CHANGELOG.md",
    ]


@pytest.mark.usefixtures("scratch")
def test_a_search_finds_the_corrected_memory_in_the_same_words_and_in_others() -> None:
    told = demo().partition("6. Found")[2].partition("7. The owner")[0]

    searches = told.split("search ")[1:]
    assert len(searches) == 2
    for each in searches:
        assert "it moved to Mondays" in each.splitlines()[1]
        assert "Staging is deployed on Fridays" not in each


@pytest.mark.usefixtures("scratch")
def test_the_owner_s_verbs_are_shown_and_a_rebuild_keeps_what_they_did() -> None:
    told = demo().partition("8. Paused")[0].partition("7. The owner")[2]

    verbs = [line.split()[0] for line in told.splitlines()[1:] if line]
    assert verbs == ["remember", "correct", "diff", "diff", "undo", "rebuild"]
    assert told.strip().endswith("the same")


@pytest.mark.usefixtures("scratch")
def test_the_pause_holds_back_the_last_event() -> None:
    told = demo()

    assert "0 events wait, 0 hook failures" in told


def test_the_demo_leaves_nothing_behind(scratch: Path, program: Program) -> None:
    ended = program("demo")

    assert (ended.returncode, ended.stderr, list(scratch.iterdir())) == (0, b"", [])


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_user_s_own_home_is_not_touched(
    *, is_chosen: bool, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_chosen:
        monkeypatch.delenv("TACIT_HOME")

    demo()

    assert (home.path.exists(), (home.scratch / "user").exists()) == (False, False)


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    ("name", "value"),
    [("TACIT_OFF", "1"), ("TACIT_INTERNAL", "1"), ("TACIT_HOME", "/nowhere/home")],
)
def test_what_the_user_chose_for_tacit_does_not_change_the_demo(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    told = demo()

    assert f"{len(sample())} events taken in" in told


def test_a_kept_home_is_named_and_holds_the_events(scratch: Path) -> None:
    told = demo("--keep")

    kept = Path(told.rpartition("Kept in ")[2].strip().removesuffix("."))
    app = open_app(str(kept / "home"))
    events = app.status().groups[0].events
    app.close()
    decided = ["remember", "correct", "undo"]
    played = len(sample()) + len(sample("later"))
    assert (kept.parent, events) == (scratch, played + len(decided))


def test_a_demo_that_nobody_watches_to_the_end_leaves_nothing_behind_either(
    scratch: Path, program: Program
) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    program("demo", capture_output=False, stdout=writing)
    os.close(writing)

    assert list(scratch.iterdir()) == []
