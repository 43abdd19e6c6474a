"""Names in a workspace: titles, card ids, file names and links, and none of them leads out of it.

Every name is tried in a process of its own, in which Python's audit events and SQLite's own way to
the disk are traced: nothing outside of the home and the workspace is written, made, renamed or
removed, nothing of the user's own is changed, and nothing is raised.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flow.dying import forked
from flow.keeping import NOW_NS, opened, spool
from flow.tracing import CHOSEN, PIECES, Trace
from flow.working import GROUP, Cards, made, mapping, text
from tacit.install.standing import Around

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.app import App

LATER_NS = NOW_NS + 30 * 3600 * 10**9
PLAIN = re.compile(r"(?:archive/)?[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?\.md(?:\.conflict(?:-\d+)?)?")
MORE = [
    '---\ncard: "x"\n---',
    '"\ncard: "other"\nx: "',
    "../projects/../../outside",
    "archive/../../x",
    "plan.md",
    "con",
    ".tacit-1-00000000",
    "x" * 255,
    "\u2025/\uff0e\uff0e/x",
    "\uff46\uff55\uff4c\uff4c\uff0f\uff57\uff49\uff44\uff45",
]
NAMES = [*CHOSEN, *MORE]


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """Return a directory with a home, a workspace, and something outside of both."""
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.md").write_text("secret", encoding="utf-8")
    made(tmp_path / "home", tmp_path / "papers")
    return tmp_path


def _snapshot(place: Path) -> dict[str, tuple[int, bytes]]:
    """Return everything below a place: what it is, when it was changed, what it holds."""
    return {
        str(file): (
            file.lstat().st_mtime_ns,
            file.read_bytes() if file.is_file() and not file.is_symlink() else b"",
        )
        for file in sorted(place.rglob("*"))
    }


def _calls(cards: Cards, name: str, number: int) -> list[Any]:
    """Return tool calls in which everything is called so, and some that meet it again."""
    blocks = [{"type": name, "content": name}, *text(name)]
    return [
        cards.say("create", name, title=name, blocks=blocks),
        cards.say("create", f"c{number}", title=name, blocks=text(name)),
        cards.say("update", name, title=name + "!", blocks=name),
        cards.say("update", f"c{number}", blocks=[name, {name: name}, 7]),
        cards.say("close", name),
    ]


def _traced(scene: Path, work: Callable[[App], None]) -> list[str]:
    """Do something in a process of its own; return what went wrong or touched other places."""

    def body() -> tuple[int, str]:
        trace = Trace(scene / "home", scene / "papers")
        trace.begin()
        with opened(scene / "home", lambda: LATER_NS) as app:
            work(app)
        return 0, "\n".join(dict.fromkeys(trace.outside))

    ended = forked(body)
    assert ended.code == 0, ended.text
    return ended.text.splitlines()


def _work(app: App) -> None:
    done = app.drain(seconds=None)
    assert (done.waiting, done.troubles) == (0, [])
    assert app.tend(GROUP)
    app.cards(GROUP)
    app.actions(GROUP)


def _is_plain(place: Path) -> list[str]:
    """Return the files in `projects` whose names are not plain, and what maps to none."""
    root = place / "projects"
    files = {str(file.relative_to(root)) for file in root.rglob("*") if not file.is_dir()}
    odd = [file for file in files if not PLAIN.fullmatch(file)]
    lost = [card for card, (_, path, _) in mapping(place).items() if path not in files]
    return odd + lost


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_chosen_title_or_card_leads_nowhere(scene: Path, name: str) -> None:
    name = name.replace("{outside}", str(scene / "outside"))
    before = _snapshot(scene / "outside")
    spool(scene / "home", _calls(Cards(scene / "papers"), name, 1))

    told = _traced(scene, _work)

    assert told == []
    assert _snapshot(scene / "outside") == before
    assert _is_plain(scene / "papers") == []


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_chosen_file_name_is_looked_at_and_no_more(scene: Path, name: str) -> None:
    name = name.replace("{outside}", "outside").replace("/", "_").replace("\0", "_")[:120]
    odd = os.fsdecode(name.encode("utf-8", "surrogateescape" if "\udcff" in name else "replace"))
    for area in ("documents", "ocr", "extractions", "projects"):
        for end in ("", ".md", " (1).md"):
            (scene / "papers" / area / f"x{odd}{end}").write_bytes(b"user's own")
    before = _snapshot(scene)
    cards = Cards(scene / "papers")
    spool(scene / "home", [cards.say("create", "c1", title="x" + name, blocks=text("card"))])

    told = _traced(scene, _work)

    after = _snapshot(scene)
    own = {path: found for path, found in before.items() if _is_users(scene, path)}
    assert told == []
    assert {path: after.get(path) for path in own} == own


def _is_users(scene: Path, path: str) -> bool:
    """Say whether a path is one of the user's own files, not a folder in which something came."""
    inside = Path(path).is_relative_to(scene / "papers")
    return (inside and ".os" not in path and not Path(path).is_dir()) or "outside" in path


