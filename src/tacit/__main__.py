"""`python -m tacit`: the command line."""

from __future__ import annotations

from tacit.cli.main import main

main()
