"""Makes the reference from the program: `make docs`. A guard fails when a page has drifted."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tacit import errors, settings_table
from tacit.cli.main import VERBS, tacit
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

REFERENCE = Path(__file__).parent / "reference"
_NOTE = "<!-- Made by docs/generate.py: edit the source, then `make docs`. -->\n\n"


def pages() -> dict[str, str]:
    """Return each generated page by its file name."""
    return {"commands.md": commands(), "settings.md": chosen(), "redaction.md": kinds()}


def commands() -> str:
    """Return the page of verbs and exit codes."""
    context = click.Context(
        tacit, info_name="tacit", terminal_width=80, help_option_names=["-h", "--help"]
    )
    parts = ["# Commands\n\n", _NOTE, "```\n", tacit.get_help(context), "\n```\n"]
    for verb in VERBS:
        command = tacit.get_command(context, verb)
        assert command is not None  # noqa: S101  (for the type checker)
        parts += _command(command, verb, context, "##")
    parts.append("\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n| 0 | done |\n")
    parts.append("| 1 | refused; the sentence on stderr says why |\n| 2 | wrong usage |\n")
    for error in sorted(_family(errors.TacitError), key=lambda each: each.exit_code):
        parts.append(f"| {error.exit_code} | {error.__name__}: {error.__doc__} |\n")
    parts.append("| 130 | interrupted |\n")
    return "".join(parts)


def _command(command: click.Command, name: str, parent: click.Context, mark: str) -> list[str]:
    """Return the help of a verb and of the verbs below it."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=80)
    parts = [f"\n{mark} {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"]
    if isinstance(command, click.Group):
        for verb, inner in command.commands.items():
            parts += _command(inner, verb, context, mark + "#")
    return parts


def _family(error: type[errors.TacitError]) -> list[type[errors.TacitError]]:
    """Return all errors below one."""
    below = [each for each in error.__subclasses__() if each.__module__ == errors.__name__]
    return [found for each in below for found in (each, *_family(each))]


def chosen() -> str:
    """Return the page of settings."""
    head = (
        "# Settings\n\n"
        + _NOTE
        + "`config.toml` in the home, user-level only. A setting that cannot be read counts as it\n"
        "last could be, else as its default; `tacit status`, `tacit doctor` and the first line of\n"
        "the next session say which one is wrong and what was probably meant.\n\n"
        "| setting | default | what it does |\n| --- | --- | --- |\n"
    )
    rows = "".join(
        f"| `{name}` | {_default(name)} | {text} |\n"
        for name, text in settings_table.DESCRIPTIONS.items()
    )
    example = (
        '\n```toml\n[capture]\nexclude = ["~/diary", "/srv/payroll"]\n\n'
        '[groups]\nwork = ["~/work/**"]\n\n[workspaces]\npapers = "~/papers"\n```\n\n'
        "| variable | what it does |\n| --- | --- |\n"
        "| `TACIT_HOME` | the home of typed commands; default: the user data directory of the "
        "system. Installed hooks and the installed server do not read it |\n"
        "| `TACIT_GROUP` | the group that typed commands mean; installed hooks and the "
        "installed server do not read it |\n"
        "| `TACIT_OFF` | `1`: the hook records nothing in this process and its children |\n"
        "| `TACIT_INTERNAL` | set by Tacit for model calls of its own: they are never recorded |\n"
        "| `OPENAI_API_KEY` | the key for `openai`, if it wants one; also for embeddings |\n"
        "| `ANTHROPIC_API_KEY` | the key for `anthropic`; a daemon that a hook has started knows "
        "neither key: `llm.key_command` gives it one |\n"
        "| `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL` | where they are, if `llm.base_url` is not set; "
        "only for commands that you start yourself |\n"
    )
    return head + rows + example


def _default(name: str) -> str:
    if name not in settings_table.TABLE:
        return "none"
    value = settings_table.TABLE[name][0]
    return "none" if value in ([], "") else str(value).lower()


def kinds() -> str:
    """Return the page of what is redacted."""
    shapes = sorted({row[0] for row in ROWS})
    context = sorted({row[0] for row in CONTEXT})
    return (
        "# What is redacted\n\n"
        + _NOTE
        + f"{len(set(shapes) | set(context))} kinds. Each secret becomes "
        "`[redacted:<kind>:<4 hex>]`; "
        "the hex is a hash keyed with your home's own key, so equal secrets stay comparable.\n\n"
        "Secrets are also found behind string escapes, colour codes, URL, HTML and base64\n"
        "encoding. Entropy alone is no reason: hashes, UUIDs, lockfile strings, images and commit\n"
        "ids stay.\n\n"
        "## Known by their shape\n\n"
        + " ".join(f"`{kind}`" for kind in shapes)
        + "\n\n## Known by what stands beside them\n\n"
        + " ".join(f"`{kind}`" for kind in context)
        + "\n\n`secret` is `name = value` in any of its dresses: env files, JSON, YAML, XML, code\n"
        "in many languages, command-line flags, prose.\n"
    )


def main() -> int:
    """Write all pages."""
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
