"""Hostile words: whatever a memory holds stays on its line, in its section, inside the fence."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import fact, put, summed_up, to_do
from tacit.capture.brief import aged
from tacit.deliver import brief as briefs
from tacit.deliver import render, surfacing
from tacit.deliver.brief import printed
from tacit.recall.question import Hit, Parts
from unit.deliver.conftest import HERE
from unit.deliver.hostile import BREAKOUTS, FORBIDDEN, HIDDEN, INTACT
from unit.deliver.preparing import KEY

if TYPE_CHECKING:
    from tacit.store.sqlite.memory import SqliteMemory

MANY = settings(max_examples=150, deadline=None)
TITLES = (
    "Behavioral Preferences",
    "Known Facts",
    "Unverified",
    "Recent Sessions",
    "Pending Actions",
)
KIND = r"\[(?:instruction|fact)\]"
AGE = r"\d+d ago"
LINES = {
    "Behavioral Preferences": rf"- {KIND} .*\({AGE}\)",
    "Known Facts": rf"- {KIND} .*\({AGE}\)",
    "Unverified": rf'- {KIND} "[^"]*" \(from the .+, {AGE}\)',
    "Recent Sessions": rf"- .*\({AGE}\)|  Done: .+",
    "Pending Actions": rf'- \[urgent\] .*\({AGE}\)|- "[^"]*" \(from the .+, {AGE}\)',
}
COUNTS = {title: {1} for title in TITLES} | {"Recent Sessions": {1, 2}, "Pending Actions": {2}}
ANY = st.text(st.characters(exclude_categories=()), min_size=1, max_size=300)


def say(store: SqliteMemory, text: str, tool: str = "Bash") -> None:
    """Let these words stand in every place that a brief shows."""
    marked = [f"{text} {sign}" for sign in "abcdefg"]  # so that none says the same as another
    put(
        store,
        fact("mem-1", kind="instruction", content=marked[0], tags=(text,)),
        fact("mem-2", content=marked[1], tags=(text,)),
        fact("mem-3", content=marked[2], origin=f"tool:{tool}"),
    )
    store.actions.put_summary(summed_up("s-1", request=marked[3], completed=marked[4]))
    store.actions.put(to_do("act-1", content=marked[5], priority=0))
    store.actions.put(to_do("act-2", content=marked[6], origin=f"tool:{tool}"))


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section of a brief, which is otherwise as it must be."""
    first, *lines, last = text.split("\n")
    fence = re.fullmatch(r"<memory-([0-9a-f]{16})>", first)
    assert fence
    assert last == f"</memory-{fence[1]}>"
    assert text.count(f"memory-{fence[1]}") == 2
    assert lines[:3] == [render.HEAD[0], "", render.HEAD[1]]
    found: dict[str, list[str]] = {}
    for line in lines[3:]:
        if line.startswith("### "):
            found[line.removeprefix("### ")] = []
        elif line and line not in render.NOTE.split("\n"):
            found[list(found)[-1]].append(line)
    return found


def check(text: str) -> None:
    """Hold a brief to its form: known headings, and items of the form of their section."""
    found = sections(text)
    assert tuple(found) == TITLES
    for title, lines in found.items():
        assert all(re.fullmatch(LINES[title], line) for line in lines), lines
        assert len(lines) in COUNTS[title]
    assert not re.search(r"<[/!?\w|]", text.split("\n", 1)[1].rsplit("\n", 1)[0])
    assert not set(text) & FORBIDDEN


def test_there_are_enough_of_them() -> None:
    assert (len(set(BREAKOUTS)) >= 40, len({text for text, _ in HIDDEN}) >= 40) == (True, True)


@pytest.mark.parametrize("text", BREAKOUTS, ids=lambda text: ascii(text[:24]))
def test_s09_no_words_break_out_of_their_line(text: str, memory: SqliteMemory) -> None:
    say(memory, text, text)

    made = briefs.brief(memory, HERE, KEY)

    check(printed(made.text, NOON))
    assert all(len(each.content.splitlines()) == 1 for each in made.entries)


