"""`capture.conf`: what is off, what group and brief the rest has, and what it was made from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.capture.conf import Conf, escape, sources, unescape

if TYPE_CHECKING:
    from rig import Home

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def conf(*lines: tuple[str, ...]) -> Conf:
    return Conf("".join("\t".join(escape(field) for field in line) + "\n" for line in lines))


def test_an_empty_file_hinders_nothing() -> None:
    empty = Conf("")

    answers = (
        empty.is_off(["/srv"]),
        empty.group("/srv"),
        empty.brief("/srv"),
        empty.problem,
        empty.excluded,
        empty.sources,
    )

    assert answers == (False, "main", None, "", [], "- -")


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
    [("/srv/shop/api", "two.md"), ("/srv", "one.md"), ("/home", "all.md")],
)
def test_a_brief_is_that_of_the_longest_directory_else_the_one_for_everywhere(
    directory: str, brief: str
) -> None:
    rules = conf(
        ("brief", "main", "all.md", "*"),
        ("brief", "main", "one.md", "/srv"),
        ("brief", "main", "two.md", "/srv/shop"),
    )

    found = rules.brief(directory)

    assert found == brief


def test_without_a_brief_for_everywhere_other_directories_have_none() -> None:
    rules = conf(("brief", "main", "one.md", "/srv"))

    assert rules.brief("/home") is None


def test_what_is_wrong_with_the_settings_is_one_line() -> None:
    rules = conf(("problem", "backup.keep must be a number"))

    assert rules.problem == "backup.keep must be a number"


def test_unknown_lines_are_passed_over() -> None:
    rules = Conf("newer\tthing\t/srv\n\noff\t/srv/private\nlonely\n")

    found = (rules.is_off(["/srv"]), rules.is_off(["/srv/private"]), rules.group("/srv"))

    assert found == (False, True, "main")


@pytest.mark.parametrize(
    "line",
    ["exclude", "exclude\t/srv\t/more", "group\twork", "group", "brief\tb1\tone.md", "off\t/a\t/b"],
)
def test_lines_with_too_few_or_too_many_fields_are_passed_over(line: str) -> None:
    rules = Conf(f"{line}\ngroup\thome\t/me\n")

    found = (rules.is_off(["/srv"]), rules.excluded, rules.brief("/srv"), rules.group("/me"))

    assert found == (False, [], None, "home")


@pytest.mark.parametrize("field", ["100%", "%", "%zz", "a%2", "%-1", "50% of 100%"])
def test_a_stray_percent_sign_is_no_obstacle(field: str) -> None:
    rules = Conf(f"exclude\t/srv/{field}/x\noff\t/srv/private\n")

    assert (len(rules.excluded), rules.is_off(["/srv/private"])) == (1, True)


def test_a_percent_sign_that_escapes_nothing_means_itself() -> None:
    rules = Conf("exclude\t/srv/100%\nexclude\t/srv/%zz\n")

    assert rules.excluded == ["/srv/100%", "/srv/%zz"]


def test_the_file_says_what_it_was_made_from() -> None:
    rules = conf(("sources", "17.17.3.9 -"), ("off", "/srv"))

    assert rules.sources == "17.17.3.9 -"


def test_a_stamp_without_its_value_is_that_of_no_sources() -> None:
    rules = Conf("sources\n")

    assert rules.sources == Conf("").sources


def test_a_home_without_sources_has_the_stamp_of_an_empty_file(root: int) -> None:
    stamp = sources(root)

    assert stamp == Conf("").sources


@pytest.mark.parametrize("name", ["config.toml", "paused"])
def test_the_stamp_stays_while_nothing_changes(name: str, home: Home, root: int) -> None:
    (home.path / name).write_text("text", encoding="utf-8")
    before = sources(root)

    (home.path / "capture.conf").touch()

    assert sources(root) == before


@pytest.mark.parametrize("name", ["config.toml", "paused"])
def test_the_stamp_changes_with_each_source(name: str, home: Home, root: int) -> None:
    stamps = [sources(root)]

    for text in ("first", "longer than that", ""):
        (home.path / name).write_text(text, encoding="utf-8")
        stamps.append(sources(root))
    (home.path / name).unlink()

    assert (len(set(stamps)), sources(root)) == (4, stamps[0])


def test_the_stamp_changes_though_size_and_time_of_writing_are_the_same(
    home: Home, root: int
) -> None:
    (home.path / "config.toml").write_text("one", encoding="utf-8")
    os.utime(home.path / "config.toml", ns=(9, 9))
    before = sources(root)

    (home.path / "other.toml").write_text("two", encoding="utf-8")
    os.utime(home.path / "other.toml", ns=(9, 9))
    (home.path / "other.toml").rename(home.path / "config.toml")

    assert sources(root) != before


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


def test_numbers_are_redacted_unless_a_line_keeps_them() -> None:
    assert [Conf(text).keeps_numbers for text in ("", "keep\tnumbers\n", "keep\tmore\n")] == [
        False,
        True,
        False,
    ]
