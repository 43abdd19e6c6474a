"""The notice: one line that a person sees when a session starts and the last one did not land.

Plain ASCII without quotes, so that it stands in JSON as it is.
"""

from __future__ import annotations

_WAITS = (
    "Tacit has not taken in yet what happened %d minutes ago and since. It is tried again now; "
    "if you read this twice, run: tacit doctor"
)
_FAILED = "Tacit could not make memories of a turn of the last session. See why: tacit queue"
_MINUTE_NS = 60_000_000_000


def notice(waited_ns: int) -> bytes:
    """Return what is said of events that wait for so long; for none, of a turn that failed."""
    return (_WAITS % (waited_ns // _MINUTE_NS) if waited_ns else _FAILED).encode()
