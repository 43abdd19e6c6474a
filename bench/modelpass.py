"""Whether the model pass loses anything: bench/modelpass.py GOLD.jsonl... [--out FILE] [--check].

A scripted server speaks like Anthropic's and answers from the gold labels: what a perfect model
would say, with a sentence of the turn as its quote. Sessions go the whole way, through the provider
and real HTTP. Printed are calls, tokens, and how much of the labels is remembered as it was told,
as typed F1, beside the bar; `--check` fails below it, `--out` writes all down for a scorer.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]

from extraction import predictions  # noqa: E402  (beside this file)
from tacit.curate.rules.words import stems  # noqa: E402
from tacit.llm.choose import model  # noqa: E402
from tacit.settings import Settings  # noqa: E402

_TURN = re.compile(r"^### (t\d+), [^\n]*\n(.*?)(?=^### t\d+|\Z)", re.MULTILINE | re.DOTALL)
_USER = re.compile(r"^user:\n((?:\| .*\n?)+)", re.MULTILINE)
_KNOWN = re.compile(r"^(m\d+) \[\w+\] \| (.*)$", re.MULTILINE)
_SENTENCE = re.compile(
    r"(?:[^.!?\n\u3002]|[.!?](?=\w))+[.!?\u3002]*"
)  # "token_store.py" is one word
_BEHAVIOURAL = {"preference", "instruction", "correction", "pattern"}
_LIKE = 0.5
_MORE = 2  # so many words more must be somebody else's, for the user not to be quoted
BAR = 0.95  # of typed F1: the pass may lose next to nothing of what a perfect model says


class Gold:
    """Answers a request as the labels say."""

    def __init__(self, sessions: list[dict[str, Any]]) -> None:
        self._sessions = {each["session"]: each for each in sessions}
        self._turns = [
            (_plain(turn["user"]), each, turn) for each in sessions for turn in each["turns"]
        ]
        self.calls = self.characters = 0

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the object that a perfect model would answer with."""
        text = _text(question)
        self.calls += 1
        self.characters += len(text)
        known = dict(_KNOWN.findall(text))
        told = []
        for name, body in _TURN.findall(text):
            said = _USER.search(body)
            user = _plain(re.sub(r"^\| ?", "", said.group(1), flags=re.MULTILINE)) if said else ""
            reply = _plain(body)
            meant = [
                each
                for each in self._turns
                if user.startswith(each[0][:50].strip() or "-")
                and _plain(each[2].get("assistant") or "")[:30] in reply
            ]
            for _, session, turn in sorted(meant, key=lambda each: -len(each[0][:50]))[:1]:
                told += self._items(name, session, turn, known)
        return {"memories": told, "kept": [], "withdrawn": [], "actions": [], "resolved": [],
                "summary": None}  # fmt: skip

    def _items(
        self, name: str, session: dict[str, Any], turn: dict[str, Any], known: dict[str, str]
    ) -> list[dict[str, Any]]:
        found = []
        for gold in session["gold"]:
            is_meant = gold["turn"] == turn["n"] and not gold.get("optional")
            if is_meant and not gold.get("duplicate_of"):
                found.append(
                    {
                        "kind": gold["kind"][0],
                        "text": gold["text"],
                        "quote": _quote(gold, turn),
                        "turn": name,
                        "importance": gold.get("importance", 3),
                        "tags": [],
                        "topic": "",
                        "scope": "project",
                        "supersedes": self._old(gold, known),
                        "draft": "",
                    }
                )
        return found

    def _old(self, gold: dict[str, Any], known: dict[str, str]) -> str:
        """Return the name of the known memory that a statement replaces."""
        old = gold.get("supersedes")
        if not old:
            return ""
        words = stems(self._sessions[old["session"]]["gold"][old["gold"]]["text"])
        shares = [
            (len(words & stems(text)) / (len(words | stems(text)) or 1), name)
            for name, text in known.items()
        ]
        best = max(shares, default=(0.0, ""))
        return best[1] if best[0] > _LIKE else ""


