"""Settings: `config.toml` in the home, user-level only.

Read here and nowhere else; a workspace may choose a few things for itself, and only those. Unknown
settings and wrong values are refused with a sentence that names them, so that a misspelled
`exclude` is never silently without effect. Standard library only: the hook reads it after an edit.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any, TypeGuard

from tacit.errors import SettingsUnreadable
from tacit.guard.names import is_name
from tacit.paths import CONFIG, MAIN_GROUP, PROVING_GROUP
from tacit.settings_table import (
    AMOUNTS,
    CHOICES,
    COMMANDS,
    GROUPS,
    LEAST,
    MOST,
    NAMES,
    OF_WORKSPACES,
    PRICES,
    TABLE,
    TEXTS,
    WORKSPACES,
)


class Settings:
    """What the user has chosen; everything has a default."""

    __slots__ = ("_values", "given", "groups", "workspaces")

    def __init__(
        self,
        values: dict[str, Any] | None = None,
        groups: dict[str, list[str]] | None = None,
        workspaces: dict[str, list[str]] | None = None,
    ) -> None:
        self.given = set(values or {})
        self._values = {name: default for name, (default, _) in TABLE.items()} | (values or {})
        self.groups = groups or {}
        self.workspaces = workspaces or {}

    def value(self, name: str) -> Any:
        """Return what was chosen for one row of the table."""
        return self._values[name]

    def places(self) -> dict[str, list[str]]:
        """Return the directories whose sessions belong to each group; workspaces come first."""
        names = dict.fromkeys((*self.workspaces, *self.groups))
        return {
            name: list(dict.fromkeys([*self.workspaces.get(name, []), *self.groups.get(name, [])]))
            for name in names
        }

    def number(self, name: str) -> int:
        """Return a setting that is a whole number."""
        return int(self._values[name])

    def amount(self, name: str) -> float:
        """Return a setting that is any number."""
        return float(self._values[name])

    def word(self, name: str) -> str:
        """Return a setting that is a word."""
        return str(self._values[name])

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

    @property
    def llm_provider(self) -> str:
        """Return which model reads turns a second time: none, anthropic, openai, claude-cli."""
        return str(self._values["llm.provider"])

    @property
    def llm_model(self) -> str:
        """Return the model for most of the work; empty for the provider's usual one."""
        return str(self._values["llm.model"])

    @property
    def llm_better_model(self) -> str:
        """Return the model for what is hard; empty for the usual one."""
        return str(self._values["llm.better_model"])

    @property
    def llm_base_url(self) -> str:
        """Return where the provider was said to be; empty for its usual place."""
        return str(self._values["llm.base_url"])

    @property
    def llm_key_command(self) -> list[str]:
        """Return the program that prints the key, with its arguments; empty for none."""
        return list(self._values["llm.key_command"])

    @property
    def llm_usd_per_million(self) -> tuple[float, float] | None:
        """Return what a million tokens cost, read and written; None for the list price."""
        given = self._values["llm.usd_per_million"]
        return (float(given[0]), float(given[1])) if given else None

    @property
    def max_brief_entries(self) -> int:
        """Return how many memories a session is told at most."""
        return int(self._values["deliver.max_brief_entries"])

    @property
    def max_brief_chars(self) -> int:
        """Return in how many characters at most."""
        return int(self._values["deliver.max_brief_chars"])

    @property
    def holdout(self) -> int:
        """Return how many of a hundred memories are left out to be measured."""
        return int(self._values["deliver.holdout"])

    @property
    def surface_every(self) -> int:
        """Return which prompts are answered: every so many; 0 is none."""
        return int(self._values["deliver.surface_every"])

    @property
    def surface_threshold(self) -> float:
        """Return how relevant a memory must be to be added to a prompt."""
        return float(self._values["deliver.surface_threshold"])

    @property
    def reader_tools(self) -> frozenset[str]:
        """Return what agents may ask the memory through its server."""
        return frozenset(self._values["mcp.reader_tools"])

    @property
    def resolve_actions(self) -> bool:
        """Say whether an agent may close pending actions."""
        return bool(self._values["mcp.resolve_actions"])

    def rows(self) -> list[tuple[str, Any, str]]:
        """Return every setting with its value and where that comes from."""
        rows = [
            (name, self._values[name], CONFIG if name in self.given else "default")
            for name in TABLE
        ]
        rows += [(f"groups.{name}", places, CONFIG) for name, places in self.groups.items()]
        found = self.workspaces.items()
        return rows + [(f"workspaces.{name}", places[0], CONFIG) for name, places in found]


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


def load_or_usual(home: str) -> Settings:
    """Return the settings; the defaults where they cannot be read, so that one can still pause."""
    try:
        return load(home)
    except SettingsUnreadable:
        return Settings()


def of_workspace(chosen: Settings, text: bytes, path: str) -> Settings:
    """Return what counts in a workspace: what it chooses for itself, else what the user chose."""
    try:
        own = _parsed(tomllib.loads(text.decode()), path)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsUnreadable(f"Cannot read {path}: {error}. Correct or remove it.") from error
    foreign = [name for name in own.given if not name.startswith(OF_WORKSPACES)]
    foreign += [*own.groups, *own.workspaces]
    if foreign:
        raise SettingsUnreadable(
            f"{path}: {foreign[0]} is not for a workspace to choose. Remove it."
        )
    merged = {name: chosen.value(name) for name in chosen.given}
    return Settings(merged | {name: own.value(name) for name in own.given})


