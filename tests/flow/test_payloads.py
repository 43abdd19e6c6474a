"""Payloads: every event the client knows becomes one row, however often and however it comes."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flow.telling import body, essence, golden, golden_rows, telling
from rig import ROOT
from tacit.transcript.turns import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flow.telling import Teller
    from rig import Home

EVENTS = """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
    UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop
    PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup
    TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate
    WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay
""".split()
TOLD = "Vq7-tulip-Lamp42"


@pytest.fixture
def teller(tmp_path: Path) -> Iterator[Teller]:
    """Return a home that can be told events."""
    with telling(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Teller]:
    """Return another one, to compare with."""
    with telling(tmp_path / "other") as opened:
        yield opened


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return what became of the golden payloads, by the name of the event."""
    with telling(tmp_path_factory.mktemp("golden") / "home") as opened:
        for event, payload in golden():
            opened.publish(payload, event)
        records = opened.records()
        names = {each.key: each.name for each in opened.app.projects("main")}
    return {
        body(record)["hook_event_name"]: {
            "event": body(record)["hook_event_name"],
            **{name: getattr(record, name) for name in "kind turn tool agent origin via".split()},
            "project": names[record.project],
            "text": text_of(record),
        }
        for record in records
    }


def test_the_golden_payloads_are_one_of_each_event() -> None:
    assert sorted(event for event, _ in golden()) == sorted(EVENTS)


@pytest.mark.parametrize("expected", golden_rows(), ids=lambda row: row["event"])
def test_each_event_of_the_client_becomes_its_row(
    expected: dict[str, Any], rows: dict[str, dict[str, Any]]
) -> None:
    assert rows[expected["event"]] == expected


def test_the_body_of_each_event_is_what_the_client_sent(teller: Teller) -> None:
    for event, payload in golden():
        teller.publish(payload, event)

    assert [body(record) for record in teller.records()] == [
        json.loads(payload) for _, payload in golden()
    ]


def samples() -> list[tuple[str, Any]]:
    """Return what a real client has sent, by the name of its file; nothing if it is not here."""
    chosen = os.environ.get("TACIT_REALCLIENT")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "realclient"
    files = sorted((folder / "payloads").glob("*.json")) + sorted(
        (folder / "payloads/sdk").glob("*")
    )
    return [(file.name, json.loads(file.read_text(encoding="utf-8"))) for file in files]


@pytest.fixture(scope="module")
def real() -> list[tuple[str, Any]]:
    """Return the real samples, or skip."""
    found = samples()
    if not found:
        pytest.skip("no samples of a real client here: TACIT_REALCLIENT may name a directory")
    return found


def sampled(teller: Teller, real: list[tuple[str, Any]]) -> None:
    for name, payload in real:
        teller.publish(json.dumps(payload, indent=2).encode(), name.partition(".")[0])


def test_every_real_sample_is_taken_in(teller: Teller, real: list[tuple[str, Any]]) -> None:
    sampled(teller, real)

    done = teller.drain()

    assert (done.bad, teller.app.status().events_bad, done.waiting) == (0, 0, 0)
    assert done.taken + done.known + done.echoes == len(real)


def test_only_the_echo_of_a_compaction_is_left_out(
    teller: Teller, real: list[tuple[str, Any]]
) -> None:
    sampled(teller, real)

    kept = [body(record) for record in teller.records()]

    missing = {name for name, payload in real if payload not in kept}
    assert missing == {"SubagentStop.during-compact.json"}


def test_real_samples_are_what_their_files_are_named_for(
    teller: Teller, real: list[tuple[str, Any]]
) -> None:
    sampled(teller, real)
    expected = {row["event"]: row for row in golden_rows()}

    found = {json.dumps(body(record), sort_keys=True): record for record in teller.records()}

    for name, payload in real:
        record = found.get(json.dumps(payload, sort_keys=True))
        row, tool = expected[name.partition(".")[0]], payload.get("tool_name")
        origin = f"tool:{tool}" if tool and row["origin"].startswith("tool:") else row["origin"]
        if record:
            told = (record.kind, record.origin, record.tool, record.turn, record.agent)
            ids = (payload.get("prompt_id"), payload.get("agent_id"))
            assert told == (row["kind"], origin, tool, *ids), name


@pytest.mark.parametrize("seed", range(3))
def test_three_times_in_any_order_is_the_same_as_once(
    seed: int, teller: Teller, other: Teller
) -> None:
    thrice = golden() * 3
    random.Random(seed).shuffle(thrice)  # noqa: S311  (an order, not a secret)
    for event, payload in golden():
        teller.publish(payload, event)

    for event, payload in thrice:
        other.publish(payload, event)

    again = sorted(map(essence, other.records()))
    assert again == sorted(map(essence, teller.records()))
    assert len(again) == len(EVENTS)