LINKS: dict[str, Callable[[Path, Path], object]] = {
    "projects": lambda place, out: _linked(place / "projects", out),
    "archive": lambda place, out: (place / "projects" / "archive").symlink_to(out),
    "documents": lambda place, out: _linked(place / "documents", out),
    "a folder in documents": lambda place, out: (place / "documents" / "x").symlink_to(out),
    "a document": lambda place, out: (place / "documents" / "x.pdf").symlink_to(out / "secret.md"),
    "the page of a card": lambda place, out: (place / "projects" / "plan.md").symlink_to(
        out / "secret.md"
    ),
    "a page that is to come": lambda place, out: (place / "projects" / "plan.md").symlink_to(
        out / "new.md"
    ),
    "a conflict": lambda place, out: (place / "projects" / "plan.md.conflict").symlink_to(
        out / "new.md"
    ),
    "the config": lambda place, out: _linked(place / ".os" / "config.toml", out / "secret.md"),
    "the version": lambda place, out: _linked(place / ".os" / "VERSION", out / "secret.md"),
}


def _linked(place: Path, target: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    place.symlink_to(target)


@pytest.mark.parametrize("which", LINKS)
def test_a_link_inside_that_points_out_is_not_followed(scene: Path, which: str) -> None:
    place, outside = scene / "papers", scene / "outside"
    LINKS[which](place, outside)
    before = _snapshot(outside)
    cards = Cards(place)
    calls = [
        cards.say("create", "c1", title="Plan", blocks=text("one")),
        cards.say("update", "c1", blocks=text("two")),
        cards.say("close", "c1"),
    ]

    def work(app: App) -> None:
        for call in calls:
            spool(scene / "home", [call])
            app.drain(seconds=None)
            app.tend(GROUP)
        app.status()
        app.doctor(around=Around(environment={}, directory=place, home=scene / "home"))

    told = _traced(scene, work)

    assert told == []
    assert _snapshot(outside) == before


@pytest.mark.parametrize("part", [".os", ".os/memory"])
def test_a_memory_that_is_a_link_is_no_memory(scene: Path, part: str) -> None:
    place, outside = scene / "papers", scene / "outside"
    (place / part).rename(outside / "moved")
    (place / part).symlink_to(outside / "moved")
    before = _snapshot(outside)
    spool(scene / "home", [Cards(place).say("create", "c1", title="Plan", blocks=text("one"))])

    def work(app: App) -> None:
        assert app.drain(seconds=None).waiting == 1
        assert app.tend(GROUP)

    assert _traced(scene, work) == []
    assert _snapshot(outside) == before


def _guesses(examples: int) -> list[str]:
    """Return so many names, guessed before anything is traced: guessing itself writes files."""
    found: list[str] = []

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
    def guess(name: str) -> None:
        found.append(name)

    guess()
    return found


def _guessed(scene: Path, names: Sequence[str]) -> None:
    cards = Cards(scene / "papers")
    before = _snapshot(scene / "outside")
    for number, name in enumerate(names):
        spool(scene / "home", _calls(cards, name, number))

    told = _traced(scene, _work)

    assert told == []
    assert _snapshot(scene / "outside") == before
    assert _is_plain(scene / "papers") == []


def test_guessed_names_lead_nowhere(scene: Path) -> None:
    _guessed(scene, _guesses(120))


@pytest.mark.long
def test_ten_thousand_guessed_names_lead_nowhere(scene: Path) -> None:
    names = _guesses(10_000)

    for start in range(0, len(names), 500):
        _guessed(scene, names[start : start + 500])
        shutil.rmtree(scene / "home")
        shutil.rmtree(scene / "papers")
        made(scene / "home", scene / "papers")


def test_front_matter_stays_whole_whatever_stands_in_it(scene: Path) -> None:
    names = [*NAMES, *_guesses(60)]
    cards = Cards(scene / "papers")
    calls = [
        cards.say("create", name, title=name, blocks=[{"type": name}, *text(name)])
        for name in names
    ]
    spool(scene / "home", calls)

    assert _traced(scene, _work) == []

    for file in (scene / "papers" / "projects").rglob("*.md"):
        lines = file.read_text(encoding="utf-8").split("\n")
        assert (lines[0], lines[4]) == ("---", "---")
        assert [line.partition(":")[0] for line in lines[1:4]] == ["card", "title", "mirror"]
        assert all(isinstance(json.loads(line.partition(": ")[2]), str) for line in lines[1:3])
