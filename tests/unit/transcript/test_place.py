"""Places: worktrees share a project, all else is apart, and looking at a directory only looks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.transcript.place import NOWHERE, at, exists, key_of, locate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.model.event import Place

    Make = Callable[[Path], Path]

READ = (".git", "commondir", ".tacit.toml")
CHANGING = frozenset(
    "os.mkdir os.rename os.remove os.rmdir os.link os.symlink os.truncate os.chmod".split()
)


class Watch:
    """Notes, while it is on, which files are opened and what is changed."""

    def __init__(self) -> None:
        self.on = False
        self.opened: list[str] = []
        self.changed: list[str] = []

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event == "open":
            path, _mode, flags = arguments
            self.opened.append(str(path).rpartition("/")[2])
            if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self.changed.append(str(path))
        elif self.on and event in CHANGING:
            self.changed.append(f"{event} {arguments}")


_WATCH = Watch()
sys.addaudithook(_WATCH.hear)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Return a watch on this process's files."""
    _WATCH.opened, _WATCH.changed = [], []
    yield _WATCH
    _WATCH.on = False


def git(directory: Path, *arguments: str) -> None:
    """Run git there, whatever the user's own git is told."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    own |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    command = ["git", *author, *arguments]
    subprocess.run(command, cwd=directory, env=own, check=True, capture_output=True)


def repository(path: Path) -> Path:
    """Make a repository with one commit."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet")
    git(path, "commit", "--quiet", "--allow-empty", "--message", "begin")
    return path


