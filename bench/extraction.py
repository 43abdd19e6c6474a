"""How good the embedded curator is: bench/extraction.py GOLD.jsonl... --out PREDICTIONS.jsonl.

Sessions go the whole way: payloads as the client's hooks send them into the spool, from there into
the transcript, the curator and the memory, project by project in the order of time; probes are
asked when their session has been taken in. What is remembered is written down for a scorer.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.embed.local import LocalEmbedder
from tacit.recall.question import Question
from tacit.store.index_port import Scope
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.app import App
    from tacit.llm.port import Model

NOW = 1_790_000_000_000_000_000
DAY, MINUTE = 86_400 * 10**9, 60 * 10**9
STATUS = {"active": "active", "candidate": "candidate", "superseded": "superseded"}
DONE = {"pending": "open", "acted_on": "done", "dismissed": "done"}
BEST = 5
EMBEDDER = LocalEmbedder()


def main() -> None:
    """Take all sessions in and write down what is remembered."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for path in given.gold:
        sessions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        projects = defaultdict(list)
        for session in sessions:
            projects[session["project"]].append(session)
        for nth, project in enumerate(projects.values(), 1):
            sys.stderr.write(f"\r{path.name}: project {nth} of {len(projects)} ")
            rows += predictions(sorted(project, key=lambda session: -session["days_ago"]))
        sys.stderr.write("\n")
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def predictions(project: list[dict[str, Any]], llm: Model | None = None) -> list[dict[str, Any]]:
    """Return what is remembered of the sessions of one project, in a home of its own."""
    with TemporaryDirectory() as place:
        home = Home(Path(place), llm)
        try:
            probes: list[dict[str, Any]] = []
            for session in project:
                probes += home.take_in(session)
                home.finish_background_work()
            return probes + list(home.remembered([session["session"] for session in project]))
        finally:
            home.close()


class Home:
    """A home into which sessions are played."""

    def __init__(self, place: Path, llm: Model | None = None) -> None:
        os.umask(0o077)
        self._place = place
        self._project = place / "project"
        self._now = NOW
        self._turns: dict[str, int] = {}
        root = state.open_home(str(place / "home"))
        self._root = root
        self._spool = Spool(root)
        self.app: App = open_app(
            str(place / "home"), now_ns=lambda: self._now, embedder=EMBEDDER, llm=llm
        )

    def close(self) -> None:
        """Let it go."""
        self.app.close()
        self._spool.close()
        os.close(self._root)

    @property
    def now(self) -> int:
        """Return the time of the last event."""
        return self._now

    def project_key(self) -> str:
        """Return the key of the project in which the sessions are played."""
        return next(each.key for each in self.app.projects("main"))

    def finish_background_work(self) -> None:
        """Do what the daemon does between sessions: embed, keep up, merge."""
        self.app.understand("main")
        self.app.upkeep("main")
        if self.app.is_merge_due("main"):
            self.app.merge("main")

    def take_in(self, session: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Play one session, let it be curated, ask its probes."""
        starts = session.get("starts")
        self._now = NOW - session["days_ago"] * DAY if starts is None else starts
        name = session["session"]
        self._project = self._place / session.get("project", "project").replace("/", "-")
        self._project.mkdir(exist_ok=True)
        self._publish("SessionStart", {"session_id": name, "source": "startup"})
        for turn in session["turns"]:
            self._play(name, turn)
        self._publish("SessionEnd", {"session_id": name, "reason": "other"})
        self._now += MINUTE
        self.app.drain(seconds=None)
        while self.app.ask_model("main"):
            continue
        for nth, probe in enumerate(session.get("probes", [])):
            yield {"session": name, "type": "probe", "probe": nth, "results": self._ask(probe)}

    def _play(self, session: str, turn: dict[str, Any]) -> None:
        self.publish_turn(session, turn)
        self.app.drain(seconds=None)

    def publish_turn(self, session: str, turn: dict[str, Any]) -> None:
        """Send the events of one turn."""
        self._now += MINUTE
        identity = {"session_id": session, "prompt_id": f"{session}-{turn['n']}"}
        self._turns[f"{session}-{turn['n']}"] = turn["n"]
        self._publish("UserPromptSubmit", identity | {"prompt": turn["user"]})
        for nth, tool in enumerate(turn["tools"]):
            response = "\n".join([str(tool["response"])] * tool.get("repeat", 1))
            used = {
                "tool_name": tool["name"],
                "tool_use_id": f"{session}-{turn['n']}-{nth}",
                "tool_input": tool["input"],
                "tool_response": response,
            }
            self._publish("PostToolUse", identity | used)
        if turn["assistant"] is not None:
            self._publish("Stop", identity | {"last_assistant_message": turn["assistant"]})

    def _publish(self, event: str, payload: dict[str, Any]) -> None:
        self._now += 10**6
        told = payload | {"cwd": str(self._project), "hook_event_name": event}
        body = json.dumps(told).encode()
        self._spool.publish(
            body, event=event, received_ns=self._now, client="claude-code", group="main"
        )

    def _ask(self, probe: dict[str, Any]) -> list[str]:
        """Answer a probe with the memories that the product's own search finds."""
        self.app.understand("main")
        asked = Question(text=probe["query"], limit=BEST, scope=Scope(layers=("memory",)))
        answer = self.app.search("main", asked, meaning=self.app.meaning(probe["query"]))
        return [hit.content for hit in answer.hits]

    def remembered(self, sessions: list[str]) -> Iterator[dict[str, Any]]:
        """Yield memories, actions and summaries as they stand at the end."""
        memories = self.app.list("main", Wanted(states=tuple(STATUS)))
        for memory in memories:
            row = {"session": memory.session, "kind": memory.kind, "text": memory.content}
            old = [each.id for each in memories if each.superseded_by == memory.id]
            turn = self._turns.get(memory.turn or "")
            yield (
                row
                | {"id": memory.id, "status": STATUS[memory.state], "turn": turn}
                | ({"supersedes": old} if old else {})
            )
        for action in self.app.actions("main", None):
            if action.memory is None:
                told = {"session": action.session, "text": action.content}
                yield told | {"type": "pending", "status": DONE[action.status]}
        for summary in self.app.summaries("main"):
            if summary.session in sessions:
                fields = ("request", "completed", "next_steps", "files_read", "files_edited")
                told = {field: getattr(summary, field) for field in fields}
                yield {"session": summary.session, "type": "summary"} | told


if __name__ == "__main__":
    main()
