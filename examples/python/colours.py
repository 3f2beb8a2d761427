"""An extension of one's own: a method with its row, settings, a hook on the tool calls of others.
Serves stdio; with `--` it visits a server that has the extension, in whatever language.
"""

import asyncio
import json
import sys
from typing import Any

from mcpbolt import Client, types
from mcpbolt.client import ClientExtension, ExtensionMethod
from mcpbolt.server import MCPServer
from mcpbolt.server.extension import Extension, MethodBinding

ID, MIX = "com.example/colours", "com.example/mix"


class Colours(types.RequestParams):
    colours: list[str]


class Mixing(Extension):
    identifier = ID

    def settings(self) -> dict[str, Any]:
        return {"depth": 8}

    def methods(self) -> list[MethodBinding]:
        async def mix(ctx: Any, params: Colours) -> dict[str, Any]:
            return {"mixed": "purple" if sorted(params.colours) == ["blue", "red"] else "brown"}

        return [MethodBinding(MIX, Colours, mix, undeclared="refuse", named_by="name")]

    def hooks(self) -> dict[str, Any]:
        async def sign(ctx: Any, call_next: Any) -> Any:
            return {**await call_next(ctx), "_meta": {ID: "signed"}}

        return {"tools/call": sign}


class Mixer(ClientExtension):
    identifier = ID

    def methods(self) -> list[ExtensionMethod]:
        return [ExtensionMethod(MIX, named_by="name")]


async def visit(command: list[str]) -> None:
    async with Client(command, extensions=[Mixer()]) as client:
        depth = (client.server_capabilities.extensions or {})[ID]["depth"]
        mixed = await client.session.ask(MIX, json.dumps({"name": "sky", "colours": ["red", "blue"]}))
        painted = await client.call_tool("paint", {"colour": mixed["mixed"]})
        print(f"depth {depth}: {painted.content[0].text}, {(painted.meta or {})[ID]}")


mcp = MCPServer("paints", extensions=[Mixing()])
mcp.add_tool(lambda colour: f"a {colour} sky", name="paint", description="Paints the sky")
if __name__ == "__main__":
    asyncio.run(visit(sys.argv[2:])) if sys.argv[1:2] == ["--"] else mcp.run("stdio")
