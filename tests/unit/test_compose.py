"""The composition root: a home is opened or refused, and RE2 is the engine of the command line."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from rig import SESSION
from tacit import compose
from tacit.compose import open_app
from tacit.errors import HomeRefused, ModelUnknown
from tacit.mind import forget

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool
    from tacit.guard.redact import Redactor

NOW_NS = 1_790_000_000_000_000_123


def choose(home: Home, text: str) -> None:
    home.make()
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def test_without_a_choice_the_user_s_own_home_is_opened(home: Home) -> None:
    app = open_app()

    assert app.status().home == str(home.path)


def test_another_home_is_opened_when_it_is_given(home: Home) -> None:
    other = str(home.scratch / "other")

    app = open_app(other)

    assert (app.status().home, home.path.exists()) == (other, False)


def test_a_home_named_from_here_is_made_absolute(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.scratch)

    app = open_app("other")

    assert app.status().home == str(home.scratch / "other")


def test_everything_in_a_new_home_is_for_its_owner_alone(home: Home) -> None:
    os.umask(0)

    open_app().pause(None)

    modes = {path.stat().st_mode & 0o777 for path in home.path.rglob("*")}
    assert (modes, home.path.stat().st_mode & 0o777) == ({0o700, 0o600}, 0o700)


def test_a_home_that_is_a_link_is_refused_with_the_way_out(home: Home) -> None:
    home.path.symlink_to(home.project)

    with pytest.raises(HomeRefused, match="Unset TACIT_HOME, or set it") as refused:
        open_app()

    assert str(refused.value).startswith(f"{home.path} is a link")


@pytest.mark.parametrize("ending", ["/", "//", "/."])
def test_a_home_that_is_a_link_is_refused_in_any_spelling(ending: str, home: Home) -> None:
    home.path.symlink_to(home.project)

    with pytest.raises(HomeRefused, match="is a link or not a directory"):
        open_app(f"{home.path}{ending}")

    assert list(home.project.iterdir()) == []


def test_a_home_below_a_file_is_refused(home: Home) -> None:
    (home.scratch / "file").touch()

    with pytest.raises(HomeRefused, match="not a directory"):
        open_app(str(home.scratch / "file" / "home"))


def test_a_home_whose_spool_is_a_link_is_refused_in_the_system_s_words(home: Home) -> None:
    home.make()
    (home.path / "spool").symlink_to(home.project)

    with pytest.raises(HomeRefused, match="Not a directory"):
        open_app()


def test_the_clock_that_is_given_is_the_one_that_counts(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    app = open_app(now_ns=lambda: NOW_NS)
    app.drain()

    made = app.backup("main")

    assert made.made_ns == NOW_NS // 1_000_000_000 * 1_000_000_000


def test_the_settings_reach_those_who_take_events_in(home: Home) -> None:
    choose(home, "[transcript]\ntool_text = 256\n")
    home.hook("PostToolUse", {"tool_use_id": "t", "prompt_id": "p", "tool_response": "x" * 5000})
    app = open_app()

    app.drain()

    (turn,) = app.show("main", SESSION)
    assert len(turn.steps[0].result) == 256


def test_a_home_whose_settings_cannot_be_read_can_be_opened_and_paused(home: Home) -> None:
    choose(home, "[capture")

    open_app().pause(None)

    assert (home.path / "paused").exists()


def test_what_is_taken_in_is_redacted_with_the_key_of_the_home(spool: Spool) -> None:
    text = "The staging password is Vq7-tulip-Lamp42."
    payload = json.dumps({"session_id": "s", "prompt": text}).encode()
    spool.publish(payload, event="UserPromptSubmit", received_ns=1, client="claude-code")
    app = open_app()

    app.drain()

    (turn,) = app.show("main", "s")
    assert turn.prompt == app.redact(text.encode()).decode()


def test_windows_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(HomeRefused, match="Use it inside WSL"):
        open_app()


def test_what_redacts_is_made_once_and_again_after_it_was_forgotten(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    make = compose.redactor

    def counting(key: bytes, *, keeps_numbers: bool = False) -> Redactor:
        made.append(key)
        return make(key, keeps_numbers=keeps_numbers)

    monkeypatch.setattr(compose, "redactor", counting)
    app = open_app(str(home.path))
    secret = b"key: AKIA" + b"QYZ7" * 4

    told = [app.redact(secret), app.redact(secret)]
    before = len(made)
    forget()
    told.append(app.redact(secret))

    assert (before, len(made), len(set(told))) == (1, 2, 1)


def test_without_a_choice_there_is_no_model_whatever_key_lies_about(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-that-lies-about")

    assert compose.open_model(str(home.path), is_users_program=True) is None


def test_the_model_is_the_one_that_the_user_has_chosen(home: Home) -> None:
    choose(home, '[llm]\nprovider = "anthropic"\nmodel = "some-model"\n')

    chosen = compose.open_model(str(home.path), is_users_program=False)

    assert chosen is not None
    assert (chosen.provider, chosen.model("small")) == ("anthropic", "some-model")


def test_a_project_chooses_no_model(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[llm]\nprovider = "openai"\nbase_url = "https://evil.example.com"\nmodel = "m"\n'
    for name in (".tacit.toml", "config.toml", ".env"):
        (home.project / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(home.project)

    assert compose.open_model(str(home.path), is_users_program=True) is None


def test_a_place_from_the_environment_is_for_programs_that_the_user_starts(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(home, '[llm]\nprovider = "anthropic"\n')
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "not a place")

    assert compose.open_model(str(home.path), is_users_program=False) is not None
    with pytest.raises(ModelUnknown, match="ANTHROPIC_BASE_URL"):
        compose.open_model(str(home.path), is_users_program=True)


@pytest.mark.parametrize("given", [None, "4"])
def test_vectors_are_compared_by_one_thread_unless_the_user_says_otherwise(
    home: Home, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if given:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)

    compose.open_app(str(home.path)).close()

    assert os.environ["OPENBLAS_NUM_THREADS"] == (given or "1")
