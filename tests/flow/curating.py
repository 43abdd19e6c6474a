"""What the tests of the memory at work share: turns to curate, and workers as processes.

A worker tells a journal what it asks its extractor, and dies or waits where it is told to; its
clock is the test's. Rows are read here with SQLite alone, so that what is checked and what checks
it have nothing in common.
"""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import apsw

from flow.dying import Process
from flow.keeping import DAY_NS, NOW_NS, SECOND_NS, Said, opened, spool
from tacit.capture import intake, state
from tacit.curate import explicit, statement
from tacit.curate.extract import Extractor
from tacit.curate.stores import MemoryStores
from tacit.curate.work import LEASE_NS, Curator, Tools
from tacit.transcript.ledgers import Ledgers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.curate.extract import Context, Draft, Extracted
    from tacit.curate.reading import TurnText

PLACES = ("before call", "after reply", "inside transaction", "after commit")
WASTING = frozenset(("after reply", "inside transaction"))  # there an answer is lost
START_NS = NOW_NS + DAY_NS
LATER_NS = 2 * LEASE_NS  # by then no lease of a dead worker holds
_COUNTS = (
    "SELECT (SELECT COUNT(*) FROM memories), "
    "(SELECT COUNT(*) FROM passages WHERE layer = 'memory'), "
    "(SELECT COUNT(*) FROM memories JOIN passages ON layer = 'memory' AND subject = memories.id "
    "JOIN word_index_docsize ON word_index_docsize.id = passages.number), "
    "(SELECT COUNT(*) FROM passages), (SELECT COUNT(*) FROM word_index_docsize), "
    "(SELECT COUNT(*) FROM terms), (SELECT COUNT(*) FROM term_index_docsize)"
)
_CHECKED = ("word_index", "term_index")


def fact(number: int) -> str:
    """Return what the number-th turn teaches."""
    return f"Fact number {number:04d} holds"


def turn(number: int, words: str = "", session: str = "s-1") -> list[Said]:
    """Return a turn in which the user asks for something to be remembered, and its end."""
    asked = f"Please remember that {words or fact(number)}."
    said: dict[str, dict[str, str]] = {
        "UserPromptSubmit": {"prompt": asked},
        "Stop": {"last_assistant_message": "I will."},
    }
    place = {"session_id": session, "cwd": "/nowhere/at/all", "prompt_id": f"turn-{number:04d}"}
    return [
        Said(
            key=f"turn-{number:04d}",
            text=asked,
            event=event,
            payload=json.dumps(place | {"hook_event_name": event} | fields).encode(),
            received_ns=NOW_NS + (2 * number + nth) * SECOND_NS,
            group="main",
        )
        for nth, (event, fields) in enumerate(said.items())
    ]


def talked(home: Path, turns: int) -> None:
    """Let so many turns happen and be taken in; what they teach is left to others."""
    spool(home, [event for number in range(turns) for event in turn(number)])
    with opened(home) as app:
        app.drain(seconds=None, curating=False)


