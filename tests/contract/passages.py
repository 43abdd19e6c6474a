"""What the tests of an index are made of: passages, vectors, and scopes to look in.

And a plain filter in Python, which says what an index must find.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from contract.conftest import NOON
from contract.memories import MEMORIES, TIMES, optional, put, some, stood
from tacit.model.memory import KINDS, STATES, Memory
from tacit.store.index_port import LAYERS, Passage, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tacit.store.index_port import Index, Row, Unread, Vector
    from tacit.store.memory_port import MemoryStore

MODEL = "a model"
ANY = Scope(states=STATES)  # every passage, however its memory stands
SIZE = 384  # of a vector, where it matters
TEXTS = ("red cat", "a red dog", "blue")


def message(subject: str, text: str = "", **fields: Any) -> Passage:
    """Return a passage about this; by default what the user has said at noon."""
    made = Passage(
        layer="message",
        subject=subject,
        session="session-1",
        turn="turn-1",
        project="project-1",
        role="user",
        at=NOON,
        text=text or f"the words of {subject}",
    )
    return replace(made, **fields)


def write(index: Index, *passages: Passage) -> None:
    for each in passages:
        index.put(each)


def subjects(index: Index, numbers: Iterable[int]) -> list[str]:
    """Return what these passages are about, in this order."""
    numbers = list(numbers)
    found = {row.number: row.subject for row in index.rows(numbers)}
    return [found[number] for number in numbers]


def found(index: Index, *words: str, scope: Scope | None = None, limit: int = 1000) -> list[str]:
    """Return what is found by any of these tokens."""
    return subjects(index, index.words(words, scope or Scope(), limit))


def row_of(index: Index, subject: str) -> Row:
    """Return the one passage that is about this."""
    (row,) = [row for row in index.rows(index.latest(ANY, -1)) if row.subject == subject]
    return row


def vector(*numbers: float) -> Vector:
    """Return a vector of length one, such as any store can keep."""
    made = np.array(numbers, np.float32)
    return rounded(made / np.linalg.norm(made))


def vectors(count: int, size: int = 24, seed: int = 1) -> Vector:
    """Return random vectors of length one, row by row, such as any store can keep."""
    made = np.random.default_rng(seed).standard_normal((count, size)).astype(np.float32)
    return rounded(made / np.linalg.norm(made, axis=1, keepdims=True))


def clustered(count: int, clusters: int, seed: int = 3) -> Vector:
    """Return vectors of length one that lie about the same centres, as those of texts do."""
    centres = np.random.default_rng(0).standard_normal((clusters, SIZE))
    random = np.random.default_rng(seed)
    made = centres[random.integers(0, clusters, count)] + random.standard_normal((count, SIZE))
    return rounded((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


def rounded(made: Vector) -> Vector:
    return made.astype(np.float16).astype(np.float32)


def understand(index: Index, means: dict[str, Vector], model: str = MODEL) -> None:
    """Write down what the passages about these mean."""
    unread = {each.subject: each for each in index.unread(model, 10_000)}
    index.understand(model, [(unread[subject], each) for subject, each in means.items()])


def near(
    index: Index, asked: Vector, scope: Scope | None = None, limit: int = 1000, model: str = MODEL
) -> list[str]:
    """Return what is nearest in meaning."""
    nearest = index.nearest(asked, model, scope or Scope(), limit)
    return subjects(index, (number for number, _ in nearest))


def names(unread: Iterable[Unread]) -> list[str]:
    return [each.subject for each in unread]


@dataclass(frozen=True)
class Stood:
    """A passage of the model: where it stands, and the memory it is about, if any."""

    passage: Passage
    memory: Memory | None = None


SAID = st.builds(
    message,
    st.just(""),
    text=st.sampled_from(TEXTS),
    layer=st.sampled_from(LAYERS[1:]),
    project=st.sampled_from([None, "p", "q"]),
    at=TIMES,
)
SCOPES = st.builds(
    Scope,
    layers=some(*LAYERS),
    projects=some("p", "q"),
    is_everywhere=optional(st.booleans()),
    kinds=some(*KINDS[:3]),
    tags=st.lists(st.sampled_from(["x", "y"]), unique=True).map(tuple),
    states=st.lists(st.sampled_from(STATES), unique=True).map(tuple),
    since=optional(TIMES),
    until=optional(TIMES),
    as_of=optional(TIMES),
)
HELD = st.lists(MEMORIES | SAID, max_size=8)


def hold(store: MemoryStore, held: Sequence[Memory | Passage]) -> list[Stood]:
    """Write these, each under an id of its own; return them, the newest first."""
    stood_there = []
    for number, each in enumerate(held):
        if isinstance(each, Memory):
            memory = replace(each, id=f"id-{number}")
            put(store, memory)
            where = message(memory.id, layer="memory", project=each.project, at=each.created_at)
            where = replace(where, text=" ".join((each.content, *each.tags)))
            stood_there.append(Stood(where, memory))
        else:
            stood_there.append(Stood(replace(each, subject=f"id-{number}")))
            store.index.put(stood_there[-1].passage)
    stood_there.reverse()
    return sorted(stood_there, key=lambda one: -one.passage.at)


def fits(one: Stood, scope: Scope) -> bool:
    """Say whether a passage is one of those that are asked for, the way one would in Python."""
    passage, memory = one.passage, one.memory
    answers: dict[str, Callable[[Any], bool]] = {
        "layers": lambda layers: passage.layer in layers,
        "projects": lambda projects: passage.project is None or passage.project in projects,
        "is_everywhere": lambda is_everywhere: (passage.project is None) == is_everywhere,
        "kinds": lambda kinds: memory is not None and memory.kind in kinds,
        "tags": lambda tags: not tags or (memory is not None and set(tags) <= set(memory.tags)),
        "states": lambda states: memory is None or memory.state in states,
        "since": lambda since: passage.at >= since,
        "until": lambda until: passage.at < until,
        "as_of": lambda at: stood(memory, at) if memory else passage.at <= at,
    }
    wishes = {name: getattr(scope, name) for name in answers}
    return all(wish is None or answers[name](wish) for name, wish in wishes.items())
