"""Anthropic's models, through the official SDK, over the guarded line.

The SDK is loaded by the first question: it is large. It may speak to the endpoint alone, retries
nothing, traces nothing, and takes neither key nor place from the environment. An answer with an
object is had by a tool that the model must use.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelKeyRefused
from tacit.llm import form
from tacit.llm.form import MOST_BYTES, Unusable
from tacit.llm.opened import Opened
from tacit.llm.port import Reply
from tacit.net.line import parsed
from tacit.net.trouble import Trouble, Unreachable

if TYPE_CHECKING:
    from anthropic import Anthropic

    from tacit.llm.keys import Keys
    from tacit.llm.port import Request, Tier, Usage
    from tacit.llm.terms import Terms
    from tacit.net.endpoint import Endpoint
    from tacit.net.transport import Transport

_NO_KEY = "no-key"  # for a server that keeps the real one to itself
_MARK = {"type": "ephemeral"}


class Messages:
    """Models behind the Messages API; the usual place is the one that wants a key."""

    provider = "anthropic"

    def __init__(self, endpoint: Endpoint, keys: Keys, terms: Terms, *, is_usual: bool) -> None:
        self.place = endpoint.url
        self._terms = terms
        self._opened = Opened(
            endpoint.name, keys, lambda key: _Sdk(endpoint, key or _NO_KEY), is_usual=is_usual
        )

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
            return self._reply(
                request, self._opened.get().ask(self._question(request), self._terms)
            )
        except (Trouble, Unusable) as trouble:
            error = self._terms.failure(request, trouble)
            if isinstance(error, ModelKeyRefused):
                self._opened.let_go()
            raise error from None  # what is below holds words of the server

    def close(self) -> None:
        """Let the connection go; a question that is under way ends."""
        self._opened.close()

    def _question(self, request: Request) -> dict[str, Any]:
        lasting = [form.sendable(each) for each in (request.system, request.state) if each]
        question: dict[str, Any] = {
            "model": self.model(request.tier),
            "max_tokens": request.most_tokens,
            "system": [{"type": "text", "text": each, "cache_control": _MARK} for each in lasting],
            "messages": [{"role": "user", "content": form.sendable(request.text)}],
        }
        if request.schema is not None:
            tool = {"name": request.name, "input_schema": request.schema}
            question |= {
                "tools": [tool | {"description": "Give the answer."}],
                "tool_choice": {"type": "tool", "name": request.name},
            }
        return question

    def _reply(self, request: Request, answer: Any) -> Reply:
        if not isinstance(answer, dict) or not isinstance(answer.get("content"), list):
            raise Unusable("answers with what is no message")
        blocks = [each for each in answer["content"] if isinstance(each, dict)]
        usage = form.usage(counts(answer.get("usage")), request, str(blocks))
        usd = self._terms.usd(request.tier, usage)
        with form.paid(usd):
            stop = form.ending(answer.get("stop_reason"))
            value = _value(request, blocks)
            said = _said(blocks) if value is None else form.written(value)
        return Reply(
            text=said,
            value=value,
            usage=usage,
            model=form.model(answer.get("model"), self.model(request.tier)),
            usd=usd,
            stop=stop,
        )


def _value(request: Request, blocks: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the object that was given to the tool."""
    if request.schema is None:
        return None
    given = [each.get("input") for each in blocks if each.get("name") == request.name]
    return form.fitting(given[0] if given else None, request.schema)


def _said(blocks: list[dict[str, Any]]) -> str:
    texts = [each.get("text") for each in blocks if each.get("type") == "text"]
    return form.text("".join(each for each in texts if isinstance(each, str)))


class _Sdk:
    """The SDK's client, closed when nobody holds it any more."""

    def __init__(self, endpoint: Endpoint, key: str) -> None:
        from tacit.net.transport import Transport, client

        self._transport: Transport = Transport(endpoint)
        http = client(self._transport)
        self._client = _anthropic(api_key=key, base_url=endpoint.url, http_client=http)
        weakref.finalize(self, http.close)

    def ask(self, question: dict[str, Any], terms: Terms) -> Any:
        """Return the answer as it came; a `Trouble` if none came."""
        from anthropic import APIConnectionError

        from tacit.net.wire import allowing

        try:
            with allowing(terms.seconds, MOST_BYTES):
                answer = self._client.messages.with_raw_response.create(**question)
        except APIConnectionError as error:  # the transport lets nothing else happen
            if isinstance(error.__cause__, Trouble):
                raise error.__cause__ from None
            raise Unreachable(f"cannot be reached ({type(error.__cause__).__name__})") from None
        return parsed(answer.http_response.content)

    def cut(self) -> None:
        """End what is under way."""
        self._transport.cut()


def _anthropic(**options: Any) -> Anthropic:
    """Return the SDK's client, quiet and without a will of its own."""
    import logging

    import anthropic

    logging.getLogger("anthropic").setLevel(logging.WARNING)  # it would log whole questions
    return anthropic.Anthropic(max_retries=0, timeout=None, open_telemetry=False, **options)


def counts(told: object) -> dict[str, object]:
    """Return the counts of an answer under our names; a cache that was not used may be left out."""
    usage = told if isinstance(told, dict) else {}
    return {
        "input_tokens": usage.get("input_tokens"),
        "output_tokens": usage.get("output_tokens"),
        "cached_tokens": usage.get("cache_read_input_tokens") or 0,
        "written_tokens": usage.get("cache_creation_input_tokens") or 0,
    }
