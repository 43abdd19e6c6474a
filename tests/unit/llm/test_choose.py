"""The choice of a model: what was set, or one sentence on why it cannot be."""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import ModelUnavailable, ModelUnknown
from tacit.llm.chat import Chat
from tacit.llm.choose import model
from tacit.llm.messages import Messages
from tacit.llm.port import Usage
from tacit.llm.subscription import Subscription
from tacit.settings import Settings
from unit.llm.asking import KEY, REQUEST, SAID, completion, message, saying
from unit.net.serving import served

if TYPE_CHECKING:
    from tacit.llm.port import Model

MILLION = Usage(input_tokens=1_000_000)
HTTP = ["anthropic", "openai"]
VARIABLES = {"anthropic": "ANTHROPIC", "openai": "OPENAI"}


def choice(
    environment: dict[str, str] | None = None, *, is_users_program: bool = False, **settings: Any
) -> Model:
    values = {f"llm.{name}": value for name, value in settings.items()}
    return model(Settings(values), environment or {}, is_users_program=is_users_program)


def answer(provider: str) -> Any:
    return message() if provider == "anthropic" else completion('{"found": ["tabs, not spaces"]}')


@pytest.mark.parametrize(
    ("provider", "kind"),
    [("anthropic", Messages), ("openai", Chat), ("claude-cli", Subscription)],
)
def test_each_provider_has_its_own(provider: str, kind: type[Model]) -> None:
    chosen = choice(provider=provider)

    assert isinstance(chosen, kind)
    assert chosen.provider == provider


@pytest.mark.parametrize(
    ("settings", "small", "large"),
    [
        ({"provider": "anthropic"}, "claude-haiku-4-5", "claude-sonnet-4-6"),
        ({"provider": "anthropic", "better_model": "b"}, "claude-haiku-4-5", "b"),
        ({"provider": "anthropic", "model": "a"}, "a", "a"),
        ({"provider": "anthropic", "model": "a", "better_model": "b"}, "a", "b"),
        ({"provider": "openai"}, "gpt-4.1-mini", "gpt-4.1"),
        ({"provider": "openai", "base_url": "https://ai.example.com", "model": "a"}, "a", "a"),
        ({"provider": "claude-cli"}, "haiku", "sonnet"),
    ],
)
def test_each_tier_has_the_model_that_was_set_or_the_usual_one(
    settings: dict[str, Any], small: str, large: str
) -> None:
    chosen = choice(**settings)

    assert (chosen.model("small"), chosen.model("large")) == (small, large)


@pytest.mark.parametrize("named", ["", "haiku", "claude-haiku-4-5", "some-model"])
def test_a_subscription_costs_nothing_whatever_its_model(named: str) -> None:
    chosen = choice(provider="claude-cli", model=named)

    assert (chosen.usd("small", MILLION), chosen.is_priced("small")) == (0, True)


def test_a_key_in_the_place_of_a_subscription_has_the_model_s_price() -> None:
    chosen = choice({"ANTHROPIC_API_KEY": KEY}, provider="claude-cli")

    assert (chosen.usd("small", MILLION), chosen.usd("large", MILLION)) == (1, 3)


def test_a_server_of_somebody_s_own_has_no_usual_model() -> None:
    with pytest.raises(ModelUnknown, match=r"llm\.base_url needs llm\.model"):
        choice(provider="openai", base_url="http://localhost:11434/v1")


@pytest.mark.parametrize("settings", [{"base_url": "https://a"}, {"key_command": ["pass"]}])
def test_what_would_have_no_effect_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ModelUnknown, match="a login of its own"):
        choice(provider="claude-cli", **settings)


