"""Where things lie: one home, chosen by the environment or by the platform."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tacit import paths

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose nothing, be at home at `/home/me`, and stand in a directory of the test's own."""
    monkeypatch.delenv("TACIT_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("chosen", "home"),
    [
        ("/srv/memory", "/srv/memory"),
        ("/srv/memory/", "/srv/memory"),
        ("/srv/../memory", "/memory"),
        ("~/memory", "/home/me/memory"),
        ("~", "/home/me"),
    ],
)
def test_the_home_is_where_tacit_home_says(
    chosen: str, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_HOME", chosen)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")

    found = paths.home()

    assert found == home


def test_a_home_named_from_here_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_HOME", "memory")

    found = paths.home()

    assert found == str(tmp_path / "memory")


@pytest.mark.parametrize(
    ("base", "home"),
    [
        ("/data", "/data/tacit"),
        ("data", "/home/me/.local/share/tacit"),
        ("./data", "/home/me/.local/share/tacit"),
        ("", "/home/me/.local/share/tacit"),
    ],
)
def test_the_directory_for_user_data_counts_only_if_it_is_absolute(
    base: str, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", base)

    found = paths.home()

    assert found == home


@pytest.mark.parametrize("chosen", ["", None])
def test_without_a_choice_the_home_is_below_the_user_s_own(
    chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chosen is not None:
        monkeypatch.setenv("TACIT_HOME", chosen)

    found = paths.home()

    assert found == "/home/me/.local/share/tacit"


def test_on_a_mac_the_home_is_where_applications_keep_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    found = paths.home()

    assert found == "/home/me/Library/Application Support/tacit"


@pytest.mark.parametrize(
    ("path", "directory", "is_under"),
    [
        ("/srv", "/srv", True),
        ("/srv/a/b", "/srv", True),
        ("/srv/a", "/srv/", True),
        ("/srv", "/", True),
        ("/", "/", True),
        ("/srvant", "/srv", False),
        ("/", "/srv", False),
        ("/a/srv", "/srv", False),
    ],
)
def test_a_path_is_under_a_directory_whose_name_it_continues(
    *, path: str, directory: str, is_under: bool
) -> None:
    found = paths.is_under(path, directory)

    assert found is is_under


@pytest.mark.parametrize(
    ("group", "is_proof"),
    [("tacit-proving-1f", True), ("tacit-proving", True), ("main", False), ("proving", False)],
)
def test_the_group_of_a_proof_is_known_by_its_name(*, group: str, is_proof: bool) -> None:
    assert paths.is_proof(group) is is_proof
