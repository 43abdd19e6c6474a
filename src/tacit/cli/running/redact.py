"""`tacit redact`: a filter, all of stdin in, redacted text out."""

from __future__ import annotations

import sys

import click

from tacit.cli.reading import opened_app


@click.command("redact")
def command() -> None:
    """Take secrets out of text: all of stdin in, redacted text out.

    Each secret is replaced by [redacted:<kind>:<4 hex>]; equal secrets get equal marks, and nothing
    else changes.
    """
    text = sys.stdin.buffer.read()
    sys.stdout.buffer.write(opened_app().redact(text))
    sys.stdout.buffer.flush()
