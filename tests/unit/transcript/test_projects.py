"""Projects as their owner sees them: found by what one would call them, changed only by events."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound
from tacit.model.event import Event, Place
from tacit.store.sqlite import engine
from tacit.store.sqlite.opening import open_store
from tacit.transcript import projects
from tacit.transcript.place import locate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.model.event import Record
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.projects import Project

NOON = 1_790_000_000_000_000_000


def counted(size: int) -> bytes:
    """Stand for chance: these bytes are as good as any."""
    return bytes(range(size))


def opened(path: Path) -> SqliteStore:
    return open_store(path, engine.look(path.parent), lambda _store: None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an empty transcript."""
    found = opened(tmp_path / "transcript.db")
    yield found
    found.close()


def place(name: str, root: str = "") -> Place:
    root = root or f"/srv/{name}"
    return Place(directory=root, project=f"prj-{name}", root=root, name=name)


def happen(store: SqliteStore, where: Place, times: int = 1) -> None:
    """Let so many events happen there."""
    first = store.head().seq
    store.append(
        [
            Event(
                id=f"evt-{number}",
                at=NOON,
                received=NOON,
                session=f"s-{where.name}",
                project=where.project,
                client="claude-code",
                turn=None,
                kind="prompt",
                tool=None,
                agent=None,
                origin="user",
                via="live",
                salt=bytes(16),
                body=b"{}",
                place=where,
            )
            for number in range(first, first + times)
        ]
    )


def do(store: SqliteStore, verb: str, which: str, value: str) -> Project:
    """Do what the owner says, and write it down, as the app does."""
    change = projects.change(store, verb, which, value, origin="owner")
    event = projects.event(change, now_ns=NOON, random=counted)
    store.append([replace(event, id=f"evt-own-{store.head().seq}")])
    return projects.apply(store, change)


def seen(store: SqliteStore) -> list[tuple[str, int, list[str]]]:
    return [(each.name, each.events, sorted(each.joined)) for each in projects.listed(store)]


def test_the_most_used_project_comes_first(store: SqliteStore) -> None:
    for name, times in (("pear", 1), ("apple", 3), ("fig", 1)):
        happen(store, place(name), times)

    assert seen(store) == [("apple", 3, []), ("fig", 1, []), ("pear", 1, [])]


def test_a_project_is_meant_by_its_key_its_directory_or_its_name(store: SqliteStore) -> None:
    happen(store, place("apple"))
    happen(store, place("pear"))

    found = [projects.chosen(store, text).key for text in ("prj-pear", "/srv/pear", "pear")]

    assert found == ["prj-pear"] * 3


def test_a_directory_inside_a_project_means_the_project(tmp_path: Path, store: SqliteStore) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    happen(store, locate(str(tmp_path / "shop")))

    found = projects.chosen(store, str(tmp_path / "shop" / "api"))

    assert found.name == "shop"


def test_a_name_that_two_projects_have_is_asked_about(store: SqliteStore) -> None:
    for key in ("prj-1", "prj-2"):
        happen(store, Place(directory=f"/{key}", project=key, root=f"/{key}", name="shop"))

    with pytest.raises(NotFound, match="2 projects: say which of prj-1, prj-2"):
        projects.chosen(store, "shop")


def test_the_key_of_one_project_wins_over_the_name_of_another(store: SqliteStore) -> None:
    happen(store, place("apple"))
    happen(store, Place(directory="/x", project="prj-x", root="/x", name="prj-apple"))

    found = projects.chosen(store, "prj-apple")

    assert found.name == "apple"


@pytest.mark.parametrize("text", ["", "cherry", "/srv/cherry", "prj-", "\0", "../pear", "pea"])
def test_what_nobody_has_seen_is_not_found(store: SqliteStore, text: str) -> None:
    happen(store, place("pear"))

    with pytest.raises(NotFound, match="tacit project list"):
        projects.chosen(store, text)


def test_a_renamed_project_keeps_its_key_and_its_events(store: SqliteStore) -> None:
    happen(store, place("pear"), 2)

    renamed = do(store, "rename", "pear", "Quince")

    assert (renamed.key, renamed.name, renamed.root) == ("prj-pear", "Quince", "/srv/pear")
    assert projects.chosen(store, "Quince") == renamed


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("  two\n words\t", "two words"),
        ("x" * 300, "x" * 100),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x00b", "ab"),
    ],
)
def test_a_new_name_is_one_clean_line(store: SqliteStore, given: str, name: str) -> None:
    happen(store, place("pear"))

    change = projects.change(store, "rename", "pear", given, origin="owner")

    assert change.value == name


@pytest.mark.parametrize("name", ["", "  \n", "\x1b[31m"])
def test_an_empty_name_is_refused(store: SqliteStore, name: str) -> None:
    happen(store, place("pear"))

    with pytest.raises(NotFound, match="empty"):
        projects.change(store, "rename", "pear", name, origin="owner")


def test_a_joined_project_is_counted_with_the_other(store: SqliteStore) -> None:
    happen(store, place("apple"), 2)
    happen(store, place("pear"), 3)

    into = do(store, "join", "pear", "apple")

    assert (into.name, into.joined) == ("apple", ["/srv/pear"])
    assert [(name, joined) for name, _, joined in seen(store)] == [("apple", ["/srv/pear"])]
    assert [row.project for row in store.sessions()] == ["prj-apple", "prj-apple"]


def test_the_directory_of_a_joined_project_means_the_other(store: SqliteStore) -> None:
    happen(store, place("apple"))
    happen(store, place("pear"))

    do(store, "join", "pear", "apple")

    assert projects.chosen(store, "/srv/pear").name == "apple"


