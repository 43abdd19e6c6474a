"""What a memory says, as a digest: the same words in another dress say the same.

Case, spaces, quotes, emphasis and the punctuation around words are dress; signs that turn the
meaning are not. Keyed, so that what was erased cannot be guessed from what is kept of it.
"""

from __future__ import annotations

import re

from tacit.digest import blake2b
from tacit.mind import in_mind

# a word, or a run of signs that are no dress: no brackets, quotes, dashes or emphasis
_PARTS = re.compile(
    r"[\w+#@%$/:.-]+|[^\w\s+#@%$/:.,;?\"'`*()\[\]{}\u00ab\u00b4\u00bb\u2010-\u201f\u2026"
    r"\u3000-\u303f\uff01\uff0c\uff0e\uff1a\uff1b\uff1f-]+"
)
_AROUND = ".:/"


def words_of(text: str) -> list[str]:
    """Return the words and signs of a statement, without case and the punctuation around them."""
    found = (_bare(part) for part in _PARTS.findall(text.casefold()))
    return [word for word in found if word.strip("!")]


@in_mind(8)
def digest(key: bytes, content: str) -> bytes:
    """Return the digest of what a text says."""
    said = " ".join(words_of(content)).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=16, key=key[:64]).digest()


def _bare(part: str) -> str:
    """Return a word without what only stands around it; a minus before a digit belongs to it."""
    word = part.strip(_AROUND).rstrip("-" + _AROUND)
    is_negative = word.startswith("-") and word[1:2].isdigit()
    return word if is_negative else word.lstrip("-" + _AROUND)
