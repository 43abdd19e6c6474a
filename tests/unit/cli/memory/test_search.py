"""`tacit search`: what was said and learned, narrowed by every option, told cleanly."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state
from tacit.daemon.line import Line
from tacit.recall import wire
from tacit.recall.question import LIMIT, MOST, Answer, Hit, Parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from unit.cli.conftest import Program
    from unit.cli.memory.conftest import Cli, Mind

TEA, MILK, RULE = "The till sells tea", "I like milk in tea", "Always brew tea at noon"
SAID = "What is the tea that sells best?"
DAY_NS = 86_400 * 1_000_000_000
NOTHING = "Nothing was found. Try other words, or `tacit sessions`.\n"
WORDS_ALONE = "Searched by words alone.\n"


@pytest.fixture
def tea(mind: Mind, cli: Cli) -> dict[str, str]:
    """Let things be known about tea; return their ids by what they say."""
    known = {
        TEA: cli.remember(TEA, "--tag", "shop", "--tag", "drinks"),
        MILK: cli.remember(MILK, "--kind", "preference", "--tag", "drinks", "--everywhere"),
        RULE: cli.remember(RULE, "--kind", "instruction"),
    }
    mind.talk("s-1", SAID)
    return known


def found(cli: Cli, *arguments: str) -> set[str]:
    """Return what is found."""
    return {hit["content"] for hit in cli.json("search", *arguments)["hits"]}


def shown(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else ""


def day(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns / 1e9, UTC).isoformat(timespec="seconds")


def test_where_nothing_is_known_nothing_is_found_and_it_says_so(cli: Cli, home: Home) -> None:
    told = cli("search", "tea")

    first = "Nothing is recorded yet. Run `tacit install`, then work as always.\n"
    assert told == (0, first, "")
    assert not (home.path / "groups" / "main").exists()


@pytest.mark.usefixtures("tea")
def test_what_fits_nothing_finds_nothing_and_says_how_to_go_on(cli: Cli) -> None:
    told = cli("search", "qqqq", "--kind", "bugfix")

    assert (told.code, told.out) == (0, NOTHING)


@pytest.mark.usefixtures("tea")
def test_a_hit_is_its_relevance_its_kind_and_its_words_then_where_it_is_from(
    tea: dict[str, str], cli: Cli
) -> None:
    told = cli("search", "till", "sells", "--layer", "memory")

    first, second = told.out.splitlines()[:2]
    assert re.fullmatch(r"\d\.\d\d  fact +The till sells tea", first)
    assert second.split() == ["owner,", *second.split()[1:-2], "project", tea[TEA]]


@pytest.mark.usefixtures("tea")
def test_the_note_is_told_beside_the_hits(cli: Cli) -> None:
    told = cli("search", "tea")

    assert told.err == WORDS_ALONE
    assert WORDS_ALONE.strip() not in told.out


@pytest.mark.usefixtures("tea")
def test_for_programs_the_note_is_in_the_answer(cli: Cli) -> None:
    told = cli("search", "tea", "--json")

    assert (told.code, told.err) == (0, "")
    answer = cli.json("search", "tea")
    assert (answer["by"], answer["note"]) == (["words"], WORDS_ALONE.strip())
    assert {"id", "layer", "kind", "content", "relevance", "state", "parts"} <= {*answer["hits"][0]}


@pytest.mark.usefixtures("tea")
def test_words_need_no_quotes(cli: Cli) -> None:
    assert cli.json("search", "till", "sells") == cli.json("search", "till sells")


@pytest.mark.usefixtures("tea")
def test_all_layers_are_searched(cli: Cli) -> None:
    assert found(cli, "tea") >= {TEA, MILK, RULE, SAID}


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--kind", "fact"), {TEA}),
        (("--kind", "learning"), {TEA}),
        (("--kind", "fact", "--kind", "instruction"), {TEA, RULE}),
        (("--tag", "drinks"), {TEA, MILK}),
        (("--tag", "drinks", "--tag", "shop"), {TEA}),
        (("--tag", "drink"), set()),
        (("--layer", "memory"), {TEA, MILK, RULE}),
        (("--layer", "message"), {SAID, "ok"}),
        (("--layer", "memory", "--layer", "message"), {TEA, MILK, RULE, SAID}),
        (("--everywhere",), {MILK}),
        (("--project", ".", "--layer", "memory"), {TEA, MILK, RULE}),
        (("--project", "project", "--kind", "fact"), {TEA}),
        (("--kind", "fact", "--layer", "message"), set()),
    ],
    ids=shown,
)
def test_an_option_leaves_only_what_fits(
    options: tuple[str, ...], expected: set[str], cli: Cli
) -> None:
    assert found(cli, "tea", *options) - {"ok"} == expected - {"ok"}


def test_another_project_is_left_out_but_not_what_is_about_the_user(
    tea: dict[str, str], mind: Mind, cli: Cli
) -> None:
    mind.plant("The other till sells tea too", project="prj-other")

    assert found(cli, "tea", "--project", ".", "--layer", "memory") == set(tea)


@pytest.mark.usefixtures("tea")
def test_since_and_until_leave_only_what_came_then(mind: Mind, cli: Cli) -> None:
    now = time.time_ns()
    mind.plant("Old tea is bitter", at=now - 20 * DAY_NS)
    mind.plant("Older tea is dust", at=now - 40 * DAY_NS)
    only_memories = ("tea", "--layer", "memory")

    since = found(cli, *only_memories, "--since", day(now - 30 * DAY_NS))
    until = found(cli, *only_memories, "--until", day(now - 30 * DAY_NS))
    between = found(
        cli,
        *only_memories,
        "--since",
        day(now - 30 * DAY_NS),
        "--until",
        day(now - 10 * DAY_NS),
    )

    assert since == {TEA, MILK, RULE, "Old tea is bitter"}
    assert (until, between) == ({"Older tea is dust"}, {"Old tea is bitter"})


def test_since_takes_the_moment_itself_and_until_does_not(mind: Mind, cli: Cli) -> None:
    moment = 1_780_000_000 * 1_000_000_000
    mind.plant("Old tea is bitter", at=moment)

    at = day(moment)

    assert (found(cli, "tea", "--since", at), found(cli, "tea", "--until", at)) == (
        {"Old tea is bitter"},
        set(),
    )


def test_superseded_ones_are_found_on_request_and_marked(tea: dict[str, str], cli: Cli) -> None:
    cli("correct", tea[TEA], "The till sells tea no more")

    told = cli("search", "till", "--superseded", "--kind", "fact")

    assert TEA not in found(cli, "till")
    assert [line for line in told.out.splitlines() if line.endswith(f"~ {TEA}")]
    assert not [line for line in told.out.splitlines() if "~ The till sells tea no more" in line]


def test_as_of_a_time_is_what_was_known_then(mind: Mind, cli: Cli) -> None:
    now = time.time_ns()
    old = mind.plant("The till sells tea", at=now - 20 * DAY_NS)
    mind.plant("The till sells coffee", at=now - 5 * DAY_NS)
    cli("correct", old.id, "The till sells water")

    then = [found(cli, "till", "--as-of", day(now - ago * DAY_NS)) for ago in (30, 10, 1)]

    assert then == [set(), {"The till sells tea"}, {"The till sells tea", "The till sells coffee"}]
    assert found(cli, "till") == {"The till sells water", "The till sells coffee"}


@pytest.mark.usefixtures("tea")
def test_what_is_less_relevant_than_asked_for_is_left_out(cli: Cli) -> None:
    hits = cli.json("search", "till sells tea")["hits"]
    least = max(hit["relevance"] for hit in hits)

    told = cli.json("search", "till sells tea", "--min-score", f"{least - 0.001}")["hits"]

    assert 0 < len(told) < len(hits)
    assert all(hit["relevance"] >= least - 0.001 for hit in told)


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_are_told_than_asked_for(limit: int, cli: Cli) -> None:
    every, few = (
        cli.json("search", "tea", "--limit", str(number))["hits"] for number in (MOST, limit)
    )

    assert [hit["id"] for hit in few] == [hit["id"] for hit in every[:limit]]


def test_unless_told_there_are_so_many(mind: Mind, cli: Cli) -> None:
    for number in range(LIMIT + 5):
        mind.plant(f"Tea {number} is made of leaves {number * 7919} {number * 104729}")

    assert len(cli.json("search", "tea")["hits"]) == LIMIT


@pytest.mark.usefixtures("tea")
def test_each_hit_explains_itself_on_request(cli: Cli) -> None:
    plain, explained = cli("search", "till sells"), cli("search", "till sells", "--explain")

    assert "score" not in plain.out
    lines = explained.out.splitlines()
    assert len(lines) % 3 == 0
    assert all(re.search(r"meaning not known, .*score \d\.\d{3}$", line) for line in lines[2::3])
    assert re.search(r"words \d\.\d\d \(.*till.*\)", lines[2])


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize("words", [(), ("",), (" ", "")])
def test_no_text_asks_for_the_newest(words: tuple[str, ...], cli: Cli) -> None:
    hits = cli.json("search", *words, "--layer", "memory")["hits"]

    assert [hit["content"] for hit in hits] == [RULE, MILK, TEA]
    assert cli("search", *words).err == ""


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    ("options", "code", "next_step"),
    [
        (("--kind", "rumour"), 9, "Use one of"),
        (("--project", "orchard"), 6, "tacit project list"),
        (("--layer", "dream"), 2, "'memory', 'message', 'summary'"),
        (("--since", "soon"), 2, "write it like 2026-05-31"),
        (("--until", "soon"), 2, "write it like 2026-05-31"),
        (("--as-of", "soon"), 2, "write it like 2026-05-31"),
        (("--min-score", "2"), 2, "range"),
        (("--limit", "0"), 2, "range"),
        (("--limit", str(MOST + 1)), 2, "range"),
    ],
    ids=shown,
)
def test_what_cannot_be_is_refused_with_the_next_step(
    options: tuple[str, ...], code: int, next_step: str, cli: Cli
) -> None:
    told = cli("search", "tea", *options)

    assert (told.code, told.out, next_step in told.err) == (code, "", True)


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "\x00",
        "'",
        '"',
        "*",
        "tea*",
        "NEAR(",
        "a OR b",
        "-x" * 9,
        "%",
        "茶",
        "x" * 100_000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_any_text_is_a_question(text: str, cli: Cli) -> None:
    assert cli("search", "--", text).code == 0


def test_nothing_in_a_hit_reaches_the_terminal_as_it_is(hostile: str, mind: Mind, cli: Cli) -> None:
    mind.plant(hostile, origin=f"tool:{hostile}", session=hostile, project=hostile, tags=(hostile,))
    mind.talk("s-1", f"what does calm say: {hostile}")

    told = cli.at_terminal("search", "calm", "first", "--explain")

    assert (told.code, told.strange) == (0, set())
    assert len(told.out.splitlines()) == 3 * len(cli.json("search", "calm", "first")["hits"])


def test_no_word_of_a_question_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    mind.plant("A calm day was the last")

    told = cli.at_terminal("search", hostile, "--explain")

    assert (told.code, told.strange) == (0, set())
    for option in ("--kind", "--project", "--since", "--layer", "--min-score"):
        told = cli.at_terminal("search", "calm", option, hostile)
        assert (told.code != 0, told.strange) == (True, set())


@pytest.mark.usefixtures("tea")
def test_piped_there_is_no_colour(program: Program) -> None:
    ended = program("search", "tea", "--explain")

    assert (ended.returncode, b"\x1b" in ended.stdout, b"tea" in ended.stdout) == (0, False, True)


@pytest.fixture
def daemon(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let a daemon answer that knows one thing; return the groups it was asked for."""
    asked: list[str] = []
    hit = Hit(
        id="mem-1", layer="memory", kind="fact", content="Asked and answered", behavioral=False,
        tags=(), created_at=1, relevance=0.75, origin="user", project=None, session="", turn=None,
        state="active", parts=Parts(words=0.5, meaning=0.625, context=0.25, factor=0.5, score=0.7),
    )  # fmt: skip

    def answer(_event: str, group: str, payload: bytes) -> tuple[str, bytes]:
        asked.append(f"{group}: {wire.question(payload).text}")
        return "search", wire.told(Answer(hits=[hit], by=("words", "meaning")))

    root = state.open_home(str(home.path))
    line = Line(root, answer)
    monkeypatch.chdir(home.project)
    line.start()
    yield asked
    monkeypatch.chdir(home.path)
    line.close()


