"""A secret that is said, read or repeated never reaches the disk of our home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from realclient.api import Say, bash
from realclient.client import conversing
from realclient.reading import Place, kept, turns

if TYPE_CHECKING:
    from realclient.api import Script

SAID = "AKIA" + "Q3EGRZ7TLJ5WNMDV"
READ = "ghp_" + "J7sKq2LxV9bTnR4mYc8WdZ1fHg5PaE3uQo6i"
FAILED = "k3Jd8sPq0zLmW7"
PROMPT = f"Deploy it with the key {SAID}, please"
SCRIPT: Script = {
    PROMPT: [
        bash("cat deploy.env"),
        bash("cat broken.env; exit 3"),
        Say(f"Deployed with {SAID} and {READ}."),
    ]
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A session full of secrets, and the bytes of our home while and after it was taken in."""

    place: Place
    session: str
    waiting: bytes
    taken: bytes


@pytest.fixture(scope="module")
def deployed(place: Place) -> Deployed:
    project = place.home.project
    (project / "deploy.env").write_text(f"export GITHUB_TOKEN={READ}\n", encoding="utf-8")
    (project / "broken.env").write_text(f"DB_PASSWORD={FAILED}\n", encoding="utf-8")
    with conversing(place.home, SCRIPT, latency=0.5) as client:
        session = client.say(PROMPT).session
    waiting = place.home.bytes_on_disk()
    place.settle()
    taken = place.home.bytes_on_disk()
    return Deployed(place=place, session=session, waiting=waiting, taken=taken)


@pytest.mark.parametrize("secret", [SAID, READ, FAILED], ids=["said", "read", "failed"])
def test_a_secret_never_reaches_the_home_s_disk(deployed: Deployed, secret: str) -> None:
    needle = secret.encode()

    assert needle not in deployed.waiting
    assert needle not in deployed.taken


def test_what_stood_around_the_secrets_is_kept(deployed: Deployed) -> None:
    turn = turns(deployed.place.home, deployed.session)[0]

    told = [turn["prompt"], *[step["result"] for step in turn["steps"]], turn["reply"]]

    assert [each.count("[redacted:") for each in told] == [1, 1, 1, 2]
    assert told[0].startswith("Deploy it with the key [redacted:aws-access-key")
    assert [step["failed"] for step in turn["steps"]] == [False, True]


def test_each_event_of_such_a_session_is_kept_once(deployed: Deployed) -> None:
    kinds = sorted(each.kind for each in kept(deployed.place.home))

    assert kinds == ["end", "prompt", "reply", "start", "tool_failure", "tool_use"]
