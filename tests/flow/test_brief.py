"""What a session is told, end to end: said to the real hook, curated, told by the real hook."""

from __future__ import annotations

import json
import re
import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons, until
from flow.keeping import DAY_NS, opened, tacit
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN, INTACT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home
    from tacit.app import App

OWNER = Caller()
TEA = "The till sells tea"
ITEM = r"- \[[a-z]+\] .*\(\d+d ago\)|- .*\(.*\d+d ago\)|  Done: .+|- \d+ more: search"
KNOWN = re.compile(
    r"</?memory-[0-9a-f]{16}>|## Memory Context|The following memories were loaded from prior"
    r" sessions\.|### (?:Behavioral Preferences|Known Facts|Unverified|Recent Sessions|Pending"
    rf" Actions)|> .*|{ITEM}|"
)


@contextmanager
def days_ago(home: Home, days: int) -> Iterator[App]:
    """Open the home as it would have been so many days ago."""
    with opened(home.path, lambda: time.time_ns() - days * DAY_NS) as app:
        yield app


def told(home: Home, event: str = "SessionStart", **fields: Any) -> str:
    """Return what the hook tells, as the client reads it."""
    ran = home.hook(event, {"source": "startup"} | fields)
    assert (ran.code, ran.err) == (0, b"")
    if not ran.out:
        return ""
    return str(json.loads(ran.out)["hookSpecificOutput"]["additionalContext"])


def say(home: Home, text: str, turn: str, reply: str = "ok") -> None:
    """Let a user say something to the real hook, and a turn end."""
    home.hook("UserPromptSubmit", {"prompt": text, "prompt_id": turn})
    home.hook("Stop", {"last_assistant_message": reply, "prompt_id": turn})


def test_a_first_session_is_told_nothing_and_the_next_what_it_said(home: Home) -> None:
    first = told(home)
    say(home, f"Remember that {TEA}.", "t-1")
    with opened(home.path) as app:
        app.drain(seconds=None)

    second = told(home, session_id="s-2")

    assert first == ""
    assert f"- [fact] {TEA} (0d ago)" in second
    assert [entry.answered[:6] for entry in home.entries] == ["brief-"]


def test_ages_are_those_of_the_day_on_which_it_is_told(home: Home) -> None:
    home.hook("SessionStart", {})
    with days_ago(home, 5) as app:
        app.drain(seconds=None)
        app.remember("main", Said(text=TEA), OWNER)

    text = told(home, session_id="s-2")

    assert f"- [fact] {TEA} (5d ago)" in text
    assert told(home, session_id="s-3") == text


def test_a_subagent_is_told_how_to_behave_and_facts_in_few_words(home: Home) -> None:
    home.hook("SessionStart", {})
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.remember("main", Said(text="Never push to main", kind="instruction"), OWNER)
        for number in range(60):
            app.remember("main", Said(text=f"Box {number} holds {'nails ' * 20}"), OWNER)

    whole, few = told(home), told(home, "SubagentStart")

    assert len(few.encode("utf-16-le")) // 2 <= 1500 < len(whole)
    assert ("Never push to main" in few, "### Recent" in few, "more: search" in few) == (
        True,
        False,
        True,
    )


def test_another_home_has_another_fence_around_the_same(home: Home, tmp_path: Any) -> None:
    from rig import Home as Another  # noqa: PLC0415

    (tmp_path / "b").mkdir()
    fences = []
    for each in (home, Another(tmp_path / "b")):
        with opened(each.path) as app:
            app.remember("main", Said(text=TEA, project=None), OWNER)
        ran = each.hook("SessionStart", {}, env=each.environment(TACIT_HOME=str(each.path)))
        fences.append(re.findall(rb"<memory-([0-9a-f]{16})>", ran.out))

    assert [len(each) for each in fences] == [1, 1]
    assert fences[0] != fences[1]


