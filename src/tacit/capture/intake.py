"""The intake: what of a client's payload may be written.

Answers for one payload: all of it, a cleaned copy, or nothing. Fields are read from the bytes by
their name: in a client's JSON its own fields stand before those of tools.
"""

from __future__ import annotations

import posix

from tacit.capture import state
from tacit.guard import gate
from tacit.paths import KEY, PATTERNS, is_under

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.capture.conf import Conf
    from tacit.guard.engine import Compile

_OWN_TOOLS = ("mcp__tacit__", "mcp__plugin_tacit_")
_NAME = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_KEY_BYTES = 32
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


def _plain(path: str) -> str:
    """Return the path without `..` and the like."""
    if "/." not in path and "//" not in path:
        return path.rstrip("/") or "/"
    from posixpath import normpath

    return normpath(path)


def clean(raw: bytes, event: str, conf: Conf, root: int) -> bytes | None:
    """Return what may be written of the payload; None if nothing may."""
    if "Tool" in event:
        if field(raw, b"tool_name").startswith(_OWN_TOOLS) or (
            event == "PostToolBatch" and b"mcp__tacit__" in raw
        ):
            return None
        if any(_mentions(raw, directory) for directory in conf.excluded):
            return None
        if b"tacit" in raw and _runs_tacit(field(raw, b"command")):
            raw = _without_response(raw)
    return redacted(raw, root)


def redacted(raw: bytes, root: int) -> bytes:
    """Return the payload without secrets and private spans; as it is if there are none."""
    if gate.is_clean(raw):
        return raw
    from tacit.guard.payload import clean as clean_payload
    from tacit.guard.redact import Redactor

    return clean_payload(raw, Redactor(key(root), _compiler(root)))


def envelope(raw: bytes, reason: str, root: int) -> bytes:
    """Return what is kept of a payload that could not be cleaned: ids, size, a keyed digest."""
    from hashlib import blake2b

    kept = [(name.decode(), field(raw, name)) for name in _KEPT]
    plain = [
        f'"{name}":"{value}",'
        for name, value in kept
        if value and not value.encode().translate(None, _NAME)
    ]
    digest = blake2b(raw, key=key(root), digest_size=16).hexdigest()
    text = (
        "".join(plain)
        + f'"tacit_dropped":{{"reason":"{reason}","bytes":{len(raw)},"digest":"{digest}"}}'
    )
    return b"{" + text.encode() + b"}"


def field(raw: bytes, name: bytes) -> str:
    """Return the string that stands under *name* first; nothing if there is none."""
    mark = b'"' + name + b'"'
    position = raw.find(mark)
    while position >= 0:
        rest = raw[position + len(mark) : position + len(mark) + 8192].lstrip(b" \t\r\n")
        value = rest[1:].lstrip(b" \t\r\n")
        if rest[:1] == b":" and value[:1] == b'"':
            return _string(value)
        position = raw.find(mark, position + 1)
    return ""


def key(root: int) -> bytes:
    """Return the home's key for keyed hashes, making it if it is missing."""
    try:
        found = state.read(root, KEY)
        if len(found) == _KEY_BYTES:
            return found
    except FileNotFoundError:
        pass
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


def _mentions(raw: bytes, directory: str) -> bool:
    """Say whether the payload names the directory: absolute, from `~`, or from its cwd."""
    names = [directory]
    here = field(raw, b"cwd")
    for base, short in ((variable("HOME"), "~/"), (here, "")):
        if base and directory != base and is_under(directory, base):
            names.append(short + directory[len(base.rstrip("/")) + 1 :])
    return any(_stands(raw, spelling) for name in names for spelling in _spellings(name))


def _spellings(name: str) -> set[bytes]:
    """Return how a path may be written in JSON."""
    plain = name.encode("utf-8", "surrogateescape")
    if name.isascii() and not any(char in name for char in '"\\/'):
        return {plain}
    import json

    written = json.dumps(name)[1:-1].encode()
    return {plain, written, written.replace(b"/", b"\\/")}


def _stands(raw: bytes, name: bytes) -> bool:
    """Say whether the name stands in the text as a whole path or as the beginning of one."""
    position = raw.find(name)
    while position >= 0:
        before = raw[position - 1 : position] if position else b""
        after = raw[position + len(name) : position + len(name) + 1]
        if (name[:1] in b"/~" or before not in _NAME_BYTES) and after not in _NAME_BYTES:
            return True
        position = raw.find(name, position + 1)
    return False


_NAME_BYTES = frozenset(bytes((char,)) for char in _NAME) - {b"."}


def _runs_tacit(command: str) -> bool:
    """Say whether a shell command runs us: what we print is never evidence."""
    for sign in ";|&()`\n$\"'":
        command = command.replace(sign, " ")
    words = command.split()
    return any(word == "tacit" or word.endswith("/tacit") for word in words)


def _without_response(raw: bytes) -> bytes:
    """Return the payload without what the tool answered."""
    from tacit.guard import fastjson

    try:
        payload = fastjson.loads(raw)
    except (ValueError, RecursionError):
        return b"{}"
    if not isinstance(payload, dict):
        return b"{}"
    for name in ("tool_response", "error"):
        if name in payload:
            payload[name] = "[tacit's own output]"
    return fastjson.dumps(payload).encode("utf-8", "replace")
