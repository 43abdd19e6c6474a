"""`capture.conf`: which directories are off, and what group and brief the others have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.capture.conf import Conf, escape, unescape

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def conf(*lines: tuple[str, ...]) -> Conf:
    return Conf("".join("\t".join(escape(field) for field in line) + "\n" for line in lines))


def test_an_empty_file_hinders_nothing() -> None:
    empty = Conf("")

    answers = (
        empty.is_off(["/srv"]),
        empty.group("/srv"),
        empty.brief("/srv"),
        empty.daemon,
        empty.excluded,
    )

    assert answers == (False, "main", None, [], [])


def test_off_alone_is_off_everywhere() -> None:
    paused = conf(("off",))

    assert paused.is_off(["/anywhere"])


@pytest.mark.parametrize("kind", ["off", "exclude"])
@pytest.mark.parametrize(
    ("directory", "is_off"),
    [
        ("/srv/private", True),
        ("/srv/private/deep/below", True),
        ("/srv/privateer", False),
        ("/srv", False),
        ("/", False),
    ],
)
def test_off_and_excluded_mean_the_directory_and_all_below(
    *, kind: str, directory: str, is_off: bool
) -> None:
    rules = conf((kind, "/srv/private"))

    found = rules.is_off([directory])

    assert found is is_off


def test_one_directory_that_is_off_is_enough() -> None:
    rules = conf(("off", "/srv/private"))

    found = rules.is_off(["/home/me", "/srv/private", "/opt/x"])

    assert found


def test_the_root_directory_covers_everything() -> None:
    rules = conf(("off", "/"))

    assert rules.is_off(["/srv"])


def test_excluded_directories_are_listed_and_paused_ones_are_not() -> None:
    rules = conf(("exclude", "/a"), ("off", "/b"), ("exclude", "/c"))

    assert rules.excluded == ["/a", "/c"]


@pytest.mark.parametrize(
    ("directory", "group"),
    [
        ("/srv", "wide"),
        ("/srv/shop", "narrow"),
        ("/srv/shop/api", "narrow"),
        ("/srv/shopping", "wide"),
        ("/home", "main"),
    ],
)
def test_the_longest_listed_directory_gives_the_group(directory: str, group: str) -> None:
    rules = conf(("group", "narrow", "/srv/shop"), ("group", "wide", "/srv"))

    found = rules.group(directory)

    assert found == group


@pytest.mark.parametrize(
    ("directory", "brief"),
    [("/srv/shop/api", ("b2", "two.md")), ("/srv", ("b1", "one.md")), ("/home", ("b0", "all.md"))],
)
def test_a_brief_is_that_of_the_longest_directory_else_the_one_for_everywhere(
    directory: str, brief: tuple[str, str]
) -> None:
    rules = conf(
        ("brief", "b0", "all.md", "*"),
        ("brief", "b1", "one.md", "/srv"),
        ("brief", "b2", "two.md", "/srv/shop"),
    )

    found = rules.brief(directory)

    assert found == brief


def test_without_a_brief_for_everywhere_other_directories_have_none() -> None:
    rules = conf(("brief", "b1", "one.md", "/srv"))

    assert rules.brief("/home") is None


def test_the_daemon_is_a_program_and_its_arguments() -> None:
    rules = conf(("daemon", "/opt/my python", "-m", "tacit\tdaemon"))

    assert rules.daemon == ["/opt/my python", "-m", "tacit\tdaemon"]


def test_unknown_lines_are_passed_over() -> None:
    rules = Conf("newer\tthing\t/srv\n\noff\t/srv/private\nlonely\n")

    found = (rules.is_off(["/srv"]), rules.is_off(["/srv/private"]), rules.group("/srv"))

    assert found == (False, True, "main")


@given(text=ANY_TEXT)
def test_unescaping_undoes_escaping(text: str) -> None:
    assert unescape(escape(text)) == text


@given(text=ANY_TEXT)
def test_an_escaped_field_ends_neither_itself_nor_its_line(text: str) -> None:
    escaped = escape(text)

    assert not {"\t", "\n"} & set(escaped)


@given(path=ANY_TEXT.map(lambda text: "/" + text), name=st.sampled_from(["work", "a-b"]))
def test_any_path_is_found_again_in_the_file(path: str, name: str) -> None:
    rules = conf(("exclude", path), ("group", name, path))

    assert (rules.excluded, rules.group(path)) == ([path], name)
