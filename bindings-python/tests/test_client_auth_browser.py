"""Signing in with a browser, in one line and put together by hand, at a real authorization server."""

import asyncio
import os
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import mcpbolt
import pytest
from mcpbolt._mcpbolt import EngineError
from mcpbolt.client.auth import (
    FileTokenStorage,
    LoopbackRedirect,
    OAuth,
    OAuthClientProvider,
    OAuthFlowError,
    SharedTokenStorage,
    loopback,
)
from mcpbolt.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcpbolt.shared.exceptions import UsageError
from mcpbolt.v2.client import Client as ClientOf2
from ports import free_port
from sign_in_site import Browser, Site


@pytest.fixture
def site():
    with Site() as found:
        yield found


ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def asked(provider, url):
    async def main():
        async with httpx.AsyncClient(auth=provider, trust_env=False) as http:
            return (await http.post(url, json=ASK)).status_code

    return asyncio.run(main())


@pytest.mark.parametrize("client", [mcpbolt.Client, ClientOf2])
def test_one_line_signs_in_once(site, tmp_path, client):
    browser = Browser()

    async def main():
        auth = OAuth("Example", folder=tmp_path / "kept", redirect=LoopbackRedirect(open_browser=browser))
        async with client(site.url, mode="legacy", auth=auth) as session:
            assert (await session.list_tools()).tools == []

    asyncio.run(main())
    assert [made["client_name"] for made in site.registered] == ["Example"]
    assert len(browser.pages) == 1
    assert "close this window" in browser.pages[0]
    # Another start finds the tokens.
    asyncio.run(main())
    assert (len(browser.pages), len(site.registered)) == (1, 1)


