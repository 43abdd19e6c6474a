"""Checks of settings: a value as its setting wants it, or a sentence that says what it may be."""

from __future__ import annotations

import pytest

from tacit.errors import SettingsUnreadable
from tacit.settings_check import check_directories, check_value
from tacit.settings_table import TABLE

PATH = "/home/ann/config.toml"


@pytest.mark.parametrize("name", TABLE)
def test_every_default_is_a_value(name: str) -> None:
    assert check_value(name, TABLE[name][0], PATH) == TABLE[name][0]


@pytest.mark.parametrize("name", TABLE)
def test_what_no_setting_may_be_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(SettingsUnreadable, match=name):
        check_value(name, {"a": "table"}, PATH)


def test_directories_are_absolute_as_given_and_as_the_system_knows_them() -> None:
    found = check_directories(["/nowhere/a/../b/**"], "groups.x", PATH)

    assert found == ["/nowhere/b"]


@pytest.mark.parametrize("value", ["/srv", [3], ["srv"], ["/srv/\0"]])
def test_what_is_no_list_of_directories_is_refused(value: object) -> None:
    with pytest.raises(SettingsUnreadable, match=r"groups\.x"):
        check_directories(value, "groups.x", PATH)
