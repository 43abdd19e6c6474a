"""`tacit brief`: exactly what a new session is told, as of any day, and what came of it."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN, INTACT

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind

TEA, MILK, RULE = "The till sells tea", "I like milk in tea", "Always brew tea at noon"
DAY_NS = 86_400 * 1_000_000_000
NOTHING = (
    "A new session is told nothing.\n"
    "Nothing is recorded yet. Run `tacit install`, then work as always.\n"
)


@pytest.fixture
def tea(cli: Cli, mind: Mind) -> dict[str, str]:
    """Let things be known about tea; return their ids by what they say."""
    mind.begin("s-1")
    return {
        TEA: cli.remember(TEA, "--tag", "shop"),
        MILK: cli.remember(MILK, "--kind", "preference", "--everywhere"),
        RULE: cli.remember(RULE, "--kind", "instruction"),
    }


def told(home: Home, event: str = "SessionStart", session: str = "s-9") -> str:
    """Return what the hook tells a session."""
    ran = home.hook(event, {"session_id": session, "source": "startup"})
    if not ran.out:
        return ""
    return str(json.loads(ran.out)["hookSpecificOutput"]["additionalContext"])


def test_where_nothing_is_known_it_says_so(cli: Cli, home: Home) -> None:
    assert cli("brief") == (0, "", NOTHING)
    assert cli.json("brief")["text"] == ""
    assert not (home.path / "groups" / "main").exists()


@pytest.mark.usefixtures("tea")
def test_it_is_what_the_hook_tells_a_session_here(cli: Cli, home: Home) -> None:
    shown = cli("brief")

    assert shown.out == told(home) + "\n"
    assert re.fullmatch(r"3 of 3 memories, at most \d+ tokens\.\n", shown.err)
    assert f"- [fact] {TEA} (0d ago)" in shown.out


@pytest.mark.usefixtures("tea")
def test_everywhere_is_what_the_hook_tells_a_session_in_an_unknown_place(
    cli: Cli, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = cli("brief", "--everywhere")
    monkeypatch.chdir(home.scratch)

    assert (MILK in everywhere.out, TEA in everywhere.out) == (True, False)
    assert cli("brief").out == everywhere.out
    assert cli("brief", "--project", "project").out != everywhere.out


@pytest.mark.usefixtures("tea")
def test_for_programs_it_is_what_it_consists_of(cli: Cli, tea: dict[str, str]) -> None:
    found = cli.json("brief")

    assert {"entries", "generated_at", "entry_count", "brief_count", "text"} <= found.keys()
    assert (found["entry_count"], found["brief_count"]) == (3, 3)
    assert datetime.fromisoformat(found["generated_at"]).tzinfo is not None
    assert {each["id"]: each["content"] for each in found["entries"]} == {
        name: content for content, name in tea.items()
    }
    (entry,) = (each for each in found["entries"] if each["content"] == TEA)
    assert entry == {
        "id": tea[TEA],
        "kind": "fact",
        "content": TEA,
        "behavioral": False,
        "tags": ["shop"],
        "age_days": 0,
    }
    assert found["text"] == cli("brief").out.rstrip("\n")


def test_as_of_a_day_it_is_what_was_told_then(cli: Cli, mind: Mind) -> None:
    now = time.time_ns()
    old = mind.plant(TEA, at=now - 20 * DAY_NS, origin="user", project=None)
    cli("correct", old.id, "The till sells coffee")

    day = datetime.fromtimestamp((now - 10 * DAY_NS) / 1e9, UTC).date().isoformat()
    then = cli("brief", "--as-of", day)

    assert (TEA in then.out, "coffee" in then.out) == (True, False)
    assert re.search(r"sells tea \((9|10)d ago\)", then.out)
    assert TEA not in cli("brief").out
    assert cli("brief", "--as-of", "2001-01-01").err.splitlines() == [
        "A new session is told nothing.",
        "Nothing that it should know was remembered by then: see `tacit list`.",
    ]


def test_before_anything_was_known_it_does_not_say_that_nothing_is_recorded(cli: Cli) -> None:
    cli.remember(TEA)

    assert cli("brief", "--as-of", "2020-01-01").err.splitlines() == [
        "A new session is told nothing.",
        "Nothing that it should know was remembered by then: see `tacit list`.",
    ]


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    ("options", "code", "next_step"),
    [
        (("--project", "orchard"), 6, "tacit project list"),
        (("--as-of", "soon"), 2, "write it like 2026-05-31"),
    ],
)
def test_what_cannot_be_is_refused_with_the_next_step(
    options: tuple[str, ...], code: int, next_step: str, cli: Cli
) -> None:
    shown = cli("brief", *options)

    assert (shown.code, shown.out, next_step in shown.err) == (code, "", True)


@pytest.mark.usefixtures("tea")
def test_until_somebody_was_told_something_there_is_nothing_to_measure(cli: Cli) -> None:
    assert cli("brief", "--stats").out == "No session was told anything yet.\n"


@pytest.mark.usefixtures("tea")
def test_what_was_told_is_counted_with_its_cost_and_its_use(
    cli: Cli, home: Home, mind: Mind
) -> None:
    told(home)
    home.hook("Stop", {"session_id": "s-9", "last_assistant_message": f"I know: {TEA}."})
    mind.begin("s-2")

    shown = cli("brief", "--stats").out.splitlines()

    assert shown[0].split() == ["surface", "made", "told", "tokens", "too", "late"]
    brief = next(line.split() for line in shown if line.startswith("brief"))
    assert (brief[2], int(brief[3]) > 50, brief[4]) == ("1", True, "0")
    (tea,) = (line.split(maxsplit=4) for line in shown if line.endswith(TEA))
    assert (tea[0], tea[2:]) == ("1", ["1", "0", TEA])
    assert shown[-1] == "Of 3 told, 1 came up in their session."
    found = cli.json("brief", "--stats")
    assert {"surfaces", "memories", "outcomes"} == found.keys()


def test_s10_nothing_hidden_is_shown_or_prepared(mind: Mind, cli: Cli, home: Home) -> None:
    mind.begin("s-1")
    (home.path / "config.toml").write_text(
        "[deliver]\nmax_brief_entries = 500\nbrief_lines = 500\n", encoding="utf-8"
    )
    texts = [*(text for text, _ in HIDDEN), *(text[:90] for text in BREAKOUTS)]
    for number, text in enumerate(texts):
        kind = ("instruction", "fact")[number % 2]
        mind.plant(f"{number} {text}", origin="user", kind=kind, project=None, tags=(text,))
    mind.plant(f"x {texts[0]}", origin=f"tool:{texts[0]}", project=None)

    shown = [cli("brief", "--everywhere", *options) for options in ((), ("--json",), ("--stats",))]
    mind.begin("s-2")

    for each in shown:
        assert (each.code, set(each.out + each.err) & FORBIDDEN) == (0, set())
    lines = shown[0].out.splitlines()
    assert len([line for line in lines if line.startswith("- [")]) == len(texts) + 1
    assert len([line for line in lines if line.startswith("<")]) == 2
    for file in (home.path / "groups" / "main" / "briefs").iterdir():
        prepared = re.sub("\x01[0-9]+\x01", "", file.read_text(encoding="utf-8"))
        assert set(prepared) & FORBIDDEN == set()


def test_s10_what_needs_its_joiners_is_shown_as_it_is(mind: Mind, cli: Cli) -> None:
    for text in INTACT:
        mind.plant(text, origin="user", project=None)

    shown = cli("brief").out

    assert [text for text in INTACT if text not in shown] == []
