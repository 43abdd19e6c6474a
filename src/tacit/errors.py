"""Errors: everything that Tacit says when it cannot do what was asked.

    TacitError
    ├── SettingsUnreadable      config.toml is not TOML, or a setting has a wrong value
    ├── HomeRefused             the home is a link, belongs to somebody else or cannot be written
    ├── NothingToResume         `tacit resume` where nothing is paused
    ├── NotFound                no session, turn, project, backup or group of that name
    ├── NotAllowed              an agent, or a pipe, asked for what only the owner may do
    ├── DaemonSilent            the daemon did not start or stop in time
    ├── MemoryRefused           a memory, a tag or an action is not as it must be
    ├── EmbedderUnavailable     what turns texts into vectors cannot be loaded, reached or believed
    └── StoreError              something about a database
        ├── StoreDamaged        its content is not what was written
        ├── StoreMoved          it was moved or replaced while it was open
        ├── StoreBusy           another program holds it
        ├── StoreFull           the disk is full
        ├── StoreRefused        it is a link, somebody else's, or cannot be written
        └── SchemaNewer         a newer Tacit has written it

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


class NotFound(TacitError):  # noqa: N818
    """There is nothing of that name."""

    exit_code = 6


class NotAllowed(TacitError):  # noqa: N818
    """Only the owner, at a terminal, may do this."""

    exit_code = 7


class DaemonSilent(TacitError):  # noqa: N818
    """The daemon did not do what it was told in time."""

    exit_code = 8


class MemoryRefused(TacitError):  # noqa: N818
    """What was to be remembered is not as it must be."""

    exit_code = 9


class StoreError(TacitError):
    """Something is wrong with a database."""

    exit_code = 10


class StoreDamaged(StoreError):  # noqa: N818
    """A database holds something else than what was written."""

    exit_code = 11
    path: object = None  # which one, where SQLite itself has noticed


class StoreMoved(StoreError):  # noqa: N818
    """A database was moved or replaced while it was open."""

    exit_code = 12


class StoreBusy(StoreError):  # noqa: N818
    """Another program holds a database."""

    exit_code = 13


class StoreFull(StoreError):  # noqa: N818
    """The disk is full."""

    exit_code = 14


class StoreRefused(StoreError):  # noqa: N818
    """A database cannot be used safely."""

    exit_code = 15


class SchemaNewer(StoreError):  # noqa: N818
    """A database was written by a newer Tacit."""

    exit_code = 16


class EmbedderUnavailable(TacitError):  # noqa: N818
    """What turns texts into vectors cannot be had."""

    exit_code = 17
