"""Trust: whose words may become what.

Only the user and the owner say how to behave. What agents and tools say can be remembered as what
they said, if something supports it; if it reads like an order, the owner looks at it first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.tables import choice
from tacit.curate.rules.words import stems
from tacit.model.memory import BEHAVIOURAL, trust

if TYPE_CHECKING:
    from tacit.curate.rules.view import View
    from tacit.model.memory import Evidence

_ADDRESSED = re.compile(
    rf"\b{choice('addressed')}\b|{choice('addressed_inside')}|curl [^|\n]*\|\s*(?:ba)?sh",
    re.IGNORECASE,
)
_FOR_THE_USER = re.compile(
    r"\busers?\b[^.!?]{0,40}\b(?:prefers?|wants?|likes?|always|never|asked|wishes|agreed)\b",
    re.IGNORECASE,
)
_ABOUT_AGENTS = re.compile(
    r"\b(?:instructions?|the user|agents?|assistants?|memory|remember\w*|plain ?text|passwords?"
    r"|secrets?|tokens?)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\s*(?:committed:\s*)?\w+(?:\([^)]*\))?!?:\s*", re.IGNORECASE)
_FIRST = {"standing-first", "ban-first", "remember-first", "taste-first", "duty-first"}
_HINTS = {"standing", "ban", "remember", "taste"}
_ORDERS = frozenset(("standing", "ban", "duty", "remember"))
_SUPPORTED = 0.34
_TRUSTED = trust("user")


def held(evidence: Evidence) -> str | None:
    """Return why a statement is held until the owner has seen it; None if it is not."""
    if trust(evidence.origin) >= _TRUSTED:
        return None
    whose = _whose(evidence.origin)
    if evidence.kind in BEHAVIOURAL:
        return f"It says how to behave, and {whose} said it: only you can."
    hints = cues(evidence.quote) & _HINTS
    is_tool = evidence.origin.startswith("tool")  # what tools print is hostile
    is_hint = is_tool and bool(hints or _ABOUT_AGENTS.search(evidence.quote))
    if is_hint or is_order(evidence.quote) or is_order(evidence.content):
        return f"It reads like an order to agents, and {whose} said it."
    return None


def is_order(text: str) -> bool:
    """Say whether words tell an agent what to do, or what the user is said to want."""
    bare = _LABEL.sub("", text)
    if _ADDRESSED.search(text) or _FOR_THE_USER.search(text):
        return True
    return any(_tells(each.text) for each in clauses(bare))


def _tells(clause: str) -> bool:
    said = cues(clause)
    begins = {name for name in said if name.endswith("-first")}
    return bool(begins & _FIRST) or ("task-first" in begins and bool(said & _ORDERS))


def is_supported(content: str, view: View) -> bool:
    """Say whether what an agent told stands on something: what tools gave, or the user said."""
    told = stems(content)
    parts = [act.result for act in view.acts] + [act.command for act in view.acts]
    seen = stems(" ".join([*parts, *view.did, *(said.text for said in view.prompts)]))
    return bool(told) and len(told & seen) >= _SUPPORTED * len(told)


def _whose(origin: str) -> str:
    """Say who that is, in words."""
    name, _, tool = origin.partition(":")
    return f"the tool {tool}" if name == "tool" and tool else f"the {name}"
