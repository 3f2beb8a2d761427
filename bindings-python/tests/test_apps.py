"""Pages of a server, for a host: what a model is told of, what is shown and under which policy, what a
page may call.
"""

from __future__ import annotations

from typing import Any

import pytest
from eras import ERAS, run
from peer import text

from mcpbolt import Client
from mcpbolt.client.apps import AppError, AppsClient, ShowsApps
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Context
from mcpbolt.v2.server.apps import Apps, ResourceCsp, ResourcePermissions, client_supports_apps

PAGE = "ui://clock/app.html"
DEFAULT = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self' data:; connect-src {}; frame-src 'none'; object-src 'none'; base-uri 'self';"
)


def clock(origins: list[str] | None = None) -> MCPServer:
    apps = Apps()

    @apps.tool(resource_uri=PAGE)
    def time(ctx: Context) -> str:
        return "with a page" if client_supports_apps(ctx) else "12:00"

    @apps.tool(resource_uri=PAGE, visibility=["app"])
    def again() -> str:
        return "12:01"

    @apps.tool(resource_uri=PAGE, visibility=["model"])
    def stop() -> str:
        raise AssertionError("no page may call it")

    csp = None if origins is None else ResourceCsp(connect_domains=origins)
    asks = ResourcePermissions(camera={})
    apps.add_html_resource(PAGE, "<p id=time>", csp=csp, permissions=asks, prefers_border=True)
    server = MCPServer("clock", extensions=[apps])

    @server.tool()
    def plain() -> str:
        return "no page"

    return server


def visiting(mode: str, server: MCPServer, visit: Any) -> None:
    async def main() -> None:
        async with Client(server, mode=mode, extensions=[ShowsApps()]) as client:
            await visit(client, AppsClient(client))

    run(main())


@ERAS
def test_a_page_is_shown_under_the_policy_that_the_engine_makes(mode: str) -> None:
    async def visit(client: Client, apps: AppsClient) -> None:
        tools = {tool.name: tool for tool in await apps.model_tools()}
        assert sorted(tools) == ["plain", "stop", "time"]
        assert text(await client.call_tool("time")) == "with a page"
        page = await apps.page(tools["time"])
        assert page is not None and (page.uri, page.html, page.allow, page.border) == (PAGE, "<p id=time>", "camera", True)
        assert page.policy == DEFAULT.format("https://a.example")
        assert page.ignored == ("*", "https://b.example; script-src *")
        assert await apps.page(tools["plain"]) is None

    visiting(mode, clock(["https://a.example", "*", "https://b.example; script-src *"]), visit)


@ERAS
def test_a_page_calls_tools_of_its_own_server_that_are_for_pages(mode: str) -> None:
    async def visit(client: Client, apps: AppsClient) -> None:
        assert text(await apps.call("again")) == "12:01"
        for name, reason in (("stop", "not_for_apps"), ("tool_of_another", "unknown")):
            with pytest.raises(AppError, match=name) as refused:
                await apps.call(name)
            assert refused.value.reason == reason

    visiting(mode, clock(), visit)


def test_what_is_no_page_is_not_shown() -> None:
    server = MCPServer("liar")

    @server.tool(meta={"ui": {"resourceUri": PAGE}})
    def time() -> str:
        return "12:00"

    @server.resource(PAGE, mime_type="text/html")
    def page() -> str:
        return "<p>"

    async def visit(client: Client, apps: AppsClient) -> None:
        (tool,) = await apps.model_tools()
        with pytest.raises(AppError, match="profile=mcp-app") as refused:
            await apps.page(tool)
        assert refused.value.reason == "page"

    visiting("2026-07-28", server, visit)
