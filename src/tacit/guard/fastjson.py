"""JSON without the `json` module, whose import costs the hook as much as its interpreter.

The same C scanner and string encoder that `json` uses, called directly; where they are missing,
`json` itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class _Context:
    """What the C scanner asks its decoder for."""

    strict = False  # control characters in strings are taken as they are
    object_hook = None
    parse_float = float
    parse_int = int
    parse_constant = _CONSTANTS.__getitem__

    def __init__(self) -> None:
        self.is_whole = True

    def object_pairs_hook(self, pairs: list[tuple[str, Json]]) -> Json:
        """Build an object, noticing a key that stands there twice."""
        built = dict(pairs)
        self.is_whole = self.is_whole and len(built) == len(pairs)
        return built


def loads(raw: bytes) -> Json:
    """Return the value that *raw* holds; ValueError if it is not JSON."""
    return loads_telling(raw)[0]


def loads_telling(raw: bytes) -> tuple[Json, bool]:
    """Return the value that *raw* holds, and whether all of *raw* is in it (no key stood twice)."""
    text = _text(raw).removeprefix("\ufeff").strip(" \t\r\n")
    context = _Context()
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads as load

        loaded: Json = load(text, strict=False, object_pairs_hook=context.object_pairs_hook)
        return loaded, context.is_whole
    try:
        decoder: Any = context
        value, end = make_scanner(decoder)(text, 0)
    except StopIteration as error:
        raise ValueError("no JSON value") from error
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value, context.is_whole


def _text(raw: bytes) -> str:
    """Return the text; bytes that are no UTF-8 become lone surrogates."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogateescape")


def dumps(value: Json) -> str:
    """Return *value* as JSON, without blanks and with its characters as they are."""
    try:
        from _json import encode_basestring as quoted
    except ImportError:
        from json import dumps as dump

        return dump(value, ensure_ascii=False, separators=(",", ":"))

    def written(value: Json) -> str:
        if isinstance(value, str):
            return quoted(value)
        if isinstance(value, dict):
            return (
                "{"
                + ",".join([f"{quoted(name)}:{written(item)}" for name, item in value.items()])
                + "}"
            )
        if isinstance(value, list):
            return "[" + ",".join([written(item) for item in value]) + "]"
        return _scalar(value)

    return written(value)


def encoded(value: Json) -> bytes:
    """Return *value* as JSON in UTF-8; a lone surrogate as the escape that it came as."""
    text = dumps(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join(
            f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text
        ).encode()


def _scalar(value: float | bool | None) -> str:  # noqa: FBT001  (any JSON scalar)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value != value or value in {float("inf"), float("-inf")}:  # noqa: PLR0124  (NaN differs from itself)
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124
    return repr(value)
