"""The top levels: looked at, never followed, never what is private or no project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.deliver.curated import scan
from unit.deliver.curated.reading import check_line

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with some files, beside a home that is elsewhere."""
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    root = tmp_path / "shop"
    for name in ("src/app.py", "src/till/tea.py", "docs/a.md", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def seen(root: Path, *private: str) -> list[str]:
    return scan.lines([str(root)], private)


def test_a_line_tells_what_lies_in_each_directory(shop: Path) -> None:
    assert seen(shop) == [
        "- `shop/`: `docs/`, `src/`, `README.md`",
        "- `shop/docs/`: `a.md`",
        "- `shop/src/`: `till/`, `app.py`",
    ]


def test_a_directory_that_is_gone_or_no_directory_tells_nothing(shop: Path) -> None:
    assert seen(shop / "nowhere") == []
    assert seen(shop / "README.md") == []
    assert scan.lines(["", "relative/path"], []) == []


@pytest.mark.parametrize("above", [".", "..", "../.."])
def test_a_home_and_what_lies_above_it_is_passed_over(
    above: str, tmp_path: Path, shop: Path
) -> None:
    del shop
    home = tmp_path / "somebody"
    home.mkdir()

    assert seen((home / above).resolve()) == []
    assert scan.lines(["/"], []) == []


def test_a_directory_in_which_nothing_lies_tells_nothing(tmp_path: Path, shop: Path) -> None:
    (tmp_path / "empty").mkdir()
    (shop / "bare").mkdir()

    assert seen(tmp_path / "empty") == []
    assert [line for line in seen(shop) if line.startswith("- `shop/bare")] == []


def test_hidden_and_dull_names_are_left_out(shop: Path) -> None:
    for name in (".git", ".env", "node_modules", "__pycache__"):
        (shop / name).mkdir()

    assert seen(shop)[0] == "- `shop/`: `docs/`, `src/`, `README.md`"


def test_links_are_neither_followed_nor_told(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "plan.md").touch()
    (shop / "away").symlink_to(tmp_path / "secret")
    (shop / "plan").symlink_to(tmp_path / "secret" / "plan.md")

    assert not any("plan" in line or "away" in line for line in seen(shop))


def test_what_is_private_is_not_told(shop: Path) -> None:
    assert seen(shop, str(shop)) == []
    assert seen(shop, str(shop.parent)) == []
    assert seen(shop, str(shop / "docs")) == [
        "- `shop/`: `src/`, `README.md`",
        "- `shop/src/`: `till/`, `app.py`",
    ]


def test_a_project_file_may_keep_things_out(shop: Path) -> None:
    (shop / ".tacit.toml").write_text('private = ["docs", "src/till"]\n', encoding="utf-8")
    some = seen(shop)
    (shop / ".tacit.toml").write_text("off = true\n", encoding="utf-8")

    assert some == ["- `shop/`: `src/`, `README.md`", "- `shop/src/`: `app.py`"]
    assert seen(shop) == []


def test_of_many_names_some_are_told_and_how_many_there_are(shop: Path) -> None:
    for number in range(30):
        (shop / "docs" / f"page-{number:02d}.md").touch()

    line = seen(shop)[1]

    assert line.startswith("- `shop/docs/`: `a.md`, `page-00.md`")
    assert line.endswith(", … (31)")
    assert line.count("`page-") == 7


def test_no_more_is_looked_at_than_there_is_time_for(shop: Path) -> None:
    for number in range(scan._LOOKED_AT + 9):  # noqa: SLF001  (the bound is what it is about)
        (shop / "docs" / f"page-{number:04d}.md").touch()
    for number in range(60):
        (shop / f"room-{number:02d}").mkdir()
        (shop / f"room-{number:02d}" / "x").touch()

    lines = seen(shop)

    assert len(lines) <= 1 + scan.MOST_BELOW
    assert lines[1].endswith("or more)")


def test_of_many_projects_a_few_are_looked_at(tmp_path: Path, shop: Path) -> None:
    del shop
    roots = [tmp_path / f"project-{number}" for number in range(9)]
    for root in roots:
        root.mkdir()
        (root / "README.md").touch()

    assert len(scan.lines([str(root) for root in roots], [])) == scan.MOST_ROOTS


@pytest.mark.parametrize(
    "name",
    ["# heading", "[a](http:x)", "`tick`", "@import", "<b>", "a\nb", "\u202ex", "- x", "é" * 80],
)
def test_names_of_files_are_no_markup(name: str, shop: Path) -> None:
    (shop / name).touch()
    (shop / "docs" / name).mkdir()

    for line in seen(shop):
        check_line(line)


def test_a_name_that_is_no_text_is_told_as_well_as_it_can_be(shop: Path) -> None:
    (shop / "docs" / "x\udcff.md").touch()

    assert "`x?.md`" in seen(shop)[1]
