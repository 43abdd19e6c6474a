"""Home directories as the system's list of users has them, whatever `HOME` says.

A project can set `HOME` for the hook, so what is kept out must not depend on that alone.
"""

from __future__ import annotations


def home_of(user: str = "") -> str:
    """Return the home directory of a user, by default of the one who runs this; else nothing."""
    import posix
    import pwd

    try:
        return (pwd.getpwnam(user) if user else pwd.getpwuid(posix.getuid())).pw_dir
    except (KeyError, ValueError):  # ValueError: what no user can be called
        return ""


def in_own_home(path: str, other: str) -> str:
    """Return a path from `~` in the user's own home directory; *other* if it is none."""
    begin, slash, rest = path.partition("/")
    home = home_of() if begin == "~" else ""
    return home + slash + rest if home.startswith("/") else other