@pytest.fixture
def unrelated(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a daemon answer with what shares no word with the question and means nothing near it."""
    hit = Hit(
        id="mem-1", layer="memory", kind="fact", content="Tea is green", behavioral=False,
        tags=(), created_at=1, relevance=0.004, origin="user", project=None, session="", turn=None,
        state="active", parts=Parts(meaning=0.1, score=0.1),
    )  # fmt: skip
    answered = wire.told(Answer(hits=[hit], by=("words", "meaning")))
    root = state.open_home(str(home.path))
    line = Line(root, lambda *_: ("search", answered))
    monkeypatch.chdir(home.project)
    line.start()
    yield
    monkeypatch.chdir(home.path)
    line.close()


@pytest.mark.usefixtures("unrelated")
def test_what_has_nothing_to_do_with_a_question_is_not_shown(cli: Cli, mind: Mind) -> None:
    mind.begin("s-1")

    told = cli("search", "zebra")

    assert told == (0, NOTHING, "")


@pytest.mark.usefixtures("unrelated")
def test_whoever_asks_for_an_explanation_sees_that_as_well(cli: Cli, mind: Mind) -> None:
    mind.begin("s-1")

    told = cli("search", "zebra", "--explain")

    assert "Tea is green" in told.out


def test_a_daemon_is_asked_first(daemon: list[str], cli: Cli) -> None:
    told = cli("search", "what", "is", "asked", "--explain")

    assert daemon == ["main: what is asked"]
    assert told.out.splitlines() == [
        "0.75  fact        Asked and answered",
        told.out.splitlines()[1],
        "      words 0.50, meaning 0.62, context 0.25, weight 0.50, score 0.700",
    ]
    assert told.err == ""
