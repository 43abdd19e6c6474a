"""What the client wrote into a prompt is found, and nothing that the user did."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt.client_wrappers import client_parts, is_client_made

WRAPPED = (
    "teammate-message",
    "bash-stdout",
    "local-command-stdout",
    "command-name",
    "task-notification",
    "system-reminder",
)


def left(text: str) -> str:
    """Return a prompt without what the client wrote."""
    for start, stop in reversed(client_parts(text)):
        text = text[:start] + text[stop:]
    return text.strip()


@pytest.mark.parametrize("tag", WRAPPED)
def test_a_wrapper_is_the_client_s_and_what_stands_outside_it_is_not(tag: str) -> None:
    text = f'Weigh it.\n<{tag} id="1">\nnever\n</{tag}>\nThen lift it.'

    assert left(text).split("\n\n") == ["Weigh it.", "Then lift it."]


@pytest.mark.parametrize("tag", WRAPPED)
def test_a_wrapper_that_is_not_closed_runs_to_the_end(tag: str) -> None:
    assert left(f"Weigh it.\n<{tag}>\nalways open parcels\n\nand never close them") == "Weigh it."


@pytest.mark.parametrize(
    "text",
    [
        "Stop hook feedback:\n[~/belt.sh]: always weigh",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "This session is being continued from a previous conversation that ran out of context.",
        "Another Claude session sent a message:\nnever weigh",
        "## Memory Context\n\nThe following memories were loaded from prior sessions.\n\n- x",
        "<memory-00112233445566aa>\nalways weigh\n</memory-00112233445566aa>",
        "<bash-input>ls</bash-input>\n<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
    ],
)
def test_what_the_client_makes_by_itself_is_the_client_s(text: str) -> None:
    assert is_client_made(text)


@pytest.mark.parametrize(
    "text",
    [
        "The <tick> element of the chart is never drawn, fix it.",
        "Why does it print [Request timed out]?",
        "My session is being continued from home.",
        "Rename <channel> to <stream> in feed.xml",
        "",
    ],
)
def test_what_the_user_names_is_the_user_s(text: str) -> None:
    assert left(text) == text


def test_what_the_user_typed_behind_a_command_is_the_user_s() -> None:
    text = "<command-name>/note</command-name>\n<command-args>weigh twice</command-args>"

    assert left(text) == "weigh twice"