@pytest.mark.parametrize("provider", HTTP)
@pytest.mark.parametrize(
    "url",
    [
        "api.example.com",
        "ftp://api.example.com",
        "file:///etc/passwd",
        "https://me:hunter2@api.example.com",
        "https://api.example.com/v1?key=hunter2",
        "https://",
        "https://exämple.com",
        "https://api.example.com:99999",
        "https://[::1",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_place_is_refused_at_once(provider: str, url: str) -> None:
    with pytest.raises(ModelUnknown, match=r"^llm\.base_url ") as refused:
        choice(provider=provider, base_url=url, model="m")

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("provider", HTTP)
@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1",
        "http://192.168.1.20:8080",
        "http://8.8.8.8",
        "http://169.254.169.254/latest/meta-data",
        "https://169.254.169.254",
        "https://[fe80::1]",
        "https://[::ffff:169.254.169.254]",
        "https://100.100.100.200",
        "https://168.63.129.16",
        "https://[fd00:ec2::254]",
        "https://2852039166",
        "https://0xa9fea9fe",
        "https://[64:ff9b::a9fe:a9fe]",
        "https://224.0.0.1",
        "https://" + "0.0.0.0",  # noqa: S104  (nothing is bound)
    ],
)
def test_where_nothing_may_be_sent_nothing_is_sent(
    provider: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, place: reached.append(place))
    chosen = choice({"ANTHROPIC_API_KEY": KEY}, provider=provider, base_url=url, model="m")

    with pytest.raises(ModelUnknown):
        chosen.ask(REQUEST)

    assert reached == []


@pytest.mark.parametrize("provider", HTTP)
def test_a_place_from_the_environment_counts_where_the_user_has_started_the_program(
    provider: str,
) -> None:
    with served(saying(answer(provider))) as server:
        environment = {f"{VARIABLES[provider]}_BASE_URL": server.url}
        chosen = choice(environment, provider=provider, model="m", is_users_program=True)

        assert chosen.ask(REQUEST).value == SAID


@pytest.mark.parametrize("provider", HTTP)
def test_a_place_from_the_environment_does_not_count_where_a_hook_has(provider: str) -> None:
    with served(saying(answer(provider))) as server:
        environment = {f"{VARIABLES[provider]}_BASE_URL": server.url}
        chosen = choice(environment, provider=provider, model="m")

        with pytest.raises(ModelUnavailable, match=r"no key for api\."):
            chosen.ask(REQUEST)

    assert server.asked == []


@pytest.mark.parametrize("provider", HTTP)
def test_a_place_that_was_set_counts_before_the_environment(provider: str) -> None:
    with served(saying(answer(provider))) as other, served(saying(answer(provider))) as server:
        chosen = choice(
            {f"{VARIABLES[provider]}_BASE_URL": other.url},
            provider=provider,
            model="m",
            base_url=server.url,
            is_users_program=True,
        )
        chosen.ask(REQUEST)

    assert (len(other.asked), len(server.asked)) == (0, 1)


@pytest.mark.parametrize("provider", HTTP)
def test_a_place_from_the_environment_gets_the_environment_s_key_and_no_other(
    provider: str,
) -> None:
    kept = [sys.executable, "-c", "print('the-kept-key')"]
    with served(saying(answer(provider))) as server:
        chosen = choice(
            {
                f"{VARIABLES[provider]}_BASE_URL": server.url,
                f"{VARIABLES[provider]}_API_KEY": "the-environment-s-key",
            },
            provider=provider,
            model="m",
            key_command=kept,
            is_users_program=True,
        )
        chosen.ask(REQUEST)

    sent = str(server.asked[0].headers)
    assert ("the-kept-key" in sent, "the-environment-s-key" in sent) == (False, True)


def test_a_bad_place_from_the_environment_is_told_by_its_name() -> None:
    with pytest.raises(ModelUnknown, match=r"^ANTHROPIC_BASE_URL must begin with https://"):
        choice({"ANTHROPIC_BASE_URL": "evil"}, provider="anthropic", is_users_program=True)


@pytest.mark.parametrize(
    ("provider", "other"), [("anthropic", "OPENAI_API_KEY"), ("openai", "ANTHROPIC_API_KEY")]
)
def test_a_key_goes_to_its_own_provider_alone(provider: str, other: str) -> None:
    with served(saying(answer(provider))) as server:
        chosen = choice({other: KEY}, provider=provider, model="m", base_url=server.url)
        chosen.ask(REQUEST)

    assert KEY not in str(server.asked[0].headers)
