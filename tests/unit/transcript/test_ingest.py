"""Ingest: each event once, redacted, in its place and turn; what cannot be read is put aside."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.transcript import ingest as ingest_room
from tacit.transcript import lock
from tacit.transcript.ingest import Drained
from unit.transcript.events import NOON, TOKEN, Desk, bytes_below, fresh_desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEADER = b"tacit1 1790000000000000000 Stop claude-code 7 main -\n"
TEXT = st.text(st.characters())  # lone surrogates too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return a desk of this test's own."""
    with fresh_desk() as desk:
        yield desk


def test_an_event_is_taken_in_with_all_that_is_known_of_it(desk: Desk) -> None:
    payload = {"session_id": "s-1", "tool_name": "Bash", "tool_use_id": "t-1", "agent_id": "a-1"}
    desk.publish(payload, "PostToolUse", received_ns=NOON - 5)

    done = desk.drain()

    (record,) = desk.records()
    assert done == Drained(taken=1)
    assert (record.session, record.client, record.kind) == ("s-1", "claude-code", "tool_use")
    assert (record.tool, record.agent, record.origin) == ("Bash", "a-1", "tool:Bash")
    assert (record.at, record.received, record.via) == (NOON - 5, NOON - 5, "live")
    assert (desk.bodies(), desk.spool.waiting()) == ([payload], [])


def test_an_event_that_comes_twice_is_one_event(desk: Desk) -> None:
    for received_ns in (NOON, NOON + 1):
        desk.publish({"session_id": "s", "prompt": "hi"}, received_ns=received_ns)

    done = desk.drain()

    assert (done, len(desk.records())) == (Drained(taken=1, known=1), 1)


def test_events_are_taken_in_by_group_in_the_order_of_time(desk: Desk) -> None:
    for number, group in ((3, "work"), (1, "work"), (2, "play")):
        desk.publish({"session_id": f"s-{number}"}, received_ns=NOON + number, group=group)

    desk.drain()

    taken = {group: [each.session for each in desk.records(group)] for group in ("work", "play")}
    assert taken == {"work": ["s-1", "s-3"], "play": ["s-2"]}


def test_a_spool_file_stays_until_its_event_is_safe_and_is_taken_in_once(desk: Desk) -> None:
    name = desk.publish({"session_id": "s"})
    segments = desk.ledgers.held("main").files.done
    segments.rmdir()
    with pytest.raises(FileNotFoundError):
        desk.drain()
    waiting = desk.spool.waiting()
    segments.mkdir()

    done = desk.drain()

    assert (waiting, done, desk.spool.waiting()) == ([name], Drained(known=1), [])


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\n",
        HEADER[:-1],
        HEADER.replace(b"tacit1", b"tacit9"),
        HEADER.replace(b" 7 ", b" seven "),
        HEADER.replace(b"1790000000000000000", b"now"),
        HEADER.replace(b" -", b""),
        HEADER.replace(b"Stop", b"St\xc3\xb6p"),
        HEADER.replace(b"main", b"../up"),
        HEADER.replace(b"1790000000000000000", b"9" * 19),
        HEADER.replace(b"1790000000000000000", b"9" * 5000),
        HEADER.replace(b" 7 ", b" " + b"7" * 5000 + b" "),
    ],
)
def test_an_entry_with_a_header_that_is_none_is_put_aside(header: bytes, desk: Desk) -> None:
    desk.put(header + b'{"session_id":"s"}')

    done = desk.drain()

    assert (done.bad, done.taken, desk.spool.waiting()) == (1, 0, [])


@pytest.mark.parametrize(
    ("reason", "payload"),
    [("not JSON", each) for each in (b"", b'{"prompt":"cut sho', b"{} {}")]
    + [("not a JSON object", each) for each in (b"[1]", b'"text"', b"null")],
)
def test_a_payload_that_is_no_object_is_put_aside_with_the_reason(
    reason: str, payload: bytes, desk: Desk
) -> None:
    desk.put(HEADER + payload)

    done = desk.drain()

    told = f"The payload is {reason}.\n".encode()
    assert (done, desk.put_aside()) == (Drained(bad=1), [told + HEADER + payload])


@pytest.mark.parametrize(
    "payload",
    [
        b'{"session_id":"s\\ud800","prompt":"\\udfff"}',
        b'{"session_id":"s","prompt":"\xff\xfe"}',
        b'{"session_id":"s","prompt":"\xed\xa0\x80"}',
        b'{"session_id":"s\\u0000","prompt":"a\x00b"}',
        b'{"session_id":"s","session_id":"t","prompt":"a\nb\tc"}',
        b'\xef\xbb\xbf{"session_id":"s"}\n',
        b'{"session_id":5,"cwd":[],"tool_name":{},"prompt_id":false}',
        b'{"session_id":"s","cwd":"/srv/\\ud800"}',
        b'{"session_id":"s","cwd":"/srv/\xff"}',
    ],
)
def test_a_payload_of_strange_text_is_kept_as_an_object_of_proper_json(
    payload: bytes, desk: Desk
) -> None:
    desk.put(HEADER + payload)

    done = desk.drain()

    assert (done.taken, [type(body) for body in desk.bodies()]) == (1, [dict])


