"""The entry: `tacit <verb>`.

Verbs are loaded when they are called, so that `tacit --help` imports nothing heavy. Every refusal
goes to stderr as one sentence; exit codes are documented in the reference.
"""

from __future__ import annotations

import importlib
import os
import sys
from difflib import get_close_matches

import click

from tacit.errors import HomeRefused, TacitError
from tacit.guard.normalise import one_line
from tacit.version import VERSION

# room -> its verbs, each with its one line; the verb's file has its name
ROOMS = {
    "memory": {
        "remember": "Have something remembered.",
        "search": "Find what was said and learned, by words and by meaning.",
        "list": "List what is remembered.",
        "why": "Show where a memory came from, in the words it was made of.",
        "correct": "Put a better statement in the place of a memory.",
        "forget": "Forget memories, and on demand erase the words they came from.",
        "pin": "Keep a memory in sight.",
        "unpin": "Let a pinned memory be one among others again.",
        "split": "Restore a memory that was merged with or replaced by another.",
        "diff": "Show what one session has changed.",
        "undo": "Take back all that one session has taught.",
        "review": "Review candidates and doubts, one by one.",
        "quarantine": "Show what is held, and accept or reject it.",
        "actions": "Show what waits for attention, and resolve or dismiss it.",
        "summaries": "Show what sessions came to.",
        "rebuild": "Make all memories again from the transcript.",
        "queue": "Show what is still to be done, and retry what failed.",
        "audit": "Show who decided what, and when.",
    },
    "delivery": {
        "brief": "Show what a new session is told, and of what use that was.",
        "surface": "Show what a prompt would be answered with, and why.",
        "boot": "Print all that an agent is to know before its first word.",
        "files": "Show the six curated files, and accept or reject edits by hand.",
        "deploy": "Write who the agent is and the rules of its system.",
    },
    "transcript": {
        "sessions": "List what happened, one line a session.",
        "show": "Show one session turn by turn, one turn in full, or one memory.",
        "project": "List, rename, join and move projects.",
        "verify": "Read the whole transcript: is it what was written?",
        "backup": "Make a verified backup of a group.",
        "restore": "Bring a group back from a backup.",
    },
    "workspace": {
        "init": "Make a directory a workspace, with a memory of its own.",
        "upgrade": "Bring a workspace of an older version up to date.",
        "cards": "Show which card is mirrored to which file.",
    },
    "running": {
        "install": "Let Claude Code record and be told, in one command.",
        "uninstall": "Take that back; what is remembered stays unless purged.",
        "status": "Show whether Tacit records, and what waits or went wrong.",
        "pause": "Stop recording, everywhere or in one project.",
        "resume": "Record again what was paused.",
        "redact": "Take secrets out of text: a filter from stdin to stdout.",
        "mcp": "Be the memory's reader for agents, over stdin and stdout.",
        "daemon": "Start, stop and look at the background process.",
        "watch": "Watch what comes in and what is done with it, live.",
        "config": "Show every setting and where its value comes from.",
        "cost": "Show what the model has cost, what it may and what it will.",
        "adopt": "Use a home again that was moved or copied.",
        "doctor": "Check everything that can go wrong, and say how to mend it.",
        "demo": "Show the whole way of a sample session in a throw-away home.",
    },
}
HEADINGS = {
    "memory": "What is remembered",
    "delivery": "What sessions are told",
    "transcript": "What happened",
    "workspace": "Workspaces",
    "running": "Tacit itself",
}
VERBS = {verb: line for verbs in ROOMS.values() for verb, line in verbs.items()}
_ROOM_OF = {verb: room for room, verbs in ROOMS.items() for verb in verbs}
# what people say who know other programs
MEANT = {
    "add": "remember",
    "delete": "forget",
    "edit": "correct",
    "find": "search",
    "help": "--help",
    "history": "sessions",
    "log": "sessions",
    "ls": "list",
    "memories": "list",
    "remove": "forget",
    "rm": "forget",
    "save": "remember",
    "setup": "install",
    "version": "--version",
}


class LazyVerbs(click.Group):
    """A group that knows its verbs by name and loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the verbs in the order in which a newcomer needs them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load one verb."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"tacit.cli.{_ROOM_OF[cmd_name]}.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101  (for the type checker)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that is meant; say of an unknown one which may be."""
        name = args[0]
        if name in VERBS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        known = [MEANT[name]] if name in MEANT else get_close_matches(name, VERBS, 2)
        told = " or ".join(f"`tacit {verb}`" for verb in known)
        asked = f" Did you mean {told}?" if told else ""
        raise click.UsageError(f"There is no command {name!r}.{asked}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs from the table, without loading them."""
        for room, verbs in ROOMS.items():
            with formatter.section(HEADINGS[room]):
                formatter.write_dl(list(verbs.items()))


@click.group(
    cls=LazyVerbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Everything is in one home: $TACIT_HOME, else the user data directory of your system.",
)
@click.version_option(VERSION, message="tacit %(version)s")
@click.pass_context
def tacit(context: click.Context) -> None:
    """Memory for AI agents that the agent never has to think about.

    Without a command it says how things stand.
    """
    if context.invoked_subcommand is None:
        from tacit.cli.overview import show

        show()


def main() -> None:
    """Run the command line; a refusal is one sentence and an exit code."""
    told: set[str] = set()  # what was printed already: an error is one sentence, not two
    try:
        code = tacit(standalone_mode=False, obj=told)
        if isinstance(code, int) and code:
            sys.exit(code)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except TacitError as error:
        if str(error) not in told:
            click.echo(f"tacit: {one_line(str(error))}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        if _is_nowhere():
            click.echo("tacit: The current directory is gone. Go to one that is there.", err=True)
            sys.exit(HomeRefused.exit_code)
        what = f"{error.strerror or error} {error.filename or ''}".strip()
        click.echo(f"tacit: Cannot go on: {one_line(what)}. See `tacit status`.", err=True)
        sys.exit(HomeRefused.exit_code)


def _is_nowhere() -> bool:
    """Say whether the directory we were started in has been removed."""
    try:
        os.getcwd()  # noqa: PTH109  (only whether there is one)
    except FileNotFoundError:
        return True
    return False
