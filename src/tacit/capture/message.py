"""One more kind of event: a message, for bridges, importers and benches.

Whoever has a conversation but no hook says each message as one event, with its own id, so that
saying it twice is saying it once. It goes through the same intake as the hook's payloads: nothing
is written unredacted.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tacit.capture import intake
from tacit.capture.projectfile import narrowed
from tacit.guard import fastjson

if TYPE_CHECKING:
    from tacit.capture.conf import Conf
    from tacit.capture.spool import Spool

EVENT = "message"
ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What somebody said: in which session and role, when, under which id of the source."""

    session: str
    role: str
    text: str
    at: str
    id: str
    project: str = ""

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"The role of a message is one of {', '.join(ROLES)}: {self.role!r}.")


def record(
    message: Message, *, root: int, conf: Conf, spool: Spool, source: str, received_ns: int
) -> str | None:
    """Put a message into the spool, cleaned; return the name of its file, None if it is off."""
    if conf.is_off([message.project]) or narrowed([message.project])[0]:
        return None
    payload = fastjson.dumps(asdict(message)).encode("utf-8", "replace")
    return spool.publish(
        intake.redacted(payload, root, keeps_numbers=conf.keeps_numbers),
        event=EVENT,
        received_ns=received_ns,
        client=source,
        group=conf.group(message.project),
    )
