"""Where things lie: the home and the names inside it.

Everything that Tacit writes lies below the home. The hook asks here too, so nothing is imported
until it is needed.
"""

from __future__ import annotations

import sys

CONFIG = "config.toml"
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
MEMORY = "memory.db"
MEMORY_SCRATCH = "memory.new"
SCRATCH = "transcript.new"
QUARANTINE = "quarantine"
RECOVERED = "recovered.json"
ERASING = "erasing"
BACKUPS = "backups"
INGEST_LOCK = "ingest.lock"
LOGS = "logs"
HOOK_LOG = "hook.log"
DAEMON_SOCKET = "daemon.sock"
DAEMON_LOCK = "daemon.lock"
DAEMON_TRIED = "daemon.tried"
DAEMON_PULSE = "daemon.json"
DAEMON_LOG = "daemon.log"


def home() -> str:
    """Return the home: `$TACIT_HOME`, else the platform's directory for user data."""
    import os

    chosen = os.environ.get("TACIT_HOME")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/tacit")
    base = os.environ.get("XDG_DATA_HOME", "")
    return os.path.join(
        base if os.path.isabs(base) else os.path.expanduser("~/.local/share"), "tacit"
    )


def is_under(path: str, directory: str) -> bool:
    """Say whether *path* is *directory* or lies below it."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")
