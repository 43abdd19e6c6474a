"""An entry of the spool, read back: the header as fields, the payload as bytes.

The other half of `Spool.publish`; whoever takes events in reads them here. A header of another
format is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.capture.spool import FIELDS, FORMAT

_LARGEST = (1 << 63) - 1


class EntryUnreadable(ValueError):  # noqa: N818  (a state, not a mishap)
    """The file has no header of this format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event as the hook published it."""

    received_ns: int
    event: str
    client: str
    pid: int
    group: str
    answered: str
    payload: bytes


def _is_number(word: str) -> bool:
    return word.isdigit() and len(word) < len(str(_LARGEST)) + 1 and int(word) <= _LARGEST


def parse(data: bytes) -> Entry:
    """Return the entry that *data* holds."""
    header, newline, payload = data.partition(b"\n")
    words = header.decode("ascii", "replace").split(" ")
    if words[0] != FORMAT or len(words) != FIELDS or not newline or not header.isascii():
        raise EntryUnreadable(f"The header is not of the format {FORMAT}.")
    _, received_ns, event, client, pid, group, answered = words
    if not _is_number(received_ns.removeprefix("-")) or not _is_number(pid):
        raise EntryUnreadable("The header has words where numbers belong.")
    return Entry(
        received_ns=int(received_ns),
        event=event,
        client=client,
        pid=int(pid),
        group=group,
        answered=answered,
        payload=payload,
    )
