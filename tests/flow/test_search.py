"""Search with the real daemon and the real model: by meaning while it is there, by words always."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit
from rig import only_linux

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

pytestmark = only_linux

NETWORK = "The network configuration was fixed by lowering the MTU on the router."
OTHERS = (
    "Prefers tabs over spaces in Go files.",
    "The invoice run starts on the third working day of each month.",
    "Anna waters the tomatoes on Sundays.",
)
WORDS_ALONE = "Searched by words alone."


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


def _remember(home: Home, *texts: str) -> None:
    for text in texts:
        assert tacit(home.path, "remember", text, "--everywhere").returncode == 0


def _asked(home: Home, *words: str) -> dict[str, Any]:
    ran = tacit(home.path, "search", "--json", *words)
    assert ran.returncode == 0
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def _status(home: Home) -> dict[str, Any]:
    status: dict[str, Any] = json.loads(tacit(home.path, "status", "--json").stdout)
    return status


def _is_understood(home: Home) -> bool:
    return all(each["passages"] == each["understood"] for each in _status(home)["memories"])


def test_without_a_daemon_words_find_and_the_answer_says_so(home: Home) -> None:
    _remember(home, NETWORK, *OTHERS)

    answer = _asked(home, "network configuration")

    assert answer["hits"][0]["content"] == NETWORK
    assert (answer["by"], answer["note"]) == (["words"], WORDS_ALONE)


def test_with_a_daemon_other_words_find_it_as_well(home: Home, daemons: Daemons) -> None:
    _remember(home, NETWORK, *OTHERS)
    daemons.start()
    until(lambda: _is_understood(home), "what the memories mean")

    answer = _asked(home, "WiFi problem")

    assert answer["hits"][0]["content"] == NETWORK
    assert "meaning" in answer["by"]
    near = [hit["parts"]["meaning"] for hit in answer["hits"]]
    assert near[0] == max(near) > 0


def test_what_is_corrected_is_found_by_its_new_meaning_alone(home: Home, daemons: Daemons) -> None:
    _remember(home, NETWORK, *OTHERS)
    daemons.start()
    until(lambda: _is_understood(home), "what the memories mean")
    old = _asked(home, "WiFi problem")["hits"][0]["id"]

    corrected = tacit(home.path, "correct", old, "The router was replaced; its MTU is as usual.")
    assert corrected.returncode == 0
    until(lambda: _is_understood(home), "what the correction means")

    assert NETWORK not in [hit["content"] for hit in _asked(home, "WiFi problem")["hits"]]
    assert NETWORK in [
        hit["content"] for hit in _asked(home, "WiFi problem", "--superseded")["hits"]
    ]


def test_a_model_that_is_not_there_is_told_and_words_go_on(home: Home, daemons: Daemons) -> None:
    with socket.socket() as closed:  # a port of our own that nobody listens on
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        settings = f'[embed]\nprovider = "ollama"\nbase_url = "{address}"\n'
        home.make()
        (home.path / "config.toml").write_text(settings, encoding="utf-8")
        _remember(home, NETWORK, *OTHERS)

        daemons.start()
        until(lambda: bool(_status(home)["embedder_trouble"]), "the trouble with the model")

        answer = _asked(home, "network configuration")
    assert answer["hits"][0]["content"] == NETWORK
    assert (answer["by"], answer["note"]) == (["words"], WORDS_ALONE)
    assert "search goes on by words" in tacit(home.path, "status").stdout


def test_another_model_understands_all_anew_and_spaces_never_mix(
    home: Home, daemons: Daemons
) -> None:
    _remember(home, NETWORK, *OTHERS)
    daemons.start()
    until(lambda: _is_understood(home), "what the memories mean")
    before = _status(home)["memories"][0]["understood"]

    settings = '[embed]\nprovider = "ollama"\nbase_url = "http://127.0.0.1:9"\n'
    (home.path / "config.toml").write_text(settings, encoding="utf-8")

    status = _status(home)
    assert (before, status["memories"][0]["understood"]) == (1 + len(OTHERS), 0)
    assert status["embedder"].startswith("ollama/")


def test_a_word_that_is_erased_is_in_no_index_any_more(home: Home, daemons: Daemons) -> None:
    home.hook("UserPromptSubmit", {"prompt": "the plan is called zanzibarquux", "prompt_id": "p1"})
    home.hook("Stop", {"last_assistant_message": "noted", "prompt_id": "p1"})
    daemons.start()
    until(lambda: bool(_asked(home, "zanzibarquux")["hits"]), "the message in the index")
    until(lambda: _is_understood(home), "what the message means")
    daemons.stop()

    ran = tacit(home.path, "forget", "--matching", "zanzibarquux", "--erase", "--yes")

    assert ran.returncode == 0
    assert _asked(home, "zanzibarquux")["hits"] == []
    assert b"zanzibarquux" not in home.bytes_on_disk()
