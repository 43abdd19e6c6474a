"""What installing changes in a client's files, as functions from text to text.

Ours is recognised by the launcher that a hook names and by what our server runs: whatever an older
installation left is replaced, what is as it should be stays, and nothing else is touched, not even
a hook that somebody has put beside ours.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tacit.install import jsontext
from tacit.install.clients import LAUNCHER, SERVER
from tacit.install.hooks import spelled

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from tacit.install.clients import Client

_HOLDERS: tuple[tuple[str, ...], ...] = (
    ("hooks",),
    ("permissions",),
    ("permissions", "allow"),
    ("mcpServers",),
)


_MODULE = ["-m", "tacit", "mcp"]  # how the command of our server ended before
_PROGRAM = "/tacit/__main__.py"  # what it runs, by its path


def with_hooks(text: str, client: Client, launcher: Path) -> str:
    """Return settings in which every hook of ours stands once, as it should be, and no other."""
    text = without_hooks(text, but={hook.event for hook in client.hooks})
    for hook in client.hooks:
        path, wanted = ("hooks", hook.event), {"hooks": [spelled(hook, launcher)]}
        if ours(text, hook.event) == [wanted]:
            continue
        text = jsontext.append(_without_ours(text, path), path, wanted)
    return text


def without_hooks(text: str, but: Collection[str] = ()) -> str:
    """Return settings without any hook of ours, nor what held nothing else."""
    for event in (each for each in events(text) if each not in but):
        path = ("hooks", event)
        if ours(text, event):
            text = _pruned(_without_ours(text, path), path)
    return text


def _without_ours(text: str, path: tuple[str, ...]) -> str:
    """Return settings without our hooks at a path; hooks of others in the same row stay."""
    text = jsontext.remove(text, path, lambda row: is_ours(row) and _reduced(row) == row)
    for number, row in enumerate(_list(text, path)):
        if is_ours(row):
            text = jsontext.remove(text, (*path, number, "hooks"), _is_hook_of_ours)
    return text


def events(text: str) -> list[str]:
    """Return the events for which settings name any hook."""
    hooks = _at(text, ("hooks",))
    return list(hooks) if isinstance(hooks, dict) else []


def ours(text: str, event: str) -> list[Any]:
    """Return what settings say of our hook for an event: its rows, without hooks of others."""
    return [_reduced(each) for each in _list(text, ("hooks", event)) if is_ours(each)]


def with_permission(text: str, rule: str) -> str:
    """Return settings that let our server be called without asking."""
    return text if allows(text, rule) else jsontext.append(text, ("permissions", "allow"), rule)


def without_permission(text: str, rule: str) -> str:
    """Return settings that say nothing of our server, nor what held nothing else."""
    path = ("permissions", "allow")
    if not allows(text, rule):
        return text
    return _pruned(jsontext.remove(text, path, lambda each: bool(each == rule)), path)


def with_server(text: str, command: list[str]) -> str:
    """Return a list of servers with ours."""
    wanted = {
        "type": "stdio",
        "command": command[0],
        "args": command[1:],
        "alwaysLoad": True,
    }
    return text if server(text) == wanted else jsontext.put(text, ("mcpServers", SERVER), wanted)


def without_server(text: str) -> str:
    """Return a list of servers without ours."""
    if server(text) is None:
        return text
    return _pruned(jsontext.drop(text, ("mcpServers", SERVER)), ("mcpServers",))


def server(text: str) -> Any:
    """Return what a list of servers says of ours; None if it is not in it."""
    return None if has_another_server(text) else _at(text, ("mcpServers", SERVER))


def has_another_server(text: str) -> bool:
    """Say whether somebody else's server has the name of ours."""
    told = _at(text, ("mcpServers", SERVER))
    if not isinstance(told, dict) or not {str} & {type(told.get("command")), type(told.get("url"))}:
        return False  # it cannot run at all
    words = told.get("args")
    return not isinstance(words, list) or not _runs_server(words)


def _runs_server(words: list[Any]) -> bool:
    """Return whether arguments run our server: `-m tacit mcp`, or our program by its path."""
    is_program = any(str(one).endswith(_PROGRAM) and two == "mcp" for one, two in pairwise(words))
    return is_program or words[-len(_MODULE) :] == _MODULE


def server_home(server: dict[str, Any]) -> str | None:
    """Return the home that our server reads, as its arguments or, before, its variables say."""
    words, environment = server.get("args"), server.get("env")
    if isinstance(words, list) and "--home" in words[:-1]:
        return str(words[words.index("--home") + 1])
    home = environment.get("TACIT_HOME") if isinstance(environment, dict) else None
    return home if isinstance(home, str) else None


def allows(text: str, rule: str) -> bool:
    """Say whether settings have a rule."""
    return rule in _list(text, ("permissions", "allow"))


def with_holders(text: str, before: str) -> str:
    """Return settings with those empty places that were there before us."""
    known = [("hooks", event) for event in events(before)]
    for path in (*_HOLDERS, *known):
        was = _at(before, path)
        if was in ({}, []) and _at(text, path) is None:
            text = jsontext.put(text, path, was)
    return text


def is_ours(registered: Any) -> bool:
    """Say whether hooks that a client runs name our launcher."""
    return any(launcher_of(each) for each in commands(registered))


def launchers(text: str) -> set[str]:
    """Return the launchers that our hooks in settings name."""
    found = [each for event in events(text) for each in ours(text, event)]
    named = (launcher_of(words) for each in found for words in commands(each))
    return {each for each in named if each}


def commands(registered: Any) -> list[list[str]]:
    """Return the commands of hooks that a client runs, each word by word."""
    hooks = registered.get("hooks") if isinstance(registered, dict) else None
    return [command_words(each) for each in (hooks if isinstance(hooks, list) else ())]


def launcher_of(words: list[str]) -> str | None:
    """Return the launcher of ours that a command names, if it does."""
    return next((word for word in words if word.rpartition("/")[2] == LAUNCHER), None)


def _reduced(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without hooks of others."""
    return row | {"hooks": [each for each in row["hooks"] if _is_hook_of_ours(each)]}


def _is_hook_of_ours(hook: Any) -> bool:
    return launcher_of(command_words(hook)) is not None


def command_words(registered: Any) -> list[str]:
    """Return the command of a hook or a server, word by word."""
    if not isinstance(registered, dict):
        return []
    given = registered.get("args")
    if isinstance(given, list):
        return [str(registered.get("command", "")), *map(str, given)]
    return str(registered.get("command", "")).split()


def _list(text: str, path: tuple[str, ...]) -> list[Any]:
    """Return the list at a path; an empty one if there is none."""
    found = _at(text, path)
    return found if isinstance(found, list) else []


def _at(text: str, path: tuple[str, ...]) -> Any:
    """Return what stands at a path; None if there is nothing."""
    found = jsontext.value(text)
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _pruned(text: str, path: tuple[str, ...]) -> str:
    """Return the text without what is empty at the end of a path, and what then is."""
    while path and _at(text, path) in ({}, []):
        text = jsontext.drop(text, path)
        path = path[:-1]
    return text
