"""A question and its answer as JSON, for whoever asks from another process."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tacit.errors import TacitError
from tacit.recall.question import Answer, Hit, Parts, Question
from tacit.store.index_port import Scope

_GARBAGE = (ValueError, TypeError, AttributeError, KeyError, RecursionError)
_LAST_NS = (1 << 63) - 1


class NotUnderstood(TacitError):  # noqa: N818  (a state, not a mishap)
    """What came over the line is no question, or no answer to one."""


def asked(question: Question) -> bytes:
    """Return a question as it is sent."""
    return json.dumps(asdict(question)).encode()


def question(payload: bytes) -> Question:
    """Return the question that was sent."""
    try:
        said = json.loads(payload)
        scope = {name: _many(value) for name, value in said.pop("scope").items()}
        return _checked(Question(**said, scope=Scope(**scope)))
    except _GARBAGE as error:
        raise NotUnderstood("What came over the line is no question.") from error


def told(answer: Answer) -> bytes:
    """Return an answer as it is sent."""
    return json.dumps(asdict(answer)).encode()


def answer(text: bytes) -> Answer:
    """Return the answer that was sent."""
    try:
        said = json.loads(text)
        return Answer(
            hits=[_hit(each) for each in said["hits"]], by=tuple(said["by"]), note=said["note"]
        )
    except _GARBAGE as error:
        raise NotUnderstood("What came over the line is no answer.") from error


def _checked(question: Question) -> Question:
    """Return a question whose parts are what they should be."""
    scope = question.scope
    lists = (scope.layers, scope.projects, scope.kinds, scope.tags, scope.states)
    times = (scope.since, scope.until, scope.as_of)
    is_sound = (
        isinstance(question.text, str)
        and isinstance(question.limit, int)
        and isinstance(question.least, int | float)
        and isinstance(scope.is_everywhere, bool | None)
        and all(_are_words(each) for each in lists)
        and all(_is_time(each) for each in times)
    )
    if not is_sound:
        raise ValueError("A part of it is something else than it should be.")
    return question


def _are_words(value: Any) -> bool:
    return value is None or (
        isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    )


def _is_time(value: Any) -> bool:
    return value is None or (isinstance(value, int) and abs(value) <= _LAST_NS)


def _hit(said: dict[str, Any]) -> Hit:
    parts = {name: _many(value) for name, value in said.pop("parts").items()}
    return Hit(**{name: _many(value) for name, value in said.items()}, parts=Parts(**parts))


def _many(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
