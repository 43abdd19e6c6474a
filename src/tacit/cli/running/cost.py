"""`tacit cost`: what models have cost, what they may, and what they will."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import json_option, opened_with_model
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.curate.model.spend import Spent


_SESSIONS = 10  # the dearest: programs get all


@click.command("cost")
@click.option(
    "--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back."
)
@json_option
def command(*, days: int, as_json: bool) -> None:
    """Show what the model that reads turns has cost by day, model and session, and will in a month.

    Calls that were begun and never ended count as what they might have cost. The caps are
    `llm.daily_usd`, `llm.session_usd` and `llm.calls_per_hour` in `config.toml`.
    """
    found = opened_with_model()[0].cost(days)
    if as_json:
        output.as_json(found)
        return
    caps = found.caps
    click.echo(f"Today {_usd(found.today)} of {_usd(caps.daily_usd)}, provider {found.provider}.")
    click.echo(
        f"At most {_usd(caps.session_usd)} a session, "
        f"{output.count(caps.calls_per_hour, 'call')} an hour."
    )
    if found.unpriced:
        click.echo(found.unpriced)
    if not found.days:
        click.echo("No model was asked in this time. The embedded curator costs nothing.")
        return
    if found.misjudged:
        expected, counted = found.misjudged
        click.echo(
            f"Estimates are off by more than half: {expected:,} tokens were expected to be read, "
            f"{counted:,} were counted. Caps go by the first until a call is settled."
        )
    sessions = found.sessions[:_SESSIONS]
    for head, rows in (("day", found.days), ("model", found.models), ("session", sessions)):
        click.echo()
        output.table((head, "calls", "read", "written", "dollars"), [_row(each) for each in rows])
    click.echo(f"\nA month like the last seven days: {_usd(found.month)}.")


def _row(spent: Spent) -> tuple[str, ...]:
    read, written = f"{spent.input_tokens:,}", f"{spent.output_tokens:,}"
    return one_line(spent.name) or "(none)", str(spent.calls), read, written, _usd(spent.usd)


def _usd(amount: float) -> str:
    """Return an amount as people read it: small ones in full."""
    return f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"
