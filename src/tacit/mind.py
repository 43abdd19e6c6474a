"""Kept in mind: what was worked out once, until nobody has asked for a while.

Every answer that is kept only to be fast is kept through here. So a process that rests can forget
them all at once: the next question takes a little longer, and is answered the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import _lru_cache_wrapper

Answer = TypeVar("Answer")
_turn = Lock()
_kept: WeakSet[_lru_cache_wrapper[object]] = WeakSet()


def in_mind(most: int) -> Callable[[Callable[..., Answer]], _lru_cache_wrapper[Answer]]:
    """Keep the answers of a function in mind, so many at most, those asked for last."""

    def kept(ask: Callable[..., Answer]) -> _lru_cache_wrapper[Answer]:
        wrapped = lru_cache(most)(ask)
        with _turn:
            _kept.add(wrapped)
        return wrapped

    return kept


def forget() -> None:
    """Forget all that is kept in mind, of every function, and the patterns that Python keeps."""
    with _turn:
        kept = list(_kept)
    for each in kept:
        each.cache_clear()
    re.purge()
