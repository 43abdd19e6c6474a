"""What is installed for these tests is pinned by hash, and nothing says from where."""

from __future__ import annotations

import json
from pathlib import Path

LOCK = json.loads(Path(__file__).with_name("package-lock.json").read_text(encoding="utf-8"))
PACKAGES = [each for name, each in LOCK["packages"].items() if name]


def test_each_package_is_pinned_by_hash() -> None:
    assert PACKAGES
    assert all(each["integrity"].startswith("sha512-") for each in PACKAGES)


def test_no_package_names_the_host_that_it_comes_from() -> None:
    assert [each for each in PACKAGES if "resolved" in each] == []
