"""R02, R18: whoever asks is killed, and each batch is still read, learned once and paid for once.

What was reserved and never settled counts against the budget. One batch that cannot be read is
given up after five tries, and all others are read.
"""

from __future__ import annotations

import os
import shutil
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from flow.curating import asked, drift
from flow.dying import Process, Steps
from flow.reading import (
    EMPTY,
    HOUR_NS,
    MINUTE_NS,
    NOON,
    SECOND_NS,
    answering,
    asked_for,
    extracted,
    learned,
    reading,
)
from tacit.compose import open_app
from tacit.curate.model import calls
from tacit.llm.port import Reply, Usage
from tacit.store.memory_port import Wanted
from unit.net.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flow.dying import Ended
    from tacit.llm.port import Request, Tier

PLACES = ("before call", "after reply", "before learning", "after learning")
WASTING = frozenset(PLACES[:2])
PRICE = 0.01
REPLIES = "SELECT COUNT(*) FROM events WHERE kind = 'model_reply'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """Where a reader dies, in which of its batches, or at which step towards the disk."""

    dies: str = ""
    nth: int = 2
    step: int = 0


class Answering:
    """A model that tells a journal what it is asked, and dies where it is told to."""

    provider = "anthropic"
    place = ""

    def __init__(self, journal: Path, orders: Orders) -> None:
        self._journal = journal
        self._orders = orders
        self.batches = 0

    def model(self, tier: Tier) -> str:
        return f"answering-{tier}"

    def usd(self, tier: Tier, usage: Usage) -> float:
        del tier, usage
        return PRICE

    def is_priced(self, tier: Tier) -> bool:
        del tier
        return True

    def ask(self, request: Request) -> Reply:
        self.batches += 1
        self.at("before call")
        self._mark("call")
        answer = extracted(request.text)
        self._mark("reply")
        self.at("after reply")
        usage = Usage(input_tokens=100, output_tokens=10)
        return Reply(
            text="{}", value=answer, usage=usage, model="answering-1", usd=PRICE, stop="end_turn"
        )

    def close(self) -> None:
        """Hold nothing."""

    def at(self, place: str) -> None:
        if (place, self.batches) == (self._orders.dies, self._orders.nth):
            os.kill(os.getpid(), signal.SIGKILL)

    def _mark(self, what: str) -> None:
        with self._journal.open("ab", buffering=0) as file:
            file.write(f"{what}\n".encode())


class Clock:
    """The time, of which a little passes at each look; between two looks something may happen."""

    def __init__(self, home: Path, model: Answering, start: int) -> None:
        self._home = home
        self._model = model
        self._now = start
        self._replies = counted(home)
        self._is_learning = False

    def __call__(self) -> int:
        self._now += 1000
        if self._model.batches:
            self._look()
        return self._now

    def _look(self) -> None:
        """Die after an answer was written down, and before it is learned, or after."""
        if self._is_learning and _are_learned(self._home):
            self._model.at("after learning")
        if counted(self._home) >= self._replies + self._model.batches:
            self._is_learning = True
            self._model.at("before learning")


def counted(home: Path) -> int:
    """Return how many answers are written down, read with SQLite alone."""
    ((count,),) = asked(home, REPLIES, "transcript.db")
    return int(count)


def _are_learned(home: Path) -> bool:
    ((cursor,),) = asked(home, "SELECT number FROM progress WHERE name = 'cursor'")
    ((waiting,),) = asked(home, "SELECT COUNT(*) FROM jobs WHERE state <> 'done'")
    ((seq,),) = asked(home, "SELECT MAX(seq) FROM events", "transcript.db")
    return bool(cursor == seq and waiting == 0)


def journal(home: Path) -> Path:
    return home.with_name(f"{home.name}.journal")


def marked(home: Path, what: str) -> int:
    file = journal(home)
    return file.read_text(encoding="ascii").split().count(what) if file.exists() else 0


def _read(home: Path, orders: Orders, start: int) -> tuple[int, str]:
    """Have everything read that is due; return how many steps towards the disk that took."""
    steps = Steps(orders.step)
    if orders.step >= 0:
        steps.watch()
    model = Answering(journal(home), orders)
    app = open_app(str(home), now_ns=Clock(home, model, start), llm=model)
    while app.ask_model("main"):
        pass
    app.close()
    return 0, f"read {steps.taken or '-'}"


def reader(home: Path, generation: int, **orders: Any) -> Ended:
    """Have everything read by a process of its own, later than those before."""
    given = Orders(**{"step": -1} | orders)
    start = NOON + MINUTE_NS + generation * SECOND_NS
    return Process(lambda: _read(home, given, start)).ended()


def talked(home: Path, sessions: int) -> None:
    """Let sessions happen and be taken in, for a model that nobody has asked yet."""
    with reading(home, "http://127.0.0.1:9", calls_per_hour=100_000) as told:
        told.sessions(*range(sessions))


def troubles(home: Path, sessions: int) -> list[str]:
    """Return what is wrong where so many sessions were to be read."""
    app = open_app(str(home), now_ns=lambda: NOON + 2 * HOUR_NS)
    memories = app.list("main", Wanted(states=None))
    unasked = app.queue("main").unasked
    counts = app.queue("main").counts
    is_same = app.rebuild("main").is_same
    app.close()
    found = drift(home)
    by_model = sorted(each.content for each in memories if each.extractor.startswith("extract"))
    if by_model != sorted(learned(number) for number in range(sessions)):
        found.append(f"{len(by_model)} memories of the model: {by_model}")
    own = {each.content for each in memories}
    found += [asked_for(number) for number in range(sessions) if asked_for(number) not in own]
    found += [str(each) for each in unasked]
    found += [] if counts.keys() <= {"done"} else [f"jobs {counts}"]
    return found if is_same else [*found, "a rebuild is not the same"]


def _campaign_of_places(place: Path, kills: int) -> None:
    sessions = kills + 4
    talked(place, sessions)

    killed = []
    for number in range(kills):
        where = PLACES[number % len(PLACES)]
        ended = reader(place, number, dies=where, nth=1)
        killed += [where] if ended.is_killed else [ended.text]
    last = reader(place, kills)

    assert killed == [PLACES[number % len(PLACES)] for number in range(kills)]
    assert last.code == 0, last.text
    wasted = killed.count("after reply")
    assert troubles(place, sessions) == []
    assert marked(place, "call") - wasted == sessions  # at most 1.05 are allowed
    _assert_spent(place, sessions + sum(where in WASTING for where in killed))


def _assert_spent(home: Path, reserved: int) -> None:
    """Check that each reservation counts, whether or not it was ever settled."""
    app = open_app(str(home), now_ns=lambda: NOON + 3 * HOUR_NS)
    spent = app.cost()
    app.close()
    assert round(spent.today / PRICE) == reserved
    assert [each.calls for each in spent.days] == [reserved]


def test_r02_a_reader_killed_12_times_at_four_places_pays_and_learns_once(place: Path) -> None:
    _campaign_of_places(place, 12)


@pytest.mark.long
def test_r02_a_reader_killed_1000_times_at_four_places_pays_and_learns_once(place: Path) -> None:
    _campaign_of_places(place, 1000)


def _campaign_of_steps(place: Path, most: int) -> None:
    talked(place, 2)
    whole = shutil.copytree(place, place.with_name("whole"))
    steps = len(reader(whole, 0, step=0).steps)

    wrong: dict[int, list[str]] = {}
    for last in sorted({1 + number * (steps - 1) // (most - 1) for number in range(most)}):
        copy = shutil.copytree(place, place.with_name(f"copy-{last}"))
        assert reader(copy, 0, step=last).is_killed
        before = counted(copy)
        wasted = marked(copy, "reply") - before
        assert reader(copy, 1).code == 0
        if found := troubles(copy, 2):
            wrong[last] = found
        elif marked(copy, "call") != 2 + wasted:
            wrong[last] = [f"{marked(copy, 'call')} calls, {wasted} answers lost"]
        shutil.rmtree(copy)
        journal(copy).unlink(missing_ok=True)

    assert wrong == {}


def test_r02_a_reader_killed_at_15_steps_pays_and_learns_once(place: Path) -> None:
    _campaign_of_steps(place, 15)


@pytest.mark.long
def test_r02_a_reader_killed_at_any_step_pays_and_learns_once(place: Path) -> None:
    _campaign_of_steps(place, 1000)


def test_r02_what_was_reserved_by_one_who_died_counts_against_the_budget(place: Path) -> None:
    talked(place, 4)
    with reading(place, "http://127.0.0.1:9", daily_usd=3 * PRICE):
        pass
    for number in range(2):
        assert reader(place, number, dies="before call", nth=1).is_killed

    assert reader(place, 2).code == 0

    assert (marked(place, "call"), counted(place)) == (1, 1)


def _poisoned(number: int) -> Callable[[str], dict[str, Any]]:
    """Answer everything well but for one session."""

    def answer(text: str) -> dict[str, Any]:
        turns = text.partition("## The turns")[2]
        return {"memories": "poison"} if f"invoice {number} " in turns else extracted(text)

    return answer


def _one_among(place: Path, sessions: int) -> None:
    poison = sessions // 2
    with (
        served(answering(_poisoned(poison))) as server,
        reading(place, server, batch_turns=1) as told,
    ):
        told.sessions(*range(sessions))
        told.live(6 * HOUR_NS, 10 * MINUTE_NS)

        (dead,) = told.app.queue("main").unasked
        assert (dead.session, dead.tries, dead.is_dead) == (f"s-{poison}", 5, True)
        assert len(told.told(calls.REPLY)) == sessions - 1
        assert len(server.asked) == sessions - 1 + 5
        assert asked_for(poison) in told.contents()

        server.script = answering(extracted)
        assert told.app.retry("main") == 1
        assert told.ask() == 1
        assert told.by_model() == sorted(learned(number) for number in range(sessions))


def test_r18_one_poisoned_batch_among_20_is_given_up_and_the_others_are_read(place: Path) -> None:
    _one_among(place, 20)


@pytest.mark.long
def test_r18_one_poisoned_batch_among_1000_is_given_up_and_the_others_are_read(
    place: Path,
) -> None:
    _one_among(place, 1000)


def test_r18_one_poisoned_turn_of_a_session_is_given_up_and_its_others_are_read(
    place: Path,
) -> None:
    with served(answering(_poisoned(13))) as server, reading(place, server) as told:
        for number in range(25):
            told.turn("s-1", f"From now on, invoice {number} goes out on the first Tuesday.")
        told.end("s-1")
        told.drain()
        told.live(12 * HOUR_NS, 10 * MINUTE_NS)

        (dead,) = told.app.queue("main").unasked
        assert (dead.tries, dead.is_dead) == (5, True)
        assert told.by_model() == sorted(learned(number) for number in range(25) if number != 13)


def test_r18_an_empty_answer_is_done_and_not_asked_for_again(place: Path) -> None:
    with served(answering(lambda _text: EMPTY)) as server, reading(place, server) as told:
        told.sessions(0, 1, 2)
        told.live(3 * HOUR_NS, 10 * MINUTE_NS)

        assert (len(server.asked), told.app.queue("main").unasked) == (3, [])
        assert told.by_model() == []
