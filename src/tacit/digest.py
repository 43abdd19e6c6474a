"""Digests from Python's own code: `hashlib` loads a library of ciphers, 3 MB of every process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    try:
        from _sha256 import sha256
    except ImportError:  # as later versions of Python name it
        try:
            from _sha2 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["blake2b", "sha256"]
