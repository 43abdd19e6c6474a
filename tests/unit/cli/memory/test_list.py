"""`tacit list`: what is remembered, found by anything one can know of it, page by page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program
    from unit.cli.memory.conftest import Cli, Mind

FACT, WISH, RULE = "The sky is blue", "I like tabs", "Always run the tests"


@pytest.fixture
def three(mind: Mind, cli: Cli) -> list[str]:
    """Remember three things; return their ids, the newest first."""
    first = cli.remember(FACT, "--tag", "colour")
    second = cli.remember(WISH, "--kind", "preference", "--everywhere")
    mind.talk("s-1", f"Remember that {RULE.lower()}.")
    (third,) = [each["id"] for each in cli.json("list") if each["content"] == RULE]
    return [third, second, first]


def test_where_nothing_is_recorded_it_says_how_to_begin(cli: Cli) -> None:
    told = cli("list")

    assert told == (0, "Nothing is recorded yet. Run `tacit install`, then work as always.\n", "")


def test_where_nothing_is_remembered_it_says_how_to_add_something(cli: Cli, mind: Mind) -> None:
    mind.talk("s-1", "Good morning")

    told = cli("list")

    assert told == (0, "Nothing is remembered yet. `tacit remember TEXT` adds something.\n", "")


@pytest.mark.usefixtures("three")
def test_where_nothing_fits_it_says_how_to_see_all(cli: Cli) -> None:
    told = cli("list", "--matching", "zebra")

    nothing = "Nothing that fits is remembered. `tacit list` without options shows all.\n"
    assert told == (0, nothing, "")


def test_a_group_that_is_not_there_is_told_from_those_that_are(three: list[str], cli: Cli) -> None:
    told = cli("list", "--group", "elsewhere")

    assert three
    assert told == (0, "Nothing is recorded in group elsewhere. There is: main.\n", "")


def test_for_programs_nothing_is_an_empty_list(cli: Cli) -> None:
    assert cli.json("list") == []


def test_looking_makes_no_group(home: Home, cli: Cli) -> None:
    cli("list", "--group", "elsewhere")

    assert not (home.path / "groups" / "elsewhere").exists()


def test_the_newest_comes_first_one_line_each(three: list[str], cli: Cli) -> None:
    shown = cli("list").out.splitlines()

    assert [line.split()[0] for line in shown] == ["memory", *three]
    assert [line.rsplit("  ", 1)[-1] for line in shown] == ["content", RULE, WISH, FACT]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--kind", "fact"), [FACT]),
        (("--kind", "learning"), [FACT]),
        (("--kind", "fact", "--kind", "preference"), [WISH, FACT]),
        (("--tag", "colour"), [FACT]),
        (("--tag", "col"), []),
        (("--everywhere",), [WISH]),
        (("--project", "."), [RULE, FACT]),
        (("--origin", "user"), [RULE]),
        (("--origin", "owner"), [WISH, FACT]),
        (("--session", "s-"), [RULE]),
        (("--matching", "sky"), [FACT]),
        (("--matching", "%"), []),
        (("--matching", "' OR 1=1 --"), []),
        (("--kind", "fact", "--matching", "tabs"), []),
        (("--pinned",), []),
        (("--forgotten",), []),
    ],
    ids=" ".join,
)
def test_a_filter_leaves_only_what_fits(
    options: tuple[str, ...], found: list[str], cli: Cli
) -> None:
    assert cli.contents(*options) == found


def test_only_pinned_ones_can_be_asked_for(three: list[str], cli: Cli) -> None:
    cli("pin", three[1])

    assert cli.contents("--pinned") == [WISH]


def test_superseded_ones_show_only_on_request(three: list[str], cli: Cli) -> None:
    cli("correct", three[2], "The sky is grey")

    assert FACT not in cli.contents()
    assert FACT in cli.contents("--superseded")


def test_a_superseded_one_is_marked(three: list[str], cli: Cli) -> None:
    cli("correct", three[2], "The sky is grey")

    shown = cli("list", "--superseded").out.splitlines()

    assert [line.split()[2] for line in shown if line.startswith(three[2])] == ["~"]


def test_forgotten_ones_show_only_on_request(three: list[str], cli: Cli) -> None:
    cli("forget", three[2])

    assert (FACT in cli.contents(), cli.contents("--forgotten")) == (False, [FACT])


def test_as_of_a_day_shows_what_was_true_then(three: list[str], cli: Cli) -> None:
    now = datetime.now(UTC)
    cli("correct", three[2], "The sky is grey")
    before = [f"{now.year - 1}-05-31", f"{now.year - 1}-05-31T14:00Z"]
    after = f"{now.year + 2}-01-01"

    then = [cli.contents("--as-of", day) for day in before]

    assert then == [[], []]
    assert set(cli.contents("--as-of", after)) == {"The sky is grey", WISH, RULE}


def test_as_of_something_that_is_no_day_is_refused(cli: Cli) -> None:
    told = cli("list", "--as-of", "soon")

    assert (told.code, "'soon' is no date: write it like 2026-05-31." in told.err) == (2, True)


def test_a_page_that_is_full_says_how_to_go_on(three: list[str], cli: Cli) -> None:
    told = cli("list", "--limit", "2")

    assert [line.split()[0] for line in told.out.splitlines()[1:]] == three[:2]
    assert told.err == "There may be more: add --page 2.\n"


def test_the_next_page_goes_on_where_the_first_ended(three: list[str], cli: Cli) -> None:
    told = cli("list", "--limit", "2", "--page", "2")

    assert [line.split()[0] for line in told.out.splitlines()[1:]] == three[2:]
    assert told.err == ""


@pytest.mark.usefixtures("three")
def test_for_programs_a_full_page_is_only_its_memories(cli: Cli) -> None:
    told = cli("list", "--limit", "2", "--json")

    assert told.err == ""


@pytest.mark.parametrize("option", ["--limit", "--page"])
@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_a_page_that_cannot_be_is_refused(option: str, value: str, cli: Cli) -> None:
    assert cli("list", option, value).code == 2


@pytest.mark.parametrize("option", ["--limit", "--page"])
def test_a_page_beyond_all_numbers_is_empty_or_refused(option: str, cli: Cli) -> None:
    cli.remember(FACT)

    assert cli("list", option, "9" * 30).code in {0, 2}


@pytest.mark.parametrize(
    ("options", "code", "next_step"),
    [
        (("--kind", "rumour"), 9, "Use one of"),
        (("--session", "s-404"), 6, "tacit sessions"),
        (("--project", "orchard"), 6, "tacit project list"),
    ],
    ids=["kind", "session", "project"],
)
def test_what_is_not_there_is_refused_with_the_next_step(
    options: tuple[str, ...], code: int, next_step: str, mind: Mind, cli: Cli
) -> None:
    mind.talk("s-1", "Good morning")

    told = cli("list", *options)

    assert (told.code, told.out, next_step in told.err) == (code, "", True)


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    mind.plant(hostile, origin=f"tool:{hostile}", session=hostile, project=hostile)

    told = cli.at_terminal("list")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 2)


def test_no_value_reaches_the_terminal_as_it_is_when_it_is_refused(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    mind.talk("s-1", "Good morning")

    for option in ("--kind", "--session", "--project", "--as-of"):
        told = cli.at_terminal("list", option, hostile)

        assert (told.code != 0, told.strange) == (True, set())


def test_piped_there_is_no_colour(program: Program, cli: Cli) -> None:
    cli.remember(FACT)

    ended = program("list")

    assert (ended.returncode, b"\x1b" in ended.stdout) == (0, False)


@pytest.mark.parametrize("option", ["--session", "--matching", "--origin", "--tag", "--project"])
def test_an_empty_value_is_refused(option: str, cli: Cli) -> None:
    told = cli("list", option, "")

    assert (told.code, "An empty value fits nothing" in told.err) == (2, True)


def test_as_of_today_shows_what_was_learned_today(cli: Cli) -> None:
    cli.remember("The sky is blue")

    assert cli.contents("--as-of", datetime.now(UTC).astimezone().date().isoformat()) == [
        "The sky is blue"
    ]


@pytest.mark.parametrize(("origin", "found"), [("own", 0), ("owner", 1), ("tool", 0)])
def test_an_origin_is_meant_as_it_is_written(origin: str, found: int, cli: Cli) -> None:
    cli.remember("The sky is blue")

    assert len(cli.json("list", "--origin", origin)) == found


def test_a_program_is_told_whether_a_memory_guides_behaviour(cli: Cli) -> None:
    cli.remember("I like tabs", "--kind", "preference")

    assert cli.json("list")[0]["behavioral"] is True


def test_where_the_directory_is_gone_that_is_said(
    cli: Cli, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = home.scratch / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    told = [cli("list"), cli("remember", "The sky is blue")]

    sentence = "tacit: The current directory is gone. Go to one that is there.\n"
    assert [each.err for each in told] == [sentence, sentence]
