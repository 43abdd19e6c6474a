"""Projects: known from the places of events, named and joined by their owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.conftest import event, place
from tacit.store.port import ProjectRow

if TYPE_CHECKING:
    from tacit.store.port import Store


def project(store: Store, key: str) -> ProjectRow:
    return next(row for row in store.projects() if row.key == key)


def test_a_new_store_knows_no_project(store: Store) -> None:
    found = (store.projects(), store.place("/somewhere"))

    assert found == ([], None)


def test_a_located_project_is_known_with_its_root_and_name(store: Store) -> None:
    store.locate([place("/one/sub", "key-1", root="/one", name="one")])

    found = store.projects()

    assert found == [ProjectRow(key="key-1", root="/one", name="one", joined=None, events=0)]


def test_a_directory_is_known_to_belong_to_its_project(store: Store) -> None:
    store.locate([place("/one", "key-1"), place("/one/sub", "key-1"), place("/two", "key-2")])

    found = [store.place(each) for each in ("/one", "/one/sub", "/two", "/one/other", "/on_")]

    assert found == ["key-1", "key-1", "key-2", None, None]


def test_a_directory_belongs_to_the_project_where_it_was_last_seen(store: Store) -> None:
    store.locate([place("/one", "key-1")])

    store.locate([place("/one", "key-2")])

    assert store.place("/one") == "key-2"


def test_a_project_keeps_the_root_and_name_it_was_first_seen_with(store: Store) -> None:
    store.locate([place("/one", "key-1", name="one")])

    store.locate([place("/elsewhere", "key-1", name="other")])

    assert (project(store, "key-1").root, project(store, "key-1").name) == ("/one", "one")


def test_the_most_used_project_comes_first(store: Store) -> None:
    store.locate([place("/a", "a"), place("/b", "b"), place("/c", "c")])
    store.append([event("1", project="c"), event("2", project="b"), event("3", project="c")])

    found = [(row.key, row.events) for row in store.projects()]

    assert found == [("c", 2), ("b", 1), ("a", 0)]


def test_a_project_is_called_what_its_owner_calls_it(store: Store) -> None:
    store.locate([place("/one", "key-1"), place("/two", "key-2", name="two")])

    store.rename("key-1", "it's; DROP TABLE projects; --")

    assert project(store, "key-1").name == "it's; DROP TABLE projects; --"
    assert project(store, "key-2").name == "two"


def test_a_name_outlives_the_next_sight_of_the_project(store: Store) -> None:
    store.locate([place("/one", "key-1")])
    store.rename("key-1", "mine")

    store.append([event("a", project="key-1", place=place("/one", "key-1"))])

    assert project(store, "key-1").name == "mine"


def test_renaming_what_is_not_known_changes_nothing(store: Store) -> None:
    store.locate([place("/one", "key-1")])
    before = store.projects()

    store.rename("key-%", "other")

    assert store.projects() == before


def test_a_joined_project_says_to_which(store: Store) -> None:
    store.locate([place("/one", "key-1"), place("/two", "key-2")])

    store.join("key-1", "key-2")

    assert (project(store, "key-1").joined, project(store, "key-2").joined) == ("key-2", None)


def test_a_join_can_be_undone(store: Store) -> None:
    store.locate([place("/one", "key-1"), place("/two", "key-2")])
    store.join("key-1", "key-2")

    store.join("key-1", None)

    assert project(store, "key-1").joined is None


def test_a_join_changes_no_event_and_no_place(store: Store) -> None:
    (before,) = store.append([event("a", project="key-1", place=place("/one", "key-1"))])
    store.locate([place("/two", "key-2")])

    store.join("key-1", "key-2")

    assert (store.find(["a"]), store.place("/one")) == ([before], "key-1")


def test_a_root_tells_where_a_project_lies_and_what_it_is_called(store: Store) -> None:
    store.append([event("e-1", place=place("/srv/a", "project-1"))])
    store.append([event("e-2", place=place("/srv/b", "project-2"))])

    store.rename("project-1", "tea")
    store.join("project-2", "project-1")

    assert [tuple(row) for row in store.roots()] == [
        ("project-1", "/srv/a", None, "tea"),
        ("project-2", "/srv/b", "project-1", "name of project-2"),
    ]