@pytest.mark.parametrize("text", BREAKOUTS, ids=lambda text: ascii(text[:24]))
def test_s09_what_the_client_reads_is_the_same_text(text: str, memory: SqliteMemory) -> None:
    say(memory, text, text)
    made = briefs.brief(memory, HERE, KEY)

    answer = b'{"additionalContext": "' + aged(render.escaped(made.text), NOON / 1e9) + b'"}'

    assert json.loads(answer) == {"additionalContext": printed(made.text, NOON)}


@MANY
@given(text=ANY, tool=ANY)
def test_s09_whatever_is_said_stays_where_it_belongs(text: str, tool: str) -> None:
    with fresh(sqlite_memory) as store:
        encodable = text.encode("utf-8", "replace").decode()
        say(store, encodable, tool.encode("utf-8", "replace").decode())

        made = briefs.brief(store, HERE, KEY)

    check(printed(made.text, NOON))


@pytest.mark.parametrize(("text", "shown"), HIDDEN, ids=lambda text: ascii(text[:24]))
def test_s10_nothing_hidden_reaches_a_brief(text: str, shown: str, memory: SqliteMemory) -> None:
    say(memory, text, text)

    made = briefs.brief(memory, HERE, KEY)
    few = briefs.for_agents(memory, HERE, KEY)

    for each in (made, few):
        told = printed(each.text, NOON)
        assert not set(told) & FORBIDDEN
        assert f"- [fact] {shown} b (0d ago)" in told
    check(printed(made.text, NOON))


@pytest.mark.parametrize("text", INTACT, ids=ascii)
def test_s10_what_needs_its_joiners_stays_as_it_is(text: str, memory: SqliteMemory) -> None:
    say(memory, text)

    made = briefs.brief(memory, HERE, KEY)

    assert f"- [fact] {text} b (0d ago)" in printed(made.text, NOON)
    assert made.entries[1].content == f"{text} b"


def hit(name: str, content: str, origin: str = "user") -> Hit:
    return Hit(
        id=name, layer="memory", kind="fact", content=content, behavioral=False, tags=(),
        created_at=NOON, relevance=1.0, origin=origin, project=None, session="", turn=None,
        state="active", parts=Parts(),
    )  # fmt: skip


def check_surfaced(text: str) -> None:
    first, *lines, last = text.split("\n")
    assert last == f"</{first[1:]}"
    assert text.count(first[1:-1]) == 2
    assert lines[:4] == [surfacing.HEAD[0], "", surfacing.HEAD[1], ""]
    forms = (rf"- \[fact\] .*\(said by the user, {AGE}\)", LINES["Unverified"])
    assert len(lines[4:]) == 2
    assert all(re.fullmatch(form, line) for form, line in zip(forms, lines[4:], strict=True))
    assert not set(text) & FORBIDDEN


@pytest.mark.parametrize(
    "text", [*BREAKOUTS, *(text for text, _ in HIDDEN)], ids=lambda text: ascii(text[:24])
)
def test_s09_s10_no_words_break_out_of_what_a_prompt_is_answered_with(text: str) -> None:
    hits = [hit("mem-1", f"{text} a"), hit("mem-2", f"{text} b", f"tool:{text}")]

    told = surfacing.surfacing(hits, (), KEY, tokens=5000)

    check_surfaced(printed(told.text, NOON))


@MANY
@given(text=ANY, tool=ANY)
def test_s09_s10_whatever_is_surfaced_stays_on_its_line(text: str, tool: str) -> None:
    hits = [hit("mem-1", f"{text} a"), hit("mem-2", f"{text} b", f"tool:{tool}")]

    told = surfacing.surfacing(hits, (), KEY, tokens=5000)

    check_surfaced(printed(told.text, NOON))
