"""The intake: what of a client's payload may be written.

Answers for one payload: all of it, a cleaned copy, or nothing. Fields are read from the bytes by
their name: in a client's JSON its own fields stand before those of tools.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.guard import gate
from tacit.paths import KEY, PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.capture.conf import Conf
    from tacit.guard.engine import Compile
    from tacit.guard.fastjson import Json

_NAME = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_KEY_BYTES = 32
_TOOL_FIELDS = (b'"tool_input"', b'"tool_response"', b'"tool_calls"', b'"prompt"')
_LONGEST_ID, _LONGEST_FIELD, _MOST_TRIES = 64, 8192, 32
_KEPT = (b"session_id", b"prompt_id", b"agent_id", b"tool_name", b"tool_use_id")


def directories(raw: bytes) -> list[str]:
    """Return the directories of the event: the client's, the project's and the payload's."""
    try:
        here = posix.getcwd()
    except OSError:
        here = variable("PWD") or "/"
    return [
        here,
        *(_plain(path) for path in (variable("CLAUDE_PROJECT_DIR"), field(raw, b"cwd")) if path),
    ]


def variable(name: str) -> str:
    """Return a variable of the environment; nothing if it is not set."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def hide_environment() -> None:
    """Empty the environment that libraries see; `variable` goes on knowing it."""
    for name in posix.environ:
        try:
            posix.unsetenv(name)
        except OSError:  # a name that nobody can ask for either
            continue


def _plain(path: str) -> str:
    """Return the path without `..` and the like."""
    if "/." not in path and "//" not in path:
        return path.rstrip("/") or "/"
    from posixpath import normpath

    return normpath(path)


def clean(raw: bytes, conf: Conf, directories: list[str], root: int) -> bytes | None:
    """Return what may be written of the payload; None if nothing may."""
    if b'"tool_' in raw and (conf.excluded or b"tacit" in raw):
        left = _without_forbidden(raw, conf, directories[-1])
        if left is None:
            return None
        raw = left
    return redacted(raw, root, keeps_numbers=conf.keeps_numbers)


def _without_forbidden(raw: bytes, conf: Conf, cwd: str) -> bytes | None:
    """Return a tool event without what our own tools said; None if it touches what is excluded."""
    from tacit.capture import tools
    from tacit.guard import fastjson

    text = raw.decode("utf-8", "replace")
    try:
        payload, is_whole = fastjson.loads_telling(raw)
        told: Json = payload if is_whole else [payload, text]
        if conf.excluded and tools.mentions(told, conf.excluded, cwd, variable("HOME"), variable):
            return None
        left = tools.without_own(payload)
    except (ValueError, RecursionError):  # not to be read as JSON: as the text that it is
        is_excluded = tools.mentions(text, conf.excluded, cwd, variable("HOME"), variable)
        return None if is_excluded or tools.without_own(text) is None else raw
    if left == payload:
        return raw
    return None if left is None else fastjson.dumps(left).encode("utf-8", "replace")


def redacted(raw: bytes, root: int, *, keeps_numbers: bool = False) -> bytes:
    """Return the payload without secrets and private spans; as it is if there are none."""
    if gate.is_clean(raw):
        return raw
    from tacit.guard.payload import clean as clean_payload
    from tacit.guard.redact import Redactor

    kept = gate.NUMBERS if keeps_numbers else frozenset()
    return clean_payload(raw, Redactor(key(root), _compiler(root), kept=kept))


def envelope(raw: bytes, reason: str, size: int, root: int) -> bytes:
    """Return what is kept of a payload that could not be cleaned: ids, size, a keyed digest."""
    from hashlib import blake2b

    head = raw[: min(_first(raw, mark) for mark in _TOOL_FIELDS)]
    kept = [(name.decode(), field(head, name)) for name in _KEPT]
    plain = [f'"{name}":"{value}",' for name, value in kept if _is_id(value)]
    digest = blake2b(raw, key=key(root), digest_size=16).hexdigest()
    dropped = f'"tacit_dropped":{{"reason":"{reason}","bytes":{size},"digest":"{digest}"}}'
    return b"{" + "".join([*plain, dropped]).encode() + b"}"


def _first(raw: bytes, mark: bytes) -> int:
    position = raw.find(mark)
    return position if position >= 0 else len(raw)


def _is_id(value: str) -> bool:
    """Say whether a value is the client's own: a short plain word that can be no secret."""
    text = value.encode("utf-8", "replace")
    return 0 < len(text) <= _LONGEST_ID and not text.translate(None, _NAME) and gate.is_clean(text)


def field(raw: bytes, name: bytes) -> str:
    """Return the string that stands under *name* first; nothing if there is none."""
    mark = b'"' + name + b'"'
    position = raw.find(mark)
    for _ in range(_MOST_TRIES):
        if position < 0:
            break
        behind = position + len(mark)
        if raw[behind : behind + 64].lstrip(b" \t\r\n")[:1] == b":":
            value = raw[behind : behind + _LONGEST_FIELD].lstrip(b" \t\r\n")[1:].lstrip(b" \t\r\n")
            if value[:1] == b'"':
                return _string(value)
        position = raw.find(mark, behind)
    return ""


def key(root: int) -> bytes:
    """Return the home's key for keyed hashes, made by whoever comes first."""
    try:
        found = state.read(root, KEY)
        return found if len(found) == _KEY_BYTES else _existing_key(root)
    except FileNotFoundError:
        pass
    try:
        made = state.open_file(root, KEY, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL)
    except FileExistsError:
        return _existing_key(root)
    try:
        state.write_all(made, posix.urandom(_KEY_BYTES))
    finally:
        posix.close(made)
    return state.read(root, KEY)


def _existing_key(root: int) -> bytes:
    """Return the key, giving the one who makes it a moment; a key that stays broken is replaced."""
    for _ in range(25):
        found = state.read(root, KEY)
        if len(found) == _KEY_BYTES:
            return found
        time.sleep(0.002)
    state.replace(root, KEY, posix.urandom(_KEY_BYTES))
    return state.read(root, KEY)


def _compiler(root: int) -> Compile:
    """Return a compiler that uses the patterns kept in the home, after keeping them there."""
    from tacit.guard.compiled import compiler, dump, with_re

    try:
        found = compiler(state.read(root, PATTERNS))
    except OSError:
        found = with_re
    try:
        if found is with_re and (made := dump()):
            state.replace(root, PATTERNS, made)
    except OSError:
        pass  # they are only a convenience
    return found


def _string(value: bytes) -> str:
    """Return the JSON string at the beginning of *value*."""
    end = value.find(b'"', 1)
    while end > 0 and (len(value[:end]) - len(value[:end].rstrip(b"\\"))) % 2:
        end = value.find(b'"', end + 1)
    text = value[1:end] if end > 0 else value[1:]
    if b"\\" in text:
        from tacit.guard import fastjson

        try:
            return str(fastjson.loads(b'"' + text + b'"'))
        except ValueError:
            return ""
    return text.decode("utf-8", "replace")
