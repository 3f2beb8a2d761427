"""Each program of the cookbook does what its page says; `test_database.py` is a page itself."""

import asyncio
import json
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import agent_loop
import file_search
import form
import images
import long_job
import many_resources
import model
import prompts
import proxy
import pytest
import refresh
import watching
import web_api
from mcpbolt import Client, McpError, types

# Longest wait for what a test expects, in seconds.
BOUND = 60


def with_client(server: Any, work: Callable[[Client], Awaitable[None]], **options: Any) -> None:
    async def main() -> None:
        async with Client(server, **options) as client:
            await work(client)

    asyncio.run(asyncio.wait_for(main(), BOUND))


def text(result: types.CallToolResult) -> str:
    return result.content[0].text


def test_files_are_searched_and_none_outside_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("needle")
    (folder / "deep" / "a.md").write_text("hay\nThe Needle is here\n")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    monkeypatch.setattr(file_search, "folder", folder)

    async def work(client: Client) -> None:
        found = (await client.call_tool("search", {"text": "needle", "glob": "*.md"})).structuredContent
        assert found == {"hits": [{"path": "deep/a.md", "line": 2, "text": "The Needle is here"}], "searched": 1, "cut_off": False}
        assert (await client.call_tool("search", {"text": "needle", "glob": "../*"})).isError
        assert "Needle" in (await client.read_resource("file:///deep/a.md")).contents[0].text
        for path in ("../secret.md", "link.md"):
            with pytest.raises(McpError):
                await client.read_resource(f"file:///{path}")

    with_client(file_search.mcp, work)


class Issues(BaseHTTPRequestHandler):
    """What the API says, as far as the program asks."""

    asked: list[tuple[str, str, str | None]] = []

    def reply(self, status: int, body: Any) -> None:
        self.asked.append((self.command, self.path, self.headers["authorization"]))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def do_GET(self) -> None:
        if "/a/none/" in self.path:
            return self.reply(404, {})
        if "/a/busy/" in self.path:
            return self.reply(429, {})
        few = 2 if "page=2" in self.path else 30
        self.reply(200, [{"number": n, "title": "t", "state": "open", "more": 1} for n in range(few)])

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.reply(201, {"number": 7, "title": given["title"], "state": "open"})

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def issues() -> Iterator[str]:
    Issues.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Issues)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    serving.join()