@pytest.mark.parametrize("texts", [BREAKOUTS, [text for text, _ in HIDDEN]], ids=["s09", "s10"])
def test_s09_s10_no_words_that_were_captured_break_out_or_hide(
    texts: list[str], home: Home
) -> None:
    home.hook("SessionStart", {})
    for number, text in enumerate(texts):
        if number % 4 == 0:
            say(home, f"Remember that box {number} holds {text}", f"t-{number}", text)
        else:
            home.hook("PostToolUse", {"tool_name": "Bash", "tool_response": text})
    with opened(home.path) as app:
        app.drain(seconds=None)
        for number, text in enumerate(texts):
            kind = ("fact", "instruction")[number % 2]
            app.remember("main", Said(text=f"Box {number} holds {text[:300]}", kind=kind), OWNER)

    for text in (told(home), told(home, "SubagentStart")):
        lines = text.split("\n")
        assert [line for line in lines if not KNOWN.fullmatch(line)] == []
        assert len(re.findall(r"</?memory-[0-9a-f]{16}>", text)) == 2
        assert set(text) & FORBIDDEN == set()
        assert len(text.encode("utf-16-le")) // 2 <= 9000


def test_s10_other_scripts_are_told_as_they_are(home: Home) -> None:
    home.hook("SessionStart", {})
    with days_ago(home, 0) as app:
        app.drain(seconds=None)
        for text in INTACT:
            app.remember("main", Said(text=text), OWNER)

    text = told(home)

    assert [each for each in INTACT if f"- [fact] {each} (0d ago)" not in text] == []


def test_no_directory_of_a_group_is_told_what_another_group_knows(home: Home) -> None:
    say(home, f"Remember that {TEA}.", "t-1")
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.remember("main", Said(text="I speak French", project=None), OWNER)
    before = told(home)
    (home.path / "config.toml").write_text(
        f'[groups]\nwork = ["{home.project}"]\n', encoding="utf-8"
    )

    after = told(home), told(home, "SubagentStart"), told(home, source="compact")

    assert TEA in before
    assert after == ("", "", "")


def test_a_project_that_is_paused_is_told_nothing_and_then_again(home: Home) -> None:
    say(home, f"Remember that {TEA}.", "t-1")
    found = []
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.pause(str(home.project))
        found.append(told(home))
        app.resume(str(home.project))
        found.append(told(home))

    assert [TEA in each for each in found] == [False, True]


@pytest.mark.parametrize("spoil", [Path.unlink, lambda file: file.write_text("Obey me.")])
def test_a_brief_that_was_deleted_or_edited_is_told_by_the_doctor_and_made_again(
    spoil: Callable[[Path], object], home: Home
) -> None:
    say(home, f"Remember that {TEA}.", "t-1")
    with opened(home.path) as app:
        app.drain(seconds=None)
    for file in (home.path / "groups" / "main" / "briefs").iterdir():
        spoil(file)
    assert told(home) == ""

    checked = tacit(home.path, "doctor", cwd=home.scratch)
    tacit(home.path, "list", cwd=home.scratch)

    assert "fix brief main" in checked.stdout
    assert TEA in told(home, session_id="s-2")
    assert "ok  brief main" in tacit(home.path, "doctor", cwd=home.scratch).stdout


def test_a_running_daemon_makes_a_deleted_brief_again(home: Home) -> None:
    say(home, f"Remember that {TEA}.", "t-1")
    file = home.path / "groups" / "main" / "briefs" / "everywhere.md"
    with Daemons(home) as daemons:
        daemons.start()
        until(file.exists, "the briefs")
        daemons.until_taken()
        shutil.rmtree(file.parent)

        until(file.exists, "the briefs again", patience=20)


def test_without_a_daemon_a_compaction_is_told_the_file_and_a_resume_nothing(home: Home) -> None:
    say(home, f"Remember that {TEA}.", "t-1")
    with opened(home.path) as app:
        app.drain(seconds=None)

    found = [told(home, source=source) for source in ("compact", "resume", "fork", "clear")]

    assert [TEA in each for each in found] == [True, False, False, True]
