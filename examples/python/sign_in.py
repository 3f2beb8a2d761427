"""A client for a server that wants to know whom it serves: the browser opens, the user signs
in and agrees, and the client goes on with what the server offers.

Shows: an authorization server found by the MCP server's own words, a client that registers by
itself, or one that was registered by hand; the answer of the browser at a port of this
machine; tokens that are kept and refreshed.

    python examples/python/sign_in.py https://mcp.example.com/mcp
    python examples/python/sign_in.py --client-id ID --port 33418 http://127.0.0.1:3000/mcp
"""

import argparse
import asyncio
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from common import text_of
from mcpbolt import ClientSession
from mcpbolt.client.auth import OAuthClientProvider
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

# A user may look for the password.
PATIENCE = 300.0
PAGE = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    "<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p></html>\n"
)


class Browser:
    """The user's browser: where it is sent, and what it comes back with.

    It comes back to a port of this machine, where nobody else listens meanwhile.
    """

    def __init__(self, opens: bool) -> None:
        self._opens = opens
        self._answers: asyncio.Queue[AuthorizationCodeResult] = asyncio.Queue()

    @asynccontextmanager
    async def listening(self, port: int) -> AsyncIterator[str]:
        """The redirect URI, as long as it is listened at."""
        server = await asyncio.start_server(self._request, "127.0.0.1", port)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"

    async def show(self, url: str) -> None:
        """Open the page of the authorization server."""
        print(f"To sign in, open {url}", flush=True)
        if self._opens:
            webbrowser.open(url)

    async def back(self) -> AuthorizationCodeResult:
        """What the browser came back with. Whether it is good is for the provider to say."""
        return await asyncio.wait_for(self._answers.get(), PATIENCE)

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode("latin-1")
        target = httpx.URL(line.split(" ")[1]) if line.startswith("GET /") else httpx.URL("/")
        if target.path == "/callback":
            query = target.params
            answer = AuthorizationCodeResult(code=query.get("code", ""), state=query.get("state"), iss=query.get("iss"))
            self._answers.put_nowait(answer)
            # Nothing of the answer is shown: it may come from anybody.
            page = PAGE.format(status="200 OK", title="Back to the program", text="You can close this window.")
        else:
            page = PAGE.format(status="404 Not Found", title="Not here", text="Please begin again in the program.")
        writer.write(page.encode())
        await writer.drain()
        writer.close()


class Memory:
    """Tokens and the client's registration, until the program ends.

    Somewhere else they belong where only the user reads them.
    """

    def __init__(self, client: OAuthClientInformationFull | None) -> None:
        self._tokens: OAuthToken | None = None
        self._client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info


def provider(options: argparse.Namespace, browser: Browser, redirect_uri: str) -> OAuthClientProvider:
    """What signs in, when the server asks for it."""
    metadata = OAuthClientMetadata(
        client_name="mcpbolt example",
        redirect_uris=[AnyUrl(redirect_uri)],
        grant_types=["authorization_code", "refresh_token"],
        token_endpoint_auth_method="none",
        application_type="native",
    )
    client = None
    if options.client_id is not None:
        # Registered by hand, at this authorization server and no other.
        client = OAuthClientInformationFull(
            client_id=options.client_id, issuer=options.issuer, token_endpoint_auth_method="none", redirect_uris=None
        )
    return OAuthClientProvider(options.url, metadata, Memory(client), browser.show, browser.back)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="the server's endpoint")
    parser.add_argument("--call", metavar="TOOL", help="a tool without arguments, to call at the end")
    parser.add_argument("--client-id", help="a client that is registered already; without, it registers by itself")
    parser.add_argument("--issuer", help="the authorization server where it is registered")
    parser.add_argument("--port", type=int, default=0, help="the port of its redirect URI; any free one by default")
    parser.add_argument("--no-browser", action="store_true", help="only print the URL to open")
    options = parser.parse_args()

    browser = Browser(opens=not options.no_browser)
    async with (
        browser.listening(options.port) as redirect_uri,
        httpx.AsyncClient(auth=provider(options, browser, redirect_uri), timeout=PATIENCE) as http,
        streamable_http_client(options.url, http_client=http) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        for tool in (await session.list_tools()).tools:
            print(f"tool {tool.name}: {tool.description}", flush=True)
        if options.call is not None:
            print(f"{options.call}: {text_of((await session.call_tool(options.call, {})).content)}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
