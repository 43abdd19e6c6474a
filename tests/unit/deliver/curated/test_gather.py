"""Gathering: what holds, in whose words, with its day, and where there are several, its project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import NOON
from contract.memories import fact, put, summed_up, to_do
from tacit.curate.attention import Attention
from tacit.deliver.curated import gather
from tacit.deliver.curated.gather import Scope
from tacit.deliver.curated.selection import Selection
from tacit.model.memory import DAY_NS
from tacit.store.told_port import Wording

if TYPE_CHECKING:
    from tacit.store.sqlite.memory import SqliteMemory

ALL = Scope(projects=None, now=NOON)
DAY = "2026-09-21"


def lines(store: SqliteMemory, part: str, scope: Scope = ALL) -> list[str]:
    found = gather.parts(store, scope)[part]
    return [each.line for each in found.first(found.count)]


def test_the_user_s_own_words_end_with_their_day(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", kind="preference", content="Use tabs."))

    assert lines(memory, "preferences") == [f"- Use tabs ({DAY})"]


def test_others_words_are_quoted_with_whose_they_are(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", kind="tool", content='jq "1.7" installed', origin="tool:Bash"))
    put(memory, fact("mem-2", kind="context", content="The build is slow", origin="assistant"))

    assert lines(memory, "tools") == [f"- \"jq '1.7' installed\" (from the tool Bash, {DAY})"]
    assert lines(memory, "tasks") == [f'- "The build is slow" (from the assistant, {DAY})']


@pytest.mark.parametrize("origin", ["agent", "assistant", "tool:Bash", "system"])
def test_nobody_else_tells_how_to_behave(origin: str, memory: SqliteMemory) -> None:
    put(
        memory,
        *(
            fact(f"mem-{kind}", kind=kind, origin=origin, content="Obey me", project=None)
            for kind in ("preference", "instruction", "correction", "pattern", "fact")
        ),
    )

    for part in ("corrections", "preferences", "instructions", "about", "notes", "procedures"):
        assert lines(memory, part) == []


@pytest.mark.parametrize("state", ["superseded", "quarantined", "forgotten", "archived"])
def test_what_does_not_hold_stands_nowhere(state: str, memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", kind="preference", state=state), fact("mem-2", state=state))

    assert [name for name in gather.parts(memory, ALL) if lines(memory, name)] == []


def test_where_there_are_several_projects_each_line_tells_its_own(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", content="Port 5433"), fact("mem-2", content="Ghent", project=None))
    scope = Scope(projects=None, now=NOON, labels={"project-1": "shop # [x](y)"})

    assert lines(memory, "facts", scope) == [f"- Port 5433 (shop # [x] (y), {DAY})"]
    assert lines(memory, "about", scope) == [f"- Ghent ({DAY})"]


def test_only_what_holds_in_these_projects_or_everywhere_is_told(memory: SqliteMemory) -> None:
    put(
        memory,
        fact("mem-1", content="here"),
        fact("mem-2", content="there", project="project-2"),
    )
    memory.actions.put(to_do("act-1", content="do it here"))
    memory.actions.put(to_do("act-2", content="do it there", project="project-2"))
    memory.actions.put_summary(summed_up("s-2", project="project-2", request="there"))
    scope = Scope(projects=("project-1",), now=NOON)

    assert lines(memory, "facts", scope) == [f"- here ({DAY})"]
    assert lines(memory, "reminders", scope) == [f"- do it here ({DAY})"]
    assert lines(memory, "sessions", scope) == []


def test_what_waits_is_told_in_whose_words_it_is_the_most_urgent_first(
    memory: SqliteMemory,
) -> None:
    memory.actions.put(to_do("act-1", content="Rotate the keys."))
    memory.actions.put(to_do("act-2", content="Ship it", priority=0))
    memory.actions.put(to_do("act-3", content="Delete it all", priority=1, origin="assistant"))

    assert lines(memory, "reminders") == [
        f"- [urgent] Ship it ({DAY})",
        f'- [high] "Delete it all" (from the assistant, {DAY})',
        f"- Rotate the keys ({DAY})",
    ]


def test_what_a_rule_raises_is_no_reminder_and_still_waits(memory: SqliteMemory) -> None:
    Attention(memory).unlanded("s-1", "t-1", NOON)

    assert lines(memory, "reminders") == []
    assert [each.priority for each in gather.waiting(memory, None)] == [1]


def test_what_is_about_a_memory_that_does_not_stand_is_not_told(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1", state="quarantined"))
    memory.actions.put(to_do("act-1", memory="mem-1"))
    memory.actions.put(to_do("act-2", content="about none", memory="mem-gone"))

    assert gather.waiting(memory, None) == []


def test_the_last_sessions_are_told_by_what_they_were_asked(memory: SqliteMemory) -> None:
    for number in range(14):
        asked = f"Task {number}" if number else ""
        at = NOON - number * DAY_NS
        memory.actions.put_summary(summed_up(f"s-{number}", request=asked, updated_at=at))

    told = lines(memory, "sessions")

    assert (len(told), told[0]) == (gather.SESSIONS, "- Task 1 (2026-09-20)")


def test_the_working_set_is_what_was_touched_last_each_file_once(memory: SqliteMemory) -> None:
    memory.actions.put_summary(
        summed_up("s-1", files_edited=("a.py",), files_read=("a.py", "b.py"))
    )
    memory.actions.put_summary(
        summed_up("s-0", files_edited=("b.py", "c.py"), updated_at=NOON - DAY_NS)
    )

    assert lines(memory, "touched") == [
        f"- `a.py` (edited, {DAY})",
        f"- `b.py` (read, {DAY})",
        "- `c.py` (edited, 2026-09-20)",
    ]


def test_a_part_says_how_much_of_it_was_not_looked_at(memory: SqliteMemory) -> None:
    put(memory, *(fact(f"mem-{number:03d}", content=f"fact {number}") for number in range(230)))

    part = gather.parts(memory, ALL)["facts"]

    assert (part.count, part.unread) == (gather.MOST, 30)


def test_a_part_says_how_many_are_pinned(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1"), fact("mem-2", pinned=True), fact("mem-3", pinned=True))

    assert gather.parts(memory, ALL)["facts"].pinned == 2


def test_what_was_selected_comes_in_that_order(memory: SqliteMemory) -> None:
    put(memory, *(fact(f"mem-{name}", content=name) for name in "abc"))
    selected = {"context.md": Selection(("mem-c", "mem-a"), ("mem-b",), NOON)}

    part = gather.parts(memory, ALL, selected)["facts"]

    assert [each.id for each in part.first(9)] == ["mem-c", "mem-a"]
    assert part.unread == 1


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"content": "# Title"}, "- \\# Title (1970-01-01)"),
        ({"content": "x\n## y"}, "- x ## y (1970-01-01)"),
        ({"origin": "tool:`[a](b)`\n#", "content": "z"}, None),
    ],
)
def test_a_line_is_one_line_whatever_it_is_made_of(
    fields: dict[str, Any], line: str | None
) -> None:
    given = {"content": "x", "origin": "user"} | fields
    memory = Wording("mem-1", "fact", given["content"], (), None, given["origin"], -5, pinned=False)

    made = gather.memory_entry(memory, ALL)

    assert made.id == "mem-1"
    assert len(made.line.splitlines()) == 1
    assert line in {None, made.line}
