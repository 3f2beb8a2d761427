"""Handshakes that are refused open a browser, or knock, once: the other era is not tried for it."""

import json

import anyio
import httpx
import mcpbolt
import pytest
from mcpbolt.client.streamable_http import streamable_http_client
from test_client_auth_official import BACK, Storage, User, client_metadata, package


class Refusing:
    """A server that takes no token, for real on a socket, beside its authorization server."""

    def __init__(self):
        self.opened = self.asked = 0

    async def answer(self, stream):
        async with stream:
            head = b""
            while b"\r\n\r\n" not in head:
                head += await stream.receive()
            _, path, _ = head.split(b"\r\n")[0].decode().split(" ")
            status, body = self.page(path)
            text = json.dumps(body).encode()
            fields = f"content-type: application/json\r\ncontent-length: {len(text)}\r\nconnection: close"
            await stream.send(f"HTTP/1.1 {status} X\r\n{fields}\r\n\r\n".encode() + text)

    def page(self, path):
        base = self.base
        self.asked += path == "/mcp"
        pages = {
            "/.well-known/oauth-protected-resource/mcp": {"resource": f"{base}/mcp", "authorization_servers": [base]},
            "/.well-known/oauth-authorization-server": {
                "issuer": base,
                "authorization_endpoint": f"{base}/authorize",
                "token_endpoint": f"{base}/token",
                "registration_endpoint": f"{base}/register",
                "code_challenge_methods_supported": ["S256"],
            },
            "/register": {"client_id": "new", "redirect_uris": [BACK]},
            "/token": {"access_token": "refused", "token_type": "Bearer", "expires_in": 60},
        }
        if path == "/mcp":
            return 401, {}
        return (200, pages[path]) if path in pages else (404, {})


@pytest.mark.parametrize("says_no", [False, True], ids=["a token that is refused", "a user who says no"])
def test_a_browser_is_opened_once(says_no):
    ours = package("mcpbolt")

    class Person(User):
        async def back(self):
            if says_no:
                raise PermissionError("the user said no")
            return await super().back()

    async def main():
        world, user = Refusing(), Person()
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        world.base = f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, world.answer)
            auth = ours.oauth.OAuthClientProvider(f"{world.base}/mcp", client_metadata(ours), Storage(), user.show, user.back)
            with pytest.raises(Exception):  # noqa: B017 - as its transport says it; what counts is below
                async with (
                    httpx.AsyncClient(auth=auth, trust_env=False) as http,
                    mcpbolt.Client(streamable_http_client(f"{world.base}/mcp", http_client=http)),
                ):
                    pass
            assert len(user.seen) == 1
            # Without and, if there is one, with the token.
            assert world.asked == (1 if says_no else 2)
            tasks.cancel_scope.cancel()
        await listener.aclose()

    anyio.run(main)


def test_a_connection_that_is_refused_is_tried_once():
    tried = []

    def nobody(request):
        tried.append(request.method)
        raise httpx.ConnectError("nobody listens")

    async def main():
        with pytest.raises(Exception, match="nobody listens"):
            async with (
                httpx.AsyncClient(transport=httpx.MockTransport(nobody)) as http,
                mcpbolt.Client(streamable_http_client("http://127.0.0.1:1/mcp", http_client=http)),
            ):
                pass

    anyio.run(main)
    assert tried == ["POST"]
