"""Names: what a group, an event or a client may be called.

Names become parts of paths and of header lines, so they are plain ASCII words and nothing else.
"""

from __future__ import annotations

LONGEST = 64


def is_name(text: str) -> bool:
    """Say whether *text* is letters, digits, `_` and `-` only, 1 to 64 of them."""
    return (
        0 < len(text) <= LONGEST
        and text.isascii()
        and text.replace("_", "a").replace("-", "a").isalnum()
    )
