"""Links: followed as the kernel follows them, each looked up once, and not without end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.capture.excluded import links as module
from tacit.capture.excluded.links import Links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path.resolve()
    (tree / "real" / "deep").mkdir(parents=True)
    (tree / "link").symlink_to("real")
    (tree / "absolute").symlink_to(tree / "real")
    (tree / "real" / "up").symlink_to("../link/deep")
    (tree / "loop").symlink_to("loop")
    (tree / "gone").symlink_to("nowhere/at/all")
    return tree


@pytest.mark.parametrize(
    "path",
    [
        "real/deep/a", "link/deep/a", "absolute/deep/a", "real/up/a", "link/up/a", "gone/a",
        "link/../real/a", "link/up/../a", "./link//deep/./a", "nowhere/a", "real/deep/../../link",
    ],
)  # fmt: skip
def test_a_path_is_resolved_as_the_library_does(tree: Path, path: str) -> None:
    found = Links().resolve(path, str(tree))

    assert found == os.path.realpath(f"{tree}/{path}")
    assert found == Links().resolve(f"{tree}/{path}")


def test_a_loop_ends(tree: Path) -> None:
    assert Links().resolve("loop/a", str(tree)).startswith(str(tree))


@pytest.mark.parametrize("path", ["/", "", "/..", "/../.."])
def test_the_root_is_above_nothing(path: str) -> None:
    assert Links().resolve(path) == "/"


@pytest.mark.parametrize("path", ["/a\0b/c", "/\ud800/c", "/" + "a" * 300 + "/c", "/a" * 5000])
def test_a_path_that_no_file_can_have_is_left_as_it_is(path: str) -> None:
    assert Links().resolve(path).endswith(path[-2:])


def test_there_is_an_end_to_what_is_looked_up(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_LOOKUPS", 20)
    links = Links()

    for name in range(10):
        links.resolve(f"x{name}", str(tree))
    before = links.is_exhausted
    for name in range(20):
        links.resolve(f"y{name}", str(tree))

    assert (before, links.is_exhausted) == (False, True)
