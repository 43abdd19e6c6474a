"""Where things lie: the home and the names inside it.

Everything that Tacit writes lies below the home. The hook asks here too, so nothing is imported
until it is needed.
"""

from __future__ import annotations

import sys

CONFIG = "config.toml"
CONFIG_LAST = "config.last.toml"  # the settings as they last could be read whole
HOME_MARKER = "home.marker"  # what makes a directory a home; bound to its inode
LOSSES = "losses"  # preallocated, so that a loss can be counted on a full disk
CAPTURE_CONF = "capture.conf"
PAUSED = "paused"
KEY = "redaction.key"
PATTERNS = "patterns.bin"
SPOOL = "spool"
BAD = "bad"
DONE = "done"
GROUPS = "groups"
TRANSCRIPT = "transcript.db"
MARK = "transcript.mark"
REACHED = "reached"  # in the home: a copy of each group's mark
MEMORY = "memory.db"
MEMORY_SCRATCH = "memory.new"
SCRATCH = "transcript.new"
QUARANTINE = "quarantine"
RECOVERED = "recovered.json"
ERASING = "erasing"
BACKUPS = "backups"
BRIEFS = "briefs"
INGEST_LOCK = "ingest.lock"
ASKING_LOCK = "asking.lock"
LOGS = "logs"
HOOK_LOG = "hook.log"
DAEMON_SOCKET = "daemon.sock"
DAEMON_LOCK = "daemon.lock"
DAEMON_TRIED = "daemon.tried"
DAEMON_STOPPED = "daemon.stopped"  # stopped by hand: hooks do not start it again
DAEMON_PULSE = "daemon.json"
DAEMON_LOG = "daemon.log"
INSTALLED = "installed"
MAIN_GROUP = "main"
PROVING = "proving"  # a directory for each run of `tacit doctor --prove`, with all its files
PROVING_GROUP = "tacit-proving"  # prefix of the group of such a run
TOLD = "told"
# what a workspace has of ours: its memory, its version, what it chooses for itself
OS, OS_MEMORY, OS_VERSION, OS_CONFIG = ".os", "memory", "VERSION", "config.toml"
OS_LAYOUT = "LAYOUT"  # the Tacit that laid it out, once VERSION is somebody's own
WORKSPACE = "workspace.db"
# made anew when it is missing: on a full disk one of these gives its place for what must be noted
REMADE = (PATTERNS, TOLD, DAEMON_TRIED, CAPTURE_CONF)
# all that ever lies in a home beside half-written copies of these
OURS = (
    CONFIG, CONFIG_LAST, CAPTURE_CONF, PAUSED, KEY, PATTERNS, SPOOL, GROUPS, BACKUPS, INGEST_LOCK,
    ASKING_LOCK, LOGS, DAEMON_SOCKET, DAEMON_LOCK, DAEMON_TRIED, DAEMON_STOPPED, DAEMON_PULSE,
    INSTALLED, PROVING, REACHED, TOLD, LOSSES, HOME_MARKER,
)  # fmt: skip


def home() -> str:
    """Return the home of commands: `$TACIT_HOME`, else the default one.

    Installed hooks never ask here: theirs is written in the launcher.
    """
    import os

    chosen = os.environ.get("TACIT_HOME")
    return os.path.abspath(os.path.expanduser(chosen)) if chosen else default_home()


def default_home() -> str:
    """Return the platform's directory for user data."""
    import os

    base = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(base) and sys.platform != "darwin":
        return os.path.join(base, "tacit")
    return usual_home(os.path.expanduser("~"))


def usual_home(user: str) -> str:
    """Return the home below a user's directory that nobody has chosen otherwise."""
    is_mac = sys.platform == "darwin"
    data = "Library/Application Support" if is_mac else ".local/share"
    return f"{user.rstrip('/')}/{data}/tacit"


def is_proof(group: str) -> bool:
    """Return whether a group belongs to a run of `tacit doctor --prove`."""
    return group.startswith(PROVING_GROUP)


def is_under(path: str, directory: str) -> bool:
    """Say whether *path* is *directory* or lies below it."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")
