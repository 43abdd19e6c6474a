"""What memories are made of in tests: evidence, turns, decisions, and a desk that curates them."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.curate import explicit, rebuild, statement
from tacit.curate.decide import Decider
from tacit.curate.decisions import About, Decided, Decision, Who, event
from tacit.curate.extract import Extractor
from tacit.curate.learn import Learner
from tacit.curate.work import Curator, Tools, Worked
from tacit.model.action import Action
from tacit.model.event import SALT_BYTES, Event, Place, Record
from tacit.model.memory import Evidence, Memory
from tacit.recall.analyse import tokens
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from tacit.store.sqlite.opening import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.capture.spool import Spool
    from tacit.curate.extract import Context, Extracted
    from tacit.curate.reading import TurnText
    from tacit.curate.rebuild import Rebuilt
    from tacit.store.sqlite.memory import SqliteMemory

NOON = 1_790_000_000_000_000_000
SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
PLACE = Place(directory="/srv/shop", project="prj-shop", root="/srv/shop", name="shop")
TABS = "The shop uses tabs"
SPACES = "The shop uses four spaces"
TEA = "The till sells tea"  # about nothing that the others are about
# where flushing costs nothing: it is not what these tests are about
IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
digest = partial(statement.digest, b"k" * 32)


class Clock:
    """The time, as a test sets it."""

    def __init__(self) -> None:
        self.now_ns = NOON

    def __call__(self) -> int:
        return self.now_ns

    def pass_(self, nanoseconds: int) -> int:
        """Let time pass; return what time it is then."""
        self.now_ns += nanoseconds
        return self.now_ns


class Ticking(Clock):
    """The time, of which a millisecond passes whenever somebody looks."""

    def __call__(self) -> int:
        return self.pass_(SECOND_NS // 1000)


def publish(spool: Spool, event: str, at: int, payload: dict[str, Any], **header: str) -> None:
    """Let an event wait in the spool."""
    chosen = {"client": "claude-code", "group": "main"} | header
    spool.publish(json.dumps(payload).encode(), event=event, received_ns=at, **chosen)


def talk(spool: Spool, clock: Clock, *statements: str, **changes: Any) -> None:
    """Let a turn wait in the spool in which the user asks for these to be remembered."""
    group = changes.pop("group", "main")
    place = {"session_id": "s1", "cwd": "/srv/shop", "prompt_id": f"turn-{clock()}"} | changes
    prompt = "\n".join(f"Remember that {each}." for each in statements)
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": prompt}, group=group)
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "Done."}, group=group)


def evidence(number: int, content: str = TABS, **changes: Any) -> Evidence:
    """Return the number-th thing that was said, a second behind the one before."""
    fields: dict[str, Any] = {
        "id": f"evi-{number:04d}",
        "event": f"evt-{number}",
        "seq": number,
        "start": 0,
        "quote": content,
        "origin": "user",
        "via": "live",
        "session": "s-1",
        "turn": f"t-{number}",
        "at": NOON + number * SECOND_NS,
        "kind": "fact",
        "content": content,
        "confidence": 0.8,
        "project": PLACE.project,
        "extractor": "told-1",
    }
    return Evidence(**(fields | changes))


def told(number: int, verb: str, *about: Memory | About, **changes: Any) -> Decided:
    """Return the number-th thing that happened: somebody, the owner if unsaid, decided."""
    origin, caller = changes.pop("origin", "owner"), changes.pop("caller", "")
    meant = tuple(
        each if isinstance(each, About) else About(id=each.id, kind=each.kind) for each in about
    )
    return Decided(
        decision=Decision(verb=verb, about=meant, **changes),
        event=f"evt-{number}",
        seq=number,
        at=NOON + number * SECOND_NS,
        origin=origin,
        session=caller,
    )


class Room:
    """A memory, and who learns and decides in it."""

    def __init__(self, store: SqliteMemory) -> None:
        self.store = store
        self.learner = Learner(store, digest)
        self.decider = Decider(store, self.learner)

    def learn(self, number: int, content: str = TABS, **changes: Any) -> Memory:
        """Learn the number-th thing that was said; return the memory."""
        reason = changes.pop("reason", None)
        learned = self.learner.learn(evidence(number, content, **changes), reason=reason)
        assert learned is not None
        return learned

    def decide(self, number: int, verb: str, *about: Memory | About, **changes: Any) -> None:
        """Carry out the number-th thing that happened."""
        with self.store.transaction():
            self.decider.carry_out(told(number, verb, *about, **changes))

    def now(self, memory: Memory) -> Memory:
        """Return a memory as it stands now."""
        found = self.store.memories.get(memory.id)
        assert found is not None
        return found

    def standing(self, *states: str) -> list[str]:
        """Return what the memories in these states say, active ones if unsaid, in order."""
        found = self.store.memories.wanted(Wanted(states=states or ("active",)))
        return sorted(each.content for each in found)


class Desk(Room):
    """A group's transcript, its memory, and the curator between them."""

    def __init__(self, directory: Path) -> None:
        self.engine = look(directory)
        self.path = directory / "memory.db"
        self.transcript = open_store(directory / "transcript.db", self.engine, lambda _store: None)
        super().__init__(open_memory(self.path, self.engine, tokens))
        self.clock = Clock()
        self.extract: Callable[[TurnText], Extracted] = explicit.extract
        self.extractor = Extractor(name="told-1", extract=self._extract)
        self.erase: Callable[[Sequence[str]], object] = self.bury
        self.seen: list[tuple[str, int]] = []  # what the extractor was shown: turn, events
        self._turns = 0

    @property
    def tools(self) -> Tools:
        """Return what the curator works with; every part can be changed at any time."""
        return Tools(
            extractor=self.extractor,
            digest=digest,
            now_ns=self.clock,
            random=os.urandom,
            erase=self.erase,
        )

    def _extract(self, turn: TurnText, _context: Context) -> Extracted:
        self.seen.append((turn.turn, len(turn.said)))
        return self.extract(turn)

    def curator(self) -> Curator:
        """Return a curator, as each program has its own."""
        return Curator(self.transcript, self.store, self.tools)

    def curate(self) -> Worked:
        """Do what there is to do."""
        return self.curator().work()

    def rebuild(self) -> Rebuilt:
        """Make the memory again."""
        return rebuild.rebuild(self.transcript, self.store, self.engine, self.tools)

    def content(self) -> str:
        """Return the digest of all that counts."""
        return rebuild.content_digest(self.store)

    def append(self, kind: str, payload: dict[str, Any] | None = None, **changes: Any) -> Record:
        """Let something happen, a second after what was last."""
        now = self.clock.pass_(SECOND_NS)
        fields: dict[str, Any] = {
            "id": f"evt-{self.transcript.head().seq + 1}",
            "at": now,
            "received": now,
            "session": "s-1",
            "project": PLACE.project,
            "client": "claude-code",
            "turn": None,
            "kind": kind,
            "tool": "Bash" if kind.startswith("tool_") else None,
            "agent": None,
            "origin": "user" if kind == "prompt" else "assistant",
            "via": "live",
            "salt": os.urandom(SALT_BYTES),
            "body": json.dumps(payload or {}).encode(),
            "place": PLACE,
        }
        return self.transcript.append([Event(**(fields | changes))])[0]

    def prompt(self, text: str, **changes: Any) -> str:
        """Let the user say something; return the turn."""
        self._turns += 1
        changes.setdefault("turn", f"t-{self._turns}")
        self.append("prompt", {"prompt": text}, **changes)
        return str(changes["turn"])

    def reply(self, turn: str, **changes: Any) -> Record:
        """Let a turn end."""
        return self.append("reply", {"last_assistant_message": "Done."}, turn=turn, **changes)

    def say(self, *statements: str, **changes: Any) -> str:
        """Let the user ask for these to be remembered, in one turn; return the turn."""
        text = "\n".join(f"Remember that {each}." for each in statements)
        turn = self.prompt(text, **changes)
        self.reply(turn, **{name: changes[name] for name in ("session",) if name in changes})
        return turn

    def told(self, verb: str, *about: Memory, **changes: Any) -> Record:
        """Let somebody, the owner if unsaid, decide; the event names memories as verbs do."""
        who = Who(origin=changes.pop("origin", "owner"), session=changes.pop("caller", ""))
        meant = tuple(
            About(id=each.id, kind=each.kind, events=self.events_of(each)) for each in about
        )
        made = event(
            Decision(verb=verb, about=meant, **changes),
            who,
            PLACE,
            now_ns=self.clock.pass_(SECOND_NS),
            random=(self.transcript.head().seq + 1).to_bytes,
        )
        return self.transcript.append([made])[0]

    def events_of(self, memory: Memory) -> tuple[str, ...]:
        """Return the events that a memory stands on."""
        rows = self.store.evidence.of_memory(memory.id)
        return tuple(dict.fromkeys(row.event for row in rows))

    def bury(self, events: Sequence[str]) -> None:
        """Let the bodies of events go."""
        buried = self.transcript.buried()
        seqs = [each.seq for each in self.transcript.find(events) if each.seq not in buried]
        self.transcript.bury(seqs, at=self.clock(), reason="asked")

    def only(self, content: str) -> Memory:
        """Return the one active memory that says this."""
        (found,) = [
            each for each in self.store.memories.wanted(Wanted()) if each.content == content
        ]
        return found

    def jobs(self) -> dict[str, int]:
        """Return how many jobs stand in each state."""
        return self.store.jobs.counted()


@contextmanager
def fresh_desk() -> Iterator[Desk]:
    """Give a desk that is thrown away: one for each example."""
    with TemporaryDirectory(dir=IN_MEMORY) as directory:
        desk = Desk(Path(directory))
        try:
            yield desk
        finally:
            desk.store.close()
            desk.transcript.close()


def left(content: str) -> Action:
    """Return what waits to be done."""
    return Action(
        id=f"act-{content[:5]}",
        content=content,
        session="s-1",
        event="evt-1",
        quote=content,
        origin="user",
        created_at=NOON,
    )
