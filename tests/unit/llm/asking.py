"""What the tests of models share: a request, scripts that answer like servers, and a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.llm.choose import model
from tacit.llm.port import Request
from tacit.settings import Settings

if TYPE_CHECKING:
    from tacit.llm.port import Model
    from unit.net.serving import Asked, Script

KEY = "sk-" + "test-0123456789"
UNREAD = "the plan nobody may read"
SAID = {"found": ["tabs, not spaces"]}
SCHEMA = {
    "type": "object",
    "properties": {"found": {"type": "array", "items": {"type": "string"}}},
    "required": ["found"],
}
VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
REQUEST = Request(
    system="You extract.",
    state="Known: nothing.",
    text=UNREAD,
    schema=SCHEMA,
    name="memories",
    most_tokens=512,
)
PLAIN = Request(system="You extract.", text=UNREAD)


def chosen(provider: str, url: str, key: str | None = KEY, **more: Any) -> Model:
    """Return a model as its owner would have it."""
    values = {"llm.provider": provider, "llm.base_url": url, "llm.timeout_seconds": 5}
    if provider == "openai":
        values["llm.model"] = "some-model"
    more = {f"llm.{name}": value for name, value in more.items()}
    environment = {VARIABLES[provider]: key} if key else {}
    found = model(Settings(values | more), environment, is_users_program=False)
    assert found is not None
    return found


def message(**fields: Any) -> dict[str, Any]:
    """Return a message of Anthropic's that uses the tool."""
    used = {"type": "tool_use", "id": "toolu_1", "name": "memories", "input": SAID}
    usage = {
        "input_tokens": 100,
        "output_tokens": 20,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 40,
    }
    usual = {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use"}
    return (
        usual | {"model": "claude-haiku-4-5-20251001", "content": [used], "usage": usage} | fields
    )


def completion(content: object, **fields: Any) -> dict[str, Any]:
    """Return a completion of OpenAI's."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}}
    stop = fields.pop("finish_reason", "stop")
    usage = {"prompt_tokens": 1100, "completion_tokens": 20, "total_tokens": 1120}
    usage |= {"prompt_tokens_details": {"cached_tokens": 1000}}  # type: ignore[dict-item]
    usual = {"id": "c-1", "object": "chat.completion", "model": "some-model", "usage": usage}
    return usual | {"choices": [choice | {"finish_reason": stop}]} | fields


def saying(content: object, status: int = 200, **headers: str) -> Script:
    """Return the script of a server that always says one thing."""

    def script(asked: Asked) -> None:
        asked.answer(content, status, **{"Content_Type": "application/json"} | headers)

    return script
