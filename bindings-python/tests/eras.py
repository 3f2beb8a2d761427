"""A client for servers of the 2.x kind, in both eras, that can answer all that is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from bounds import WHOLE
from pydantic import BaseModel

from mcpbolt import Client, types

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


class Name(BaseModel):
    name: str


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


async def answer_form(_: Any, params: Any) -> Any:
    if "refuse" in params.message:
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def answer_roots(_: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///project")])


async def answer_message(_: Any, params: Any) -> Any:
    content = types.TextContent(type="text", text=f"to {params.messages[0].content.text}")
    return types.CreateMessageResult(role="assistant", model="m", content=content)


def client(server: Any, mode: str, **more: Any) -> Client:
    callbacks: dict[str, Any] = {
        "elicitation_callback": answer_form,
        "list_roots_callback": answer_roots,
        "sampling_callback": answer_message,
    }
    return Client(server, mode=mode, **{**callbacks, **more})


def with_client(mode: str, server: Any, test: Callable[[Client], Awaitable[None]], **more: Any) -> None:
    async def main() -> None:
        async with client(server, mode, **more) as opened:
            await test(opened)

    run(main())
