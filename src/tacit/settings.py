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

# setting -> (default, what it does); the reference and `tacit config` are made from this
TABLE: dict[str, tuple[Any, str]] = {
    "capture.exclude": (
        [],
        "Directories of which nothing is recorded: no session there, no tool event about them.",
    ),
    "transcript.tool_text": (
        4096,
        "Of each text in a tool's input or output so many characters are kept: head and tail.",
    ),
    "backup.keep": (7, "So many backups are kept of each group."),
    "curate.mode": (
        "auto",
        "Whether memories are made of turns: auto, or off (`tacit rebuild` makes up for it).",
    ),
    "curate.boring_tools": (
        ["Glob", "Grep", "ListMcpResourcesTool", "ToolSearch", "TodoWrite", "LS"],
        "Tools whose use teaches nothing; the files they touch are still listed.",
    ),
    "memory.purge_superseded_days": (
        90,
        "Memories that were superseded are removed after so many days.",
    ),
    "memory.archive_unused_days": (
        0,
        "Memories that nobody has looked at for so many days are put aside; 0 is never.",
    ),
    "embed.provider": (
        "local",
        "What finds texts of like meaning: local, ollama, openai (or alike), or none: words alone.",
    ),
    "embed.model": ("", "The model of ollama or openai; without one, each has its usual."),
    "embed.base_url": (
        "",
        "Where ollama or openai is: https, or http on this machine; without one, the usual place.",
    ),
    "embed.idle_seconds": (300, "The local model is let go after so many seconds without use."),
    "recovery.auto": (
        True,
        "Bring a damaged transcript back from its last verified backup without being asked.",
    ),
}
GROUPS = "groups.<name>"
DESCRIPTIONS = {
    **{name: text for name, (_, text) in TABLE.items()},
    GROUPS: (
        "Directories whose sessions belong to the group <name>; the longest fitting one counts."
    ),
}
_CHOICES = {
    "curate.mode": ("auto", "off"),
    "embed.provider": ("local", "ollama", "openai", "none"),
}
_NAMES = frozenset(("curate.boring_tools",))
_TEXTS = frozenset(("embed.model", "embed.base_url"))
_LEAST = {
    "transcript.tool_text": 256,
    "backup.keep": 1,
    "memory.purge_superseded_days": 1,
    "memory.archive_unused_days": 0,
    "embed.idle_seconds": 1,
}


class Settings:
    """What the user has chosen; everything has a default."""

    __slots__ = ("_values", "given", "groups")

    def __init__(
        self,
        values: dict[str, Any] | None = None,
        groups: dict[str, list[str]] | None = None,
    ) -> None:
        self.given = set(values or {})
        self._values = {name: default for name, (default, _) in TABLE.items()} | (values or {})
        self.groups = groups or {}

    @property
    def exclude(self) -> list[str]:
        """Return the directories of which nothing is recorded."""
        return list(self._values["capture.exclude"])

    @property
    def tool_text(self) -> int:
        """Return how many characters of a tool's text are kept."""
        return int(self._values["transcript.tool_text"])

    @property
    def keep(self) -> int:
        """Return how many backups are kept."""
        return int(self._values["backup.keep"])

    @property
    def auto(self) -> bool:
        """Say whether a damaged transcript is brought back without being asked."""
        return bool(self._values["recovery.auto"])

    @property
    def mode(self) -> str:
        """Return whether memories are made of turns: auto, or off."""
        return str(self._values["curate.mode"])

    @property
    def boring_tools(self) -> frozenset[str]:
        """Return the tools whose use teaches nothing."""
        return frozenset(self._values["curate.boring_tools"])

    @property
    def purge_superseded_days(self) -> int:
        """Return after how many days a superseded memory is removed."""
        return int(self._values["memory.purge_superseded_days"])

    @property
    def archive_unused_days(self) -> int:
        """Return after how many days an unused memory is put aside; 0 is never."""
        return int(self._values["memory.archive_unused_days"])

    @property
    def embed_provider(self) -> str:
        """Return what turns texts into vectors: local, ollama, openai, or none."""
        return str(self._values["embed.provider"])

    @property
    def embed_model(self) -> str:
        """Return the model that was chosen; empty for the provider's usual one."""
        return str(self._values["embed.model"])

    @property
    def embed_base_url(self) -> str:
        """Return where the provider was said to be; empty for its usual place."""
        return str(self._values["embed.base_url"])

    @property
    def embed_idle_seconds(self) -> int:
        """Return after how many seconds without use the local model is let go."""
        return int(self._values["embed.idle_seconds"])

    def rows(self) -> list[tuple[str, Any, str]]:
        """Return every setting with its value and where that comes from."""
        rows = [
            (name, self._values[name], CONFIG if name in self.given else "default")
            for name in TABLE
        ]
        return rows + [(f"groups.{name}", places, CONFIG) for name, places in self.groups.items()]


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
    groups = _table(text, "groups", path)
    given = {
        f"{table}.{name}": value
        for table in text
        if table != "groups"
        for name, value in _table(text, table, path).items()
    }
    unknown = [name for name in given if name not in TABLE]
    unknown += [name for name in text if not any(each.startswith(f"{name}.") for each in _KNOWN)]
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
        values={name: _value(name, value, path) for name, value in given.items()},
        groups={
            name: _directories(value, f"groups.{name}", path) for name, value in groups.items()
        },
    )


_KNOWN = (*TABLE, GROUPS)


def _table(text: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    table = text.get(name, {})
    if not isinstance(table, dict):
        raise SettingsUnreadable(f"{path}: [{name}] must be a table.")
    return table


def _words(name: str, value: object, path: str) -> object:
    """Return one of the words that a setting may be, a list of names, or a text."""
    if name in _CHOICES and value not in _CHOICES[name]:
        raise SettingsUnreadable(f"{path}: {name} must be one of {', '.join(_CHOICES[name])}.")
    is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if name in _NAMES and not is_list:
        raise SettingsUnreadable(f"{path}: {name} must be a list of names.")
    if name in _TEXTS and not (isinstance(value, str) and value.isprintable()):
        raise SettingsUnreadable(f"{path}: {name} must be a text of one line.")
    return value


def _value(name: str, value: object, path: str) -> object:
    """Return a value as its setting wants it."""
    default = TABLE[name][0]
    if name in _CHOICES or name in _NAMES or name in _TEXTS:
        return _words(name, value, path)
    if isinstance(default, list):
        return _directories(value, name, path)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise SettingsUnreadable(f"{path}: {name} must be true or false.")
        return value
    least = _LEAST[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise SettingsUnreadable(f"{path}: {name} must be a number from {least} on.")
    return value


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
