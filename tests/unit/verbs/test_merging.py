"""Merging: what says the same becomes one, once a day, on the record; the owner can split it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.errors import NotAllowed, NotFound
from tacit.policy import Caller
from tacit.recall.question import Question
from tacit.store.index_port import Scope
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import SPACES, TEA, Ticking, talk
from unit.embedding import Blunt
from unit.verbs.conftest import decided, hold, only, standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.model.memory import Memory

OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent", surface="mcp")
OLD, NEW = "The staging database listens on port 5432", "The staging db listens on port 5432"


@pytest.fixture
def app(home: Home, clock: Ticking) -> Iterator[App]:
    """Return the verbs of a home with an embedder, to which all means the same."""
    del home  # its own
    opened = open_app(now_ns=clock, embedder=Blunt())
    yield opened
    opened.close()


def remember(app: App, *texts: str) -> list[Memory]:
    return [app.remember("main", Said(text=text), OWNER) for text in texts]


def understand(app: App) -> None:
    app.curate("main")
    app.understand("main")


def merge(app: App) -> list[tuple[str, str]]:
    """Merge what is understood; return what stays, and what goes."""
    understand(app)
    return [(each.kept.content, each.merged.content) for each in app.merge("main")]


@pytest.fixture
def merged(app: App) -> Memory:
    """Return a memory that another stands for."""
    remember(app, OLD, NEW, TEA)
    assert merge(app) == [(NEW, OLD)]
    return only(app, OLD)


def found(app: App, **scope: object) -> list[str]:
    question = Question(text=OLD, scope=Scope(layers=("memory",), **scope))  # type: ignore[arg-type]
    return [hit.content for hit in app.search("main", question).hits]


def test_what_says_the_same_becomes_one_by_a_decision_of_the_system(
    app: App, merged: Memory
) -> None:
    (*_, last) = app.audit("main")

    assert standing(app) == sorted([NEW, TEA])
    assert (last.origin, last.decision.verb) == ("system", "merge")
    assert [each.id for each in last.decision.about] == [only(app, NEW).id, merged.id]
    assert last.decision.why == "1.0 alike by minilm-sensing"


def test_what_was_merged_is_superseded_by_what_stays(app: App, merged: Memory) -> None:
    assert (merged.state, merged.superseded_by) == ("superseded", only(app, NEW).id)


@pytest.mark.usefixtures("merged")
def test_what_was_merged_is_found_on_request_only(app: App) -> None:
    assert OLD not in found(app)
    assert OLD in found(app, states=("active", "superseded"))


def test_why_tells_the_chain_and_the_verdict(app: App, merged: Memory) -> None:
    told = [app.why("main", each.id) for each in (merged, only(app, NEW))]

    assert [[each.content for each in why.chain] for why in told] == [[OLD, NEW]] * 2
    assert ["merge" in [each.decision.verb for each in why.decisions] for why in told] == [
        True,
        True,
    ]


@pytest.mark.usefixtures("merged")
def test_made_again_all_is_as_it_was(app: App) -> None:
    rebuilt = app.rebuild("main")

    assert (rebuilt.is_same, rebuilt.missed) == (True, [])
    assert (standing(app), standing(app, "superseded")) == (sorted([NEW, TEA]), [OLD])


@pytest.mark.usefixtures("merged")
def test_merging_again_finds_nothing_more(app: App) -> None:
    before = decided(app)

    assert (merge(app), decided(app)) == ([], before)


def test_where_nothing_is_known_nothing_is_merged(app: App) -> None:
    assert (app.merge("main"), app.is_merge_due("main")) == ([], False)


def test_looking_for_what_is_alike_makes_no_group(app: App, home: Home) -> None:
    app.merge("elsewhere")

    assert not (home.path / "groups" / "elsewhere").exists()


def test_without_an_embedder_nothing_is_merged_and_nothing_is_due(
    home: Home, clock: Ticking, app: App
) -> None:
    remember(app, OLD, NEW)
    understand(app)
    bare = open_app(str(home.path), now_ns=clock)

    found = (bare.merge("main"), bare.is_merge_due("main"))
    bare.close()

    assert (found, standing(app)) == (([], False), sorted([OLD, NEW]))


def test_it_is_due_as_soon_as_something_new_is_understood(app: App) -> None:
    remember(app, TEA)
    before = app.is_merge_due("main")
    understand(app)
    understood = app.is_merge_due("main")
    app.merge("main")

    assert (before, understood, app.is_merge_due("main")) == (False, True, False)


def test_nothing_is_merged_where_curating_is_off(app: App, home: Home) -> None:
    remember(app, OLD, NEW)
    understand(app)

    (home.path / "config.toml").write_text('[curate]\nmode = "off"\n', encoding="utf-8")

    assert app.is_merge_due("main") is False


def test_merging_tells_of_no_place(app: App, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(app, OLD, NEW)
    before = [each.key for each in app.projects("main")]
    monkeypatch.chdir(home.path)  # where the daemon stands

    merge(app)

    assert [each.key for each in app.projects("main")] == before


@pytest.mark.parametrize("content", [OLD, NEW])
def test_what_is_pinned_is_never_merged_away(content: str, app: App) -> None:
    remember(app, OLD, NEW)
    app.pin("main", only(app, content).id, OWNER)

    merge(app)

    assert only(app, content).state == "active"
    assert standing(app) == [content]


def test_what_is_held_or_forgotten_is_not_touched(app: App, home: Home) -> None:
    held, gone, _ = remember(app, OLD, "Staging DB listens on port 5432", NEW)
    understand(app)
    hold(home, held)
    app.forget("main", Which(ids=(gone.id,)), OWNER)

    assert merge(app) == []
    assert [only(app, each.content).state for each in (held, gone)] == ["quarantined", "forgotten"]


def test_split_brings_it_back(app: App, merged: Memory) -> None:
    split = app.split("main", merged.id[:-2], OWNER)

    assert (split.id, split.state, split.superseded_by, split.valid_to) == (
        merged.id,
        "active",
        None,
        None,
    )
    assert standing(app) == sorted([OLD, NEW, TEA])
    assert OLD in found(app)


def test_split_is_for_good(app: App, merged: Memory) -> None:
    app.split("main", merged.id, OWNER)

    assert (merge(app), standing(app)) == ([], sorted([OLD, NEW, TEA]))


def test_made_again_what_was_split_stands_by_itself(app: App, merged: Memory) -> None:
    app.split("main", merged.id, OWNER)

    rebuilt = app.rebuild("main")

    assert (rebuilt.is_same, merge(app)) == (True, [])
    assert standing(app) == sorted([OLD, NEW, TEA])


def test_split_is_for_good_under_another_name_as_well(
    app: App, spool: Spool, clock: Ticking
) -> None:
    for session in ("s1", "s2"):
        talk(spool, clock, OLD, session_id=session, cwd=os.getcwd())  # noqa: PTH109
        app.drain()
    remember(app, NEW)
    assert merge(app) == [(NEW, OLD)]
    before = app.split("main", only(app, OLD).id, OWNER)
    app.undo("main", "s1", OWNER)  # what it began with goes

    again = merge(app)

    assert (only(app, OLD).id != before.id, again, only(app, OLD).state) == (True, [], "active")


@pytest.mark.parametrize("content", [NEW, TEA])
def test_what_stands_cannot_be_split(content: str, app: App, merged: Memory) -> None:
    memory = only(app, content)
    before = decided(app)

    with pytest.raises(NotFound, match="was not merged with another"):
        app.split("main", memory.id, OWNER)

    assert (decided(app), merged.state) == (before, "superseded")


def test_what_was_corrected_cannot_be_split(app: App) -> None:
    (memory,) = remember(app, TEA)
    app.correct("main", memory.id, Said(text=SPACES), OWNER)

    with pytest.raises(NotFound, match="was not merged with another"):
        app.split("main", memory.id, OWNER)

    assert standing(app) == [SPACES]


@pytest.mark.usefixtures("merged")
def test_what_stood_for_another_and_was_corrected_cannot_be_split(app: App) -> None:
    kept = only(app, NEW)
    app.correct("main", kept.id, Said(text=SPACES), OWNER)

    with pytest.raises(NotFound, match="was not merged with another"):
        app.split("main", kept.id, OWNER)

    assert standing(app) == sorted([SPACES, TEA])


def test_what_was_split_and_then_corrected_cannot_be_split_again(app: App, merged: Memory) -> None:
    app.split("main", merged.id, OWNER)
    app.correct("main", merged.id, Said(text=SPACES), OWNER)

    with pytest.raises(NotFound, match="was not merged with another"):
        app.split("main", merged.id, OWNER)

    assert standing(app) == sorted([NEW, SPACES, TEA])


def test_what_is_not_there_cannot_be_split(app: App, merged: Memory) -> None:
    del merged

    with pytest.raises(NotFound, match="There is no memory 'mem-404'"):
        app.split("main", "mem-404", OWNER)


def test_an_agent_without_a_terminal_splits_nothing(app: App, merged: Memory) -> None:
    before = decided(app)

    with pytest.raises(NotAllowed, match="`split` needs the owner at a terminal"):
        app.split("main", merged.id, AGENT)

    assert (decided(app), only(app, OLD).state) == (before, "superseded")


def test_an_agent_at_a_terminal_only_asks_for_it(app: App, merged: Memory) -> None:
    app.split("main", merged.id, Caller(profile="agent", session="s-agent", is_terminal=True))

    assert only(app, OLD).state == "superseded"
    assert [each.memory for each in app.actions("main")] == [merged.id]
