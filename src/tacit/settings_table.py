"""The table of settings: each with its default, what it does, and what it may be.

The reference and `tacit config` are made from it. Only data: `settings.py` reads and refuses.
"""

from __future__ import annotations

from typing import Any

# setting -> (default, what it does)
TABLE: dict[str, tuple[Any, str]] = {
    "capture.exclude": (
        [],
        "Directories to keep out: no session in them, no tool event that holds a path in them.",
    ),
    "capture.redact_numbers": (
        True,
        "Redact payment cards, IBANs, and PINs and government ids that are named as such.",
    ),
    "transcript.tool_text": (
        4096,
        "Of each text in a tool's input or output so many characters are kept: head and tail.",
    ),
    "backup.keep": (7, "So many backups are kept of each group."),
    "curate.mode": (
        "auto",
        "Whether memories are made of turns: auto, or off (`tacit rebuild` makes up for it).",
    ),
    "curate.boring_tools": (
        ["Glob", "Grep", "ListMcpResourcesTool", "ToolSearch", "TodoWrite", "LS"],
        "Tools whose use teaches nothing; the files they touch are still listed.",
    ),
    "curate.batch_turns": (
        25,
        "A model reads so many turns of a session at once; 1: each at once.",
    ),
    "curate.context_turns": (8, "And is shown so many before them."),
    "curate.gate": (
        "rules",
        "What decides which turns a model reads: rules, model (a cheap one first), or off: all.",
    ),
    "curate.max_backlog_days": (
        0,
        "Turns that no model could read for so many days keep what the rules found; 0: they wait.",
    ),
    "curate.candidate_days": (
        60,
        "Archive a candidate that nobody said again for this many days; 0 is never.",
    ),
    "memory.purge_superseded_days": (
        90,
        "Memories that were superseded are removed after so many days.",
    ),
    "memory.archive_unused_days": (
        0,
        "Memories that nobody has looked at for so many days are put aside; 0 is never.",
    ),
    "embed.provider": (
        "local",
        "What finds texts of like meaning: local, ollama, openai (or alike), or none: words alone.",
    ),
    "embed.model": ("", "The model of ollama or openai; without one, each has its usual."),
    "embed.base_url": (
        "",
        "Where ollama or openai is: https, or http on this machine; without one, the usual place.",
    ),
    "embed.idle_seconds": (300, "The local model is let go after so many seconds without use."),
    "llm.provider": (
        "none",
        "Which model reads turns a second time: anthropic, openai (or alike), claude-cli, or none.",
    ),
    "llm.model": ("", "The model for most of the work; without one, each provider has its usual."),
    "llm.better_model": (
        "",
        "The model for what is hard; without one, llm.model, else the provider's usual.",
    ),
    "llm.base_url": (
        "",
        "Where anthropic or openai is: https, or http on this machine; without one, as usual.",
    ),
    "llm.key_command": (
        [],
        "A program and its arguments that print the key; without one, the environment has it.",
    ),
    "llm.program": (
        "",
        "The `claude` of claude-cli, by its whole path; without one, that of the usual places.",
    ),
    "llm.usd_per_million": (
        [],
        "What a million tokens cost in dollars, read and written; without it, the list price.",
    ),
    "llm.timeout_seconds": (120, "A model must have answered after so many seconds."),
    "llm.daily_usd": (0.50, "So many dollars are spent on the model in a day at most."),
    "llm.session_usd": (0.05, "And so many on one session."),
    "llm.calls_per_hour": (60, "And so many calls are made in an hour."),
    "trust.agent_behavioral": (
        "unverified",
        "An agent's own rule that your words do not support: unverified, warned, or candidate.",
    ),
    "deliver.brief_lines": (35, "Maximum number of memories in a session's brief."),
    "deliver.brief_sessions": (10, "Maximum number of earlier sessions in a session's brief."),
    "deliver.max_brief_entries": (50, "A session is told so many memories at most."),
    "deliver.max_brief_chars": (
        9000,
        "And in so many characters at most; clients cut what is longer than 10,000.",
    ),
    "deliver.holdout": (
        0,
        "Of a hundred memories so many are left out of briefs, to measure of what use they are.",
    ),
    "deliver.surface_every": (
        1,
        "Every so many prompts are answered with the memories that fit them; 0 is never.",
    ),
    "deliver.surface_threshold": (
        0.45,
        "How relevant a memory must be to a prompt, from 0 to 1, to be added to it.",
    ),
    "deliver.boot_tokens": (
        8000,
        "The boot text takes so many tokens at most; what counts least is left out first.",
    ),
    "mcp.reader_tools": (
        ["search_memory", "read_memory", "recent_sessions"],
        "What agents may ask the memory through its server.",
    ),
    "mcp.resolve_actions": (
        False,
        "Whether an agent may say that a pending action is done or not wanted.",
    ),
    "canvas.create_tools": (["create_card"], "Tools whose names end so make a card."),
    "canvas.update_tools": (["update_card"], "Tools whose names end so change a card."),
    "canvas.close_tools": (["close_card"], "Tools whose names end so close a card."),
    "canvas.card_field": ("card_id", "Where such a tool is told which card is meant."),
    "canvas.title_field": ("title", "Where it is told the title of the card."),
    "canvas.blocks_field": ("blocks", "Where it is told what stands on the card."),
    "upkeep.orphaned_hours": (
        24,
        "A document without text and extraction is asked about if nobody names it for so long.",
    ),
    "upkeep.corrections": (
        10,
        "Whether an extraction rule should change is asked after so many corrections.",
    ),
    "recovery.auto": (
        True,
        "Bring a damaged transcript back from its last verified backup without being asked.",
    ),
}
GROUPS, WORKSPACES = "groups.<name>", "workspaces.<name>"
OF_WORKSPACES = ("canvas.", "upkeep.")  # what a workspace may choose for itself
DESCRIPTIONS = {
    **{name: text for name, (_, text) in TABLE.items()},
    GROUPS: (
        "Directories whose sessions belong to the group <name>; the longest fitting one counts."
    ),
    WORKSPACES: (
        "The directory of the workspace <name>; its memory lies there. `tacit init` writes it."
    ),
}
CHOICES = {
    "curate.mode": ("auto", "off"),
    "curate.gate": ("rules", "model", "off"),
    "embed.provider": ("local", "ollama", "openai", "none"),
    "llm.provider": ("none", "anthropic", "openai", "claude-cli"),
    "trust.agent_behavioral": ("unverified", "warned", "candidate"),
}
NAMES = frozenset(
    (
        "curate.boring_tools",
        "mcp.reader_tools",
        "canvas.create_tools",
        "canvas.update_tools",
        "canvas.close_tools",
    )
)
COMMANDS = frozenset(("llm.key_command",))
PRICES = frozenset(("llm.usd_per_million",))
TEXTS = frozenset(
    (
        "embed.model",
        "embed.base_url",
        "llm.model",
        "llm.better_model",
        "llm.base_url",
        "llm.program",
        "canvas.card_field",
        "canvas.title_field",
        "canvas.blocks_field",
    )
)
LEAST = {
    "transcript.tool_text": 256,
    "backup.keep": 1,
    "curate.batch_turns": 1,
    "curate.context_turns": 0,
    "curate.max_backlog_days": 0,
    "curate.candidate_days": 0,
    "llm.calls_per_hour": 0,
    "memory.purge_superseded_days": 1,
    "memory.archive_unused_days": 0,
    "embed.idle_seconds": 1,
    "llm.timeout_seconds": 1,
    "deliver.brief_lines": 1,
    "deliver.brief_sessions": 0,
    "deliver.max_brief_entries": 1,
    "deliver.max_brief_chars": 1000,
    "deliver.holdout": 0,
    "deliver.surface_every": 0,
    "deliver.boot_tokens": 500,
    "upkeep.orphaned_hours": 0,
    "upkeep.corrections": 1,
}
AMOUNTS = frozenset(("llm.daily_usd", "llm.session_usd"))
MOST = {
    "curate.batch_turns": 200,
    "curate.context_turns": 50,
    "llm.timeout_seconds": 600,
    "deliver.max_brief_chars": 9500,
    "deliver.holdout": 100,
}
