"""Reading one settings file: what can be read of it counts, the rest is named as a problem.

A reading never fails. Settings that exclude are read as widely as they can be: in doubt nothing is
recorded there. Standard library only: the hook reads settings after an edit.
"""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

from tacit.errors import SettingsUnreadable
from tacit.guard.names import is_name
from tacit.paths import CONFIG, MAIN_GROUP, is_proof
from tacit.settings_check import check_directories, check_value
from tacit.settings_table import TABLE

_EXCLUDE = "capture.exclude"
_PLACES = ("groups", "workspaces")


class Problem(NamedTuple):
    """One setting that cannot be read: its name, and a sentence about it."""

    key: str
    text: str


class Reading:
    """One reading of a settings file: what can be read of it, and what is wrong with the rest."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self.source = source
        self.values: dict[str, Any] = {}
        self.groups: dict[str, list[str]] = {}
        self.workspaces: dict[str, list[str]] = {}
        self._unread: set[str] = set()  # settings that cannot be read, by the name that was meant
        self._is_torn = False  # lines were left out: any setting may have been in them
        self.problems: list[Problem] = []
        self._read(self._parsed())

    def fall_back(self, last: Reading) -> None:
        """Take from settings that were valid what could not be read of these."""
        for name, value in last.values.items():
            if self._is_torn or name in self._unread:
                self.values.setdefault(name, value)
        if _EXCLUDE in self._unread or self._is_torn:  # in doubt nothing is recorded there
            both = [*self.values.get(_EXCLUDE, []), *last.values.get(_EXCLUDE, [])]
            self.values[_EXCLUDE] = list(dict.fromkeys(both))
        for table in _PLACES:
            for name, places in last.places(table).items():
                if self._is_torn or f"{table}.{name}" in self._unread:
                    self.places(table).setdefault(name, places)

    def places(self, table: str) -> dict[str, list[str]]:
        """Return the directories of groups, or those of workspaces."""
        return self.workspaces if table == "workspaces" else self.groups

    def _parsed(self) -> dict[str, Any]:
        """Return the tables of the file; of one that is not TOML, what its whole lines say."""
        try:
            return tomllib.loads(self.source.decode())
        except (ValueError, RecursionError) as error:  # bad TOML is a ValueError, bad UTF-8 too
            self._is_torn = True
            said = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
            text = f"Cannot read {self._path}: {said}. Correct it, then run `tacit status`."
            self.problems.append(Problem(CONFIG, text))
        from tacit.settings_salvage import salvage

        found, excluded = salvage(self.source.decode("utf-8", "replace"))
        self._exclude(excluded)
        return found

    def _read(self, tables: dict[str, Any]) -> None:
        for table, found in tables.items():
            if not isinstance(found, dict):
                self._refuse_unknown(table, found, f"{self._path}: [{table}] must be a table")
                continue
            for name, value in found.items():
                if table in _PLACES:
                    self._read_place(table, name, value)
                else:
                    self._read_value(f"{table}.{name}", value)

    def _read_value(self, name: str, value: object) -> None:
        if name not in TABLE:
            text = f"{self._path} has a setting that does not exist: {name}"
            self._refuse_unknown(name, value, text)
            return
        try:
            self.values[name] = check_value(name, value, self._path)
        except SettingsUnreadable as error:
            self._refuse(name, str(error), value)

    def _read_place(self, table: str, name: str, value: object) -> None:
        """Read the directories of a group, or the one of a workspace."""
        key = f"{table}.{name}"
        try:
            _check_name(table, name, self._path)
            places = _one_place(value, key, self._path) if table == "workspaces" else value
            found = check_directories(places, key, self._path)
            _check_apart(name, found, self.workspaces if table == "workspaces" else {}, self._path)
        except SettingsUnreadable as error:
            self._refuse(key, str(error))
        else:
            self.places(table)[name] = found

    def _refuse(self, name: str, text: str, value: object = None) -> None:
        self.problems.append(Problem(name, text))
        self._unread.add(name)
        if name == _EXCLUDE:
            self._exclude(_texts(value))

    def _refuse_unknown(self, name: str, value: object, text: str) -> None:
        """Refuse a setting that does not exist; what excludes by its meaning still excludes."""
        from tacit.settings_salvage import closest

        meant = closest(name)
        asked = f"; did you mean {meant}?" if meant else "."
        self.problems.append(Problem(name, f"{text}{asked} Remove or correct it."))
        if meant:
            self._unread.add(meant)
        if meant == _EXCLUDE:
            self._exclude(_texts(value))

    def _exclude(self, places: list[str]) -> None:
        """Exclude what can be read of a setting that excludes."""
        for each in places:
            try:
                found = check_directories([each], _EXCLUDE, self._path)
            except SettingsUnreadable:
                continue
            known = self.values.get(_EXCLUDE, [])
            self.values[_EXCLUDE] = list(dict.fromkeys([*known, *found]))


def _check_name(table: str, name: str, path: str) -> None:
    """Refuse a name that no group can have."""
    is_main = table == "workspaces" and name == MAIN_GROUP
    if not is_name(name) or is_proof(name) or is_main:
        raise SettingsUnreadable(
            f"{path}: the group {name!r} needs a name of its own: letters, digits, _ and -."
        )


def _one_place(value: object, key: str, path: str) -> list[str]:
    if not isinstance(value, str):
        raise SettingsUnreadable(f'{path}: {key} must be a directory, such as "~/papers".')
    return [value]


def _check_apart(name: str, places: list[str], known: dict[str, list[str]], path: str) -> None:
    """Refuse a workspace in the directory of another one."""
    same = [other for other, found in known.items() if found[-1] == places[-1]]
    if same:
        raise SettingsUnreadable(
            f"{path}: the workspaces {same[0]} and {name} are one directory. Remove one."
        )


def _texts(value: object) -> list[str]:
    """Return the texts of a value, however deep."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _texts(item)]
