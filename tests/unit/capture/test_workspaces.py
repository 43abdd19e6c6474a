"""Workspaces: what the user's settings say, read again when they change, never forgotten."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.capture import compile as capture_conf
from tacit.capture.conf import Conf
from tacit.capture.workspaces import Workspaces

if TYPE_CHECKING:
    from rig import Home

TEXT = '[workspaces]\npapers = "/nowhere/papers"\n'


@pytest.fixture
def workspaces(home: Home, root: int) -> Workspaces:
    return Workspaces(root, str(home.path))


def choose(home: Home, text: str) -> None:
    file = home.path / "config.toml"
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(0, len(text)))  # another time for another text


def test_without_settings_there_is_none(workspaces: Workspaces) -> None:
    assert workspaces.all() == {}


def test_an_edit_counts_at_once(home: Home, workspaces: Workspaces) -> None:
    found = [workspaces.all()]
    for text in (TEXT, TEXT + 'more = "/nowhere/more"\n', ""):
        choose(home, text)
        found.append(workspaces.all())

    assert [list(each) for each in found] == [[], ["papers"], ["papers", "more"], []]


def test_while_settings_cannot_be_read_what_was_known_counts(
    home: Home, workspaces: Workspaces
) -> None:
    choose(home, TEXT)
    before = workspaces.all()

    choose(home, "[workspaces")

    assert (before, workspaces.all()) == ({"papers": "/nowhere/papers"}, before)


def test_a_program_that_comes_later_knows_it_from_what_the_hook_knows(
    home: Home, root: int
) -> None:
    choose(home, '[workspaces]\nodd = "/nowhere/a b%\\tc"\n')
    capture_conf.refresh(root, str(home.path))
    choose(home, "[workspaces")
    capture_conf.refresh(root, str(home.path))

    found = Workspaces(root, str(home.path)).all()

    assert found == {"odd": "/nowhere/a b%\tc"}


def test_the_hook_knows_a_workspace_as_a_group(home: Home, root: int) -> None:
    choose(home, TEXT)

    capture_conf.refresh(root, str(home.path))

    conf = Conf((home.path / "capture.conf").read_text(encoding="utf-8"))
    assert [conf.group(each) for each in ("/nowhere/papers/x", "/nowhere")] == ["papers", "main"]
