"""The form of an answer: what can be told by looking at it, before anybody believes it.

A text is not empty, not endless, and can be written down. An object has the fields that its schema
requires, of the kinds that it names, and is not nested without end. Anything else is `Unusable`,
whose words say what is wrong and nothing of what was said.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tacit.llm.port import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tacit.llm.port import Request

MOST_TEXT = 256 * 1024  # bytes of a reply
MOST_BYTES = 2 * 1024 * 1024  # of whatever it comes in
DEPTH = 32
_MOST_TOKENS = 10**9
_BYTES_PER_TOKEN = 3  # fewer than any tokeniser makes of prose: an estimate errs upwards
_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


_WHOLE = frozenset(("end_turn", "tool_use", "stop_sequence", "stop", "tool_calls"))
_NO_TOKENS = "breaks off its answer: it has no tokens left"
_STOPPED = {
    "max_tokens": _NO_TOKENS,
    "length": _NO_TOKENS,
    "model_context_window_exceeded": "breaks off its answer: the question is too long",
    "refusal": "refuses to answer",
    "content_filter": "refuses to answer",
}


class Unusable(Exception):  # noqa: N818
    """An answer that cannot be used; says its predicate."""

    usd: float = 0.0  # what it has cost all the same


@contextmanager
def paid(usd: float) -> Iterator[None]:
    """Have whatever is unusable inside say what it has cost."""
    try:
        yield
    except Unusable as unusable:
        unusable.usd = usd
        raise


def ending(stop: object) -> str:
    """Return why a model has stopped, if that was at the end of its answer."""
    if not isinstance(stop, str) or stop not in _WHOLE:
        raise Unusable(_STOPPED.get(str(stop), "breaks off its answer"))
    return stop


def text(said: object) -> str:
    """Return a text that is one."""
    if not isinstance(said, str) or not said.strip():
        raise Unusable("answers with nothing")
    try:
        size = len(said.encode())
    except UnicodeEncodeError as error:
        raise Unusable("answers with what is no text") from error
    if size > MOST_TEXT:
        raise Unusable("answers with more than any answer needs")
    return said


def spoken(said: str) -> Any:
    """Return the object that a text is, without the fence that models like to put around it."""
    bare = said.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.partition("\n")[2].removesuffix("```")
    try:
        return json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise Unusable("answers with an object that breaks off") from error


def fitting(said: object, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object that fits its schema as far as its first level goes."""
    if not isinstance(said, dict):
        raise Unusable("does not answer with an object")
    if _depth(said) > DEPTH:
        raise Unusable("answers with an object that is nested too deeply")
    kinds = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in said]
    wrong = [name for name, each in said.items() if not _is_kind(each, kinds.get(name, {}))]
    if missing or wrong:
        raise Unusable("answers with an object of another form")
    return said


def written(value: Mapping[str, Any]) -> str:
    """Return an object in JSON."""
    try:
        return text(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except ValueError as error:
        raise Unusable("answers with a number that is none") from error


def usage(counts: Mapping[str, object], request: Request, said: str) -> Usage:
    """Return the tokens that a server has counted; a careful guess if it has not."""
    found = {name: _count(each) for name, each in counts.items()}
    if None in found.values():
        return Usage(input_tokens=guessed(request), output_tokens=_guess((said,)))
    return Usage(**{name: each for name, each in found.items() if each is not None})


def guessed(request: Request) -> int:
    """Return how many tokens a request has at most, by its length."""
    usage = at_most(request)
    return usage.input_tokens + usage.written_tokens


def at_most(request: Request) -> Usage:
    """Return how many tokens a question and its answer may take: what lasts may be cached."""
    return Usage(
        input_tokens=_guess((request.text, json.dumps(request.schema))),
        written_tokens=_guess((request.system, request.state)),
        output_tokens=request.most_tokens,
    )


def model(said: object, asked: str) -> str:
    """Return the model as the server calls it if that is a version of the one that was asked."""
    is_version = isinstance(said, str) and said.startswith(asked) and len(said) <= len(asked) + 16
    return str(said) if is_version and str(said).isascii() and str(said).isprintable() else asked


def sendable(said: str) -> str:
    """Return a text as every server can read it."""
    return said.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _depth(value: object) -> int:
    """Return how deeply a value is nested; without recursion, which a hostile one would use up."""
    depth, level = 0, [value]
    while level and depth <= DEPTH:
        depth += 1
        level = [inner for each in level for inner in _inside(each)]
    return depth


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_kind(value: object, schema: object) -> bool:
    told = schema.get("type") if isinstance(schema, dict) else None
    names = [told] if isinstance(told, str) else told
    if not isinstance(names, list):
        return True
    kinds = [kind for name in names for kind in _KINDS.get(str(name), (object,))]
    if isinstance(value, bool):
        return bool in kinds or object in kinds
    return isinstance(value, tuple(kinds))


def _count(told: object) -> int | None:
    is_number = isinstance(told, int) and not isinstance(told, bool)
    return told if is_number and isinstance(told, int) and 0 <= told <= _MOST_TOKENS else None


def _guess(texts: Iterable[str]) -> int:
    return sum(len(each.encode("utf-8", "replace")) for each in texts) // _BYTES_PER_TOKEN + 1
