"""What the tests of the memory are made of: memories, evidence, actions, summaries and notes.

And a plain filter in Python, which says what a store must find.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from contract.conftest import NOON
from tacit.model.action import Action, Note, Summary
from tacit.model.memory import KINDS, STATES, Evidence, Memory
from tacit.store.memory_port import Wanted
from tacit.store.told_port import Telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.memory_port import MemoryStore

# what every store can keep: a lone surrogate is no text, and some engines end theirs at a NUL
TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
# what would do harm if it ever became part of a statement or of a search
HOSTILE = [
    "'; DROP TABLE memories; --",
    '"; DELETE FROM jobs; --',
    "' OR '1'='1",
    "x' UNION SELECT id FROM memories --",
    "a AND b OR NOT c NEAR(d e, 2)",
    'content : "x" AND ^tags* OR {a b} : c',
    "%_*?[a-z]\\",
    ":id @id $id ?1 #",
    '{"a": ["\\u0000"]}',
    "日本語 \u202eé\U0001f600",
    "((((((((((\"'`",
    "word_index, rank) VALUES ('delete-all')",
]


def fact(name: str, **fields: Any) -> Memory:
    """Return a memory with this id; by default a fact that the user has stated at noon."""
    made = Memory(
        id=name,
        kind="fact",
        content=f"the words of {name}",
        importance=3,
        confidence=1.0,
        tags=(),
        project="project-1",
        origin="user",
        via="live",
        session="session-1",
        turn="turn-1",
        quote=f"the quote of {name}",
        topic="",
        extractor="rules-1",
        created_at=NOON,
        valid_from=NOON,
    )
    return replace(made, **fields)


def said(name: str, **fields: Any) -> Evidence:
    """Return evidence with this id; by default what the user has said at noon."""
    made = Evidence(
        id=name,
        event=f"event of {name}",
        seq=1,
        start=0,
        quote=f"the quote of {name}",
        origin="user",
        via="live",
        session="session-1",
        turn="turn-1",
        at=NOON,
        kind="fact",
        content=f"the words of {name}",
    )
    return replace(made, **fields)


def told(name: str, **fields: Any) -> Telling:
    """Return a text for sessions with this id; by default a brief of one memory."""
    made = Telling(
        id=name,
        surface="brief",
        project="project-1",
        made=NOON,
        tokens=10,
        memories=(("mem-1", 4),),
    )
    return replace(made, **fields)


def to_do(name: str, **fields: Any) -> Action:
    """Return an action with this id; by default one that waits since noon."""
    made = Action(
        id=name,
        content=f"the words of {name}",
        session="session-1",
        turn="turn-1",
        event=f"event of {name}",
        quote=f"the quote of {name}",
        origin="user",
        project="project-1",
        created_at=NOON,
    )
    return replace(made, **fields)


def summed_up(session: str, **fields: Any) -> Summary:
    """Return the summary of a session; by default one of noon."""
    made = Summary(session=session, project="project-1", updated_at=NOON)
    return replace(made, **fields)


def noted(turn: str, **fields: Any) -> Note:
    """Return what a turn came to; by default the first of a session, at noon."""
    made = Note(session="session-1", turn=turn, seq=1, at=NOON)
    return replace(made, **fields)


# a memory, evidence, an action, a summary and a note in which every field differs from every other
FULL = fact(
    "mem-full",
    kind="decision",
    importance=5,
    confidence=0.25,
    tags=("one", "two words", "drei"),
    topic="the topic",
    created_at=NOON + 1,
    valid_from=NOON + 2,
    valid_to=NOON + 3,
    superseded_by="mem-other",
    state="superseded",
    reason="the reason",
    pinned=True,
)
FULL_EVIDENCE = said(
    "evi-full",
    seq=7,
    start=8,
    at=NOON + 9,
    kind="decision",
    tags=("one", "two words"),
    importance=5,
    confidence=0.25,
    project="project-1",
    topic="the topic",
    extractor="rules-1",
)
FULL_ACTION = to_do(
    "act-full",
    priority=0,
    status="dismissed",
    memory="mem-full",
    created_at=NOON + 1,
    closed_at=NOON + 2,
    closed_by="event of somebody",
)
FULL_SUMMARY = summed_up(
    "session-full",
    request="the request",
    investigated="what was looked at",
    learned="what was learned",
    completed="what was done",
    next_steps="what is next",
    files_read=("a.py", "b c.py"),
    files_edited=("d.py",),
    notes="the notes",
    is_final=True,
)
FULL_NOTE = noted(
    "turn-full",
    session="session-full",
    seq=7,
    at=NOON + 8,
    asked="what was asked",
    done="what was done",
    looked=("Grep", "Web Search"),
    files_read=("a.py", "b c.py"),
    files_edited=("d.py",),
)


TIMES = st.integers(0, 6)
MEMORIES = st.builds(
    fact,
    st.just(""),
    kind=st.sampled_from(KINDS[:3]),
    content=st.sampled_from(["red cat", "a red dog", "blue"]),
    tags=st.lists(st.sampled_from(["x", "y"]), unique=True).map(tuple),
    project=st.sampled_from([None, "p", "q"]),
    origin=st.sampled_from(["user", "owner", "tool:Bash", "tool:Web"]),
    created_at=TIMES,
    valid_from=TIMES,
    valid_to=st.none() | TIMES,
    state=st.sampled_from(STATES),
    pinned=st.booleans(),
)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return what gives the same, or None."""
    return st.none() | strategy


