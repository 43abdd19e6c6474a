"""The version that the package says is the one it was installed as."""

from __future__ import annotations

from importlib import metadata

from tacit.version import VERSION


def test_it_is_the_version_that_was_installed() -> None:
    assert metadata.version("tacit") == VERSION
