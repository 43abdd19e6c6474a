"""The embedded store: SQLite through apsw, one file per group."""

from __future__ import annotations
