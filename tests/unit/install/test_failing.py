"""Where installing or taking it back fails half-way, nothing that was there before us is lost."""

from __future__ import annotations

import json
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tacit import paths
from tacit.errors import HomeRefused, InstallRefused
from tacit.install import installing
from unit.install.wanting import everything, install, of_project, with_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.install.installing import Wanted


TOO_LARGE = r"^Cannot change \S*/\.claude/settings\.json: File too large\. .*same command again\.$"


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_where_nothing_can_be_remembered_nothing_is_changed(user: Path, wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"model": "opus"}')
    wanted.home.mkdir()
    (wanted.home / paths.INSTALLED).write_text("in the way", encoding="utf-8")
    known = everything(user)

    with pytest.raises(HomeRefused, match=r"/home/installed: File exists\. .*same command again"):
        install(with_server(wanted))

    assert everything(user) == known


def test_an_uninstall_that_failed_puts_everything_back_the_next_time(
    user: Path, wanted: Wanted
) -> None:
    wanted.place.settings.write_bytes(b'{"hooks": { } }')
    known = everything(user)
    install(with_server(wanted))

    with no_room(0), pytest.raises(InstallRefused, match=TOO_LARGE):
        installing.uninstall(wanted)
    installing.uninstall(wanted)

    assert everything(user) == known


def test_a_repair_that_failed_does_not_change_what_is_put_back(user: Path, wanted: Wanted) -> None:
    wanted.place.settings.write_bytes(b'{"hooks": { } }')
    known = everything(user)
    install(wanted)

    with no_room(1000), pytest.raises(InstallRefused, match=TOO_LARGE):
        install(with_server(wanted))
    installing.uninstall(wanted)

    assert everything(user) == known


def test_a_file_that_we_made_goes_though_the_client_has_rewritten_it(
    user: Path, wanted: Wanted
) -> None:
    (user / "shop").mkdir()
    mine = with_server(of_project(wanted, user / "shop"))
    install(mine)
    for file in (mine.place.settings, mine.place.servers):
        file.write_text(json.dumps(json.loads(file.read_bytes())), encoding="utf-8")

    installing.uninstall(mine)

    assert list((user / "shop").iterdir()) == []


def test_a_directory_that_we_made_stays_if_somebody_has_put_something_there(
    user: Path, wanted: Wanted
) -> None:
    mine = of_project(wanted, user / "shop")
    install(mine)
    (user / "shop" / "notes.txt").write_text("mine", encoding="utf-8")

    installing.uninstall(mine)

    assert [each.name for each in (user / "shop").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["settings", "servers", "launcher"])
def test_a_file_that_cannot_be_changed_is_named_with_the_next_step(
    wanted: Wanted, name: str
) -> None:
    file = getattr(wanted.place, name)
    file.mkdir()

    with pytest.raises(InstallRefused) as refused:
        install(with_server(wanted))

    told = f"Cannot change {file}: Is a directory. Mend that, then run the same command again."
    assert str(refused.value) == told
