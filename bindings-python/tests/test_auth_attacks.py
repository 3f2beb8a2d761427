"""What attackers send to a server that has users sign in: refused, with the right status, and nothing repeated."""

import asyncio
import logging
import os
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest
from guarded import BACK, CHALLENGE, VERIFIER, client_of, make_app, package

pytestmark = pytest.mark.anyio

CANARY = "c4n4ry-c4n4ry"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def anyio_backend():
    return "asyncio"


def app():
    return make_app(package("mcpbolt"))


def authorization(**changed):
    params = {
        "client_id": "public",
        "redirect_uri": BACK,
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "st",
        **changed,
    }
    return {name: value for name, value in params.items() if value is not None}


@pytest.mark.parametrize(
    "redirect_uri",
    [
        "https://evil.example/back",
        "https://client.example.evil.example/back",
        "https://client.example@evil.example/back",
        "https://evil.example#https://client.example/back",
        "https://client.example:8443/back",
        "http://client.example/back",
        "https://client.example/back/../steal",
        "https://client.example/back/",
        "https://client.example/back?next=https://evil.example",
        "https://client.example/BACK",
        "//evil.example/back",
        "javascript:alert(1)",
        "https://evil.example\\@client.example/back",
    ],
)
async def test_no_user_is_sent_to_an_address_that_is_not_registered(redirect_uri):
    server, provider = app()
    async with client_of(server.streamable_http_app()) as http:
        answer = await http.get("/authorize", params=authorization(redirect_uri=redirect_uri))
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert not hasattr(provider, "asked")


@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "plain", "code_challenge": VERIFIER},
        {"code_challenge_method": "S512"},
        {"code_challenge": None},
        {"code_challenge": None, "code_challenge_method": None},
    ],
)
async def test_pkce_cannot_be_talked_down(changed):
    server, provider = app()
    async with client_of(server.streamable_http_app()) as http:
        answer = await http.get("/authorize", params=authorization(**changed))
    back = parse_qs(urlsplit(answer.headers["location"]).query)
    assert back["error"] == ["invalid_request"]
    assert "code" not in back
    assert not hasattr(provider, "asked")


@pytest.mark.parametrize(
    "changed",
    [
        {"code_verifier": "w" * 43},
        {"code_verifier": CHALLENGE},
        {"code_verifier": None},
        {"code_verifier": ""},
        {"code": "stolen"},
        {"redirect_uri": "https://evil.example/back"},
        {"redirect_uri": None},
    ],
)
async def test_a_code_is_good_only_for_whom_it_was_made(changed):
    server, _ = app()
    form = {"grant_type": "authorization_code", "code": "good", "redirect_uri": BACK, "client_id": "public"}
    form = {**form, "code_verifier": VERIFIER, **changed}
    async with client_of(server.streamable_http_app()) as http:
        answer = await http.post("/token", data={name: value for name, value in form.items() if value is not None})
    assert answer.status_code == 400
    assert "access_token" not in answer.text
    assert VERIFIER not in answer.text


async def test_no_text_of_a_request_becomes_a_header():
    server, _ = app()
    async with client_of(server.streamable_http_app()) as http:
        answer = await http.get("/authorize", params=authorization(state="st\r\nX-Evil: 1\r\n\r\n<script>"))
        refused = await http.get("/authorize", params=authorization(state="deny", scope="read\r\nX-Evil: 1"))
    for one in (answer, refused):
        assert one.status_code == 302
        assert "x-evil" not in one.headers
        assert not set("\r\n<") & set(one.headers["location"])


async def test_a_stolen_session_id_is_good_for_nothing():
    server, _ = app()
    mounted = server.streamable_http_app()
    async with server.session_manager.run(), client_of(mounted) as http:
        mine = {"authorization": "Bearer at-one", **ACCEPT}
        opened = await http.post("/mcp", json=INITIALIZE, headers=mine)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        for who, status in [({}, 401), ({"authorization": "Bearer nonsense"}, 401), ({"authorization": "Bearer at-two"}, 404)]:
            for method, body in [("POST", ping), ("GET", None), ("DELETE", None)]:
                stolen = await http.request(method, "/mcp", json=body, headers={**ACCEPT, **who, **session})
                assert stolen.status_code == status, (method, who)
                assert session["mcp-session-id"] not in stolen.text
        assert (await http.post("/mcp", json=ping, headers={**mine, **session})).status_code == 200


async def requests_with_secrets():
    """What a program of its own does with every secret there is; it logs all that it can."""
    server, _ = app()
    form = {"grant_type": "authorization_code", "redirect_uri": BACK, "client_id": "public", "code_verifier": VERIFIER}
    mounted = server.streamable_http_app()
    async with server.session_manager.run(), client_of(mounted) as http:
        for token in [f"at-{CANARY}", f"x-{CANARY}", f"{CANARY} {CANARY}", "at-elsewhere"]:
            headers = {"authorization": f"Bearer {token}", **ACCEPT}
            answer = await http.post("/mcp", json=INITIALIZE, headers=headers)
            assert CANARY not in answer.text + str(answer.headers)
        for code in [f"good-{CANARY}", "unknown"]:
            await http.post("/token", data={**form, "code": code, "refresh_token": CANARY})
            await http.post("/token", data={**form, "code": code, "client_id": "posts", "client_secret": CANARY})


def test_no_log_has_a_token_a_code_or_a_secret(tmp_path):
    frames = tmp_path / "frames.jsonl"
    environment = {**os.environ, "MCPBOLT_TRACE": str(frames)}
    ran = subprocess.run(
        [sys.executable, __file__], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "was refused" in ran.stderr, "nothing was logged"
    assert "guarded" in frames.read_text(), "no frame was written"
    assert CANARY not in ran.stdout + ran.stderr + frames.read_text()


if __name__ == "__main__":
    logging.basicConfig(level=1)
    asyncio.run(requests_with_secrets())
