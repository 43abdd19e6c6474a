"""The choice of an embedder: from what the owner has set to whatever turns texts into vectors.

Nothing is loaded and nobody is asked before the first text. A choice that cannot work is refused at
once, with a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.embed.local import LocalEmbedder
from tacit.embed.remote import OLLAMA, OPENAI, RemoteEmbedder
from tacit.errors import EmbedderUnavailable
from tacit.net.endpoint import Endpoint, parsed
from tacit.net.line import is_key
from tacit.net.trouble import PlaceRefused

if TYPE_CHECKING:
    from tacit.embed.port import Embedder

# provider -> its usual model and place
_USUAL = {
    "ollama": ("nomic-embed-text", "http://127.0.0.1:11434"),
    "openai": ("text-embedding-3-small", "https://api.openai.com/v1"),
}


def embedder(provider: str, model: str, base_url: str, key: str | None) -> Embedder | None:
    """Return the embedder of a provider, None for `none`; the key goes to openai alone."""
    if provider == "none":
        return None
    if provider == "local":
        if model or base_url:
            raise EmbedderUnavailable(
                "The local embedder has neither embed.model nor embed.base_url. Remove them from "
                "config.toml, or set embed.provider."
            )
        return LocalEmbedder()
    usual_model, usual_place = _USUAL[provider]
    endpoint = _endpoint(base_url or usual_place)
    if provider == "ollama":
        return RemoteEmbedder(OLLAMA, endpoint, model or usual_model)
    return RemoteEmbedder(OPENAI, endpoint, model or usual_model, _plain(key))


def _endpoint(url: str) -> Endpoint:
    try:
        return parsed(url)
    except PlaceRefused as refused:
        raise EmbedderUnavailable(
            f"embed.base_url {refused}. Correct it in config.toml."
        ) from refused


def _plain(key: str | None) -> str | None:
    """Return a key that can stand in a header."""
    found = (key or "").strip()
    if found and not is_key(found):
        raise EmbedderUnavailable("OPENAI_API_KEY holds what no key does. Set it anew.")
    return found or None
