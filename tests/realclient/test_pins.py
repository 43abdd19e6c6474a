"""What is installed for these tests is pinned by hash, and nothing says from where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_each_package_of_the_client_is_pinned_by_hash() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))

    packages = [each for name, each in lock["packages"].items() if name]

    assert packages
    assert all(each["integrity"].startswith("sha512-") for each in packages)


def test_each_package_of_the_sdk_is_pinned_by_hash() -> None:
    lines = (HERE / "sdk.lock").read_text(encoding="utf-8").splitlines()

    pins = [line for line in lines if "==" in line]

    assert pins
    assert all(line.endswith("\\") for line in pins)


@pytest.mark.parametrize("name", ["package-lock.json", "sdk.lock"])
def test_no_lock_names_a_host(name: str) -> None:
    lock = (HERE / name).read_text(encoding="utf-8")

    assert "://" not in lock
