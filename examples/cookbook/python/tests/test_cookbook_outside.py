"""The programs of the cookbook that ask others: an API that is sometimes down, a repository."""

import asyncio
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import rates
import release_notes
from mcpbolt import Client, types
from mcpbolt.client.skills import SkillsClient

# Longest wait for what a test expects, in seconds.
BOUND = 60


def text(result: types.CallToolResult) -> str:
    return result.content[0].text


class Upstream(BaseHTTPRequestHandler):
    """Answers with the statuses of `script`, then with rates; not before `go` is set."""

    asked: list[str] = []
    script: list[int] = []
    begun = threading.Event()
    go = threading.Event()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status = self.script.pop(0) if self.script else 200
        self.begun.set()
        self.go.wait(BOUND)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps({"base": "EUR", "date": "2026-05-04", "rates": {"USD": 1.25}}).encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Upstream]]:
    Upstream.asked.clear()
    Upstream.script.clear()
    Upstream.begun.clear()
    Upstream.go.set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    monkeypatch.setenv("RATES_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(rates, "PAUSES", (0.0, 0.0))
    yield Upstream
    Upstream.go.set()
    server.shutdown()
    server.server_close()
    serving.join()


EUR_USD = {"amount": 8, "source": "EUR", "target": "USD"}
CONVERTED = {"amount": 10.0, "date": "2026-05-04", "stale": False}


def test_an_api_that_fails_is_asked_again_and_what_it_said_is_kept(upstream: type[Upstream]) -> None:
    upstream.script += [503, 429]

    async def main() -> None:
        async with Client(rates.mcp) as client:
            for _ in range(2):
                assert (await client.call_tool("convert", EUR_USD)).structuredContent == CONVERTED
            assert upstream.asked == ["/latest?base=EUR"] * 3
            upstream.script += [404]
            unknown = await client.call_tool("convert", {**EUR_USD, "source": "XYZ"})
            assert unknown.isError and "There is no currency XYZ." in text(unknown)
            assert len(upstream.asked) == 4

    asyncio.run(asyncio.wait_for(main(), BOUND))


def test_an_old_rate_is_better_than_none_and_says_that_it_is_old(
    upstream: type[Upstream], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with Client(rates.mcp) as client:
            upstream.script += [500, 500, 500]
            nothing = await client.call_tool("convert", EUR_USD)
            assert nothing.isError and "Try again in some minutes." in text(nothing)
            assert (await client.call_tool("convert", EUR_USD)).structuredContent == CONVERTED
            monkeypatch.setattr(rates, "FRESH", 0.0)
            upstream.script += [500, 500, 500]
            old = (await client.call_tool("convert", EUR_USD)).structuredContent
            assert old == {**CONVERTED, "stale": True} and len(upstream.asked) == 7

    asyncio.run(asyncio.wait_for(main(), BOUND))


def test_calls_that_want_the_same_ask_once_and_one_may_leave(
    upstream: type[Upstream], monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.go.clear()
    whole = rates.Rates.of

    async def main() -> None:
        came: asyncio.Queue[str] = asyncio.Queue()
        left = asyncio.Event()

        async def of(self: rates.Rates, base: str) -> tuple[rates.Table, bool]:
            came.put_nowait(base)
            try:
                return await whole(self, base)
            except asyncio.CancelledError:
                left.set()
                raise

        monkeypatch.setattr(rates.Rates, "of", of)
        async with Client(rates.mcp) as client:
            first = asyncio.create_task(client.call_tool("convert", EUR_USD))
            assert await asyncio.to_thread(upstream.begun.wait, BOUND)
            others = [asyncio.create_task(client.call_tool("convert", EUR_USD)) for _ in range(3)]
            for _ in range(4):
                await came.get()
            first.cancel()
            await left.wait()
            upstream.go.set()
            for other in others:
                assert (await other).structuredContent == CONVERTED
            assert len(upstream.asked) == 1

    asyncio.run(asyncio.wait_for(main(), BOUND))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One release, and two commits since."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, "/dev/null")
    ann = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")

    def git(*words: str) -> None:
        subprocess.run(["git", *ann, "-C", tmp_path, *words], check=True, capture_output=True, timeout=BOUND)

    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "First")
    git("tag", "v1.0")
    (tmp_path / "tea.txt").write_text("hot\n")
    git("add", "tea.txt")
    git("commit", "--quiet", "-m", "Tea is hot", "-m", "It was cold.\n\nFor all cups.")
    git("commit", "--quiet", "--allow-empty", "-m", "Second")
    monkeypatch.setattr(release_notes, "repository", tmp_path)
    return tmp_path


def test_a_skill_comes_with_the_tools_that_it_names(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with Client(release_notes.mcp) as client:
            skills = SkillsClient(client, "releases")
            skill = await skills.get("skill://release-notes/SKILL.md")
            assert skill["uri"] in (client.instructions or "")
            loaded = await skills.load(skill)
            assert "## What is new" in (await loaded.read("template.md")).text
            # A word of the skill in code is a tool, a file of it or a member of a result.
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert set(re.findall(r"`(\w+)`", loaded.body)) == tools | {"more"}

            assert text(await client.call_tool("last_release")) == "v1.0"
            changes = (await client.call_tool("changes", {"since": "v1.0"})).structuredContent
            second, tea = changes["commits"]
            assert (second["subject"], second["details"], changes["more"]) == ("Second", "", False)
            assert (tea["subject"], tea["details"]) == ("Tea is hot", "It was cold.\n\nFor all cups.")
            assert "tea.txt" in text(await client.call_tool("files_of", {"commit": tea["id"]}))
            monkeypatch.setattr(release_notes, "MOST", 1)
            cut = (await client.call_tool("changes", {"since": "v1.0"})).structuredContent
            assert [commit["subject"] for commit in cut["commits"]] == ["Second"] and cut["more"]

    asyncio.run(asyncio.wait_for(main(), BOUND))


@pytest.mark.parametrize(("since", "words"), [("v0.9", "git says: "), ("--output=here", "since")])
def test_what_git_refuses_is_told_and_an_option_never_reaches_it(repository: Path, since: str, words: str) -> None:
    async def main() -> None:
        async with Client(release_notes.mcp) as client:
            refused = await client.call_tool("changes", {"since": since})
            assert refused.isError and words in text(refused)

    asyncio.run(asyncio.wait_for(main(), BOUND))
    assert {path.name for path in repository.iterdir()} == {".git", "tea.txt"}


def test_all_skills_of_the_folder_are_served() -> None:
    assert release_notes.skills.problems == []
