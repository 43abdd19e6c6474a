"""What installing refuses: it says what is wrong and what to do, and changes nothing at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.errors import InstallRefused
from tacit.install import installing
from unit.install.wanting import everything, install, with_server

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.install.installing import Wanted

SETTINGS = b'{\r\n\t"model": "opus"\r\n}'
THEIRS = [{"command": "npx", "args": ["tacit-mcp"]}, {"type": "http", "url": "http://localhost:1"}]


@pytest.mark.parametrize("broken", [b"{", b"[1]", b'{"a": 1,}', b"// mine\n{}"])
def test_settings_that_cannot_be_read_are_refused_and_left_alone(
    user: Path, wanted: Wanted, broken: bytes
) -> None:
    wanted.place.settings.write_bytes(broken)
    known = everything(user)

    with pytest.raises(InstallRefused, match="Nothing was changed"):
        installing.plan(wanted)

    assert everything(user) == known


@pytest.mark.parametrize(
    ("odd", "key"),
    [
        ({"permissions": {"allow": "Bash"}}, "permissions.allow is no list"),
        ({"permissions": []}, "permissions is no object"),
        ({"hooks": {"Stop": {}}}, "hooks.Stop is no list"),
        ({"hooks": 1}, "hooks is no object"),
    ],
)
def test_what_is_not_as_it_must_be_is_named(
    wanted: Wanted, odd: dict[str, object], key: str
) -> None:
    wanted.place.settings.write_text(json.dumps(odd), encoding="utf-8")

    with pytest.raises(InstallRefused) as refused:
        install(with_server(wanted))

    told = f"Cannot read {wanted.place.settings}: {key}. Nothing was changed. "
    assert str(refused.value) == told + "Correct that, then run the same command again."


def test_settings_that_say_hooks_twice_are_refused_and_left_alone(
    user: Path, wanted: Wanted
) -> None:
    mine = '{"Stop": [{"hooks": [{"type": "command", "command": "notify-send done"}]}]}'
    text = f'{{"hooks": {mine}, "model": "opus", "hooks": {{}}}}'
    wanted.place.settings.write_text(text, encoding="utf-8")
    known = everything(user)

    with pytest.raises(
        InstallRefused, match=r"settings\.json: hooks stands there twice.*Nothing was"
    ):
        install(wanted)
    installing.uninstall(wanted)

    assert everything(user) == known


@pytest.mark.parametrize("theirs", THEIRS)
def test_a_server_of_theirs_with_our_name_is_not_replaced(
    user: Path, wanted: Wanted, theirs: dict[str, object]
) -> None:
    text = json.dumps({"mcpServers": {"tacit": theirs}})
    wanted.place.servers.write_text(text, encoding="utf-8")
    known = everything(user)

    with pytest.raises(InstallRefused, match=r"called tacit.*--profile none.*Nothing was changed"):
        install(with_server(wanted))

    assert everything(user) == known


@pytest.mark.parametrize("theirs", THEIRS)
def test_a_server_of_theirs_with_our_name_stays_without_the_reader_and_afterwards(
    wanted: Wanted, theirs: dict[str, object]
) -> None:
    text = json.dumps({"mcpServers": {"tacit": theirs}})
    wanted.place.servers.write_text(text, encoding="utf-8")

    install(wanted)
    between = wanted.place.servers.read_text(encoding="utf-8")
    installing.uninstall(wanted)

    assert between == wanted.place.servers.read_text(encoding="utf-8") == text


def test_where_the_list_of_servers_cannot_be_read_nothing_at_all_is_written(
    user: Path, wanted: Wanted
) -> None:
    wanted.place.settings.write_bytes(SETTINGS)
    wanted.place.servers.write_bytes(b'{"numStartups": 3,')
    known = everything(user)

    with pytest.raises(InstallRefused, match=r"\.claude\.json.*Nothing was changed"):
        install(with_server(wanted))

    assert everything(user) == known
    assert not wanted.home.exists()
