"""Home directories come from the system's list of users, not from the environment."""

from __future__ import annotations

import os
import pwd

import pytest

from tacit.guard.home_directory import home_of, in_own_home

OWN = pwd.getpwuid(os.getuid())


def test_the_user_s_own_home_does_not_depend_on_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/nowhere")

    assert home_of() == OWN.pw_dir
    assert home_of(OWN.pw_name) == OWN.pw_dir


@pytest.mark.parametrize("user", ["nobody-of-this-name", "a\0b", "\ud800"])
def test_somebody_who_is_not_there_has_no_home(user: str) -> None:
    assert home_of(user) == ""


@pytest.mark.parametrize(
    ("path", "found"),
    [("~", OWN.pw_dir), ("~/a/b", f"{OWN.pw_dir}/a/b"), ("~other/a", "/x"), ("/a", "/x")],
)
def test_a_path_from_home_is_in_the_user_s_own(path: str, found: str) -> None:
    assert in_own_home(path, "/x") == found
