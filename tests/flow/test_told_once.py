"""What a prompt is answered with: once in a session, but what came too late was never told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flow.telling import SECOND_NS, Teller, telling
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from tacit.verbs.surfacing import Prompt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

BACKUP = "The nightly backup of the warehouse goes to the bucket called otter-lake."
ASKED = "To which bucket does the nightly backup of the warehouse go, otter-lake?"
WHERE = "/srv/orchard"


@pytest.fixture
def teller(home: Home) -> Iterator[Teller]:
    """Return a home that knows something which session s-1 was not told when it began."""
    with telling(home.path) as told:
        told.say("UserPromptSubmit", prompt="Say hello", prompt_id="t-0")
        told.drain()
        told.app.remember("main", Said(text=BACKUP), Caller())
        yield told


def _answered(teller: Teller, *, is_heard: bool) -> list[str]:
    """Answer a prompt as daemon and hook do; return what it is answered with."""
    teller.wait(2 * SECOND_NS)
    prompt = Prompt(text=ASKED, session="s-1", directory=WHERE)
    answer = teller.app.surface("main", prompt)
    teller.app.tell("main", prompt, answer)
    teller.wait(-2 * SECOND_NS)  # the hook was started before it asked
    fields = {"session_id": "s-1", "prompt_id": "t-1", "cwd": WHERE, "prompt": ASKED}
    told = answer.id if is_heard and answer.id else "-"
    teller.publish(json.dumps(fields).encode(), "UserPromptSubmit", answered=told)
    teller.wait(2 * SECOND_NS)
    return [hit.content for hit in answer.hits]


def _reply(teller: Teller) -> None:
    teller.say("Stop", prompt_id="t-1", last_assistant_message="Yes.")


def test_what_a_session_has_heard_it_is_not_told_again(teller: Teller) -> None:
    first = _answered(teller, is_heard=True)
    _reply(teller)
    teller.drain()

    again = _answered(teller, is_heard=True)

    assert (first, again) == ([BACKUP], [])


def test_what_was_told_a_moment_ago_is_not_told_again_before_it_is_written_down(
    teller: Teller,
) -> None:
    first = _answered(teller, is_heard=True)

    again = _answered(teller, is_heard=True)

    assert (first, again) == ([BACKUP], [])


def test_what_came_too_late_is_told_with_the_next_prompt(teller: Teller) -> None:
    first = _answered(teller, is_heard=False)
    _reply(teller)
    teller.drain()

    again = _answered(teller, is_heard=True)

    assert (first, again) == ([BACKUP], [BACKUP])


def test_what_came_too_late_is_told_once_and_not_again_before_it_is_written_down(
    teller: Teller,
) -> None:
    _answered(teller, is_heard=False)
    _reply(teller)
    teller.drain()

    told = [_answered(teller, is_heard=True) for _ in range(2)]

    assert told == [[BACKUP], []]


def test_a_session_is_not_told_what_its_own_user_has_said_in_it(teller: Teller) -> None:
    said = "Remember that the nightly backup of the warehouse goes to the vault as well."
    teller.say("UserPromptSubmit", prompt_id="t-0", prompt=said)
    teller.say("Stop", prompt_id="t-0", last_assistant_message="Noted.")
    teller.drain()

    told = _answered(teller, is_heard=True)

    assert told == [BACKUP]
