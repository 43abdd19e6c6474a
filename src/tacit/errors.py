"""Errors: everything that Tacit says when it cannot do what was asked.

    TacitError
    ├── SettingsUnreadable      config.toml is not TOML, or a setting has a wrong value
    ├── HomeRefused             the home is a link, belongs to somebody else or cannot be written
    ├── NothingToResume         `tacit resume` where nothing is paused
    ├── NotFound                no session, turn, project, backup or group of that name
    ├── NotAllowed              an agent, or a pipe, asked for what only the owner may do
    ├── DaemonSilent            the daemon did not start or stop in time
    ├── MemoryRefused           a memory, a tag or an action is not as it must be
    ├── FileRefused             a curated file is too long, is no text, or cannot be accepted
    ├── InstallRefused          a client's files cannot be changed safely, or nobody has agreed
    ├── EmbedderUnavailable     what turns texts into vectors cannot be loaded, reached or believed
    ├── ModelUnavailable        the model that the owner has chosen cannot be had
    │   ├── ModelKeyRefused     no key, or one that the model's server does not accept
    │   ├── ModelUnknown        no such model there, or no server for models
    │   ├── ModelBusy           the server wants to be left alone for a while
    │   ├── ModelUnreachable    nobody answers, or not in time
    │   └── ModelStrange        an answer that cannot be used
    └── StoreError              something about a database
        ├── StoreDamaged        its content is not what was written
        ├── StoreMoved          it was moved or replaced while it was open
        ├── StoreBusy           another program holds it
        ├── StoreFull           the disk is full
        ├── StoreRefused        it is a link, somebody else's, or cannot be written
        ├── WorkspaceGone       the directory of a workspace is not there
        ├── WorkspaceRefused    a directory cannot be a workspace, or a part of one is a link
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


class WorkspaceGone(StoreError):  # noqa: N818
    """The directory of a workspace is not there."""

    exit_code = 27


class WorkspaceRefused(StoreError):  # noqa: N818
    """A directory cannot be used as a workspace."""

    exit_code = 28


class EmbedderUnavailable(TacitError):  # noqa: N818
    """What turns texts into vectors cannot be had."""

    exit_code = 17


class InstallRefused(TacitError):  # noqa: N818
    """A client's files cannot be changed safely."""

    exit_code = 18


class ModelUnavailable(TacitError):  # noqa: N818
    """The model cannot be had."""

    exit_code = 19
    usd: float = 0.0  # what it may have cost all the same


class ModelKeyRefused(ModelUnavailable):
    """There is no key for the model, or its server does not accept it; asking again is no use."""

    exit_code = 20


class ModelUnknown(ModelUnavailable):
    """The server does not know the model, or is no place for one; asking again is no use."""

    exit_code = 21


class ModelBusy(ModelUnavailable):
    """The model's server wants to be left alone for a while."""

    exit_code = 22

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after  # seconds, where the server has said so


class ModelUnreachable(ModelUnavailable):
    """The model's server does not answer, or not in time."""

    exit_code = 23


class ModelStrange(ModelUnavailable):
    """The model's answer cannot be used."""

    exit_code = 24


class FileRefused(TacitError):  # noqa: N818
    """A curated file is not as it must be."""

    exit_code = 26
