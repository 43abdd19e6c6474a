"""Trust: whose words may become what.

Only the user and the owner say how to behave. What agents and tools say can be remembered as what
they said, if something supports it; if it reads like an order, the owner looks at it first.

It is told to sessions only with the user's words behind it, or what tools did. An agent may repeat
a page, and a page may order anything, in any language: so prose that a tool printed backs nothing.
What counts is what the user said, what the agent gave to a tool that succeeded, and values in
output that is no prose. An address that only a tool's text names is never told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.across.grounded import names_file, shared_values, shared_with
from tacit.curate.rules.cues import cues
from tacit.curate.rules.features import EDITS
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.tables import choice
from tacit.curate.rules.words import stems, words
from tacit.mind import in_mind
from tacit.model.memory import BEHAVIOURAL, trust
from tacit.transcript.prompt.line_shapes import LIKELY, shape

if TYPE_CHECKING:
    from tacit.curate.rules.view import Act, View
    from tacit.model.memory import Evidence

_ADDRESSED = re.compile(
    rf"\b{choice('addressed')}\b|{choice('addressed_inside')}|curl [^|\n]*\|\s*(?:ba)?sh",
    re.IGNORECASE,
)
# who is spoken for, and as what: each language with its own verbs, "users will" is no wish
_SPOKEN_FOR = (
    (r"users?|the owner", r"prefers?|wants?|likes?|hates?|always|never|asked|wishes|agreed"),
    (
        r"(?:be)?nutzer(?:in|s)?|anwender(?:in|s)?",
        r"will|m\u00f6chte|mag|bevorzugt|w\u00fcnscht|immer|nie|niemals|gebeten|zugestimmt",
    ),
    (
        r"utilisat(?:eur|rice)s?",
        r"veut|pr\u00e9f\u00e8re|aime|souhaite|d\u00e9sire|toujours|jamais|demand\u00e9|accept\u00e9",
    ),
    (r"usuari[oa]s?", r"quiere|prefiere|desea|siempre|nunca|jam\u00e1s|pidi\u00f3|acept\u00f3"),
    (r"utent[ei]", r"vuole|preferisce|desidera|sempre|mai|chiesto|accettato"),
    (
        r"usu\u00e1ri[oa]s?|utilizador(?:a|es)?",
        r"quer|prefere|gosta|deseja|sempre|nunca|jamais|pediu|aceitou",
    ),
    (r"u\u017cytkowni(?:k|czka)\w*", r"chce|woli|lubi|\u017cyczy|zawsze|nigdy|prosi\u0142\w*"),
)
_FOR_THE_USER = re.compile(
    "|".join(rf"\b(?:{who})\b[^.!?]{{0,40}}\b(?:{what})\b" for who, what in _SPOKEN_FOR)
    + r"|\u30e6\u30fc\u30b6\u30fc[^\u3002]{0,30}"
    r"(?:\u597d|\u5e0c\u671b|\u671b|\u5fc5\u305a|\u7d76\u5bfe|\u3044\u3064\u3082)",
    re.IGNORECASE,
)
_ABOUT_AGENTS = re.compile(
    r"\b(?:instructions?|the user|agents?|assistants?|memory|remember\w*|plain ?text|passwords?"
    r"|secrets?|tokens?)\b|\b(?:user|house|our|team)\s+(?:preference|rule|policy|convention)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\s*(?:committed:\s*)?\w+(?:\([^)]*\))?!?:\s*", re.IGNORECASE)
_HAPPENS = re.compile(
    r"\W*(?:(?:and|but|so|or|then|which|that)\s+)?(?:never|always|only)\s+(?!ss)(?:\w+[^s\W]s|\w+ed|is|was|were|are|has|had|gets|got)\b",
    re.IGNORECASE,
)
_HINTS = {"standing", "ever", "onward", "ban", "remember", "asked", "taste"}
_FIRST = {f"{name}-first" for name in (*_HINTS, "duty")}
_ORDERS = frozenset(("standing", "ever", "onward", "ban", "duty", "remember", "asked"))
_SUPPORTED = 0.34
_READ = 4000  # so much of what was written is read
_SAID = 0.6  # so much of a statement the user has said
_DONE = 0.34  # so much of it was given to tools
_RUN = 5  # so many words in a row stand in two texts by no chance
_SIGNS = 12  # so many signs, in a script without spaces
_PROSE = 5  # so many words make a line prose
_ADDRESS = re.compile(r"\b\w+://[^\s'\"<>)]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_TRUSTED = trust("user")


def held(evidence: Evidence) -> str | None:
    """Return why a statement is held until the owner has seen it; None if it is not."""
    if trust(evidence.origin) >= _TRUSTED:
        return None
    whose = _whose(evidence.origin)
    if evidence.kind in BEHAVIOURAL:
        return f"It says how to behave, and {whose} said it: only you can."
    is_tool = evidence.origin.startswith("tool")  # what tools print may be hostile
    is_hint = is_tool and is_suspect(evidence.quote, is_tool=True)
    if is_hint or is_order(evidence.quote) or is_order(evidence.content):
        return f"It reads like an order to agents, and {whose} said it."
    return None


def is_order(text: str) -> bool:
    """Say whether words tell an agent what to do, or what the user is said to want."""
    bare = _LABEL.sub("", text)
    return is_addressed(text) or any(_tells(each.text) for each in clauses(bare))


def may_order(text: str) -> bool:
    """Say whether words that nobody vouches for could be taken for an order."""
    return is_order(text) or bool(cues(text) & _HINTS)


def is_suspect(text: str, *, is_tool: bool) -> bool:
    """Say whether words that are not the user's may be meant for agents; a tool's sooner."""
    is_hint = is_tool and bool(cues(text) & _HINTS)
    return is_hint or bool(_ABOUT_AGENTS.search(text)) or is_order(text)


def is_addressed(text: str) -> bool:
    """Say whether words speak to agents as such, or for the user."""
    return bool(_ADDRESSED.search(text) or _FOR_THE_USER.search(text))


def _tells(clause: str) -> bool:
    if _HAPPENS.match(clause):
        return False  # "never closes it" tells what something does
    said = cues(clause)
    begins = {name for name in said if name.endswith("-first")}
    return bool(begins & _FIRST) or ("task-first" in begins and bool(said & _ORDERS))


def is_supported(content: str, view: View) -> bool:
    """Say whether what an agent told stands on what tools gave; no command or question does.

    What an edit wrote stands in the file now, so it counts as given, as does the file's name.
    """
    told = stems(content)
    parts = [act.result for act in view.acts]
    parts += [_written(act) for act in view.acts if act.tool in EDITS and not act.is_failed]
    is_told = bool(told) and len(told & stems(" ".join(parts))) >= _SUPPORTED * len(told)
    is_named = shared_values(content, view.acts) > 0 or names_file(content, view.acts)
    return is_told or is_named


def _written(act: Act) -> str:
    """Return what an edit has put into a file, and into which."""
    return " ".join(value for value in act.given.values() if isinstance(value, str))[:_READ]


def is_echo(text: str, view: View) -> bool:
    """Say whether words repeat what a tool of the turn printed, rather than tell of it."""
    return any(is_repeated(text, act.result) for act in view.acts)


def is_backed(content: str, view: View) -> bool:
    """Say whether a statement of somebody else's stands on more than their words."""
    own = " ".join(said.text for said in (*view.earlier, *view.prompts) if said.origin == "user")
    done = [act for act in view.acts if not act.is_failed]
    given = " ".join(map(_given, done))
    if any(address not in own and address not in given for address in _ADDRESS.findall(content)):
        return False
    told = stems(content)
    if told and len(told & stems(own)) >= _SAID * len(told):
        return True
    prose, printed = _parted("\n".join(act.result for act in view.acts))
    if not done or is_repeated(content, prose):
        return False
    is_done = bool(told) and len(told & stems(given)) >= _DONE * len(told)
    return is_done or names_file(content, done) or shared_with(content, [given, printed]) > 0


