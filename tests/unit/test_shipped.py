"""What is shipped: found beside the code of its package, wherever that lies."""

from __future__ import annotations

from tacit import shipped as module
from tacit.shipped import shipped


def test_what_is_shipped_lies_beside_the_code_of_its_package() -> None:
    table = shipped("tacit.recall", "stop.toml")

    assert table.is_file()
    assert table.parent.joinpath("tables.py").is_file()


def test_a_folder_inside_a_package_is_named_step_by_step() -> None:
    assert [each.suffix for each in shipped("tacit.store.sqlite", "migrations", "memory").iterdir()]
    assert shipped("tacit") == shipped(None) == shipped("tacit", ".").absolute()
    assert shipped("tacit").joinpath("shipped.py").samefile(module.__file__)
