"""What our hooks cost the real client: wall time with and without them, interleaved.

    PYTHONPATH=tests python bench/client.py [--pairs N] [--latency SECONDS] [--check]

One session of ten tools at a model that thinks a second before each answer, as a ratio; and the
time from a prompt to its answer in a session of several prompts, as a difference: in an empty home,
and in one whose memories fit the prompts and are surfaced. Beside it stands the time to the end of
the turn, with the hook that runs behind the answer. The client is the one that `make test`
installs; a daemon runs as for a user, and is gone at the end. `--check` fails over a bar.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from flow.daemons import Daemons, until
from flow.keeping import opened
from realclient.api import Say, bash
from realclient.client import conversing
from realclient.hearing import told
from rig import Home, corpus
from tacit.capture import state
from tacit.daemon import control
from tacit.policy import Caller
from tacit.transcript import place
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from realclient.api import Script

PAIRS, LATENCY = 3, 1.0
TOOLS, PROMPTS = 10, 12
RATIO_BAR, PROMPT_BAR = 1.10, 60.0  # of the session's wall time; milliseconds more per prompt
TASK = "Do ten things"
SESSION: Script = {TASK: [*[bash(f"echo {each}") for each in range(TOOLS)], Say("Done.")]}
QUESTIONS: Script = {f"Question {each}?": [Say("Yes.")] for each in range(100, 100 + PROMPTS)}
RELATED = corpus("recall/related")[:PROMPTS]
ABOUT: Script = {each["prompt"]: [Say("Yes.")] for each in RELATED}
OTHERS = 300  # memories besides, more than a brief has room for


class Waited(NamedTuple):
    """Seconds from a prompt to its answer, and to the end of its turn."""

    answered: float
    ended: float


@contextmanager
def installed(*, hooked: bool) -> Iterator[Home]:
    """Give a home that is thrown away, with a daemon if hooks are to meet one."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch))
        root = state.open_home(str(home.path))
        try:
            if hooked:
                home.wake()
                control.start(root, str(home.path))
            yield home
        finally:
            control.stop(root)
            os.close(root)


def session_seconds(home: Home, latency: float, *, hooked: bool) -> list[Waited]:
    """Return how long a session of ten tools takes, from the client's start to its end."""
    with conversing(home, SESSION, hooked=hooked, latency=latency) as client:
        ended = client.say(TASK)
    if ended.code != 0:
        raise RuntimeError(f"The client ended with {ended.code}: {ended.err or ended.out}")
    return [Waited(ended.seconds, ended.seconds)]


def prompt_seconds(home: Home, *, hooked: bool) -> list[Waited]:
    """Return how long each prompt of one session waits for its answer, the first one left out."""
    with conversing(home, QUESTIONS, hooked=hooked) as client, client.session() as say:
        return [_waited(say(prompt)) for prompt in QUESTIONS][1:]


def surfaced_seconds(home: Home, answered: list[int], *, hooked: bool) -> list[Waited]:
    """Return the same for prompts that memories fit; note how many were answered with some."""
    with conversing(home, ABOUT, hooked=hooked) as client:
        if hooked:
            _remember(home)
        with client.session() as say:
            taken = [_waited(say(prompt)) for prompt in ABOUT][1:]
        if hooked:
            answered.append(
                sum("## Related Memories" in each for each in told(client.api.requests[-1]))
            )
    return taken


def _remember(home: Home) -> None:
    """Have the owner remember what the prompts are about, then other things; wait for meaning."""
    texts = {each["id"]: each["text"] for each in corpus("recall/memories")}
    asked = [texts.pop(each["memory"]) for each in RELATED]
    with chdir(home.project), opened(home.path, time.time_ns) as app:
        here = place.locate(str(home.project)).project
        for text in (*asked, *list(texts.values())[:OTHERS]):
            app.remember("main", Said(text=text, project=here), Caller())
    daemons = Daemons(home)
    home.hook("SessionStart", {"source": "startup", "session_id": "before"})  # sessions are on
    until(lambda: _understood(daemons) >= len(asked) + OTHERS, "the meaning of every memory")


def _understood(daemons: Daemons) -> int:
    return sum(line.get("passages", 0) for line in daemons.log())


def _waited(told: dict[str, Any]) -> Waited:
    return Waited(told["answered_in"], told["ended_in"])


def measure(pairs: int, run: Callable[[Home, bool], list[Waited]]) -> tuple[Waited, Waited]:
    """Return the medians in seconds, without hooks and with them; which goes first takes turns."""
    taken: dict[bool, list[Waited]] = {False: [], True: []}
    for each in range(pairs):
        for hooked in (True, False) if each % 2 else (False, True):
            with installed(hooked=hooked) as home:
                taken[hooked] += run(home, hooked)
    bare, ours = (
        Waited(*map(statistics.median, zip(*taken[each], strict=True))) for each in (False, True)
    )
    return bare, ours


def _told_prompt(name: str, bare: Waited, ours: Waited) -> float:
    """Print how long prompts wait; return how many milliseconds longer with us."""
    answered, ended = ((b - a) * 1000 for a, b in zip(bare, ours, strict=True))
    print(
        f"{name:<20} {bare.answered * 1000:6.0f} ms {ours.answered * 1000:6.0f} ms"
        f" {answered:+8.0f} ms  bar {PROMPT_BAR:.0f}; to the end of the turn {ended:+.0f} ms"
    )
    return answered


def main() -> int:
    """Measure, print, and compare with the bars if asked to."""
    parser = argparse.ArgumentParser(description="Wall time of the real client with our hooks")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--latency", type=float, default=LATENCY, help="of the model, in seconds")
    parser.add_argument("--check", action="store_true", help="fail where a bar is exceeded")
    options = parser.parse_args()
    print(f"{'medians of ' + str(options.pairs) + ' pairs':<20} {'without':>9} {'with':>9}")
    bare, ours = measure(options.pairs, lambda home, hooked: prompt_seconds(home, hooked=hooked))
    added = [_told_prompt("prompt", bare, ours)]
    answered: list[int] = []
    bare, ours = measure(
        options.pairs, lambda home, hooked: surfaced_seconds(home, answered, hooked=hooked)
    )
    added.append(_told_prompt("prompt, surfacing", bare, ours))
    print(f"{'':<20} answered with memories: {answered} of {PROMPTS} prompts")
    bare, ours = measure(
        options.pairs,
        lambda home, hooked: session_seconds(home, options.latency, hooked=hooked),
    )
    print(
        f"{'session of ten tools':<20} {bare.ended:7.2f} s {ours.ended:7.2f} s"
        f" {ours.ended / bare.ended:10.3f}x  bar {RATIO_BAR:.2f}"
    )
    is_over = ours.ended / bare.ended > RATIO_BAR or max(added) > PROMPT_BAR
    return int(options.check and is_over)


if __name__ == "__main__":
    sys.exit(main())
