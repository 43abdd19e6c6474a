"""Errors: everything that Tacit says when it cannot do what was asked.

    TacitError
    ├── SettingsUnreadable      config.toml is not TOML, or a setting has a wrong value
    ├── HomeRefused             the home is a link, belongs to somebody else or cannot be written
    └── NothingToResume         `tacit resume` where nothing is paused

Each message is one sentence that names the next command or step.
"""

from __future__ import annotations


class TacitError(Exception):
    """Something that the user can act on; the command line shows its message and nothing else."""

    exit_code = 1


class SettingsUnreadable(TacitError):  # noqa: N818  (a state, not a mishap)
    """config.toml cannot be understood."""

    exit_code = 3


class HomeRefused(TacitError):  # noqa: N818
    """The home cannot be used safely."""

    exit_code = 4


class NothingToResume(TacitError):  # noqa: N818
    """Nothing is paused there."""

    exit_code = 5