@pytest.mark.parametrize("said", ["9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"])
def test_a_message_from_beyond_all_time_is_kept(said: str, desk: Desk) -> None:
    message = {"session": "s", "role": "user", "text": "hi", "at": said, "id": "1"}
    desk.publish(message, "message", client="import")

    done = desk.drain()

    assert (done.taken, desk.bodies()) == (1, [message])


@settings(max_examples=60, deadline=None)
@given(payload=st.dictionaries(TEXT, JSON, max_size=4).map(json.dumps) | JSON.map(json.dumps))
def test_whatever_comes_is_either_taken_in_as_an_object_or_put_aside(payload: str) -> None:
    with fresh_desk() as desk:
        desk.put(HEADER + payload.encode("utf-8", "surrogatepass"))

        done = desk.drain()

        assert (done.taken + done.bad, len(desk.put_aside())) == (1, done.bad)
        assert [type(body) for body in desk.bodies()] == [dict] * done.taken


@pytest.mark.parametrize("depth", [50, 470, 700, 980, 5000, 100_000])
def test_nesting_of_any_depth_stops_nothing(depth: int, desk: Desk) -> None:
    deep = b'{"a":' * depth + b"1" + b"}" * depth
    desk.publish(b'{"session_id":"s","tool_input":' + deep + b"}", "PostToolUse")
    desk.publish({"session_id": "next"}, received_ns=NOON + 1)

    done = desk.drain()

    assert (done.taken + done.bad, desk.records()[-1].session) == (2, "next")


@pytest.mark.parametrize("kind", ["link", "directory", "second name"])
def test_a_thing_in_the_spool_that_is_no_file_of_ours_stops_nothing(kind: str, desk: Desk) -> None:
    stray = desk.put(HEADER + b"{}")
    if kind == "second name":
        (desk.home / "kept elsewhere").hardlink_to(stray)
    else:
        stray.unlink()
        stray.mkdir() if kind == "directory" else stray.symlink_to("elsewhere")
    desk.publish({"session_id": "next"}, received_ns=NOON + 1)

    desk.drain()

    assert desk.records()[-1].session == "next"


def test_a_prompt_of_two_megabytes_is_kept_as_its_head_and_tail(desk: Desk) -> None:
    desk.publish({"session_id": "s", "prompt": "head " + "x" * 2_000_000 + " tail"})

    desk.drain()

    (body,) = desk.bodies()
    assert (body["prompt"][:5], body["prompt"][-5:]) == ("head ", " tail")
    assert "trimmed: 2000010 characters" in body["prompt"]


def test_long_tool_text_is_trimmed_to_the_chosen_length(desk: Desk) -> None:
    desk.publish({"session_id": "s", "tool_response": "x" * 5000}, "PostToolUse")

    desk.drain()

    (body,) = desk.bodies()
    assert len(body["tool_response"]) == 300


def test_an_envelope_of_what_the_hook_dropped_is_an_event(desk: Desk) -> None:
    dropped = {"reason": "late", "bytes": 9, "digest": "00ff"}
    desk.publish({"session_id": "s", "tacit_dropped": dropped})

    done = desk.drain()

    assert (done.taken, desk.bodies()[0]["tacit_dropped"]) == (1, dropped)


def test_a_secret_that_the_hook_missed_gets_no_further_than_the_spool(desk: Desk) -> None:
    desk.publish({"session_id": "s", "prompt": f"my key is {TOKEN} <private>tulip</private>"})

    desk.drain()

    written = bytes_below(desk.home)
    assert (TOKEN.encode() in written, b"tulip" in written) == (False, False)
    assert desk.bodies()[0]["prompt"].startswith("my key is [redacted:")


def test_a_secret_in_what_cannot_be_understood_is_redacted_too(desk: Desk) -> None:
    desk.put(HEADER + f'{{"prompt":"my key is {TOKEN}'.encode())

    desk.drain()

    assert (TOKEN.encode() in bytes_below(desk.home), len(desk.put_aside())) == (False, 1)


def test_a_private_span_in_what_cannot_be_understood_is_left_out_too(desk: Desk) -> None:
    desk.put(HEADER + b'{"prompt":"say <private>tulip</private> to no')

    desk.drain()

    assert (b"tulip" in bytes_below(desk.home), len(desk.put_aside())) == (False, 1)


@pytest.mark.parametrize(("event", "kind"), [("ConfigChange", "config_change"), ("x", "x")])
def test_an_event_of_an_unknown_name_is_kept_under_a_kind_like_it(
    event: str, kind: str, desk: Desk
) -> None:
    desk.publish({"session_id": "s"}, event)

    desk.drain()

    assert [record.kind for record in desk.records()] == [kind]


