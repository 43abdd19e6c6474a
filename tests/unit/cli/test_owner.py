"""Who is at the keyboard: an agent is known by its environment, and nothing is replaced unasked."""

from __future__ import annotations

import io
import sys

import click
import pytest

from tacit.cli import owner
from tacit.errors import NotAllowed


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let neither the environment nor the terminal of this run decide."""
    for name in ("CLAUDECODE", "AI_AGENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def typed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody sit at a terminal and type *text*."""
    monkeypatch.setattr(sys, "stdin", Terminal(text))


def test_without_a_word_of_an_agent_it_is_the_owner() -> None:
    assert owner.origin() == "owner"


@pytest.mark.parametrize(("name", "value"), [("CLAUDECODE", "1"), ("AI_AGENT", "claude-code")])
def test_inside_an_agent_s_session_it_is_the_agent(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    assert owner.origin() == "agent"


@pytest.mark.parametrize("name", ["CLAUDECODE", "AI_AGENT"])
def test_an_empty_variable_says_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "")

    assert owner.origin() == "owner"


def test_a_pipe_must_say_that_it_is_meant() -> None:
    with pytest.raises(NotAllowed, match="Say --yes"):
        owner.confirm("Replace it?", is_sure=False)


def test_a_pipe_that_says_so_is_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    owner.confirm("Replace it?", is_sure=True)

    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("is_sure", [True, False])
def test_an_agent_without_a_terminal_is_refused_whatever_it_says(
    *, is_sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    with pytest.raises(NotAllowed, match="Ask the user to run it"):
        owner.confirm("Replace it?", is_sure=is_sure)


def test_at_a_terminal_the_question_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("y\n", monkeypatch)

    owner.confirm("Replace it?", is_sure=False)

    assert capsys.readouterr().out == "Replace it? [y/N]: "


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_at_a_terminal_only_a_yes_is_a_yes(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(answer, monkeypatch)

    with pytest.raises(click.Abort):
        owner.confirm("Replace it?", is_sure=False)


@pytest.mark.parametrize("name", ["CLAUDECODE", "AI_AGENT"])
def test_an_agent_s_terminal_is_the_owner_s_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    typed("", monkeypatch)

    owner.confirm("Replace it?", is_sure=True)

    assert owner.origin() == "agent"
