"""Embedders that are asked over HTTP: Ollama, OpenAI and all that speak like it.

The owner has named the server, and is told when it cannot be had. What it answers is believed only
after its form was checked: one finite vector for each text, all of one size.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from tacit.embed.port import TOKENS
from tacit.embed.told import unavailable
from tacit.errors import EmbedderUnavailable
from tacit.net.line import SECONDS, Line
from tacit.net.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.embed.port import Purpose, Vectors
    from tacit.net.endpoint import Endpoint

_CHARACTERS = 6  # a token: more than any language needs on average
_AT_ONCE = 32
_BYTES = 256 * 1024  # a vector: ten thousand numbers, written out
_BLANK = "-"  # in place of a text without any: servers refuse nothing at all
# What a model was taught to read before a question, and before what may answer it.
_PREFIXES: dict[str, dict[Purpose, str]] = {
    "nomic-embed-text": {"query": "search_query: ", "document": "search_document: "},
    "mxbai-embed-large": {
        "query": "Represent this sentence for searching relevant passages: ",
        "document": "",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How a kind of server is asked, and where its answer has the vectors."""

    name: str
    path: str
    rows: Callable[[Any], list[Any]]
    has_own_names: bool  # whether a model's name means something else on each server
    has_prefixes: bool


def _ollama_rows(answer: Any) -> list[Any]:
    return list(answer["embeddings"])


def _openai_rows(answer: Any) -> list[Any]:
    """Return the vectors in the order of the texts, which the answer need not keep."""
    rows = {
        each.get("index", place): each["embedding"] for place, each in enumerate(answer["data"])
    }
    return [rows[place] for place in range(len(answer["data"]))]


OLLAMA = Speech(
    name="ollama", path="/api/embed", rows=_ollama_rows, has_own_names=False, has_prefixes=True
)
OPENAI = Speech(
    name="openai", path="/embeddings", rows=_openai_rows, has_own_names=True, has_prefixes=False
)


class RemoteEmbedder:
    """Vectors from a server."""

    def __init__(
        self,
        speech: Speech,
        endpoint: Endpoint,
        name: str,
        key: str | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._speech = speech
        self._endpoint = endpoint
        self._name = name
        self._key = key
        self._seconds = seconds
        self._line: Line | None = None
        self._size: int | None = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """Return the id that every vector carries."""
        where = f"@{self._endpoint.name}" if self._speech.has_own_names else ""
        return f"{self._speech.name}/{self._name.removesuffix(':latest')}{where}/1"

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = TOKENS) -> Vectors:
        """Return a row of length 1 for each text, in order."""
        import numpy as np

        before = self._prefix(purpose)
        sent = [before + _sendable(text, tokens * _CHARACTERS) for text in texts]
        found = [
            self._batch(sent[start : start + _AT_ONCE]) for start in range(0, len(sent), _AT_ONCE)
        ]
        return np.concatenate(found) if found else np.empty((0, self._size or 0), np.float32)

    def close(self) -> None:
        """Let the connection go; a question that is under way keeps it until it is answered."""
        with self._lock:
            self._line = None

    def _prefix(self, purpose: Purpose) -> str:
        name = self._name.rpartition("/")[2].partition(":")[0]
        return _PREFIXES.get(name, {}).get(purpose, "") if self._speech.has_prefixes else ""

    def _batch(self, texts: list[str]) -> Vectors:
        question = {"model": self._name, "input": texts}
        try:
            answer = self._open().ask(self._speech.path, question, (len(texts) + 1) * _BYTES)
        except Trouble as trouble:
            raise unavailable(self._endpoint, trouble) from trouble
        try:
            vectors = _normalised(self._speech.rows(answer))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self._strange() from error
        with self._lock:
            if vectors.shape != (len(texts), self._size or vectors.shape[1]):
                raise self._strange()
            self._size = vectors.shape[1]
        return vectors

    def _open(self) -> Line:
        with self._lock:
            if self._line is None:
                self._line = Line(self._endpoint, self._key, self._seconds)
            return self._line

    def _strange(self) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The embedder at {self._endpoint.name} does not answer with one vector for each text. "
            "See whether embed.model is a model for embeddings."
        )


def _sendable(text: str, most: int) -> str:
    """Return as much of a text as is sent, without what some server cannot read."""
    cut = text[:most].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return cut if cut.strip() else _BLANK


def _normalised(rows: list[Any]) -> Vectors:
    """Return vectors of length 1; `ValueError` if these are none."""
    import numpy as np

    found = np.asarray(rows)
    if found.ndim != 2 or found.dtype.kind not in "fiu":  # noqa: PLR2004
        raise ValueError("no vectors")
    with np.errstate(over="ignore", under="ignore"):
        vectors = found.astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise ValueError("no direction")
    normal: Vectors = vectors / lengths
    return normal
