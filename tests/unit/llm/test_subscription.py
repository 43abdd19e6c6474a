"""The user's own program, here one that stands in for it: what it is told, and what may go wrong.

How the real one takes it is seen in tests/realclient/test_subscription.py.
"""

from __future__ import annotations

import json
import os
import pwd
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from tacit.llm import programs
from tacit.llm.choose import model
from tacit.llm.port import Usage
from tacit.settings import Settings
from unit.llm.asking import KEY, PLAIN, REQUEST, SAID, SCHEMA, UNREAD

if TYPE_CHECKING:
    from tacit.llm.port import Model

WORDS = "the program's own words"
USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_read_input_tokens": 1000,
    "cache_creation_input_tokens": 40,
}
RESULT: dict[str, Any] = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "stop_reason": "tool_use",
    "result": json.dumps(SAID),
    "structured_output": SAID,
    "usage": USAGE,
    "modelUsage": {"claude-haiku-5-5": {}},
    "total_cost_usd": 0.25,
}
FAILED = RESULT | {"is_error": True, "result": f"{WORDS} {UNREAD}", "terminal_reason": "api_error"}
# Keeps what it was given in a file beside it, and then does what a test wants.
STAND_IN = """#!{python} -I
import json, os, pathlib, sys, time
here = pathlib.Path(sys.argv[0]).parent
seen = here / "seen"
if sys.argv[1:3] == ["auth", "status"]:
    sys.exit({status})
given = sys.argv[sys.argv.index("--system-prompt-file") + 1]
told = {{
    "arguments": sys.argv[1:],
    "environment": dict(os.environ),
    "directory": os.getcwd(),
    "beside": os.listdir(),
    "system": open(given).read(),
    "mode": os.stat(given).st_mode & 0o077,
    "stdin": sys.stdin.read(),
}}
seen.write_text(json.dumps(told))
{does}
"""


def claude(place: Path, does: str, status: int = 0) -> Path:
    """Put a program in the place of the real one."""
    program = place / "claude"
    text = STAND_IN.format(python=sys.executable, does=does, status=status)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    return place


def saying(result: object) -> str:
    return f"print({json.dumps(result)!r})"


def chosen(place: Path, environment: dict[str, str] | None = None, **more: Any) -> Model:
    is_users = more.pop("is_users_program", False)
    values = {"llm.provider": "claude-cli", "llm.timeout_seconds": 20}
    values |= {f"llm.{name}": value for name, value in more.items()}
    if not is_users:  # a daemon looks into no PATH
        values["llm.program"] = str(place / "claude")
    surroundings = {"PATH": str(place), "HOME": str(place)} | (environment or {})
    found = model(Settings(values), surroundings, is_users_program=is_users)
    assert found is not None
    return found


