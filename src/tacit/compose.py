"""The composition root: the only place that picks implementations.

Time, environment and engines enter here and are handed down as arguments.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tacit import paths
from tacit.app import App
from tacit.capture import intake, state
from tacit.capture.spool import Spool
from tacit.errors import HomeRefused
from tacit.guard.redact import Redactor

if TYPE_CHECKING:
    from tacit.guard.engine import Pattern


def open_app(home: str | None = None) -> App:
    """Open a home, the user's own unless another is given, and return its verbs."""
    if sys.platform == "win32":
        raise HomeRefused("Tacit does not run on Windows yet. Use it inside WSL.")
    home = os.path.abspath(home) if home else paths.home()  # noqa: PTH100
    os.umask(0o077)
    try:
        root = state.open_home(home)
        return App(
            home=home, root=root, spool=Spool(root), redactor=Redactor(intake.key(root), with_re2)
        )
    except OSError as error:
        raise HomeRefused(
            f"Cannot use {home}: {error.strerror or error}. "
            "Set TACIT_HOME to a directory of your own."
        ) from error


def with_re2(pattern: bytes) -> Pattern:
    """Compile with RE2: linear time on any input, byte by byte as `re` does it."""
    import re2  # noqa: PLC0415  (5 ms that only redaction needs)

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    compiled: Pattern = re2.compile(pattern, options)
    return compiled