def test_a_directory_inside_a_joined_project_means_the_other(
    tmp_path: Path, store: SqliteStore
) -> None:
    (tmp_path / "pear" / ".git").mkdir(parents=True)
    happen(store, place("apple"))
    happen(store, locate(str(tmp_path / "pear")))

    do(store, "join", "pear", "apple")

    assert projects.chosen(store, str(tmp_path / "pear" / "api")).name == "apple"


def test_what_was_joined_to_a_project_goes_along_with_it(store: SqliteStore) -> None:
    for name in ("apple", "pear", "fig"):
        happen(store, place(name), 2)

    do(store, "join", "pear", "apple")
    do(store, "join", "apple", "fig")

    assert [(name, joined) for name, _, joined in seen(store)] == [
        ("fig", ["/srv/apple", "/srv/pear"])
    ]
    assert {row.project for row in store.sessions()} == {"prj-fig"}


@pytest.mark.parametrize("other", ["pear", "prj-pear", "/srv/pear"])
def test_a_project_is_not_joined_to_itself(store: SqliteStore, other: str) -> None:
    happen(store, place("pear"))

    with pytest.raises(NotFound, match="itself"):
        projects.change(store, "join", "pear", other, origin="owner")


def test_two_joined_projects_are_not_joined_the_other_way_round(store: SqliteStore) -> None:
    happen(store, place("apple"))
    happen(store, place("pear"))
    do(store, "join", "pear", "apple")

    with pytest.raises(NotFound):
        projects.change(store, "join", "apple", "/srv/pear", origin="owner")


def test_a_moved_project_has_the_events_of_its_new_directory(
    tmp_path: Path, store: SqliteStore
) -> None:
    happen(store, place("pear"), 2)

    do(store, "move", "pear", str(tmp_path))
    happen(store, locate(str(tmp_path)), 3)

    # two before, the owner's own, three after
    assert [(name, events) for name, events, _ in seen(store)] == [("pear", 6)]


def test_a_project_moved_to_where_it_lies_stays_as_it_is(
    tmp_path: Path, store: SqliteStore
) -> None:
    happen(store, locate(str(tmp_path)))

    moved = do(store, "move", str(tmp_path), str(tmp_path))

    assert (moved.root, moved.joined) == (str(tmp_path), [])


def test_a_change_is_an_event_of_its_owner(store: SqliteStore) -> None:
    happen(store, place("pear"))
    change = projects.change(store, "rename", "pear", "Quince", origin="agent")

    event = projects.event(change, now_ns=NOON, random=counted)

    assert (event.kind, event.origin, event.via, event.session) == ("project", "agent", "cli", "")
    assert (event.project, event.at) == ("prj-pear", NOON)
    assert json.loads(event.body) == {"verb": "rename", "project": "prj-pear", "value": "Quince"}


def replayed(store: SqliteStore, again: SqliteStore, places: list[Place]) -> None:
    """Bring the transcript back from its records alone, as a recovery does."""
    records = list(store.records())
    again.restore(records)
    again.locate(places)
    projects.replay(again, records)


def test_all_changes_outlive_a_rebuild(tmp_path: Path, store: SqliteStore) -> None:
    places = [place("apple"), place("pear"), place("fig"), locate(str(tmp_path))]
    for each in places[:3]:
        happen(store, each)
    do(store, "rename", "fig", "Medlar")
    do(store, "join", "pear", "apple")
    do(store, "move", "Medlar", str(tmp_path))
    again = opened(tmp_path / "again.db")

    replayed(store, again, places)

    assert seen(again) == seen(store)
    again.close()


def test_a_move_outlives_the_directory_it_led_to(tmp_path: Path, store: SqliteStore) -> None:
    (tmp_path / "orchard" / ".git").mkdir(parents=True)
    places = [place("pear"), locate(str(tmp_path / "orchard"))]
    happen(store, places[0])
    do(store, "move", "pear", str(tmp_path / "orchard"))
    happen(store, places[1], 2)
    shutil.rmtree(tmp_path / "orchard")
    again = opened(tmp_path / "again.db")

    replayed(store, again, places)

    assert seen(again) == seen(store)
    again.close()


def told(store: SqliteStore, **fields: object) -> list[Record]:
    """Append an event that renames a project, with some fields made wrong."""
    change = projects.change(store, "rename", "pear", "Quince", origin="owner")
    event = projects.event(change, now_ns=NOON, random=counted)
    return store.append([replace(event, **fields)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "body", [b'{"verb":"drop","project":"prj-pear","value":"x"}', b'["rename"]', b"{}"]
)
def test_an_event_that_says_nothing_known_changes_nothing(store: SqliteStore, body: bytes) -> None:
    happen(store, place("pear"))
    added = told(store, body=body)

    projects.replay(store, added)

    assert [name for name, _, _ in seen(store)] == ["pear"]


@pytest.mark.parametrize("verb", ["rename", "join", "move"])
def test_a_change_of_a_project_that_was_lost_does_not_stop_a_recovery(
    store: SqliteStore, verb: str
) -> None:
    happen(store, place("pear"))
    added = told(
        store, body=f'{{"verb":"{verb}","project":"prj-lost","value":"prj-gone"}}'.encode()
    )

    projects.replay(store, added)

    assert [name for name, _, _ in seen(store)] == ["pear"]


def test_an_event_that_is_not_the_owners_renames_nothing(store: SqliteStore) -> None:
    happen(store, place("pear"))
    added = told(store, kind="prompt")

    projects.replay(store, added)

    assert [name for name, _, _ in seen(store)] == ["pear"]
