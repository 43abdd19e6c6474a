"""Checks of settings: what a value of `config.toml` may be.

Each check returns the value as its setting wants it, or refuses it with a sentence that names the
setting and what it may be. Standard library only: the hook reads settings after an edit.
"""

from __future__ import annotations

import os
from typing import TypeGuard

from tacit.errors import SettingsUnreadable
from tacit.guard.home_directory import in_own_home
from tacit.settings_table import (
    AMOUNTS,
    CHOICES,
    COMMANDS,
    LEAST,
    MOST,
    NAMES,
    PRICES,
    TABLE,
    TEXTS,
)


def check_value(name: str, value: object, path: str) -> object:
    """Return a value as its setting wants it."""
    default = TABLE[name][0]
    if name in CHOICES or name in NAMES or name in TEXTS:
        return _words(name, value, path)
    if name in COMMANDS or name in PRICES:
        return _list(name, value, path)
    if isinstance(default, list):
        return check_directories(value, name, path)
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


def check_directories(value: object, name: str, path: str) -> list[str]:
    """Return the directories, absolute, as given and as the system knows them."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SettingsUnreadable(
            f'{path}: {name} must be a list of directories, such as ["~/private"].'
        )
    found: list[str] = []
    for each in value:
        is_path = each.startswith(("/", "~")) and "\0" not in each
        plain = each.removesuffix("/**") or "/"
        given = os.path.expanduser(plain) if is_path else ""
        if not os.path.isabs(given):
            raise SettingsUnreadable(f"{path}: {name}: {each!r} must be absolute or begin with ~/.")
        own = in_own_home(plain, given) if name == "capture.exclude" else given
        for place in (given, own):
            found += [os.path.normpath(place), os.path.realpath(place)]
    return list(dict.fromkeys(found))
