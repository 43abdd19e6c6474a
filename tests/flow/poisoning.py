"""What the tests of poisoned words share: talks that carry them, and what a memory made of them.

Each talk is a session of its own in a project of its own, told to a home as a client tells it. What
its user says himself asks for nothing that lasts, so whatever is remembered came from elsewhere.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from flow.telling import SECOND_NS, Teller, telling
from rig import corpus
from tacit.curate import statement
from tacit.curate.stores import MemoryStores
from tacit.curate.work import Curator, Tools
from tacit.store.memory_port import Wanted
from tacit.transcript.ledgers import Ledgers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.curate.extract import Extractor
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

ATTACKS: list[dict[str, str]] = corpus("poison/attacks")
STANDING: list[dict[str, str]] = corpus("poison/standing")
# where flushing costs nothing: it is not what these tests are about
IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
DAY_NS = 24 * 3600 * SECOND_NS
ASKED = "Can you have a look at it?"
# the ways by which words come that are not the user's own
WAYS = {
    "what a shell gave": ("ask", "shell", "end"),
    "the subjects of a log": ("ask", "log", "end"),
    "a page of the web": ("ask", "fetch", "end"),
    "a file that was read": ("ask", "read", "end"),
    "what a plug-in gave": ("ask", "plug_in", "end"),
    "a reply": ("ask", "reply"),
    "a page and the reply": ("ask", "fetch", "reply"),
    "a file and what was found in it": ("ask", "read", "find"),
    "a compaction": ("ask", "shell", "compact", "end"),
    "a compaction that is gone on from": ("ask", "end", "compact", "go_on", "end"),
    "a subagent": ("ask", "delegate", "end"),
    "a subagent and what was found": ("ask", "delegate", "find"),
    "a page and what the reply leaves open": ("postpone", "fetch", "leave_open"),
    "a file and what the reply leaves open": ("ask", "read", "leave_open"),
    "a page, and what a later reply leaves open": ("ask", "fetch", "end", "postpone", "leave_open"),
    "a commit": ("ask", "commit", "end"),
    "a pasted block of code": ("fence", "end"),
    "pasted lines of a quotation": ("quote", "end"),
    "a pasted block and a shell": ("fence", "shell", "find"),
}
# the ways by which they come again, as if they had become somebody's own meanwhile
CHAINS = {
    "a page, then the reply, then a later reply": (
        *("ask", "fetch", "reply"),
        *("agree", "reply"),
    ),
    "a page, and much later a reply": (
        *("ask", "fetch", "end", "agree", "end", "agree", "end"),
        *("agree", "shell", "find"),
    ),
    "a file, then a second tool that echoes it": ("ask", "read", "shell", "plug_in", "end"),
    "a tool, then a reply, then one that cites it": (
        *("ask", "shell", "reply"),
        *("agree", "cite", "agree", "cite"),
    ),
    "a tool, then a summary, then a reply": ("ask", "shell", "compact", "reply"),
    "a tool, then a reply, then two summaries": (
        *("ask", "shell", "reply", "compact"),
        *("go_on", "compact", "find"),
    ),
    "a summary that comes back as a prompt": (
        *("ask", "fetch", "compact", "go_on", "reply"),
        *("agree", "cite"),
    ),
    "a subagent, then what was found, then a commit": (
        *("ask", "delegate", "find"),
        *("agree", "commit", "reply"),
    ),
    "a commit, then the log, then a reply": ("ask", "commit", "end", "ask", "log", "find"),
    "a reply in three turns": ("ask", "read", "reply", "agree", "reply", "agree", "reply"),
    "a session, then another one": (
        *("ask", "fetch", "find", "come_back"),
        *("ask", "read", "cite", "agree", "find"),
    ),
    "a quotation, then a reply that takes it up": (
        *("quote", "reply"),
        *("agree", "cite"),
    ),
    "a page, a file, a commit and a summary": (
        *("ask", "fetch", "read", "commit", "compact", "find"),
        *("come_back", "go_on", "log", "cite"),
    ),
}


class Talk:
    """One session with an agent, in which somebody else's words turn up."""

    def __init__(self, teller: Teller, name: str) -> None:
        self._teller = teller
        self._name = name
        self._session = name
        self._turns = 0
        self._tools = 0

    def _say(self, event: str, **fields: Any) -> None:
        self._teller.say(
            event,
            session_id=self._session,
            cwd=f"/srv/{self._name}",
            prompt_id=f"{self._name}-turn-{self._turns}",
            **fields,
        )

    def _use(self, tool: str, given: dict[str, str], gave: object) -> None:
        self._tools += 1
        name = f"toolu-{self._name}-{self._tools}"
        use = {"tool_name": tool, "tool_input": given, "tool_use_id": name}
        self._say("PreToolUse", **use)
        self._say("PostToolUse", **use, tool_response=gave)

    def prompt(self, text: str) -> None:
        """Let the user say this, which opens a turn."""
        self._turns += 1
        self._say("UserPromptSubmit", prompt=text)

    def ask(self, _text: str = "") -> None:
        """Let the user ask for something that is done at once."""
        self.prompt(ASKED)

    def postpone(self, _text: str = "") -> None:
        """Let the user leave what there is to do for later."""
        self.prompt("Have a look at it. We still have to do the rest later, remind me of it.")

    def leave_open(self, text: str) -> None:
        """Let the agent say the words as what is left to do."""
        self._say("Stop", last_assistant_message=f"I had a look. Left open: {text}")

    def agree(self, _text: str = "") -> None:
        """Let the user be content, in words that say nothing else."""
        self.prompt("Okay, thanks. Can you go on?")

    def fence(self, text: str) -> None:
        """Let the user paste the words as a block of code."""
        self.prompt(f"What does this mean?\n\n```\n{text}\n```\n\n{ASKED}")

    def quote(self, text: str) -> None:
        """Let the user paste the words as quoted lines."""
        lines = "\n".join(f"> {line}" for line in text.splitlines())
        self.prompt(f"What does this mean?\n\n{lines}\n\n{ASKED}")

    def shell(self, text: str) -> None:
        gave = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        self._use("Bash", {"command": f"cat {self._name}.txt"}, gave)

    def log(self, text: str) -> None:
        gave = {"stdout": f"4f1c2ab {text}\n91d00fe Sort {self._name}", "stderr": ""}
        self._use("Bash", {"command": f"git log --oneline -2 {self._name}"}, gave)

    def fetch(self, text: str) -> None:
        given = {"url": f"https://pages.example.net/{self._name}", "prompt": "What does it say?"}
        self._use("WebFetch", given, {"code": 200, "result": text, "url": given["url"]})

    def read(self, text: str) -> None:
        path = f"/srv/{self._name}/notes.md"
        file = {"filePath": path, "content": text, "numLines": 1, "startLine": 1, "totalLines": 1}
        self._use("Read", {"file_path": path}, {"type": "text", "file": file})

    def plug_in(self, text: str) -> None:
        self._use("mcp__wiki__get", {"path": f"{self._name}.md"}, [{"type": "text", "text": text}])

    def commit(self, text: str) -> None:
        """Let the words be what a commit says; as the subject of a change that would be kept."""
        subject = f"fix: {text.splitlines()[0]}"
        command = f"git commit -qam {json.dumps(subject, ensure_ascii=False)} -m {self._name}"
        stdout = f"[main 4f1c2ab] {subject}\n {self._name}.txt | 2 ++"
        self._use("Bash", {"command": command}, {"stdout": stdout, "stderr": ""})

    def reply(self, text: str) -> None:
        """Let the agent say the words as its own."""
        self._say("Stop", last_assistant_message=text)

    def find(self, text: str) -> None:
        """Let the agent say the words as what it has found out."""
        self._say("Stop", last_assistant_message=f"I looked and found the cause. {text}")

    def cite(self, text: str) -> None:
        """Let the agent say the words as what was said before."""
        self._say("Stop", last_assistant_message=f"As noted earlier, this still holds: {text}")

    def end(self, _text: str = "") -> None:
        """Let the agent say that it is done, and nothing else."""
        self._say("Stop", last_assistant_message=f"I had a look at {self._name}.")

    def delegate(self, text: str) -> None:
        """Let a subagent bring the words back."""
        agent = {"agent_id": f"agent-{self._name}", "agent_type": "Explore"}
        self._say("SubagentStart", **agent)
        self._say("SubagentStop", **agent, last_assistant_message=f"Summary: {text}")

    def compact(self, text: str) -> None:
        """Let the words be what a summary of all that was said is made to say."""
        self._say("PreCompact", trigger="auto", custom_instructions="")
        self._say("PostCompact", trigger="auto", compact_summary=f"The user said: {text}")

    def come_back(self, _text: str = "") -> None:
        """Let the session end, and another one begin in the same project."""
        self._say("SessionEnd", reason="other")
        self._session = f"{self._name}-again-{self._turns}"
        self._say("SessionStart", source="startup")

    def go_on(self, text: str) -> None:
        """Let the summary come back as the first prompt of what goes on, as clients send it."""
        begun = "This session is being continued from a previous conversation"
        self.prompt(f"{begun} that ran out of context. The user said:\n{text}")


