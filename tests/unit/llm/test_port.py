"""The port: known to all, at the price of nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tacit.llm.port import Reply, Request, Usage

HEAVY = ("anthropic", "httpx2", "httpcore2", "pydantic", "ssl", "numpy")


@pytest.mark.parametrize("module", ["tacit.llm.port", "tacit.llm.choose", "tacit.cli.main"])
def test_to_know_of_models_loads_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"

    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert told.stdout.strip() == b"[]"


def test_a_choice_loads_nothing_heavy_either() -> None:
    program = (
        "import sys; from tacit.settings import Settings; from tacit.llm.choose import model\n"
        "for name in ('anthropic', 'openai', 'claude-cli'):\n"
        "    model(Settings({'llm.provider': name}), {}, is_users_program=True)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )

    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert told.stdout.strip() == b"[]"


def test_a_request_asks_little_unless_it_is_told() -> None:
    request = Request(system="s", text="t")

    assert (request.state, request.schema, request.tier) == ("", None, "small")
    assert (request.name, request.most_tokens) == ("answer", 4096)


def test_neither_a_request_nor_a_reply_shows_its_texts() -> None:
    request = Request(system="hidden", state="hidden", text="hidden", schema={"hidden": 1})
    reply = Reply(
        text="hidden", value={"hidden": 1}, usage=Usage(), model="m", usd=0.0, stop="end_turn"
    )

    assert "hidden" not in repr(request) + repr(reply)
