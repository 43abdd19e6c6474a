"""A desk with a real memory, a real transcript and real files, and what its tests share."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import IN_MEMORY, NOON, event, place
from contract.memories import fact, put
from tacit.deliver.curated import deployed, keep
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated import place as places
from tacit.deliver.curated.deployed import Deployment
from tacit.deliver.curated.desk import Desk, Surroundings
from tacit.recall.analyse import tokens
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from tacit.store.sqlite.opening import open_store
from tacit.transcript.files import Files
from unit.deliver.preparing import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

USER_TITLES = ["# User", "## Corrections", "## Preferences", "## Instructions", "## Facts"]


@contextmanager
def fresh_desk(**surroundings: Any) -> Iterator[Desk]:
    """Give a desk of a home that is thrown away."""
    with TemporaryDirectory(dir=IN_MEMORY) as scratch:
        files = Files(Path(scratch) / "home", "main")
        files.prepare()
        engine = look(files.directory)
        with (
            closing(open_memory(files.directory / "memory.db", engine, tokens)) as store,
            closing(open_store(files.database, engine, lambda _store: None)) as transcript,
        ):
            given: dict[str, Any] = {"key": KEY, "clean": lambda text: text} | surroundings
            yield Desk(
                files=files,
                surroundings=Surroundings(**given),
                store=store,
                transcript=transcript,
                now=NOON,
            )


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return a desk at which nothing is known yet."""
    with fresh_desk() as opened:
        yield opened


def know(desk: Desk, name: str, content: str, **fields: Any) -> None:
    """Let something be remembered."""
    put(desk.store, fact(name, content=content, **fields))


def happen(desk: Desk, name: str, project: str, root: str, **fields: Any) -> None:
    """Let something happen in a project."""
    desk.transcript.append([event(name, project=project, place=place(root, project), **fields)])


def later(desk: Desk, nanoseconds: int) -> Desk:
    """Return the same desk at another time."""
    return replace(desk, now=desk.now + nanoseconds)


def folder(desk: Desk) -> Path:
    """Return where the files lie."""
    return places.directory(desk.files)


def kept(desk: Desk, name: str = "user.md") -> str:
    """Keep the files in step; return what one of them says."""
    assert keep.prepare(desk) == 0
    return (folder(desk) / name).read_text(encoding="utf-8")


def entries(text: str) -> list[str]:
    """Return the lines of a page that tell something."""
    return [line for line in text.splitlines() if line.startswith("- ")]


def titles(text: str) -> list[str]:
    """Return the headings of a page."""
    return [line for line in text.splitlines() if line.startswith("#")]


def append(desk: Desk, name: str, *lines: str) -> None:
    """Let somebody write lines to the end of a file, whatever may be done to it."""
    file = folder(desk) / name
    if file.exists():
        file.chmod(0o600)
    with file.open("a", encoding="utf-8") as opened:
        opened.writelines(f"{line}\n" for line in lines)


class Killed(Exception):  # noqa: N818  (it is what happens to it)
    """The program was killed here."""


def kill_at(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let the program be killed instead of its count-th write."""
    left = [count]

    def dying(*arguments: object, real: Callable[..., None] = places.write) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        real(*arguments)

    monkeypatch.setattr(places, "write", dying)


def deploy(desk: Desk, version: str = "", **texts: str) -> str:
    """Deploy texts, each by the name of its file."""
    with places.alone(desk.files) as opened:
        given = {f"{name}.md": text for name, text in texts.items()}
        return deployed.deploy(
            opened, desk.marker, Deployment(texts=given, version=version)
        ).version


def told(desk: Desk, name: str = "soul.md") -> str | None:
    """Return what agents are told of a deployed file."""
    with places.opened(desk.files) as opened:
        return deployed.told(opened, desk.marker, ledgers.read(opened, desk.marker), name)
