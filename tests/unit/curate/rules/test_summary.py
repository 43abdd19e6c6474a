"""Summaries: what a turn came to is told in its own words, and a session by its turns, in short."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.extract import Context
from tacit.curate.reading import read
from tacit.curate.rules.curator import rules
from tacit.curate.rules.summary import note_of, summary_of
from tacit.curate.rules.view import view
from tacit.model.action import Note
from unit.curate.saying import NOON, left

if TYPE_CHECKING:
    from unit.curate.saying import Desk, Room

NOTE = Note(session="s-1", turn="t-1", seq=1, at=NOON)
FIELDS = ("request", "investigated", "learned", "completed", "next_steps")


def note(
    desk: Desk,
    prompt: str,
    *acts: tuple[str, dict[str, Any], str],
    reply: str = "",
    only_tells: bool = False,
) -> Note:
    """Return the note of a turn in which tools were used."""
    name = desk.prompt(prompt)
    for tool, given, result in acts:
        payload = {"tool_input": given, "tool_response": result, "cwd": "/srv/shop"}
        desk.append("tool_use", payload, turn=name, tool=tool, origin=f"tool:{tool}")
    if reply:
        desk.append("reply", {"last_assistant_message": reply}, turn=name)
    told = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert told is not None
    return note_of(view(told, Context(), ("Glob", "NotebookRead")), only_tells=only_tells)


def test_a_note_says_where_it_belongs(desk: Desk) -> None:
    desk.prompt("Hello.")

    made = note(desk, "Show me the cart.", reply="Here it is.")

    last = desk.transcript.of_session("s-1", "t-2")[-1]
    assert (made.session, made.turn, made.seq, made.at) == ("s-1", "t-2", 2, last.at)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Add a coupon form to the cart.", "Add a coupon form to the cart."),
        ("Hello!\nAdd a coupon form to the cart.", "Add a coupon form to the cart."),
        ("ok", ""),
        ("", ""),
    ],
)
def test_a_note_says_what_was_asked(prompt: str, asked: str, desk: Desk) -> None:
    made = note(desk, prompt, ("Bash", {"command": "ls"}, ""))

    assert made.asked == asked


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("The shop opens at nine.", ""),
        ("It opens at nine. Why does the till start at eight?", "It opens at nine. Why"),
    ],
)
def test_who_only_tells_something_asks_for_nothing(prompt: str, asked: str, desk: Desk) -> None:
    made = note(desk, prompt, reply="Noted.", only_tells=True)

    assert made.asked[: len(asked) or None] == asked


def test_a_long_request_is_told_in_short(desk: Desk) -> None:
    made = note(desk, "Add a coupon form to the " + "very " * 90 + "large cart.")

    assert 0 < len(made.asked) <= 140


def test_a_note_tells_what_was_done_in_the_words_of_commands_and_reply(desk: Desk) -> None:
    ran = ("Bash", {"command": "npm install zod && git commit -qm 'Add the coupon form'"}, "")

    made = note(desk, "Go on.", ran, reply="The form is in. I committed it, tests pass.")

    assert made.done.startswith("Committed: Add the coupon form; zod installed with npm; ")


def test_what_was_done_is_never_a_bare_word(desk: Desk) -> None:
    ran = ("Bash", {"command": "pytest"}, "1 failed: the header row was read as goods")

    made = note(desk, "Go on.", ran, reply="Fixed: the importer skips the header row now.")

    assert "header row" in made.done


def test_an_agent_that_only_talks_has_done_nothing(desk: Desk) -> None:
    made = note(desk, "Go on.", reply="I added the coupon form, and all tests pass.")

    assert made.done == ""


def test_a_note_lists_files_and_what_was_searched_each_once_boring_or_not(desk: Desk) -> None:
    cart = {"file_path": "/srv/shop/cart.py"}
    acts = [
        ("Read", cart),
        ("Read", cart),
        ("Edit", cart),
        ("Grep", {}),
        ("Glob", {}),
        ("Grep", {}),
    ]
    boring = ("NotebookRead", {"notebook_path": "/srv/shop/sales.ipynb"})

    made = note(desk, "Go on.", *((tool, given, "") for tool, given in [*acts, boring]))

    assert (made.files_read, made.files_edited) == (("cart.py", "sales.ipynb"), ("cart.py",))
    assert sorted(made.looked) == ["Glob", "Grep"]


def test_a_session_is_told_by_its_turns() -> None:
    first = replace(
        NOTE,
        asked="Add a coupon form to the cart",
        done="The form is in",
        looked=("Grep",),
        files_read=("a.py", "b.py"),
        files_edited=("a.py",),
    )
    second = replace(first, turn="t-2", at=NOON + 5, asked="Translate the imprint into French",
                     done="The imprint is translated", files_edited=("c.py",))  # fmt: skip

    made = summary_of([first, second], [], [left("Test the form")])

    assert made.request == "Add a coupon form to the cart; Translate the imprint into French"
    assert made.completed == "The imprint is translated; The form is in"
    assert (made.investigated, made.next_steps) == ("read 2 files; used Grep", "Test the form")
    assert (made.files_read, made.files_edited) == (("a.py", "b.py"), ("a.py", "c.py"))
    assert (made.session, made.notes, made.updated_at) == ("s-1", "2 turns", NOON + 5)
    assert (made.project, made.is_final) == (None, False)


def test_a_request_that_leads_nowhere_else_is_told_once() -> None:
    asked = ["Add a coupon form to the cart", "Add the coupon form now", ""]

    made = summary_of([replace(NOTE, asked=each) for each in asked], [], [])

    assert made.request == asked[0]


def test_what_a_session_taught_is_told_but_not_how_to_behave(room: Room) -> None:
    known = [
        room.learn(1, "The shop uses tabs"),
        room.learn(2, "Never push to main", kind="instruction"),
    ]

    made = summary_of([NOTE], known, [])

    assert made.learned == "The shop uses tabs"


def test_the_latest_six_lessons_are_told(room: Room) -> None:
    known = [room.learn(each, f"Shelf {each} is full") for each in range(1, 9)]

    made = summary_of([NOTE], known, [])

    assert made.learned.split("; ") == [f"Shelf {each} is full" for each in range(3, 9)]


def test_a_session_of_many_turns_is_told_in_short() -> None:
    notes = [
        replace(
            NOTE,
            turn=f"t-{each}",
            asked=f"Paint room{each} in colour{each} with brush{each}",
            done=f"Room {each} is painted",
            files_read=(f"{each}.txt",),
            files_edited=(f"{each}.txt",),
        )
        for each in range(300)
    ]

    made = summary_of(notes, [], [left(f"Paint wall {each}") for each in range(99)])

    assert max(len(getattr(made, name)) for name in FIELDS) <= 400
    assert (len(made.files_read), len(made.files_edited)) == (200, 200)
    assert made.completed.startswith("Room 299 is painted; ")


def test_a_session_of_little_says_little() -> None:
    made = summary_of([NOTE], [], [])

    assert [getattr(made, name) for name in FIELDS] == [""] * 5


def test_one_is_told_as_one() -> None:
    made = summary_of([replace(NOTE, files_read=("a.py",))], [], [])

    assert (made.investigated, made.notes) == ("read 1 file", "1 turn")


def test_files_are_named_from_the_project_s_root_whatever_folder_work_went_to(desk: Desk) -> None:
    desk.extractor = rules()
    name = desk.prompt("Mend the cart.")
    for where in ("/srv/shop", "/srv/shop/src"):
        given = {"tool_input": {"file_path": "/srv/shop/src/cart.py"}, "cwd": where}
        desk.append("tool_use", given, turn=name, tool="Edit", origin="tool:Edit")
    desk.reply(name)

    desk.curate()

    assert desk.store.actions.summaries("s-1")[0].files_edited == ("src/cart.py",)
