"""Verbs about the model that reads turns: asking it, what it costs, reading all once more."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture import state
from tacit.curate.model import calls, selecting, spend
from tacit.curate.model.asker import Asker, How, Means, Patience
from tacit.curate.model.request import Page
from tacit.curate.model.spend import Caps, Spent
from tacit.deliver.curated import review
from tacit.errors import FileRefused, ModelUnavailable, NotFound
from tacit.health import Check
from tacit.llm.port import Request, Usage
from tacit.verbs.files import FilesVerbs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.model.calls import Call
    from tacit.llm.port import Model, Reply
    from tacit.model.event import Event
    from tacit.settings import Settings
    from tacit.transcript.ledger import Ledger
    from tacit.verbs.parts import Parts

_FORECAST_DAYS = 7
_USUAL = Usage(input_tokens=8000, output_tokens=800)  # of a batch, before there was one


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What models have cost, and what they will if it goes on like this."""

    provider: str
    today: float
    days: list[Spent]
    models: list[Spent]
    caps: Caps
    month: float  # of thirty days like the last seven


_MEND = "edit [llm] in config.toml: docs/how-to/use-a-model.md"
_HELLO = Request(
    system="This is a test of the line. Answer with an empty list of memories.",
    text="Hello.",
    schema={
        "type": "object",
        "properties": {"memories": {"type": "array", "items": {"type": "string"}}},
        "required": ["memories"],
        "additionalProperties": False,
    },
    name="remember",
    most_tokens=200,
)


