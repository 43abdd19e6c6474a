"""Settings: `config.toml` in the home, user-level only.

Read here and nowhere else; a workspace may choose a few things for itself, and only those. What
cannot be read never stops anything: the value that was last valid counts, else the default, and the
problem is named with what was probably meant. Whoever edits the file refuses to go on with a
problem. Standard library only: the hook reads it after an edit.
"""

from __future__ import annotations

import os
from typing import Any

from tacit.errors import SettingsUnreadable
from tacit.paths import CONFIG, CONFIG_LAST
from tacit.settings_reader import Problem, Reading
from tacit.settings_table import OF_WORKSPACES, TABLE


class Settings:
    """What the user has chosen; everything has a default."""

    __slots__ = ("_values", "given", "groups", "problems", "source", "workspaces")

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
        self.problems: list[Problem] = []
        self.source: bytes | None = None  # the file as it was read

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
    def redacts_numbers(self) -> bool:
        """Return whether payment cards, IBANs, PINs and government ids are redacted."""
        return bool(self._values["capture.redact_numbers"])

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
    def brief_lines(self) -> int:
        """Return how many memories the brief of a session has at most."""
        most = int(self._values["deliver.max_brief_entries"])
        return min(most, int(self._values["deliver.brief_lines"]))

    @property
    def brief_sessions(self) -> int:
        """Return how many earlier sessions the brief of a session lists at most."""
        return int(self._values["deliver.brief_sessions"])

    @property
    def candidate_days(self) -> int:
        """Return after how many days a candidate is archived that nobody said again."""
        return int(self._values["curate.candidate_days"])

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
    """Return the settings of a home; the defaults if it has no file.

    A setting that cannot be read counts as it last could be, else as its default, and is among the
    `problems`. A link that leads nowhere is a file that cannot be read, not a missing one.
    """
    path = os.path.join(home, CONFIG)
    try:
        reading = Reading(path, _bytes(path))
    except OSError as error:
        is_missing = isinstance(error, FileNotFoundError)
        if is_missing and not os.path.lexists(path):
            return Settings()
        nowhere = f"it is a link to {os.path.realpath(path)}, which does not exist"
        reason = nowhere if is_missing else error.strerror
        reading = _last_valid(home) or Reading(path, b"")
        text = f"Cannot read {path}: {reason}. Correct it, then run `tacit status`."
        reading.problems.append(Problem(CONFIG, text))
        return _settings(reading)
    if reading.problems and (last := _last_valid(home)):
        reading.fall_back(last)
    return _settings(reading)


def load_strict(home: str) -> Settings:
    """Return the settings of a home; refuse to go on with one that cannot be read."""
    chosen = load(home)
    if chosen.problems:
        raise SettingsUnreadable(chosen.problems[0].text)
    return chosen


def _last_valid(home: str) -> Reading | None:
    """Return the settings as they last could be read whole; None if they never could."""
    path = os.path.join(home, CONFIG_LAST)
    try:
        reading = Reading(path, _bytes(path))
    except OSError:
        return None
    return None if reading.problems else reading


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _settings(reading: Reading) -> Settings:
    chosen = Settings(reading.values, reading.groups, reading.workspaces)
    chosen.problems, chosen.source = reading.problems, reading.source
    return chosen


def of_workspace(chosen: Settings, text: bytes, path: str) -> Settings:
    """Return what counts in a workspace: what it chooses for itself, else what the user chose."""
    reading = Reading(path, text)
    if reading.problems:
        raise SettingsUnreadable(reading.problems[0].text)
    own = _settings(reading)
    foreign = [name for name in own.given if not name.startswith(OF_WORKSPACES)]
    foreign += [*own.groups, *own.workspaces]
    if foreign:
        raise SettingsUnreadable(
            f"{path}: {foreign[0]} is not for a workspace to choose. Remove it."
        )
    merged = {name: chosen.value(name) for name in chosen.given}
    return Settings(merged | {name: own.value(name) for name in own.given})
