"""The line to a server: one question as JSON, one answer, or `EmbedderUnavailable`.

No redirection is followed, no proxy or password is taken from the environment, and an answer that
is too long or takes too long is not read to its end. What is told of a failure holds neither the
key nor a text, nor anything that the server has said.
"""

from __future__ import annotations

import json
import time
import weakref
from typing import TYPE_CHECKING, Any

from tacit.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import httpx

    from tacit.embed.endpoint import Endpoint

SECONDS = 60.0
_CONNECT = 5.0
_OK, _REDIRECTED, _FAILED, _BUSY = 200, range(300, 400), range(500, 600), 429
_UNKNOWN_KEY, _UNKNOWN_MODEL = frozenset((401, 403)), 404


class Line:
    """An open line; it is closed when nobody holds it any more."""

    def __init__(self, endpoint: Endpoint, key: str | None, seconds: float) -> None:
        import httpx

        context = httpx.create_ssl_context(trust_env=False)
        context.load_default_certs()  # a server at home may have an authority of its own
        self._endpoint = endpoint
        self._seconds = seconds
        self._client = httpx.Client(
            verify=context,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(seconds, connect=min(_CONNECT, seconds)),
            headers={"Host": endpoint.name, "Accept-Encoding": "identity", "User-Agent": "tacit"}
            | ({"Authorization": f"Bearer {key}"} if key else {}),
        )
        weakref.finalize(self, self._client.close)

    def ask(self, path: str, question: dict[str, Any], most: int) -> Any:
        """Return the answer to a question; one of more than `most` bytes is refused."""
        import httpx

        until = time.monotonic() + self._seconds
        try:
            answer = self._first(path, question, most, until)
        except httpx.TimeoutException as error:
            raise self._trouble("does not answer in time") from error
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            raise self._trouble(f"cannot be reached ({type(error).__name__})") from error
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise self._trouble("answers with something that is not JSON") from error

    def _first(self, path: str, question: dict[str, Any], most: int, until: float) -> bytes:
        """Return the answer of the first address where somebody listens."""
        import httpx

        *others, last = self._endpoint.addresses()
        for address in others:
            try:
                return self._post(self._endpoint.at(address, path), question, most, until)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._post(self._endpoint.at(last, path), question, most, until)

    def _post(self, url: str, question: dict[str, Any], most: int, until: float) -> bytes:
        # The certificate must be that of the host's name: the URL has the address that was judged.
        named = {"sni_hostname": self._endpoint.host}
        with self._client.stream("POST", url, json=question, extensions=named) as response:
            self._check(response)
            answer = bytearray()
            for chunk in response.iter_bytes():
                answer += chunk
                if len(answer) > most:
                    raise self._trouble("answers with more than any embedder would")
                if time.monotonic() > until:
                    raise self._trouble("does not answer in time")
        return bytes(answer)

    def _check(self, response: httpx.Response) -> None:
        status = response.status_code
        if status in _UNKNOWN_KEY:
            raise self._trouble("does not accept the key", "Set OPENAI_API_KEY to one it knows.")
        if status == _UNKNOWN_MODEL:
            raise self._trouble(
                "does not know the model or the path",
                "Correct embed.model and embed.base_url; with Ollama, run `ollama pull` first.",
            )
        if status in _REDIRECTED:
            raise self._trouble("points elsewhere", "Set embed.base_url to where it is.")
        if status == _BUSY or status in _FAILED:
            raise self._trouble(f"cannot answer now (status {status})")
        if status != _OK:
            raise self._trouble(f"refuses the question (status {status})")

    def _trouble(self, what: str, remedy: str = "") -> EmbedderUnavailable:
        remedy = remedy or "See whether it runs, and embed.base_url in config.toml."
        return EmbedderUnavailable(f"The embedder at {self._endpoint.name} {what}. {remedy}")
