"""Chapter sampling."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import ModelHint, ModelPreferences, SamplingMessage, TextContent

mcp = FastMCP("library")


@mcp.tool()
async def summarize(text: str, ctx: Context) -> str:
    """Summarizes a text with the client's model."""
    answer = await ctx.session.create_message(
        [SamplingMessage(role="user", content=TextContent(type="text", text=text))],
        max_tokens=200,
        system_prompt="Summarize the text in one sentence.",
        model_preferences=ModelPreferences(hints=[ModelHint(name="small")]),
        related_request_id=ctx.request_id,
    )
    return answer.content.text if isinstance(answer.content, TextContent) else ""
# [end]

# [guide]
from typing import Any  # noqa: E402

from mcpbolt import Client, types  # noqa: E402


async def on_sampling(
    context: Any, params: types.CreateMessageRequestParams
) -> types.CreateMessageResult | types.ErrorData:
    if params.maxTokens > 1_000:  # ask a person here
        return types.ErrorData(code=-1, message="User rejected sampling request")
    words = types.TextContent(type="text", text="In short: milk.")  # ask a model here
    return types.CreateMessageResult(role="assistant", content=words, model="small-1")


def new_client(server: Any) -> Client:
    return Client(server, sampling_callback=on_sampling)
# [end]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_server_borrows_the_clients_model(mode: str) -> None:
    async def main() -> None:
        client = new_client(mcp)
        client.mode = mode
        async with client:
            answer = await client.call_tool("summarize", {"text": "Buy milk."})
            assert answer.structuredContent == {"result": "In short: milk."}

    asyncio.run(asyncio.wait_for(main(), 60))
