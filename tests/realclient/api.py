"""A model that answers by a script: the Messages API on loopback, for the real client.

A script says of each prompt what the model does, one answer after another; a subagent's prompt has
lines of its own. Which line is next is told by the last prompt of the script that a request shows,
so that retries and compactions need no care. Every request is kept; one that the script does not
foresee is refused and remembered. Whatever else is asked, such as the way to another host, is
refused.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import TYPE_CHECKING, Any, Self, assert_never

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = dict[str, Any]

FULL = 990_000  # tokens: more than any context holds, so that the client compacts
_USUAL = 1000
_SUMMARISES = "create a detailed summary of"
_REFUSALS = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}


@dataclass(frozen=True, slots=True)
class Say:
    """The model ends its turn with a text."""

    text: str
    tokens: int = _USUAL
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Use:
    """The model uses a tool."""

    tool: str
    given: Fields
    tokens: int = _USUAL
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Several:
    """The model uses some tools in one answer."""

    uses: tuple[Use, ...]
    tokens: int = _USUAL
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Refuse:
    """The API answers with an error."""

    status: int
    after: float = 0.0


Answer = Say | Use | Several
Step = Answer | Refuse
Script = dict[str, list[Step]]


def bash(command: str, **options: Any) -> Use:
    """Return the use of a shell."""
    return Use("Bash", {"command": command, "description": "a scripted command"}, **options)


def delegate(prompt: str) -> Use:
    """Return the use of a subagent, which is waited for."""
    given = {"description": "a scripted subagent", "prompt": prompt}
    rest = {"subagent_type": "general-purpose", "run_in_background": False}
    return Use("Agent", given | rest)


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the client sent it."""

    body: Fields

    def texts(self) -> Iterator[str]:
        """Yield every text that the model would read, tool results included."""
        yield from _texts(self.body.get("system"))
        for message in self.body.get("messages", []):
            yield from _texts(message["content"])

    def shows(self, text: str) -> bool:
        """Say whether the model would read *text*."""
        return any(text in each for each in self.texts())

    def user_text(self) -> str:
        """Return what the user's messages say, without the results of tools."""
        said = [each for each in self.body["messages"] if each["role"] == "user"]
        return "\n".join(text for each in said for text in _texts(each["content"], results=False))

    @property
    def is_for_a_summary(self) -> bool:
        """Say whether the client asks for the summary of a compaction."""
        said = [each for each in self.body["messages"] if each["role"] == "user"]
        last = said[-1:] and "\n".join(_texts(said[-1]["content"], results=False))
        return _SUMMARISES in (last or "")


def _texts(content: Any, *, results: bool = True) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content or []:
        if block["type"] == "text":
            yield block["text"]
        elif block["type"] == "tool_result" and results:
            yield from _texts(block.get("content"))


@dataclass(slots=True)
class Model:
    """Goes through a script, answer by answer."""

    script: Script
    unscripted: list[Request] = field(default_factory=list)
    _done: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Step:
        """Return the next step of the prompt that the request is about."""
        said = request.user_text()
        prompt = max(self.script, key=said.rfind)
        if request.is_for_a_summary:
            return Say(f"<summary>Asked was: {prompt}</summary>")  # the prompt is found again there
        with self._lock:
            done = self._done.get(prompt, 0)
            if prompt not in said or done >= len(self.script[prompt]):
                self.unscripted.append(request)
                return Refuse(400)
            self._done[prompt] = done + 1
        return self.script[prompt][done]


class Api:
    """The API on a port of its own, for as long as the context lasts."""

    def __init__(self, script: Mapping[str, Sequence[Step]], latency: float = 0.0) -> None:
        self.requests: list[Request] = []
        self.used: list[tuple[str, str]] = []
        self._model = Model({prompt: list(steps) for prompt, steps in script.items()})
        self._latency = latency
        self._is_over = threading.Event()
        self._ids = count(1)
        self._server = _Server(("127.0.0.1", 0), _Line)
        self._server.api = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        """Return where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def unscripted(self) -> list[Request]:
        """Return the requests that the script did not foresee."""
        return self._model.unscripted

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def showing(self, text: str) -> list[Request]:
        """Return the requests in which the model reads *text*."""
        return [request for request in self.requests if request.shows(text)]

    def heard(self, body: Fields) -> Step:
        """Keep a request and return what the script says to it, when its time has come."""
        request = Request(body)
        self.requests.append(request)
        step = self._model.answer(request)
        self._is_over.wait(self._latency + step.after)
        return step

    def block(self, part: Say | Use) -> tuple[Fields, Fields]:
        """Return a block of an answer as it begins, and what fills it."""
        match part:
            case Say(text):
                return {"type": "text", "text": ""}, {"type": "text_delta", "text": text}
            case Use(tool, given):
                self.used.append((self.next_id("toolu"), tool))
                begun = {"type": "tool_use", "id": self.used[-1][0], "name": tool, "input": {}}
                return begun, {"type": "input_json_delta", "partial_json": json.dumps(given)}
            case _:
                assert_never(part)

    def next_id(self, kind: str) -> str:
        """Return an id as the API gives them, the same in every run of a script."""
        return f"{kind}_{next(self._ids):024d}"


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    api: Api


class _Line(BaseHTTPRequestHandler):
    """One call of the client."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the requests are kept."""

    def do_POST(self) -> None:
        """Answer a request for a message."""
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.partition("?")[0] != "/v1/messages":
            self._turn_away()
            return
        body = json.loads(sent)
        step = self.server.api.heard(body)
        try:
            if isinstance(step, Refuse):
                self._refuse(step.status)
            else:
                self._stream(step, str(body["model"]))
        except ConnectionError:  # the client was killed, or has given up
            self.close_connection = True

    def _turn_away(self) -> None:
        """Refuse a call that has no place in a script."""
        self._refuse(404)

    do_GET = do_HEAD = do_CONNECT = do_PUT = _turn_away  # noqa: N815

    def _refuse(self, status: int) -> None:
        error = {"type": _REFUSALS.get(status, "api_error"), "message": "refused by the script"}
        body = json.dumps({"type": "error", "error": error}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, step: Answer, model: str) -> None:
        """Send an answer as the events of a stream."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in _events(step, model, self.server.api):
            line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            self.wfile.write(line.encode())


def _events(step: Answer, model: str, api: Api) -> Iterator[Fields]:
    """Yield the events of one streamed answer."""
    usage = {"input_tokens": step.tokens, "output_tokens": 1}
    head = {"id": api.next_id("msg"), "type": "message", "role": "assistant", "model": model}
    start: Fields = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    why = "end_turn" if isinstance(step, Say) else "tool_use"
    yield {"type": "message_start", "message": head | start}
    for index, part in enumerate(step.uses if isinstance(step, Several) else (step,)):
        begun, filled = api.block(part)
        yield {"type": "content_block_start", "index": index, "content_block": begun}
        yield {"type": "content_block_delta", "index": index, "delta": filled}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": why, "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 9}}
    yield {"type": "message_stop"}
