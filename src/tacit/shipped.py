"""What is shipped beside the code: tables, statements, prompts, read from the package's folder.

The package always lies in a folder, as the hook needs it to. `importlib.resources` would look into
archives as well: 1.8 MB of every process for readers of these.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def shipped(package: str | None, *names: str) -> Path:
    """Return a file, or a folder, that lies beside the code of a package of ours."""
    return _FOLDER.joinpath(*(package or "").split(".")[1:], *names)
