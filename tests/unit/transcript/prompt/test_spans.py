"""Whose words a prompt holds: the user's own, what is handed on, what the client added."""

from __future__ import annotations

import pytest

from rig import corpus
from stopwatch import grows_within
from tacit.transcript.prompt.spans import QUOTED, SYSTEM, USER, own_words_first, spans, words_of

LOG = (
    "2031-03-04T11:20:01Z INFO  belt size=10 idle=0 waiting=37\n"
    "2031-03-04T11:20:06Z WARN  acquire took 4981ms, never do that\n"
)
# the least share of characters that is found in a corpus
FLOORS = {
    "developed": {QUOTED: 0.95, USER: 0.97, SYSTEM: 0.99},
    "second": {QUOTED: 0.84, USER: 0.97},
}


def own(text: str) -> list[str]:
    """Return the lines of a prompt that are the user's own."""
    return [line for line in words_of(text, USER).splitlines() if line.strip()]


@pytest.mark.parametrize("name", FLOORS)
def test_most_words_are_laid_to_whoever_said_them(name: str) -> None:
    right: dict[str, int] = {}
    whole: dict[str, int] = {}
    for row in corpus(f"spans/{name}"):
        text = "".join(part for _, part in row["parts"])
        found = {span.origin: words_of(text, span.origin) for span in spans(text)}
        at = 0
        for origin, part in row["parts"]:
            said = found.get(origin, "")[at : at + len(part)]
            right[origin] = right.get(origin, 0) + len("".join(said.split()))
            whole[origin] = whole.get(origin, 0) + len("".join(part.split()))
            at += len(part)

    shares = {origin: round(right[origin] / whole[origin], 3) for origin in FLOORS[name]}

    assert {origin for origin, floor in FLOORS[name].items() if shares[origin] < floor} == set(), (
        shares
    )


@pytest.mark.parametrize(
    "text",
    [
        "// always weigh the parcel first",
        "/* never open a parcel */",
        "# never open a parcel\n# always weigh it\nparcel.lift()",
        "-- always weigh first\nSELECT 1;",
        "beltd: [warn] never stop the belt",
        "npm warn deprecated always weigh twice",
        "scaled[71]: fatal: never lean on the scale",
        "Begin forwarded message:\nFrom: Ida\n\nAlways weigh twice.",
        "On Monday, Ida wrote:\nAlways weigh twice.",
        "bob on slack: always weigh twice, never once",
        "Ines says: never open a parcel",
        "Add this to CONTRIBUTING.md: We never weigh a parcel twice.",
        "look at this\n\nParcels\n\nAlways weigh twice. Parcels must never be opened.",
        "```\nalways weigh twice\n```",
        "> always weigh twice",
        "| rule | why |\n| always weigh | it is never light |",
    ],
)
def test_what_programs_and_others_wrote_is_not_the_user_s(text: str) -> None:
    assert [line for line in own(text) if "weigh" in line or "never" in line] == []


@pytest.mark.parametrize(
    "text",
    [
        "Here are my rules:\n- Always weigh twice.\n- Never open.",
        "Error handling:\n- Never open a parcel.",
        "For the docs:\n- British spelling.",
        "# Rules\nAlways weigh twice.",
        "Note: never open a parcel.",
        "- Always weigh twice.\n- Never open.",
        "And from now on: weigh each parcel twice.",
        "1. yes\n2. no, use the small scale\n3. never mind",
        "## Goal\n\nA scale that never lies.\n\n## Constraints\n\nNo new parts.",
        "I prefer `weigh()` over `lift()`, see src/belt/scale.py:12",
        "use http://localhost:3000/parcels/02624615-8b54-4a15-aecf-7248d95d39ca please",
    ],
)
def test_what_the_user_says_and_lists_is_the_user_s(text: str) -> None:
    assert own(text) == [line for line in text.splitlines() if line]


@pytest.mark.parametrize(
    "head",
    ["Here is the style guide:", "From the vendor's docs:", "This is the error I get:"],
)
def test_what_is_announced_is_handed_on_and_the_question_behind_it_is_not(head: str) -> None:
    text = f"{head}\n- Always weigh twice.\n- Never open.\n\nWhat do you think it means?"

    assert own(text) == [head, "What do you think it means?"]


def test_words_around_a_log_stay_the_user_s() -> None:
    text = f"The belt stops.\n\n{LOG}\nPlease find out why, and never restart it."

    assert own(text) == ["The belt stops.", "Please find out why, and never restart it."]
    assert words_of(text, QUOTED).strip() == LOG.strip()


def test_an_error_behind_a_colon_is_what_the_program_said() -> None:
    text = "When I weigh a parcel I get this error: no function clause matching in Belt.weigh/3"

    assert own(text) == ["When I weigh a parcel I get this error:".ljust(len(text))]


def test_what_the_client_wraps_is_the_client_s_and_the_rest_the_user_s() -> None:
    text = "<system-reminder>\nAlways weigh.\n</system-reminder>\nLift the parcel."

    assert own(text) == ["Lift the parcel."]
    assert words_of(text, SYSTEM).split()[1:3] == ["Always", "weigh."]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "Lift it.", f"See:\n{LOG}", "a\r\nb\r\n> c"])
def test_spans_leave_no_gap_and_words_keep_their_places(text: str) -> None:
    found = spans(text)
    ends = [0, *(span.stop for span in found)]

    assert [span.start for span in found] == ends[:-1]
    assert ends[-1] == len(text)
    for origin in (USER, QUOTED, SYSTEM):
        told = words_of(text, origin)
        assert len(told) == len(text)
        assert all(one in {two, " "} for one, two in zip(told, text, strict=True))


def test_the_user_s_words_come_first_where_something_is_looked_for() -> None:
    text = f"<system-reminder>no</system-reminder>\n{LOG}\nWhy does the belt stop?"

    assert own_words_first(text) == f"Why does the belt stop?\n{LOG.strip()}"


@pytest.mark.parametrize(
    "part",
    ["a(", "x ", "the ", "wrote: ", "; ", "- ", "# a = ", "<tick>", "[Request ", "\n", "a\n"],
)
def test_a_long_prompt_takes_no_long_time(part: str) -> None:
    small, big = (part * times for times in (2_000, 8_000))

    assert grows_within(9, lambda: spans.__wrapped__(small), lambda: spans.__wrapped__(big))