def rewritten(payload: bytes) -> bytes:
    """Return the same JSON in another order of keys, with other blanks and escapes."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    return b"\n " + json.dumps(turned(json.loads(payload)), indent=3).encode() + b"\r\n"


def test_an_event_that_the_cli_and_the_sdk_both_tell_is_one(home: Home, other: Teller) -> None:
    some = [each for each in golden() if each[0] in {"UserPromptSubmit", "PostToolUse", "Stop"}]
    for event, payload in some:
        other.publish(payload, event)

    for event, payload in some:
        home.hook(event, payload)
    with telling(home.path) as teller:
        teller.drain()
        for event, payload in some:
            teller.publish(rewritten(payload), event, client="claude-agent-sdk")
        records = teller.records()

    assert sorted(map(essence, records)) == sorted(map(essence, other.records()))
    assert {record.client for record in records} == {"claude-code"}


def test_all_that_the_sdk_tells_is_what_the_cli_tells(teller: Teller, other: Teller) -> None:
    for event, payload in golden():
        other.publish(payload, event)

    for event, payload in golden():
        teller.publish(rewritten(payload), event, client="claude-agent-sdk")

    assert sorted(map(essence, teller.records())) == sorted(map(essence, other.records()))


def test_a_secret_that_the_hook_has_redacted_makes_no_second_event(home: Home) -> None:
    payload = home.payload("Stop", last_assistant_message=f"The staging password is {TOLD}.")
    home.hook("Stop", payload)

    with telling(home.path) as teller:
        teller.publish(payload, "Stop", client="claude-agent-sdk")
        records = teller.records()

    assert (len(records), TOLD in text_of(records[0])) == (1, False)


def test_what_differs_only_where_it_is_trimmed_is_two_events(teller: Teller) -> None:
    for middle in "ab":
        output = "x" * 9000 + middle + "x" * 9000
        teller.say("PostToolBatch", prompt_id="p-1", tool_calls=[{"tool_response": output}])

    records = teller.records()

    assert (len(records), max(len(record.body or b"") for record in records) < 6000) == (2, True)


def test_an_event_is_the_same_when_less_of_it_is_kept(tmp_path: Path) -> None:
    output = [{"tool_response": "x" * 9000}]
    with telling(tmp_path / "home") as teller:
        teller.say("PostToolBatch", prompt_id="p-1", tool_calls=output)
        teller.drain()
    (tmp_path / "home" / "config.toml").write_text(
        "[transcript]\ntool_text = 256", encoding="utf-8"
    )

    with telling(tmp_path / "home") as teller:
        teller.say("PostToolBatch", prompt_id="p-1", tool_calls=output)
        done = teller.drain()

    assert (done.taken, done.known) == (0, 1)


def test_an_event_of_a_group_is_in_that_group_alone(teller: Teller) -> None:
    payload = b'{"session_id":"s-1","cwd":"/srv/orchard","prompt":"For the firm only."}'

    teller.publish(payload, "UserPromptSubmit", group="work")

    assert [text_of(record) for record in teller.records("work")] == ["For the firm only."]
    assert sorted(each.name for each in (teller.home / "groups").iterdir()) == ["work"]
    assert [each.id for each in teller.app.sessions("work")] == ["s-1"]
    assert teller.app.sessions("main") == []


def test_the_same_event_in_two_groups_is_there_twice(teller: Teller) -> None:
    for group in ("main", "work"):
        teller.publish(b'{"session_id":"s-1","reason":"other"}', "SessionEnd", group=group)

    done = teller.drain()

    assert (done.taken, done.known) == (2, 0)


def test_a_payload_that_names_a_group_changes_nothing(teller: Teller) -> None:
    teller.say("UserPromptSubmit", prompt="hello", group="other", tacit_group="other")

    teller.drain()

    assert sorted(each.name for each in (teller.home / "groups").iterdir()) == ["main"]


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("Stop", rb'{"session_id":"s-1","cwd":"/srv/\ud83d"}'),
        ("Stop", rb'{"session_id":"s-1","cwd":"/srv/\udcff"}'),
        ("Stop", b'{"session_id":"s-1","cwd":"/srv/caf\xe9"}'),
        ("Stop", rb'{"session_id":"\udcff","prompt_id":"\udcff","agent_id":"\u0000"}'),
        ("PostToolUse", rb'{"tool_use_id":"\ud83d","tool_name":"\ud83d"}'),
        ("Stop", b'{"x":' + b"[" * 600 + b"]" * 600 + b"}"),
        ("Stop", b'{"x":' + b'{"a":' * 600 + b"1" + b"}" * 600 + b"}"),
        ("message", b'{"id":"m-1","role":"user","at":"9999-12-31T23:59:59Z"}'),
        ("message", b'{"id":"m-1","role":"user","at":"0001-01-01T00:00:00+14:00"}'),
        ("message", rb'{"id":"m-1","role":"user","project":"/srv/\udcff"}'),
        ("Stop", b'{"x":' + b"9" * 5000 + b"}"),
        ("Stop", b'{"x":1e999,"y":NaN}'),
        ("Stop", b"[]"),
        ("Stop", b"\xff\xfe"),
        ("Stop", b""),
    ],
    ids=lambda value: ascii(value[:40]) if isinstance(value, bytes) else value,
)
def test_no_payload_keeps_those_behind_it_from_being_taken_in(
    teller: Teller, event: str, payload: bytes
) -> None:
    teller.publish(payload, event)
    teller.say("UserPromptSubmit", prompt_id="p-1", prompt="Still there?")

    done = teller.drain()

    assert (done.taken + done.bad, done.waiting) == (2, 0)
    assert "Still there?" in [text_of(record) for record in teller.records()]
