"""Memory for AI agents that the agent never has to think about.

This file imports nothing: the hook passes through it on every event.
"""

from __future__ import annotations

__version__ = "0.1.0"