def later(generation: int) -> Callable[[], int]:
    """Return a clock that runs when every lease given under an earlier one has run out."""
    ticks = count(START_NS + generation * LATER_NS, 1000)
    return lambda: next(ticks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """When a worker begins, where it dies and in which of its turns, and what it waits for."""

    clock: Callable[[], int] = time.time_ns
    dies: str = ""
    nth: int = 1
    pause: float = 0.0
    waits_for: Path | None = None
    fails: bool = False  # with the words of the turn in its mouth
    kind: str = ""  # what it learns is of this kind
    says: str = ""  # stands before what it learns, so that whose result it is can be seen


class Worker:
    """Curates a home until nothing is left to do, as a daemon does."""

    def __init__(self, home: Path, orders: Orders) -> None:
        self._home = home
        self._orders = orders
        self._turns = 0
        self._is_inside = False
        self._key = _key(home)

    def work(self) -> tuple[int, str]:
        """Work; return what came of it: how many turns were done, and how many failed."""
        done = failed = 0
        with self._curator() as curator:
            while True:
                worked = curator.work()
                done, failed = done + worked.done, failed + worked.failed
                if not worked.waiting or failed:
                    return 0, f"{done} done, {failed} failed"
                time.sleep(0.002)  # another one is at it

    @contextmanager
    def _curator(self) -> Iterator[Curator]:
        clock = self._orders.clock
        ledgers = Ledgers(self._home, now_ns=clock, auto=True, keep=7)
        memories = MemoryStores(ledgers, clock)
        tools = Tools(
            extractor=Extractor(name="marking-1", extract=self._extract),
            digest=self._digest,
            now_ns=self._now_ns,
            random=os.urandom,
            erase=lambda _events: None,
        )
        try:
            yield Curator(ledgers.get("main").store, memories.get("main"), tools)
        finally:
            memories.close()
            ledgers.close()

    def _extract(self, told: TurnText, _context: Context) -> Extracted:
        self._turns += 1
        self._at("before call")
        self._mark("call", told.turn)
        time.sleep(self._orders.pause)
        while self._orders.waits_for and not self._orders.waits_for.exists():
            time.sleep(0.002)
        if self._orders.fails:
            raise ValueError(told.said[0].text)
        found = explicit.extract(told)
        self._mark("reply", told.turn)
        self._at("after reply")
        return replace(found, drafts=tuple(self._own(draft) for draft in found.drafts))

    def _own(self, draft: Draft) -> Draft:
        kind, said = self._orders.kind or draft.kind, self._orders.says
        return replace(draft, kind=kind, content=f"{said}{draft.content}")

    def _digest(self, text: str) -> bytes:
        """Learning asks for it first of all, when the transaction has begun."""
        self._at("inside transaction")
        self._is_inside = True
        return statement.digest(self._key, text)

    def _now_ns(self) -> int:
        """Tell the time; the next look at the clock comes when the transaction is over."""
        if self._is_inside:
            self._at("after commit")
        self._is_inside = False
        return self._orders.clock()

    def _at(self, place: str) -> None:
        if (place, self._turns) == (self._orders.dies, self._orders.nth):
            os.kill(os.getpid(), signal.SIGKILL)

    def _mark(self, what: str, name: str) -> None:
        with journal(self._home).open("ab", buffering=0) as file:
            file.write(f"{what} {name} {os.getpid()}\n".encode())


def working(home: Path, **orders: Any) -> Process:
    """Start a worker."""
    return Process(Worker(home, Orders(**orders)).work)


def journal(home: Path) -> Path:
    """Return where workers tell what they ask: beside the home, so that it stays as it is."""
    return home.with_name(f"{home.name}.journal")


def marked(home: Path, what: str) -> list[str]:
    """Return the turns of which workers told a thing, in order, each as often as it was told."""
    file = journal(home)
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return [line.split()[1] for line in lines if line.startswith(f"{what} ")]


def _key(home: Path) -> bytes:
    root = state.open_home(str(home), is_proven=state.proven)
    try:
        return intake.key(root)
    finally:
        os.close(root)


def memory_file(home: Path) -> Path:
    return home / "groups" / "main" / "memory.db"


def asked(home: Path, statement: str, file: str = "memory.db") -> list[tuple[Any, ...]]:
    """Ask a memory, or a transcript, something with SQLite alone."""
    connection = apsw.Connection(str(memory_file(home).with_name(file)))
    try:
        return list(connection.execute(statement))
    finally:
        connection.close()


def drift(home: Path) -> list[str]:
    """Return where memories, their passages and the indexes over these do not agree."""
    (counted,) = asked(home, _COUNTS)
    memories, passages, indexed, *pairs = counted
    is_even = memories == passages == indexed and pairs[::2] == pairs[1::2]
    found = [] if is_even else [f"{counted} in the index"]
    for index in _CHECKED:
        try:
            asked(home, f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
        except apsw.CorruptError as error:
            found.append(f"{index}: {error}")
    return found


def troubles(home: Path, turns: int, dead: frozenset[int] = frozenset()) -> list[str]:
    """Return what is wrong where so many turns were curated, of which these ended as dead."""
    found = drift(home)
    states = {row[0]: row[1] for row in asked(home, "SELECT turn, state FROM jobs")}
    ends = {f"turn-{number:04d}": "dead" if number in dead else "done" for number in range(turns)}
    if states != ends:
        found.append(f"jobs {sorted(states.items() - ends.items())}")
    learned = [row[0] for row in asked(home, "SELECT content FROM memories ORDER BY content")]
    expected = [fact(number) for number in range(turns) if number not in dead]
    if learned != expected:
        found.append(f"{len(learned)} memories, {len(set(learned) ^ set(expected))} of them wrong")
    ((evidence,),) = asked(home, "SELECT COUNT(*) FROM evidence")
    return found if evidence == len(expected) else [*found, f"{evidence} pieces of evidence"]
