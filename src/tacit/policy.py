"""Who may do what: decided once, here, for every surface.

The owner may do everything. An agent may add what it wants remembered, at a bounded pace; what
takes something away, or makes a directory a workspace, needs a terminal, that is a person. Every
decision is an event of the transcript that says who decided: that is the audit.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.errors import NotAllowed

OWNER, AGENT, SYSTEM = "owner", "agent", "system"
DESTRUCTIVE = frozenset(
    (
        "forget", "undo", "accept", "reject", "rebuild", "restore", "unpin", "split", "choose",
        "keep", "deploy", "uninstall --purge",
    )
)  # fmt: skip
REGISTERING = frozenset(("init", "upgrade", "adopt"))  # a directory becomes part of what is trusted
BY_ITSELF = frozenset(("merge", "purge", "archive"))  # all that Tacit may decide by itself
MOST_AN_HOUR = 60
HOUR_NS = 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks: through which surface, as whom, in which session, at a terminal or not."""

    surface: str = "cli"
    profile: str = OWNER
    session: str = ""
    is_terminal: bool = False

    @property
    def origin(self) -> str:
        """Return whose words the caller's are."""
        return self.profile if self.profile in {OWNER, SYSTEM} else AGENT


def check_closing(caller: Caller, *, is_allowed: bool) -> None:
    """Refuse to close actions for an agent, unless the owner lets agents do so."""
    if caller.profile != OWNER and not is_allowed:
        raise NotAllowed(
            "An agent may not close actions. Ask the user, or let it: `mcp.resolve_actions = true`."
        )


def check_erasing(caller: Caller, *, is_meant: bool) -> None:
    """Refuse to erase for anybody but the owner."""
    if is_meant and caller.profile != OWNER:
        raise NotAllowed("Only the owner erases. Ask the user to run it.")


def check(caller: Caller, verb: str, *, decided_lately: int = 0) -> None:
    """Refuse what the caller may not do; *decided_lately*: an agent's decisions of an hour."""
    if (caller.profile == SYSTEM) != (verb in BY_ITSELF):
        raise NotAllowed(f"`{verb}` is not for {caller.origin} to decide. See `tacit --help`.")
    if caller.profile in {OWNER, SYSTEM}:
        return
    if verb in DESTRUCTIVE | REGISTERING and not caller.is_terminal:
        raise NotAllowed(f"`{verb}` needs the owner at a terminal. Ask the user to run it.")
    if decided_lately >= MOST_AN_HOUR:
        raise NotAllowed(
            f"An agent may decide {MOST_AN_HOUR} times an hour, and has. "
            "Ask the user to run it, or wait."
        )
