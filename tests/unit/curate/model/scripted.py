"""A model that answers as the test wants, and a desk at which it reads along.

The model is a whole implementation of the port: it keeps what it is asked, has a price, and fails
where its script says so. The desk asks it as the verbs do, by the clock of the test.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.curate.model import calls, spend
from tacit.curate.model.asker import Asker, How, Means
from tacit.curate.model.patience import Patience
from tacit.errors import ModelUnavailable
from tacit.llm.port import Reply, Usage
from unit.curate.saying import IN_MEMORY, SECOND_NS, Desk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.curate.model.calls import Call
    from tacit.llm.port import Request, Tier
    from tacit.model.event import Event, Record

    Answering = Callable[[Request], object]

EMPTY: dict[str, Any] = {
    "memories": [],
    "kept": [],
    "withdrawn": [],
    "actions": [],
    "resolved": [],
    "summary": None,
}
MINUTE_NS = 60 * SECOND_NS


def item(kind: str, text: str, quote: str = "", **more: Any) -> dict[str, Any]:
    """Return a statement as a model answers it."""
    usual = {"kind": kind, "text": text, "quote": quote, "turn": "t1", "importance": 3}
    return (
        usual | {"tags": [], "topic": "", "scope": "project", "supersedes": "", "draft": ""} | more
    )


def todo(text: str, quote: str = "", **more: Any) -> dict[str, Any]:
    """Return something left to do as a model answers it."""
    return {"text": text, "quote": quote, "turn": "t1", "priority": 2} | more


def answer(*memories: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a whole answer with these statements."""
    return EMPTY | {"memories": list(memories)} | more


class Scripted:
    """A model whose answers are written beforehand: the last one is given again and again.

    An answer is an object, a text, an error that is raised, or a function of the request.
    """

    provider = "scripted"
    place = "https://ai.example.com"

    def __init__(self, *answers: object, usd: float = 0.001) -> None:
        self._answers = list(answers) or [EMPTY]
        self.price: Callable[[Usage], float] = lambda _usage: usd  # of each call
        self.usage = Usage(input_tokens=1000, output_tokens=100)
        self.asked: list[Request] = []
        self.has_price = True
        self.is_closed = False

    def model(self, tier: Tier) -> str:
        """Return the id of the model that answers a tier."""
        return f"scripted-{tier}"

    def usd(self, tier: Tier, usage: Usage) -> float:
        """Return what a reply of a tier costs that takes so many tokens."""
        del tier
        return self.price(usage)

    def is_priced(self, tier: Tier) -> bool:
        """Say whether it is known what a tier costs."""
        del tier
        return self.has_price

    def ask(self, request: Request) -> Reply:
        """Return what the script says."""
        self.asked.append(request)
        said = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        said = said(request) if callable(said) else said
        if isinstance(said, ModelUnavailable):
            raise said
        return Reply(
            text=said if isinstance(said, str) else "{}",
            value=said if isinstance(said, dict) else None,
            usage=self.usage,
            model="scripted-1",
            usd=self.price(self.usage),
            stop="end_turn",
        )

    def close(self) -> None:
        """Let everything go."""
        self.is_closed = True


class ReadingDesk(Desk):
    """A desk with a model that reads along."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.model = Scripted()
        self.how = How()
        self.patience = Patience()
        self.elsewhere: list[Call] = []  # what was spent in other groups
        self.redact: Callable[[str], str] = str

    def choose(self, provider: str = "scripted", since: int = 0, **more: object) -> Record:
        """Let the owner choose a model; it reads what came behind a sequence number."""
        body = {"provider": provider, "since": since} | more
        self.clock.pass_(SECOND_NS)
        return self._append([self.event_of(calls.CHOSEN, body)])[0]

    def event_of(self, kind: str, body: dict[str, Any]) -> Event:
        """Return an event about a model."""
        return calls.event(kind, body, now_ns=self.clock(), random=os.urandom)

    def asker(self) -> Asker:
        """Return who asks, as each round has its own."""
        means = Means(
            model=self.model,
            now_ns=self.clock,
            random=os.urandom,
            append=self._append,
            record=self._record,
            redact=self.redact,
            spent=self._spent,
        )
        return Asker(self.transcript, self.store, means, self.how, self.patience)

    def ask(self) -> bool:
        """Curate, have one batch read if one is due, and learn what was answered."""
        self.curate()
        is_read = self.asker().ask()
        self.curate()
        return is_read

    def read(self, *answers: object) -> bool:
        """Have a batch read that is answered so."""
        self.model = Scripted(*answers)
        return self.ask()

    def talk(self, text: str, said: str = "Done.", session: str = "s-1") -> str:
        """Let a turn happen: a prompt, and its reply; return the turn."""
        turn = self.prompt(text, session=session)
        self.append("reply", {"last_assistant_message": said}, turn=turn, session=session)
        return turn

    def use(self, turn: str, gave: str, tool: str = "Bash", session: str = "s-1") -> Record:
        """Let a tool be used in a turn."""
        payload = {"tool_name": tool, "tool_input": {"command": "look"}, "tool_response": gave}
        return self.append(
            "tool_use", payload, turn=turn, session=session, tool=tool, origin=f"tool:{tool}"
        )

    def end(self, session: str = "s-1") -> Record:
        """Let a session end."""
        return self.append("end", {"reason": "other"}, session=session, origin="system")

    def about(self, kind: str) -> list[dict[str, Any]]:
        """Return what events of a kind say, in order."""
        return [calls.told(each) for each in self.transcript.about_models(0) if each.kind == kind]

    def spent(self) -> list[Call]:
        """Return the calls that were made."""
        return spend.calls(self.transcript.about_models(0))

    def _append(self, events: Sequence[Event]) -> list[Record]:
        return self.transcript.append(list(events))

    def _record(self, events: Sequence[Event], about: Sequence[str]) -> bool:
        if any(each.body is None for each in self.transcript.find(about)):
            return False
        self._append(events)
        return True

    def _spent(self, since: int) -> list[Call]:
        return [*self.elsewhere, *spend.calls(self.transcript.about_models(since))]


@contextmanager
def reading_desk() -> Iterator[ReadingDesk]:
    """Give a desk that is thrown away: one for each example."""
    with TemporaryDirectory(dir=IN_MEMORY) as directory:
        desk = ReadingDesk(Path(directory))
        try:
            yield desk
        finally:
            desk.store.close()
            desk.transcript.close()


def capped(desk: ReadingDesk, **caps: float) -> None:
    """Let no more be spent than these."""
    desk.how = replace(desk.how, caps=replace(desk.how.caps, **caps))  # type: ignore[arg-type]
