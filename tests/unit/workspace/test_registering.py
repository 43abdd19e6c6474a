"""Registering: one line more in the user's settings, and every other byte as it was."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit import settings
from tacit.errors import SettingsUnreadable, WorkspaceRefused
from tacit.workspace.registering import name_for, register, registered, taken

FILES = [
    "",
    "\n",
    "# mine",
    "# mine\n",
    "[backup]\nkeep = 3",
    "[backup]\r\nkeep = 3\r\n",
    "[workspaces]\n",
    "[workspaces]",
    "[workspaces] # mine",
    '[workspaces]\nold = "/srv/old"\n\n[backup]\nkeep = 3\n',
    '[backup]\nkeep = 3\n[ workspaces ]\nold = "/srv/old"',
    'x = """\n[workspaces]\n"""\n',
    '[embed]\nmodel = "[workspaces]"\n',
    "[groups]\nwork = [\n  '~/a', # one\n]\n",
]


def added(text: str, name: str = "papers", directory: str = "/srv/papers") -> str:
    return registered(text.encode(), name, directory, "config.toml").decode()


@pytest.mark.parametrize("text", FILES)
def test_one_entry_more_and_every_other_byte_as_it_was(text: str) -> None:
    found = added(text)

    known = tomllib.loads(text)
    assert tomllib.loads(found) == known | {
        "workspaces": known.get("workspaces", {}) | {"papers": "/srv/papers"}
    }
    lines = iter(found.splitlines(keepends=True))
    assert all(any(line.rstrip("\r\n") in each for each in lines) for line in text.splitlines())


@pytest.mark.parametrize("text", ['workspaces = {a = "/srv"}\n', 'workspaces.a = "/srv"\n'])
def test_what_is_written_in_another_way_is_left_to_the_user(text: str) -> None:
    with pytest.raises(WorkspaceRefused, match='Write `papers = "/srv/papers"`'):
        added(text)


@pytest.mark.parametrize("text", [b"[workspaces", b"\xff", b"a = 1\na = 2\n"])
def test_what_cannot_be_read_is_refused(text: bytes) -> None:
    with pytest.raises(SettingsUnreadable, match="Cannot read"):
        registered(text, "papers", "/srv", "config.toml")


@given(directory=st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
@example("/a\x7fb")
@example('/a"b\\c\n')
def test_any_directory_comes_back_as_it_was(directory: str) -> None:
    found = added("[backup]\nkeep = 3\n", directory=directory)

    assert tomllib.loads(found)["workspaces"] == {"papers": directory}


def test_a_workspace_is_known_once_it_is_registered(tmp_path: Path) -> None:
    for name in ("one", "two"):
        register(str(tmp_path), name, f"/srv/{name}")

    chosen = settings.load(str(tmp_path))
    assert chosen.workspaces == {"one": ["/srv/one"], "two": ["/srv/two"]}
    assert stat.S_IMODE((tmp_path / "config.toml").stat().st_mode) == 0o600


def test_a_file_that_is_a_link_stays_one_and_keeps_its_mode(tmp_path: Path) -> None:
    home, real = tmp_path / "home", tmp_path / "dotfiles.toml"
    home.mkdir()
    real.write_text("# mine\n", encoding="utf-8")
    real.chmod(0o640)
    (home / "config.toml").symlink_to(real)

    register(str(home), "papers", "/srv")

    assert (home / "config.toml").is_symlink()
    assert real.read_text(encoding="utf-8").startswith("# mine\n")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [each.name for each in home.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("directory", "taken_names", "name"),
    [
        ("/srv/My Papers", (), "my-papers"),
        ("/srv/main", (), "main-2"),
        ("/srv/papers", ("papers", "papers-2"), "papers-3"),
        ("/srv/日本", (), "workspace"),
        ("/srv/" + "x" * 200, (), "x" * 60),
        ("/srv/..x", (), "x"),
    ],
)
def test_a_name_follows_from_the_directory(
    directory: str, taken_names: tuple[str, ...], name: str
) -> None:
    assert name_for(Path(directory), taken_names) == name


def test_names_that_mean_something_are_taken(tmp_path: Path) -> None:
    for place in ("groups/a", "backups/b", "spool/done/c"):
        (tmp_path / place).mkdir(parents=True)

    assert taken(tmp_path, ["d"]) == {"a", "b", "c", "d"}


@pytest.mark.parametrize("name", ["tacit-proving", "tacit-proving-2", "Tacit proving"])
def test_a_workspace_is_never_called_like_the_group_of_a_proof(name: str) -> None:
    assert name_for(Path("/srv") / name, {"workspace"}) == "workspace-2"