def test_the_end_of_a_subagent_that_only_echoes_a_compaction_is_no_event(desk: Desk) -> None:
    desk.publish({"session_id": "s", "agent_type": ""}, "SubagentStop")

    done = desk.drain()

    assert (done, desk.records(), desk.spool.waiting()) == (Drained(echoes=1), [], [])


def test_without_time_everything_waits_and_is_counted(desk: Desk) -> None:
    names = [desk.publish({"session_id": f"s-{number}"}) for number in range(3)]

    done = desk.drain(seconds=0.0)

    assert (done, desk.spool.waiting()) == (Drained(waiting=3), names)


def test_what_there_is_no_time_for_waits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest_room, "BATCH", 2)
    for number in range(5):
        desk.publish({"session_id": f"s-{number}"})

    done = desk.drain(seconds=0.3, progress=lambda _at, _total: time.sleep(0.3))

    assert done == Drained(taken=2, waiting=3)


def test_what_another_program_is_taking_in_waits(desk: Desk) -> None:
    desk.publish({"session_id": "s"})

    with lock.held(desk.home, seconds=0):
        done = desk.drain(seconds=0.05)

    assert done == Drained(waiting=1)


def test_a_transcript_that_cannot_be_opened_is_told_and_its_events_wait(desk: Desk) -> None:
    (desk.home / "groups").rename(desk.home / "elsewhere")
    (desk.home / "groups").symlink_to(desk.home / "elsewhere")
    name = desk.publish({"session_id": "s", "prompt": "hi"}, "UserPromptSubmit")

    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        desk.drain()

    assert desk.spool.waiting() == [name]


def test_an_event_that_is_gone_before_it_is_read_is_passed_over(desk: Desk) -> None:
    desk.publish({"session_id": "s-1"})
    gone = desk.home / "spool" / "new" / desk.publish({"session_id": "s-2"})
    desk.before_each = lambda: gone.unlink(missing_ok=True)

    done = desk.drain()

    assert (done, [each.session for each in desk.records()]) == (Drained(taken=1), ["s-1"])


def test_large_events_go_in_by_themselves(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest_room, "BATCH_BYTES", 10)
    for number in range(3):
        desk.publish({"session_id": f"s-{number}"})
    told: list[tuple[int, int]] = []

    desk.drain(progress=lambda at, total: told.append((at, total)))

    assert (told, len(desk.records())) == ([(1, 3), (2, 3), (3, 3)], 3)


def test_an_event_of_a_directory_that_is_gone_belongs_where_it_was_last_seen(
    desk: Desk, tmp_path: Path
) -> None:
    repository = tmp_path / "shop"
    (repository / ".git").mkdir(parents=True)
    (repository / "api").mkdir()
    desk.publish({"session_id": "s", "cwd": str(repository / "api")})
    desk.drain()
    repository.rename(tmp_path / "elsewhere")

    desk.publish({"session_id": "t", "cwd": str(repository / "api")})
    desk.drain()

    before, after = desk.records()
    assert before.project == after.project


def test_a_directory_that_becomes_a_part_of_a_repository_belongs_to_it(
    desk: Desk, tmp_path: Path
) -> None:
    for name in ("before", "after"):
        desk.publish({"session_id": name, "cwd": str(tmp_path)})
        desk.drain()
        (tmp_path / ".git").mkdir(exist_ok=True)

    before, after = desk.records()

    assert before.project != after.project


def test_a_directory_that_was_never_there_is_a_project_of_its_own(
    desk: Desk, tmp_path: Path
) -> None:
    desk.publish({"session_id": "s", "cwd": str(tmp_path / "never")})

    desk.drain()

    (project,) = desk.ledgers.held("main").store.projects()
    assert (project.root, project.name) == (str(tmp_path / "never"), "never")


APART = pytest.mark.parametrize("apart", [False, True])
PROMPT = ("UserPromptSubmit", {"prompt": "hi"})
WITH_ID = ("UserPromptSubmit", {"prompt": "ho", "prompt_id": "p-2"})
TOOL = ("PostToolUse", {"tool_use_id": "t-1"})


@APART
def test_an_event_belongs_to_the_turn_that_its_client_names(desk: Desk, *, apart: bool) -> None:
    named = ("Stop", {"prompt_id": "p-1"})

    assert desk.turns(WITH_ID, named, apart=apart) == ["p-2", "p-1"]


@APART
def test_a_prompt_without_an_id_opens_a_turn_for_what_follows(desk: Desk, *, apart: bool) -> None:
    found = desk.turns(PROMPT, TOOL, apart=apart)

    assert found == [desk.records()[0].id] * 2


@APART
def test_what_follows_belongs_to_the_last_prompt_that_was_new(desk: Desk, *, apart: bool) -> None:
    found = desk.turns(PROMPT, WITH_ID, PROMPT, TOOL, apart=apart)

    assert found[1:] == ["p-2", "p-2"]


@APART
def test_what_belongs_to_no_prompt_has_no_turn(desk: Desk, *, apart: bool) -> None:
    assert desk.turns(TOOL, ("SessionEnd", {}), apart=apart) == [None, None]
