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
from tacit.checks import Check
from tacit.curate.model import calls, selecting, spend
from tacit.curate.model.asker import Asker, How, Means
from tacit.curate.model.patience import Patience
from tacit.curate.model.request import Page
from tacit.curate.model.spend import Caps, Spent
from tacit.deliver.curated import review
from tacit.errors import FileRefused, ModelUnavailable, NotFound
from tacit.llm import programs
from tacit.llm.form import at_most, guessed
from tacit.llm.port import Request, Usage
from tacit.verbs.files import FilesVerbs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tacit.curate.model.calls import Call
    from tacit.llm.port import Model, Reply, Tier
    from tacit.model.event import Event
    from tacit.settings import Settings
    from tacit.transcript.ledger import Ledger
    from tacit.verbs.parts import Parts

_FORECAST_DAYS = 7
_TIERS: tuple[Tier, ...] = ("small", "large")
_USUAL = Usage(input_tokens=8000, output_tokens=800)  # of a batch, before there was one


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What models have cost, and what they will if it goes on like this."""

    provider: str
    today: float
    days: list[Spent]
    models: list[Spent]
    sessions: list[Spent]
    caps: Caps
    month: float  # of thirty days like the last seven
    misjudged: tuple[int, int] | None = None  # tokens expected and counted, if far apart
    unpriced: str | None = None  # what to do about a model whose price is not known


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

    def check_model(
        self,
        daemon: str | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        why: str | None = None,
    ) -> Check:
        """Ask the chosen model something small; *why* it cannot be had, if that is known.

        What the *daemon* last told of its own trouble is told as well. By the user's *environment*
        it is seen whether a daemon finds the same programs.
        """
        model, provider = self._parts.llm, self._chosen().llm_provider
        if model is None and why is None:
            return Check(name="model", is_fine=True, text="none is chosen: rules read alone")
        started = time.monotonic()
        try:
            reply = self._greeted(model) if model and why is None else None
        except ModelUnavailable as error:
            reply, why = None, str(error)
        if reply is None:
            return Check(name="model", is_fine=False, text=why or "", fix=_MEND)
        spent = round((time.monotonic() - started) * 1000)
        text = f"{provider} {reply.model} answers in {spent} ms"
        if unseen := self._unseen(environment or {}):
            return unseen
        trouble = self._unpriced() or (f"The daemon said last: {daemon}" if daemon else None)
        if trouble:
            return Check(name="model", is_fine=False, text=f"{text}. {trouble}", fix=_MEND)
        price = f"100 turns cost about ${self.reading_cost(100):.2f}"
        return Check(name="model", is_fine=True, text=f"{text}; {price}")

    def _greeted(self, model: Model) -> Reply:
        """Return what a model answers to something small, if the caps have room for it.

        Written down before and settled after, like every call.
        """
        now, usd = self._now_ns(), model.usd(_HELLO.tier, at_most(_HELLO))
        made = self._spent(spend.since(now))
        if cap := spend.over(made, usd, _caps(self._chosen()), now):
            is_priced = model.is_priced(_HELLO.tier)
            raise ModelUnavailable(spend.reached(cap, None if is_priced else model.model("small")))
        group = next(iter(self.groups()), paths.MAIN_GROUP)
        told = {"provider": model.provider, "model": model.model(_HELLO.tier)}
        body = told | {"usd": round(usd, 6), "input_tokens": guessed(_HELLO)}
        call = calls.event(calls.CALL, body, now_ns=now, random=os.urandom)
        self._append(group, [call], is_new=True)  # what is paid for is written down somewhere
        try:
            reply = model.ask(_HELLO)
        except ModelUnavailable as error:
            self._settle(group, calls.settling(call.id, error.usd, Usage()))
            raise
        self._settle(group, calls.settling(call.id, reply.usd, reply.usage))
        return reply

    def _settle(self, group: str, body: dict[str, object]) -> None:
        now = self._now_ns()
        self._append(group, [calls.event(calls.SETTLED, body, now_ns=now, random=os.urandom)])

    def _unseen(self, environment: Mapping[str, str]) -> Check | None:
        """Say what to write if the user has a program where a daemon does not look for it."""
        chosen = self._chosen()
        name, setting = chosen.word("llm.program") or programs.CLAUDE, "program"
        if chosen.llm_key_command:
            name, setting = chosen.llm_key_command[0], "key_command"
        elif chosen.llm_provider != "claude-cli":
            return None
        if not environment or (own := programs.unseen(name, environment)) is None:
            return None
        text = f"a daemon does not look for `{name}` where you have it: {own}"
        fix = f"write that whole path in `{setting}` under [llm] in config.toml"
        return Check(name="model", is_fine=False, text=text, fix=fix)

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
            sessions=spend.by_session(made),
            caps=_caps(chosen),
            month=round(sum(each.usd for each in week) * 30 / _FORECAST_DAYS, 4),
            misjudged=spend.misjudged(made),
            unpriced=self._unpriced(),
        )

    def _unpriced(self) -> str | None:
        """Say what to do about a model whose price is not known; None if all prices are."""
        model = self._parts.llm
        unknown = [] if model is None else [each for each in _TIERS if not model.is_priced(each)]
        if model is None or not unknown:
            return None
        return (
            f"The price of {model.model(unknown[0])} is not known: it counts like the dearest "
            f"model. Write {spend.PRICE} under [llm] in config.toml."
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
        self._append(group, [self._choice(model, is_again=True)])

    def _note_choice(self, group: str, ledger: Ledger, model: Model | None) -> None:
        """Write down who reads from now on, and where, when that has changed."""
        if group in self._noted:
            return
        records = ledger.store.about_models(0)
        last = [each for each in records if each.kind == calls.CHOSEN]
        said = calls.told(last[-1]) if last else {}
        before = (said.get("provider", calls.NONE), said.get("place", ""))
        if (model.provider if model else calls.NONE, model.place if model else "") != before:
            past = ledger.store.before(self._now_ns() - spend.HOUR_NS)
            self._append(group, [self._choice(model, since=max(past, default=0))])
            self.curate(group)
        else:
            self._patience.resume(calls.last_settled(records))
        self._noted.add(group)

    def _choice(self, model: Model | None, *, since: int = 0, is_again: bool = False) -> Event:
        """Return the event of a choice: the model reads what came behind a sequence number."""
        body = {
            "provider": model.provider if model else calls.NONE,
            "place": model.place if model else "",
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

    def _append(
        self,
        group: str,
        events: Sequence[Event],
        about: Sequence[str] = (),
        *,
        is_new: bool = False,
    ) -> bool:
        """Write events down, unless one that they are *about* was erased; say whether they were."""
        with self._ledgers.locked(group, is_new=is_new) as ledger:
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
