"""The notice: one line that a person sees when a session starts and something needs them.

Plain ASCII without quotes, so that it stands in JSON as it is.
"""

from __future__ import annotations

UNRECORDED = b"Tacit cannot record this session. See why: tacit doctor"
_WAITS = (
    "Tacit has not taken in yet what happened %d minutes ago and since. It is tried again now; "
    "if you read this twice, run: tacit doctor"
)
_FAILED = "Tacit could not make memories of a turn of the last session. See why: tacit queue"
_SETTINGS = "Tacit cannot read one of its settings: "
_MINUTE_NS = 60_000_000_000


def notice(waited_ns: int, problem: str = "", *, is_unlanded: bool = False) -> bytes:
    """Return what is said of events that wait, of a turn that failed and of a wrong setting."""
    lines = [_WAITS % (waited_ns // _MINUTE_NS)] if waited_ns else []
    if is_unlanded and not waited_ns:
        lines.append(_FAILED)
    if problem:
        lines.append(_SETTINGS + problem)
    return " ".join(lines).encode("ascii", "replace")
