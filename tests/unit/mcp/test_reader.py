"""The reader: short answers first, all on demand, nothing of another project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.compose import open_app
from tacit.errors import NotAllowed, NotFound
from tacit.mcp.reader import Reader, WrongArguments
from tacit.mcp.tools import MOST_ACTIONS
from tacit.model.memory import DAY_NS
from tacit.policy import Caller
from tacit.recall.question import Answer, Parts
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import NOON, TEA, Ticking, publish, talk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.model.memory import Memory
    from tacit.recall.question import Question
    from tacit.store.sqlite.memory import SqliteMemory

OWNER = Caller()
LATER = NOON + DAY_NS


@pytest.fixture
def app(home: Home, spool: Spool) -> Iterator[App]:
    """Return the verbs of a home in which something was said in two projects."""
    clock = Ticking()
    talk(spool, clock, "the till sells tea")
    talk(spool, clock, "the heron nests in May", cwd="/srv/zoo", session_id="s2")
    opened = open_app(str(home.path), now_ns=clock)
    opened.drain(seconds=None)
    yield opened
    opened.close()


@pytest.fixture
def reader(app: App) -> Reader:
    return Reader(app, "main", "/srv/shop", lambda question: app.search("main", question))


def known(app: App, text: str) -> str:
    return next(each.id for each in app.list("main", Wanted(states=None)) if text in each.content)


def remind(spool: Spool, what: str, at: int, **changes: str) -> None:
    """Let a turn wait in the spool in which something is left for later."""
    turn = {"session_id": "s3", "cwd": "/srv/shop", "prompt_id": f"p{at}"} | changes
    text = f"Remind me to {what} next week."
    publish(spool, "UserPromptSubmit", at, turn | {"prompt": text})
    publish(spool, "Stop", at + 1, turn | {"last_assistant_message": "I will."})


def allow(home: Home) -> None:
    """Let agents close actions."""
    (home.path / "config.toml").write_text("[mcp]\nresolve_actions = true\n", encoding="utf-8")


def _replaced(store: SqliteMemory, old: Memory, by: str) -> None:
    """Let a memory be replaced by another one."""
    store.memories.change(old, state="superseded", superseded_by=by, valid_to=LATER)


def test_a_candidate_is_found_and_marked(spool: Spool, reader: Reader) -> None:
    told = {"session_id": "s9", "cwd": "/srv/shop", "prompt_id": "p9"}
    publish(spool, "UserPromptSubmit", LATER, told | {"prompt": "Do not touch the barometer"})
    publish(spool, "Stop", LATER + 1, told | {"last_assistant_message": "Noted."})

    found = reader.call("search_memory", {"query": "touch the barometer"})

    assert "[instruction, candidate] Do not touch the barometer" in found


def test_a_search_tells_each_hit_in_one_line_with_its_id_and_source(
    reader: Reader, app: App
) -> None:
    told = reader.call("search_memory", {"query": "which till sells tea"})

    first = told.splitlines()[0]
    assert first.startswith(known(app, "tea"))
    assert TEA in first
    assert "the user)" in first


def test_what_has_nothing_to_do_with_a_question_is_not_told(app: App) -> None:
    def unrelated(question: Question) -> Answer:
        found = app.search("main", replace(question, text="tea"))
        parts = Parts(meaning=0.1)
        hits = [replace(each, relevance=0.004, parts=parts) for each in found.hits]
        return replace(found, hits=hits)

    told = Reader(app, "main", "/srv/shop", unrelated).call("search_memory", {"query": "zebra"})

    assert told == "Nothing was found."


def test_no_other_project_is_found_or_read(reader: Reader, app: App) -> None:
    heron = known(app, "heron")

    found = reader.call("search_memory", {"query": "where the heron nests", "limit": 50})
    told = reader.call("read_memory", {"ids": [heron]})

    assert "heron" not in found
    assert "nests" not in told


def test_what_is_about_the_user_is_found_everywhere(reader: Reader, app: App) -> None:
    app.remember("main", Said(text="Ann writes British English"), OWNER)

    assert "British" in reader.call("search_memory", {"query": "British English"})


def test_a_memory_is_read_with_its_words_and_what_was_before(reader: Reader, app: App) -> None:
    app.correct("main", known(app, "tea"), Said(text="The till sells coffee"), OWNER)

    told = reader.call("read_memory", {"ids": [known(app, "coffee")]})

    assert all(part in told for part in ("The till sells coffee", "The till sells tea", "->"))


def test_what_was_said_is_read_as_well(reader: Reader, app: App) -> None:
    found = app.ask("main", lambda store, _find: store.evidence.of_memory(known(app, "tea")))
    assert found is not None

    told = reader.call("read_memory", {"ids": [found[0].event]})

    assert "Remember that the till sells tea" in told


@pytest.mark.parametrize("name", ["mem-none", "", "evt-none", "s9", "\x1b[2J", "x" * 9000])
def test_what_is_not_there_is_said_of_each(reader: Reader, name: str) -> None:
    told = reader.call("read_memory", {"ids": [name, name]})

    assert told.count("there is nothing of that id here") == 2
    assert "\x1b" not in told


def test_what_is_forgotten_is_not_read(reader: Reader, app: App) -> None:
    name = known(app, "tea")
    app.forget("main", Which(ids=(name,)), OWNER)

    assert "tea" not in reader.call("read_memory", {"ids": [name]})


def test_the_last_sessions_are_told(reader: Reader, spool: Spool) -> None:
    turn = {"session_id": "s3", "cwd": "/srv/shop", "prompt_id": "p3"}
    at = LATER
    publish(spool, "UserPromptSubmit", at, turn | {"prompt": "Fix the login redirect, please."})
    publish(spool, "Stop", at + 1, turn | {"last_assistant_message": "Fixed the login redirect."})

    told = reader.call("recent_sessions", {"limit": 3})

    assert "s3, the assistant, " in told
    assert "login redirect" in told
    assert "heron" not in told


def test_a_session_that_came_to_nothing_is_not_told_of(
    reader: Reader, app: App, spool: Spool
) -> None:
    turn = {"session_id": "s4", "cwd": "/srv/shop", "prompt_id": "p4"}
    publish(spool, "UserPromptSubmit", LATER, turn | {"prompt": "hi"})
    publish(spool, "Stop", LATER + 1, turn | {"last_assistant_message": "Hello."})
    app.drain(seconds=None)

    told = reader.call("recent_sessions", {"limit": 1})

    assert told.startswith("s1, the assistant, ")
    assert told.endswith(f": Learned: {TEA}")
    assert "there is nothing of that id" in reader.call("read_memory", {"ids": ["s4"]})


@pytest.mark.parametrize(
    ("tool", "given"), [("search_memory", {"query": "tea"}), ("recent_sessions", {})]
)
def test_where_no_session_was_recorded_it_is_said_that_nothing_is_known(
    app: App, tool: str, given: dict[str, Any]
) -> None:
    reader = Reader(app, "main", "/srv/new", lambda question: app.search("main", question))

    assert "Nothing is known yet" in reader.call(tool, given)


def test_where_no_session_was_recorded_no_id_of_a_project_is_read(app: App) -> None:
    name = known(app, "tea")
    rows = app.ask("main", lambda store, _find: store.evidence.of_memory(name))
    assert rows
    nowhere = Reader(app, "main", "/srv/new", lambda question: app.search("main", question))

    told = nowhere.call("read_memory", {"ids": [name, rows[0].event, "s1"]})

    assert told.count("there is nothing of that id here") == 3
    assert "till" not in told


def test_what_replaced_a_memory_in_another_project_is_not_read_with_it(app: App) -> None:
    told = app.remember("main", Said(text="Ann writes British English"), OWNER)
    app.ask("main", lambda store, _find: _replaced(store, told, known(app, "heron")))
    reader = Reader(app, "main", "/srv/shop", lambda question: app.search("main", question))

    read = reader.call("read_memory", {"ids": [told.id]})

    assert "British" in read
    assert "heron" not in read


def test_an_agent_closes_an_action_only_where_the_owner_lets_it(
    reader: Reader, app: App, home: Home, spool: Spool
) -> None:
    remind(spool, "rotate the deploy key", LATER)
    app.drain(seconds=None)
    (action,) = app.actions("main")
    given = {"id": action.id, "outcome": "acted_on"}
    with pytest.raises(NotAllowed):
        reader.call("resolve_action", given)
    allow(home)

    told = reader.call("resolve_action", given)

    assert "rotate the deploy key" in told
    assert app.actions("main") == []


def test_what_is_pending_is_listed_with_the_ids_that_close_it(
    reader: Reader, app: App, home: Home, spool: Spool
) -> None:
    allow(home)
    remind(spool, "rotate the deploy key", LATER)
    remind(spool, "order the labels", LATER + DAY_NS)
    app.drain(seconds=None)
    listed = reader.call("resolve_action", {}).splitlines()
    (rotating,) = [line for line in listed if "deploy key" in line]

    reader.call("resolve_action", {"id": rotating.split()[0], "outcome": "dismissed"})

    assert len(listed) == 2
    assert [each.content for each in app.actions("main")] == [
        "Remind me to order the labels next week (2026-09-28)."
    ]
    assert "deploy key" not in reader.call("resolve_action", {})


def test_no_action_of_another_project_is_listed_or_closed(
    app: App, reader: Reader, home: Home, spool: Spool
) -> None:
    allow(home)
    remind(spool, "feed the heron", LATER, cwd="/srv/zoo")
    app.drain(seconds=None)
    (action,) = app.actions("main")
    nowhere = Reader(app, "main", "/srv/new", lambda question: app.search("main", question))

    for each in (reader, nowhere):
        listed = each.call("resolve_action", {})
        with pytest.raises(NotFound, match="with no arguments"):
            each.call("resolve_action", {"id": action.id, "outcome": "dismissed"})
        assert listed == "Nothing is pending."
    assert [each.id for each in app.actions("main")] == [action.id]


def test_of_very_many_actions_the_first_are_listed(
    reader: Reader, app: App, home: Home, spool: Spool
) -> None:
    allow(home)
    for number in range(MOST_ACTIONS + 3):
        remind(spool, f"paint fence {number}", LATER + number * DAY_NS, session_id=f"s{number}")
    app.drain(seconds=None)

    listed = reader.call("resolve_action", {}).splitlines()

    assert len(listed) == MOST_ACTIONS + 1
    assert listed[-1] == "3 more."


def test_a_secret_that_lies_there_all_the_same_is_not_told(app: App) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"

    def leaking(question: Question) -> Answer:
        (hit, *_) = app.search("main", question).hits
        return Answer(hits=[replace(hit, content=f"the token is {secret}")], by=("words",))

    reader = Reader(app, "main", "/srv/shop", leaking)

    assert secret not in reader.call("search_memory", {"query": "tea"})


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("search_memory", {}),
        ("search_memory", {"query": " "}),
        ("search_memory", {"query": 5}),
        ("search_memory", {"query": "a", "limit": 0}),
        ("search_memory", {"query": "a", "limit": "ten"}),
        ("search_memory", {"query": "a", "limit": True}),
        ("search_memory", {"query": "a", "limit": 10_000}),
        ("read_memory", {}),
        ("read_memory", {"ids": []}),
        ("read_memory", {"ids": "mem-1"}),
        ("read_memory", {"ids": ["x"] * 21}),
        ("recent_sessions", {"limit": -1}),
        ("resolve_action", {"id": "act-1", "outcome": "maybe"}),
        ("resolve_action", {"outcome": "acted_on"}),
        ("resolve_action", {"id": "act-1"}),
    ],
)
def test_what_a_tool_does_not_take_is_refused_in_words(
    reader: Reader, tool: str, given: dict[str, Any]
) -> None:
    with pytest.raises(WrongArguments, match="must be"):
        reader.call(tool, given)


@pytest.mark.parametrize(
    ("tool", "given", "taken"),
    [
        ("search_memory", {"query": "tea", "project": "zoo"}, "`query` and `limit`"),
        ("read_memory", {"ids": ["mem-1"], "id": "mem-1"}, "`ids`"),
        ("recent_sessions", {"count": 3}, "`limit`"),
        ("resolve_action", {"all": True}, "`id` and `outcome`"),
    ],
)
def test_what_a_tool_has_no_name_for_is_refused_by_its_name(
    reader: Reader, tool: str, given: dict[str, Any], taken: str
) -> None:
    *_, unknown = given

    with pytest.raises(WrongArguments, match=f"takes {taken}, but not `{unknown}`"):
        reader.call(tool, given)
