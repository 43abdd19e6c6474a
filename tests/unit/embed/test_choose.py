"""The choice of an embedder: what was set, or one sentence on why it cannot be."""

from __future__ import annotations

import pytest

from tacit.embed.choose import embedder
from tacit.embed.local import LocalEmbedder
from tacit.errors import EmbedderUnavailable
from unit.embed import serving
from unit.net.serving import served


def test_none_is_nobody() -> None:
    assert embedder("none", "", "", None) is None


def test_local_is_the_model_on_this_machine() -> None:
    assert isinstance(embedder("local", "", "", "a-key"), LocalEmbedder)


@pytest.mark.parametrize(
    ("provider", "model", "url", "id_"),
    [
        ("ollama", "", "", "ollama/nomic-embed-text/1"),
        ("ollama", "bge-m3", "http://localhost:1", "ollama/bge-m3/1"),
        ("openai", "", "", "openai/text-embedding-3-small@api.openai.com/1"),
        ("openai", "own", "https://ai.example.com/v1", "openai/own@ai.example.com/1"),
    ],
)
def test_each_provider_has_its_usual_model_and_place(
    provider: str, model: str, url: str, id_: str
) -> None:
    chosen = embedder(provider, model, url, None)

    assert chosen is not None
    assert chosen.model == id_


@pytest.mark.parametrize(("model", "url"), [("other", ""), ("", "http://localhost")])
def test_what_would_have_no_effect_is_refused(model: str, url: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"Remove them from config\.toml"):
        embedder("local", model, url, None)


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_place_that_is_none_is_refused_at_once(provider: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"embed\.base_url"):
        embedder(provider, "", "localhost", None)


@pytest.mark.parametrize("key", ["a b", "schlüssel", "a\nb", "a\x7f"])
def test_a_key_that_is_none_is_refused_without_being_repeated(key: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="OPENAI_API_KEY") as refused:
        embedder("openai", "", "", key)

    assert key not in str(refused.value)


@pytest.mark.parametrize(("key", "sent"), [(" a-key\n", "Bearer a-key"), ("  ", None), ("", None)])
def test_a_key_is_sent_without_what_stands_around_it(key: str, sent: str | None) -> None:
    with served(serving.openai) as server:
        chosen = embedder("openai", "", server.url, key)
        assert chosen is not None
        chosen.embed(["x"], "query")

    assert server.asked[0].headers["Authorization"] == sent


def test_the_key_goes_to_nobody_but_openai() -> None:
    with served(serving.ollama) as server:
        chosen = embedder("ollama", "", server.url, "a-key")
        assert chosen is not None
        chosen.embed(["x"], "query")

    assert "a-key" not in str(server.asked[0].headers)
