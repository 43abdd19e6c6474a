"""Models that are at hand when Tacit is installed: what a day of each costs, how one is chosen.

Only looks: at the environment, at the programs that can be run, and whether Ollama answers on this
machine. The choice is the owner's and stands in `config.toml`, at the end of what is there.
"""

from __future__ import annotations

import http.client
import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.errors import InstallRefused
from tacit.llm.port import Usage
from tacit.llm.prices import USUAL, usd
from tacit.llm.subscription import is_paid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

A_DAY = 4  # batches of a busy day: a hundred turns
_BATCH = Usage(input_tokens=8000, output_tokens=800)
_OLLAMA = ("127.0.0.1", 11434)
_SECONDS = 0.5
_LARGEST = 1 << 20
_NOT_FOR_THIS = ("embed", "minilm", "bge-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One model that could be used: what it is, what a day costs, what is written to choose it."""

    name: str
    title: str
    cost: str
    chosen: tuple[tuple[str, str], ...]
    needs_key: bool = False


def offers(
    environment: Mapping[str, str],
    which: Callable[[str], str | None],
    ollama: Callable[[], list[str]],
) -> list[Offer]:
    """Return the models at hand, the cheapest first."""
    place = f"http://{_OLLAMA[0]}:{_OLLAMA[1]}/v1"
    found = [
        Offer(
            name="ollama",
            title=f"Ollama on this machine, {name}",
            cost="nothing, but its electricity",
            chosen=(("provider", "openai"), ("base_url", place), ("model", name)),
        )
        for name in ollama()[:1]
    ]
    if program := which("claude"):
        found.append(
            Offer(
                name="claude-cli",
                title="your own Claude subscription, through the `claude` program",
                cost=_through_the_program(environment),
                chosen=(("provider", "claude-cli"), ("program", str(Path(program).absolute()))),
            )
        )
    if environment.get("ANTHROPIC_API_KEY"):
        model = USUAL["anthropic"]["small"]
        found.append(
            Offer(
                name="anthropic",
                title=f"{model} with your API key",
                cost=f"about ${A_DAY * usd(model, _BATCH):.2f} for a hundred turns",
                chosen=(("provider", "anthropic"),),
                needs_key=True,
            )
        )
    return found


def _through_the_program(environment: Mapping[str, str]) -> str:
    """Return what a day costs through the user's program, which prefers a key to a login."""
    if is_paid(environment):
        price = A_DAY * usd(USUAL["claude-cli"]["small"], _BATCH)
        return f"about ${price:.2f} for a hundred turns, billed to the key in your environment"
    return "nothing beyond the subscription; it counts towards its limits"


def ollama_models(address: tuple[str, int] = _OLLAMA) -> list[str]:
    """Return the models that Ollama has on this machine; none if it does not answer."""
    line = http.client.HTTPConnection(*address, timeout=_SECONDS)
    try:
        line.request("GET", "/api/tags")
        told = json.loads(line.getresponse().read(_LARGEST))
        names = [str(each["name"]) for each in told["models"]]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return []
    finally:
        line.close()
    return [name for name in names if not any(each in name for each in _NOT_FOR_THIS)]


def is_chosen(home: Path) -> bool:
    """Say whether the owner has said anything about models yet."""
    try:
        return "llm" in tomllib.loads(_text(home))
    except (OSError, ValueError):  # bad TOML is a ValueError, bad UTF-8 too
        return True  # whoever corrects the file decides


def resolved(command: list[str], which: Callable[[str], str | None]) -> list[str]:
    """Return a command with its program's whole path: daemons do not look where users do."""
    program = which(command[0]) if command else None
    return [str(Path(program).absolute()), *command[1:]] if program else command


def choose(home: Path, offer: Offer, key_command: list[str]) -> str:
    """Write a choice at the end of `config.toml`; return what was written."""
    if is_chosen(home):
        raise InstallRefused(f"{home / paths.CONFIG} says something about [llm] already: edit it.")
    lines = [f"{name} = {json.dumps(value)}" for name, value in offer.chosen]
    if key_command:
        lines.append(f"key_command = {json.dumps(key_command)}")
    before = _text(home)
    gap = "\n" if before and not before.endswith("\n\n") else ""
    gap = ("" if before.endswith("\n") or not before else "\n") + gap
    written = "\n".join(("[llm]", *lines)) + "\n"
    target = (home / paths.CONFIG).resolve()  # it may be a link to elsewhere
    scratch = target.with_name(f".{target.name}.{os.getpid()}")
    scratch.write_text(before + gap + written, encoding="utf-8")
    scratch.chmod(0o600)
    scratch.replace(target)
    return written


def _text(home: Path) -> str:
    """Return the settings file's text, empty if there is none; a dangling link is an error."""
    file = home / paths.CONFIG
    return file.read_text(encoding="utf-8") if os.path.lexists(file) else ""
