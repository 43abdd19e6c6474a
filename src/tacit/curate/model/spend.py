"""Spending: what calls of models have cost, from the transcript, and what may still be spent.

A call counts as reserved until it is settled. Caps are hard: what could go over one is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tacit.curate.model.calls import CALL, SETTLED, Call, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.model.event import Record

_NS = 1_000_000_000
HOUR_NS = 3600 * _NS
DAY_NS = 24 * HOUR_NS
PRICE = "`usd_per_million = [read, written]`"  # the setting that gives a model its price
_FAR = 0.5  # of what was expected: an estimate that is off by more is told
_LONGEST_DAYS = 30  # that a session may go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What may be spent at most; calls in an hour of sixty minutes, dollars in a day of UTC."""

    daily_usd: float = 0.50
    session_usd: float = 0.05
    calls_per_hour: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was spent: by day, by session, or by provider and model."""

    name: str
    calls: int
    usd: float
    input_tokens: int
    output_tokens: int


def day_start(now_ns: int) -> int:
    """Return when the day began."""
    moment = datetime.fromtimestamp(now_ns // _NS, UTC)
    began = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return int(began.timestamp()) * _NS


def since(now_ns: int) -> int:
    """Return from when on calls matter to the caps: a session may go on for many days."""
    return day_start(now_ns) - _LONGEST_DAYS * DAY_NS


def calls(records: Iterable[Record]) -> list[Call]:
    """Return the calls that these events tell of, at what they have cost."""
    found: dict[str, Call] = {}
    for record in records:
        said = told(record)
        if record.kind == CALL and said:
            found[record.id] = Call(
                id=record.id,
                at=record.at,
                provider=str(said.get("provider", "")),
                model=str(said.get("model", "")),
                session=str(said.get("session", "")),
                usd=_dollars(said),
                expected_tokens=_tokens(said, "input"),
            )
        elif record.kind == SETTLED and said.get("call") in found:
            name = str(said["call"])
            found[name] = replace(
                found[name],
                usd=_dollars(said),
                input_tokens=_tokens(said, "input"),
                output_tokens=_tokens(said, "output"),
            )
    return list(found.values())


def over_session(made: Sequence[Call], session: str, usd: float, caps: Caps) -> str | None:
    """Return the session's cap if one more call of this price could go over it."""
    own = sum(each.usd for each in made if each.session == session)
    if own + usd > caps.session_usd:
        return f"the session's {caps.session_usd:.2f} dollars"
    return None


def left(made: Sequence[Call], session: str, caps: Caps, now_ns: int) -> float:
    """Return how many dollars may still be spent on a session today."""
    own = sum(each.usd for each in made if each.session == session)
    return min(caps.session_usd - own, caps.daily_usd - _today(made, now_ns))


def over(
    made: Sequence[Call], usd: float, caps: Caps, now_ns: int, *, count: int = 1
) -> str | None:
    """Return which cap of all sessions one more call of this price could go over; None if none.

    Or so many calls that have this price together.
    """
    if _today(made, now_ns) + usd > caps.daily_usd:
        return f"the day's {caps.daily_usd:.2f} dollars"
    lately = sum(each.at > now_ns - HOUR_NS for each in made)
    if lately + count > caps.calls_per_hour:
        return f"{caps.calls_per_hour} calls an hour"
    return None


def _today(made: Sequence[Call], now_ns: int) -> float:
    return sum(each.usd for each in made if each.at >= day_start(now_ns))


def reached(cap: str, unknown: str | None) -> str:
    """Return the sentence on a cap that was reached; a model of *unknown* price has its own."""
    if unknown is None:
        return f"The budget is reached ({cap}). The rules go on alone."
    return (
        f"The price of {unknown} is not known: it counts like the dearest model, for which there "
        f"is no room ({cap}). Write {PRICE} under [llm] in config.toml. The rules go on alone."
    )


def by_day(made: Sequence[Call]) -> list[Spent]:
    """Return what each day has cost, the last first."""
    days = {each.id: _day(each.at) for each in made}
    return [
        _sum(day, [each for each in made if days[each.id] == day])
        for day in sorted(set(days.values()), reverse=True)
    ]


def by_model(made: Sequence[Call]) -> list[Spent]:
    """Return what each provider's model has cost, the dearest first."""
    names = {each.id: f"{each.provider} {each.model}" for each in made}
    found = [
        _sum(name, [each for each in made if names[each.id] == name])
        for name in set(names.values())
    ]
    return sorted(found, key=lambda each: (-each.usd, each.name))


def by_session(made: Sequence[Call]) -> list[Spent]:
    """Return what each session has cost, the dearest first; what was about none has no name."""
    found = [
        _sum(session, [each for each in made if each.session == session])
        for session in {each.session for each in made}
    ]
    return sorted(found, key=lambda each: (-each.usd, each.name))


def misjudged(made: Sequence[Call]) -> tuple[int, int] | None:
    """Return the tokens that were expected and those that were counted, if they are far apart."""
    known = [each for each in made if each.input_tokens and each.expected_tokens]
    expected = sum(each.expected_tokens for each in known)
    counted = sum(each.input_tokens for each in known)
    is_near = abs(counted - expected) <= _FAR * expected
    return None if is_near else (expected, counted)


def _sum(name: str, made: Sequence[Call]) -> Spent:
    return Spent(
        name=name,
        calls=len(made),
        usd=round(sum(each.usd for each in made), 6),
        input_tokens=sum(each.input_tokens for each in made),
        output_tokens=sum(each.output_tokens for each in made),
    )


def _day(at: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at // _NS)
    return moment.strftime("%Y-%m-%d")


def _dollars(said: dict[str, object]) -> float:
    found = said.get("usd")
    return max(0.0, float(found)) if isinstance(found, int | float) else 0.0


def _tokens(said: dict[str, object], name: str) -> int:
    found = said.get(f"{name}_tokens")
    return found if isinstance(found, int) else 0
