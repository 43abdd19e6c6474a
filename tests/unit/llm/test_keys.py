"""The key: from the environment or a program, in memory alone, and never shown."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tacit.errors import ModelKeyRefused, ModelUnreachable
from tacit.llm import choose
from tacit.llm.keys import Keys
from tacit.settings import Settings
from unit.llm.asking import KEY, REQUEST, SAID, chosen, message
from unit.net.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from unit.net.serving import Asked

NAME = "ANTHROPIC_API_KEY"


def printing(tmp_path: Path, *keys: str) -> list[str]:
    """Return a program that prints one key after the other, each time it is run."""
    (tmp_path / "left").write_text("\n".join(keys), encoding="utf-8")
    program = (
        "import pathlib, sys; file = pathlib.Path(sys.argv[1]); "
        "keys = file.read_text().split('\\n'); print(keys[0]); "
        "file.write_text('\\n'.join(keys[1:]))"
    )
    return [sys.executable, "-I", "-c", program, str(tmp_path / "left")]


@pytest.mark.parametrize("found", [KEY, f" {KEY}\n"])
def test_the_environment_has_the_key(found: str) -> None:
    assert Keys(NAME, {NAME: found}).key() == KEY


@pytest.mark.parametrize("environment", [{}, {NAME: ""}, {NAME: " \n"}, {"OTHER": KEY}])
def test_there_may_be_none(environment: dict[str, str]) -> None:
    assert Keys(NAME, environment).key() is None


@pytest.mark.parametrize("key", ["a b", "schlüssel", "a\nb", "a\x7f"])
def test_a_key_that_is_none_is_refused_without_being_repeated(key: str) -> None:
    with pytest.raises(ModelKeyRefused, match=NAME) as refused:
        Keys(NAME, {NAME: key}).key()

    assert key not in str(refused.value)


def test_a_program_that_was_named_counts_before_the_environment(tmp_path: Path) -> None:
    keys = Keys(NAME, {NAME: "another"}, printing(tmp_path, KEY))

    assert keys.key() == KEY


def test_a_program_is_asked_once(tmp_path: Path) -> None:
    keys = Keys(NAME, {}, printing(tmp_path, KEY, "second"))

    assert [keys.key(), keys.key()] == [KEY, KEY]


def test_a_key_that_was_forgotten_is_asked_for_anew(tmp_path: Path) -> None:
    keys = Keys(NAME, {}, printing(tmp_path, KEY, "second"))
    keys.key()

    keys.forget()

    assert keys.key() == "second"


def test_a_program_is_started_without_a_shell(tmp_path: Path) -> None:
    keys = Keys(NAME, {}, ["echo", f"$HOME;touch${{IFS}}{tmp_path}/made"])

    assert keys.key() == f"$HOME;touch${{IFS}}{tmp_path}/made"
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["/nowhere/to/be/found"], "cannot be started"),
        (["false"], "fails (status 1)"),
        (["true"], "prints nothing"),
        (["echo", "two words"], "holds what no key does"),
        (["yes"], "answers with more than was asked for"),
    ],
)
def test_a_program_that_gives_no_key_is_told(command: list[str], told: str) -> None:
    with pytest.raises(ModelKeyRefused) as refused:
        Keys(NAME, {"PATH": "/usr/bin:/bin"}, command).key()

    assert f"llm.key_command {told}" in str(refused.value)


@pytest.mark.parametrize("command", [["nowhere"], ["./key"], ["bin/key"]])
def test_a_program_is_named_by_its_whole_path_where_it_is_not_found(command: list[str]) -> None:
    with pytest.raises(ModelKeyRefused, match=r"is not found\. Write its whole path in config"):
        Keys(NAME, {}, command).key()


def test_a_daemon_asks_no_program_that_only_its_surroundings_name(tmp_path: Path) -> None:
    evil = tmp_path / "echo"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\necho evil\n", encoding="utf-8")
    evil.chmod(0o755)
    around = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    values = {"llm.provider": "anthropic", "llm.key_command": ["echo", KEY]}

    with served(lambda asked: asked.answer(message())) as server:
        settings = Settings(values | {"llm.base_url": server.url})
        found = choose.model(settings, around, is_users_program=False)
        assert found is not None
        found.ask(REQUEST)

    assert server.asked[0].headers["Authorization"].endswith(KEY)
    assert not (tmp_path / "ran").exists()


def test_what_a_program_complains_is_not_repeated() -> None:
    command = [sys.executable, "-c", f"import sys; print({KEY!r}); sys.exit({KEY!r})"]

    with pytest.raises(ModelKeyRefused) as refused:
        Keys(NAME, {}, command).key()

    assert KEY not in str(refused.value)


def test_nothing_shows_the_key(tmp_path: Path) -> None:
    command = printing(tmp_path, KEY)
    asked, given = Keys(NAME, {}, command), Keys(NAME, {NAME: KEY})
    asked.key()

    assert KEY not in f"{asked!r} {given!r} {asked.remedy} {given.remedy}"


@pytest.mark.parametrize(
    ("command", "told"), [([], "Set ANTHROPIC_API_KEY"), (["pass"], "See what llm.key_command")]
)
def test_the_remedy_is_about_where_the_key_comes_from(command: list[str], told: str) -> None:
    assert Keys(NAME, {}, command).remedy.startswith(told)


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_key_that_is_not_accepted_is_asked_for_again_before_the_next_question(
    provider: str, tmp_path: Path
) -> None:
    said = message() if provider == "anthropic" else {"choices": [{"message": {"content": "x"}}]}

    def script(asked: Asked) -> None:
        asked.answer(said, 200 if asked.headers["Authorization"].endswith("second") else 401)

    with served(script) as server:
        model = chosen(
            provider, server.url, key=None, key_command=printing(tmp_path, "first", "second")
        )
        with pytest.raises(ModelKeyRefused, match=r"See what llm\.key_command prints"):
            model.ask(REQUEST)
        reply = model.ask(REQUEST)

    assert reply.value == (SAID if provider == "anthropic" else None)


def test_closing_ends_a_program_that_is_asked_for_the_key(tmp_path: Path) -> None:
    started = tmp_path / "started"
    program = f"open({str(started)!r}, 'w'); import time; time.sleep(60)"
    model = chosen("anthropic", "", key=None, key_command=[sys.executable, "-I", "-c", program])

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(model.ask, REQUEST)
        until = time.monotonic() + 10
        while not started.exists() and time.monotonic() < until:
            time.sleep(0.01)
        model.close()

        assert isinstance(asking.exception(timeout=10), ModelUnreachable)
