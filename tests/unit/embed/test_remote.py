"""Embedders behind HTTP: asked as they expect it, and believed only when the form is right."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tacit.embed.remote import OLLAMA, OPENAI, RemoteEmbedder, Speech
from tacit.errors import EmbedderUnavailable
from tacit.net.endpoint import parsed
from unit.embed import serving
from unit.embed.serving import vector
from unit.net.serving import served

if TYPE_CHECKING:
    from unit.net.serving import Asked, Script, Server

KEY = "sk-" + "test-0123456789"
UNREAD = "the plan nobody may read"


def ollama_at(server: Server, model: str = "some-model") -> RemoteEmbedder:
    return RemoteEmbedder(OLLAMA, parsed(server.url), model, seconds=5)


def openai_at(server: Server, key: str | None = KEY) -> RemoteEmbedder:
    return RemoteEmbedder(OPENAI, parsed(f"{server.url}/v1"), "some-model", key, seconds=5)


def normal(texts: list[str]) -> object:
    rows = np.array([vector(text) for text in texts])
    return pytest.approx(rows / np.linalg.norm(rows, axis=1, keepdims=True), abs=1e-6)


def refusal(script: Script, speech: Speech = OLLAMA) -> str:
    with served(script) as server:
        embedder = RemoteEmbedder(speech, parsed(server.url), "some-model", KEY, seconds=2)
        with pytest.raises(EmbedderUnavailable) as refused:
            embedder.embed([UNREAD, "b"], "document")
    return str(refused.value)


def test_ollama_is_asked_for_all_texts_and_its_vectors_are_normalised() -> None:
    texts = ["a", "two words", "größer"]

    with served(serving.ollama) as server:
        found = ollama_at(server).embed(texts, "document")

    (asked,) = server.asked
    assert (asked.path, asked.body) == ("/api/embed", {"model": "some-model", "input": texts})
    assert "Authorization" not in asked.headers
    assert found.dtype == np.float32
    assert found == normal(texts)


def test_openai_is_asked_with_the_key_and_its_order_is_put_right() -> None:
    texts = ["a", "two words", "größer"]

    with served(serving.openai) as server:
        found = openai_at(server).embed(texts, "document")

    (asked,) = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.body == {"model": "some-model", "input": texts}
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert found == normal(texts)


def test_without_a_key_none_is_sent() -> None:
    with served(serving.openai) as server:
        openai_at(server, None).embed(["a"], "query")

    assert "Authorization" not in server.asked[0].headers


def test_an_answer_without_places_is_in_the_order_of_the_texts() -> None:
    def script(asked: Asked) -> None:
        asked.answer({"data": [{"embedding": vector(text)} for text in asked.question["input"]]})

    with served(script) as server:
        found = openai_at(server).embed(["a", "bcd"], "document")

    assert found == normal(["a", "bcd"])


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("nomic-embed-text", "search_query: x", "search_document: x"),
        ("nomic-embed-text:latest", "search_query: x", "search_document: x"),
        ("someone/nomic-embed-text:v1.5", "search_query: x", "search_document: x"),
        (
            "mxbai-embed-large",
            "Represent this sentence for searching relevant passages: x",
            "x",
        ),
        ("all-minilm", "x", "x"),
    ],
)
def test_a_model_reads_the_prefix_it_was_taught(model: str, query: str, document: str) -> None:
    with served(serving.ollama) as server:
        embedder = ollama_at(server, model)
        embedder.embed(["x"], "query")
        embedder.embed(["x"], "document")

    assert [asked.body["input"] for asked in server.asked] == [[query], [document]]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("", "-"),
        (" \n\t", "-"),
        ("a\0b", "a b"),
        ("a\ud800b", "a?b"),
        ("x" * 100, "x" * 60),
        ("ü" * 100, "ü" * 60),
    ],
)
def test_what_is_sent_can_be_read_by_any_server(text: str, sent: str) -> None:
    with served(serving.ollama) as server:
        ollama_at(server).embed([text], "document", tokens=10)

    assert server.asked[0].body["input"] == [sent]


def test_many_texts_are_asked_in_parts_over_one_connection() -> None:
    texts = [f"text {number}" * (number % 7 + 1) for number in range(100)]

    with served(serving.ollama) as server:
        embedder = ollama_at(server)
        found = embedder.embed(texts, "document")
        embedder.close()

    assert [len(asked.body["input"]) for asked in server.asked] == [32, 32, 32, 4]
    assert len({asked.client for asked in server.asked}) == 1
    assert found == normal(texts)


def test_no_text_asks_nobody() -> None:
    embedder = RemoteEmbedder(OLLAMA, parsed("http://127.0.0.1:9"), "some-model")

    assert embedder.embed([], "query").shape[0] == 0


def test_after_closing_it_connects_again() -> None:
    with served(serving.ollama) as server:
        embedder = ollama_at(server)
        first = embedder.embed(["a"], "query")
        embedder.close()
        embedder.close()
        again = embedder.embed(["a"], "query")

    assert np.array_equal(first, again)
    assert len({asked.client for asked in server.asked}) == 2


def test_many_threads_get_what_one_would_even_while_it_is_closed() -> None:
    texts = [f"{'x' * number}" for number in range(1, 30)]

    with served(serving.ollama) as server:
        embedder = ollama_at(server)

        def ask(text: str) -> bool:
            if len(text) % 5 == 0:
                embedder.close()
            return bool(embedder.embed([text], "query") == normal([text]))

        with ThreadPoolExecutor(8) as pool:
            equal = list(pool.map(ask, texts))
        embedder.close()

    assert equal == [True] * len(texts)


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        None,
        "vectors",
        {"embeddings": None},
        {"embeddings": 3},
        {"embeddings": {}},
        {"embeddings": []},
        {"embeddings": [[1.0, 2.0]]},
        {"embeddings": [[1.0], [2.0], [3.0]]},
        {"embeddings": [[1.0, 2.0], [1.0]]},
        {"embeddings": [[], []]},
        {"embeddings": [1.0, 2.0]},
        {"embeddings": [[[1.0]], [[1.0]]]},
        {"embeddings": [["1.0"], ["2.0"]]},
        {"embeddings": [[None], [1.0]]},
        {"embeddings": [[True], [False]]},
        {"embeddings": [[0.0, 0.0], [1.0, 0.0]]},
        {"embeddings": [[1e300], [1.0]]},
        {"embeddings": [[10**400], [1]]},
        b'{"embeddings": [[NaN], [1.0]]}',
        b'{"embeddings": [[Infinity], [1.0]]}',
        b'{"embeddings": [[1e999], [1.0]]}',
    ],
    ids=str,
)
def test_an_answer_of_another_form_is_not_believed(content: object) -> None:
    told = refusal(lambda asked: asked.answer(content))

    assert "does not answer with one vector for each text" in told


@pytest.mark.parametrize(
    "rows",
    [
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}],
        [{"index": 1, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}],
        [{"index": [], "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}],
        [{"index": 0}, {"index": 1}],
        [[1.0], [2.0]],
        "ab",
        3,
    ],
    ids=str,
)
def test_places_that_are_not_those_of_the_texts_are_not_believed(rows: object) -> None:
    told = refusal(lambda asked: asked.answer({"data": rows}), OPENAI)

    assert "does not answer with one vector for each text" in told


def test_vectors_that_change_their_size_are_not_believed() -> None:
    def script(asked: Asked) -> None:
        asked.answer({"embeddings": [[1.0] * len(text) for text in asked.question["input"]]})

    with served(script) as server:
        embedder = ollama_at(server)
        embedder.embed(["abc"], "query")

        with pytest.raises(EmbedderUnavailable):
            embedder.embed(["abcd"], "query")


@pytest.mark.parametrize(
    ("speech", "url", "model", "id_"),
    [
        (OLLAMA, "http://127.0.0.1:11434", "nomic-embed-text", "ollama/nomic-embed-text/1"),
        (OLLAMA, "http://localhost:1", "nomic-embed-text:latest", "ollama/nomic-embed-text/1"),
        (OLLAMA, "http://localhost:1", "a/b:v2", "ollama/a/b:v2/1"),
        (OPENAI, "https://api.example.com/v1", "small", "openai/small@api.example.com/1"),
        (OPENAI, "http://127.0.0.1:8080/v1", "small", "openai/small@127.0.0.1:8080/1"),
    ],
)
def test_the_id_tells_whose_vectors_they_are(
    speech: Speech, url: str, model: str, id_: str
) -> None:
    assert RemoteEmbedder(speech, parsed(url), model).model == id_


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_a_refusal_holds_neither_key_nor_text_nor_what_the_server_said(status: int) -> None:
    said = {"error": f"bad key {KEY} for {UNREAD}"}

    told = refusal(lambda asked: asked.answer(said, status), OPENAI)

    assert (KEY in told, UNREAD in told, "bad key" in told) == (False, False, False)
    assert "\n" not in told
