"""What the model is told by us: what stands in our fences, session by session."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flow.daemons import until

if TYPE_CHECKING:
    from realclient.api import Request
    from realclient.client import Client
    from rig import Home

FENCED = re.compile(r"<memory-([0-9a-f]{16})>\n(.*?)\n</memory-\1>", re.DOTALL)


def told(request: Request) -> list[str]:
    """Return what stands in our fences."""
    return [text for each in request.texts() for _, text in FENCED.findall(each)]


def section(brief: str, title: str) -> str:
    """Return a part of a brief."""
    return brief.partition(f"### {title}\n")[2].partition("\n### ")[0]


def prepared(home: Home) -> str:
    """Return what the prepared files say, all of them."""
    files = sorted((home.path / "groups" / "main" / "briefs").glob("*.md"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def until_prepared(home: Home, text: str) -> None:
    """Wait until a new session would be told *text*, and nothing is left to be taken in."""
    until(lambda: text in prepared(home), f"{text!r} in a prepared brief")
    until(lambda: home.spooled == [], "an empty spool")


@dataclass(slots=True)
class Talks:
    """Sessions, one after the other, and what the model was asked in each."""

    client: Client
    ids: list[str] = field(default_factory=list)
    seen: int = 0

    def say(self, *prompts: str) -> list[Request]:
        """Hold a session of its own; return what its model was asked."""
        with self.client.session() as say:
            self.ids += [{say(prompt)["session_id"] for prompt in prompts}.pop()]
        return self.since()

    def resume(self, session: str, had: int, *prompts: str) -> Request:
        """Go on with a session that *had* been told so much, until it is told more.

        The daemon may be late on a busy machine: then nothing is told, and the next time it is.
        """
        for prompt in prompts:
            self.client.resume(session, prompt)
            request = self.since()[0]
            if len(told(request)) > had:
                break
        return request

    def since(self) -> list[Request]:
        """Return what the model was asked since this was last looked at."""
        requests = self.client.api.requests[self.seen :]
        self.seen += len(requests)
        return requests
