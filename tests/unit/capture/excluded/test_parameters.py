"""Parameters: plain changes are followed, others leave all that is possible."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.capture.excluded.expansion import Expander
from tacit.capture.excluded.parameters import changed, split_change
from tacit.capture.excluded.pattern import UNKNOWN


@pytest.mark.parametrize(
    ("change", "mark", "meanings"),
    [
        ("/a/b", "/", [("a", "b")]),
        ("//a", "//", [("a", "")]),
        ("/#a/b", "/#", [("a", "b")]),
        ("/a/b/c", "/", [("a", "b/c"), ("a/b", "c")]),
        ("/${x/a/b}/c", "/", [("${x/a/b}", "c")]),
        ("##*/", "##", [("*/", "")]),
        ("%%b", "%%", [("b", "")]),
        (":1:2", ":", [("1:2", "")]),
        ("^^", "^^", [("", "")]),
        ("[0]", "", [("", "")]),
    ],
)
def test_a_change_is_taken_apart(change: str, mark: str, meanings: list[tuple[str, str]]) -> None:
    assert split_change(change) == (mark, meanings)


@pytest.mark.parametrize(
    ("mark", "value", "pattern", "put", "found"),
    [
        ("/", "aba", "a", "x", ["xba"]),
        ("//", "aba", "a", "x", ["xbx"]),
        ("/#", "aba", "a", "x", ["xba"]),
        ("/#", "aba", "b", "x", ["aba"]),
        ("/%", "aba", "a", "x", ["abx"]),
        ("/%", "aba", "b", "x", ["aba"]),
        ("/", "aba", "", "x", ["aba"]),
        ("/", "aba", "a*", "", ["aba", UNKNOWN]),
        ("/", "aba", "?", "x", ["aba", f"{UNKNOWN}x{UNKNOWN}"]),
        ("#", "aba", "a", "", ["ba"]),
        ("##", "/a/b", "*/", "", ["/a/b", "/a/b", "a/b", "/b", "b", UNKNOWN]),
        ("%", "aba", "a", "", ["ab"]),
        ("%", "/a/b", "/*", "", ["/a/b", "/a", UNKNOWN]),
        (":", "abcd", "1:2", "", ["bc"]),
        (":", "abcd", " -3:2", "", ["bc"]),
        (":", "abcd", ":-1", "", ["abc"]),
        (":", "abcd", "-9", "", ["abcd"]),
        (":", "abcd", "n", "", ["abcd", UNKNOWN]),
        ("^", "ab", "", "", ["Ab"]),
        (",,", "AB", "", "", ["ab"]),
        ("^^", "ab", "[a]", "", ["ab", UNKNOWN]),
    ],
)
def test_a_value_is_changed_as_far_as_that_can_be_told(
    mark: str, value: str, pattern: str, put: str, found: list[str]
) -> None:
    assert changed(mark, value, pattern, put) == found


@pytest.mark.parametrize(
    "word",
    [
        "${a/x/" * 400 + "y" + "}" * 400,
        "${a//" + "/x" * 3000 + "}",
        "${a/$b$c/$b$c}" * 300,
        "${a:-" * 1000 + "x" + "}" * 1000,
        "${a%" * 1000,
    ],
)
def test_however_it_is_nested_it_comes_to_an_end(word: str) -> None:
    shell = Expander("/home/me", lambda _: "")
    for name in "abc":
        shell.assign(name, [f"/{name}{number}/x" for number in range(64)])

    assert cpu_seconds(lambda: shell.words(word), tries=1) < 1.0
