"""`tacit mcp`: ends with its client, and keeps its line for the protocol alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unit.cli.conftest import Program


def test_it_ends_when_its_client_closes_the_line(program: Program) -> None:
    ran = program("mcp", input=b"")

    assert (ran.returncode, ran.stdout) == (0, b"")


def test_garbage_on_its_line_is_survived(program: Program) -> None:
    ran = program("mcp", input=b"hello\n\x00\xff\n{}\n[]\n")

    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr
