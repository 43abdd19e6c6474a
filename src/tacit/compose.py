"""The composition root: the only place that picks implementations.

Time, environment and engines enter here and are handed down as arguments.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from tacit import paths
from tacit.app import App
from tacit.capture import intake, state
from tacit.capture.spool import Spool
from tacit.errors import HomeRefused
from tacit.guard.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable


def open_app(home: str | None = None) -> App:
    """Open a home, the user's own unless another is given, and return its verbs."""
    if sys.platform == "win32":
        raise HomeRefused("Tacit does not run on Windows yet. Use it inside WSL.")
    home = os.path.abspath(home) if home else paths.home()  # noqa: PTH100
    os.umask(0o077)
    try:
        root = state.open_home(home)
        return App(home=home, root=root, spool=Spool(root), redactor=_lazily(intake.key(root)))
    except OSError as error:
        raise HomeRefused(
            f"Cannot use {home}: {error.strerror or error}. "
            "Set TACIT_HOME to a directory of your own."
        ) from error


def _lazily(key: bytes) -> Callable[[], Redactor]:
    return cache(lambda: redactor(key))


def redactor(key: bytes) -> Redactor:
    """Return the redactor of everything but the hook: on RE2."""
    from tacit.guard.scan import Scanner  # noqa: PLC0415  (5 ms that only redaction needs)
    from tacit.linear import with_re2  # noqa: PLC0415

    return Redactor(key, with_re2, Scanner(with_re2).places)
