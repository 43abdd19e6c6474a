"""A memory: one typed statement with provenance; and the evidence it was made from.

What is out of bounds is refused here, with a sentence that says what is wrong. Whether a memory may
guide behaviour follows from its kind and its origin; nobody can claim it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from tacit.digest import blake2b
from tacit.errors import MemoryRefused
from tacit.guard.normalise import one_line

BEHAVIOURAL = ("preference", "instruction", "correction", "pattern")
INFORMATIONAL = (
    "fact",
    "context",
    "decision",
    "discovery",
    "bugfix",
    "feature",
    "refactor",
    "tool",
)
KINDS = BEHAVIOURAL + INFORMATIONAL
ALIASES = {
    "insight": "discovery",
    "tool_install": "tool",
    "project": "context",
    "conversation": "context",
    "general": "context",
    "learning": "fact",
}
STATES = ("active", "candidate", "superseded", "quarantined", "forgotten", "archived")
STANDING = ("active", "candidate")  # what is believed, and what may be
RELATIONS = ("related", "supersedes", "contradicts", "elaborates")
# what finds a statement that somebody asked outright to be remembered
EXPLICIT, DECIDED, EDITED = "explicit-1", "decision-1", "correction-1"
ASKED = (EXPLICIT, DECIDED, EDITED)
DAY_NS = 86_400 * 1_000_000_000
FRESH_DAYS, OLD_DAYS, OLD_WEIGHT = 7, 90, 0.5  # how a memory loses weight with its age
LONGEST_CONTENT = 2000
MOST_TAGS, LONGEST_TAG = 10, 50
LEAST_IMPORTANCE, USUAL_IMPORTANCE, MOST_IMPORTANCE = 1, 3, 5
# whose words weigh more; whoever is not here is a tool
_TRUST = {"owner": 5, "user": 4, "agent": 3, "assistant": 2, "quoted": 1}
_LAST_MS = (1 << 48) - 1
# a statement that ends with what a secret was replaced with, or has hardly a word besides
_BARE_SECRET = re.compile(
    r"(?:\b(?:is|are|was|be|lautet|ist|est|son|es|sono|to|jest)\b|[=:\u2192\uff1a\u00e9\u00e8\u306f\u662f\u4e3a])\s*"
    r"[\"'`(\uff08]*\[redacted:[^\]]*\][\"'`).!\uff09\u3002]*$"
    r"|^\W*(?:\w+\W+){0,2}\[redacted:[^\]]*\]\W*(?:\w+\W*)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One statement as it was found: where, whose words they are, and what was made of them."""

    id: str
    event: str
    seq: int
    start: int
    quote: str
    origin: str
    via: str
    session: str
    turn: str | None
    at: int
    kind: str
    content: str
    tags: tuple[str, ...] = ()
    importance: int = USUAL_IMPORTANCE
    confidence: float = 1.0
    project: str | None = None
    topic: str = ""
    extractor: str = ""
    is_supported: bool = True  # by the user's words, or by what tools did
    is_certain: bool = True  # said outright; else it may be worth keeping


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One typed statement, as it stands now."""

    id: str
    kind: str
    content: str
    importance: int
    confidence: float
    tags: tuple[str, ...]
    project: str | None
    origin: str
    via: str
    session: str
    turn: str | None
    quote: str
    topic: str
    extractor: str
    created_at: int
    valid_from: int
    valid_to: int | None = None
    superseded_by: str | None = None
    state: str = "active"
    reason: str | None = None
    pinned: bool = False
    is_supported: bool = True
    is_accepted: bool = False  # by the owner
    sessions: int = 1  # in how many it was said

    @property
    def behavioral(self) -> bool:
        """Say whether it is of a kind that guides behaviour."""
        return self.kind in BEHAVIOURAL

    @property
    def is_trusted(self) -> bool:
        """Say whether it stands on the user's or the owner's own words."""
        return trust(self.origin) >= _TRUST["user"]


def trust(origin: str) -> int:
    """Return how much an origin's words weigh."""
    return _TRUST.get(origin, 0)


def kind_of(name: str) -> str:
    """Return the kind that is meant; aliases are taken in."""
    kind = ALIASES.get(name, name)
    if kind not in KINDS:
        raise MemoryRefused(f"{one_line(name)!r} is no kind of memory. Use one of {_list(KINDS)}.")
    return kind


def content_of(text: str) -> str:
    """Return the text of a memory: one line, not empty, not too long."""
    content = one_line(text)
    if not content:
        raise MemoryRefused("A memory needs words: the text is empty. Say what to remember.")
    if _BARE_SECRET.search(content):
        raise MemoryRefused(
            "Secrets are not kept, and without its secret this says nothing. "
            "Say what to know about it instead, such as where it is stored."
        )
    if len(content) > LONGEST_CONTENT:
        raise MemoryRefused(
            f"The text has {len(content)} characters, a memory at most {LONGEST_CONTENT}. "
            "Say it shorter, or as several memories."
        )
    return content


def tags_of(names: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return tags as they are kept: each once, in order, none empty or too long."""
    tags = tuple(dict.fromkeys(one_line(name) for name in names))
    if len(tags) > MOST_TAGS:
        raise MemoryRefused(f"There are {len(tags)} tags, at most {MOST_TAGS} are kept. Use fewer.")
    for tag in tags:
        if not tag or len(tag) > LONGEST_TAG:
            raise MemoryRefused(
                f"A tag has 1 to {LONGEST_TAG} characters, this one has {len(tag)}. Change it."
            )
    return tags


def importance_of(number: int) -> int:
    """Return an importance that is one."""
    if not LEAST_IMPORTANCE <= number <= MOST_IMPORTANCE:
        raise MemoryRefused(
            f"Importance goes from {LEAST_IMPORTANCE} to {MOST_IMPORTANCE}, not {number}. "
            "Choose one of these."
        )
    return number


def confidence_of(number: float) -> float:
    """Return a confidence that is one."""
    if not 0.0 <= number <= 1.0:
        raise MemoryRefused(f"Confidence goes from 0 to 1, not {number}. Choose one of these.")
    return number


def identity(prefix: str, at: int, *parts: str) -> str:
    """Return an id that sorts by time and is the same whenever it is made again."""
    sized = "".join(f"{len(part)}:{part}" for part in parts)
    digest = blake2b(sized.encode("utf-8", "surrogatepass"), digest_size=10).digest()
    milliseconds = min(max(at // 1_000_000, 0), _LAST_MS)
    number = milliseconds << 80 | int.from_bytes(digest)
    number = number & ~(0xF << 76) | 7 << 76  # version 7
    number = number & ~(0x3 << 62) | 0x2 << 62  # variant
    return f"{prefix}-{UUID(int=number)}"


def _list(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