def some(*names: str) -> st.SearchStrategy[Any]:
    """Return what gives some of these, none of them, or None."""
    return optional(st.lists(st.sampled_from(names), unique=True).map(tuple))


WANTED = st.builds(
    Wanted,
    kinds=some(*KINDS[:3]),
    states=some(*STATES),
    origins=some("user", "owner", "tool:Bash"),
    origin_prefix=optional(st.sampled_from(["", "tool:", "o"])),
    projects=some("p", "q"),
    is_everywhere=optional(st.booleans()),
    session=optional(st.sampled_from(["one", "two"])),
    tag=optional(st.sampled_from(["x", "z"])),
    text=optional(st.sampled_from(["red", "", "x"])),
    before=optional(TIMES),
    as_of=optional(TIMES),
    is_pinned=optional(st.booleans()),
    ended=optional(TIMES),
    limit=st.integers(-1, 4),
    offset=st.integers(0, 3),
)


def statement(text: str) -> bytes:
    """Return a digest of what a memory says."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def put(store: MemoryStore, *memories: Memory) -> None:
    """Write memories, each under the digest of its own words."""
    for each in memories:
        store.memories.put(each, statement(each.content))


def expected(memories: list[Memory], wanted: Wanted, sessions: dict[str, set[str]]) -> list[Memory]:
    """Return what fits, the way one would say it in Python."""
    found = [each for each in memories if fits(each, wanted, sessions[each.id])]
    found.sort(key=lambda each: (each.created_at, each.id), reverse=True)
    behind = found[wanted.offset :]
    return behind if wanted.limit < 0 else behind[: wanted.limit]


def fits(memory: Memory, wanted: Wanted, sessions: set[str]) -> bool:
    """Say whether a memory with evidence from these sessions is one of those that are wanted."""
    answers: dict[str, Callable[[Any], bool]] = {
        "kinds": lambda kinds: memory.kind in kinds,
        "states": lambda states: memory.state in states,
        "origins": lambda origins: memory.origin in origins,
        "origin_prefix": memory.origin.startswith,
        "projects": lambda projects: memory.project in projects,
        "is_everywhere": lambda is_everywhere: (memory.project is None) == is_everywhere,
        "session": lambda session: session in sessions,
        "tag": lambda tag: tag in memory.tags,
        "text": lambda text: text in memory.content,
        "before": lambda before: memory.created_at < before,
        "as_of": lambda at: stood(memory, at),
        "is_pinned": lambda is_pinned: memory.pinned == is_pinned,
        "ended": lambda ended: memory.valid_to is not None and memory.valid_to < ended,
    }
    wishes = {name: getattr(wanted, name) for name in answers}
    return all(wish is None or answers[name](wish) for name, wish in wishes.items())


def stood(memory: Memory, at: int) -> bool:
    """Say whether a memory had begun by then, and not ended."""
    return memory.valid_from <= at and (memory.valid_to is None or at < memory.valid_to)