def test_a_web_api_is_asked_page_by_page_and_its_refusals_are_words(issues: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISSUES_URL", issues)
    monkeypatch.setenv("ISSUES_TOKEN", "secret")

    async def work(client: Client) -> None:
        first = (await client.call_tool("list_issues", {"repository": "a/b"})).structuredContent
        assert len(first["issues"]) == 30 and first["next_page"] == 2
        assert first["issues"][0] == {"number": 0, "title": "t", "state": "open"}
        last = (await client.call_tool("list_issues", {"repository": "a/b", "page": 2})).structuredContent
        assert len(last["issues"]) == 2 and last["next_page"] is None
        opened = await client.call_tool("open_issue", {"repository": "a/b", "title": "Broken", "body": "It is."})
        assert opened.structuredContent == {"number": 7, "title": "Broken", "state": "open"}
        for repository, words in (("a/none", "no such repository"), ("a/busy", "Too many requests"), ("a/../b", "repository")):
            refused = await client.call_tool("list_issues", {"repository": repository})
            assert refused.isError and words in text(refused)

    with_client(web_api.mcp, work)
    assert {token for _, _, token in Issues.asked} == {"Bearer secret"}


def test_an_agent_calls_tools_until_it_has_its_answer() -> None:
    said: list[Any] = []

    async def thinks(messages: list[Any], tools: list[types.Tool]) -> agent_loop.Turn:
        said.append(messages[-1]["content"])
        steps = [
            [agent_loop.Wish("bar_chart", {"values": []})],
            [agent_loop.Wish("bar_chart", {"values": [1, 2]}), agent_loop.Wish("fly", {})],
        ]
        return agent_loop.Turn(wishes=steps[len(said) - 1]) if len(said) <= len(steps) else agent_loop.Turn("Done.")

    async def yes(*_: Any) -> bool:
        return True

    async def work(client: Client) -> None:
        assert await agent_loop.run(client, thinks, "Draw.", yes) == "Done."
        assert said[0] == "Draw." and said[1].startswith("It failed: ")
        assert said[2] == "There is no tool fly."
        # The chart does not say that it only reads, so nobody lets it run.
        denied = await agent_loop.run(client, agent_loop.scripted, "[1]")
        assert denied == "It says: The user does not want this tool to be called."

    with_client(images.mcp, work)


def test_a_long_job_tells_its_progress_and_gives_back_what_it_rented() -> None:
    seen: list[Any] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    async def work(client: Client) -> None:
        shelves = {"shelves": ["abc", "", "de"]}
        report = await client.call_tool("stocktaking", shelves, progress_callback=on_progress)
        assert report.structuredContent == {"counted": 5, "missing": [""]}
        assert seen[-1][:2] == (3, 3) and not long_job.rented

    with_client(long_job.mcp, work)


def test_a_long_job_that_is_cancelled_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(client: Client) -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def never(_: str) -> int:
            begun.set()
            try:
                return await asyncio.get_running_loop().create_future()
            finally:
                ended.set()

        monkeypatch.setattr(long_job, "count", never)
        call = asyncio.create_task(client.call_tool("stocktaking", {"shelves": ["a"]}))
        await begun.wait()
        call.cancel()
        await ended.wait()
        assert not long_job.rented

    with_client(long_job.mcp, work)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_is_asked_and_has_to_confirm(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "FREE", {"12:00": 2})

    async def on_form(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        sure = "sure" in params.requestedSchema["properties"]
        return types.ElicitResult(action="accept", content={"sure": sure} if sure else given)

    given = {"guests": 3, "seat": "garden", "name": "Ada"}
    table = {"day": "2026-05-01", "time": "12:00"}

    async def work(client: Client) -> None:
        assert "only 2 seats" in text(await client.call_tool("book_table", table))
        given.update(guests=2, seat="roof")
        assert (await client.call_tool("book_table", table)).isError
        given["seat"] = "garden"
        assert text(await client.call_tool("book_table", table)) == "Booked for Ada."
        assert form.FREE == {"12:00": 0}
        assert text(await client.call_tool("book_table", {**table, "time": "3:00"})) == "There are tables at 12:00."

    with_client(form.mcp, work, elicitation_callback=on_form, mode=mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("said", "kind"), [("Spam", "spam"), ("I will send the keys", "bill")])
def test_a_model_is_borrowed_and_its_word_is_checked(mode: str, said: str, kind: str) -> None:
    async def on_sampling(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        words = types.TextContent(type="text", text=said)
        return types.CreateMessageResult(role="assistant", content=words, model="small")

    async def work(client: Client) -> None:
        assert text(await client.call_tool("classify", {"mail": "Your invoice"})) == kind

    with_client(model.mcp, work, sampling_callback=on_sampling, mode=mode)


def test_without_a_model_the_words_decide() -> None:
    async def work(client: Client) -> None:
        assert text(await client.call_tool("classify", {"mail": "Click to unsubscribe"})) == "newsletter"

    with_client(model.mcp, work)


def test_ten_thousand_resources_come_page_by_page() -> None:
    async def work(client: Client) -> None:
        names = [resource.name async for resource in many_resources.all_resources(client)]
        assert len(names) == len(set(names)) == 10_000
        with pytest.raises(McpError, match="no such cursor: -1"):
            await client.list_resources(cursor="-1")

    with_client(many_resources.server, work)


def test_who_subscribed_is_told_when_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "folder", tmp_path)
    monkeypatch.setattr(watching, "EVERY", 0)
    file = tmp_path / "a.txt"
    file.write_text("one\n")

    async def work(client: Client) -> None:
        async with client.listen(resource_subscriptions=["log:///a.txt"]) as changes:
            file.write_text("one\ntwo\n")
            async for event in changes:
                assert str(event.uri) == "log:///a.txt"
                break
        assert (await client.read_resource("log:///a.txt")).contents[0].text == "one\ntwo"

    with_client(watching.mcp, work)


def test_a_chart_is_a_picture_with_words() -> None:
    async def work(client: Client) -> None:
        words, picture = (await client.call_tool("bar_chart", {"values": [1, 4]})).content
        assert words.text == "2 bars; the highest is 4." and picture.mimeType == "image/png"
        assert (await client.call_tool("bar_chart", {"values": [-1]})).isError

    with_client(images.mcp, work)
    drawn = images.png([images.INK + images.PAPER], 2)
    size = int.from_bytes(drawn[33:37], "big")
    assert zlib.decompress(drawn[41 : 41 + size]) == b"\0" + images.INK + images.PAPER


def test_a_proxy_passes_on_calls_and_hides_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "HIDDEN", {"read"})
    seen: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(done)

    async def main() -> None:
        async with Client(long_job.mcp) as upstream, Client(proxy.proxy(upstream)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["upstream_stocktaking"]
            arguments = {"shelves": ["abc", "de"]}
            report = await client.call_tool("upstream_stocktaking", arguments, progress_callback=on_progress)
            assert report.structuredContent == {"counted": 5, "missing": []} and seen[-1] == 2
            for name in ("stocktaking", "upstream_read"):
                refused = await client.call_tool(name, {})
                assert refused.isError and text(refused) == f"There is no tool {name}."
            wrong = await client.call_tool("upstream_stocktaking", {"shelves": 1})
            assert wrong.isError and "shelves" in text(wrong)

    asyncio.run(asyncio.wait_for(main(), BOUND))


def test_tools_follow_their_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = tmp_path / "catalogue.json"
    monkeypatch.setattr(refresh, "catalogue", catalogue)
    catalogue.write_text(json.dumps({"thanks": "Thank you for $subject.", "sorry": "Sorry about $subject."}))

    async def work(client: Client) -> None:
        assert text(await client.call_tool("thanks", {"subject": "the fish"})) == "Thank you for the fish."
        async with client.listen(tools_list_changed=True) as changes:
            catalogue.write_text(json.dumps({"thanks": "Many thanks for $subject."}))
            assert refresh.refresh() and not refresh.refresh()
            await anext(aiter(changes))
        assert [tool.name for tool in (await client.list_tools(fresh=True)).tools] == ["thanks"]
        catalogue.write_text("{")
        assert not refresh.refresh()
        assert text(await client.call_tool("thanks", {"subject": "it"})) == "Many thanks for it."

    with_client(refresh.mcp, work)


def test_arguments_of_a_prompt_complete_by_what_was_filled_in_before() -> None:
    async def work(client: Client) -> None:
        ref = types.PromptReference(type="ref/prompt", name="translate")

        async def offered(name: str, value: str, **before: str) -> list[str]:
            found = await client.complete(ref, {"name": name, "value": value}, context_arguments=before or None)
            return found.completion.values

        assert await offered("language", "j") == ["Japanese"]
        assert await offered("style", "", language="German") == ["formal (Sie)", "friendly (du)"]
        assert await offered("style", "", language="Klingon") == [] == await offered("text", "")
        filled = await client.get_prompt("translate", {"language": "German", "style": "formal (Sie)", "text": "Hi."})
        assert [message.role for message in filled.messages] == ["user", "assistant", "user"]

    with_client(prompts.mcp, work)


def test_every_program_is_tested_and_has_a_page() -> None:
    here = Path(__file__).resolve()
    cookbook = here.parents[4] / "docs/cookbook"
    shown = "".join(page.read_text("utf-8") for page in cookbook.glob("*.md"))
    tested = "".join(path.read_text("utf-8") for path in here.parent.glob("test_*.py"))
    for program in here.parents[1].glob("*.py"):
        assert f'--8<-- "examples/cookbook/python/{program.name}"' in shown, program.name
        assert f"import {program.stem}" in tested, program.name
