"""URIs in another spelling than that of the resource: who decides on them, and who answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from eras import ERAS, with_client
from pydantic import BaseModel

from mcpbolt import Client, McpError, types
from mcpbolt.server import FastMCP, MCPServer, Server
from mcpbolt.server.guarding import Action, Asker

OTHERS = ["file:///public/../secret/a", "file:///public/%2e%2e/secret/a", "FILE:///secret/a", "file://localhost/secret/./a"]
FACES = pytest.mark.parametrize("make", ["FastMCP", "MCPServer", "Server", "template", "Server by method"])


class Raw(BaseModel):
    """A request as it stands: a model would rewrite the URI."""

    method: str
    params: dict[str, Any]


async def asks(client: Client, method: str, uri: str) -> Any:
    request: Any = Raw(method=method, params={"uri": uri})
    kind = types.ReadResourceResult if method == "resources/read" else types.EmptyResult
    return await client.session.send_request(request, kind)


class Made:
    """A server with one resource that its rule hides, in one of several ways, and what was read."""

    def __init__(self, rule: Callable[[Asker, Action], Any]) -> None:
        self.rule = rule
        self.reached: list[str] = []

    def of(self, make: str) -> Any:
        kinds: dict[str, Callable[[], Any]] = {
            "FastMCP": lambda: self._high(FastMCP),
            "MCPServer": lambda: self._high(MCPServer),
            "template": self._template,
            "Server": self._low,
            "Server by method": self._by_method,
        }
        return kinds[make]()

    def _high(self, kind: Any) -> Any:
        server = kind("spelled", authorize=self.rule)

        @server.resource("file:///secret/a")
        def secret() -> str:
            self.reached.append("secret")
            return "secret"

        return server

    def _template(self) -> Any:
        server: FastMCP[Any] = FastMCP("spelled", authorize=self.rule)

        @server.resource("file:///secret/{name}")
        def secret(name: str) -> str:
            self.reached.append(name)
            return "secret"

        return server

    def _low(self) -> Any:
        server: Server[Any, Any] = Server("spelled", authorize=self.rule)

        @server.read_resource()
        async def read(uri: Any) -> str:
            self.reached.append(str(uri))
            return "secret"

        @server.subscribe_resource()
        async def subscribe(uri: Any) -> None:
            self.reached.append(str(uri))

        return server

    def _by_method(self) -> Any:
        async def read(_: Any, params: Any) -> Any:
            self.reached.append(str(params.uri))
            return types.ReadResourceResult(contents=[])

        return Server("spelled", authorize=self.rule, on_read_resource=read)


def one() -> str:
    return "one"


def only_public(_: Asker, action: Action) -> Any:
    return "allow" if action.thing != "resource" or action.name.startswith("file:///public/") else "hide"


@ERAS
@FACES
def test_no_spelling_of_a_uri_gets_past_a_verdict(mode: str, make: str) -> None:
    made = Made(only_public)

    async def main(client: Client) -> None:
        for uri in ["file:///secret/a", *OTHERS]:
            with pytest.raises(McpError) as refused:
                await asks(client, "resources/read", uri)
            assert refused.value.error.message == f"Unknown resource: {uri}"
        assert made.reached == []

    with_client(mode, made.of(make), main)


@ERAS
def test_a_denial_of_either_spelling_holds(mode: str) -> None:
    def rule(_: Asker, action: Action) -> Any:
        return {"deny": "members only"} if action.name == "file:///secret/a" else "allow"

    made = Made(rule)

    async def main(client: Client) -> None:
        for uri in OTHERS:
            with pytest.raises(McpError, match="^denied: members only$"):
                await asks(client, "resources/read", uri)
        assert made.reached == []

    with_client(mode, made.of("Server"), main)


@ERAS
def test_the_clients_spelling_is_decided_on_too(mode: str) -> None:
    made = Made(lambda _, action: "hide" if ".." in action.name else "allow")

    async def main(client: Client) -> None:
        with pytest.raises(McpError):
            await asks(client, "resources/read", "file:///public/../secret/a")
        assert (await asks(client, "resources/read", "file:///secret/a")).contents
        assert made.reached == ["file:///secret/a"]

    with_client(mode, made.of("Server"), main)


def test_a_subscription_in_another_spelling_does_not_reach_the_handler() -> None:
    made = Made(only_public)

    async def main(client: Client) -> None:
        for uri in OTHERS:
            # As for what does not exist, the answer is yes.
            await asks(client, "resources/subscribe", uri)
        assert made.reached == []
        await asks(client, "resources/subscribe", "file:///public/b")
        assert made.reached == ["file:///public/b"]

    with_client("legacy", made.of("Server"), main)


@ERAS
@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_hidden_and_absent_are_told_apart_in_no_spelling(mode: str, kind: Any) -> None:
    server = kind("spelled", authorize=lambda _, action: "hide" if "secret" in action.name else "allow")
    server.resource("note://secret")(one)

    async def learned(client: Client, uri: str) -> str:
        with pytest.raises(McpError) as refused:
            await asks(client, "resources/read", uri)
        return refused.value.error.model_dump_json().replace("absent", "secret")

    async def main(client: Client) -> None:
        for _ in range(2):
            for uri in ("note://{}", "NOTE://{}", "note://x/../{}"):
                assert await learned(client, uri.format("secret")) == await learned(client, uri.format("absent"))
            # The engine has the lists from here on.
            await client.list_resources()
            await client.list_resource_templates()

    with_client(mode, server, main)


@ERAS
@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_a_uri_in_another_spelling_is_answered_the_same_each_time(mode: str, kind: Any) -> None:
    server = kind("spelled")
    server.resource("config://one")(one)

    async def main(client: Client) -> None:
        for uri in ("CONFIG://one", "CONFIG://one", "config://one", "CONFIG://one"):
            contents: Any = (await asks(client, "resources/read", uri)).contents
            assert contents[0].text == "one"
        with pytest.raises(McpError, match="config://none"):
            await asks(client, "resources/read", "config://none")

    with_client(mode, server, main)
