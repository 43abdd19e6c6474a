"""The fast path: a fresh interpreter that runs the hook loads only what is listed here."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rig import Home

# What `python -I -S` brings itself, on any supported version.
INTERPRETER = set(
    """
    __main__ _abc _codecs _frozen_importlib _frozen_importlib_external _imp _io _signal _thread
    _warnings _weakref abc builtins codecs encodings encodings.aliases encodings.utf_8 io marshal
    posix sys time zipimport
    """.split()
)
PLAIN = set(
    """
    __future__ _blake2 gc tacit tacit.capture tacit.capture.conf tacit.capture.hook
    tacit.capture.intake tacit.capture.projectfile tacit.capture.spool tacit.capture.state
    tacit.guard tacit.guard.gate tacit.guard.index tacit.paths
    """.split()
)
REDACTING = PLAIN | set(
    """
    _json _sre binascii _bisect bisect tacit.guard.compiled tacit.guard.context
    tacit.guard.contextrows tacit.guard.fastjson tacit.guard.judge tacit.guard.payload
    tacit.guard.private tacit.guard.redact tacit.guard.rows
    tacit.guard.judges tacit.guard.judges.numbers tacit.guard.judges.sentences
    tacit.guard.judges.structures tacit.guard.views tacit.guard.words
    """.split()
)
EXCLUDING = PLAIN | set(
    """
    _json pwd tacit.capture.excluded tacit.capture.excluded.event tacit.capture.excluded.expansion
    tacit.capture.excluded.links tacit.capture.excluded.pattern tacit.capture.excluded.reader
    tacit.capture.excluded.search tacit.capture.excluded.shell tacit.capture.tools
    tacit.guard.fastjson tacit.guard.home_directory
    """.split()
)


def _loaded(home: Home, event: str, payload: bytes) -> set[str]:
    """Run the hook, telling at its very end which modules it had loaded."""
    home.hook("Stop", {})  # the home is there
    told = home.scratch / "modules"
    launcher = home.scratch / "spy.py"
    text = home.launcher.read_text(encoding="utf-8")
    spy = (
        "import posix\n"
        "def leave(code, exit=posix._exit):\n"
        f"    open({str(told)!r}, 'w').write(' '.join(sys.modules))\n"
        "    exit(code)\n"
        "posix._exit = leave\n"
    )
    launcher.write_text(text.replace("import sys\n", "import sys\n" + spy), encoding="utf-8")
    command = [*home.program(event)[:-2], str(launcher), event]
    subprocess.run(command, input=payload, check=True, cwd=home.project)
    return set(told.read_text(encoding="utf-8").split()) - INTERPRETER


@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "SessionStart", "SessionEnd"])
def test_a_plain_event_loads_neither_re_nor_json_nor_os(home: Home, event: str) -> None:
    loaded = _loaded(home, event, home.payload(event, text="all is well\n" * 100))

    assert loaded - PLAIN == set()


def test_a_prompt_loads_one_module_more_to_ask_the_daemon(home: Home) -> None:
    loaded = _loaded(home, "UserPromptSubmit", home.payload("UserPromptSubmit", prompt="hi"))

    assert loaded - PLAIN == {"tacit.capture.ask"}


def test_a_secret_is_redacted_with_patterns_kept_compiled(home: Home) -> None:
    payload = home.payload("Stop", text="export DB_PASSWORD=k3Jd8sPq0z; curl -H 'x: y'")
    home.hook("Stop", payload)

    loaded = _loaded(home, "Stop", payload)

    assert loaded - REDACTING == set()
    assert b"k3Jd8sPq0z" not in home.bytes_on_disk()


def test_a_tool_event_is_compared_with_excluded_directories_without_re_or_os(home: Home) -> None:
    home.path.mkdir(mode=0o700)
    text = '[capture]\nexclude = ["/srv/private"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")
    command = {"command": "D=~/x; cat $D/{a,b}*/[c]? ../d"}

    loaded = _loaded(home, "PostToolUse", home.payload("PostToolUse", tool_input=command))

    assert loaded - EXCLUDING == set()
    assert "tacit.capture.excluded.event" in loaded