def test_the_word_oauth_is_the_usual_parts(site, tmp_path, monkeypatch):
    browser = Browser()
    monkeypatch.setattr(loopback, "open_in_browser", browser)
    for name in ("XDG_STATE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))

    async def main():
        async with mcpbolt.Client(site.url, mode="legacy", auth="oauth") as client:
            await client.list_tools()

    asyncio.run(main())
    assert len(browser.pages) == 1
    assert [made["client_name"] for made in site.registered] == ["mcpbolt"]
    assert list(tmp_path.rglob("mcpbolt/credentials/*.json"))


@pytest.mark.skipif(os.name == "nt", reason="permissions of Unix")
def test_only_the_user_reads_the_file(tmp_path):
    storage = FileTokenStorage("https://mcp.example/mcp", tmp_path / "kept")
    asyncio.run(storage.set_tokens(OAuthToken(access_token="secret")))
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    for file in (tmp_path / "kept").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "secret" not in repr(storage)


def test_a_storage_returns_what_was_stored(tmp_path):
    async def main():
        one = FileTokenStorage("https://mcp.example/mcp", tmp_path)
        assert isinstance(one, SharedTokenStorage)
        assert (await one.get_tokens(), await one.get_client_info()) == (None, None)
        client = OAuthClientInformationFull(
            client_id="c", client_secret="s", redirect_uris=["http://127.0.0.1:1/back"], issuer="https://as.example"
        )
        await one.set_client_info(client)
        await one.set_tokens(OAuthToken(access_token="a", refresh_token="r", expires_in=60, scope="x y"))
        other = FileTokenStorage("https://mcp.example/mcp", tmp_path)
        tokens, found = await other.get_tokens(), await other.get_client_info()
        assert (tokens.access_token, tokens.refresh_token, tokens.scope) == ("a", "r", "x y")
        assert tokens.expires_in <= 60
        assert (found.client_id, found.client_secret, found.issuer) == ("c", "s", "https://as.example")
        elsewhere = FileTokenStorage("https://other.example/mcp", tmp_path)
        assert await elsewhere.get_tokens() is None

    asyncio.run(main())
    with pytest.raises(OAuthFlowError, match="server_url"):
        FileTokenStorage("no URL", tmp_path)


def test_a_storage_says_why_it_cannot_be_written(tmp_path):
    (tmp_path / "kept").write_text("a file, not a folder")
    storage = FileTokenStorage("https://mcp.example/mcp", tmp_path / "kept")
    with pytest.raises(OAuthFlowError, match="kept"):
        asyncio.run(storage.set_tokens(OAuthToken(access_token="a")))


def test_the_parts_are_put_together_by_hand(site, tmp_path):
    browser = Browser()

    async def opener(url):
        await asyncio.to_thread(browser, url)

    redirect = LoopbackRedirect(path="/done", open_browser=opener)
    metadata = OAuthClientMetadata(client_name="Mine", redirect_uris=[redirect.redirect_uri])
    storage = FileTokenStorage(site.url, tmp_path)
    provider = OAuthClientProvider(
        site.url, metadata, storage, redirect_handler=redirect.show, callback_handler=redirect.wait
    )
    assert asked(provider, site.url) == 200
    assert site.registered[0]["redirect_uris"] == [redirect.redirect_uri]
    assert urlsplit(redirect.redirect_uri).path == "/done"
    with pytest.raises(ValueError, match="redirect_handler"):
        OAuthClientProvider(site.url, metadata, storage, redirect.show, redirect=redirect)


@pytest.mark.parametrize("is_true", [True, False], ids=["its issuer", "another issuer"])
def test_a_refusal_is_told_if_it_is_of_the_issuer_that_was_asked(site, tmp_path, is_true):
    browser, port = Browser(), free_port()
    site.refuses = {"error": "access_denied", "error_description": "canary"}
    site.says_issuer = None if is_true else "https://evil.example"
    provider = OAuth(folder=tmp_path, redirect=LoopbackRedirect(port, open_browser=browser)).provider(site.url)
    with pytest.raises(OAuthFlowError) as refused:
        asked(provider, site.url)
    assert ("access_denied" in str(refused.value)) is is_true
    assert "evil" not in str(refused.value)
    assert len(browser.pages) == 1
    assert "canary" not in browser.pages[0]
    # The port is free again.
    asyncio.run(LoopbackRedirect(port).listen())


def test_what_goes_wrong_is_told_with_the_remedy(site, tmp_path, monkeypatch):
    def none(url):
        raise EngineError("usage", 0, "the browser cannot be opened: there is none", None)

    monkeypatch.setattr(loopback, "open_in_browser", none)
    with pytest.raises(OAuthFlowError, match="open_browser"):
        asked(OAuth(folder=tmp_path).provider(site.url), site.url)
    late = LoopbackRedirect(open_browser=lambda url: None, timeout=0.01)
    with pytest.raises(OAuthFlowError, match="timeout"):
        asked(OAuth(folder=tmp_path, redirect=late).provider(site.url), site.url)
    with pytest.raises(OAuthFlowError, match="path"):
        asyncio.run(LoopbackRedirect(path="back").listen())
    with pytest.raises(OAuthFlowError, match="redirect_handler"):
        asyncio.run(LoopbackRedirect().wait())


@pytest.mark.parametrize(
    ("server", "auth"), [("a.py", "oauth"), ("https://mcp.example/mcp", "t0p-secret"), ("https://mcp.example/mcp", 1)]
)
def test_auth_that_is_none_is_refused_without_showing_it(tmp_path, monkeypatch, server, auth):
    monkeypatch.chdir(tmp_path)
    Path("a.py").touch()
    with pytest.raises(UsageError, match="auth") as refused:
        asyncio.run(mcpbolt.Client(server, auth=auth).connect())
    assert "t0p-secret" not in str(refused.value)


def test_signing_out_empties_the_file(site, tmp_path):
    auth = OAuth(folder=tmp_path, redirect=LoopbackRedirect(open_browser=Browser()))
    assert asked(auth.provider(site.url), site.url) == 200

    async def sign_out():
        async with httpx.AsyncClient(trust_env=False) as http:
            await auth.sign_out(site.url, http)

    asyncio.run(sign_out())
    assert len(site.revoked) == 2
    storage = FileTokenStorage(site.url, tmp_path)
    assert asyncio.run(storage.get_tokens()) is None
    assert asyncio.run(storage.get_client_info()).client_id == "client-1"


def test_of_two_programs_one_refreshes(site, tmp_path):
    auth = OAuth("Example", folder=tmp_path, redirect=LoopbackRedirect(open_browser=Browser()))
    site.expires_in = 0
    assert asked(auth.provider(site.url), site.url) == 200
    site.expires_in = 3600
    program = [sys.executable, str(Path(__file__).with_name("refreshing.py")), site.url, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(program, **pipes) as one, subprocess.Popen(program, **pipes) as other:
        assert [one.stdout.readline(), other.stdout.readline()] == ["ready\n"] * 2

        def begin(which):
            print(file=which.stdin, flush=True)
            assert which.stdout.readline() == "asking\n"

        # The other one comes while the refresh of the first is not answered yet.
        site.before_refresh = lambda: begin(other)
        begin(one)
        said = [which.stdout.read() for which in (one, other)]
    assert said == ["200\n", "200\n"]
    assert len(site.refreshes) == 1
    assert site.asked.count("/authorize") == 1


def test_what_is_shared_is_read_again_before_a_refresh(site, tmp_path):
    auth = OAuth(folder=tmp_path, redirect=LoopbackRedirect(open_browser=Browser()))
    first, second = auth.provider(site.url), auth.provider(site.url)
    assert [asked(first, site.url), asked(second, site.url)] == [200, 200]
    # The server lets go of the token before its time: one refreshes, the other finds that out.
    site.good = set()
    assert [asked(first, site.url), asked(second, site.url)] == [200, 200]
    assert len(site.refreshes) == 1
    assert site.asked.count("/authorize") == 1
