"""A low-level server over the older HTTP transport, in a Starlette application.

Starlette calls functions with a request, so the two endpoints are objects: those it calls
as applications.
"""

import sys

import mcpbolt.types as types
import uvicorn
from mcpbolt.server import Server
from mcpbolt.server.sse import SseServerTransport
from starlette.applications import Starlette
from starlette.routing import Route

app = Server("over-sse")
sse = SseServerTransport("/messages")


@app.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri="sample://stream", name="Stream")]


class Stream:
    async def __call__(self, scope, receive, send):
        async with sse.connect_sse(scope, receive, send) as streams:
            await app.run(streams[0], streams[1], app.create_initialization_options())


class Messages:
    async def __call__(self, scope, receive, send):
        await sse.handle_post_message(scope, receive, send)


starlette_app = Starlette(
    routes=[
        Route("/sse", endpoint=Stream()),
        Route("/messages", endpoint=Messages(), methods=["POST"]),
    ]
)

if __name__ == "__main__":
    uvicorn.run(starlette_app, host="127.0.0.1", port=int(sys.argv[1]))
