"""The verbs about telling are tested with what those about memories share."""

from __future__ import annotations

from unit.cli.memory.conftest import agent, cli, hostile, mind, nobody

__all__ = ["agent", "cli", "hostile", "mind", "nobody"]