def is_repeated(content: str, text: str) -> bool:
    """Say whether a run of words of a statement stands in a text."""
    said = words(content)
    if len(said) < _RUN:
        signs = "".join(content.split())
        runs = {signs[at : at + _SIGNS] for at in range(len(signs) - _SIGNS + 1)}
        return not content.isascii() and any(run in "".join(text.split()) for run in runs)
    told = f" {' '.join(words(text))} "
    runs = {f" {' '.join(said[at : at + _RUN])} " for at in range(len(said) - _RUN + 1)}
    return any(run in told for run in runs)


def _given(act: Act) -> str:
    """Return what an agent gave a tool: a command, a file's name, what it wrote."""
    return " ".join(value for value in act.given.values() if isinstance(value, str))[:_READ]


@in_mind(4)
def _parted(text: str) -> tuple[str, str]:
    """Return what of a tool's output is prose, and what is data."""
    prose: list[str] = []
    data: list[str] = []
    for line in text.splitlines():
        is_prose = shape(line) < LIKELY and (len(line.split()) >= _PROSE or not line.isascii())
        (prose if is_prose else data).append(line)
    return "\n".join(prose), "\n".join(data)


def _whose(origin: str) -> str:
    """Say who that is, in words."""
    name, _, tool = origin.partition(":")
    return f"the tool {tool}" if name == "tool" and tool else f"the {name}"
