"""A server with a tool that many have, one of its own name, and ways to change and to end:
`host_server.py NAME`, over HTTP with a port behind it, over the older transport with `sse`
behind that.
"""

import os
import sys
from typing import Any

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.lowlevel import NotificationOptions

name, *rest = sys.argv[1:]
server: FastMCP[Any] = FastMCP(
    name, port=int(rest[0]) if rest else 0, notification_options=NotificationOptions(tools_changed=True)
)


@server.tool()
def who(ctx: Context[Any, Any, Any]) -> str:
    request = ctx.request_context.request
    return f"{name} {request.headers.get('x-who') if request is not None else os.environ.get('WHO')}"


@server.tool(name=f"only_{name}")
def only() -> str:
    return name


@server.tool()
def grow() -> None:
    server.add_tool(only, name="grown")


@server.tool()
def leave() -> None:
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio" if not rest else "sse" if "sse" in rest else "streamable-http")
