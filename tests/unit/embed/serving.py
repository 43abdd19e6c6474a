"""Scripts for servers of embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unit.net.serving import Asked


def vector(text: str) -> list[float]:
    """Return some vector that tells texts apart."""
    return [3.0 * len(text), 4.0, float(sum(map(ord, text)) % 97)]


def ollama(asked: Asked) -> None:
    """Answer as Ollama does."""
    asked.answer({"embeddings": [vector(text) for text in asked.question["input"]]})


def openai(asked: Asked) -> None:
    """Answer as OpenAI does, in an order of its own."""
    rows = [
        {"object": "embedding", "index": place, "embedding": vector(text)}
        for place, text in enumerate(asked.question["input"])
    ]
    asked.answer({"object": "list", "data": rows[::-1], "model": asked.question["model"]})
