"""Patterns: what a glob could match, without a file system, in linear time."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stopwatch import grows_within
from tacit.capture.excluded.pattern import (
    UNKNOWN,
    is_only_wild,
    is_pattern,
    match,
    normalise,
    reaches,
)

PRIVATE = "/home/me/private"


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("", "/"),
        ("/", "/"),
        ("//a///b/", "/a/b"),
        ("/a/./b/.", "/a/b"),
        ("/a/../b", "/b"),
        ("/../../b", "/b"),
        ("/a*/../b", "/b"),
        ("/a/**/b", f"/a/{UNKNOWN}b"),
        (f"/a/{UNKNOWN}/b", f"/a/{UNKNOWN}b"),
        (f"/a/{UNKNOWN}/../b", f"/a/{UNKNOWN}b"),
        (f"/{UNKNOWN}/b", f"/{UNKNOWN}/b"),
        (f"{UNKNOWN}/**/{UNKNOWN}*/b", f"/{UNKNOWN}/b"),
        (f"/a/x{UNKNOWN}/b", f"/a/x{UNKNOWN}/b"),
    ],
)
def test_a_path_is_made_plain(path: str, normal: str) -> None:
    assert normalise(path) == normal


@pytest.mark.parametrize(
    ("path", "is_it", "is_in"),
    [
        ("/home/me/private", True, False),
        ("/home/me/private/a", False, True),
        ("/home/me/privateer", False, False),
        ("/home/me", False, False),
        ("/home/me/pri*", True, False),
        ("/home/me/pri*/a", False, True),
        ("/home/me/*", True, False),
        ("/home/me/*/*", False, True),
        ("/home/*", False, False),
        ("/*/*/*/a", False, True),
        ("/home/me/privat?", True, False),
        ("/home/me/privat??", False, False),
        ("/home?me/private", False, False),
        ("/home*me/private", False, False),
        ("/home/me/[p]rivate", True, False),
        ("/home/me/[!p]rivate", False, False),
        ("/home/me/[^a-o]rivate", True, False),
        ("/home/me/[[:lower:]]rivate/a", False, True),
        ("/home/me/[x[:lower:][:digit:]]rivate/a", False, True),
        ("/home/me/[]p]rivate", True, False),
        ("/home/me/[p-]rivate", True, False),
        ("/home/me/[private", False, False),
        (f"/home/{UNKNOWN}", False, True),
        (f"/home/{UNKNOWN}x", False, True),
        (f"/home/me/pri{UNKNOWN}/a", False, True),
        (f"/srv/{UNKNOWN}", False, False),
        (f"/{UNKNOWN}", False, False),
        (f"/{UNKNOWN}/a", False, False),
        (f"/{UNKNOWN}/*/a", False, False),
        (f"/{UNKNOWN}/private/a", False, True),
        (f"/{UNKNOWN}/my-private/a", False, False),
        (f"/{UNKNOWN}vate/a", False, True),
        (f"/{UNKNOWN}/me/*/a", False, True),
        (f"/{UNKNOWN}.md", False, False),
    ],
)
def test_a_path_could_be_the_directory_or_something_in_it(
    path: str, *, is_it: bool, is_in: bool
) -> None:
    found = reaches(path, PRIVATE)

    assert found[1] is is_in
    assert found[0] is is_it or is_in


@pytest.mark.parametrize("path", ["/srv/[id]/private/a", "/srv/[id]/pri*/a", "/srv/[[]id]/pri*/a"])
def test_a_directory_may_have_a_name_that_looks_like_a_pattern(path: str) -> None:
    assert reaches(path, "/srv/[id]/private") == (False, True)


def test_everything_is_in_the_root() -> None:
    assert reaches("/srv", "/") == (False, True)


NAMES = st.text("ab-[]!?*", max_size=8)


@given(pattern=NAMES, name=st.text("ab-[]!", max_size=8))
@example(pattern="[a-b]*[!-]", name="ab[")
@example(pattern="[!a]", name="b")
def test_a_pattern_for_one_name_matches_what_the_library_says(pattern: str, name: str) -> None:
    assert match(pattern, name)[0] is fnmatchcase(name, pattern)


@pytest.mark.parametrize(
    ("name", "is_wild"), [("*", True), ("???", True), (UNKNOWN, True), ("a*", False), ("", True)]
)
def test_a_name_of_wildcards_alone_is_known(name: str, *, is_wild: bool) -> None:
    assert is_only_wild(name) is is_wild


def test_a_plain_path_is_no_pattern() -> None:
    assert not is_pattern("/home/me/{a}/~$x")
    assert all(is_pattern(f"/a/{char}") for char in ("*", "?", "[", UNKNOWN))


@pytest.mark.parametrize(
    "unit", ["*", "*a", "?", "*?", "[", "*[", "*[a-z]", "[[:alpha:]]", UNKNOWN]
)
def test_time_is_linear_in_the_pattern(unit: str) -> None:
    small, big = ("/home/me/" + unit * (size // len(unit)) for size in (100_000, 400_000))

    assert grows_within(9, lambda: reaches(small, PRIVATE), lambda: reaches(big, PRIVATE))


def test_time_is_linear_in_the_directory() -> None:
    pattern = "/" + "*a" * 500
    small, big = ("/" + "a" * size + "b" for size in (20_000, 80_000))

    assert grows_within(9, lambda: reaches(pattern, small), lambda: reaches(pattern, big))
