"""Preparing: which directory has which brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.deliver import prepare
from tacit.model.event import Place
from unit.curate.saying import PLACE
from unit.deliver.preparing import SHOP, Bench

if TYPE_CHECKING:
    import pytest


def test_worktrees_of_a_project_are_listed_and_what_lies_inside_it_is_not(bench: Bench) -> None:
    inside = Place(directory="/srv/shop/api", project=SHOP, root="/srv/shop", name="shop")
    beside = Place(directory="/tmp/tree", project=SHOP, root="/srv/shop", name="shop")  # noqa: S108
    bench.visit(PLACE, inside, beside)
    bench.know("mem-1", "The shop uses tabs")

    bench()

    assert bench.listed() == dict.fromkeys(("/srv/shop", "/tmp/tree"), "prj-shop.md") | {  # noqa: S108
        "*": "everywhere.md"
    }


def test_a_part_that_was_split_off_has_a_brief_of_its_own(bench: Bench) -> None:
    part = Place(directory="/srv/shop/api", project="prj-api", root="/srv/shop", name="api")
    below = Place(directory="/srv/shop/api/v1", project="prj-api", root="/srv/shop", name="api")
    bench.visit(PLACE, part, below)
    bench.know("mem-1", "The shop uses tabs")

    bench()

    assert bench.listed() == {
        "/srv/shop": "prj-shop.md",
        "/srv/shop/api": "prj-api.md",
        "*": "everywhere.md",
    }


def test_what_was_split_off_is_not_told_above_it_though_nothing_else_was_seen(
    bench: Bench,
) -> None:
    part = Place(directory="/srv/shop/api", project="prj-api", root="/srv/shop", name="api")
    bench.visit(part)
    bench.know("mem-1", "The interface is old", project="prj-api")

    bench()

    assert bench.listed() == {"/srv/shop/api": "prj-api.md", "*": "everywhere.md"}


def test_a_place_that_is_no_path_is_not_listed(bench: Bench) -> None:
    bench.visit(PLACE, Place(directory="", project="prj-nowhere", root="", name="nowhere"))
    bench.know("mem-1", "The shop uses tabs")

    bench()

    assert set(bench.listed()) == {"/srv/shop", "*"}


def test_of_many_directories_the_last_are_listed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "MOST", 2)
    places = [
        Place(directory=f"/p/{name}", project=f"prj-{name}", root=f"/p/{name}", name=name)
        for name in "abc"
    ]
    bench.visit(*places)
    bench.know("mem-1", "Speaks French", project=None)

    bench()

    assert set(bench.listed()) == {"/p/b", "/p/c", "*"}
