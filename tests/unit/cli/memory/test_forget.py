"""`tacit forget`: what is to go is shown, asked about and gone; no slip of the keys takes more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind

FACT, WISH, RULE = "The sky is blue", "I like tabs", "Always run the tests"
TOMORROW = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
REFUSED = "tacit: This takes memories away. Say --yes if that is meant.\n"


@pytest.fixture
def three(mind: Mind, cli: Cli) -> dict[str, str]:
    """Remember three things, one of them in a session; return their ids."""
    cli.remember(FACT)
    cli.remember(WISH, "--everywhere")
    mind.talk("s-1", f"Remember that {RULE.lower()}.")
    return {each["content"]: each["id"] for each in cli.json("list")}


def test_one_memory_goes_unasked(three: dict[str, str], cli: Cli) -> None:
    told = cli("forget", three[FACT])

    assert (told.code, told.err, told.out.splitlines()[-1]) == (0, "", "Forgot 1 memory.")
    assert three[FACT] in told.out
    assert set(cli.contents()) == {WISH, RULE}


def test_the_beginning_of_an_id_is_enough(mind: Mind, cli: Cli) -> None:
    memory = mind.plant("The sky is blue")

    cli("forget", memory.id[:12])

    assert cli.contents() == []


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (("--session", "s-1"), {RULE}),
        (("--project", "."), {FACT, RULE}),
        (("--origin", "owner"), {FACT, WISH}),
        (("--origin", "user"), {RULE}),
        (("--matching", "sky"), {FACT}),
        (("--before", TOMORROW), {FACT, WISH, RULE}),
    ],
    ids=["session", "project", "owner", "user", "matching", "before"],
)
def test_all_that_fit_go_once_it_is_meant(
    options: tuple[str, ...], gone: set[str], three: dict[str, str], cli: Cli
) -> None:
    told = cli("forget", *options, "--yes")

    assert (told.code, told.err) == (0, "")
    noun = "memory" if len(gone) == 1 else "memories"
    assert told.out.splitlines()[-1] == f"Forgot {len(gone)} {noun}."
    assert set(cli.contents()) == three.keys() - gone
    assert set(cli.contents("--forgotten")) == gone


@pytest.mark.parametrize(
    "arguments",
    [("--matching", "sky"), ("--session", "s-1"), ("--before", TOMORROW), ("--erase",), ("more",)],
    ids=["matching", "session", "before", "erase", "two ids"],
)
def test_a_pipe_that_does_not_say_so_is_refused(
    arguments: tuple[str, ...], three: dict[str, str], mind: Mind, cli: Cli
) -> None:
    own = {"--erase": [three[FACT], "--erase"], "more": [three[FACT], three[WISH]]}
    before = mind.transcript()

    told = cli("forget", *own.get(arguments[0], arguments))

    assert told == (7, "", REFUSED)
    assert (mind.transcript(), len(cli.contents())) == (before, 3)


@pytest.mark.parametrize(
    ("options", "question"),
    [
        (("--matching", "sky"), "Forget 1 memory? [y/N]: "),
        (("--before", TOMORROW), "Forget 3 memories? [y/N]: "),
        (("--matching", "sky", "--erase"), "Forget 1 memory and erase 1 event for good? [y/N]: "),
    ],
    ids=["one", "more", "erase"],
)
@pytest.mark.usefixtures("three")
def test_at_a_terminal_it_is_asked_what_would_go(
    options: tuple[str, ...], question: str, mind: Mind, cli: Cli
) -> None:
    before = mind.transcript()

    told = cli.at_terminal("forget", *options, typed="n\n")

    assert (told.code, told.out) == (130, question)
    assert (mind.transcript(), len(cli.contents())) == (before, 3)


@pytest.mark.usefixtures("three")
def test_at_a_terminal_a_yes_is_enough(cli: Cli) -> None:
    told = cli.at_terminal("forget", "--matching", "sky", typed="y\n")

    assert (told.code, set(cli.contents())) == (0, {WISH, RULE})


@pytest.mark.parametrize("more", [(), ("--erase",), ("--yes",), ("--erase", "--yes")])
@pytest.mark.parametrize("which", ["id", "--matching", "--session", "--before"])
def test_a_dry_run_shows_what_it_would_be_and_writes_nothing(
    which: str, more: tuple[str, ...], three: dict[str, str], mind: Mind, cli: Cli
) -> None:
    values = {"--matching": "tests", "--session": "s-1", "--before": TOMORROW}
    chosen = [which, values[which]] if which in values else [three[RULE]]
    listed, before = cli.json("list"), mind.transcript()

    told = cli("forget", *chosen, "--dry-run", *more)

    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines()[-1].startswith("Would forget ")
    assert three[RULE] in told.out
    assert (mind.transcript(), cli.json("list")) == (before, listed)


def test_a_dry_run_finds_what_the_run_then_takes(cli: Cli, mind: Mind) -> None:
    cli.remember(FACT)
    mind.talk("s-1", f"Remember that {RULE.lower()}.")
    options = ("forget", "--project", ".", "--erase")

    dry = cli.json(*options, "--dry-run")
    wet = cli.json(*options, "--yes")

    assert wet == dry
    assert ({each["content"] for each in wet["memories"]}, wet["events"]) == ({FACT, RULE}, 3)


@pytest.mark.parametrize("option", ["--matching", "--project"])
def test_nothing_goes_with_the_words_that_was_not_shown(option: str, mind: Mind, cli: Cli) -> None:
    cli.remember(WISH, "--everywhere")
    mind.talk("s-1", f"Remember that {RULE.lower()}. Remember that {FACT.lower()}.")
    before = set(cli.contents())
    value = {"--matching": "sky", "--project": "."}[option]

    shown = cli.json("forget", option, value, "--erase", "--dry-run")
    cli("forget", option, value, "--erase", "--yes")

    assert {each["content"] for each in shown["memories"]} == before - set(cli.contents())


def test_programs_get_the_memories_and_the_number_of_events(
    three: dict[str, str], cli: Cli
) -> None:
    told = cli.json("forget", "--session", "s-1", "--erase", "--yes")

    assert ([each["id"] for each in told["memories"]], told["events"]) == ([three[RULE]], 2)


def test_what_is_erased_is_told(three: dict[str, str], home: Home, cli: Cli) -> None:
    told = cli("forget", three[FACT], "--erase", "--yes")

    assert told.out.splitlines()[-1] == "Forgot 1 memory, erased 1 event."
    assert FACT.encode() not in home.bytes_on_disk()


def test_where_nothing_fits_it_says_so_and_asks_nothing(
    three: dict[str, str], mind: Mind, cli: Cli
) -> None:
    before = mind.transcript()

    told = cli("forget", "--matching", "no such words")

    assert told == (0, "Nothing fits. See `tacit list`.\n", "")
    assert (mind.transcript(), len(cli.contents())) == (before, len(three))


def test_where_nothing_is_remembered_it_is_refused(home: Home, cli: Cli) -> None:
    told = cli("forget", "--matching", "sky", "--yes")

    assert told == (6, "", "tacit: Group main remembers nothing yet. See `tacit status`.\n")
    assert not (home.path / "groups").exists()


def test_without_a_word_about_what_it_is_refused(three: dict[str, str], cli: Cli) -> None:
    told = cli("forget", "--yes", "--erase")

    assert (told.code, told.out) == (2, "")
    assert "Say what is to be forgotten: a MEMORY, or one of the options." in told.err
    assert len(cli.contents()) == len(three)


@pytest.mark.parametrize("option", ["--session", "--project", "--origin", "--matching"])
def test_an_empty_value_never_means_everything(
    option: str, three: dict[str, str], cli: Cli
) -> None:
    told = cli("forget", option, "", "--yes")

    assert (told.code, told.out) == (2, "")
    assert "An empty value would mean everything." in told.err
    assert len(cli.contents()) == len(three)


@pytest.mark.parametrize(
    "options",
    [("--session", "s-1", "--matching", "sky"), ("--project", ".", "--origin", "user")],
    ids=["session and matching", "project and origin"],
)
def test_two_options_never_take_more_than_one_of_them_alone(
    options: tuple[str, ...], three: dict[str, str], cli: Cli
) -> None:
    alone = [
        {each["content"] for each in cli.json("forget", *part, "--dry-run")["memories"]}
        for part in (options[:2], options[2:])
    ]

    cli("forget", *options, "--yes")

    assert three.keys() - set(cli.contents()) <= alone[0] & alone[1]


@pytest.mark.parametrize(
    ("arguments", "next_step"),
    [
        (("mem-404",), "See `tacit list`."),
        (("",), "See `tacit list`."),
        (("mem-",), "say more of it"),
        (("--session", "s-404"), "See `tacit sessions`."),
        (("--project", "orchard"), "tacit project list"),
    ],
    ids=["unknown", "no id", "ambiguous", "session", "project"],
)
@pytest.mark.parametrize("more", [("--yes",), ("--dry-run",)], ids=["meant", "dry"])
def test_what_is_not_there_is_refused_with_the_next_step(
    arguments: tuple[str, ...],
    next_step: str,
    more: tuple[str, ...],
    three: dict[str, str],
    cli: Cli,
) -> None:
    told = cli("forget", *arguments, *more)

    assert (told.code, told.out, next_step in told.err) == (6, "", True)
    assert len(cli.contents()) == len(three)


def test_one_unknown_id_among_others_forgets_none(three: dict[str, str], cli: Cli) -> None:
    told = cli("forget", three[FACT], "mem-404", "--yes")

    assert (told.code, len(cli.contents())) == (6, 3)


def test_a_turn_is_no_session(three: dict[str, str], cli: Cli) -> None:
    told = cli("forget", "--session", "turn-0-of-s-1", "--yes")

    assert (told.code, len(cli.contents())) == (6, len(three))


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    mind.plant(hostile, origin=f"tool:{hostile}")

    told = cli.at_terminal("forget", "--origin", "tool", "--yes")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 3)


@pytest.mark.parametrize("more", [(), ("--yes",), ("--erase", "--yes"), ("--json",)])
@pytest.mark.parametrize("which", ["id", "matching"])
def test_an_agent_is_told_to_ask_the_user(
    which: str,
    more: tuple[str, ...],
    three: dict[str, str],
    mind: Mind,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = mind.transcript()
    monkeypatch.setenv("CLAUDECODE", "1")
    chosen = [three[FACT]] if which == "id" else ["--matching", "sky"]

    told = cli("forget", *chosen, *more)

    assert (told.code, told.out) == (7, "")
    assert told.err.endswith("needs the owner at a terminal. Ask the user to run it.\n")
    assert (mind.transcript(), len(cli.contents())) == (before, 3)


@pytest.mark.usefixtures("agent")
def test_an_agent_s_own_words_it_may_have_forgotten_at_a_terminal(cli: Cli) -> None:
    memory = cli.remember("The build takes long")

    told = cli.at_terminal("forget", memory)

    assert (told.code, cli.contents()) == (0, [])


def test_what_is_forgotten_is_told_by_no_summary_search_or_brief(cli: Cli, mind: Mind) -> None:
    mind.talk("s-doctor", "Remember that my doctor is called Xanadu Quigley.", "What now?")
    (memory,) = cli.json("list")
    asked = (("summaries",), ("search", "Quigley", "--layer", "summary"), ("brief",))
    before = ["Quigley" in cli(*each).out for each in asked]

    cli("forget", memory["id"])

    assert (before[:2], ["Quigley" in cli(*each).out for each in asked]) == (
        [True, True],
        [False, False, False],
    )


def test_an_agent_is_told_that_the_owner_was_asked(
    three: dict[str, str], cli: Cli, agent: str
) -> None:
    told = cli.at_terminal("forget", three[FACT])

    sentence = "The owner was asked to forget 1 memory: see `tacit actions`.\n"
    assert (told, len(cli.json("actions")), agent) == ((0, sentence, ""), 1, agent)


@pytest.mark.parametrize("options", [(), ("--erase", "--yes")])
def test_what_was_superseded_does_not_come_back_and_that_is_told(
    options: tuple[str, ...], cli: Cli
) -> None:
    cli.remember(FACT)
    now = cli.json("correct", cli.json("list")[0]["id"], WISH)

    told = cli("forget", now["id"], *options)

    sentence = "What was superseded by it stays so: see `tacit list --superseded`."
    assert (told.out.splitlines()[-1], cli.contents()) == (sentence, [])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [(("--dry-run",), "Would erase 1 event."), (("--yes",), "Erased 1 event.")],
)
def test_where_only_words_go_nothing_is_said_of_memories(
    options: tuple[str, ...], sentence: str, mind: Mind, cli: Cli
) -> None:
    mind.talk("s-one", "Is Jabberwock there?")

    told = cli("forget", "--matching", "Jabberwock", "--erase", *options)

    assert told.out.splitlines()[-1] == sentence