def seen(place: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((place / "seen").read_text(encoding="utf-8"))
    return found


def failure(place: Path, does: str, status: int = 0) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as told:
        chosen(claude(place, does, status)).ask(REQUEST)
    assert [each for each in (WORDS, UNREAD) if each in str(told.value)] == []
    return told.value


def test_an_object_comes_back_with_what_it_used(tmp_path: Path) -> None:
    reply = chosen(claude(tmp_path, saying(RESULT))).ask(REQUEST)

    assert (reply.value, reply.text) == (SAID, json.dumps(SAID))
    assert reply.usage == Usage(
        input_tokens=100, output_tokens=20, cached_tokens=1000, written_tokens=40
    )
    assert (reply.model, reply.stop) == ("claude-haiku-5-5", "tool_use")


def test_a_text_comes_back_where_no_object_was_asked_for(tmp_path: Path) -> None:
    said = RESULT | {"result": "tabs", "structured_output": None, "stop_reason": "end_turn"}

    reply = chosen(claude(tmp_path, saying(said))).ask(PLAIN)

    assert (reply.text, reply.value) == ("tabs", None)
    assert "--json-schema" not in seen(tmp_path)["arguments"]


def test_it_is_told_to_run_alone(tmp_path: Path) -> None:
    chosen(claude(tmp_path, saying(RESULT))).ask(REQUEST)

    told = seen(tmp_path)
    arguments = told["arguments"]
    assert {"-p", "--safe-mode", "--no-session-persistence", "--strict-mcp-config"} <= {*arguments}
    assert arguments[arguments.index("--tools") + 1] == ""
    assert arguments[arguments.index("--settings") + 1] == '{"disableAllHooks":true}'
    assert arguments[arguments.index("--model") + 1] == "haiku"
    assert json.loads(arguments[arguments.index("--json-schema") + 1]) == SCHEMA
    assert told["environment"]["TACIT_INTERNAL"] == "1"
    assert told["environment"]["CLAUDE_CODE_MAX_RETRIES"] == "0"
    assert told["environment"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "512"


def test_nothing_private_stands_on_its_command_line(tmp_path: Path) -> None:
    chosen(claude(tmp_path, saying(RESULT))).ask(REQUEST)

    told = seen(tmp_path)
    line = " ".join(told["arguments"])
    assert [text for text in (UNREAD, "Known: nothing.", "You extract.") if text in line] == []
    assert (told["stdin"], told["system"]) == (UNREAD, "You extract.\n\nKnown: nothing.")
    assert told["mode"] == 0


def test_it_stands_in_an_empty_directory_that_is_gone_afterwards(tmp_path: Path) -> None:
    chosen(claude(tmp_path, saying(RESULT))).ask(REQUEST)

    told = seen(tmp_path)
    assert told["beside"] == []
    left = [Path(each).exists() for each in (told["directory"], told["environment"]["TMPDIR"])]
    assert left == [False, False]


def test_it_knows_the_user_s_login_and_little_else(tmp_path: Path) -> None:
    surroundings = {
        "CLAUDE_CONFIG_DIR": "/somewhere",
        "CLAUDE_CODE_OAUTH_TOKEN": "a-token",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "OPENAI_API_KEY": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "CLAUDECODE": "1",
    }

    chosen(claude(tmp_path, saying(RESULT)), surroundings).ask(REQUEST)

    known = seen(tmp_path)["environment"]
    assert (known["CLAUDE_CONFIG_DIR"], known["CLAUDE_CODE_OAUTH_TOKEN"]) == (
        "/somewhere",
        "a-token",
    )
    assert {*surroundings} & {*known} == {"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"}


def test_in_a_program_that_the_user_has_started_it_knows_the_way_out(tmp_path: Path) -> None:
    way = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}

    chosen(claude(tmp_path, saying(RESULT)), way, is_users_program=True).ask(REQUEST)

    assert way.items() <= seen(tmp_path)["environment"].items()


@pytest.mark.parametrize(
    ("environment", "settings", "usd"),
    [
        ({}, {}, 0.0),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "a-token"}, {}, 0.0),
        ({"ANTHROPIC_API_KEY": KEY}, {}, 0.25),
        ({"ANTHROPIC_API_KEY": ""}, {}, 0.0),
        ({}, {"usd_per_million": [1, 1]}, (100 + 20 + 1000 + 40 * 1.25) / 1e6),
    ],
)
def test_a_subscription_costs_nothing_more_but_a_key_does(
    environment: dict[str, str], settings: dict[str, Any], usd: float, tmp_path: Path
) -> None:
    reply = chosen(claude(tmp_path, saying(RESULT)), environment, **settings).ask(REQUEST)

    assert reply.usd == pytest.approx(usd)


def test_each_tier_has_its_model(tmp_path: Path) -> None:
    asked = chosen(claude(tmp_path, saying(RESULT)))

    asked.ask(replace(REQUEST, tier="large"))

    arguments = seen(tmp_path)["arguments"]
    assert arguments[arguments.index("--model") + 1] == asked.model("large") == "sonnet"
    assert asked.provider == "claude-cli"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"api_error_status": 401}, ModelKeyRefused),
        ({"api_error_status": 403}, ModelKeyRefused),
        ({"api_error_status": 404}, ModelUnknown),
        ({"api_error_status": 429}, ModelBusy),
        ({"api_error_status": 529}, ModelBusy),
        ({"api_error_status": 500}, ModelBusy),
        ({"api_error_status": 413}, ModelStrange),
        ({"api_error": "connection_failed"}, ModelUnreachable),
        ({}, ModelStrange),
        ({"terminal_reason": "max_turns"}, ModelStrange),
    ],
    ids=str,
)
def test_what_it_tells_of_its_server_is_told_on(
    fields: dict[str, Any], kind: type[ModelUnavailable], tmp_path: Path
) -> None:
    assert type(failure(tmp_path, saying(FAILED | fields) + "; sys.exit(1)")) is kind


