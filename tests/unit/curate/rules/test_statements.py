"""Statements: what is worth remembering is found in the speaker's very words, the rest is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.extract import Context, evidence_of
from tacit.curate.reading import read
from tacit.curate.rules.kin import Statement
from tacit.curate.rules.statements import of_reply, of_user
from tacit.curate.rules.subject import telling, topic
from tacit.curate.rules.view import View, view
from tacit.model.memory import BEHAVIOURAL

if TYPE_CHECKING:
    from unit.curate.saying import Desk

RULE = "From now on always write commit messages in British English."
CAUSE = "Turns out the export is slow because the query has no index on the invoice date."
ORDER = (
    "Found it: the totals are wrong because the export must always read the orders table, never the"
    " invoice table."
)
MOVED = (
    "Found it: the nightly export no longer reads the invoice table, it was switched to the orders"
    " table, so every total is wrong."
)
SCAN = "slow export: sequential scan over invoice date, the query has no index"


def turn(desk: Desk, prompt: str, reply: str = "Noted.", result: str = "") -> View:
    """Return a turn; with a result, a command was run in it."""
    name = desk.prompt(prompt)
    if result:
        given = {"tool_input": {"command": "explain"}, "tool_response": result}
        desk.append("tool_use", given, turn=name, origin="tool:Bash")
    desk.append("reply", {"last_assistant_message": reply}, turn=name)
    told = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert told is not None
    return view(told, Context())


@pytest.mark.parametrize(
    ("prompt", "kinds"),
    [
        (RULE, BEHAVIOURAL),
        ("I prefer short answers without any bullet lists.", BEHAVIOURAL),
        ("Never push straight to main, always open a pull request.", BEHAVIOURAL),
        ("Ab sofort bitte immer deutsche Kommentare schreiben.", BEHAVIOURAL),
        ("Our production database is Postgres 15 and it runs in Frankfurt.", ("fact", "context")),
        ("We decided to keep the sessions in Redis for the shop.", ("decision",)),
        ("We have decided: no emojis in replies.", BEHAVIOURAL),
        ("We settled on arbitration in Vienna.", ("decision",)),
        ("We'll use SQLite for the kiosk, because there is no network there.", ("decision",)),
    ],
)
def test_what_the_user_says_to_stay_is_found(
    prompt: str, kinds: tuple[str, ...], desk: Desk
) -> None:
    seen = turn(desk, prompt)

    (found,) = of_user(seen)

    assert (found.kind in kinds, found.quote, found.said.origin) == (True, prompt, "user")


@pytest.mark.parametrize(
    "prompt",
    [
        "ok",
        "Thanks, that looks great!",
        "Can you run the tests?",
        "Show me the last three lines of the log.",
        "Hm, what time is it?",
        "```\nalways use tabs from now on\n```",
        "> from now on never push to main",
        "ERROR you must always restart the worker",
    ],
    ids=["assent", "thanks", "request", "order", "question", "code", "quoted line", "log"],
)
def test_what_passes_teaches_nothing(prompt: str, desk: Desk) -> None:
    seen = turn(desk, prompt, reply="Sure.")

    assert [each.content for each in of_user(seen)] == []


def test_words_in_quotation_marks_are_not_the_speaker_s_own(desk: Desk) -> None:
    seen = turn(desk, 'The banner of the old wiki says: "From now on always deploy on Fridays."')

    assert [each for each in of_user(seen) if "deploy" in each.content] == []


def test_words_of_a_pasted_mail_are_not_the_speaker_s_own(desk: Desk) -> None:
    seen = turn(desk, "Von: Ida\nBetreff: Waage\n\nAb sofort bitte immer zweimal wiegen.")

    assert list(of_user(seen)) == []


def test_a_statement_is_cited_where_it_stands(desk: Desk) -> None:
    seen = turn(desk, f"Run the tests, please.\n\n{RULE}\n\nThanks!")

    (found,) = of_user(seen)

    assert evidence_of(found, seen.turn, "x") is not None
    assert (found.quote, found.start) == (RULE, seen.prompts[0].text.index(RULE))


def test_a_statement_is_no_longer_than_its_message_needs(desk: Desk) -> None:
    seen = turn(desk, f"{RULE} Can you show me the last commit?")

    (found,) = of_user(seen)

    assert found.quote == RULE


def test_every_prompt_of_a_turn_is_read(desk: Desk) -> None:
    first = desk.prompt(RULE)
    seen = turn(desk, "Never push straight to main, always open a pull request.")
    joined = read(
        [*desk.transcript.of_session("s-1", first), *desk.transcript.of_session("s-1")], 9
    )
    assert joined is not None

    found = list(of_user(view(joined, Context())))

    assert {each.said.event for each in found} >= {seen.prompts[0].event, "evt-1"}


def test_how_sure_a_statement_is_stays_with_it(desk: Desk) -> None:
    seen = turn(desk, RULE)

    (found,) = of_user(seen)

    assert 0.4 <= found.confidence <= 1.0
    assert found.importance in {3, 4}


def test_what_changes_something_known_counts_the_more(desk: Desk) -> None:
    seen = turn(desk, "From now on the stocktake is on Thursdays, no longer on Mondays.")
    known = [Statement("The stocktake is on Mondays", "fact")]

    sure = [sum(each.confidence for each in of_user(seen, told)) for told in ([], known)]

    assert sure[1] > sure[0]


def test_what_the_agent_found_out_at_work_is_found(desk: Desk) -> None:
    seen = turn(desk, "Why is the export so slow?", CAUSE, result=SCAN)

    (found,) = of_reply(seen)

    assert (found.quote, found.said.origin) == (CAUSE, "assistant")
    assert found.kind in {"discovery", "bugfix"}


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ("Which kiosk is the last?", "Kiosk 14 answers only after 8240 ms, all others are faster."),
        ("how long is the wait", "Every request on kiosk 14 answers with 429 after 8240 ms."),
    ],
)
def test_a_plain_answer_that_repeats_what_a_tool_gave_is_found(
    prompt: str, reply: str, desk: Desk
) -> None:
    result = "kiosk 13 310\nkiosk 14 8240"

    told, untold = (list(of_reply(turn(desk, prompt, reply, each))) for each in (result, "ok"))

    assert [each.quote for each in told] == [reply]
    assert untold == []


def test_an_answer_is_told_in_its_own_words_and_not_certain(desk: Desk) -> None:
    found = "The header is in milliseconds because their gateway is older than the standard."
    given = "quillmark retry-after: 1500 milliseconds"
    seen = turn(desk, "Does Quillmark tell us how long to wait?", found, given)

    (told,) = of_reply(seen)

    assert (told.content, told.quote, told.is_certain) == (found, found, False)


def test_a_cause_keeps_what_came_of_it(desk: Desk) -> None:
    cause = (
        "The lamp counter crashed because the importer read the header row as data, so the first"
        " lamp was counted twice, and every shelf total was off by one."
    )
    seen = turn(desk, "Why are the totals wrong?", cause, result="header row read as data: lamp 1")

    (found,) = of_reply(seen)

    assert found.content.endswith("and every shelf total was off by one.")


def test_an_agent_that_did_nothing_found_nothing_out(desk: Desk) -> None:
    seen = turn(desk, "Why are the totals wrong?", MOVED)

    assert list(of_reply(seen)) == []


def test_an_agent_says_at_most_one_thing(desk: Desk) -> None:
    other = "The importer crashed because the header row was read as data."
    seen = turn(desk, "What was wrong?", f"{CAUSE}\n\nSecond:\n\n{other}", result=f"{SCAN} {other}")

    assert len(list(of_reply(seen))) == 1


def test_an_agent_never_says_how_to_behave(desk: Desk) -> None:
    seen = turn(desk, "Why are the totals wrong?", ORDER, result=ORDER)

    (found,) = of_reply(seen)

    assert found.kind not in BEHAVIOURAL


def test_a_turn_without_a_reply_has_none_that_says_something(desk: Desk) -> None:
    name = desk.prompt("Why is the export so slow?")
    told = read(desk.transcript.of_session("s-1", name), 9)
    assert told is not None

    assert list(of_reply(view(told, Context()))) == []


@pytest.mark.parametrize(
    ("prompt", "is_so"),
    [
        ("I like dark mode in all my projects.", True),
        ("I prefer short answers in all my projects.", True),
        ("Never push straight to main, always open a pull request.", False),
        (RULE, False),
    ],
)
def test_what_is_about_the_user_holds_everywhere(prompt: str, *, is_so: bool, desk: Desk) -> None:
    found = list(of_user(turn(desk, prompt)))

    assert [each.is_everywhere for each in found] == [is_so]


def test_a_statement_has_its_telling_words_as_tags_and_a_topic(desk: Desk) -> None:
    (found,) = of_user(turn(desk, RULE))

    assert found.tags == telling(RULE)
    assert (len(found.tags), found.topic) == (3, topic(RULE))
