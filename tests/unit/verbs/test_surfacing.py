"""The façade over surfacing: what a prompt is answered with, once, where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.model.memory import DAY_NS
from tacit.policy import Caller
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from tacit.verbs.surfacing import Prompt
from unit.curate.saying import TABS, TEA, Ticking, publish, talk
from unit.verbs.conftest import beside, hold, only

if TYPE_CHECKING:
    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.deliver.surfacing import Surfacing

OWNER = Caller()
SHOP, TILL = "/srv/shop", "/srv/till"
ASKED = "which till sells tea"


@pytest.fixture(autouse=True)
def shop(app: App, spool: Spool, clock: Ticking, home: Home) -> None:
    """Let more be known of two projects than stands in their briefs."""
    choose(home, max_brief_entries=1)
    talk(spool, clock, TEA)
    talk(spool, clock, TABS, cwd=TILL, session_id="s2")
    app.drain(seconds=None)
    app.pin("main", app.remember("main", Said(text="I speak French"), OWNER).id, OWNER)


def choose(home: Home, **chosen: float) -> None:
    lines = [f"{name} = {value}\n" for name, value in chosen.items()]
    (home.path / "config.toml").write_text("[deliver]\n" + "".join(lines), encoding="utf-8")


def asked(text: str = ASKED, **fields: Any) -> Prompt:
    return Prompt(text=text, **{"session": "s9", "directory": SHOP} | fields)


def contents(found: Surfacing) -> list[str]:
    return [hit.content for hit in found.hits]


def surfaced(app: App, prompt: Prompt) -> list[str]:
    """Answer a prompt as the daemon does; return what it was answered with."""
    answer = app.surface("main", prompt)
    app.tell("main", prompt, answer)
    return contents(answer)


def test_a_prompt_is_answered_with_what_fits_it(app: App) -> None:
    found = app.surface("main", asked())

    assert contents(found) == [TEA]
    assert f"- [fact] {TEA} (said by the user" in found.text


@pytest.mark.parametrize(
    "text", ["", "   ", "Good morning", "rename the variable in the parser please", "\0\ud800"]
)
def test_a_prompt_that_nothing_fits_is_answered_with_nothing(text: str, app: App) -> None:
    assert app.surface("main", asked(text, session="")).text == ""


def test_a_group_that_knows_nothing_says_nothing_and_is_not_made(app: App, home: Home) -> None:
    assert app.surface("work", asked()).text == ""
    assert not (home.path / "groups" / "work").exists()


@pytest.mark.parametrize("directory", [TILL, "/elsewhere", ""])
def test_no_project_is_told_of_another(directory: str, app: App) -> None:
    assert app.surface("main", asked(directory=directory)).hits == []


@pytest.mark.parametrize("directory", [SHOP, TILL, "/elsewhere", ""])
def test_what_holds_everywhere_is_told_everywhere(directory: str, app: App) -> None:
    app.remember("main", Said(text="Green tea is brewed at eighty degrees"), OWNER)

    found = app.surface(
        "main", asked("at how many degrees is green tea brewed", directory=directory)
    )

    assert contents(found) == ["Green tea is brewed at eighty degrees"]


def test_joined_projects_are_told_of_each_other(app: App) -> None:
    app.project("main", "join", TILL, SHOP, origin="owner")

    assert contents(app.surface("main", asked(directory=TILL))) == [TEA]


@pytest.mark.parametrize("state", ["quarantined", "forgotten", "superseded"])
def test_what_does_not_stand_is_not_surfaced(state: str, app: App, home: Home) -> None:
    memory = only(app, TEA)
    if state == "quarantined":
        hold(home, memory)
    elif state == "forgotten":
        app.forget("main", Which(ids=(memory.id,)), OWNER)
    else:
        app.correct("main", memory.id, Said(text="Nobody drinks anything"), OWNER)

    assert TEA not in contents(app.surface("main", asked()))


def test_what_was_surfaced_is_not_surfaced_again_in_the_session(app: App) -> None:
    first, second = surfaced(app, asked()), surfaced(app, asked())

    assert (first, second, surfaced(app, asked(session="s8"))) == ([TEA], [], [TEA])


def test_two_sessions_that_hear_the_same_are_two(app: App, spool: Spool, clock: Ticking) -> None:
    answers = []
    for session in ("s8", "s9"):
        prompt = asked(session=session)
        answers.append(app.surface("main", prompt))
        app.tell("main", prompt, answers[-1])
    place = {"session_id": "s9", "cwd": SHOP, "prompt_id": "t", "prompt": ASKED}
    publish(spool, "UserPromptSubmit", clock(), place, answered=answers[1].id)
    app.drain(seconds=None)
    clock.pass_(DAY_NS)

    (found,) = (each for each in app.uses("main").surfaces if each.surface == "prompt")
    assert (found.made, found.heard, found.late) == (2, 1, 1)


def test_what_stands_in_the_brief_of_the_directory_is_not_surfaced(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    app.drain(seconds=None)
    begin = {"session_id": "s9", "cwd": SHOP, "source": "startup"}
    told = app.brief("main", SHOP).id
    publish(spool, "SessionStart", clock(), begin, answered=told)
    app.drain(seconds=None)

    assert surfaced(app, asked()) == []


def test_a_session_that_has_just_begun_has_heard_its_brief_though_nobody_wrote_it_down(
    app: App, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    app.drain(seconds=None)

    assert surfaced(app, asked()) == []
    assert surfaced(app, asked(session="")) == []


def test_a_session_that_began_when_nothing_was_known_has_heard_nothing(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    publish(spool, "SessionStart", clock(), {"session_id": "s9", "cwd": SHOP})
    place = {"session_id": "s9", "cwd": SHOP, "prompt_id": "t", "prompt": "Does the till sell tea"}
    publish(spool, "UserPromptSubmit", clock(), place)
    app.drain(seconds=None)

    assert surfaced(app, asked()) == [TEA]


def test_a_short_prompt_is_understood_by_what_was_said_before_it(
    app: App, spool: Spool, clock: Ticking
) -> None:
    place = {"session_id": "s9", "cwd": SHOP, "prompt_id": "t-1"}
    publish(spool, "UserPromptSubmit", clock(), place | {"prompt": "Which till sells tea here"})
    publish(spool, "Stop", clock(), place | {"last_assistant_message": "The till that sells tea?"})
    app.drain(seconds=None)

    assert app.asked("main", asked("that one")).text.startswith("that one The till that sells tea?")
    assert contents(app.surface("main", asked("that one"))) == [TEA]
    assert contents(app.surface("main", asked("that one", session="s7"))) == []


@pytest.mark.parametrize(("threshold", "is_told"), [(0.0, True), (1.0, False)])
def test_the_threshold_is_the_user_s(
    threshold: float, *, is_told: bool, app: App, home: Home
) -> None:
    choose(home, surface_threshold=threshold, max_brief_entries=1)

    assert bool(app.surface("main", asked()).hits) == is_told


@pytest.mark.parametrize("every", [0, 1, 3])
def test_which_prompts_are_answered_is_the_user_s_choice(every: int, app: App, home: Home) -> None:
    choose(home, surface_every=every)

    assert app.surface_every() == every


def test_after_a_compaction_a_session_is_told_all_of_it_again(app: App, home: Home) -> None:
    choose(home, max_brief_entries=9)

    made = app.told_again("main", asked(), is_new=True)

    assert [each.content for each in made.entries] == ["I speak French", TEA]
    with beside(home) as store:
        assert store.told.get(made.id) is not None


def test_a_resumed_session_is_told_what_is_new_since_its_brief(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    app.drain(seconds=None)
    told = app.brief("main", SHOP).id
    publish(spool, "SessionStart", clock(), {"session_id": "s9", "cwd": SHOP}, answered=told)
    app.drain(seconds=None)
    nothing = app.told_again("main", asked(), is_new=False)
    talk(spool, clock, "The shop opens at nine", session_id="s3")
    app.drain(seconds=None)
    prompt = asked("at what hour does the garden close its gate")
    app.tell("main", prompt, app.surface("main", prompt))

    made = app.told_again("main", asked(), is_new=False)

    assert nothing.text == ""
    assert [each.content for each in made.entries] == ["The shop opens at nine"]


def test_what_came_between_its_brief_and_its_last_prompt_is_news_as_well(
    app: App, spool: Spool, clock: Ticking, home: Home
) -> None:
    choose(home, max_brief_entries=9)
    app.drain(seconds=None)
    told = app.brief("main", TILL).id
    publish(spool, "SessionStart", clock(), {"session_id": "s9", "cwd": TILL}, answered=told)
    talk(spool, clock, "The drawer sticks", cwd=TILL, session_id="s3")
    talk(spool, clock, "The scanner needs its blue cable", cwd=TILL, session_id="s4")
    app.drain(seconds=None)
    prompt = asked("which cable does the scanner need again", directory=TILL)
    answer = app.surface("main", prompt)
    app.tell("main", prompt, answer)
    place = {"session_id": "s9", "cwd": TILL, "prompt_id": "t", "prompt": prompt.text}
    publish(spool, "UserPromptSubmit", clock(), place, answered=answer.id)
    app.drain(seconds=None)

    made = app.told_again("main", asked(directory=TILL), is_new=False)

    assert contents(answer) == ["The scanner needs its blue cable"]
    assert [each.content for each in made.entries] == ["The drawer sticks"]


def test_a_session_of_an_empty_group_is_told_nothing(app: App) -> None:
    assert app.told_again("work", asked(), is_new=True).text == ""
