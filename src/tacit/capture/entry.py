"""An entry of the spool, read back: the header as fields, the payload as bytes.

The other half of `Spool.publish`; whoever takes events in reads them here. A header of another
format is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.capture.spool import FORMAT


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


def parse(data: bytes) -> Entry:
    """Return the entry that *data* holds."""
    header, newline, payload = data.partition(b"\n")
    try:
        marker, received_ns, event, client, pid, group, answered = header.decode("ascii").split(" ")
        if marker != FORMAT or not newline:
            raise EntryUnreadable(f"not of the format {FORMAT}")
        return Entry(
            received_ns=int(received_ns),
            event=event,
            client=client,
            pid=int(pid),
            group=group,
            answered=answered,
            payload=payload,
        )
    except (UnicodeDecodeError, ValueError) as error:
        raise EntryUnreadable("the header line cannot be read") from error
