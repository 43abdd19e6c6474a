"""Settings: `config.toml` in the home, user-level only.

Read here and nowhere else. Unknown settings and wrong values are refused with a sentence that names
them, so that a misspelled `exclude` is never silently without effect. Standard library only: the
hook reads it after an edit.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any

from tacit.errors import SettingsUnreadable
from tacit.guard.names import is_name
from tacit.paths import CONFIG

# setting -> what it does; the reference is made from this
DESCRIPTIONS = {
    "capture.exclude": (
        "Directories of which nothing is recorded: no session there, no tool event about them."
    ),
    "groups.<name>": (
        "Directories whose sessions belong to the group <name>; the longest fitting one counts."
    ),
}


class Settings:
    """What the user has chosen; everything has a default."""

    __slots__ = ("exclude", "groups")

    def __init__(
        self, exclude: list[str] | None = None, groups: dict[str, list[str]] | None = None
    ) -> None:
        self.exclude = exclude or []
        self.groups = groups or {}


def load(home: str) -> Settings:
    """Return the settings of a home; the defaults if it has no file."""
    path = os.path.join(home, CONFIG)
    try:
        with open(path, "rb") as file:
            text = tomllib.load(file)
    except FileNotFoundError:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsUnreadable(
            f"Cannot read {path}: {error}. Correct it, then run `tacit status`."
        ) from error
    return _parsed(text, path)


def _parsed(text: dict[str, Any], path: str) -> Settings:
    capture = _table(text, "capture", path)
    groups = _table(text, "groups", path)
    unknown = [f"capture.{name}" for name in capture if name != "exclude"]
    unknown += [name for name in text if name not in {"capture", "groups"}]
    if unknown:
        raise SettingsUnreadable(
            f"{path} has a setting that does not exist: {unknown[0]}. Remove or correct it."
        )
    wrong = [name for name in groups if not is_name(name)]
    if wrong:
        raise SettingsUnreadable(
            f"{path}: the group {wrong[0]!r} needs a name of letters, digits, _ and -."
        )
    return Settings(
        exclude=_directories(capture.get("exclude", []), "capture.exclude", path),
        groups={
            name: _directories(value, f"groups.{name}", path) for name, value in groups.items()
        },
    )


def _table(text: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    table = text.get(name, {})
    if not isinstance(table, dict):
        raise SettingsUnreadable(f"{path}: [{name}] must be a table.")
    return table


def _directories(value: object, name: str, path: str) -> list[str]:
    """Return the directories, absolute, as given and as the system knows them."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SettingsUnreadable(
            f'{path}: {name} must be a list of directories, such as ["~/private"].'
        )
    found: list[str] = []
    for each in value:
        is_path = each.startswith(("/", "~")) and "\0" not in each
        given = os.path.expanduser(each.removesuffix("/**") or "/") if is_path else ""
        if not os.path.isabs(given):
            raise SettingsUnreadable(f"{path}: {name}: {each!r} must be absolute or begin with ~/.")
        for directory in (os.path.normpath(given), os.path.realpath(given)):
            if directory not in found:
                found.append(directory)
    return found