def made(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def say(folder: Path, text: str | bytes) -> None:
    """Write a project file there."""
    raw = text if isinstance(text, bytes) else text.encode()
    (folder / ".tacit.toml").write_bytes(raw)


def project(path: Path) -> str:
    return locate(str(path)).project


def texts(place: Place) -> list[str]:
    return [getattr(place, name) for name in place.__slots__]


def test_a_repository_is_one_project_down_to_its_last_directory(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    deep = made(top / "api" / "src")

    place = locate(str(deep))

    assert (place.project, place.name, place.root) == (project(top), "shop", str(top))
    assert place.directory == str(deep)


def test_worktrees_share_the_project_of_their_repository(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    git(top, "worktree", "add", "--quiet", "../elsewhere")

    place = locate(str(made(tmp_path / "elsewhere" / "api")))

    assert (place.project, place.name, place.root) == (project(top), "shop", str(top))


def test_worktrees_of_a_bare_repository_share_its_project(tmp_path: Path) -> None:
    git(repository(tmp_path / "first"), "clone", "--quiet", "--bare", ".", "../shop.git")
    for name in ("one", "two"):
        git(tmp_path / "shop.git", "worktree", "add", "--quiet", f"../{name}")

    one, two = (locate(str(tmp_path / name)) for name in ("one", "two"))

    assert (one.project, one.name) == (two.project, "shop")


def test_a_repository_whose_git_directory_lies_elsewhere_is_one_project(tmp_path: Path) -> None:
    top = made(tmp_path / "shop")
    git(top, "init", "--quiet", "--separate-git-dir", str(tmp_path / "store"))
    git(top, "commit", "--quiet", "--allow-empty", "--message", "begin")
    git(top, "worktree", "add", "--quiet", "../elsewhere")

    assert project(top) == project(tmp_path / "elsewhere")


def test_a_repository_whose_git_directory_is_a_link_is_one_project(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    (top / ".git").rename(tmp_path / "store.git")
    (top / ".git").symlink_to(tmp_path / "store.git")
    git(top, "worktree", "add", "--quiet", "../elsewhere")

    assert project(top) == project(tmp_path / "elsewhere")


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    made(top / ".git" / "modules" / "fruit")
    (made(top / "fruit") / ".git").write_text("gitdir: ../.git/modules/fruit\n", encoding="utf-8")

    place = locate(str(made(top / "fruit" / "src")))

    assert (place.name, place.project == project(top)) == ("fruit", False)


@pytest.mark.parametrize(
    "pointer", [b"", b"gitdir:", b"gitdir: \0", b"nonsense", b"gitdir: " + b"x" * 70_000]
)
def test_a_pointer_that_points_at_nothing_is_none(tmp_path: Path, pointer: bytes) -> None:
    (made(tmp_path / "shop") / ".git").write_bytes(pointer)

    place = locate(str(tmp_path / "shop"))

    assert (place.name, place.root) == ("shop", str(tmp_path / "shop"))


@pytest.mark.parametrize("pointer", [b"gitdir: \xff\xfe\n", b"gitdir: ../caf\xe9/.git\n"])
def test_a_pointer_that_is_no_text_gives_a_place_that_can_be_written(
    tmp_path: Path, pointer: bytes
) -> None:
    (tmp_path / ".git").write_bytes(pointer)

    place = locate(str(tmp_path))

    assert [text.encode("utf-8", "replace").decode() for text in texts(place)] == texts(place)


def test_a_link_to_a_directory_that_is_no_text_gives_a_place_that_can_be_written(
    tmp_path: Path,
) -> None:
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")  # noqa: PTH102  (a name of bytes)
    except OSError:
        pytest.skip("this filesystem takes only UTF-8")
    (tmp_path / "link").symlink_to(os.fsdecode(b"caf\xe9"))

    place = locate(str(tmp_path / "link"))

    assert [text.encode("utf-8", "replace").decode() for text in texts(place)] == texts(place)


def test_outside_of_git_each_directory_is_its_own_project(tmp_path: Path) -> None:
    inner = made(tmp_path / "notes" / "2026")

    place = locate(str(inner))

    assert (place.name, place.root) == ("2026", str(inner))
    assert place.project != project(inner.parent)


@pytest.mark.parametrize("make", [made, repository])
def test_the_same_basename_twice_is_two_projects(tmp_path: Path, make: Make) -> None:
    one, two = (locate(str(make(tmp_path / parent / "shop"))) for parent in ("a", "b"))

    assert (one.name, two.name, one.project == two.project) == ("shop", "shop", False)


@pytest.mark.parametrize("make", [made, repository])
def test_a_link_to_a_directory_is_that_directory(tmp_path: Path, make: Make) -> None:
    real = make(tmp_path / "shop")
    (tmp_path / "link").symlink_to(real)

    place = locate(str(tmp_path / "link"))

    assert (place.project, place.name) == (project(real), "shop")
    assert place.directory == str(tmp_path / "link")


def test_links_in_a_circle_are_a_place_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    place = locate(str(tmp_path / "a"))

    assert (place.name, exists(str(tmp_path / "a"))) == ("a", False)


def test_a_missing_directory_is_a_place_all_the_same(tmp_path: Path) -> None:
    gone = tmp_path / "gone"

    place = locate(str(gone))

    assert (place.name, place.root, exists(str(gone))) == ("gone", str(gone), False)


def test_a_missing_directory_inside_a_repository_belongs_to_it(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")

    assert project(top / "removed" / "since") == project(top)


def test_no_directory_is_nowhere() -> None:
    place = locate("")

    assert (place, place.name) == (NOWHERE, "nowhere")


def test_the_root_has_a_name() -> None:
    assert locate("/").name == "/"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_closed_directory_is_a_place_all_the_same(tmp_path: Path) -> None:
    closed = made(tmp_path / "closed")
    inner = made(closed / "inner")
    closed.chmod(0)

    place = locate(str(inner))

    closed.chmod(0o700)
    assert place.name == "inner"


def test_a_project_file_splits_a_repository(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    for name in ("web", "app"):
        say(made(top / name), f'project = "{name}"')

    web, app = (locate(str(top / name)) for name in ("web", "app"))

    assert (web.name, app.name, len({web.project, app.project, project(top)})) == ("web", "app", 3)
    assert (web.root, app.root) == (str(top), str(top))


def test_the_nearest_project_file_counts_for_all_below_it(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    say(top, 'project = "all"')
    say(made(top / "web"), 'project = "web"')

    names = [locate(str(made(path))).name for path in (top / "docs", top / "web" / "src")]

    assert names == ["all", "web"]


def test_a_split_is_the_same_in_every_worktree(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    git(top, "worktree", "add", "--quiet", "../elsewhere")
    for work_tree in (top, tmp_path / "elsewhere"):
        say(made(work_tree / "web"), 'project = "web"')

    assert project(top / "web") == project(tmp_path / "elsewhere" / "web")


@pytest.mark.parametrize("make", [made, repository])
def test_a_project_file_never_joins_two_projects(tmp_path: Path, make: Make) -> None:
    tops = [make(tmp_path / name) for name in ("one", "two")]
    for top in tops:
        say(top, 'project = "shared"')

    assert project(tops[0]) != project(tops[1])


def test_a_project_file_above_the_repository_does_not_count(tmp_path: Path) -> None:
    top = repository(tmp_path / "shop")
    before = locate(str(top))

    say(tmp_path, 'project = "everything"')

    assert locate(str(top)) == before


@pytest.mark.parametrize(
    "text",
    [
        'project = "../x"',
        'project = "/srv/shop"',
        'project = "a b"',
        'project = "x\\n"',
        'project = "Grüße"',
        f'project = "{"x" * 65}"',
        'project = ""',
        "project = 3",
        "project = true",
        'project = ["a"]',
        'project = {name = "a"}',
        'project = "a"\nproject = "b"',
        'key = "prj-1"\ngroup = "work"\nroot = "/"',
        "[project]\nname = 'a'",
        "project = ",
        "number = " + "9" * 5000,
        "project = " + "[" * 20_000,
        b"\xff\xfe\0",
        b"",
    ],
    ids=lambda text: ascii(text)[:24],
)
def test_a_hostile_project_file_is_ignored(tmp_path: Path, text: str | bytes) -> None:
    top = repository(tmp_path / "shop")
    before = locate(str(top))

    say(top, text)

    assert locate(str(top)) == before


@pytest.mark.parametrize("text", ["/dev/zero", "/dev/stdin", "/nowhere/at/all"])
def test_a_project_file_that_leads_away_is_ignored(tmp_path: Path, text: str) -> None:
    top = repository(tmp_path / "shop")
    before = locate(str(top))

    (top / ".tacit.toml").symlink_to(text)

    assert locate(str(top)) == before


def test_only_what_tells_the_project_is_opened(tmp_path: Path, watch: Watch) -> None:
    top = repository(tmp_path / "shop")
    git(top, "worktree", "add", "--quiet", "../elsewhere")
    say(tmp_path / "elsewhere", 'project = "web"')
    (tmp_path / "elsewhere" / "secret.txt").write_text("tulip", encoding="utf-8")

    watch.on = True
    locate(str(tmp_path / "elsewhere"))

    assert (sorted(watch.opened), watch.changed) == (sorted(READ), [])


_pieces = st.text(max_size=12) | st.sampled_from(
    ["/", "..", "~", "\0", "\n", "\ud800", "\udcff", "$HOME", "*", "x" * 300, "/dev/fd/0", ".git"]
)


@settings(deadline=None, max_examples=300)
@given(st.lists(_pieces, max_size=8).map("".join), st.booleans())
def test_hostile_directories_are_only_looked_at(text: str, is_absolute: object) -> None:
    directory = f"/{text}" if is_absolute else text
    _WATCH.changed = []

    _WATCH.on = True
    try:
        place = locate(directory)
        exists(directory)
    finally:
        _WATCH.on = False

    assert (place.project[:4], _WATCH.changed) == ("prj-", [])


def test_a_known_place_is_taken_as_it_is_told() -> None:
    place = at("/srv/gone", "prj-1", "/srv", "shop")

    assert texts(place) == ["/srv/gone", "prj-1", "/srv", "shop"]


@settings(deadline=None)
@given(st.text(max_size=20), st.text(max_size=20))
def test_a_key_is_a_plain_word_and_tells_splits_apart(name: str, other: str) -> None:
    common = Path("/srv/shop/.git")

    keys = {key_of(common, split) for split in (name, other)}

    assert len(keys) == len({name, other})
    assert all(len(key) == 16 and key[4:].isalnum() for key in keys)
