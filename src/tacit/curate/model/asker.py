"""The asker: one batch after the other is read by a model, within the budget, whatever fails.

A call is written down before it is made. What the model answers is written down as an event, and
learned from there like everything else, so that whoever is killed when has paid at most once for
nothing; nothing is asked while an answer waits to be learned. A server in trouble is left alone for
longer each time, and nothing is lost meanwhile; an answer that cannot be used is asked for five
times, then given up with its reason. Without an answer the rules' memories stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from zlib import crc32

from tacit.curate.feed import Feed
from tacit.curate.model import afford, calls, gather, judging, selecting, spend
from tacit.curate.model import batch as batches
from tacit.curate.model.reply import cleaned, parsed
from tacit.curate.model.request import PROMPT, built, gate_request
from tacit.errors import ModelBusy, ModelStrange, ModelUnavailable, ModelUnreachable
from tacit.llm.form import at_most, guessed
from tacit.llm.port import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.curate.model.batch import Due
    from tacit.curate.model.calls import Call
    from tacit.curate.model.patience import Patience
    from tacit.curate.model.reply import Answer
    from tacit.curate.model.request import Batch, Page
    from tacit.curate.model.spend import Caps
    from tacit.llm.port import Model, Reply, Request, Tier
    from tacit.model.event import Event
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

_SECOND_NS = 1_000_000_000
_AGAIN, _LATER = 30.0, 4  # seconds until an answer is asked for again, and so much longer each time


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How batches are made: how many turns, how many before them, what is gated, what is boring."""

    batch_turns: int = 25
    context_turns: int = 8
    gate: str = "rules"
    boring: frozenset[str] = frozenset()
    max_age_days: int = 0
    caps: Caps = field(default_factory=spend.Caps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What asking needs of the outside: the model, the clock, what writes down and cleans."""

    model: Model
    now_ns: Callable[[], int]
    random: Callable[[int], bytes]
    append: Callable[[Sequence[Event]], object]
    record: Callable[[Sequence[Event], Sequence[str]], bool]  # unless these were erased meanwhile
    redact: Callable[[str], str]
    spent: Callable[[int], Sequence[Call]]  # in all groups, since then
    pages: Callable[[], dict[str, Page]] = dict  # the curated files


class _NotNow(Exception):  # noqa: N818  (a state, not a mishap)
    """A cap forbids it."""


class _NotHere(_NotNow):
    """The session's cap does; others may be asked about."""


class Asker:
    """Asks a model about the turns of one group."""

    def __init__(
        self, transcript: Store, store: SqliteMemory, means: Means, how: How, patience: Patience
    ) -> None:
        self._transcript = transcript
        self._store = store
        self._means = means
        self._how = how
        self._patience = patience

    def ask(self) -> bool:
        """Ask about one batch, if one is due and may be asked about; say whether one was."""
        now = self._means.now_ns()
        if not self._patience.is_over(now):
            return False
        if self._how.max_age_days:
            self._store.unasked.forget_old(now - self._how.max_age_days * spend.DAY_NS)
        waiting = self._store.unasked.waiting(now)
        found = batches.due(waiting, self._transcript, self._how.batch_turns, now)
        for due in self._patience.in_turn(found):
            try:
                return self._has_learned() and self._look_at(due)
            except _NotHere:
                self._store.unasked.put_off(due.turns, now + spend.HOUR_NS)
            except _NotNow:
                return False
            except ModelUnavailable as error:
                self._fail(due, error)
                return False
        return False

    def _pages(self) -> dict[str, Page]:
        """Return the curated files; what the last answer was about as it is counts as unchanged."""
        return {
            name: replace(page, is_changed=not selecting.is_seen(self._store, name, _stamp(page)))
            for name, page in self._means.pages().items()
        }

    def _has_learned(self) -> bool:
        """Say whether all is learned that was said and answered: nothing is paid for twice."""
        counts = self._store.jobs.counted()
        is_done = not counts.get("waiting") and not counts.get("running")
        return is_done and not Feed(self._transcript, self._store).waiting()

    def _look_at(self, due: Due) -> bool:
        """Ask about a batch; with a model for a gate, only about what that finds worth it."""
        batch = gather.gathered(self._transcript, self._store, due, self._how)
        tier: Tier = "small"
        if batch.turns and self._how.gate == "model":
            tier, batch = self._gated(due, batch)
        if batch.turns:
            self._extract(due, self._shown(batch), tier)
        else:
            self._let_go(due)
        return True

    def _shown(self, batch: Batch) -> Batch:
        """Return a batch with what a model is told beside its turns."""
        known = gather.surrounded(self._transcript, self._store, batch, self._how)
        return replace(known, pages=self._pages())

    def _gated(self, due: Due, batch: Batch) -> tuple[Tier, Batch]:
        """Return what the cheap model finds worth the better one's time; it judges every turn.

        Where the budget has no room for both, all of it is the cheap one's: nobody pays for a
        judgement of which nothing comes. A judgement that was paid for is not asked for again.
        """
        parts = list(judging.parts(judging.chunks(batch)))
        known = calls.judged(self._transcript.about_models(0), _named(due))
        asked = {
            number: gate_request([each.text for each in part])
            for number, part in enumerate(parts)
            if number not in known
        }
        better, _ = built(self._shown(batch), "large")
        last = afford.shortest(better, len(due.turns))
        if asked and not self._has_room(due, *asked.values(), last):
            return "small", batch
        for number, request in asked.items():
            known[number] = self._judged(due, number, request, parts[number])
        worth = [
            chunk
            for number, part in enumerate(parts)
            for at, chunk in enumerate(part)
            if at in known[number]
        ]
        return "large", judging.narrowed(batch, worth)

    def _judged(
        self, due: Due, number: int, request: Request, part: Sequence[judging.Chunk]
    ) -> set[int]:
        """Return which chunks of one part the cheap model finds worth reading."""
        call, reply = self._called(request, due)
        passed = judging.passed(reply.value, reply.text, part)
        worth = {at for at, chunk in enumerate(part) if chunk in passed}
        more = {"part": number, "worth": sorted(worth)}
        self._means.append([self._settled(call, reply.usd, reply.usage, more=more)])
        self._patience.ease()
        return worth

    def _has_room(self, due: Due, *requests: Request) -> bool:
        """Say whether all caps have room for all of these."""
        now, caps = self._means.now_ns(), self._how.caps
        made = self._means.spent(spend.since(now))
        usd = sum(self._usd(each) for each in requests)
        is_over = spend.over(made, usd, caps, now, count=len(requests))
        return not is_over and not spend.over_session(made, due.session, usd, caps)

    def _usd(self, request: Request) -> float:
        return self._means.model.usd(request.tier, at_most(request))

    def _fitted(self, request: Request, due: Due) -> Request:
        """Return a request whose answer may be as long as can be paid."""
        now, model, count = self._means.now_ns(), self._means.model, len(due.turns)
        left = spend.left(self._means.spent(spend.since(now)), due.session, self._how.caps, now)
        return afford.fitted(request, count, left, lambda usage: model.usd(request.tier, usage))

    def _extract(self, due: Due, batch: Batch, tier: Tier) -> None:
        request, names = built(batch, tier)
        call, reply = self._called(request, due)
        try:
            answer = parsed(reply.value, reply.text, names)
        except ModelStrange as error:
            self._patience.wait(error, self._means.now_ns(), self._means.random)
            self._means.append([self._settled(call, reply.usd, reply.usage)])
            raise
        stamps = {name: _stamp(page) for name, page in batch.pages.items()}
        self._record(call, reply, batch, due, replace(answer, seen=stamps))
        self._patience.ease()

    def _called(self, request: Request, due: Due) -> tuple[Call, Reply]:
        """Make one call: written down before, and settled at once if it fails."""
        request = self._fitted(self._cleaned(request), due)
        call = self._reserved(request, due)
        try:
            reply = self._means.model.ask(request)
        except ModelUnavailable as error:
            self._patience.wait(error, self._means.now_ns(), self._means.random)
            is_servers = isinstance(error, ModelBusy | ModelUnreachable)
            more = self._patience.told() if is_servers else {}
            self._means.append([self._settled(call, error.usd, Usage(), more=more)])
            raise
        return call, reply

    def _let_go(self, due: Due) -> None:
        """Let turns wait no more of which nothing is to be asked."""
        for each in due.turns:
            self._store.unasked.drop(each.session, each.turn, each.upto)

    def _cleaned(self, request: Request) -> Request:
        """Return a request without secrets, also those that nobody knew when they were said."""
        redact = self._means.redact
        return replace(request, state=redact(request.state), text=redact(request.text))

    def _reserved(self, request: Request, due: Due) -> Call:
        """Write down that a call is made, at what it may cost; not now, if a cap forbids it."""
        means, now = self._means, self._means.now_ns()
        model = means.model.model(request.tier)
        usd = self._usd(request)
        unknown = None if means.model.is_priced(request.tier) else model
        self._check_caps(due.session, usd, now, unknown)
        body = {
            "provider": means.model.provider,
            "model": model,
            "session": due.session,
            "usd": round(usd, 6),
            "input_tokens": guessed(request),
            "turns": _named(due),
        }
        event = calls.event(calls.CALL, body, now_ns=now, random=means.random)
        self._means.append([event])
        return calls.Call(
            id=event.id, at=now, provider=means.model.provider, model=model, session=due.session,
            usd=usd,
        )  # fmt: skip

    def _check_caps(self, session: str, usd: float, now: int, unknown: str | None) -> None:
        """Refuse what could go over a cap, and say so."""
        made, caps = self._means.spent(spend.since(now)), self._how.caps
        if cap := spend.over(made, usd, caps, now):
            self._capped(cap, now, unknown)
            self._patience.pause(now)
            raise _NotNow
        if cap := spend.over_session(made, session, usd, caps):
            self._capped(cap, now, unknown)
            raise _NotHere

    def _capped(self, cap: str, now: int, unknown: str | None) -> None:
        """Say that the budget is reached, once a day for each cap."""
        self._patience.trouble = spend.reached(cap, unknown)
        told = [calls.told(each) for each in self._transcript.about_models(spend.day_start(now))]
        if not any(each.get("cap") == cap for each in told):
            event = calls.event(calls.CAPPED, {"cap": cap}, now_ns=now, random=self._means.random)
            self._means.append([event])

    def _settled(
        self,
        call: Call,
        usd: float,
        usage: Usage,
        reply: str = "",
        more: dict[str, object] | None = None,
    ) -> Event:
        """Return the event that says what a call has cost, and where its answer stands."""
        body = calls.settling(call.id, usd, usage, reply) | (more or {})
        now, random = self._means.now_ns(), self._means.random
        return calls.event(calls.SETTLED, body, now_ns=now, random=random)

    def _record(self, call: Call, reply: Reply, batch: Batch, due: Due, answer: Answer) -> None:
        """Write down what was spent, and what was answered.

        What was erased while it was asked about is not to be had from the answer.
        """
        shown = [*batch.context, *(said for _, turn in batch.turns for said in turn.said)]
        events = list(dict.fromkeys(said.event for said in shown))
        body = {
            "call": call.id,
            "model": reply.model or call.model,
            "prompt": PROMPT,
            "turns": _named(due),
            "events": events,
            "answer": cleaned(answer, self._means.redact).body(),
        }
        now, random = self._means.now_ns(), self._means.random
        answered = calls.event(calls.REPLY, body, now_ns=now, random=random)
        settled = self._settled(call, reply.usd, reply.usage, answered.id)
        if self._means.record([settled, answered], events):
            self._let_go(due)  # whatever becomes of the answer, it is not paid for twice
        else:
            self._means.append([self._settled(call, reply.usd, reply.usage)])

    def _fail(self, due: Due, error: ModelUnavailable) -> None:
        """Leave a server in trouble alone; an answer that was of no use is asked for again."""
        now, random = self._means.now_ns(), self._means.random
        self._patience.met.add(due.session)
        if not isinstance(error, ModelStrange):
            return
        tries = max(each.tries for each in due.turns) + 1
        wait = _AGAIN * _LATER ** (tries - 1)
        jitter = wait * 0.5 * int.from_bytes(random(2)) / 65_536
        later = None if tries >= batches.MAX_TRIES else now + int((wait + jitter) * _SECOND_NS)
        self._store.unasked.fail(due.turns, str(error), later)


def _named(due: Due) -> list[list[object]]:
    """Return the turns of a batch as events name them."""
    return [[each.session, each.turn, each.upto] for each in due.turns]


def _stamp(page: Page) -> int:
    """Return a number that changes when a file does."""
    return crc32(repr((page.entries, page.text)).encode("utf-8", "surrogatepass"))
