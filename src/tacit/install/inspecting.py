"""The client's side: what its own files say about us, for `tacit doctor`. Only looks.

Each finding names the command that mends it. A client that does not have us at all is fine.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.install import edits, files, jsontext, plugin, standing
from tacit.install.clients import LAUNCHER, PLUGIN, SCOPES, place
from tacit.install.standing import Finding, Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.install.clients import Client, Place
    from tacit.install.standing import Around

_OPTION = {"user": "", "project": " --scope project"}


@dataclass(frozen=True, slots=True)
class Said:
    """One file of the client, and what it says."""

    file: Path
    told: dict[str, Any]
    is_managed: bool = False


def findings(client: Client, around: Around) -> list[Finding]:
    """Return what is found for one client, for the user and in the current directory."""
    places = _places(client, around)
    said, broken = _settings(client, places, around)
    broken += [each for here in places.values() if isinstance(each := _read(here.servers), Finding)]
    scopes, plugins = list(_scopes(places, client, around)), _plugins(said)
    allowed = [rule for each in said for rule in _allowed(each)]
    found = [*broken, *_disabled(said)]
    for spot in (*scopes, *_spots(plugins, client)):
        found += _looked(spot, client, around, allowed)
    found += _doubled(scopes, list(plugins), client)
    if not scopes and not plugins and not broken:
        text = f"not installed in {client.title}"
        found.append(Finding(is_fine=True, text=text, fix="tacit install"))
    told = {each.text: each for each in reversed(found)}  # both scopes have one launcher
    return [each for each in found if told[each.text] is each]


def spots(client: Client, around: Around) -> list[Spot]:
    """Return where a client has us, as far as that can be read."""
    places = _places(client, around)
    said, _ = _settings(client, places, around)
    return [*_scopes(places, client, around), *_spots(_plugins(said), client)]


def _places(client: Client, around: Around) -> dict[str, Place]:
    return {scope: place(client, scope, around.environment, around.directory) for scope in SCOPES}


def _settings(
    client: Client, places: dict[str, Place], around: Around
) -> tuple[list[Said], list[Finding]]:
    """Return what all settings say that the client reads, and which of them cannot be read."""
    managed = [Path(each) for each in client.managed_settings]
    own = [*(each.settings for each in places.values()), around.directory / client.own_settings]
    found = {file: _read(file) for file in (*own, *managed)}
    said = [
        Said(file, each, is_managed=file in managed)
        for file, each in found.items()
        if isinstance(each, dict)
    ]
    return said, [each for each in found.values() if isinstance(each, Finding)]


def _read(file: Path) -> dict[str, Any] | Finding | None:
    """Return what a file says, that it cannot be read, or nothing if there is none."""
    try:
        text = files.read(file)
        return None if text is None else jsontext.members(files.said(text))
    except (jsontext.NotJson, OSError) as error:
        told = f"{file} cannot be read: {error}"
        return Finding(is_fine=False, text=told, fix=f"correct {file}, then `tacit install`")


def _disabled(said: Sequence[Said]) -> Iterator[Finding]:
    """Yield which file lets the client run no hook, or none of ours."""
    for each in said:
        name = "disableAllHooks"
        if each.is_managed and each.told.get("allowManagedHooksOnly") is True:
            name = "allowManagedHooksOnly"
        if each.told.get(name) is True:
            fix = f"remove {name} from {each.file}"
            fix = f"ask whoever manages this machine to {fix}" if each.is_managed else fix
            yield Finding(is_fine=False, text=f"no hook runs: {each.file} says {name}", fix=fix)


def _scopes(places: dict[str, Place], client: Client, around: Around) -> Iterator[Spot]:
    """Yield the settings in which the client has us: each scope's, and those of one user alone."""
    seen: set[str] = set()
    for spot in (*_of_scopes(places), _own(places["project"], client, around)):
        real = os.path.realpath(spot.place.settings)
        if real not in seen and _is_here(spot.place):  # a project may be the user's own directory
            yield spot
            seen.add(real)


def _of_scopes(places: dict[str, Place]) -> Iterator[Spot]:
    for scope, here in places.items():
        option = _OPTION[scope]
        yield Spot(place=here, mend=f"tacit install{option}", undo=f"tacit uninstall{option}")


def _own(project: Place, client: Client, around: Around) -> Spot:
    """Return the settings that one user has beside a project's; we never write them."""
    file = around.directory / client.own_settings
    here = replace(project, settings=file, servers=file)
    undo = f"remove what names {LAUNCHER} from {file}"
    return Spot(place=here, mend=f"{undo}, then tacit install", undo=undo)


def _is_here(here: Place) -> bool:
    """Say whether a client has us in one place, as far as that can be read."""
    try:
        hooks = edits.launchers(files.said(files.read(here.settings)))
        return bool(hooks) or edits.server(files.said(files.read(here.servers))) is not None
    except (jsontext.NotJson, OSError):
        return False


def _plugins(said: Sequence[Said]) -> dict[str, str | None]:
    """Return the plugins of ours that are enabled, and where they are, if that is known."""
    enabled: dict[str, Any] = {}
    shelves: dict[str, Any] = {}
    for each in said:  # what comes later has the last word
        enabled |= _members(each.told, "enabledPlugins")
        shelves |= _members(each.told, "extraKnownMarketplaces")
    found: dict[str, str | None] = {}
    for name, is_enabled in enabled.items():
        ours, _, shelf = name.partition("@")
        if ours == PLUGIN and is_enabled is True:
            path = _members(_members(shelves, shelf), "source").get("path")
            found[name] = path if isinstance(path, str) else None
    return found


def _spots(plugins: dict[str, str | None], client: Client) -> Iterator[Spot]:
    for path in filter(None, plugins.values()):
        option = f" --plugin {shlex.quote(path)}"
        yield Spot(
            place=plugin.place_at(Path(path), client),
            mend=f"tacit install{option}",
            undo=f"tacit uninstall{option}",
            is_plugin=True,
        )


def _members(told: dict[str, Any], name: str) -> dict[str, Any]:
    found = told.get(name)
    return found if isinstance(found, dict) else {}


def _allowed(said: Said) -> list[str]:
    found = _members(said.told, "permissions").get("allow")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _looked(spot: Spot, client: Client, around: Around, allowed: Sequence[str]) -> list[Finding]:
    try:
        return standing.look(spot, client, around, allowed)
    except (jsontext.NotJson, OSError) as error:
        text = f"{spot.place.settings.parent} cannot be read: {error}"
        return [Finding(is_fine=False, text=text, fix=spot.mend)]


def _doubled(scopes: Sequence[Spot], plugins: Sequence[str], client: Client) -> Iterator[Finding]:
    """Yield where the client has our hooks more than once; what they record is still one event."""
    for other in scopes[1:]:
        text = f"our hooks are both in {scopes[0].place.settings} and {other.place.settings}"
        yield Finding(is_fine=False, text=text, fix=other.undo)
    if scopes and plugins:
        text = f"our hooks are both in {scopes[0].place.settings} and in the plugin {plugins[0]}"
        fix = f"{client.program} plugin uninstall {PLUGIN}"
        yield Finding(is_fine=False, text=text, fix=fix)
