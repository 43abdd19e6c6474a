"""Models at hand: each is offered with what it costs, and chosen only where nothing was said."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from tacit import settings
from tacit.errors import InstallRefused
from tacit.install import models

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = {"ANTHROPIC_API_KEY": "a-key"}


def offered(**changes: Any) -> dict[str, models.Offer]:
    given: dict[str, Any] = {"environment": {}, "which": lambda _: None, "ollama": list} | changes
    found = models.offers(given["environment"], given["which"], given["ollama"])
    return {each.name: each for each in found}


def test_nothing_at_hand_is_nothing_offered() -> None:
    assert offered() == {}


def test_each_is_offered_with_its_price_the_cheapest_first() -> None:
    found = offered(
        environment=KEY, which=lambda name: f"/bin/{name}", ollama=lambda: ["qwen3:8b", "other"]
    )

    assert list(found) == ["ollama", "claude-cli", "anthropic"]
    assert "qwen3:8b" in found["ollama"].title
    assert found["anthropic"].cost == "about $0.05 for a hundred turns"
    assert [each.needs_key for each in found.values()] == [False, False, True]


@pytest.mark.parametrize(
    ("environment", "cost"),
    [
        ({}, "nothing beyond the subscription; it counts towards its limits"),
        (KEY, "about $0.05 for a hundred turns, billed to the key in your environment"),
    ],
)
def test_a_subscription_is_offered_at_the_price_of_a_key_where_there_is_one(
    environment: dict[str, str], cost: str
) -> None:
    found = offered(environment=environment, which=lambda name: f"/bin/{name}")

    assert found["claude-cli"].cost == cost


@pytest.mark.parametrize(
    ("before", "between"),
    [("", ""), ("[backup]\nkeep = 3\n", "\n"), ("[backup]\nkeep = 3", "\n\n")],
)
def test_a_choice_is_put_behind_what_is_there(before: str, between: str, tmp_path: Path) -> None:
    if before:
        (tmp_path / "config.toml").write_text(before, encoding="utf-8")
    offer = offered(environment=KEY)["anthropic"]

    written = models.choose(tmp_path, offer, ["pass", "show", "a key"])

    text = (tmp_path / "config.toml").read_text(encoding="utf-8")
    chosen = settings.load(str(tmp_path))
    assert text == before + between + written
    assert (chosen.llm_provider, chosen.llm_key_command) == ("anthropic", ["pass", "show", "a key"])
    assert (tmp_path / "config.toml").stat().st_mode & 0o777 == 0o600


def test_programs_are_chosen_by_their_whole_path(tmp_path: Path) -> None:
    def which(name: str) -> str:
        return f"/opt/{name}"

    models.choose(tmp_path, offered(which=which)["claude-cli"], [])

    assert settings.load(str(tmp_path)).word("llm.program") == "/opt/claude"
    assert models.resolved(["pass", "a key"], which) == ["/opt/pass", "a key"]
    assert models.resolved(["pass", "a key"], lambda _: None) == ["pass", "a key"]
    assert models.resolved([], which) == []


def test_ollama_is_chosen_by_its_place_and_a_model_it_has(tmp_path: Path) -> None:
    models.choose(tmp_path, offered(ollama=lambda: ["qwen3:8b"])["ollama"], [])

    chosen = settings.load(str(tmp_path))
    assert (chosen.llm_provider, chosen.llm_model) == ("openai", "qwen3:8b")
    assert chosen.llm_base_url == "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize("text", ['[llm]\nprovider = "none"\n', "no toml at all ["])
def test_what_the_owner_has_said_or_broken_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InstallRefused, match="edit it"):
        models.choose(tmp_path, offered(environment=KEY)["anthropic"], [])

    assert models.is_chosen(tmp_path)
    assert (tmp_path / "config.toml").read_text(encoding="utf-8") == text


def test_a_choice_goes_behind_a_link_and_leaves_it_one(tmp_path: Path) -> None:
    home, real = tmp_path / "home", tmp_path / "dotfiles.toml"
    home.mkdir()
    real.write_text("[backup]\nkeep = 3\n", encoding="utf-8")
    (home / "config.toml").symlink_to(real)

    written = models.choose(home, offered(environment=KEY)["anthropic"], [])

    assert (home / "config.toml").is_symlink()
    assert real.read_text(encoding="utf-8") == f"[backup]\nkeep = 3\n\n{written}"


def test_a_link_that_leads_nowhere_is_not_replaced_by_a_choice(tmp_path: Path) -> None:
    (tmp_path / "config.toml").symlink_to(tmp_path / "unmounted" / "tacit.toml")

    with pytest.raises(InstallRefused, match="edit it"):
        models.choose(tmp_path, offered(environment=KEY)["anthropic"], [])

    assert (tmp_path / "config.toml").is_symlink()


@pytest.fixture
def answer() -> Iterator[list[bytes]]:
    """Give what a server at a port of its own answers, which stands at the end."""
    said: list[bytes] = []

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(said[0])

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    said.append(str(server.server_port).encode())
    yield said
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"models": [{"name": "nomic-embed-text"}, {"name": "qwen3:8b"}]}, ["qwen3:8b"]),
        ({"models": []}, []),
        ({"models": [{}]}, []),
        (["none"], []),
    ],
)
def test_ollama_is_asked_what_it_has(told: object, found: list[str], answer: list[bytes]) -> None:
    port = int(answer[0])
    answer[0] = json.dumps(told).encode()

    assert models.ollama_models(("127.0.0.1", port)) == found


def test_without_ollama_there_are_none() -> None:
    assert models.ollama_models(("127.0.0.1", 1)) == []
