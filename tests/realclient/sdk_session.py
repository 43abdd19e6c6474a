"""A session through the Agent SDK: run with the SDK's packages alone, told what to do on stdin.

    {"program": the client, "prompts": what is said, one after the other}

Prints one line: the session's id and the answers. Hooks come from the user's settings, as they do
for any program that is built on the SDK.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import claude_agent_sdk as sdk  # type: ignore[import-not-found]


async def converse(program: str, prompts: list[str]) -> dict[str, Any]:
    """Say one prompt after the other; return the session's id and the answers."""
    ids: set[str] = set()
    answers: list[str] = []
    async with sdk.ClaudeSDKClient(options=sdk.ClaudeAgentOptions(cli_path=program)) as client:
        for prompt in prompts:
            await client.query(prompt)
            async for message in client.receive_response():
                if isinstance(message, sdk.ResultMessage):
                    ids.add(message.session_id)
                    answers.append(message.result or "")
    return {"session_id": "+".join(sorted(ids)), "answers": answers}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    told = asyncio.run(converse(asked["program"], asked["prompts"]))
    sys.stdout.write(json.dumps(told) + "\n")