def test_without_a_login_the_owner_is_told_to_log_in(tmp_path: Path) -> None:
    error = failure(tmp_path, saying(FAILED) + "; sys.exit(1)", status=1)

    assert type(error) is ModelKeyRefused
    assert str(error).endswith("is not logged in. Run `claude` and then /login.")


@pytest.mark.parametrize(
    "does",
    [
        "",
        f"print({WORDS!r})",
        'print(\'{"type": "result"\')',
        "print('[]')",
        f"sys.stderr.write({WORDS!r}); sys.exit(1)",
        saying({"type": "system"}),
        saying(RESULT | {"structured_output": None}),
        saying(RESULT | {"structured_output": {"other": 1}}),
        saying(RESULT | {"stop_reason": "max_tokens"}),
        saying(RESULT | {"stop_reason": "refusal"}),
        "print('x' * 3_000_000)",
    ],
)
def test_an_answer_that_is_none(does: str, tmp_path: Path) -> None:
    assert type(failure(tmp_path, does)) is ModelStrange


def test_a_program_that_hangs_is_given_up(tmp_path: Path) -> None:
    asked = chosen(claude(tmp_path, "time.sleep(60)"), timeout_seconds=1)

    with pytest.raises(ModelUnreachable, match="does not answer in time"):
        asked.ask(REQUEST)


def test_a_program_that_was_ended_is_no_answer(tmp_path: Path) -> None:
    error = failure(tmp_path, "os.kill(os.getpid(), 9)")

    assert type(error) is ModelUnreachable


def test_a_late_answer_that_is_paid_for_is_counted(tmp_path: Path) -> None:
    paid = chosen(claude(tmp_path, "time.sleep(60)"), {"ANTHROPIC_API_KEY": KEY}, timeout_seconds=1)

    with pytest.raises(ModelUnreachable) as told:
        paid.ask(REQUEST)

    assert told.value.usd > 0


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelUnknown, match=r"is not found\. Install it, or write its whole path"):
        chosen(tmp_path).ask(REQUEST)


def test_a_daemon_runs_no_program_that_only_its_surroundings_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude(tmp_path, saying(RESULT))
    monkeypatch.setattr(programs, "_PLACES", (str(tmp_path / "nowhere"),))
    evil = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    asked = model(Settings({"llm.provider": "claude-cli"}), evil, is_users_program=False)
    assert asked is not None

    with pytest.raises(ModelUnknown, match="is not found"):
        asked.ask(REQUEST)

    assert not (tmp_path / "seen").exists()


def test_what_a_daemon_runs_knows_the_account_s_home_and_no_other(tmp_path: Path) -> None:
    evil = {"HOME": "/evil", "PATH": "/evil", "USER": "evil", "LOGNAME": "evil"}

    chosen(claude(tmp_path, saying(RESULT)), evil).ask(REQUEST)

    known = seen(tmp_path)["environment"]
    account = pwd.getpwuid(os.geteuid())
    assert (known["HOME"], known["USER"]) == (account.pw_dir, account.pw_name)
    assert "evil" not in str(known)


def test_in_a_program_that_the_user_has_started_its_path_counts(tmp_path: Path) -> None:
    asked = chosen(claude(tmp_path, saying(RESULT)), is_users_program=True)

    assert asked.ask(REQUEST).value == SAID


def test_a_program_that_is_named_by_halves_is_refused() -> None:
    settings = Settings({"llm.provider": "claude-cli", "llm.program": "bin/claude"})

    with pytest.raises(ModelUnknown, match=r"llm\.program must be a whole path"):
        model(settings, {}, is_users_program=True)


def test_closing_ends_a_question_that_is_under_way(tmp_path: Path) -> None:
    asked = chosen(claude(tmp_path, "time.sleep(60)"), timeout_seconds=60)

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(asked.ask, REQUEST)
        until = time.monotonic() + 10
        while not (tmp_path / "seen").exists() and time.monotonic() < until:
            time.sleep(0.01)
        asked.close()

        assert isinstance(asking.exception(timeout=10), ModelUnreachable)
