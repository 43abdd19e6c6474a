"""The version of this package, where nothing has to be loaded to read it."""

from __future__ import annotations

VERSION = "0.1.0"
