"""Programs of the owner's: found where the owner says, not where a session's surroundings say.

A daemon may have been started by a hook, and a project sets variables for its sessions. So only
programs that the user starts look into PATH; a daemon takes whole paths, and looks for mere names
in the account's place and the system's. What it runs knows the account's home and these places.
"""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CLAUDE = "claude"  # unless the owner names another
_PLACES = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/snap/bin")
_OF_ACCOUNT = ".local/bin"


def surroundings(environment: Mapping[str, str], *, is_users_program: bool) -> dict[str, str]:
    """Return the environment in which programs are found and run."""
    if is_users_program:
        return dict(environment)
    account = pwd.getpwuid(os.geteuid())
    places = (str(Path(account.pw_dir, _OF_ACCOUNT)), *_PLACES)
    own = {"HOME": account.pw_dir, "USER": account.pw_name, "LOGNAME": account.pw_name}
    return {**environment, **own, "PATH": os.pathsep.join(places)}


def found(name: str, environment: Mapping[str, str]) -> str | None:
    """Return a program's whole path; None if it is nowhere, or its place depends on ours."""
    if os.path.dirname(name) and not os.path.isabs(name):  # noqa: PTH117, PTH120  (no file yet)
        return None
    return shutil.which(name, path=environment.get("PATH") or os.defpath)


def unseen(name: str, environment: Mapping[str, str]) -> str | None:
    """Return where the user has a program that a daemon does not find there; None if it does."""
    own = found(name, environment)
    other = found(name, surroundings(environment, is_users_program=False))
    is_same = own and other and os.path.realpath(own) == os.path.realpath(other)
    return None if is_same else own


def beside(program: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a program finds those that lie beside it, as scripts do."""
    places = (str(Path(program).parent), environment.get("PATH", ""))
    return {**environment, "PATH": os.pathsep.join(filter(None, places))}
