"""How a client of either package begins, and what its requests say: `beginnings.py mcp | mcpbolt`.

Prints JSON: per try what the server was asked with which log level, and what was heard.
"""

import asyncio
import importlib
import json
import sys
from typing import Any

PACKAGE = sys.argv[1]
mcp = importlib.import_module(PACKAGE)
high = importlib.import_module(f"{PACKAGE}.server.mcpserver")
types = importlib.import_module(f"{PACKAGE}.types")
KEY, REVISION = "io.modelcontextprotocol/logLevel", "2026-07-28"
asked: list[Any] = []


async def note(ctx: Any, call_next: Any) -> Any:
    asked.append([ctx.method, ((ctx.params or {}).get("_meta") or {}).get(KEY)])
    return await call_next(ctx)


server = high.MCPServer("noting", version="3", instructions="i", log_level="CRITICAL", middleware=[note])


@server.tool()
async def talk(ctx: high.Context) -> str:
    for level in ("debug", "info", "error"):
        await ctx.session.send_log_message(level, level)
    return "said"


async def agree(ctx: Any, params: Any) -> Any:
    return types.ElicitResult(action="accept", content={})


@server.tool()
async def ask(ctx: high.Context) -> str | types.InputRequiredResult:
    if ctx.input_responses:
        return "asked"
    form = types.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}})
    return types.InputRequiredResult(input_requests={"who": types.ElicitRequest(params=form)})


async def tried(mode: str, meta: Any = None, **options: Any) -> Any:
    heard: list[Any] = []

    async def hear(params: Any) -> None:
        heard.append(params.data)

    asked.clear()
    try:
        client = mcp.Client(server, mode=mode, logging_callback=hear, elicitation_callback=agree, **options)
        async with client:
            session = client.session
            found = session.discover_result
            about = [
                *(client.protocol_version, client.instructions, client.server_info and client.server_info.name),
                *(found is None, session.initialize_result is None, client.server_capabilities.tools is None),
                *(session.instructions, session.protocol_version),
            ]
            await client.call_tool("talk", meta=meta)
            if mode != "legacy":
                await client.call_tool("ask")
    except Exception as raised:
        error: Any = raised
        while hasattr(error, "exceptions"):
            error = error.exceptions[0]
        return f"{type(error).__name__}: {error}"
    methods = [one for one in asked if one[0] in ("server/discover", "initialize", "tools/call")]
    return [about, methods, heard]


async def main() -> None:
    async with mcp.Client(server) as client:
        kept = client.session.discover_result
    none = types.DiscoverResult(
        supported_versions=["2025-11-25"], capabilities=types.ServerCapabilities(), ttl_ms=0, cache_scope="public"
    )
    said = {
        "auto": await tried("auto"),
        "legacy": await tried("legacy", log_level="info"),
        "level": await tried("auto", log_level="info"),
        "other level": await tried("auto", {KEY: "error"}, log_level="info"),
        "meta": await tried("auto", {"example.com/x": 1}, log_level="error"),
        "by meta": await tried("auto", {KEY: "error"}),
        "prior": await tried(REVISION, prior_discover=kept, log_level="error"),
        "prior, auto": await tried("auto", prior_discover=kept),
        "prior, legacy": await tried("legacy", prior_discover=kept),
        "none mutual": await tried(REVISION, prior_discover=none),
    }
    print(json.dumps(said))


asyncio.run(main())
