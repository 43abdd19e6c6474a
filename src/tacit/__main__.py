"""The command line: `python -m tacit`, or this file run by its path.

Run by its path, the package that it lies in runs, whichever one the interpreter would find.
"""

from __future__ import annotations

import sys

if not __package__:
    folder = __file__.rpartition("/")[0]
    sys.path = [folder.rpartition("/")[0], *(path for path in sys.path if path != folder)]
    import tacit  # noqa: F401  (from here on the others are found beside it)

    sys.path.append(sys.path.pop(0))

from tacit.cli.main import main

main()
