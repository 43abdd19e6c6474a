"""Messages: said as events, cleaned before they are written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.capture import message
from tacit.capture.conf import Conf
from tacit.capture.message import ROLES, Message

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool

TOLD = "Vq7-tulip-Lamp42"


def said(text: str, role: str = "user") -> Message:
    return Message(session="s-1", role=role, text=text, at="2026-01-02T03:04:05Z", id="m-1")


def record(spoken: Message, root: int, spool: Spool, conf: str = "") -> str | None:
    return message.record(
        spoken, root=root, conf=Conf(conf), spool=spool, source="bridge", received_ns=9
    )


def test_a_message_is_an_event_with_all_that_was_said_of_it(
    home: Home, root: int, spool: Spool
) -> None:
    spoken = said("Grüße,\n“quoted”")

    name = record(spoken, root, spool)

    expected = {
        "session": "s-1",
        "role": "user",
        "text": "Grüße,\n“quoted”",
        "at": "2026-01-02T03:04:05Z",
        "id": "m-1",
        "project": "",
    }
    assert (home.spooled[0].name, json.loads(home.entries[0].payload)) == (name, expected)


def test_the_header_names_the_source_the_time_and_the_group(
    home: Home, root: int, spool: Spool
) -> None:
    spoken = replace(said("hello"), project="/srv/shop")

    record(spoken, root, spool, conf="group\twork\t/srv\n")

    entry = home.entries[0]
    told = (entry.event, entry.client, entry.received_ns, entry.group, entry.answered)
    assert told == ("message", "bridge", 9, "work", "-")


def test_a_message_of_a_paused_project_is_not_recorded(home: Home, root: int, spool: Spool) -> None:
    spoken = replace(said("off the record"), project="/srv/shop")

    name = record(spoken, root, spool, conf="off\t/srv/shop\n")

    assert (name, home.entries) == (None, [])


def test_a_secret_in_a_message_never_reaches_the_disk(home: Home, root: int, spool: Spool) -> None:
    spoken = said(f"The staging password is {TOLD}.")

    record(spoken, root, spool)

    assert (TOLD.encode() in home.bytes_on_disk(), b"[redacted:" in home.entries[0].payload) == (
        False,
        True,
    )


def test_a_private_span_in_a_message_never_reaches_the_disk(
    home: Home, root: int, spool: Spool
) -> None:
    spoken = said("Good. <private>my sister is ill</private> Go on.")

    record(spoken, root, spool)

    assert b"sister" not in home.bytes_on_disk()


def test_half_a_character_in_a_message_does_not_lose_it(
    home: Home, root: int, spool: Spool
) -> None:
    spoken = said("cut \ud83d off")

    record(spoken, root, spool)

    assert json.loads(home.entries[0].payload)["text"] == "cut ? off"


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_speak(role: str) -> None:
    spoken = said("hello", role)

    assert spoken.role == role


@pytest.mark.parametrize("role", ["", "User", "developer"])
def test_another_role_is_refused_and_named(role: str) -> None:
    with pytest.raises(ValueError, match=f"user, assistant, system, tool: '{role}'"):
        said("hello", role)
