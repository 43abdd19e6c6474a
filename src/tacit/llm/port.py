"""The port: one request, one reply with what it used, or a `ModelUnavailable` that says why not.

Nothing is asked twice here: whoever asks decides when to come back. What a model says is data: its
form is checked, its truth is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Tier = Literal["small", "large"]
MOST_TOKENS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a model is asked. Texts are not shown by `repr`."""

    system: str = field(repr=False)  # what it is to do: the same for a long time
    state: str = field(repr=False, default="")  # what it has to know: the same for some time
    text: str = field(repr=False)  # what is new
    schema: dict[str, Any] | None = field(repr=False, default=None)  # of the object it answers with
    lines: str = field(repr=False, default="")  # how to answer where no object can be had
    name: str = "answer"  # of that object: letters, digits, _ and -
    tier: Tier = "small"
    most_tokens: int = MOST_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How many tokens a reply took: each is counted once."""

    input_tokens: int = 0  # read anew
    output_tokens: int = 0
    cached_tokens: int = 0  # read from the provider's cache
    written_tokens: int = 0  # read and put into that cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered, whole: cut and refused answers are errors."""

    text: str = field(repr=False)  # the object in JSON, where there is one
    value: dict[str, Any] | None = field(repr=False)  # None: a plain text, for the caller to read
    usage: Usage
    model: str
    usd: float
    stop: str


class Model(Protocol):
    """One provider with a model for each tier. Any thread may ask."""

    @property
    def provider(self) -> str:
        """Return the provider's name, as it is set."""
        ...

    @property
    def place(self) -> str:
        """Return the URL to which texts go; empty where a program of the user's knows it."""
        ...

    def model(self, tier: Tier) -> str:
        """Return the id of the model that answers a tier."""
        ...

    def usd(self, tier: Tier, usage: Usage) -> float:
        """Return what a reply of a tier costs that takes so many tokens."""
        ...

    def is_priced(self, tier: Tier) -> bool:
        """Say whether it is known what a tier costs; else it counts like the dearest model."""
        ...

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request; `ModelUnavailable` if there is none."""
        ...

    def close(self) -> None:
        """Let everything go; a question that is under way ends as `ModelUnreachable`."""
        ...
