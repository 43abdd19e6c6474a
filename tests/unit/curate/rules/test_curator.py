"""The embedded curator: a turn teaches each thing once, beside what is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.extract import Context, Extracted, evidence_of
from tacit.curate.reading import read
from tacit.curate.rules.curator import OFF, rules
from tacit.curate.rules.summary import summary_of
from tacit.model.action import Action
from tacit.store.memory_port import Known
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from tacit.curate.reading import TurnText
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk

RULE = "From now on always write commit messages in British English."
CAUSE = "Turns out the export is slow because the query has no index on the invoice date."
SCAN = "slow export: sequential scan over invoice date, the query has no index"
MOVED = (
    "Found it: the nightly export no longer reads the invoice table, it was switched to the orders"
    " table, so every total is wrong."
)
REPORT = "The weekly stock report is due on Mondays"


def turn(desk: Desk, prompt: str, reply: str = "Noted.", **acts: tuple[dict[str, Any], str]) -> str:
    """Let a turn happen in which each tool was used once; return its name."""
    name = desk.prompt(prompt)
    for tool, (given, result) in acts.items():
        payload = {"tool_input": given, "tool_response": result, "cwd": "/srv/shop"}
        desk.append("tool_use", payload, turn=name, tool=tool, origin=f"tool:{tool}")
    desk.append("reply", {"last_assistant_message": reply}, turn=name)
    return name


def text(desk: Desk, name: str) -> TurnText:
    told = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert told is not None
    return told


def extracted(desk: Desk, name: str, *known: Memory, boring: tuple[str, ...] = ()) -> Extracted:
    told = [Known(each.id, each.kind, each.content, each.origin, each.session) for each in known]
    return rules(boring).extract(text(desk, name), Context(known=told))


def contents(found: Extracted) -> list[str]:
    return [each.content for each in found.drafts]


def test_what_is_asked_outright_comes_first_and_only_once(desk: Desk) -> None:
    name = turn(desk, f"{RULE}\nRemember that we always close the till at six.")

    found = extracted(desk, name)

    assert contents(found)[0] == "We always close the till at six"
    assert [each for each in contents(found) if "till" in each] == contents(found)[:1]
    assert RULE in contents(found)


@pytest.mark.parametrize(
    "prompt",
    [
        "Always answer in British English. Remember that invoices are due on the 5th.",
        "Remember that invoices are due on the 5th. Always answer in British English.",
    ],
)
def test_a_rule_said_in_one_breath_with_a_remember_is_kept_as_well(prompt: str, desk: Desk) -> None:
    found = extracted(desk, turn(desk, prompt))

    assert sorted(contents(found)) == [
        "Always answer in British English.",
        "Invoices are due on the 5th",
    ]


def test_every_draft_cites_words_that_stand_there(desk: Desk) -> None:
    command = {"command": "npm install zod && git commit -qm 'Add the coupon form'"}
    name = turn(desk, f"Remember that tabs rule. {RULE}", CAUSE, Bash=(command, SCAN))

    found = extracted(desk, name).drafts

    assert len(found) >= 4
    assert all(evidence_of(each, text(desk, name), "x") for each in found)


def test_an_agent_that_says_the_same_after_the_user_is_an_echo(desk: Desk) -> None:
    said = "Remember that the export is slow because the query has no index on the invoice date."
    ran = {"command": "explain"}
    with_echo = turn(desk, said, CAUSE, Bash=(ran, SCAN))
    without = turn(desk, "Why is the export so slow?", CAUSE, Bash=(ran, SCAN))

    origins = [
        [each.said.origin for each in extracted(desk, name).drafts] for name in (with_echo, without)
    ]

    assert origins == [["user"], ["assistant"]]


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [("Done.", ["discovery"]), (CAUSE, ["discovery"])],
    ids=["nobody tells", "the agent tells"],
)
def test_that_something_works_again_is_told_only_where_nobody_tells_why(
    reply: str, kinds: list[str], desk: Desk
) -> None:
    name = desk.prompt("Get the export going.")
    for command, result in (("make up", "1 failed"), ("make seed", SCAN), ("make up", "1 passed")):
        given = {"tool_input": {"command": command}, "tool_response": result}
        desk.append("tool_use", given, turn=name, origin="tool:Bash")
    desk.append("reply", {"last_assistant_message": reply}, turn=name)

    found = extracted(desk, name).drafts

    assert [each.kind for each in found] == kinds
    assert [each.said.origin == "assistant" for each in found] == [reply == CAUSE]


def test_what_an_agent_tells_out_of_nothing_is_dropped(desk: Desk) -> None:
    name = turn(desk, "And?", CAUSE, Bash=({"command": "ls"}, "cart.py"))

    assert contents(extracted(desk, name)) == []


def test_what_is_known_and_said_again_is_the_same(desk: Desk) -> None:
    known = desk.learn(1, REPORT, turn="t-0")
    name = turn(desk, f"Remember that as I said, {REPORT[0].lower()}{REPORT[1:]}.")

    (found,) = extracted(desk, name, known).drafts

    assert (found.same_as, found.replaces, found.contradicts) == (known.id, "", "")


def test_a_user_who_repeats_what_the_owner_said_is_heard(desk: Desk) -> None:
    known = desk.learn(1, REPORT, turn="t-0", origin="owner")
    name = turn(desk, f"Remember that {REPORT[0].lower()}{REPORT[1:]}.")

    (found,) = extracted(desk, name, known).drafts

    assert (found.said.origin, found.same_as) == ("user", known.id)


def test_what_is_known_and_has_changed_is_replaced(desk: Desk) -> None:
    known = desk.learn(1, REPORT, turn="t-0")
    other = desk.learn(2, "The shop uses tabs", turn="t-0")
    name = turn(
        desk,
        "Remember that the weekly stock report is no longer due on Mondays, it moved to Fridays.",
    )

    (found,) = extracted(desk, name, other, known).drafts

    assert (found.same_as, found.replaces, found.contradicts) == ("", known.id, "")


def test_what_is_not_about_anything_known_has_no_kin(desk: Desk) -> None:
    known = desk.learn(1, REPORT, turn="t-0")
    name = turn(desk, "Remember that ribbons are sold by the metre.")

    (found,) = extracted(desk, name, known).drafts

    assert (found.same_as, found.replaces, found.contradicts) == ("", "", "")


def test_an_agent_that_repeats_what_a_person_said_teaches_nothing(desk: Desk) -> None:
    known = desk.learn(1, CAUSE, turn="t-0", kind="discovery")
    name = turn(desk, "Why is it so slow?", CAUSE, Bash=({"command": "explain"}, SCAN))

    found = extracted(desk, name, known), extracted(desk, name)

    assert [len(each.drafts) for each in found] == [0, 1]


@pytest.mark.parametrize(("origin", "is_replaced"), [("user", False), ("assistant", True)])
def test_an_agent_replaces_what_agents_said_but_nothing_of_a_person(
    origin: str, *, is_replaced: bool, desk: Desk
) -> None:
    known = desk.learn(1, "The nightly export reads the invoice table", turn="t-0", origin=origin)
    ran = {"command": "explain"}
    name = turn(desk, "Why are the totals wrong?", MOVED, Bash=(ran, MOVED))

    (found,) = extracted(desk, name, known).drafts

    assert (found.said.origin, found.replaces) == ("assistant", known.id * is_replaced)


def test_a_boring_tool_teaches_nothing_but_its_files_are_listed(desk: Desk) -> None:
    ran = {"command": "npm install zod", "file_path": "/srv/shop/cart.py"}
    name = turn(desk, "Go on.", Write=(ran, ""))

    found, taught = extracted(desk, name, boring=("Write",)), extracted(desk, name)

    assert (contents(found), contents(taught)) == ([], ["zod installed with npm"])
    assert found.note is not None
    assert found.note.files_edited == ("cart.py",)


def test_a_turn_leaves_things_to_do_and_closes_others(desk: Desk) -> None:
    waits = Action(
        id="act-1",
        content="Rotate the signing keys",
        session="s-0",
        event="evt-0",
        quote="Rotate the signing keys",
        origin="user",
        created_at=NOON,
    )
    prompt = "The signing keys are rotated, done. Remind me to test the invoice export tomorrow."
    name = turn(desk, prompt, "Good.")

    found = rules().extract(text(desk, name), Context(waiting=(waits,)))

    assert (found.done, len(found.follow_ups)) == (("act-1",), 1)
    assert "invoice export" in found.follow_ups[0].content


@pytest.mark.parametrize("prompt", ["", "ok", "Thanks!", "\x00", "?" * 5000, "日本語"])
def test_a_turn_that_says_nothing_is_noted_and_teaches_nothing(prompt: str, desk: Desk) -> None:
    name = turn(desk, prompt, "")

    found = extracted(desk, name)

    assert (found.drafts, found.follow_ups, found.done) == ((), (), ())
    assert found.note is not None


def test_the_same_turn_is_understood_the_same_each_time(desk: Desk) -> None:
    known = desk.learn(1, REPORT, turn="t-0")
    name = turn(desk, f"{RULE} Remember that tabs rule.", CAUSE, Bash=({"command": "x"}, SCAN))

    assert extracted(desk, name, known) == extracted(desk, name, known)


def test_the_curator_has_a_name_and_sums_sessions_up() -> None:
    assert (rules().name, rules().summarise) == ("rules-1", summary_of)


def test_what_is_off_finds_nothing(desk: Desk) -> None:
    name = turn(desk, f"Remember that tabs rule. {RULE}")

    assert OFF.extract(text(desk, name), Context()) == Extracted()
    assert OFF.summarise is None
