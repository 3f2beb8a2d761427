"""Chapter authorization."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from guide import snippets
from sign_in_site import Browser, Site

from mcpbolt.client.auth import loopback

# [guide]
from mcpbolt import Client


async def main(url: str) -> None:
    async with Client(url, auth="oauth") as client:
        print(await client.list_tools())
# [end]

# [guide]
from mcpbolt.client.auth import LoopbackRedirect, OAuth  # noqa: E402

auth = OAuth("Example", redirect=LoopbackRedirect(port=33418, open_browser=print))
# [end]

# [guide]
from mcpbolt.client.auth import FileTokenStorage, LoopbackRedirect, OAuthClientProvider  # noqa: E402
from mcpbolt.shared.auth import OAuthClientMetadata  # noqa: E402


def provider(url: str) -> OAuthClientProvider:
    redirect = LoopbackRedirect()
    return OAuthClientProvider(
        url,
        OAuthClientMetadata(client_name="Example", redirect_uris=[redirect.redirect_uri]),
        FileTokenStorage(url),
        redirect_handler=redirect.show,
        callback_handler=redirect.wait,
    )
# [end]


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """A browser and a home folder of its own."""
    found = Browser()
    monkeypatch.setattr(loopback, "open_in_browser", found)
    for name in ("XDG_STATE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    return found


def test_the_chapter_has_this_code() -> None:
    text = (snippets.GUIDE / "authorization.md").read_text("utf-8")
    assert snippets.fences(text) == snippets.regions(Path(__file__))


def test_one_line_signs_in(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    with Site() as site:
        asyncio.run(main(site.url))
    assert len(browser.pages) == 1
    assert "tools=[]" in capsys.readouterr().out
    assert auth.client_name == "Example"


def test_the_parts_by_hand(browser: Browser) -> None:
    async def ask(url: str) -> int:
        async with httpx.AsyncClient(auth=provider(url), trust_env=False) as http:
            return (await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).status_code

    with Site() as site:
        assert asyncio.run(ask(site.url)) == 200
        [back] = site.registered[0]["redirect_uris"]
    assert back.startswith("http://127.0.0.1:") and back.endswith("/callback")
    assert len(browser.pages) == 1
