"""The façade over decisions: each is written down, carried out and told; no secret gets in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.work import LEASE_NS
from tacit.errors import MemoryRefused, NotAllowed, NotFound, StoreBusy
from tacit.model.memory import LONGEST_CONTENT
from tacit.policy import HOUR_NS, MOST_AN_HOUR, Caller
from tacit.store.memory_port import Wanted
from tacit.verbs import decisions as verbs
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import SPACES, TABS, Ticking, talk
from unit.verbs.conftest import beside, decided, hold, only, standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.model.memory import Memory

OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent", surface="mcp")
PASSWORD = "Vq7-tulip-Lamp42"  # noqa: S105  (nobody's)
SECRET = f"The staging password={PASSWORD} is rotated every week"
BARE = f"The staging password is {PASSWORD}"


@pytest.fixture
def known(app: App, spool: Spool, clock: Ticking) -> Memory:
    """Return a memory that the user asked for."""
    talk(spool, clock, TABS)
    app.drain()
    return only(app, TABS)


def remember(app: App, text: str, caller: Caller = OWNER, **said: Any) -> Memory:
    return app.remember("main", Said(text=text, **said), caller)


def test_what_is_remembered_is_there_at_once(app: App) -> None:
    memory = remember(app, f" {TABS}\n", kind="learning", tags=("style",), importance=5)

    assert (memory.content, memory.kind, memory.tags, memory.importance) == (
        TABS,
        "fact",
        ("style",),
        5,
    )
    assert (memory.origin, memory.via, memory.state, memory.session) == (
        "owner",
        "cli",
        "active",
        "",
    )
    assert (app.memory("main", memory.id), decided(app)) == (memory, [("owner", "remember")])


def test_what_is_remembered_is_about_the_user_or_a_project(app: App, known: Memory) -> None:
    everywhere = remember(app, SPACES)
    there = remember(app, "No indent", project=known.project)

    assert (everywhere.project, there.project is not None, there.project) == (
        None,
        True,
        known.project,
    )


def test_what_is_remembered_twice_is_one_memory(app: App, known: Memory) -> None:
    again = remember(app, TABS.upper(), project=known.project)

    assert (again.id, again.origin, len(app.list("main", Wanted(states=None)))) == (
        known.id,
        "owner",
        1,
    )


@pytest.mark.parametrize(
    "said",
    [
        {"text": " "},
        {"text": "x" * (LONGEST_CONTENT + 1)},
        {"text": TABS, "kind": "rumour"},
        {"text": TABS, "tags": ("x" * 51,)},
        {"text": TABS, "importance": 6},
    ],
    ids=lambda said: list(said)[-1],
)
@pytest.mark.parametrize("verb", ["remember", "correct"])
def test_what_is_out_of_bounds_is_refused_and_not_written_down(
    verb: str, said: dict[str, Any], app: App, known: Memory
) -> None:
    tries: dict[str, Callable[[], object]] = {
        "remember": lambda: app.remember("main", Said(**said), OWNER),
        "correct": lambda: app.correct("main", known.id, Said(**said), OWNER),
    }

    with pytest.raises(MemoryRefused):
        tries[verb]()

    assert decided(app) == []


@pytest.mark.parametrize("said", [{"text": SECRET}, {"text": TABS, "tags": (BARE,)}], ids=str)
def test_a_secret_is_never_written_down(said: dict[str, Any], app: App, home: Home) -> None:
    app.remember("main", Said(**said), OWNER)

    assert PASSWORD.encode() not in home.bytes_on_disk()


def test_what_is_nothing_but_a_secret_is_refused_with_the_reason(app: App, home: Home) -> None:
    with pytest.raises(MemoryRefused, match="Secrets are not kept"):
        app.remember("main", Said(text=BARE), OWNER)

    assert decided(app) == []
    assert PASSWORD.encode() not in home.bytes_on_disk()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("From now on write commit messages in the imperative mood.", "instruction"),
        ("Never push to main.", "instruction"),
        ("I prefer short answers", "preference"),
        ("The staging server is in Oslo", "fact"),
    ],
)
def test_what_is_remembered_without_a_kind_gets_the_one_it_has(
    text: str, kind: str, app: App
) -> None:
    assert app.remember("main", Said(text=text), OWNER).kind == kind


def test_a_secret_in_a_correction_is_never_written_down(
    app: App, known: Memory, home: Home
) -> None:
    app.correct("main", known.id, Said(text=SECRET), OWNER)

    assert PASSWORD.encode() not in home.bytes_on_disk()


def test_what_is_too_long_without_its_secrets_is_refused(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "_PATIENCE", 0.1)
    long = " ".join([f"password: {PASSWORD[:9]}{number}," for number in range(100)])[:1990]

    with pytest.raises(MemoryRefused):
        remember(app, long)


def test_only_what_is_remembered_makes_a_group(app: App, home: Home) -> None:
    tries: list[Callable[[], object]] = [
        lambda: app.correct("work", "mem", Said(text=TABS), OWNER),
        lambda: app.pin("work", "mem", OWNER),
        lambda: app.undo("work", "s1", OWNER),
        lambda: app.resolve("work", "act", OWNER),
        lambda: app.forget("work", Which(matching="x"), OWNER),
    ]
    for each in tries:
        with pytest.raises(NotFound):
            each()
    before = (home.path / "groups").exists()

    app.remember("work", Said(text=TABS), OWNER)

    assert (before, (home.path / "groups" / "work").exists()) == (False, True)


def test_a_correction_is_returned_and_stands(app: App, known: Memory) -> None:
    new = app.correct("main", known.id, Said(text=SPACES, tags=("style",)), OWNER)

    assert (new.content, new.tags, new.kind, new.project) == (
        SPACES,
        ("style",),
        known.kind,
        known.project,
    )
    assert (standing(app), standing(app, "superseded")) == ([SPACES], [TABS])


def test_a_correction_that_says_the_same_returns_what_stands(app: App, known: Memory) -> None:
    found = app.correct("main", known.id, Said(text=TABS.upper()), OWNER)

    assert (found, standing(app)) == (app.memory("main", known.id), [TABS.upper()])


@pytest.mark.parametrize("origin", ["user", "owner"])
def test_the_same_words_can_be_given_another_kind_weight_and_tags(
    origin: str, app: App, known: Memory
) -> None:
    own = remember(app, SPACES, importance=5, tags=("old",)) if origin == "owner" else known
    said = Said(text=own.content, kind="preference", importance=1, tags=("style",))

    found = app.correct("main", own.id, said, OWNER)

    assert (found.content, found.kind, found.importance) == (own.content, "preference", 1)
    assert found.tags[0] == "style"


def test_what_is_forgotten_cannot_be_corrected(app: App, known: Memory) -> None:
    app.forget("main", Which(ids=(known.id,)), OWNER)

    with pytest.raises(NotFound, match="Use `tacit remember` for what is true now"):
        app.correct("main", known.id, Said(text=SPACES), OWNER)


def test_an_agent_s_word_is_an_agent_s(app: App) -> None:
    memory = remember(app, TABS, AGENT)

    assert (memory.origin, memory.via, memory.session) == ("agent", "mcp", "s-agent")


def test_an_agent_s_correction_of_the_user_asks_the_owner(app: App, known: Memory) -> None:
    new = app.correct("main", known.id, Said(text=SPACES), AGENT)

    (action,) = app.actions("main")
    assert (new.origin, standing(app), action.memory) == (
        "agent",
        sorted([TABS, SPACES]),
        known.id,
    )


def test_an_agent_decides_at_a_bounded_pace(
    app: App, clock: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.policy.MOST_AN_HOUR", 3)  # sixty take seconds
    for number in range(3):
        remember(app, f"Number {number} counts", AGENT)

    with pytest.raises(NotAllowed, match="times an hour"):
        remember(app, TABS, AGENT)
    remember(app, SPACES)
    clock.pass_(HOUR_NS)

    assert (remember(app, TABS, AGENT).content, MOST_AN_HOUR) == (TABS, 60)


@pytest.mark.parametrize(
    "verb", ["remember", "correct", "pin", "unpin", "accept", "reject", "undo", "resolve", "forget"]
)
def test_an_audit_tells_through_which_surface_it_was_decided(
    verb: str, app: App, known: Memory, home: Home
) -> None:
    app.pin("main", known.id, AGENT)
    (action,) = app.actions("main")
    if verb in {"accept", "reject"}:
        hold(home, known)
    caller = Caller(surface="http")
    tries: dict[str, Callable[[], object]] = {
        "remember": lambda: app.remember("main", Said(text=SPACES), caller),
        "correct": lambda: app.correct("main", known.id, Said(text=SPACES), caller),
        "forget": lambda: app.forget("main", Which(ids=(known.id,)), caller),
        "undo": lambda: app.undo("main", "s1", caller),
        "resolve": lambda: app.resolve("main", action.id, caller),
    }

    (tries.get(verb) or partial(getattr(app, verb), "main", known.id, caller))()

    told = app.audit("main")[-1].decision
    assert (told.verb, told.surface) == (verb, "http")


@pytest.mark.parametrize("verb", ["forget", "correct"])
def test_the_owner_s_new_word_counts_even_if_the_clock_went_back(
    verb: str, app: App, clock: Ticking, known: Memory
) -> None:
    if verb == "correct":
        app.correct("main", known.id, Said(text=SPACES), OWNER)
    else:
        app.forget("main", Which(ids=(known.id,)), OWNER)
    clock.pass_(-HOUR_NS)

    remember(app, TABS, project=known.project)

    assert TABS in standing(app)


def test_a_decision_waits_for_another_at_work_and_says_so_in_the_end(
    app: App, known: Memory, home: Home, clock: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "_PATIENCE", 0.1)
    with beside(home) as store:
        store.jobs.enqueue(("turn", "s1", "turn-x"), 1, clock(), partial=False)
        held = store.jobs.claim(clock(), clock() + LEASE_NS, "another")
        assert held is not None

        with pytest.raises(StoreBusy, match="It is written down, and takes effect once"):
            app.pin("main", known.id, OWNER)

        assert store.jobs.finish(held)
    assert (app.curate("main").done, app.memory("main", known.id).pinned) == (1, True)
