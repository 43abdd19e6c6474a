"""The choice of a model: from what the owner has set to whoever answers.

Nothing is loaded, started or asked before the first question. A place or a PATH that comes from the
environment counts only in programs that the user has started: whoever can set a variable in a
session's surroundings does not decide where its turns go. A choice that cannot work is refused at
once, with a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import ModelUnknown
from tacit.llm import programs
from tacit.llm.chat import Chat
from tacit.llm.keys import Keys
from tacit.llm.messages import Messages
from tacit.llm.prices import USUAL
from tacit.llm.subscription import Subscription, is_paid
from tacit.llm.terms import Terms
from tacit.llm.told import Who
from tacit.net.endpoint import parsed
from tacit.net.trouble import PlaceRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.llm.port import Model, Tier
    from tacit.net.endpoint import Endpoint
    from tacit.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """Where a provider usually is, and the variables that everybody uses for it."""

    place: str
    key: str
    url: str


_PROVIDERS = {
    "anthropic": _Provider(
        place="https://api.anthropic.com", key="ANTHROPIC_API_KEY", url="ANTHROPIC_BASE_URL"
    ),
    "openai": _Provider(
        place="https://api.openai.com/v1", key="OPENAI_API_KEY", url="OPENAI_BASE_URL"
    ),
}
_LOOK = "See whether it runs, and llm.base_url in config.toml."


def model(chosen: Settings, environment: Mapping[str, str], *, is_users_program: bool) -> Model:
    """Return the model that the owner has chosen, for one who has."""
    environment = programs.surroundings(environment, is_users_program=is_users_program)
    if chosen.llm_provider == "claude-cli":
        return _subscription(chosen, environment, is_users_program=is_users_program)
    provider = _PROVIDERS[chosen.llm_provider]
    named = environment.get(provider.url, "").strip() if is_users_program else ""
    is_named = bool(named) and not chosen.llm_base_url
    endpoint = _endpoint(
        chosen.llm_base_url or named or provider.place,
        provider.url if is_named else "llm.base_url",
    )
    is_usual = endpoint == parsed(provider.place)
    keys = Keys(provider.key, environment, () if is_named else chosen.llm_key_command)
    terms = Terms(
        who=Who(
            name=f"The model at {endpoint.name}",
            key=keys.remedy,
            model="Correct llm.model and llm.base_url; with Ollama, run `ollama pull` first.",
            place=_LOOK,
        ),
        models=_models(chosen, is_usual=is_usual),
        usd_per_million=chosen.llm_usd_per_million,
        is_local=endpoint.is_local,
        seconds=chosen.number("llm.timeout_seconds"),
    )
    kind = Messages if chosen.llm_provider == "anthropic" else Chat
    return kind(endpoint, keys, terms, is_usual=is_usual)


def _subscription(
    chosen: Settings, environment: Mapping[str, str], *, is_users_program: bool
) -> Subscription:
    if chosen.llm_base_url or chosen.llm_key_command:
        raise ModelUnknown(
            "claude-cli has neither llm.base_url nor llm.key_command: it has a login of its own. "
            "Remove them from config.toml, or set llm.provider."
        )
    is_free = not is_paid(environment)
    terms = Terms(
        who=Who(
            name="The program `claude`",
            key="Run `claude` and then /login.",
            model="Correct llm.model: `claude --model` must know it.",
            place="See what `claude -p hello` says.",
        ),
        models=_models(chosen, is_usual=True),
        usd_per_million=chosen.llm_usd_per_million or ((0.0, 0.0) if is_free else None),
        is_local=is_free,
        seconds=chosen.number("llm.timeout_seconds"),
    )
    program = chosen.word("llm.program")
    if program and not program.startswith("/"):
        raise ModelUnknown("llm.program must be a whole path: what `command -v claude` prints.")
    return Subscription(environment, terms, program, is_users_program=is_users_program)


def _models(chosen: Settings, *, is_usual: bool) -> dict[Tier, str]:
    """Return the model of each tier; a server of somebody's own has its own names."""
    usual = USUAL[chosen.llm_provider]
    if chosen.llm_provider == "openai" and not is_usual and not chosen.llm_model:
        raise ModelUnknown("llm.base_url needs llm.model: set it to a model of that server.")
    small = chosen.llm_model or usual["small"]
    large = chosen.llm_better_model or chosen.llm_model or usual["large"]
    return {"small": small, "large": large}


def _endpoint(url: str, setting: str) -> Endpoint:
    try:
        return parsed(url)
    except PlaceRefused as refused:
        raise ModelUnknown(f"{setting} {refused}. Correct it.") from refused
