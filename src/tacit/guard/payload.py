"""Payloads: secrets and private spans out of a client's JSON.

Every string, keys included, is cleaned; a string under a telling key (`"password": …`) is judged by
that key. What is not JSON is cleaned as the text that it is. A payload with nothing to hide comes
back byte for byte.
"""

from __future__ import annotations

from tacit.guard import fastjson, judge, private
from tacit.guard.contextrows import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.guard.fastjson import Json
    from tacit.guard.redact import Redactor

_BETWEEN = b"\n\x00\n"
_KEYS: dict[str, list[tuple[bytes, int]]] = {}  # keys repeat: what is known of them so far
_MOST_KEYS = 4096


def clean(raw: bytes, redactor: Redactor) -> bytes:
    """Return the payload without secrets and private spans."""
    plain = raw.replace(b"\x00", b"")
    try:
        payload, is_whole = fastjson.loads_telling(plain)
        return clean_json(payload, redactor, raw if is_whole and plain == raw else b"")
    except (ValueError, RecursionError):
        text = _readable(plain)
        cleaned = redactor.redact(private.strip(text))
        return raw if cleaned == text and plain == raw else cleaned


def clean_json(payload: Json, redactor: Redactor, raw: bytes) -> bytes:
    """Return *payload* as JSON without secrets; *raw*, if that is its very text and has none."""
    leaves: list[tuple[bytes, str]] = []
    _collect(payload, "", leaves)
    cleaned = _clean_leaves(leaves, redactor)
    if raw and all(before == after for (before, _), after in zip(leaves, cleaned, strict=True)):
        return raw
    return fastjson.encoded(_rebuild(payload, iter(cleaned)))


def _collect(value: Json, key: str, leaves: list[tuple[bytes, str]]) -> None:
    """Append each string of *value* with the key it stands under, in the order of writing."""
    if isinstance(value, str):
        leaves.append((value.encode("utf-8", "surrogatepass"), key))
    elif isinstance(value, list):
        for item in value:
            _collect(item, key, leaves)
    elif isinstance(value, dict):
        named = _named(value)
        for name, item in value.items():
            leaves.append((name.encode("utf-8", "surrogatepass"), ""))
            _collect(item, named if named and name.lower() == "value" else name, leaves)


def _named(pair: dict[str, Json]) -> str:
    """Return the name in `{"name": "DB_PASSWORD", "value": …}`, else nothing."""
    for name in ("name", "Name", "key", "Key"):
        if isinstance(pair.get(name), str) and ("value" in pair or "Value" in pair):
            return str(pair[name])
    return ""


def _clean_leaves(leaves: list[tuple[bytes, str]], redactor: Redactor) -> list[bytes]:
    texts = [text for text, _ in leaves]
    joined = _BETWEEN.join(texts)
    if private.OPENING in joined.lower():
        texts = [private.strip(text) for text in texts]
        joined = _BETWEEN.join(texts)
    cleaned = redactor.redact(joined).split(_BETWEEN)
    is_parted = len(cleaned) == len(texts) and joined.count(b"\x00") == len(texts) - 1
    if not is_parted:  # a secret reached across, or a text holds the mark: one by one
        cleaned = [redactor.redact(text) for text in texts]
    return [
        redactor.mark("secret", text) if text == before and _is_secret(text, key) else text
        for text, before, (_, key) in zip(cleaned, texts, leaves, strict=True)
    ]


def _is_secret(text: bytes, key: str) -> bool:
    """Say whether the key tells that the text under it is a secret."""
    known = _KEYS.get(key)
    if known is None:
        if len(_KEYS) >= _MOST_KEYS:
            _KEYS.clear()
        known = _KEYS[key] = _rated(key.encode("utf-8", "surrogatepass"))
    for word, rating in known:
        if not judge.is_tame(word, text):
            return judge.is_secret(text, rating=rating, quoted=True, tight=False)
    return False


def _rated(name: bytes) -> list[tuple[bytes, int]]:
    """Return the words in a key that may name a secret, and how surely they do."""
    low = name.lower()
    found = [(word, low.rfind(word)) for word in NAMES if word in low]
    ratings = [(word, judge.rate(name, start, start + len(word))) for word, start in found]
    return [(word, rating) for word, rating in ratings if rating]


def _rebuild(value: Json, cleaned: Iterator[bytes]) -> Json:
    """Return *value* with its strings replaced, in the order of `_collect`."""
    if isinstance(value, str):
        return next(cleaned).decode("utf-8", "surrogatepass")
    if isinstance(value, list):
        return [_rebuild(item, cleaned) for item in value]
    if isinstance(value, dict):
        rebuilt: dict[str, Json] = {}
        for item in value.values():
            name = next(cleaned).decode("utf-8", "surrogatepass")
            name = name if name not in rebuilt else f"{name} {len(rebuilt)}"
            rebuilt[name] = _rebuild(item, cleaned)
        return rebuilt
    return value


def _readable(raw: bytes) -> bytes:
    """Undo the escapes of printable ASCII, so that none hides a secret in what is not JSON."""
    head, *parts = raw.split(b"\\u00")
    pieces = [head]
    for part in parts:
        try:
            code = int(part[:2], 16) if len(part) > 1 else 0
        except ValueError:
            code = 0
        plain = bytes((code,)) if ord(" ") <= code < 127 else b"\\u00" + part[:2]
        pieces += (plain, part[2:])
    return b"".join(pieces)