def _parsed(text: dict[str, Any], path: str) -> Settings:
    groups, workspaces = (_table(text, name, path) for name in ("groups", "workspaces"))
    given = {
        f"{table}.{name}": value
        for table in text
        if table not in {"groups", "workspaces"}
        for name, value in _table(text, table, path).items()
    }
    unknown = [name for name in given if name not in TABLE]
    unknown += [name for name in text if not any(each.startswith(f"{name}.") for each in _KNOWN)]
    if unknown:
        raise SettingsUnreadable(
            f"{path} has a setting that does not exist: {unknown[0]}. Remove or correct it."
        )
    wrong = [name for name in (*groups, *workspaces) if not is_name(name)]
    wrong += [name for name in workspaces if name in {MAIN_GROUP, PROVING_GROUP}]
    if wrong:
        raise SettingsUnreadable(
            f"{path}: the group {wrong[0]!r} needs a name of its own: letters, digits, _ and -."
        )
    return Settings(
        values={name: _value(name, value, path) for name, value in given.items()},
        groups={
            name: _directories(value, f"groups.{name}", path) for name, value in groups.items()
        },
        workspaces=_workspaces(workspaces, path),
    )


_KNOWN = (*TABLE, GROUPS, WORKSPACES)


def _workspaces(table: dict[str, Any], path: str) -> dict[str, list[str]]:
    """Return each workspace's directory, as given and as the system knows it; no two in one."""
    found: dict[str, list[str]] = {}
    for name, value in table.items():
        if not isinstance(value, str):
            raise SettingsUnreadable(
                f'{path}: workspaces.{name} must be a directory, such as "~/papers".'
            )
        places = _directories([value], f"workspaces.{name}", path)
        same = [other for other, known in found.items() if known[-1] == places[-1]]
        if same:
            raise SettingsUnreadable(
                f"{path}: the workspaces {same[0]} and {name} are one directory. Remove one."
            )
        found[name] = places
    return found


def _table(text: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    table = text.get(name, {})
    if not isinstance(table, dict):
        raise SettingsUnreadable(f"{path}: [{name}] must be a table.")
    return table


def _value(name: str, value: object, path: str) -> object:
    """Return a value as its setting wants it."""
    default = TABLE[name][0]
    if name in CHOICES or name in NAMES or name in TEXTS:
        return _words(name, value, path)
    if name in COMMANDS or name in PRICES:
        return _list(name, value, path)
    if isinstance(default, list):
        return _directories(value, name, path)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise SettingsUnreadable(f"{path}: {name} must be true or false.")
        return value
    if isinstance(default, float):
        return _amount(name, value, path)
    return _count(name, value, path)


def _words(name: str, value: object, path: str) -> object:
    """Return one of the words that a setting may be, a list of names, or a text."""
    if name in CHOICES and value not in CHOICES[name]:
        raise SettingsUnreadable(f"{path}: {name} must be one of {', '.join(CHOICES[name])}.")
    if name in NAMES and not _are_texts(value):
        raise SettingsUnreadable(f"{path}: {name} must be a list of names.")
    if name in TEXTS and not (isinstance(value, str) and value.isprintable()):
        raise SettingsUnreadable(f"{path}: {name} must be a text of one line.")
    return value


def _list(name: str, value: object, path: str) -> object:
    """Return a program with its arguments, or two prices; either may be left empty."""
    if name in COMMANDS and not _is_command(value):
        raise SettingsUnreadable(
            f'{path}: {name} must be a list of texts, a program and its arguments: ["pass", "key"].'
        )
    if name in PRICES and not _are_prices(value):
        raise SettingsUnreadable(f"{path}: {name} must be two numbers from 0 on, such as [1, 5].")
    return value


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_command(value: object) -> bool:
    return _are_texts(value) and "\0" not in "".join(value) and value[:1] != [""]


def _are_prices(value: object) -> bool:
    if not isinstance(value, list) or len(value) not in {0, 2}:
        return False
    return all(
        isinstance(each, int | float) and not isinstance(each, bool) and 0 <= each < float("inf")
        for each in value
    )


def _count(name: str, value: object, path: str) -> int:
    """Return a number between the least and the most that a setting may be."""
    least, most = LEAST[name], MOST.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise SettingsUnreadable(f"{path}: {name} must be a number from {least} on.")
    if most is not None and value > most:
        raise SettingsUnreadable(f"{path}: {name} must be a number up to {most}.")
    return value


def _amount(name: str, value: object, path: str) -> float:
    """Return a number of dollars, or one from 0 to 1."""
    is_money = name in AMOUNTS
    most = float("inf") if is_money else 1
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
        wanted = "of dollars, from 0 on" if is_money else "from 0 to 1"
        raise SettingsUnreadable(f"{path}: {name} must be a number {wanted}.")
    return float(value)


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