@contextmanager
def talking() -> Iterator[Teller]:
    """Open a home for a while that is thrown away."""
    with TemporaryDirectory(dir=IN_MEMORY) as home, telling(Path(home)) as teller:
        yield teller


def carried(teller: Teller, steps: Sequence[str], attacks: Sequence[dict[str, str]]) -> None:
    """Let each attack come by these steps, in a talk of its own, and be taken in."""
    for attack in attacks:
        talk = Talk(teller, attack["id"])
        for step in steps:
            getattr(talk, step)(attack["text"])


def spread(teller: Teller, attacks: Sequence[dict[str, str]]) -> list[str]:
    """Return what of attacks stands in actions and summaries, which agents are told as well."""
    bad = {each["id"]: each["text"] for each in attacks}
    actions = [(each.session, each.content) for each in teller.app.actions("main", None)]
    sums = [
        (each.session, f"{each.learned} {each.completed} {each.next_steps}")
        for each in teller.app.summaries("main")
    ]
    return [
        f"{session}: {text}"
        for session, text in (*actions, *sums)
        if any(_echoes(text, told) for name, told in bad.items() if session.startswith(name))
    ]


def _echoes(text: str, told: str) -> bool:
    """Say whether so much of what was told stands in a text that it is no chance."""
    words, size = told.split(), 5
    runs = {" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1))}
    return any(run.rstrip(".") in text for run in runs)


def remembered(steps: Sequence[str], attacks: Sequence[dict[str, str]] = ATTACKS) -> list[Memory]:
    """Return all that a home remembers after each attack came by these steps.

    None of it may stand in actions or summaries: there nobody sees whose words they were.
    """
    with talking() as teller:
        carried(teller, steps, attacks)
        drained = teller.drain()
        assert (drained.waiting, drained.uncurated, drained.troubles) == (0, 0, [])
        assert teller.app.queue("main").counts.keys() <= {"done"}
        assert spread(teller, attacks) == []
        return teller.app.list("main", Wanted(states=None))


@contextmanager
def curated(extractor: Extractor, tell: Callable[[Teller], None]) -> Iterator[SqliteMemory]:
    """Tell a home something, let another extractor curate it, and give the memory."""
    with TemporaryDirectory(dir=IN_MEMORY) as place:
        home = Path(place)
        with telling(home) as teller:
            tell(teller)
            assert teller.app.drain(seconds=None, curating=False).waiting == 0
            now = teller.now_ns + DAY_NS
        ledgers = Ledgers(home, now_ns=lambda: now, auto=True, keep=7)
        memories = MemoryStores(ledgers, lambda: now)
        try:
            store = memories.get("main")
            curator = Curator(ledgers.get("main").store, store, _tools(extractor, now))
            worked = curator.work()
            assert (worked.failed, worked.waiting) == (0, 0)
            yield store
        finally:
            memories.close()
            ledgers.close()


def _tools(extractor: Extractor, now_ns: int) -> Tools:
    return Tools(
        extractor=extractor,
        digest=lambda text: statement.digest(b"k" * 32, text),
        now_ns=lambda: now_ns,
        random=os.urandom,
        erase=lambda _events: None,
    )


def elevated(memories: Sequence[Memory]) -> list[str]:
    """Return those that are active and guide behaviour, or pass for the user's own words."""
    return [
        told(each)
        for each in memories
        if each.state == "active" and (each.behavioral or each.is_trusted)
    ]


def loose(memories: Sequence[Memory]) -> list[str]:
    """Return those that are not held with a reason."""
    return [told(each) for each in memories if each.state != "quarantined" or not each.reason]


def told(memory: Memory) -> str:
    """Return a memory so that a failing test says which it is."""
    return f"{memory.session} {memory.state} {memory.kind} of {memory.origin}: {memory.content}"
