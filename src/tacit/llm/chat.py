"""Models behind an endpoint that speaks like OpenAI: Ollama, llama.cpp, vLLM, OpenRouter and more.

An answer with an object is asked for by its schema; a server that does not know this is asked for
any object, and at last for a plain text, which the caller reads: in lines, if the caller says in
which, else with the object in it. What works is remembered.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelKeyRefused
from tacit.llm import form
from tacit.llm.form import MOST_BYTES, Unusable
from tacit.llm.opened import Opened
from tacit.llm.port import Reply
from tacit.net.line import Line
from tacit.net.trouble import Late, Refused, Trouble

if TYPE_CHECKING:
    from tacit.llm.keys import Keys
    from tacit.llm.port import Request, Tier, Usage
    from tacit.llm.terms import Terms
    from tacit.net.endpoint import Endpoint

_PATH = "/chat/completions"
_MANNERS = ("json_schema", "json_object", "text")  # of answering, the best first
_NOT_KNOWN = frozenset((400, 422))
_FITTING = "Answer with one JSON object that fits this schema:\n"


class Chat:
    """Models behind the chat API; the usual place is the one that wants a key."""

    provider = "openai"

    def __init__(self, endpoint: Endpoint, keys: Keys, terms: Terms, *, is_usual: bool) -> None:
        self.place = endpoint.url
        self._terms = terms
        self._is_usual = is_usual
        self._opened = Opened(
            endpoint.name, keys, lambda key: Line(endpoint, key, terms.seconds), is_usual=is_usual
        )
        self._works: dict[str, str] = {}  # for each kind of object

    def model(self, tier: Tier) -> str:
        """Return the id of the model that answers a tier."""
        return self._terms.models[tier]

    def usd(self, tier: Tier, usage: Usage) -> float:
        """Return what a reply of a tier costs that takes so many tokens."""
        return self._terms.usd(tier, usage)

    def is_priced(self, tier: Tier) -> bool:
        """Say whether it is known what a tier costs."""
        return self._terms.is_priced(tier)

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request."""
        try:
            if request.schema is None:
                return self._asked(request, "text", self._terms.seconds)
            return self._in_some_manner(request)
        except (Trouble, Unusable) as trouble:
            error = self._terms.failure(request, trouble)
            if isinstance(error, ModelKeyRefused):
                self._opened.let_go()
            raise error from None  # what is below holds words of the server

    def close(self) -> None:
        """Let the connection go; a question that is under way ends."""
        self._opened.close()

    def _in_some_manner(self, request: Request) -> Reply:
        """Return the reply in the best manner that the server knows."""
        until = time.monotonic() + self._terms.seconds
        known = self._works.get(request.name)
        *better, last = (known,) if known else _MANNERS
        for manner in better:
            try:
                return self._asked(request, manner, until - time.monotonic())
            except Refused as refused:
                if refused.status not in _NOT_KNOWN:
                    raise
        return self._asked(request, last, until - time.monotonic())

    def _asked(self, request: Request, manner: str, seconds: float) -> Reply:
        if seconds <= 0:
            raise Late
        answer = self._opened.get().ask(_PATH, self._question(request, manner), MOST_BYTES, seconds)
        if request.schema is not None:
            self._works[request.name] = manner
        return self._reply(request, manner, answer)

    def _question(self, request: Request, manner: str) -> dict[str, Any]:
        lasting = [request.system, request.state]
        if manner == "json_object" or (manner == "text" and not request.lines):
            lasting.append(_FITTING + json.dumps(request.schema) if request.schema else "")
        elif manner == "text":
            lasting.append(request.lines)
        most = "max_completion_tokens" if self._is_usual else "max_tokens"
        question: dict[str, Any] = {
            "model": self.model(request.tier),
            "messages": [
                {"role": "system", "content": form.sendable("\n\n".join(filter(None, lasting)))},
                {"role": "user", "content": form.sendable(request.text)},
            ],
            most: request.most_tokens,
        }
        if manner == "json_schema":
            named = {"name": request.name, "schema": request.schema}
            question["response_format"] = {"type": manner, "json_schema": named}
        elif manner == "json_object":
            question["response_format"] = {"type": manner}
        return question

    def _reply(self, request: Request, manner: str, answer: Any) -> Reply:
        try:
            choice = answer["choices"][0]
            message = choice["message"]
            said, stop = message.get("content"), choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise Unusable("answers with what is no message") from None
        usage = form.usage(_counts(answer.get("usage")), request, str(message))
        usd = self._terms.usd(request.tier, usage)
        with form.paid(usd):
            stop = form.ending("refusal" if message.get("refusal") else stop or "stop")
            value = _value(request, manner, form.text(said))
            said = said if value is None else form.written(value)
        return Reply(
            text=said,
            value=value,
            usage=usage,
            model=form.model(answer.get("model"), self.model(request.tier)),
            usd=usd,
            stop=stop,
        )


def _value(request: Request, manner: str, said: str) -> dict[str, Any] | None:
    """Return the object of an answer; None where the server has made a text of it all the same."""
    if request.schema is None or manner == "text" or not said.lstrip().startswith(("{", "```")):
        return None
    return form.fitting(form.spoken(said), request.schema)


def _counts(told: object) -> dict[str, object]:
    """Return the counts of an answer under our names; what was cached is counted there alone."""
    usage = told if isinstance(told, dict) else {}
    asked, cached = usage.get("prompt_tokens"), _cached(usage.get("prompt_tokens_details"))
    anew = asked - cached if isinstance(asked, int) and isinstance(cached, int) else asked
    return {
        "input_tokens": anew,
        "output_tokens": usage.get("completion_tokens"),
        "cached_tokens": cached,
    }


def _cached(details: object) -> object:
    return (details.get("cached_tokens") or 0) if isinstance(details, dict) else 0
