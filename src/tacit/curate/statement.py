"""What a memory says, as a digest: the same words in another dress say the same.

Keyed, so that what was erased cannot be guessed from what is kept of it.
"""

from __future__ import annotations

import re
from hashlib import blake2b

_WORDS = re.compile(r"[\w+#@%$/:.-]+")
_TRAILING = ".:-/"


def words_of(text: str) -> list[str]:
    """Return the words of a statement, without case and the punctuation around them."""
    found = (word.strip(_TRAILING) for word in _WORDS.findall(text.casefold()))
    return [word for word in found if word]


def digest(key: bytes, content: str) -> bytes:
    """Return the digest of what a text says."""
    said = " ".join(words_of(content)).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=16, key=key[:64]).digest()