def _quote(gold: dict[str, Any], turn: dict[str, Any]) -> str:
    """Return the sentence of a turn that says most of a statement.

    Of a rule it is the user's, and of all else unless somebody else says clearly more of it.
    """
    texts = [turn["user"]]
    if gold["kind"][0] not in _BEHAVIOURAL:
        texts += [turn.get("assistant") or "", *(str(each["response"]) for each in turn["tools"])]
    words = stems(gold["text"])
    said = [
        (len(words & stems(each)) + _MORE * (not at), -at, each.strip())
        for at, text in enumerate(texts)
        for each in _SENTENCE.findall(text)
        if each.strip()
    ]
    return max(said, default=(0, 0, ""))[2]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _text(question: dict[str, Any]) -> str:
    """Return all that a request says."""
    parts = question.get("system", [])
    said = [part["text"] for part in parts] if isinstance(parts, list) else [parts]
    for message in question["messages"]:
        content = message["content"]
        said += [content] if isinstance(content, str) else [part["text"] for part in content]
    return "\n".join(said)


def served(gold: Gold) -> ThreadingHTTPServer:
    """Return a server on this machine that answers like Anthropic's."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            used = {
                "type": "tool_use",
                "id": "toolu_1",
                "name": question["tools"][0]["name"],
                "input": gold.answer(question),
            }
            answer = json.dumps(
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "model": question["model"],
                    "content": [used],
                    "stop_reason": "tool_use",
                    "usage": {"input_tokens": len(_text(question)) // 4, "output_tokens": 200},
                }
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def scored(sessions: list[dict[str, Any]], rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Return how many labels are remembered, as their kind, of how many, and all that is.

    A memory is a label's if it says what the label must; of several the first is.
    """
    stored = [row for row in rows if "type" not in row]
    free, right, wanted = list(stored), 0, 0
    for session in sessions:
        for gold in session["gold"]:
            if gold.get("optional") or gold.get("duplicate_of"):
                continue
            wanted += 1
            told = [
                row
                for row in free
                if row["session"] == session["session"]
                and row["kind"] in gold["kind"]
                and _says(row["text"], gold["must"])
            ]
            best = sorted(told, key=lambda row: row["text"] != gold["text"])
            for row in best[:1]:
                free.remove(row)
                right += 1
    return right, wanted, len(stored)


def _says(text: str, must: list[list[str]]) -> bool:
    """Say whether a text has one of the alternatives of each group."""
    folded = text.casefold()
    return all(any(each.casefold() in folded for each in group) for group in must)


def played(path: Path) -> tuple[Gold, list[dict[str, Any]], tuple[int, int, int]]:
    """Have all sessions of a file read, project by project."""
    sessions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    projects = defaultdict(list)
    for session in sessions:
        projects[session["project"]].append(session)
    gold = Gold(sessions)
    server = served(gold)
    url = f"http://127.0.0.1:{server.server_port}"
    settings = Settings({"llm.provider": "anthropic", "llm.base_url": url})
    llm = model(settings, {}, is_users_program=False)
    rows: list[dict[str, Any]] = []
    for project in projects.values():
        rows += predictions(sorted(project, key=lambda each: -each["days_ago"]), llm)
    server.shutdown()
    server.server_close()
    return gold, rows, scored(sessions, rows)


def main() -> None:
    """Take all sessions in, have them read, and say what became of what was answered."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", nargs="+", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--check", action="store_true", help="fail below the bar")
    given = parser.parse_args()
    found = [played(path) for path in given.gold]
    if given.out:
        lines = [json.dumps(row, ensure_ascii=False) for _, rows, _ in found for row in rows]
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = sum(gold.calls for gold, _, _ in found)
    tokens = sum(gold.characters for gold, _, _ in found) // 4 // max(1, asked)
    right, wanted, stored = (
        sum(each) for each in zip(*(counts for *_, counts in found), strict=True)
    )
    score = 2 * right / max(1, wanted + stored)
    sys.stdout.write(f"{asked} calls, about {tokens} tokens each\n")
    sys.stdout.write(f"{right} of {wanted} labels, {stored} memories: ")
    sys.stdout.write(f"typed F1 {score:.3f}, bar {BAR}\n")
    if given.check and score < BAR:
        sys.exit(1)


if __name__ == "__main__":
    main()
