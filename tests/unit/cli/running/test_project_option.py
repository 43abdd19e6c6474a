"""The option that names a project: absolute, without links, the current directory by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tacit.cli.reading import project_option

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@project_option
def show(project: str | None) -> None:
    click.echo(project, nl=False)


def shown(*arguments: str) -> str:
    return CliRunner().invoke(show, arguments, catch_exceptions=False).stdout


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop" / "api").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "shop"))
    return tmp_path.resolve()


@pytest.mark.usefixtures("here")
def test_without_the_option_no_project_is_meant() -> None:
    assert shown() == ""


@pytest.mark.parametrize(
    ("arguments", "below"),
    [
        (["--project"], "."),
        (["--project", "."], "."),
        (["--project", "shop"], "shop"),
        (["--project=shop/api/.."], "shop"),
        (["--project", "link/api"], "shop/api"),
        (["--project", "~/api"], "shop/api"),
        (["--project", "not-yet-there"], "not-yet-there"),
    ],
)
def test_a_project_is_an_absolute_directory_without_links(
    arguments: list[str], below: str, here: Path
) -> None:
    found = shown(*arguments)

    assert found == str(here / below)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("arguments", [["--project", ""], ["--project="]])
def test_an_empty_project_is_refused_with_the_way_out(arguments: list[str]) -> None:
    ended = CliRunner().invoke(show, arguments)

    told = "The directory is empty: name one, or leave the value out."
    assert (ended.exit_code, told in ended.stderr) == (2, True)