class ModelVerbs(FilesVerbs):
    """What a model reads, and what that costs."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._patience = Patience()
        self._noted: set[str] = set()  # the groups whose transcript says who reads

    @property
    def has_model(self) -> bool:
        """Say whether there is a model that could be asked."""
        return self._parts.llm is not None

    @property
    def model_trouble(self) -> str | None:
        """Return why the model is not asked at the moment; None if all is well."""
        return self._patience.trouble

    def ask_model(self, group: str) -> bool:
        """Have a model read one batch of turns, if one is due; say whether one was read."""
        model, ledger = self._parts.llm, self._existing(group)
        if ledger is None:
            return False
        chosen = self._chosen()
        with self._asking() as is_alone:
            if not is_alone:
                return False
            self._note_choice(group, ledger, model)
            if model is None:
                return False
            self.curate(group)  # what was answered before is learned before more is asked
            self._select(group, ledger)
            means = self._means(group, model)
            is_read = self._memories.ask(
                group,
                lambda store: Asker(ledger.store, store, means, _how(chosen), self._patience).ask(),
            )
        if is_read:
            self.curate(group)
            self._select(group, ledger)
            self.prepare(group)
        return is_read

    def _select(self, group: str, ledger: Ledger) -> None:
        """Let files show what the model has selected, where that loses little of them."""
        found = self._memories.ask(group, lambda store: selecting.waiting(ledger.store, store))
        for name, ids in found.items():
            with suppress(FileRefused, NotFound):  # then the file stays as it is
                self.select(group, name, ids)
            self._memories.ask(group, partial(selecting.take, name=name))

    def _pages(self, group: str) -> dict[str, Page]:
        """Return the curated files as a model is shown them."""
        found = self._at_desk(group, review.pages) or {}
        return {name: Page(entries=entries, text=text) for name, (entries, text) in found.items()}

    def check_model(self, why: str | None = None) -> Check:
        """Ask the chosen model something small; *why* it cannot be had, if that is known."""
        model = self._parts.llm
        provider = self._chosen().llm_provider
        if model is None and why is None:
            return Check(name="model", is_fine=True, text="none is chosen: rules read alone")
        started = time.monotonic()
        try:
            reply = model.ask(_HELLO) if model and why is None else None
        except ModelUnavailable as error:
            reply, why = None, str(error)
        if reply is None or model is None:
            return Check(name="model", is_fine=False, text=why or "", fix=_MEND)
        self._pay_for(model, reply)
        spent = round((time.monotonic() - started) * 1000)
        text = f"{provider} {reply.model} answers in {spent} ms"
        price = f"100 turns cost about ${self.reading_cost(100):.2f}"
        return Check(name="model", is_fine=True, text=f"{text}; {price}")

    def _pay_for(self, model: Model, reply: Reply) -> None:
        """Write down what a question cost that was about no turn."""
        now, group = self._now_ns(), next(iter(self.groups()), None)
        told = {"provider": model.provider, "model": reply.model, "usd": round(reply.usd, 6)}
        if group is not None:
            made = calls.event(calls.CALL, told, now_ns=now, random=os.urandom)
            self._append(group, [made])

    def cost(self, days: int = 30) -> Cost:
        """Return what models have cost lately, and what they will."""
        now, chosen = self._now_ns(), self._chosen()
        made = self._spent(now - days * spend.DAY_NS)
        week = [each for each in made if each.at > now - _FORECAST_DAYS * spend.DAY_NS]
        today = [each for each in made if each.at >= spend.day_start(now)]
        return Cost(
            provider=chosen.llm_provider,
            today=round(sum(each.usd for each in today), 6),
            days=spend.by_day(made),
            models=spend.by_model(made),
            caps=_caps(chosen),
            month=round(sum(each.usd for each in week) * 30 / _FORECAST_DAYS, 4),
        )

    def reading_cost(self, turns: int) -> float:
        """Return about how many dollars it costs that the model reads so many turns."""
        model, now = self._parts.llm, self._now_ns()
        made = [each for each in self._spent(now - 30 * spend.DAY_NS) if each.input_tokens]
        batches = max(1, turns // self._chosen().number("curate.batch_turns"))
        if made:
            return batches * sum(each.usd for each in made) / len(made)
        return batches * model.usd("small", _USUAL) if model else 0.0

    def read_again(self, group: str) -> None:
        """Let the model read all turns once more; what it answered before counts no longer."""
        model = self._parts.llm
        provider = model.provider if model else calls.NONE
        self._append(group, [self._choice(provider, model, is_again=True)])

    def _note_choice(self, group: str, ledger: Ledger, model: Model | None) -> None:
        """Write down which model reads from now on, when that has changed."""
        if group in self._noted:
            return
        last = [each for each in ledger.store.about_models(0) if each.kind == calls.CHOSEN]
        before = calls.told(last[-1]).get("provider") if last else calls.NONE
        provider = model.provider if model else calls.NONE
        if provider != before:
            past = ledger.store.before(self._now_ns() - spend.HOUR_NS)
            self._append(group, [self._choice(provider, model, since=max(past, default=0))])
            self.curate(group)
        self._noted.add(group)

    def _choice(
        self, provider: str, model: Model | None, *, since: int = 0, is_again: bool = False
    ) -> Event:
        """Return the event of a choice: the model reads what came behind a sequence number."""
        body = {
            "provider": provider,
            "model": model.model("small") if model else "",
            "since": since,
            "again": is_again,
        }
        return calls.event(calls.CHOSEN, body, now_ns=self._now_ns(), random=os.urandom)

    def _means(self, group: str, model: Model) -> Means:
        redactor = self._parts.redactor()
        return Means(
            model=model,
            now_ns=self._now_ns,
            random=os.urandom,
            append=lambda events: self._append(group, events),
            record=lambda events, about: self._append(group, events, about),
            redact=lambda text: redactor.redact(text.encode("utf-8", "replace")).decode(),
            spent=self._spent,
            pages=lambda: self._pages(group),
        )

    def _append(self, group: str, events: Sequence[Event], about: Sequence[str] = ()) -> bool:
        """Write events down, unless one that they are *about* was erased; say whether they were."""
        with self._ledgers.locked(group) as ledger:
            if any(each.body is None for each in ledger.store.find(about)):
                return False
            ledger.append(events, now_ns=self._now_ns())
        return True

    def _spent(self, since: int) -> list[Call]:
        """Return the calls of all groups: a budget is one person's."""
        found: list[Call] = []
        for group in self.groups():
            made = self._read(group, lambda ledger: ledger.store.about_models(since))
            found += spend.calls(made or [])
        return sorted(found, key=lambda each: each.at)

    @contextmanager
    def _asking(self) -> Iterator[bool]:
        """Let no other program ask meanwhile, since a budget is one; say whether that is so."""
        descriptor = state.open_file(self._root, paths.ASKING_LOCK, os.O_RDWR | os.O_CREAT)
        try:
            yield _is_alone(descriptor)
        finally:
            os.close(descriptor)


def _is_alone(descriptor: int) -> bool:
    """Take the lock of whoever asks; say whether it was free."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _caps(chosen: Settings) -> Caps:
    return Caps(
        daily_usd=chosen.amount("llm.daily_usd"),
        session_usd=chosen.amount("llm.session_usd"),
        calls_per_hour=chosen.number("llm.calls_per_hour"),
    )


def _how(chosen: Settings) -> How:
    return How(
        batch_turns=chosen.number("curate.batch_turns"),
        context_turns=chosen.number("curate.context_turns"),
        gate=chosen.word("curate.gate"),
        boring=chosen.boring_tools,
        max_age_days=chosen.number("curate.max_backlog_days"),
        caps=_caps(chosen),
    )
